"""What a revision of MCP does not have, asked of a place in a document."""

from __future__ import annotations

from collections.abc import Callable

from mkdocs_rulebook import Node

from ._document import effective_scope


def without(node: Node, has: Callable[[str], bool]) -> frozenset[str]:
    """Return the revisions that a node applies to and that lack something; `has` says which have it.

    A component applies to what its users apply to. Where it is defined it is judged on its own, against the
    revisions of the document, and is wrong only if it is wrong in each of them: some user may have narrowed its scope.
    """
    scope = effective_scope(node) or frozenset()
    lacking = frozenset(revision for revision in scope if not has(revision))
    if node.path[:1] == ("components",) and lacking != scope:
        return frozenset()
    return lacking
