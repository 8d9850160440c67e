"""Where a finding of an external engine lies: from what it says to a node of the document, or to lines of a text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

import jsonpath

from mkdocs_rulebook import pointer as pointers
from mkdocs_rulebook.checks.messages import names_in_words, place_in_words
from mkdocs_rulebook.checks.query import compile_query
from mkdocs_rulebook.checks.reported import Region, Reported, excerpt
from mkdocs_rulebook.checks.view import reference
from mkdocs_rulebook.model import JSON, Lines, Position, Span
from mkdocs_rulebook.source import Source
from mkdocs_rulebook.source.locate import code_points

_MARGIN = re.compile(r"\s*(?:-\s+)*")
"""What a line begins with before it says something: blanks, and the dashes of YAML items."""


class PlaceError(ValueError):
    """An engine names a place that the file does not have; the message is the end of a sentence about the engine."""


@dataclass(frozen=True)
class Placed:
    """A finding of an engine at a node, or why there is none: `fault` is the end of a sentence about the engine."""

    code: str
    message: str
    pointer: str = ""
    lines: Lines | None = None
    fault: str = ""


def placed(found: Reported, source: Source, name: str) -> Placed:
    """Return where a finding lies.

    What the engine says about the structure counts more than a line and a column; without either the finding is about
    the whole document.

    Args:
        found: The finding.
        source: The file that it is about.
        name: What the file is called in messages.
    """
    try:
        span = _span(found.region, source) if found.region else None
        if source.language not in ("json", "yaml"):
            return Placed(found.code, found.message, lines=_lines(span) if span else None)
        if found.pointer is not None:
            return Placed(found.code, found.message, _pointer(found.pointer, source.value))
        if span is None or found.region is None:
            return Placed(found.code, found.message)
        exact = found.region.column is not None
        return Placed(found.code, found.message, source.pointer_at(span.start, span.end, exact=exact))
    except PlaceError as error:
        return Placed(found.code, found.message, fault=f"reports `{found.code}` at {error} of `{name}`")


def _lines(span: Span) -> Lines:
    """Return the lines of a span; one that ends before the first character of a line has nothing of it."""
    before = span.end.column == 1 and span.end.line > span.start.line
    return span.start.line, span.end.line - before


def _pointer(said: JSON, value: JSON) -> str:
    """Return the JSON Pointer for a list of keys, a JSON Pointer (also as a URI fragment) or a JSONPath."""
    if isinstance(said, list):
        pointer = pointers.join(said)
    elif isinstance(said, str) and said.startswith("$"):
        return _query(said, value)
    elif isinstance(said, str):
        pointer = unquote(said[1:]) if said.startswith("#") else said
    else:
        raise PlaceError(f"{excerpt(json.dumps(said))}, which is neither a path nor a pointer,")
    try:
        exists, deepest, _ = pointers.resolve(value, pointer)
    except pointers.PointerError:
        raise PlaceError(f"`{said}`, which is neither a path nor a pointer,") from None
    if not exists:
        near = pointers.near(value, pointer)[1]
        hint = f", nearest: {names_in_words(near, 'or')}" if near else ""
        raise PlaceError(f"`{pointer}`, which does not exist (only {place_in_words(deepest)} does{hint}),")
    return pointer


def _query(query: str, value: JSON) -> str:
    try:
        found = list(compile_query(query).finditer(value))
    except (jsonpath.JSONPathError, RecursionError):
        raise PlaceError(f"`{query}`, which is no JSONPath (RFC 9535),") from None
    if len(found) != 1:
        raise PlaceError(f"`{query}`, which is {len(found)} nodes, not one,")
    return pointers.join(found[0].parts)


def _span(region: Region, source: Source) -> Span:
    lines = source.text.split("\n")
    start = _position(region, lines, region.line, region.column)
    text = lines[start.line - 1]
    if region.column is None:
        start = Position(start.line, len(_MARGIN.match(text)[0]) + 1)  # type: ignore[index]  # it matches nothing too
    if region.end_line is None and region.column is not None:
        return Span(start, start)
    end_line = region.line if region.end_line is None else region.end_line
    if end_line == len(lines) + 1 and region.end_column in (None, 1):
        end_line, last = len(lines), None  # the line after the last: some engines end there
    else:
        last = region.end_column
    if last is None:
        _position(region, lines, end_line, None)
        end = Position(end_line, len(lines[end_line - 1]) + 1)
    else:
        end = _position(region, lines, end_line, last)
    if end < start and (region.end_line is not None or region.end_column is not None):
        raise PlaceError(f"a region that ends before it begins, on line {start.line},")
    return Span(start, max(start, end))


def _position(region: Region, lines: list[str], line: int, column: int | None) -> Position:
    if not 1 <= line <= len(lines):
        raise PlaceError(f"line {line}, which does not exist (the last is {len(lines)}),")
    if column is None:
        return Position(line, 1)
    before = code_points(lines[line - 1], column - 1, region.columns) if column > 0 else None
    if before is None:
        raise PlaceError(f"column {column} of line {line}, which is not that long,")
    return Position(line, before + 1)


def uses(value: JSON, member: str, target: str) -> list[str]:
    """Return the places of use of a node: the reference objects that lead to it or to something around it.

    References within a target that is used itself count for the places where that one is used.

    Args:
        value: The document.
        member: The name of the reference member.
        target: The JSON Pointer of the node.
    """
    references = list(_references(value, member))
    found: dict[str, None] = {}
    todo, seen = [target], {target}
    while todo:
        node = todo.pop()
        for place, leads_to in references:
            if pointers.inside(node, leads_to) and place not in seen and not pointers.inside(place, leads_to):
                seen.add(place)
                found[place] = None
                todo.append(place)
    return sorted(found)


def _references(value: JSON, member: str, pointer: str = "") -> Iterator[tuple[str, str]]:
    target = reference(value, member)
    if target is not None:
        yield pointer, target
    for key, child in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        if isinstance(child, dict | list):
            yield from _references(child, member, pointers.append(pointer, key))
