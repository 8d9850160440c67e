"""Checks of the values that tool examples show against the schemas of their tool."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_rulebook import Node, Result, finding, inapplicable
from mkdocs_rulebook.checks.messages import kind

from ._document import LATEST, ancestor, listed
from ._revisions import before, revisions, since
from .embedded import Judgement, below, common_part, judge
from .tool_schemas import DIALECT_SINCE, is_reference


def input_conforms(value: Node) -> Iterator[Result]:
    """Find example input that the input schema of its tool does not accept."""
    if not isinstance(value.value, dict):
        yield inapplicable(value)  # another rule asks for an object
        return
    yield from _conforms(value, _schema(value, "inputSchema"))


def output_conforms(value: Node) -> Iterator[Result]:
    """Find structured content of a successful result that the output schema of its tool does not accept."""
    if _is_error(value.parent):
        yield inapplicable(value)
        return
    yield from _conforms(value, _schema(value, "outputSchema"))


def structured_content_revision(result: Node) -> Iterator[Result]:
    """Find structured content in revisions that have none, and values that are no objects where they have to be."""
    scope = revisions(result)
    without = scope & before("2025-06-18")
    objects = scope & since("2025-06-18") & before(LATEST)
    value = result.child("structuredContent") if isinstance(result.value, dict) else None
    if not scope or (value is None and not without):
        yield inapplicable(result)
    if value is not None and without:
        yield finding(
            value,
            f"is shown for {listed(without)}, where results have no such member",
            reason="not-in-revision",
            names=["structuredContent"],
        )
    if value is not None and objects and not isinstance(value.value, dict):
        yield finding(
            value, f"is {kind(value.value)}; only objects are allowed in {listed(objects)}", reason="not-object"
        )


def incomplete(value: Node) -> Iterator[Result]:
    """Find example values that can be compared with the schema of their tool in part only."""
    is_input = value.key == "input"
    schema = _schema(value, "inputSchema" if is_input else "outputSchema")
    judgement = _judgement(value, schema) if schema is not None else Judgement(decided=False)
    if (is_input and not isinstance(value.value, dict)) or (_is_error(value.parent) and not is_input):
        yield inapplicable(value)
        return
    without = revisions(value) & before(DIALECT_SINCE)
    if schema is None or not (judgement.decided or without):
        yield inapplicable(value)
        return
    if without:
        yield finding(value, f"is shown for {listed(without)}, where tool schemas have no dialect", reason="no-dialect")
    for target in judgement.gaps:
        yield finding(value, f"depends on `{target}`, which is not fetched", reason="outside-reference")


def _conforms(value: Node, schema: Node | None) -> Iterator[Result]:
    judgement = _judgement(value, schema) if schema is not None else Judgement(decided=False)
    if not judgement.decided:
        yield inapplicable(value)
    for mismatch in judgement.mismatches:
        node = below(value, mismatch.path)
        yield finding(node, mismatch.message, reason=mismatch.reason, names=mismatch.names)


def _judgement(value: Node, schema: Node) -> Judgement:
    """Hold a value against a schema, or against the part of it that has a meaning in all revisions in scope."""
    has_dialect = revisions(value) & since(DIALECT_SINCE)
    return judge(schema.value if has_dialect else common_part(schema.value), value.value)


def _schema(value: Node, member: str) -> Node | None:
    """Return a schema of the tool that a value belongs to; None where there is none to compare with."""
    tool = ancestor(value, 2)
    schema = tool.child(member) if tool is not None else None
    return schema if schema is not None and isinstance(schema.value, dict) and not is_reference(schema) else None


def _is_error(result: Node | None) -> bool:
    flag = result.child("isError") if result is not None else None
    return flag is not None and flag.value is True
