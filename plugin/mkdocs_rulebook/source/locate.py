"""From a stretch of a text back to the node that lies there, and from foreign columns to code points."""

from __future__ import annotations

from mkdocs_rulebook.model import Columns
from mkdocs_rulebook.pointer import join
from mkdocs_rulebook.source.node import Node

_Way = tuple[str | int, ...]


def node_at(root: Node, text: str, start: int, end: int, *, exact: bool = True) -> str:
    """Return the JSON Pointer of the node that a stretch of the text is about.

    A stretch that is exactly a value, or begins between a name and its value, is about that value, if it is meant to be
    `exact`: some engines take the end of a name for the start of a value, and few agree where one ends. Any other is
    about the smallest node that holds all of it, where the name of a member is part of it: so a name, a line, and a
    single place find their member.

    Args:
        root: The top node.
        text: The text of the file.
        start: Where the stretch begins; blanks, line ends and commas at both of its ends do not count.
        end: Where it ends, exclusive; equal to `start` for a single place.
        exact: Whether it was chosen by characters; a line may be exactly a mapping, and yet be about its only member.
    """
    given = start if exact else -1
    start, end = _trimmed(text, start, end)
    best: tuple[int, _Way] = (len(text) + 1, ())
    seen: set[int] = set()
    todo: list[tuple[_Way, Node]] = [((), root)]
    while todo:
        way, node = todo.pop()
        if id(node) in seen:
            continue  # an alias or a merged member: it lies where its anchor is, and was met there
        seen.add(id(node))
        if node.name and node.name[1] <= given < node.start:
            return join(way)
        if exact and start < end and _trimmed(text, node.start, node.end) == (start, end):
            return join(way)
        first = node.name[0] if node.name else node.start
        if first <= start and end <= node.end and node.end - first <= best[0]:
            best = (node.end - first, way)
        inside = node.inside.items() if isinstance(node.inside, dict) else enumerate(node.inside or ())
        todo.extend(reversed([((*way, key), child) for key, child in inside]))
    return join(best[1])


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    if start >= end:
        return start, start
    while start < end and text[start] in " \t\n":
        start += 1
    while start < end and text[end - 1] in " \t\n,":
        end -= 1
    return start, end


def code_points(line: str, units: int, columns: Columns) -> int | None:
    """Return how many code points of a line take up a number of units; None where the line is not that long.

    A number that ends in the middle of a character counts it.
    """
    if columns == Columns.CODE_POINTS:
        return units if units <= len(line) else None
    used = 0
    for count, char in enumerate(line):
        if used >= units:
            return count
        used += len(char.encode("utf-8")) if columns == Columns.UTF8 else 1 + (char > "\uffff")
    return len(line) if used >= units else None
