"""What every engine gives back for a rule and a document."""

from __future__ import annotations

from dataclasses import dataclass

from mkdocs_rulebook.model import Finding, Lines


@dataclass(frozen=True)
class Run:
    """The outcome of running the check of one rule on one document.

    `applied` holds, for each node that the check judged, its pointer at the place of use and its target. `error`
    says why the check could not be run to its end (then there are no findings to believe); `skipped` says why it
    was not run at all. `engine` names what decided, with its version. `hint` is a remark on why nothing was found.
    `unknown` says that the engine does not tell what it judged, so that `applied` means nothing; `unjudged` is then
    how it said that it could not judge the document, if it did, and
    `given` whether it got it at all.
    `passages` are the lines of texts that the check judged, by the pointer of the text; a text that it judged as a
    whole is in `applied`.
    """

    engine: str
    findings: tuple[Finding, ...] = ()
    applied: tuple[tuple[str, str], ...] = ()
    error: str = ""
    skipped: str = ""
    hint: str = ""
    unknown: bool = False
    unjudged: str = ""
    given: bool = True
    passages: tuple[tuple[str, Lines], ...] = ()

    @property
    def applies(self) -> bool:
        """Whether the check judged anything."""
        return bool(self.applied or self.passages)


def in_order(findings: list[Finding]) -> tuple[Finding, ...]:
    """Return the findings each once, sorted by place and reason, so that no engine's own order shows."""
    return tuple(sorted(set(findings), key=_order))


def _order(finding: Finding) -> tuple[object, ...]:
    lines = finding.lines or (0, 0)
    return finding.pointer, finding.target, lines, finding.keyword, finding.reason, finding.names, finding.message
