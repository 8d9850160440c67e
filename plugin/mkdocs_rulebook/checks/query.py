"""JSONPath queries (RFC 9535, strict) on a value.

The `python-jsonpath` library reads queries and decides filters, slices and descent. The names, indexes and wildcards
that most queries begin with are walked here: a catalogue asks each of its queries of each of its fixtures, mostly in
vain, and the library makes an object with a path in words for every node on the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import jsonpath
from jsonpath.match import JSONPathMatch
from jsonpath.segments import JSONPathChildSegment, JSONPathSegment
from jsonpath.selectors import IndexSelector, NameSelector, WildcardSelector

from mkdocs_rulebook.model import JSON
from mkdocs_rulebook.pointer import Path


class _Environment(jsonpath.JSONPathEnvironment):
    """Follows `..` as deep as a file may nest, also where references are followed."""

    max_recursion_depth = 1000


_ENVIRONMENT = _Environment(strict=True)

Found = list[tuple[Path, JSON]]
Step = tuple[str | int | None, ...]
"""What a segment takes of a node: members by name, items by index, None for all of them."""


@lru_cache(maxsize=4096)
def compile_query(query: str) -> jsonpath.JSONPath:
    """Compile a JSONPath query (RFC 9535, strict).

    Raises:
        jsonpath.JSONPathError: it is not well-formed.
    """
    compiled = _ENVIRONMENT.compile(query)
    assert isinstance(compiled, jsonpath.JSONPath)  # strict queries have no set operators
    return compiled


def query_error(error: Exception) -> str:
    """Say in one line why a query cannot be compiled or evaluated."""
    try:
        text = str(error)
    except ValueError:  # the library looks for the place of the error, and an empty query has none
        return "it is empty"
    return text.splitlines()[0] if text else "it nests too deep"


@dataclass(frozen=True)
class Plan:
    """A query as steps that are walked here, and the segments after them that the library decides."""

    steps: tuple[Step, ...]
    rest: Sequence[JSONPathSegment]


@lru_cache(maxsize=4096)
def plan(query: str) -> Plan:
    """Divide a query into what is walked here and what the library decides.

    Raises:
        jsonpath.JSONPathError: it is not well-formed.
    """
    segments = compile_query(query).segments
    steps: list[Step] = []
    for segment in segments:
        step = _step(segment)
        if step is None:
            break
        steps.append(step)
    return Plan(tuple(steps), tuple(segments[len(steps) :]))


def _step(segment: JSONPathSegment) -> Step | None:
    parts: list[str | int | None] = []
    for selector in segment.selectors if isinstance(segment, JSONPathChildSegment) else (None,):
        match selector:
            case NameSelector():
                parts.append(selector.name)
            case IndexSelector():
                parts.append(selector.index)
            case WildcardSelector():
                parts.append(None)
            case _:
                return None
    return tuple(parts)


class Queries:
    """Asks queries of one value; what several of them have in common is walked once."""

    def __init__(self, value: JSON) -> None:
        self._value = value
        self._walked: dict[tuple[Step, ...], Found] = {(): [((), value)]}
        self._found: dict[str, Found] = {}

    def find(self, query: str) -> Found:
        """Return path and value of each node that a query finds, in its order.

        Raises:
            jsonpath.JSONPathError: it is not well-formed, or cannot be evaluated.
        """
        found = self._found.get(query)
        if found is None:
            planned = plan(query)
            nodes = self._walk(planned.steps)
            found = self._found[query] = self._decided(planned.rest, nodes) if planned.rest and nodes else nodes
        return found

    def _walk(self, steps: tuple[Step, ...]) -> Found:
        found = self._walked.get(steps)
        if found is None:
            before = self._walk(steps[:-1])
            found = self._walked[steps] = [child for node in before for child in _children(node, steps[-1])]
        return found

    def _decided(self, segments: Sequence[JSONPathSegment], nodes: Found) -> Found:
        matches: Iterator[JSONPathMatch] = (
            JSONPathMatch(filter_context={}, obj=value, parent=None, path="", parts=path, root=self._value)
            for path, value in nodes
        )
        for segment in segments:
            matches = iter(segment.resolve(matches))
        return [(match.parts, match.obj) for match in matches]


def _children(node: tuple[Path, JSON], step: Step) -> Iterator[tuple[Path, JSON]]:
    path, value = node
    if isinstance(value, dict):
        for part in step:
            if part is None:
                for name, member in value.items():
                    yield (*path, name), member
            elif part in value and isinstance(part, str):
                yield (*path, part), value[part]
    elif isinstance(value, list):
        for part in step:
            if part is None:
                for index, item in enumerate(value):
                    yield (*path, index), item
            elif isinstance(part, int) and -len(value) <= part < len(value):
                yield (*path, part % len(value)), value[part]
