"""Checks of writes that may or may not have been done."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_rulebook import Node, Result, finding, inapplicable

from ._record import contract, part, phrase, text, texts

ID = "operation_id"

AGAIN = ("try again", "retry", "resubmit", "submit it again", "send it again", "repeat the call", "call the tool again")
"""Phrases that ask for the same call once more."""


def operation_id(trial: Node) -> Iterator[Result]:
    """Find a write of unknown completion that has no operation id, or that loses it on the way."""
    if text(contract(trial), "effect") != "write":
        yield inapplicable(trial)
        return
    sent = part(trial, "request", "arguments", ID)
    answered = part(trial, "result", "structuredContent", ID) or part(trial, "error", "data", ID)
    known = sent or answered
    if known is None:
        yield finding(
            part(trial, "result", "structuredContent") or part(trial, "request") or trial,
            "has no operation id, and neither has the rest of the exchange",
            reason="missing",
            names=[ID],
        )
        return
    if answered is not None and answered.value != known.value:
        yield finding(answered, "is not the operation id of the request", reason="changed", names=[ID])
    request = part(trial, "next", "request")
    if request is None:
        return
    kept = part(request, "arguments", ID)
    if kept is None:
        yield finding(
            part(request, "arguments") or request, "does not carry the operation id on", reason="dropped", names=[ID]
        )
    elif kept.value != known.value:
        yield finding(kept, "is not the operation id of the write", reason="changed", names=[ID])


def try_again(result: Node) -> Iterator[Result]:
    """Find a text that asks for a write once more though it may have been done."""
    for block in texts(result):
        found = phrase(block.value, AGAIN, negated=False)
        if found is not None:
            yield finding(block, f'says "{found}", but the write may have been done', reason="try-again", names=[found])
