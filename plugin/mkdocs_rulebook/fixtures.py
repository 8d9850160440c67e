"""The fixtures of a catalogue: each read once, and never from outside the fixture folder."""

from __future__ import annotations

import difflib
import json
import os
import posixpath
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mkdocs_rulebook.checks.runner import Document
from mkdocs_rulebook.model import JSON, Catalogue, Outcome, Place
from mkdocs_rulebook.source import LANGUAGES, Reader, Source, SourceError, is_folder


@dataclass(frozen=True)
class Fixture:
    """A fixture that could be read, wrapped for checking."""

    name: str
    source: Source
    document: Document

    @cached_property
    def content(self) -> str:
        """The value in one canonical spelling: two fixtures that differ only in layout are the same."""
        return canonical(self.source.value)


def canonical(value: JSON) -> str:
    """Return a value in one spelling, so that `1`, `true`, `1.0` and `"1"` all differ; numbers keep their digits."""
    return json.dumps(value, sort_keys=True, default=lambda number: {_NUMBER: str(number)})


_NUMBER = "\ud800"
"""Marks a number as no string: half of a surrogate pair is a member name that no fixture can have."""


@dataclass(frozen=True)
class Unreadable:
    """A fixture that is missing or cannot be read, and why."""

    name: str
    outcome: Outcome
    message: str
    place: Place


class Fixtures:
    """Reads the fixtures of one catalogue.

    Args:
        catalogue: The catalogue.
        read: What reads the files.
    """

    def __init__(self, catalogue: Catalogue, read: Reader | None = None) -> None:
        self._read_file = read or Reader()
        self._root = catalogue.fixtures
        self._references = catalogue.references
        self._known: dict[str, Fixture | Unreadable] = {}

    def get(self, name: str) -> Fixture | Unreadable:
        """Return the fixture of that name: a path below the fixture folder, with forward slashes."""
        if name not in self._known:
            self._known[name] = self._read(name)
        return self._known[name]

    def group(self, folder: str) -> list[str]:
        """Return the names of all fixtures below a folder of the fixture folder, sorted."""
        home = self._root / folder
        found = [
            path.relative_to(self._root)
            for path in (home.rglob("*") if is_folder(home) else [])
            if path.suffix.lower() in LANGUAGES and path.is_file()
        ]
        return sorted(path.as_posix() for path in found if not any(part.startswith(".") for part in path.parts))

    def names(self) -> list[str]:
        """Return the names of all fixtures in the folder, sorted."""
        return self.group(".")

    def _read(self, name: str) -> Fixture | Unreadable:
        path = self._root / name
        place = Place(path)
        if not self._holds(path):
            return Unreadable(name, Outcome.FIXTURE_UNREADABLE, f"`{name}` leads out of the fixture folder", place)
        # A file has one name here, however else the file system would let it be spelled: groups go by it.
        if posixpath.normpath(name) != name or not os.path.lexists(path):
            return Unreadable(
                name, Outcome.FIXTURE_MISSING, f"there is no fixture `{name}`{self._nearest(name)}", place
            )
        try:
            source = self._read_file(path)
        except SourceError as error:
            return Unreadable(name, Outcome.FIXTURE_UNREADABLE, f"`{name}`: {error.message}", error.place)
        return Fixture(name, source, Document(source.value, self._references, source.digest, source, name))

    def _holds(self, path: Path) -> bool:
        try:
            return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(self._root))
        except ValueError:
            return True  # a name that no file can have: nothing leads anywhere

    def _nearest(self, name: str) -> str:
        known = self.names()
        close = difflib.get_close_matches(name, known, n=3, cutoff=0.6)
        return f"; nearest: {', '.join(f'`{each}`' for each in close)}" if close else ""
