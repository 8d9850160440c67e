"""Checks of the revisions that parts of a document apply to."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_rulebook import Document, Node, Result, applied, finding

from ._document import PRIMITIVES, SCOPE, SCOPED, effective_scope, listed

DECLARATIONS = (
    f"$[{','.join(repr(name) for name in SCOPED)}][*]",
    f"$[{','.join(repr(name) for name in PRIMITIVES)}][*].elicitations[*]",
)


def outside_parent(document: Document) -> Iterator[Result]:
    """Find revisions in the list of a declaration that the scope around it lacks."""
    for declaration in document.select(*DECLARATIONS):
        scope = declaration.child(SCOPE)
        around = _scope_around(declaration)
        if scope is None or around is None or not isinstance(scope.value, list):
            continue
        yield applied(scope)
        for entry in scope.children():
            if isinstance(entry.value, str) and entry.value not in around:
                yield finding(
                    entry,
                    f"is `{entry.value}`, but the scope around it is {listed(around)}",
                    reason="outside-parent",
                    names=[entry.value],
                )


def _scope_around(declaration: Node) -> frozenset[str] | None:
    collection = declaration.parent
    return effective_scope(collection) if collection is not None else None
