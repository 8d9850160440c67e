"""Checks of resource contents and of examples that read a resource."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator

from mkdocs_rulebook import Node, Result, finding, inapplicable

from ._document import ancestor, text


def base64_blob(blob: Node) -> Iterator[Result]:
    """Find a blob that is not base64 to the letter: alphabet, padding and unused bits."""
    if not isinstance(blob.value, str):
        yield finding(blob, "is not a string, so it cannot be base64", reason="not-base64")
        return
    try:
        data = binascii.a2b_base64(blob.value, strict_mode=True)
    except ValueError:
        yield finding(blob, "is not base64", reason="not-base64")
        return
    if base64.b64encode(data).decode() != blob.value:
        yield finding(blob, "is not how base64 writes these bytes", reason="not-base64")


def requested_uri(contents: Node) -> Iterator[Result]:
    """Find contents in which no entry has the URI that was read."""
    requested = _requested(contents)
    if requested is None or not isinstance(contents.value, list) or not contents.value:
        yield inapplicable(contents)
        return
    if all(text(entry, "uri") != requested for entry in contents.children()):
        yield finding(contents, f"has no entry with the URI `{requested}`", reason="requested-uri-missing")


def _requested(contents: Node) -> str | None:
    """Return what was read: the URI of the resource, or for a template the URI of the example."""
    if contents.path[0] == "resources":
        return text(ancestor(contents, 2), "uri")
    return text(ancestor(contents, 4), "uri")
