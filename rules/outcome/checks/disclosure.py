"""Checks of what an answer gives away."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from mkdocs_rulebook import Node, Result, finding, inapplicable

from ._record import contract, is_error, items, mentions, part, text, value, visible

INTERNAL = (
    ("connection-string", "a connection string", r"[a-z][a-z0-9+.-]*://[^\s/:@]+:[^\s/@]+@"),
    (
        "connection-string",
        "a connection string",
        r"\b(?:password|pwd|accountkey|sharedaccesskey)\s*=\s*[^\s;]+",
    ),
    ("token", "a bearer token", r"\bbearer\s+[a-z0-9._~+/-]{16,}"),
    ("token", "a JSON Web Token", r"\beyJ[a-z0-9_-]{8,}\.[a-z0-9_-]{8,}\."),
    ("private-key", "a private key", r"-----BEGIN [A-Z ]*PRIVATE KEY-----"),
    ("stack-trace", "a stack trace", r"Traceback \(most recent call last\)"),
    ("stack-trace", "a stack trace", r"(?m)^\s*at \S+ ?\([^)\n]*:\d+\)"),
    ("upstream-body", "the page or document of another service", r"<!doctype html|<html[\s>]|<\?xml\s"),
)
"""What only an operator may read: reason, words for a message, pattern."""


def internal_details(answer: Node) -> Iterator[Result]:
    """Find secrets, traces, bodies of other services and withheld names in what a model can read."""
    withheld = [name.value for name in items(answer.document.root, "withheld") if isinstance(name.value, str)]
    for node in visible(answer):
        seen = set()
        for reason, words, pattern in INTERNAL:
            if reason not in seen and re.search(pattern, node.value, re.IGNORECASE):
                seen.add(reason)
                yield finding(node, f"has {words}", reason=reason)
        if any(mentions(node.value, name) for name in withheld if name.strip()):
            yield finding(node, "has a name that this caller may not read", reason="withheld-name")


def same_answer(trial: Node) -> Iterator[Result]:
    """Find answers that tell a search from a look-up of the same inaccessible record, or that name the record."""
    hidden = [record.value for record in items(trial, "inaccessible") if isinstance(record.value, str)]
    if not hidden:
        yield inapplicable(trial)
        return
    asked = json.dumps(value(trial, "request", "arguments"), default=str, ensure_ascii=False)
    answers = [answer for name in ("result", "error") if (answer := part(trial, name)) is not None]
    for record in hidden:
        first = next(other for other in items(trial.document.root, "scenarios") if _hides(other, record))
        difference = _difference(first, trial)
        if difference:
            yield finding(
                part(trial, "result") or part(trial, "error") or part(trial, "no_answer") or trial,
                f"differs in {difference} from the answer of `{text(first, 'name')}` about the same record",
                reason="differs",
                names=[record],
            )
        for node in (node for answer in answers for node in visible(answer)):
            if mentions(node.value, record) and not mentions(asked, record):
                yield finding(node, "names a record that the request did not name", reason="named", names=[record])


def _hides(trial: Node, record: str) -> bool:
    return record in [hidden.value for hidden in items(trial, "inaccessible")]


def _difference(one: Node, other: Node) -> str:
    """Say in what two answers differ that a caller could tell apart; empty where in nothing."""
    for words, look in (
        ("kind", _kind),
        ("`isError`", lambda trial: is_error(part(trial, "result"))),
        ("error code", lambda trial: (value(trial, "error", "code"), _content(trial, "code"))),
        ("what it found", lambda trial: len(items(trial, "result", "structuredContent", _collection(trial)))),
    ):
        if look(one) != look(other):
            return words
    return ""


def _kind(trial: Node) -> list[str]:
    return [name for name in ("result", "error", "no_answer") if part(trial, name) is not None]


def _content(trial: Node, name: str) -> Any:
    return value(trial, "result", "structuredContent", name)


def _collection(trial: Node) -> str:
    return text(contract(trial), "collection") or ""
