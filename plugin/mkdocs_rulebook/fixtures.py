"""The fixtures of a catalogue: each read once, and never from outside the fixture folder."""

from __future__ import annotations

import fnmatch
import itertools
import os
import posixpath
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mkdocs_rulebook.checks.runner import Document
from mkdocs_rulebook.derived import DerivationError, derived, inline
from mkdocs_rulebook.model import Catalogue, Example, Outcome, Place, Rule, Selection
from mkdocs_rulebook.nearest import nearest
from mkdocs_rulebook.source import (
    LANGUAGES,
    Language,
    Reader,
    Source,
    SourceError,
    is_folder,
    language_of,
    read_folder,
)
from mkdocs_rulebook.source.node import canonical


@dataclass(frozen=True)
class Fixture:
    """A fixture that could be read, wrapped for checking.

    `home` is the place to look at where the fixture is no file: what it was made of, or the entry in the rule file.
    """

    name: str
    source: Source
    document: Document
    home: Place | None = None

    @cached_property
    def content(self) -> str:
        """The value in one canonical spelling: two fixtures that differ only in layout are the same."""
        return canonical(self.source.value)

    @property
    def likeness(self) -> tuple[str, str]:
        """What two fixtures have in common that no check could tell apart; that of a text may go by its name."""
        return self.content, self.source.path.name if self.source.is_text else ""

    def place(self, selection: Selection | None = None) -> Place:
        """Return where a selection, or all of it, lies: in the fixture, or where the fixture comes from."""
        selection = selection or Selection()
        return self.home or self.source.place(selection.pointer, selection.lines)


@dataclass(frozen=True)
class Unreadable:
    """A fixture that is missing or cannot be read, and why."""

    name: str
    outcome: Outcome
    message: str
    place: Place


def made_name(rule: Rule, example: Example) -> str:
    """Return the name of a document that an example makes: the same wherever and whenever it is made.

    It begins with the address of the rule and the id of the example, so that no two have one name.
    """
    base = posixpath.basename(example.fixture.rstrip("/"))
    if example.patch:
        base = f"{posixpath.splitext(base)[0]}.json"
    return f"{rule.address}/{example.id}/{base}"


def identity(source: Source) -> str:
    """Return what the outcome of a check on a document depends on: its content, and for a text its name."""
    return f"{source.language}:{source.path.name if source.is_text else ''}:{source.digest}"


class Fixtures:
    """Reads the fixtures of one catalogue: the files and folders, and the documents that examples make.

    Args:
        catalogue: The catalogue.
        read: What reads the files.
    """

    def __init__(self, catalogue: Catalogue, read: Callable[..., Source] | None = None) -> None:
        self._read_file = read or Reader()
        self._root = catalogue.fixtures
        self._references = catalogue.references
        self._texts = catalogue.texts
        self._examples = [(rule, example) for rule in catalogue.rules for example in rule.examples]
        self._known: dict[tuple[str, Language], Fixture | Unreadable] = {}
        self._made: dict[tuple[str, str], Fixture | Unreadable] = {}

    def get(self, name: str, language: str = "") -> Fixture | Unreadable:
        """Return the fixture of that name: a path below the fixture folder, with forward slashes.

        Args:
            name: The name; that of a folder may end in a slash.
            language: What it is written in, where its name does not say so.
        """
        name = name.removesuffix("/") if name.removesuffix("/") in self._folders else name
        key = (name, language_of(name, language or self._declared.get(name, "")))
        if key not in self._known:
            self._known[key] = self._read(*key)
        return self._known[key]

    def of(self, rule: Rule, example: Example) -> Fixture | Unreadable:
        """Return the document that an example speaks of: its fixture, or what it makes of it."""
        if example.inline is None and not example.derived:
            return self.get(example.fixture, example.language)
        key = (rule.id, example.id)
        if key not in self._made:
            self._made[key] = self._make(rule, example)
        return self._made[key]

    def group(self, folder: str) -> list[str]:
        """Return the names of all fixtures below a folder of the fixture folder, sorted.

        A text is a fixture where the catalogue says that such files are, or where an example names it.
        """
        found = {name for name in self._files(self._root / folder) if self._is_fixture(name)}
        outer = self._folders
        inner = {name for name in found if any(name.startswith(each + "/") for each in outer)}
        return sorted((found - inner) | {each for each in outer if folder == "." or each.startswith(folder + "/")})

    def names(self) -> list[str]:
        """Return the names of all fixtures in the folder, sorted."""
        return self.group(".")

    @cached_property
    def every(self) -> tuple[Fixture, ...]:
        """Each document of the catalogue that can be read: those in the folder, then those of examples."""
        named = (self.get(name) for name in self.names())
        made = (self.of(rule, example) for rule, example in self._examples)
        found = {id(fixture): fixture for fixture in itertools.chain(named, made)}
        return tuple(fixture for fixture in found.values() if isinstance(fixture, Fixture))

    @cached_property
    def _real_root(self) -> str:
        return os.path.realpath(self._root).rstrip(os.sep) + os.sep

    @cached_property
    def _cited(self) -> frozenset[str]:
        return frozenset(example.fixture for _, example in self._examples if example.inline is None)

    @cached_property
    def _declared(self) -> dict[str, str]:
        """The languages of the fixtures of which every example declares one."""
        found: dict[str, str] = {}
        for _, example in reversed(self._examples):
            if example.inline is None:
                found[example.fixture] = example.language
        bare = {example.fixture for _, example in self._examples if example.inline is None and not example.language}
        return {name: language for name, language in found.items() if name not in bare}

    @cached_property
    def _folders(self) -> frozenset[str]:
        named = {name.rstrip("/") for name in self._cited}
        return frozenset(name for name in named if posixpath.normpath(name) == name and is_folder(self._root / name))

    def _files(self, home: Path) -> Iterator[str]:
        """Yield the names of all files below a folder of the fixture folder, but for hidden ones."""
        for folder, folders, files in os.walk(home) if is_folder(home) else ():
            folders[:] = [name for name in folders if not name.startswith(".")]
            within = Path(folder).relative_to(self._root).as_posix()
            for name in files:
                if not name.startswith(".") and Path(folder, name).is_file():  # a link may lead nowhere
                    yield name if within == "." else f"{within}/{name}"

    def _is_fixture(self, name: str) -> bool:
        base = posixpath.basename(name)
        is_data = posixpath.splitext(base)[1].lower() in LANGUAGES
        is_text = any(fnmatch.fnmatchcase(base, pattern) for pattern in self._texts)
        return is_data or is_text or name in self._cited

    def _read(self, name: str, language: Language) -> Fixture | Unreadable:
        path = self._root / name
        place = Place(path)
        if not self._holds(path):
            return Unreadable(name, Outcome.FIXTURE_UNREADABLE, f"`{name}` leads out of the fixture folder", place)
        # A file has one name here, however else the file system would let it be spelled: groups go by it.
        if posixpath.normpath(name) != name or not os.path.lexists(path):
            message = f"there is no fixture `{name}`{nearest(name, self.names(), cutoff=0.6)}"
            return Unreadable(name, Outcome.FIXTURE_MISSING, message, place)
        try:
            source = self._read_folder(path) if is_folder(path) else self._read_file(path, language=language)
        except SourceError as error:
            return Unreadable(name, Outcome.FIXTURE_UNREADABLE, f"`{name}`: {error.message}", error.place)
        return Fixture(name, source, self._document(source))

    def _read_folder(self, path: Path) -> Source:
        files = {file.relative_to(path).as_posix(): file for file in sorted(path.rglob("*")) if file.is_file()}
        parts = {}
        for name, file in files.items():
            if any(part.startswith(".") or part == "__pycache__" for part in name.split("/")):
                continue
            if not self._holds(file):
                raise SourceError(Place(file), f"`{name}` leads out of the fixture folder")
            try:
                parts[name] = self._read_file(file, language="text")
            except SourceError as error:
                raise SourceError(error.place, f"`{name}`: {error.message}") from None
        if not parts:
            raise SourceError(Place(path), "the folder is empty")
        return read_folder(path, parts)

    def _document(self, source: Source) -> Document:
        return Document(source.value, self._references, identity(source), source)

    def _make(self, rule: Rule, example: Example) -> Fixture | Unreadable:
        name = made_name(rule, example)
        home = example.place
        try:
            if example.inline is not None:
                source = inline(self._root / name, example.inline, example.language)
            else:
                base = self.get(example.fixture, example.language)
                if isinstance(base, Unreadable):
                    return base
                home = base.place()
                source = derived(base.source, example)
        except DerivationError as error:
            return Unreadable(name, Outcome.FIXTURE_UNREADABLE, str(error), home)
        except SourceError as error:
            at = error.place.position
            what = "the text in the rule file" if example.inline else f"`{example.fixture}` after the change"
            message = f"{what}: {error.message} (line {at.line}, column {at.column})"
            return Unreadable(name, Outcome.FIXTURE_UNREADABLE, message, home)
        return Fixture(name, source, self._document(source), home)

    def _holds(self, path: Path) -> bool:
        try:
            return f"{os.path.realpath(path)}{os.sep}".startswith(self._real_root)
        except ValueError:
            return True  # a name that no file can have: nothing leads anywhere
