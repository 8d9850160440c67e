"""Checks of extension identifiers against the extensions that MCP itself maintains."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mkdocs_rulebook import Node, Result, finding, inapplicable

OFFICIAL = frozenset(
    {
        "io.modelcontextprotocol/enterprise-managed-authorization",
        "io.modelcontextprotocol/oauth-client-credentials",
        "io.modelcontextprotocol/tasks",
        "io.modelcontextprotocol/ui",
    }
)
"""What https://modelcontextprotocol.io/extensions/overview listed as official on 2026-09-04."""

EXPERIMENTAL = frozenset({"io.modelcontextprotocol/interceptors"})
"""What the same page named as experimental; the identifier is that of the repository it names."""

RESERVED_LABELS = frozenset({"modelcontextprotocol", "mcp"})
"""A prefix with one of these in second place belongs to MCP."""

_LABEL = "[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_IDENTIFIER = re.compile(rf"({_LABEL}(?:\.{_LABEL})*)/[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?", re.ASCII)


def reserved_unknown(extension: Node) -> Iterator[Result]:
    """Find an identifier under a prefix of MCP that is in neither list."""
    prefix = _prefix(extension)
    if prefix is None:
        yield inapplicable(extension)
    elif _is_reserved(prefix) and extension.key not in OFFICIAL | EXPERIMENTAL:
        yield finding(
            extension,
            f"is no extension of MCP that is known here, though `{prefix}` is reserved for MCP",
            reason="reserved-unknown",
            names=[str(extension.key)],
        )


def experimental(extension: Node) -> Iterator[Result]:
    """Find an identifier of an experimental extension of MCP."""
    if _prefix(extension) is None:
        yield inapplicable(extension)
    elif extension.key in EXPERIMENTAL:
        yield finding(
            extension, "is an experimental extension of MCP", reason="experimental", names=[str(extension.key)]
        )


def _prefix(extension: Node) -> str | None:
    """Return the prefix of a well-formed identifier; None where the node does not stand under one."""
    identifier = _IDENTIFIER.fullmatch(extension.key) if isinstance(extension.key, str) else None
    return identifier[1] if identifier is not None else None


def _is_reserved(prefix: str) -> bool:
    labels = prefix.split(".")
    return len(labels) > 1 and labels[1] in RESERVED_LABELS
