"""What several checks ask of an MCP Description: scopes, and where the parts of a document lie.

Nothing here takes the shape of a document for granted: a part that is missing or of the wrong type is answered with
None or with nothing, so that a check says nothing about it instead of failing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from mkdocs_rulebook import Node

PRIMITIVES = ("tools", "resources", "resourceTemplates", "prompts")
"""The root members that hold primitives."""

SCOPED = ("transports", "capabilities", *PRIMITIVES)
"""The root members whose entries may have a scope of their own."""

SCOPE = "protocolVersions"
"""The member that holds a scope."""

LATEST = "2026-07-28"
"""The latest revision of MCP that the format knows."""

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", LATEST)
"""The revisions of MCP that the format knows, from the oldest on."""


def own_scope(declaration: Node) -> frozenset[str] | None:
    """Return the revisions that a declaration lists itself; None where it has no usable list."""
    scope = declaration.child(SCOPE)
    if scope is None or not isinstance(scope.value, list):
        return None
    return frozenset(revision for revision in scope.value if isinstance(revision, str)) or None


def effective_scope(node: Node) -> frozenset[str] | None:
    """Return the revisions that a node applies to: the list of the innermost declaration around it that has one.

    Declarations are the document, the entries of its collections, and the elicitations of a primitive. None means
    that not even the document has a usable list.
    """
    for declaration in declarations(node):
        scope = own_scope(declaration)
        if scope is not None:
            return scope
    return None


def before(node: Node, first: str) -> list[str]:
    """Return the known revisions older than `first` that a node applies to, from the oldest on."""
    scope = effective_scope(node) or frozenset()
    return [revision for revision in REVISIONS if revision < first and revision in scope]


def after(node: Node, last: str) -> list[str]:
    """Return the known revisions later than `last` that a node applies to, from the oldest on."""
    scope = effective_scope(node) or frozenset()
    return [revision for revision in REVISIONS if revision > last and revision in scope]


def declarations(node: Node) -> Iterator[Node]:
    """Yield the declarations that a node lies in or is, from the innermost one to the document."""
    path = node.path
    depths = [0]
    if len(path) >= 2 and path[0] in SCOPED:
        depths.append(2)
        if len(path) >= 4 and path[0] in PRIMITIVES and path[2] == "elicitations":
            depths.append(4)
    for depth in reversed(depths):
        declaration = ancestor(node, depth)
        if declaration is not None:
            yield declaration


def ancestor(node: Node, depth: int) -> Node | None:
    """Return the node at the first `depth` steps of the way to a node."""
    found: Node | None = node.document.root
    for step in node.path[:depth]:
        found = found.child(step) if found is not None else None
    return found


def listed(revisions: Iterable[str]) -> str:
    """Return revisions in order, as words for a message."""
    return _enumerated(sorted(revisions))


def text(node: Node | None, member: str) -> str | None:
    """Return a member that is a string; None where it is anything else or not there."""
    found = node.child(member) if node is not None else None
    return found.value if found is not None and isinstance(found.value, str) else None


def in_words(names: Iterable[str]) -> str:
    """Return names in order, as words for a message; "none" where there are none."""
    return _enumerated(sorted(names)) or "none"


def there_are(names: Collection[str]) -> str:
    """Say which names there are."""
    return f"there {'are' if len(names) > 1 else 'is'} {in_words(names)}"


def _enumerated(names: list[str]) -> str:
    words = [f"`{name}`" for name in names]
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
