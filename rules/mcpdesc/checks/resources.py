"""Checks of resource contents and of examples that read a resource."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from decimal import Decimal

from mkdocs_rulebook import Node, Result, finding, inapplicable

from ._document import LATEST, ancestor, effective_scope, in_words, listed, text

CACHE_FIELDS = ("ttlMs", "cacheScope")
"""The members of a read result that say how long it keeps, and for whom."""


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


def cache_fields(result: Node) -> Iterator[Result]:
    """Compare the cache fields of a read result with what the revisions that it applies to ask for."""
    scope = effective_scope(result)
    if scope is None or not isinstance(result.value, dict):
        yield inapplicable(result)
        return
    missing = [field for field in CACHE_FIELDS if field not in result.value]
    older = [revision for revision in scope if revision < LATEST]
    if missing and LATEST in scope:
        yield finding(result, f"lacks {in_words(missing)}, which `{LATEST}` asks for", reason="missing", names=missing)
    for field in CACHE_FIELDS:
        member = result.child(field)
        if member is not None and older:
            yield finding(
                member,
                f"is shown for {listed(older)}, where read results have no such member",
                reason="not-in-revision",
                names=[field],
            )


def mime_type(entry: Node) -> Iterator[Result]:
    """Find the requested entry of a read result with another MIME type than the declaration states."""
    declared, given = text(ancestor(entry, 2), "mimeType"), entry.child("mimeType")
    if declared is None or given is None or not isinstance(given.value, str) or not _is_requested(entry):
        yield inapplicable(entry)
    elif _normal_type(given.value) != _normal_type(declared):
        yield finding(given, f"is `{given.value}`, and the declaration says `{declared}`", reason="other-mime-type")


def size(entry: Node) -> Iterator[Result]:
    """Find the requested entry of a read result with another number of bytes than the resource states."""
    resource = ancestor(entry, 2)
    declared = resource.child("size") if resource is not None else None
    held = _bytes(entry)
    if (
        declared is None
        or isinstance(declared.value, bool)
        or not isinstance(declared.value, int | Decimal)
        or held is None
        or not _is_requested(entry)
    ):
        yield inapplicable(entry)
    elif held[1] != declared.value:
        yield finding(
            held[0], f"holds {held[1]} bytes, and the size of the resource is {declared.value}", reason="other-size"
        )


def _bytes(entry: Node) -> tuple[Node, int] | None:
    """Return the member that holds what an entry contains, and its length in bytes; None where that is unclear."""
    content, blob = entry.child("text"), entry.child("blob")
    if content is not None and blob is None and isinstance(content.value, str):
        return content, len(content.value.encode("utf-8", "surrogatepass"))
    if blob is not None and content is None and isinstance(blob.value, str):
        try:
            return blob, len(binascii.a2b_base64(blob.value, strict_mode=True))
        except ValueError:
            return None
    return None


def _normal_type(mime_type: str) -> str:
    """Return a MIME type without what makes no difference: case, and white space around its parameters."""
    return ";".join(part.strip() for part in mime_type.casefold().split(";"))


def _is_requested(entry: Node) -> bool:
    requested = _requested(entry)
    return requested is not None and text(entry, "uri") == requested


def _requested(contents: Node) -> str | None:
    """Return what was read: the URI of the resource, or for a template the URI of the example."""
    if contents.path[0] == "resources":
        return text(ancestor(contents, 2), "uri")
    return text(ancestor(contents, 4), "uri")
