"""Checks of the results that examples show, whatever primitive they belong to."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_rulebook import Node, Result, finding, inapplicable

from ._document import LATEST, effective_scope, listed


def result_type(result: Node) -> Iterator[Result]:
    """Compare `resultType` with what the revisions that a result applies to ask for."""
    scope = effective_scope(result)
    if scope is None or not isinstance(result.value, dict):
        yield inapplicable(result)
        return
    member = result.child("resultType")
    older = [revision for revision in scope if revision < LATEST]
    if member is None:
        if LATEST in scope:
            yield finding(
                result, f"has no `resultType`, which `{LATEST}` asks for", reason="missing", names=["resultType"]
            )
    elif older:
        yield finding(
            member,
            f"is shown for {listed(older)}, where results have no such member",
            reason="not-in-revision",
            names=["resultType"],
        )
    elif member.value != "complete":
        yield finding(member, "is not `complete`", reason="not-complete", names=["resultType"])
