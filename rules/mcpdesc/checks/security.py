"""Checks of security requirements against the schemes that they name."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_rulebook import Document, Node, Result, finding, inapplicable

from ._document import text

WITHOUT_SCOPES = frozenset({"http", "apiKey"})
"""The types of security scheme that know no scopes."""


def scheme_known(required: Node) -> Iterator[Result]:
    """Find a required scheme that the document does not declare."""
    if not isinstance(required.key, str):
        yield inapplicable(required)
    elif _scheme(required.document, required.key) is None:
        yield finding(
            required,
            f"asks for the scheme `{required.key}`, which `securitySchemes` does not have",
            reason="unknown-scheme",
            names=[required.key],
        )


def scope_unique(scopes: Node) -> Iterator[Result]:
    """Find a scope that a requirement asks of one scheme for the second time."""
    if not isinstance(scopes.value, list):
        yield inapplicable(scopes)
        return
    first: dict[str, Node] = {}
    for scope in scopes.children():
        if isinstance(scope.value, str):
            earlier = first.setdefault(scope.value, scope)
            if earlier is not scope:
                yield finding(
                    scope, f"is `{scope.value}`, which `{earlier.pointer}` already asks for", reason="duplicate"
                )


def scope_non_oauth(scopes: Node) -> Iterator[Result]:
    """Find scopes asked of a scheme that knows none."""
    scheme = _scheme(scopes.document, scopes.key) if isinstance(scopes.key, str) else None
    kind = text(scheme, "type")
    if kind not in WITHOUT_SCOPES or not isinstance(scopes.value, list):
        yield inapplicable(scopes)
        return
    for scope in scopes.children():
        yield finding(scope, f"asks a scope of `{scopes.key}`, a scheme of type `{kind}`", reason="scope-without-oauth")


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
    scheme = _scheme(document, name)
    flows = scheme.child("flows") if scheme is not None else None
    if flows is None or text(scheme, "type") != "oauth2":
        return None
    listed = set[str]()
    for flow in flows.children():
        scopes = flow.child("scopes")
        if scopes is not None and isinstance(scopes.value, dict):
            listed.update(scopes.value)
    return listed


def _scheme(document: Document, name: str) -> Node | None:
    schemes = document.root.child("securitySchemes")
    return schemes.child(name) if schemes is not None and isinstance(schemes.value, dict) else None
