"""What every engine gives back for a rule and a document."""

from __future__ import annotations

from dataclasses import dataclass

from mkdocs_rulebook.model import Finding


@dataclass(frozen=True)
class Run:
    """The outcome of running the check of one rule on one document.

    `applied` holds, for each node that the check judged, its pointer at the place of use and its target. `error`
    says why the check could not be run to its end (then there are no findings to believe); `skipped` says why it
    was not run at all. `engine` names what decided, with its version. `hint` is a remark on why nothing was found.
    """

    engine: str
    findings: tuple[Finding, ...] = ()
    applied: tuple[tuple[str, str], ...] = ()
    error: str = ""
    skipped: str = ""
    hint: str = ""


def in_order(findings: list[Finding]) -> tuple[Finding, ...]:
    """Return the findings each once, sorted by place and reason, so that no engine's own order shows."""
    return tuple(sorted(set(findings), key=lambda f: (f.pointer, f.target, f.keyword, f.reason, f.names, f.message)))
