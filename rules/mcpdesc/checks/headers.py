"""Checks of the arguments that a tool mirrors into HTTP headers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mkdocs_rulebook import Node, Result, applied, finding, inapplicable
from mkdocs_rulebook.checks.messages import shown

from ._document import LATEST, effective_scope, listed
from ._revisions import outside

ANNOTATION = "x-mcp-header"

MAPS = frozenset(
    {"properties", "patternProperties", "$defs", "definitions"}
    | {"dependencies", "dependentRequired", "dependentSchemas"}
)
"""Keywords whose members are schemas under names of the author's choice."""

TYPES = ("string", "integer", "boolean")
"""The types of a property that a header can carry."""

TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""A token by RFC 9110, Section 5.6.2: what a field name is made of."""

DATA = frozenset({"default", "const", "enum", "examples"})
"""Keywords whose values are data, whatever they look like."""


def unique(schema: Node) -> Iterator[Result]:
    """Find annotations of an input schema that name a header for the second time, case ignored."""
    annotations = [node for node in _annotations_for_latest(schema) if isinstance(node.value, str)]
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


def revision(schema: Node) -> Iterator[Result]:
    """Find annotations for revisions that do not know them."""
    older = outside(schema, [LATEST])
    if not older:
        yield inapplicable(schema)
    for annotation in _annotations(schema):
        yield applied(annotation)
        if older:
            yield finding(
                annotation,
                f"is there for {listed(older)}, where arguments travel in no header",
                reason="not-in-revision",
                names=[ANNOTATION],
            )


def token(schema: Node) -> Iterator[Result]:
    """Find annotations whose value cannot be part of a field name."""
    yield inapplicable(schema)
    for annotation in _annotations_for_latest(schema):
        yield applied(annotation)
        if not isinstance(annotation.value, str):
            yield finding(annotation, "is not a string", reason="not-string")
        elif not annotation.value:
            yield finding(annotation, "is empty", reason="empty")
        elif not TOKEN.fullmatch(annotation.value):
            wrong = sorted({letter for letter in annotation.value if not TOKEN.fullmatch(letter)})
            yield finding(
                annotation,
                f"is `{annotation.value}`, and a field name has no {', '.join(map(_letter, wrong))}",
                reason="not-token",
            )


def property_type(schema: Node) -> Iterator[Result]:
    """Find annotated properties that are not of one of the types that a header can carry."""
    yield inapplicable(schema)
    for annotation in _annotations_for_latest(schema):
        annotated = annotation.parent
        if annotated is None or annotated.path == schema.path:
            continue  # the top of the schema is no property: that is a matter of placement
        yield applied(annotated)
        kind = annotated.child("type")
        if kind is None:
            yield finding(annotated, "does not say its type", reason="missing", names=["type"])
        elif kind.value not in TYPES:
            yield finding(
                kind, f"is {shown(kind.value)}, not `string`, `integer` or `boolean`", reason="type", names=["type"]
            )


def placement(schema: Node) -> Iterator[Result]:
    """Find annotations to which something else than properties leads."""
    yield inapplicable(schema)
    for annotation in _annotations_for_latest(schema):
        yield applied(annotation)
        way = annotation.path[len(schema.path) : -1]
        if not way:
            yield finding(annotation, "is at the top of the schema, which is no property", reason="at-root")
        elif any(keyword != "properties" for keyword in way[::2]) or len(way) % 2:
            through = next((str(keyword) for keyword in way[::2] if keyword != "properties"), "properties")
            yield finding(annotation, f"is reached through `{through}`", reason="not-through-properties")


def _annotations_for_latest(schema: Node) -> Iterator[Node]:
    """Yield the annotations of a schema that applies to the revision which gives them a meaning."""
    scope = effective_scope(schema)
    if scope is None or LATEST in scope:
        yield from _annotations(schema)


def _annotations(schema: Node) -> Iterator[Node]:
    """Yield the annotations of a schema and of all schemas in it, in the order of the document."""
    stack = [(schema, True)]
    while stack:
        node, is_schema = stack.pop()
        if not is_schema:
            yield node
            continue
        below: list[tuple[Node, bool]] = []
        for child in node.children():
            if isinstance(node.value, dict) and child.key == ANNOTATION:
                below.append((child, False))
            elif child.key in MAPS and isinstance(child.value, dict):
                below.extend((named, True) for named in child.children())
            elif not _is_data(child.key):
                below.append((child, True))
        stack.extend(reversed(below))


def _letter(letter: str) -> str:
    return "space" if letter == " " else f"`{letter}`"


def _is_data(keyword: str | int | None) -> bool:
    return isinstance(keyword, str) and (keyword in DATA or keyword.startswith("x-"))
