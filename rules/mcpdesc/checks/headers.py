"""Checks of the arguments that a tool mirrors into HTTP headers."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_rulebook import Node, Result, finding, inapplicable

from ._document import LATEST, effective_scope

ANNOTATION = "x-mcp-header"

MAPS = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
"""Keywords whose members are schemas under names of the author's choice."""

DATA = frozenset({"default", "const", "enum", "examples"})
"""Keywords whose values are data, whatever they look like."""


def unique(schema: Node) -> Iterator[Result]:
    """Find annotations of an input schema that name a header for the second time, case ignored."""
    scope = effective_scope(schema)
    annotations = [] if scope is not None and LATEST not in scope else list(_annotations(schema))
    if not annotations:
        yield inapplicable(schema)
    first: dict[str, Node] = {}
    for annotation in annotations:
        earlier = first.setdefault(annotation.value.lower(), annotation)
        if earlier is not annotation:
            yield finding(
                annotation,
                f"is `{annotation.value}`, and `{earlier.pointer}` already names the header `{earlier.value}`",
                reason="duplicate",
            )


def _annotations(schema: Node) -> Iterator[Node]:
    """Yield the annotations of a schema and of all schemas in it, in the order of the document."""
    stack = [schema]
    while stack:
        node = stack.pop()
        if node.key == ANNOTATION and isinstance(node.value, str):
            yield node
        below: list[Node] = []
        for child in node.children():
            if child.key in MAPS:
                below.extend(named for named in child.children() if not isinstance(named.value, str))
            elif child.key == ANNOTATION:
                below.extend((child,) if isinstance(child.value, str) else ())
            elif not _is_data(child.key):
                below.append(child)
        stack.extend(reversed(below))


def _is_data(keyword: str | int | None) -> bool:
    return isinstance(keyword, str) and (keyword in DATA or keyword.startswith("x-"))
