"""Checks of maps whose keys are names, where a key that begins with `x-` is a name like any other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from mkdocs_rulebook import Document, Node, Result, applied, finding

from ._document import PRIMITIVES

EXTENSION = "x-"
REFERENCE = "$componentRef"
NAME = re.compile(r"[A-Za-z0-9._-]+")
IDENTIFIER = re.compile(
    r"[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?)*"
    r"/[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?"
)
SCHEMES = frozenset({"http", "apiKey", "oauth2", "openIdConnect"})
ANY_PRIMITIVE = f"$[{','.join(repr(name) for name in PRIMITIVES)}][*]"


def extension_key(document: Document) -> Iterator[Result]:
    """Find keys that begin with `x-` in a map of names, and are no name of the map or hold nothing that it holds."""
    for queries, pattern, what, fits in _MAPS:
        for node in document.select(*queries):
            if not isinstance(node.value, dict):
                continue
            yield applied(node)
            for member in node.children():
                name = str(member.key)
                if not name.startswith(EXTENSION):
                    continue
                yield applied(member)
                if not pattern.fullmatch(name):
                    yield finding(member, f"is not the name of {what}", reason="not-a-name", names=[name])
                elif not fits(member):
                    yield finding(member, f"is read as {what}, and holds none", reason="wrong-value", names=[name])


def _is_object(node: Node) -> bool:
    return isinstance(node.value, dict)


def _is_text(node: Node) -> bool:
    return isinstance(node.value, str)


def _is_texts(node: Node) -> bool:
    return isinstance(node.value, list) and all(isinstance(item, str) for item in node.value)


def _is_scheme(node: Node) -> bool:
    kind = node.child("type") if isinstance(node.value, dict) else None
    return kind is not None and isinstance(kind.value, str) and kind.value in SCHEMES


def _is_example(node: Node) -> bool:
    return isinstance(node.value, dict) and (REFERENCE in node.value or "result" in node.value)


_MAPS: tuple[tuple[tuple[str, ...], re.Pattern[str], str, Callable[[Node], bool]], ...] = (
    (("$.securitySchemes",), NAME, "a security scheme", _is_scheme),
    (("$.securitySchemes[*].flows[*].scopes",), re.compile(r".*", re.DOTALL), "an OAuth scope", _is_text),
    (
        ("$.security[*]", "$.transports[*].security[*]", f"{ANY_PRIMITIVE}.security[*]"),
        NAME,
        "a scheme with its scopes",
        _is_texts,
    ),
    (
        ("$.capabilities[*].extensions", f"{ANY_PRIMITIVE}.clientRequirements.extensions"),
        IDENTIFIER,
        "an extension of MCP",
        _is_object,
    ),
    (("$.components.schemas",), NAME, "a schema", _is_object),
    (
        (
            "$.components['toolExamples','resourceExamples','resourceTemplateExamples','promptExamples']",
            f"{ANY_PRIMITIVE}['examples','interactionExamples','completionExamples']",
        ),
        NAME,
        "an example",
        _is_example,
    ),
)
"""The maps: where they are, how their keys are spelled, what they hold, and how to tell."""
