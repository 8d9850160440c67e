"""Checks of content blocks."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_rulebook import Node, Result, finding, inapplicable

from ._document import listed
from ._revisions import revisions, without

KINDS = {"audio": "2025-03-26", "resource_link": "2025-06-18"}
"""The kinds of block that came later than MCP itself, with their first revisions."""

MEMBERS = (
    ("", "/annotations/lastModified", "2025-06-18"),
    ("resource_link", "/icons", "2025-11-25"),
)
"""The members that came later: on which kind of block (empty: on any), where, and with which revision."""


def block_revision(block: Node) -> Iterator[Result]:
    """Find a kind of content block, or a member of one, that a revision in scope does not have."""
    kind = block.child("type") if isinstance(block.value, dict) else None
    if kind is None or not isinstance(kind.value, str) or not revisions(block):
        yield inapplicable(block)
        return
    yield from _since(kind, KINDS.get(kind.value, ""), f"is `{kind.value}`, a kind of content")
    for on, pointer, first in MEMBERS:
        member = block.at(pointer)
        if member is not None and on in ("", kind.value):
            yield from _since(member, first, "is a member")


def _since(node: Node, first: str, what: str) -> Iterator[Result]:
    older = without(node, lambda revision: revision >= first)
    if older:
        yield finding(
            node,
            f"{what} since `{first}`, and is shown for {listed(older)}",
            reason="not-in-revision",
            names=[str(node.value) if node.key == "type" else str(node.key)],
        )
