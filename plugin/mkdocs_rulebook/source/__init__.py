"""YAML and JSON files as values with a position for every node. Nothing else of the package parses a file.

JSON is RFC 8259; YAML is YAML 1.2 as far as it is JSON data. Both give the same values: dict, list, str, bool, None,
int for integers and Decimal for every other number.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from mkdocs_rulebook.model import Place, Position, Span
from mkdocs_rulebook.source import json_text, yaml_text
from mkdocs_rulebook.source.locate import node_at
from mkdocs_rulebook.source.node import Node, find
from mkdocs_rulebook.source.text import MAX_DEPTH, SourceError, Text, is_folder, load
from mkdocs_rulebook.source.yaml_text import MAX_ALIASED, Keys

if TYPE_CHECKING:
    from pathlib import Path

    from mkdocs_rulebook.model import JSON

__all__ = ["LANGUAGES", "MAX_ALIASED", "MAX_DEPTH", "Reader", "Source", "SourceError", "is_folder", "read"]

Language = Literal["json", "yaml"]

LANGUAGES: dict[str, Language] = {".json": "json", ".yaml": "yaml", ".yml": "yaml"}
"""The suffixes of files that can be read, and what they are written in."""


@dataclass(frozen=True, eq=False)
class Source:
    """A file that was read: its text, its value, and where each node of the value lies in the text.

    `text` has no byte order mark and line feeds only; `digest` is the SHA-256 of that text, so that a checkout with
    other line ends has the same. Pointers are JSON Pointers (RFC 6901); every method that takes one raises
    `PointerError` for a text that is none.
    """

    path: Path
    text: str
    value: JSON
    digest: str
    language: Language
    _places: Text = field(repr=False)
    _yaml_root: Node | None = field(default=None, repr=False)

    @cached_property
    def _root(self) -> Node:
        return self._yaml_root or json_text.scan(self._places)

    def span(self, pointer: str) -> Span:
        """Return where a value lies.

        In YAML its tag and anchor belong to it. A value below an alias lies where the anchor is.

        Raises:
            KeyError: the pointer leads nowhere.
        """
        node = self._node(pointer)
        return self._span(node.start, node.end)

    def key_span(self, pointer: str) -> Span | None:
        """Return where the member name of a value lies; None for the root and for items of arrays.

        Raises:
            KeyError: the pointer leads nowhere.
        """
        name = self._node(pointer).name
        return self._span(*name) if name else None

    def place(self, pointer: str) -> Place:
        """Return where a node begins: at its member name if it has one. A missing node is where its parent is."""
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


def read(path: Path, *, keys: Keys = "spelled") -> Source:
    """Read a JSON or YAML file.

    Args:
        path: the file; its suffix says what it is written in.
        keys: what to do with a YAML member name that is no string, such as `200:`. `spelled` takes it as it is
            spelled, `strings` forbids it.

    Raises:
        SourceError: the file cannot be read, with the place and the reason.
    """
    path = path.absolute()
    language = LANGUAGES.get(path.suffix.lower())
    if language is None:
        found = f"the suffix {path.suffix!r}" if path.suffix else "no suffix"
        raise SourceError(Place(path), f"expected a file that ends in {', '.join(LANGUAGES)}, found {found}")
    text = load(path)
    value, root = yaml_text.parse(text, keys) if language == "yaml" else (json_text.parse(text), None)
    return Source(path, text.text, value, hashlib.sha256(text.text.encode()).hexdigest(), language, text, root)


class Reader:
    """Reads each file once: what is shown is then what was verified, whatever happens to the file in between."""

    def __init__(self) -> None:
        self._known: dict[Path, Source] = {}

    def __call__(self, path: Path, *, keys: Keys = "spelled") -> Source:
        """Read a file as `read` does, unless it was read before.

        Raises:
            SourceError: the file cannot be read, with the place and the reason.
        """
        path = path.absolute()
        if path not in self._known:
            self._known[path] = read(path, keys=keys)
        return self._known[path]
