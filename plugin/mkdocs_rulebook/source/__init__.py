"""Files as values with a position for every node. Nothing else of the package parses a file.

JSON is RFC 8259; YAML is YAML 1.2 as far as it is JSON data. Both give the same values: dict, list, str, bool, None,
int for integers and Decimal for every other number. Any other file is a text: one string, which is its own value.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pygments.lexers import find_lexer_class_by_name, get_all_lexers

from mkdocs_rulebook.model import Place, Position, Span
from mkdocs_rulebook.pointer import tokens
from mkdocs_rulebook.source import json_text, yaml_text
from mkdocs_rulebook.source.locate import node_at
from mkdocs_rulebook.source.node import Node, find
from mkdocs_rulebook.source.text import MAX_DEPTH, SourceError, Text, is_folder, load, load_text, of_data
from mkdocs_rulebook.source.yaml_text import MAX_ALIASED, Keys

if TYPE_CHECKING:
    from mkdocs_rulebook.model import JSON, Lines

__all__ = [
    "LANGUAGES",
    "MAX_ALIASED",
    "MAX_DEPTH",
    "Folder",
    "Language",
    "Reader",
    "Source",
    "SourceError",
    "is_folder",
    "language_names",
    "language_of",
    "made",
    "read",
    "read_folder",
    "suffix_of",
]

Language = Literal["json", "yaml", "text", "folder"]

LANGUAGES: dict[str, Language] = {".json": "json", ".yaml": "yaml", ".yml": "yaml"}
"""The suffixes of files of data, and what they are written in."""


_SUFFIX = re.compile(r"\*\.[a-z0-9]+")


@dataclass(frozen=True, eq=False)
class Source:
    """A file that was read: its text, its value, and where each node of the value lies in the text.

    `text` has no byte order mark and line feeds only, unless it is that of a text file (see `load_text`); `digest` is
    the SHA-256 of that text, so that a checkout with other line ends has the same. The value of a text is the text.
    Pointers are JSON Pointers (RFC 6901); every method that takes one raises `PointerError` for a text that is none.
    """

    path: Path
    text: str
    value: JSON
    digest: str
    language: Language
    _places: Text = field(repr=False)
    _given_root: Node | None = field(default=None, repr=False)

    @cached_property
    def _root(self) -> Node:
        return self._given_root or json_text.scan(self._places)

    @property
    def is_text(self) -> bool:
        """Whether this is text without nodes, or a folder of it."""
        return self.language in ("text", "folder")

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines, without their line feeds. What follows the last line feed counts if it is not empty."""
        lines = self.text.split("\n")
        return tuple(lines[:-1] if len(lines) > 1 and not lines[-1] else lines)

    @property
    def files(self) -> Mapping[str, str]:
        """The text of each file by its name: for a folder all in it, below the folder; else this one."""
        return {self.path.name: self.text}

    def part(self, pointer: str) -> Source | None:
        """Return the text at a pointer: this one, or the file of a folder; None where there is none."""
        return None if pointer and self.is_text else self

    def span(self, pointer: str) -> Span:
        """Return where a value lies.

        In YAML its tag and anchor belong to it. A value below an alias lies where the anchor is.

        Raises:
            KeyError: the pointer leads nowhere.
        """
        node = self._node(pointer)
        return self._span(node.start, node.end)

    def offsets(self, pointer: str) -> tuple[int, int]:
        """Return where in the text a value begins, and where it has ended: the same as `span`, counted in characters.

        Raises:
            KeyError: the pointer leads nowhere.
        """
        node = self._node(pointer)
        return node.start, node.end

    def key_span(self, pointer: str) -> Span | None:
        """Return where the member name of a value lies; None for the root and for items of arrays.

        Raises:
            KeyError: the pointer leads nowhere.
        """
        name = self._node(pointer).name
        return self._span(*name) if name else None

    def place(self, pointer: str, lines: Lines | None = None) -> Place:
        """Return where a node begins: at its member name if it has one. A missing node is where its parent is.

        In a text the place is the first of the lines, where there are any.
        """
        if lines is not None:
            return Place(self.path, Position(lines[0]))
        node, _ = find(self._root, pointer)
        return self._places.place(node.name[0] if node.name else node.start)

    def pointer_at(self, start: Position, end: Position, *, exact: bool = True) -> str:
        """Return the pointer of the node that a stretch of the text is about, as `locate.node_at` says.

        Raises:
            IndexError: the file does not have that line or column.
        """
        begins, ends = self._places.offset(start), self._places.offset(end)
        return node_at(self._root, self.text, begins, ends, exact=exact)

    def literal(self, pointer: str) -> str:
        """Return a value as spelled in the file.

        Raises:
            KeyError: the pointer leads nowhere.
        """
        node = self._node(pointer)
        return self.text[node.start : node.end]

    def key_literal(self, pointer: str) -> str | None:
        """Return a member name as spelled in the file, with its quotes; None where there is none.

        Raises:
            KeyError: the pointer leads nowhere.
        """
        name = self._node(pointer).name
        return self.text[slice(*name)] if name else None

    def _node(self, pointer: str) -> Node:
        node, exists = find(self._root, pointer)
        if not exists:
            raise KeyError(pointer)
        return node

    def _span(self, start: int, end: int) -> Span:
        return Span(self._places.position(start), self._places.position(end))


@dataclass(frozen=True, eq=False)
class Folder(Source):
    """A folder of texts as one document: its value maps the name of each file to its text."""

    parts: Mapping[str, Source] = field(default_factory=dict)

    @property
    def files(self) -> Mapping[str, str]:
        """The text of each file by its name below the folder."""
        return {name: part.text for name, part in self.parts.items()}

    def part(self, pointer: str) -> Source | None:
        """Return the file that a pointer names; None for the folder itself and where there is none."""
        path = tokens(pointer)
        return self.parts.get(path[0]) if len(path) == 1 else None

    def place(self, pointer: str, lines: Lines | None = None) -> Place:
        """Return the place in the file that a pointer names; the folder itself where it names none."""
        part = self.part(pointer)
        return part.place("", lines) if part else Place(self.path)


@cache
def language_of(name: str, declared: str = "") -> Language:
    """Return how a fixture is read: as it is declared, else as its suffix says; as a text where neither is data."""
    if not declared:
        return LANGUAGES.get(posixpath.splitext(name)[1].lower(), "text")
    return LANGUAGES.get(f".{declared.lower()}", "text")


def suffix_of(language: str) -> str:
    """Return the suffix that the files of a language have, `.txt` for one that Pygments does not know."""
    if f".{language.lower()}" in LANGUAGES:
        return f".{language.lower()}"
    lexer = find_lexer_class_by_name(language) if language.lower() in language_names() else None
    return next((name[1:] for name in lexer.filenames if _SUFFIX.fullmatch(name)), ".txt") if lexer else ".txt"


@cache
def language_names() -> frozenset[str]:
    """Return the names that a fixture's `language` may have: those of Pygments, and those of data."""
    known = (alias.lower() for _, aliases, _, _ in get_all_lexers(plugins=False) for alias in aliases)
    return frozenset([*known, *(suffix[1:] for suffix in LANGUAGES)])


def read(path: Path, *, keys: Keys = "spelled", language: Language | None = None) -> Source:
    """Read a JSON or YAML file, or any file as a text.

    Args:
        path: the file.
        keys: what to do with a YAML member name that is no string, such as `200:`. `spelled` takes it as it is
            spelled, `strings` forbids it.
        language: what it is written in; None where its suffix must say so, and then it has to be JSON or YAML.

    Raises:
        SourceError: the file cannot be read, with the place and the reason.
    """
    path = path.absolute()
    language = language or LANGUAGES.get(path.suffix.lower())
    if language is None:
        found = f"the suffix {path.suffix!r}" if path.suffix else "no suffix"
        raise SourceError(Place(path), f"expected a file that ends in {', '.join(LANGUAGES)}, found {found}")
    return _source(load_text(path) if language == "text" else load(path), language, keys)


def made(path: Path, text: str, language: Language) -> Source:
    """Return what a file would be that has this path and this text; nothing is read or written.

    Raises:
        SourceError: it is not what the language asks for, with the place and the reason.
    """
    return _source(Text(path, text) if language == "text" else of_data(Text(path, text)), language, "spelled")


def _source(text: Text, language: Language, keys: Keys) -> Source:
    value: JSON = text.text
    root: Node | None = Node(0, len(text.text))
    if language == "yaml":
        value, root = yaml_text.parse(text, keys)
    elif language == "json":
        value, root = json_text.parse(text), None
    return Source(text.path, text.text, value, hashlib.sha256(text.text.encode()).hexdigest(), language, text, root)


def read_folder(path: Path, parts: Mapping[str, Source]) -> Folder:
    """Return a folder as one document, made of its files, which were read as texts.

    Its digest is that of the list which `sha256sum` prints for its files, sorted by their names.
    """
    names = sorted(parts)
    digest = hashlib.sha256("".join(f"{parts[name].digest}  {name}\n" for name in names).encode()).hexdigest()
    value = {name: parts[name].text for name in names}
    return Folder(path, "", value, digest, "folder", Text(path, ""), Node(0, 0), {name: parts[name] for name in names})


class Reader:
    """Reads each file once: what is shown is then what was verified, whatever happens to the file in between."""

    def __init__(self) -> None:
        self._known: dict[tuple[Path, Language | None], Source] = {}

    def __call__(self, path: Path, *, keys: Keys = "spelled", language: Language | None = None) -> Source:
        """Read a file as `read` does, unless it was read before.

        Raises:
            SourceError: the file cannot be read, with the place and the reason.
        """
        path = path.absolute()
        wanted = (path, language or LANGUAGES.get(path.suffix.lower()))
        if wanted not in self._known:
            self._known[wanted] = read(path, keys=keys, language=language)
        return self._known[wanted]
