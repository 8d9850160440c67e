"""Checks of the input and output schemas of tools."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_rulebook import Node, Result, finding, inapplicable
from mkdocs_rulebook.checks.messages import shown

from ._document import LATEST, listed
from ._revisions import before, outside, revisions, since
from ._vocabulary import MISSING, NO_SCHEMA, OUTSIDE
from .embedded import below, dialect, faults, references

DIALECT_SINCE = "2025-11-25"
"""The revision from which on MCP says in which dialect of JSON Schema a tool schema is written."""


def object_root(schema: Node) -> Iterator[Result]:
    """Find an output schema for older revisions whose root does not say that it describes an object."""
    older = revisions(schema) & before(LATEST)
    if not older or is_reference(schema):
        yield inapplicable(schema)
        return
    kind = schema.child("type") if isinstance(schema.value, dict) else None
    words = f"an output schema for {listed(older)} has the type `object`"
    if kind is None:
        yield finding(schema, f"does not say its type; {words}", reason="missing", names=["type"])
    elif kind.value != "object":
        yield finding(kind, f"is {shown(kind.value)}; {words}", reason="not-object", names=["type"])


def valid(schema: Node) -> Iterator[Result]:
    """Find faults of a schema by the metaschema of its dialect, and references that find nothing in it."""
    if not _has_dialect(schema):
        yield inapplicable(schema)
        return
    if not isinstance(schema.value, dict):
        yield finding(schema, "is not an object, so it is no schema of a tool", reason="not-object")
        return
    found = faults(schema.value)
    for fault in found:
        yield finding(below(schema, fault.path), fault.message, reason=fault.reason)
    if found:
        return
    for reference, state in references(schema):
        if state == MISSING:
            yield finding(reference, f"points to `{reference.value}`, which is not in the schema", reason="no-target")
        elif state == NO_SCHEMA:
            yield finding(
                reference, f"points to `{reference.value}`, which is no valid schema", reason="target-no-schema"
            )


def external_reference(schema: Node) -> Iterator[Result]:
    """Find references that lead out of a schema."""
    if not _has_dialect(schema) or not isinstance(schema.value, dict) or faults(schema.value):
        yield inapplicable(schema)
        return
    for reference, state in references(schema):
        if state == OUTSIDE:
            yield finding(
                reference, f"points to `{reference.value}`, outside the schema; it is not fetched", reason="outside"
            )


def dialect_keyword(schema: Node) -> Iterator[Result]:
    """Find a dialect that is named for revisions that do not know the keyword."""
    older = outside(schema, since(DIALECT_SINCE))
    keyword = schema.child("$schema") if isinstance(schema.value, dict) else None
    if keyword is None:
        if not older or is_reference(schema):
            yield inapplicable(schema)
    elif older:
        yield finding(
            keyword,
            f"is there for {listed(older)}, where tool schemas have no dialect",
            reason="not-in-revision",
            names=["$schema"],
        )


def legacy_shape(schema: Node) -> Iterator[Result]:
    """Find members of a schema without a dialect that do not have the shape that MCP gives them."""
    if not outside(schema, since(DIALECT_SINCE)) or not isinstance(schema.value, dict) or is_reference(schema):
        yield inapplicable(schema)
        return
    properties = schema.child("properties")
    if properties is not None and not isinstance(properties.value, dict):
        yield finding(properties, "is not an object", reason="properties-not-object")
    elif properties is not None:
        for declared in properties.children():
            if not isinstance(declared.value, dict):
                yield finding(declared, "is not an object", reason="property-not-object", names=[str(declared.key)])
    required = schema.child("required")
    if required is not None and not isinstance(required.value, list):
        yield finding(required, "is not a list", reason="required-not-list")
    elif required is not None:
        for name in required.children():
            if not isinstance(name.value, str):
                yield finding(name, "is not a string", reason="required-not-string")


def execution(member: Node) -> Iterator[Result]:
    """Find an execution object on a tool for revisions other than the one that knows it."""
    others = outside(member, ["2025-11-25"])
    if others:
        yield finding(
            member, f"is there for {listed(others)}, where tools have no such member", reason="not-in-revision"
        )


def is_reference(schema: Node) -> bool:
    """Whether a schema is a reference to a component that was not found."""
    return isinstance(schema.value, dict) and "$componentRef" in schema.value


def _has_dialect(schema: Node) -> bool:
    in_scope = revisions(schema) & since(DIALECT_SINCE)
    return bool(in_scope) and not is_reference(schema) and dialect(schema.value) is not None
