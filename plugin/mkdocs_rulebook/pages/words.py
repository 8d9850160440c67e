"""The words for levels, claims, proofs and outcomes that pages use."""

from __future__ import annotations

from collections.abc import Sequence

from mkdocs_rulebook.model import Claim, Level, Outcome, Proof

PROOF = {
    Proof.BOTH: "proved both ways",
    Proof.INVALID_ONLY: "proved on invalid examples only",
    Proof.VALID_ONLY: "proved on valid examples only",
    Proof.NONE: "not proved",
    Proof.UNVERIFIED: "not machine-checked",
}

WRONG = "an example does not hold"
"""What a list of rules calls those at fault, in place of what the rest of their examples prove."""

CLAIM = {
    Claim.INVALID: "Invalid",
    Claim.VALID: "Valid",
    Claim.INAPPLICABLE: "Does not apply",
}

CONFIRMED = {
    Claim.INVALID: "The check finds it, as claimed.",
    Claim.VALID: "The check looks at this and finds nothing.",
    Claim.INAPPLICABLE: "The check does not look at this: the rule does not apply here.",
}

SILENT_ENGINE = "The engine, which reports this rule elsewhere in the same run, reports nothing here."

OUTCOME = {
    Outcome.FIXTURE_MISSING: "the fixture does not exist",
    Outcome.FIXTURE_UNREADABLE: "the fixture cannot be read",
    Outcome.POINTER_MISSING: "the selection does not exist in the fixture",
    Outcome.CHECK_ERROR: "the check could not be carried out",
    Outcome.NOT_RUN: "the check was not run",
    Outcome.UNVERIFIED: "not machine-checked",
    Outcome.CONTRADICTION: "another example claims the opposite",
    Outcome.ELSEWHERE: "the rule is broken, but not in the selection",
    Outcome.NOT_APPLIED: "the check did not look at the selection",
    Outcome.NOT_FAILING: "the check finds nothing wrong",
    Outcome.OTHER_REASON: "the check fails for another reason",
    Outcome.FIX_FAILS: "the fix does not mend it",
    Outcome.FAILING: "the check finds something wrong",
    Outcome.APPLIES: "the rule applies here",
    Outcome.CONFIRMED: "confirmed",
}

TOLD = (Outcome.ELSEWHERE, Outcome.NOT_APPLIED, Outcome.NOT_FAILING, Outcome.FAILING, Outcome.APPLIES)
"""Outcomes that the sentence about them says in full: before it, their words would say the same twice."""


def level(value: Level) -> str:
    """Return a level as it is said: "must not"."""
    return value.value.replace("-", " ")


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence has them: "a, b and c"."""
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)


def count(number: int, noun: str) -> str:
    """Return a number with its noun: "1 rule", "2 rules"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
