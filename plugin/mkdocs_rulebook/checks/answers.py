"""Gives each document what one run of an engine said about it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from mkdocs_rulebook.checks.messages import names_in_words
from mkdocs_rulebook.checks.places import Placed, placed
from mkdocs_rulebook.checks.process import Ended
from mkdocs_rulebook.checks.reported import OutputError, Said
from mkdocs_rulebook.checks.targets import Target
from mkdocs_rulebook.model import Engine
from mkdocs_rulebook.source import Folder, Source


@dataclass(frozen=True)
class Judged:
    """What an engine said about one document; with `error` or `skipped`, why it said nothing to rely on."""

    found: tuple[Placed, ...] = ()
    error: str = ""
    skipped: str = ""


def by_document(engine: Engine, batch: Sequence[Target], said: Said, ended: Ended) -> list[Judged]:
    """Return for each document of a run what the engine said about it.

    Args:
        engine: The engine, as it is declared.
        batch: The documents that it was given.
        said: What it said about them, in its own order and by the names of files.
        ended: How it ended, where it may say on its error output which files it skipped.

    Raises:
        OutputError: it speaks of a file that does not exist, or does not say of which file it speaks.
    """
    where = _Where(engine, batch)
    found: list[list[Placed]] = [[] for _ in batch]
    errors = [""] * len(batch)
    for finding in said.findings:
        for at, pointer, source in where.find(finding.file):
            text = where.without_paths(finding.message)
            one = placed(replace(finding, message=text), source, where.name(at, pointer))
            found[at].append(replace(one, pointer=pointer + one.pointer) if pointer else one)
    for file, why in (*said.refused.items(), *_skipped(engine, ended)):
        for at, pointer, _ in where.find(file):
            errors[at] = f"`{engine.name}` skipped `{where.name(at, pointer)}`: {where.without_paths(why)}"
    for at, pointer in where.unlisted(said.files):
        why = "it is not among the files that it lists as judged"
        errors[at] = errors[at] or f"`{engine.name}` skipped `{where.name(at, pointer)}`: {why}"
    return [Judged(tuple(dict.fromkeys(one)), error) for one, error in zip(found, errors, strict=True)]


def _skipped(engine: Engine, ended: Ended) -> Iterator[tuple[str, str]]:
    """Yield the files that the program says it skipped, with its words."""
    for pattern in engine.skipped:
        for match in re.finditer(pattern, f"{ended.stdout}\n{ended.stderr}", re.MULTILINE):
            yield match["file"], match[0]


class _Where:
    """Finds what a file is that an engine names: which document, and which part of it where that is a folder."""

    def __init__(self, engine: Engine, batch: Sequence[Target]) -> None:
        self._folder = engine.folder
        self._batch = batch
        self._given = {
            path: (at, pointer, source) for at, target in enumerate(batch) for path, pointer, source in target.files()
        }
        self._homes = {str(target.path.parent) for target in batch}

    @cached_property
    def _real(self) -> dict[str, tuple[int, str, Source]]:
        """What was given by real paths, for an engine that does not repeat the names that it got."""
        return {os.path.realpath(path): known for path, known in self._given.items()}

    def name(self, at: int, pointer: str) -> str:
        """Return what messages call a file."""
        return self._batch[at].name + pointer

    def unlisted(self, files: Sequence[str] | None) -> Iterator[tuple[int, str]]:
        """Yield what the engine was given and is not in its list of judged files, by document and pointer."""
        if files is None:
            return
        listed = {(at, pointer) for file in files for at, pointer, _ in self.find(file)}
        for at, pointer, source in self._given.values():
            if (at, pointer) not in listed and not isinstance(source, Folder):
                yield at, pointer

    def without_paths(self, text: str) -> str:
        """Return a message on one line, with names in place of paths: it must not depend on the machine."""
        if any(home in text for home in self._homes):
            for target in self._batch:
                text = text.replace(str(target.path), target.name)
        return " ".join(text.split())

    def find(self, file: str | None) -> list[tuple[int, str, Source]]:
        """Return the document, the pointer and the text of a file; nothing for one that the engine was not given.

        Raises:
            OutputError: there is no such file, or none is named and several are possible.
        """
        if not file:
            if len(self._batch) > 1:
                raise OutputError("has a finding without a file, though the engine was given several")
            return [(0, "", self._batch[0].source)]
        path = str(self._folder / file)
        if path in self._given:
            return [self._given[path]]
        if not os.path.lexists(path):  # not Path.exists, which raises for a name that no file can have
            names = _names([target.name for target in self._batch])
            raise OutputError(f"names the file `{file}`, which does not exist; it was given {names}")
        known = self._real.get(os.path.realpath(path))
        return [known] if known else []


def _names(names: Sequence[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return names_in_words(names[:3]) + more
