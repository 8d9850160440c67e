"""Checks of attempts: how many, how long, after what wait, and after a refusal."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise

from mkdocs_rulebook import Node, Result, finding, inapplicable

from ._record import contract, items, number, part, phrase, text, texts, value

PROMISES = ("will succeed", "will work", "will be available", "will be back", "is guaranteed", "guaranteed to")
"""Phrases that turn a wait into a promise."""


def within_policy(trial: Node) -> Iterator[Result]:
    """Find attempts beyond the number or the time that the contract sets, and a retry when they are used up."""
    policy = part(contract(trial), "retry")
    most, longest = number(policy, "max_attempts"), number(policy, "total_seconds")
    if most is None and longest is None:
        yield inapplicable(trial)
        return
    attempts = items(trial, "attempts")
    for count, attempt in enumerate(attempts, 1):
        end = number(attempt, "end")
        if most is not None and count > most:
            yield finding(attempt, f"is attempt {count}; the contract allows {most}", reason="too-many")
        elif longest is not None and end is not None and end > longest:
            yield finding(
                part(attempt, "end") or attempt,
                f"is {end} seconds after the first attempt began; the contract allows {longest}",
                reason="too-long",
                names=["end"],
            )
    following = part(trial, "next", "action")
    if following is None or following.value != "retry":
        return
    ends = [end for attempt in attempts if (end := number(attempt, "end")) is not None]
    wait = number(trial, "next", "wait_seconds") or Decimal(0)
    used = max(len(attempts), 1)
    if most is not None and used >= most:
        yield finding(following, f"is `retry` after {used} of {most} attempts", reason="no-stop", names=["retry"])
    elif longest is not None and ends and max(ends) + wait >= longest:
        yield finding(
            following,
            f"is `retry`, but the {longest} seconds of the contract are over by then",
            reason="no-stop",
            names=["retry"],
        )


def honoured_wait(trial: Node) -> Iterator[Result]:
    """Find an attempt before the wait that was asked for, and a wait that is passed on as a promise."""
    attempts = items(trial, "attempts")
    asked = number(trial, "result", "structuredContent", "retry_after_seconds")
    if asked is None and not any(part(attempt, "retry_after_seconds") for attempt in attempts):
        yield inapplicable(trial)
        return
    for attempt, following in pairwise(attempts):
        wait, end, start = number(attempt, "retry_after_seconds"), number(attempt, "end"), number(following, "start")
        if wait is not None and end is not None and start is not None and start - end < wait:
            yield finding(
                part(following, "start") or following,
                f"is {start - end} seconds after an answer that asked for {wait}",
                reason="too-early",
                names=["start"],
            )
    after = part(trial, "next")
    if asked is not None and text(after, "action") == "retry" and (number(after, "wait_seconds") or 0) < asked:
        yield finding(
            part(after, "wait_seconds") or after or trial,
            f"does not wait the {asked} seconds that the answer asks for",
            reason="too-early",
            names=["wait_seconds"],
        )
    said = part(after, "said")
    told = [said] if said is not None and isinstance(said.value, str) else []
    for node in [*texts(part(trial, "result")), *told]:
        found = phrase(node.value, PROMISES, negated=False)
        if found is not None:
            yield finding(node, f'makes a promise of the wait: "{found}"', reason="promise", names=[found])


def permission_denied(trial: Node) -> Iterator[Result]:
    """Find another call of the tool after a permission was denied."""
    attempts = items(trial, "attempts")
    if len(attempts) > 1:
        yield finding(attempts[1], "is another attempt after a permission was denied", reason="repeated")
    action = part(trial, "next", "action")
    if action is not None and action.value == "retry":
        yield finding(action, "is `retry` after a permission was denied", reason="unchanged", names=["retry"])
        return
    request = part(trial, "next", "request")
    if request is None or text(request, "name") != text(trial, "request", "name"):
        return
    if value(request, "arguments") == value(trial, "request", "arguments"):
        yield finding(request, "is the request that was denied", reason="unchanged")
    else:
        yield finding(
            request, "calls the tool again with other arguments after a permission was denied", reason="other-arguments"
        )
