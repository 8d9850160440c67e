"""Checks of `_meta`: the keys that MCP reserves, and the revisions that show it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mkdocs_rulebook import Document, Node, Result, applied, finding

from ._document import listed
from ._revisions import revisions, since, without

FIRST = "2025-06-18"
"""The first revision that says how keys of `_meta` are spelled, and reserves some."""

KEY = re.compile(
    r"([A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?)*/)?"
    r"([A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?)?"
)

RESERVED_LABELS = frozenset({"modelcontextprotocol", "mcp"})

DECLARATION, RESULT, CONTENT = "a declaration", "a result", "content"
ANYWHERE = frozenset({DECLARATION, RESULT, CONTENT})

_RESULTS = (
    "$['tools','resources','resourceTemplates','prompts'][*]['examples','interactionExamples','completionExamples'][*]"
    ".result",
    "$.components['toolExamples','resourceExamples','resourceTemplateExamples','promptExamples'][*].result",
)
_VALUES = (
    "$.tools[*]['examples','interactionExamples'][*].result.content[*]",
    "$['resources','resourceTemplates'][*].examples[*].result.contents[*]",
    "$.prompts[*].examples[*].result.messages[*].content",
    "$.components.toolExamples[*].result.content[*]",
    "$.components['resourceExamples','resourceTemplateExamples'][*].result.contents[*]",
    "$.components.promptExamples[*].result.messages[*].content",
)
_SAMPLED = "$.tools[*].interactionExamples[*].steps[?@.type == 'sampling']"
_BLOCKS = ("", ".resource")

DECLARATIONS = ("$['tools','resources','resourceTemplates','prompts'][*]",)
"""The declarations that can have `_meta`."""

RESULTS = (*_RESULTS, *(f"{value}{part}" for value in _VALUES for part in _BLOCKS))
"""The shown results, and the values inside them that can have `_meta`, too."""

STEPS = tuple(
    f"{_SAMPLED}{message}.content{some}{part}"
    for message in (".request.messages[*]", ".response")
    for some in ("", "[0:]")  # one block or a list of them; a slice finds nothing in an object
    for part in _BLOCKS
)
"""The content of sampling steps."""

TRACEPARENT = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?", re.DOTALL)
PAIRS = re.compile(r"[ \t,]*[^\s,=;]+[ \t]*=[^,]*(,[ \t]*([^\s,=;]+[ \t]*=[^,]*)?)*")


def _implementation(value: Node) -> Iterator[Result]:
    yield from _object(value, "an object with the name and the version of the server", ("name", "version"))


def _related_task(value: Node) -> Iterator[Result]:
    yield from _object(value, "an object with a `taskId`", ("taskId",))


def _traceparent(value: Node) -> Iterator[Result]:
    text = value.value
    if not isinstance(text, str) or not TRACEPARENT.fullmatch(text) or (text.startswith("00") and len(text) != 55):
        yield _wrong(value, "a `traceparent` of W3C Trace Context")


def _pairs(value: Node) -> Iterator[Result]:
    if not isinstance(value.value, str) or not PAIRS.fullmatch(value.value):
        yield _wrong(value, "a list of names with values, as W3C defines it")


@dataclass(frozen=True)
class Reserved:
    """A key that revisions of MCP reserve: which, in which places of a document, and the test of its value."""

    revisions: frozenset[str]
    contexts: frozenset[str] = frozenset()
    test: Callable[[Node], Iterator[Result]] | None = None


_2025_11_25 = frozenset({"2025-11-25"})
_2026_07_28 = frozenset({"2026-07-28"})

RESERVED = {
    "progressToken": Reserved(frozenset({"2025-06-18", "2025-11-25", "2026-07-28"})),
    "io.modelcontextprotocol/related-task": Reserved(_2025_11_25, frozenset({RESULT}), _related_task),
    "io.modelcontextprotocol/protocolVersion": Reserved(_2026_07_28),
    "io.modelcontextprotocol/clientInfo": Reserved(_2026_07_28),
    "io.modelcontextprotocol/clientCapabilities": Reserved(_2026_07_28),
    "io.modelcontextprotocol/logLevel": Reserved(_2026_07_28),
    "io.modelcontextprotocol/subscriptionId": Reserved(_2026_07_28),
    "io.modelcontextprotocol/serverInfo": Reserved(_2026_07_28, frozenset({RESULT}), _implementation),
    "traceparent": Reserved(_2026_07_28, ANYWHERE, _traceparent),
    "tracestate": Reserved(_2026_07_28, ANYWHERE, _pairs),
    "baggage": Reserved(_2026_07_28, ANYWHERE, _pairs),
}
"""The reserved keys. One without a context belongs to requests or notifications, which a document never shows."""


def reserved_context(document: Document) -> Iterator[Result]:
    """Find a reserved key in a place for which MCP does not define it."""
    for meta in _metas(document):
        if all(revision < FIRST for revision in revisions(meta)):
            continue
        yield applied(meta)
        for entry in meta.children():
            reserved = RESERVED.get(str(entry.key))
            reserving = _reserving(entry, reserved) if reserved is not None else None
            if reserved is not None and reserving and _context(entry) not in reserved.contexts:
                yield finding(
                    entry,
                    f"stands on {_context(entry)}, where it is not defined in {listed(reserving)}",
                    reason="wrong-context",
                    names=[str(entry.key)],
                )


def reserved_value(document: Document) -> Iterator[Result]:
    """Find a reserved key in its place with a value that is not what MCP defines."""
    for entry in _entries(document):
        reserved = RESERVED.get(str(entry.key))
        if reserved is None or reserved.test is None or _context(entry) not in reserved.contexts:
            continue
        if _reserving(entry, reserved):
            yield applied(entry)
            yield from reserved.test(entry)


def reserved_unknown(document: Document) -> Iterator[Result]:
    """Find a key under a prefix that MCP reserves, where a revision does not define it."""
    for entry in _entries(document):
        key = str(entry.key)
        scope = revisions(entry) & since(FIRST)
        if not scope or "/" not in key or not KEY.fullmatch(key):
            continue
        yield applied(entry)
        undefined = _undefined(entry, key)
        if undefined:
            yield finding(
                entry,
                f"has a prefix that MCP reserves, and no such key is defined in {listed(undefined)}",
                reason="unknown-reserved",
                names=[key],
            )


def shown_too_early(document: Document) -> Iterator[Result]:
    """Find `_meta` on a result, or inside it, that applies to a revision for which the format does not show it."""
    for owner in document.select(*RESULTS):
        if not isinstance(owner.value, dict):
            continue
        yield applied(owner)
        meta = owner.child("_meta")
        older = without(owner, lambda revision: revision >= FIRST)
        if meta is not None and older:
            yield finding(
                meta,
                f"is shown for {listed(older)}, where examples have no such member",
                reason="not-in-revision",
                names=["_meta"],
            )


def _metas(document: Document) -> Iterator[Node]:
    """Yield each `_meta` that is one, and not just data of that name."""
    for owner in document.select(*DECLARATIONS, *RESULTS, *STEPS):
        meta = owner.child("_meta")
        if meta is not None and isinstance(meta.value, dict):
            yield meta


def _entries(document: Document) -> Iterator[Node]:
    for meta in _metas(document):
        yield from meta.children()


def _reserving(entry: Node, reserved: Reserved) -> frozenset[str]:
    """Return the revisions that an entry applies to and that reserve its key."""
    return without(entry, lambda revision: revision not in reserved.revisions)


def _undefined(entry: Node, key: str) -> frozenset[str]:
    """Return the revisions that an entry applies to and that reserve the prefix of its key, but not the key."""
    reserved = RESERVED.get(key)
    defining = reserved.revisions if reserved is not None else frozenset()
    return without(
        entry,
        lambda revision: revision < FIRST or revision in defining or not _prefix_reserved(key, revision),
    )


def _context(entry: Node) -> str:
    """Return what kind of value an entry of `_meta` belongs to."""
    owner = entry.path[:-2]
    if len(owner) == 2:
        return DECLARATION
    return RESULT if owner[-1] == "result" else CONTENT


def _prefix_reserved(key: str, revision: str) -> bool:
    labels = key.partition("/")[0].lower().split(".")
    if revision == FIRST:
        return any(label in RESERVED_LABELS for label in labels[:-1])
    return len(labels) > 1 and labels[1] in RESERVED_LABELS


def _object(value: Node, what: str, required: tuple[str, ...]) -> Iterator[Result]:
    """Find a value that is no object with certain members that are strings."""
    if not isinstance(value.value, dict):
        yield _wrong(value, what)
        return
    missing = [name for name in required if name not in value.value]
    if missing:
        yield finding(value, f"is not {what}", reason="wrong-value", names=missing)
    for name in required:
        member = value.child(name)
        if member is not None and not isinstance(member.value, str):
            yield finding(member, "is not a string", reason="wrong-value", names=[name])


def _wrong(value: Node, what: str) -> Result:
    return finding(value, f"is not {what}", reason="wrong-value")
