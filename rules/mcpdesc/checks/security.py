"""Checks of security requirements against the schemes that they name."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_rulebook import Document, Node, Result, finding, inapplicable

from ._document import text


def scope_catalogued(scope: Node) -> Iterator[Result]:
    """Find a required scope that no flow of its scheme lists."""
    required = scope.parent
    name = required.key if required is not None else None
    listed = _listed(scope.document, name) if isinstance(name, str) else None
    if listed is None or not isinstance(scope.value, str):
        yield inapplicable(scope)
    elif scope.value not in listed:
        yield finding(scope, f"is `{scope.value}`, which no flow of the scheme `{name}` lists", reason="not-listed")


def _listed(document: Document, name: str) -> set[str] | None:
    """Return the scopes that the flows of an `oauth2` scheme list; None where it is not such a scheme."""
    schemes = document.root.child("securitySchemes")
    scheme = schemes.child(name) if schemes is not None else None
    flows = scheme.child("flows") if scheme is not None else None
    if flows is None or text(scheme, "type") != "oauth2":
        return None
    listed = set[str]()
    for flow in flows.children():
        scopes = flow.child("scopes")
        if scopes is not None and isinstance(scopes.value, dict):
            listed.update(scopes.value)
    return listed
