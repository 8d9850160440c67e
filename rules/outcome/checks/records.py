"""Checks of a record as a whole: what was tried, what came next, and what the contract documents."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_rulebook import Node, Result, finding, inapplicable

from ._record import contract, items, listed, part, scenario, text, value

FIVE = ("success", "no_result", "invalid_input", "unavailable_service", "uncertain_completion")
WAYS = {"direct": "not-direct", "conversation": "not-in-conversation"}


def both_ways(outcome: Node) -> Iterator[Result]:
    """Find an outcome of the contract that was not tried by a direct call and in a conversation."""
    root = outcome.document.root
    if value(root, "excerpt") is True or outcome.key not in FIVE:
        yield inapplicable(outcome)
        return
    trials = [trial for trial in items(root, "scenarios") if text(trial, "outcome") == outcome.key]
    tried = [way.value for trial in trials for way in items(trial, "tried")]
    missing = [way for way in WAYS if way not in tried]
    if len(missing) == len(WAYS):
        yield finding(outcome, "was not tried at all: no scenario has this outcome", reason="not-tried", names=missing)
    elif missing:
        words = {"direct": "by a direct call", "conversation": "in a conversation"}
        yield finding(outcome, f"was not tried {words[missing[0]]}", reason=WAYS[missing[0]], names=missing)


def next_allowed(action: Node) -> Iterator[Result]:
    """Find a next action that the contract does not allow after the outcome of the scenario."""
    outcome = text(scenario(action), "outcome") or ""
    allowed = part(contract(action), "outcomes", outcome, "next")
    if allowed is None or not isinstance(allowed.value, list) or not isinstance(action.value, str):
        yield inapplicable(action)
    elif action.value not in allowed.value:
        names = [name for name in allowed.value if isinstance(name, str)]
        yield finding(
            action,
            f"is `{action.value}`, but after `{outcome}` the contract allows {listed(names) or 'nothing'}",
            reason="not-allowed",
            names=[action.value],
        )


def documented(member: Node) -> Iterator[Result]:
    """Find a member of structured content that the contract does not explain."""
    if not isinstance(member.key, str):
        yield inapplicable(member)
    elif part(contract(member), "fields", member.key) is None:
        yield finding(
            member,
            "is used, but `contract.fields` does not explain it",
            reason="undocumented",
            names=[member.key],
        )
