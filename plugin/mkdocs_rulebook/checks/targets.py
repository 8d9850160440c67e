"""The files that external engines get: fixtures as they lie on the disk, and what is no file written to one."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mkdocs_rulebook.pointer import join
from mkdocs_rulebook.source import Folder, Source, SourceError
from mkdocs_rulebook.source.text import load, load_text


@dataclass(frozen=True)
class Target:
    """A document that an engine has to judge.

    `path` is what the engine gets: a file, or a folder. `name` is what messages call it. `key` is what of the document
    the verdict depends on: its content, and where it lies, since engines look at names as well.
    """

    source: Source
    path: Path
    name: str
    key: str

    def files(self) -> Iterator[tuple[str, str, Source]]:
        """Yield each file: its path, the pointer to it in the document, and what it says."""
        yield str(self.path), "", self.source
        if isinstance(self.source, Folder):
            for name, part in self.source.parts.items():
                yield str(self.path / name), join([name]), part


class Targets:
    """Makes targets of documents; to be closed, since some of them lie in a temporary folder.

    Args:
        root: The fixture folder, from which names count.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._known: dict[str, Target] = {}

    def close(self) -> None:
        """Remove what was written."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
        self._known.clear()

    def of(self, source: Source) -> Target:
        """Return the target for a document; one whose file is missing, or says something else, is written.

        Raises:
            OSError: it cannot be written, for its name is none that a file can have.
        """
        key = f"{source.path}\0{source.language}\0{source.digest}"
        if key not in self._known:
            self._known[key] = self._target(source, key)
        return self._known[key]

    def _target(self, source: Source, key: str) -> Target:
        inside = source.path.is_relative_to(self._root)
        name = source.path.relative_to(self._root).as_posix() if inside else source.path.name
        if isinstance(source, Folder):
            written = all(_lies_there(part) for part in source.parts.values())
        else:
            written = _lies_there(source)
        if written:
            return Target(source, source.path, name, key)
        self._folder = self._folder or tempfile.TemporaryDirectory(prefix="rulebook-")
        path = Path(self._folder.name).resolve() / str(len(self._known)) / name
        for below, text in source.files.items() if isinstance(source, Folder) else [("", source.text)]:
            file = path / below if below else path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="")
        return Target(source, path, name, key)


def _lies_there(source: Source) -> bool:
    """Whether a file says on the disk what it says here, whatever its line ends: a changed one keeps its path."""
    read = load_text if source.language == "text" else load
    try:
        return read(source.path).text == source.text
    except SourceError:
        return False
