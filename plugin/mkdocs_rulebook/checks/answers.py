"""Gives each document what one run of an engine said about it."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from mkdocs_rulebook.checks.messages import names_in_words
from mkdocs_rulebook.checks.places import Placed, placed
from mkdocs_rulebook.checks.process import Ended
from mkdocs_rulebook.checks.reported import OutputError, Said, excerpt, visible
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
            text = where.in_words(finding.message)
            one = placed(replace(finding, code=visible(finding.code), message=text), source, where.name(at, pointer))
            found[at].append(replace(one, pointer=pointer + one.pointer) if pointer else one)
    for file, why in said.refused.items():
        if not where.find(file):
            raise OutputError(f"reports an error about `{file}`, which is no fixture: {excerpt(why)}")
    for file, why in (*said.refused.items(), *_skipped(engine, ended)):
        for at, pointer, _ in where.find(file):
            errors[at] = f"`{engine.name}` skipped `{where.name(at, pointer)}`: {where.in_words(why)}"
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
        # A file may be several documents: given alone and in its folder, or by a link. Each is spoken of.
        self._real: dict[str, str] = {}
        self._given: dict[str, list[tuple[int, str, Source]]] = {}
        for at, target in enumerate(batch):
            for path, pointer, source in target.files():
                real = self._real[path] = os.path.realpath(path)
                self._given.setdefault(real, []).append((at, pointer, source))

    @cached_property
    def _called(self) -> dict[str, str]:
        """What stands for a document in messages, and the name to put in its place."""
        found: dict[str, str] = {}
        for target in self._batch:
            ways = [str(target.path), os.path.relpath(target.path, self._folder)]
            found |= dict.fromkeys(ways, target.name)
            if str(target.path).endswith(os.sep + target.name.replace("/", os.sep)):
                homes = [way.removesuffix(target.name.replace("/", os.sep)).rstrip(os.sep) for way in ways]
                found |= {home: "the folder of the fixtures" for home in homes if os.sep in home}
        return found

    @cached_property
    def _paths(self) -> re.Pattern[str]:
        """Finds them in a message: of two that begin alike the longer one."""
        return re.compile("|".join(map(re.escape, sorted(self._called, key=len, reverse=True))))

    def name(self, at: int, pointer: str) -> str:
        """Return what messages call a file."""
        return self._batch[at].name + pointer

    def unlisted(self, files: Sequence[str] | None) -> Iterator[tuple[int, str]]:
        """Yield what the engine was given and is not in its list of judged files, by document and pointer."""
        if files is None:
            return
        listed = {(at, pointer) for file in files for at, pointer, _ in self.find(file)}
        for at, pointer, source in itertools.chain.from_iterable(self._given.values()):
            if (at, pointer) not in listed and not isinstance(source, Folder):
                yield at, pointer

    def in_words(self, text: str) -> str:
        """Return a message as pages can say it: on one line, not endless, and without what depends on the machine."""
        if os.sep in text:
            text = self._paths.sub(lambda path: self._called[path[0]], text)
        return visible(text)

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
        if path in self._real:
            return self._given[self._real[path]]
        if not os.path.lexists(path):  # not Path.exists, which raises for a name that no file can have
            names = _names([target.name for target in self._batch])
            raise OutputError(f"names the file `{file}`, which does not exist; it was given {names}")
        return self._given.get(os.path.realpath(path), [])


def _names(names: Sequence[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return names_in_words(names[:3]) + more
