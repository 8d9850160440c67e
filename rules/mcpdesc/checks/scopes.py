"""Checks of the revisions that parts of a document apply to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mkdocs_rulebook import Document, Node, Result, applied, finding

from ._document import PRIMITIVES, SCOPE, SCOPED, effective_scope, listed, own_scope, text

DECLARATIONS = (
    f"$[{','.join(repr(name) for name in SCOPED)}][*]",
    f"$[{','.join(repr(name) for name in PRIMITIVES)}][*].elicitations[*]",
)

IDENTIFIERS = {"tools": "name", "resources": "uri", "resourceTemplates": "uriTemplate", "prompts": "name"}
"""The member that identifies a primitive, by the collection that holds its kind."""


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


def transport_coverage(document: Document) -> Iterator[Result]:
    """Find revisions of the document for which there is no transport."""
    transports = document.at("/transports")
    revisions = document.at("/" + SCOPE)
    if transports is None or not isinstance(transports.value, list):
        return
    if revisions is None or not isinstance(revisions.value, list):
        return
    reached = set[str]()
    for transport in transports.children():
        reached |= effective_scope(transport) or frozenset()
    for revision in revisions.children():
        if isinstance(revision.value, str):
            yield applied(revision)
            if revision.value not in reached:
                yield finding(
                    revision,
                    f"is `{revision.value}`, which no transport serves",
                    reason="not-covered",
                    names=[revision.value],
                )


def capability_overlap(document: Document) -> Iterator[Result]:
    """Find capability entries for revisions that a later entry has, too."""
    entries = [entry for entry in document.select("$.capabilities[*]") if isinstance(entry.value, dict)]
    for index, entry in enumerate(entries):
        yield applied(entry)
        yield from _shared(entry, entries[index + 1 :])


def primitive_overlap(document: Document) -> Iterator[Result]:
    """Find primitives for revisions that an earlier one of the same kind and identifier has, too."""
    for kind, member in IDENTIFIERS.items():
        variants: dict[str, list[Node]] = {}
        for primitive in document.select(f"$.{kind}[*]"):
            identifier = text(primitive, member)
            if identifier is not None:
                yield applied(primitive)
                earlier = variants.setdefault(identifier, [])
                yield from _shared(primitive, earlier)
                earlier.append(primitive)


def _shared(declaration: Node, others: Iterable[Node]) -> Iterator[Result]:
    """Find revisions of a declaration that others have, too: where its own list names them, or else at itself."""
    taken: dict[str, Node] = {}
    for other in others:
        for revision in effective_scope(other) or ():
            taken.setdefault(revision, other)
    shared = (effective_scope(declaration) or frozenset()) & taken.keys()
    if own_scope(declaration) is None:
        if shared:
            where = ", ".join(dict.fromkeys(f"`{taken[revision].pointer}`" for revision in sorted(shared)))
            yield finding(
                declaration,
                f"applies to {listed(shared)}, as does {where}",
                reason="overlap",
                names=sorted(shared),
            )
        return
    scope = declaration.child(SCOPE)
    for entry in scope.children() if scope is not None else ():
        if isinstance(entry.value, str) and entry.value in shared:
            yield finding(
                entry,
                f"is `{entry.value}`, to which `{taken[entry.value].pointer}` applies as well",
                reason="overlap",
                names=[entry.value],
            )
