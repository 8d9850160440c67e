"""The closed lists of words: levels, claims, outcomes and what they prove."""

from __future__ import annotations

from enum import StrEnum


class Level(StrEnum):
    """How binding a rule is, in the words of RFC 2119."""

    MUST = "must"
    MUST_NOT = "must-not"
    SHOULD = "should"
    SHOULD_NOT = "should-not"
    MAY = "may"

    @property
    def obligatory(self) -> bool:
        """Whether breaking the rule makes a document wrong, rather than questionable."""
        return self in (Level.MUST, Level.MUST_NOT)


class Severity(StrEnum):
    """Whether a fault makes a build fail."""

    ERROR = "error"
    WARNING = "warning"


class Claim(StrEnum):
    """What a catalogue says an example shows."""

    INVALID = "invalid"
    VALID = "valid"
    INAPPLICABLE = "inapplicable"


class Group(StrEnum):
    """What a catalogue promises about every file of a fixture folder."""

    CLEAN = "clean"
    FAILING = "failing"
    WARNING = "warning"


class Outcome(StrEnum):
    """What running a check said about a claim: `confirmed`, or why not.

    The order of the members is the order in which they are tried: the first that holds is the verdict.
    """

    FIXTURE_MISSING = "fixture-missing"
    FIXTURE_UNREADABLE = "fixture-unreadable"
    POINTER_MISSING = "pointer-missing"
    CHECK_ERROR = "check-error"
    NOT_RUN = "not-run"
    UNVERIFIED = "unverified"
    CONTRADICTION = "contradiction"
    ELSEWHERE = "elsewhere"
    NOT_APPLIED = "not-applied"
    NOT_FAILING = "not-failing"
    OTHER_REASON = "other-reason"
    FIX_FAILS = "fix-fails"
    FAILING = "failing"
    APPLIES = "applies"
    CONFIRMED = "confirmed"


class Proof(StrEnum):
    """What the confirmed examples of a rule prove together."""

    BOTH = "both ways"
    INVALID_ONLY = "invalid only"
    VALID_ONLY = "valid only"
    NONE = "not proved"
    UNVERIFIED = "unverified"
