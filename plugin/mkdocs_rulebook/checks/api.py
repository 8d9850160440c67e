"""What a Python check is written with: `Document`, `Node`, `finding`, `applied` and `inapplicable`.

A check is a function of one node, or of the whole document, that yields findings::

    from collections.abc import Iterator
    from mkdocs_rulebook import Node, Result, finding

    def base64(node: Node) -> Iterator[Result]:
        if not decodes(node.value):
            yield finding(node, "is not base64", reason="not-base64")

What the rule says under `with` are keyword arguments; `int`, `str`, `bool`, `float`, `None` and `list[…]` of the first
four in the annotations are held against them when the rule file is read::

    def longest(node: Node, limit: int, exempt: list[str] = []) -> Iterator[Result]: ...

The node function is called for each node that the rule selects, and applies to it unless it yields
`inapplicable(node)`. A document function also yields `applied(node)` for each node it judged, so that an example
which the check never looked at cannot pass as valid.

A check of texts (`text: true` in the rule) is called with one node for each text, whose value is the text, and says
on which line of it something is::

    def done(node: Node) -> Iterator[Result]:
        for number, line in node.lines():
            if "TODO" in line:
                yield finding(node, "leaves something to do", line=number, reason="todo")

In a folder it is called for each file; `node.key` is then the name of the file, `node.parent` the whole folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mkdocs_rulebook import pointer as pointers
from mkdocs_rulebook.checks.view import View
from mkdocs_rulebook.model import JSON, Lines


@dataclass(frozen=True)
class Found:
    """A finding as a check yields it: where, in what words, and why in one machine word."""

    node: Node
    message: str
    reason: str = ""
    names: tuple[str, ...] = ()
    lines: Lines | None = None


@dataclass(frozen=True)
class Applied:
    """A check's word that it judged a node, or in a text some lines of it."""

    node: Node
    lines: Lines | None = None


@dataclass(frozen=True)
class Inapplicable:
    """A node check's word that its rule says nothing about the node it was given."""

    node: Node


Result = Found | Applied | Inapplicable


def finding(
    node: Node, message: str, *, reason: str = "", names: Sequence[str] = (), line: int | Lines | None = None
) -> Found:
    """Report that a node breaks the rule.

    Args:
        node: The node that is wrong: choose the deepest one.
        message: What is wrong with it, as the end of a sentence that begins with its name: "is not base64".
        reason: The same in one stable word, for `expect` to pin: "not-base64".
        names: The missing, extra or offending members.
        line: In a text the line, counted from 1, or the first and the last one. Without it, all of the text is meant.
    """
    return Found(node, message, reason, tuple(sorted(names)), _lines(line))


def applied(node: Node, *, line: int | Lines | None = None) -> Applied:
    """Say, in a document check, that a node was judged, whatever came of it.

    Args:
        node: The node.
        line: In a text, the lines that were judged. A check that says so for some has judged no others.
    """
    return Applied(node, _lines(line))


def _lines(line: int | Lines | None) -> Lines | None:
    return (line, line) if isinstance(line, int) else line


def inapplicable(node: Node) -> Inapplicable:
    """Say, in a node check, that the rule says nothing about this node."""
    return Inapplicable(node)


class Document:
    """A document under check, seen through its local references where the rule follows them."""

    def __init__(self, view: View) -> None:
        self._view = view

    @property
    def value(self) -> JSON:
        """The whole value; where the rule follows references, with their targets in place of them."""
        return self._view.value

    @property
    def root(self) -> Node:
        """The top node."""
        return Node(self, (), self._view.value)

    def at(self, pointer: str) -> Node | None:
        """Return the node at a JSON Pointer, or None where there is none."""
        return self.root.at(pointer)

    def select(self, *queries: str) -> list[Node]:
        """Return the nodes that JSONPath queries (RFC 9535) find, each once, in document order of the first query."""
        return [Node(self, path, value) for path, value in self._view.select(queries)]


class Node:
    """A value in a document, with the way to it."""

    __slots__ = ("document", "path", "value")

    def __init__(self, document: Document, path: pointers.Path, value: JSON) -> None:
        self.document = document
        self.path = path
        self.value = value

    def __repr__(self) -> str:
        return f"Node({self.pointer!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and self.path == other.path and self.document is other.document

    def __hash__(self) -> int:
        return hash(self.path)

    @property
    def pointer(self) -> str:
        """The JSON Pointer of the node as the document is seen: through references, where they are followed."""
        return pointers.join(self.path)

    @property
    def key(self) -> str | int | None:
        """The member name or index under which the node stands; None for the top node."""
        return self.path[-1] if self.path else None

    @property
    def parent(self) -> Node | None:
        """The node around this one; None for the top node."""
        if not self.path:
            return None
        return self.document.root.at(pointers.join(self.path[:-1]))

    def at(self, pointer: str) -> Node | None:
        """Return the node at a JSON Pointer relative to this one, or None where there is none."""
        node: Node | None = self
        for token in pointers.tokens(pointer):
            node = node.child(token) if node is not None else None
        return node

    def child(self, key: str | int) -> Node | None:
        """Return the member or item of that name or index, or None."""
        found = pointers.step(self.value, key)
        return None if found is None else Node(self.document, (*self.path, found[0]), found[1])

    def children(self) -> Iterator[Node]:
        """Yield all members or items, in the order of the document; nothing for a scalar."""
        if isinstance(self.value, dict):
            for name, value in self.value.items():
                yield Node(self.document, (*self.path, name), value)
        elif isinstance(self.value, list):
            for index, value in enumerate(self.value):
                yield Node(self.document, (*self.path, index), value)

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield the lines of a text with their numbers, counted from 1 and without their line feeds.

        Nothing but a line feed ends a line, so that everybody counts alike.
        """
        lines = str(self.value).split("\n")
        yield from enumerate(lines[:-1] if len(lines) > 1 and not lines[-1] else lines, 1)

    def walk(self) -> Iterator[Node]:
        """Yield this node and all nodes below it, in the order of the document."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(list(node.children())))
