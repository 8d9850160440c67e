"""A document as a rule sees it: with its local references followed, or as it is written.

A reference is an object whose reference member (`$componentRef`, say) is a string of the form `#/a/b`. In the
view its target stands in its place. Every node of the view is still known by two pointers into the file: the
deepest node that exists at the place of use, and the physical node that it really is.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from mkdocs_rulebook import pointer as pointers
from mkdocs_rulebook.checks.query import Queries
from mkdocs_rulebook.model import JSON
from mkdocs_rulebook.source.number import exponent

MAX_ADDED = 200_000
"""How many nodes all references of a document may add together. With more it is refused, not judged for hours."""


class ViewError(ValueError):
    """A document cannot be seen through its references; the message says why."""


class View:
    """A value whose nodes know where they lie in the file.

    Args:
        raw: The value as it stands in the file.
        references: The name of the reference member; empty to follow none.
    """

    def __init__(self, raw: JSON, references: str = "") -> None:
        self.raw = raw
        self.references = references
        self._queries: Queries | None = None

    @property
    def value(self) -> JSON:
        """The value with every reference that has a target replaced by it; a circular one stays as it is.

        Raises:
            ViewError: the references multiply to more nodes than can be judged, or nest too deep.
        """
        value, reason = self._expanded
        if reason:
            raise ViewError(reason)
        return value

    @cached_property
    def _expanded(self) -> tuple[JSON, str]:
        """The value, or why there is none: a document that cannot be seen is tried once, not once for each rule."""
        if self._written:
            return self.raw, ""
        try:
            return _Expansion(self.raw, self.references).value(), ""
        except RecursionError:
            return None, "the document nests too deep for its references to be followed"
        except ViewError as error:
            return None, str(error)

    @cached_property
    def exponent(self) -> int:
        """The largest exponent of a number in the document, with or without its sign."""
        return exponent(self.raw)

    def select(self, queries: Iterable[str]) -> list[tuple[pointers.Path, JSON]]:
        """Return path and value of each node that the queries find; a node found twice counts once."""
        asked = self._queries = self._queries or Queries(self.value)
        found: dict[pointers.Path, JSON] = {}
        for query in queries:
            found.update(asked.find(query))
        return list(found.items())

    def locate(self, path: pointers.Path) -> tuple[str, str]:
        """Return, for a path in the view, the pointer at the place of use and the pointer of the physical node."""
        if self._written and _exists(self.raw, path):
            return (pointers.join(path),) * 2
        node, physical, use = self.raw, list[str | int](), None
        for part in path:
            use, node, physical = self._follow(use, node, physical)
            found = pointers.step(node, part)
            if found is None:
                break
            physical = [*physical, found[0]]
            node = found[1]
        target = pointers.join(physical)
        return (target if use is None else use), target

    @cached_property
    def _written(self) -> bool:
        """Whether the document is seen as it is written: it holds no reference that is followed."""
        return not self.references or not _mentions(self.raw, self.references)

    def _follow(
        self, use: str | None, node: JSON, physical: list[str | int]
    ) -> tuple[str | None, JSON, list[str | int]]:
        seen = set()
        while (target := reference(node, self.references)) is not None and target not in seen:
            exists, pointer, value = pointers.resolve(self.raw, target)
            if not exists:
                break
            seen.add(target)
            use = pointers.join(physical) if use is None else use
            node, physical = value, list(_path_of(self.raw, pointer))
        return use, node, physical


def reference(node: JSON, member: str) -> str | None:
    """Return the JSON Pointer that a reference object holds, or None where the node is no local reference."""
    if not member or not isinstance(node, dict):
        return None
    target = node.get(member)
    if not isinstance(target, str) or not target.startswith("#/"):
        return None
    try:
        pointers.tokens(target[1:])
    except pointers.PointerError:
        return None
    return target[1:]


def _exists(value: JSON, path: pointers.Path) -> bool:
    try:
        for part in path:
            value = value[part]
    except (KeyError, IndexError, TypeError):
        return False
    return True


def _path_of(value: JSON, pointer: str) -> Iterable[str | int]:
    for token in pointers.tokens(pointer):
        found = pointers.step(value, token)
        assert found is not None  # the pointer was resolved before
        yield found[0]
        value = found[1]


def _mentions(value: JSON, member: str) -> bool:
    stack = [value]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            if member in node:
                return True
            stack.extend(node.values())
        elif isinstance(node, list):
            stack.extend(node)
    return False


class _Expansion:
    """One walk that puts targets in place of references; each target is expanded once and shared."""

    def __init__(self, raw: JSON, member: str) -> None:
        self.raw = raw
        self.member = member
        self.done: dict[str, tuple[JSON, int]] = {}
        self.open: set[str] = set()
        self.added = 0

    def value(self) -> JSON:
        return self._expand(self.raw)

    def _expand(self, node: JSON) -> JSON:
        if self.open:
            self._add(1)
        target = reference(node, self.member)
        if target is not None:
            exists, _, value = (False, "", None) if target in self.open else pointers.resolve(self.raw, target)
            return self._target(target, value) if exists else node
        # What holds no reference stays the same object: it is known by it where it was judged before.
        if isinstance(node, dict):
            members = {name: self._expand(value) for name, value in node.items()}
            return members if any(members[name] is not value for name, value in node.items()) else node
        if isinstance(node, list):
            items = [self._expand(value) for value in node]
            return items if any(new is not old for new, old in zip(items, node, strict=True)) else node
        return node

    def _target(self, target: str, value: JSON) -> JSON:
        if target in self.done:
            expanded, size = self.done[target]
            self._add(size)
            return expanded
        before = self.added
        self.open.add(target)
        expanded = self._expand(value)
        self.open.discard(target)
        if not self.open:
            # Inside another target a circular reference may have been left standing: not to be shared.
            self.done[target] = expanded, self.added - before
        return expanded

    def _add(self, count: int) -> None:
        self.added += count
        if self.added > MAX_ADDED:
            raise ViewError(f"its references add more than {MAX_ADDED:,} nodes")
