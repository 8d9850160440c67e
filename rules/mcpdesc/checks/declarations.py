"""Checks of the members of a declaration against the revisions that it applies to."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_rulebook import Node, Result, finding, inapplicable

from ._document import before, effective_scope, listed

SINCE = {
    "annotations": "2025-03-26",
    "completions": "2025-03-26",
    "title": "2025-06-18",
    "outputSchema": "2025-06-18",
    "_meta": "2025-06-18",
    "icons": "2025-11-25",
}
"""The revision that brought a member. Annotations of resources are older, and not selected."""

LAST_MODIFIED_SINCE = "2025-06-18"


def member_revision(member: Node) -> Iterator[Result]:
    """Find a member in a declaration that applies to a revision without that member."""
    name = member.key
    since = SINCE.get(name) if isinstance(name, str) else None
    if since is None or effective_scope(member) is None:
        yield inapplicable(member)
        return
    older = before(member, since)
    if older:
        yield finding(
            member,
            f"came with `{since}`, and the declaration applies to {listed(older)}",
            reason="not-in-revision",
            names=[str(name)],
        )


def last_modified_revision(modified: Node) -> Iterator[Result]:
    """Find the date of a last change in annotations that apply to a revision without such dates."""
    older = before(modified, LAST_MODIFIED_SINCE)
    if older:
        yield finding(
            modified,
            f"came with `{LAST_MODIFIED_SINCE}`, and the declaration applies to {listed(older)}",
            reason="not-in-revision",
            names=["lastModified"],
        )
