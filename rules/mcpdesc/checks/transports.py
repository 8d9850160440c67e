"""Checks of the ways to reach a server."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_rulebook import Node, Result, finding, inapplicable

from ._document import after, before, listed, text

STREAMABLE_HTTP_SINCE = "2025-03-26"
"""The revision that brought Streamable HTTP, in place of HTTP with SSE."""

SSE_UNTIL = "2024-11-05"
"""The last revision that defines HTTP with SSE."""


def streamable_http(transport: Node) -> Iterator[Result]:
    """Find a Streamable HTTP transport for a revision that has none."""
    older = before(transport, STREAMABLE_HTTP_SINCE)
    kind = transport.child("type")
    if kind is not None and older:
        yield finding(
            kind,
            f"is `streamable-http`, which does not exist in {listed(older)}",
            reason="not-in-revision",
            names=older,
        )


def sse_legacy(transport: Node) -> Iterator[Result]:
    """Find an SSE transport for a revision that has Streamable HTTP instead."""
    kind = text(transport, "type")
    if kind is None:
        yield inapplicable(transport)
        return
    later = after(transport, SSE_UNTIL)
    node = transport.child("type")
    if kind == "sse" and later and node is not None:
        yield finding(
            node,
            f"is `sse`, which `{STREAMABLE_HTTP_SINCE}` replaced; the transport applies to {listed(later)}",
            reason="legacy",
            names=later,
        )
