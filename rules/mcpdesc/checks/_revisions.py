"""Which of the known revisions of MCP a node applies to."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from mkdocs_rulebook import Node

from ._document import LATEST, effective_scope

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", LATEST)
"""The revisions that the format knows, in order."""


def revisions(node: Node) -> frozenset[str]:
    """Return the known revisions that a node applies to; none where the document does not say."""
    return frozenset(REVISIONS).intersection(effective_scope(node) or ())


def before(revision: str) -> frozenset[str]:
    """Return the known revisions that are older than one."""
    return frozenset(REVISIONS[: REVISIONS.index(revision)])


def since(revision: str) -> frozenset[str]:
    """Return a known revision and those that came after it."""
    return frozenset(REVISIONS[REVISIONS.index(revision) :])


def outside(node: Node, allowed: Iterable[str]) -> frozenset[str]:
    """Return the known revisions that a node applies to and that are not among those allowed."""
    return revisions(node).difference(allowed)


def without(node: Node, has: Callable[[str], bool]) -> frozenset[str]:
    """Return the known revisions that a node applies to and that lack something; `has` says which have it.

    A component applies to what its users apply to. Where it is defined it is judged on its own, against the
    revisions of the document, and is wrong only if it is wrong in each of them: some user may have narrowed its scope.
    """
    scope = revisions(node)
    lacking = frozenset(revision for revision in scope if not has(revision))
    if node.path[:1] == ("components",) and lacking != scope:
        return frozenset()
    return lacking
