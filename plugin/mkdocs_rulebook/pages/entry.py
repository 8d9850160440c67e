"""Everything about one rule in one place, for whatever lists rules: pages, and files for programs."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mkdocs_rulebook.model import Claim, NoCheck, Outcome
from mkdocs_rulebook.pages import words
from mkdocs_rulebook.pages.text import without_markup

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mkdocs_rulebook.model import Catalogue, Example, Fault, Proof, Report, Rule, Verdict


WRONG = "wrong"
"""What a rule is called, for the look of it and for filters, while an example of it does not hold."""

_NOT_WRONG = (Outcome.CONFIRMED, Outcome.UNVERIFIED, Outcome.NOT_RUN)


@dataclass(frozen=True)
class Shown:
    """What is shown of the proof of a rule: one word for the look of it, and what it says."""

    kind: str
    words: str


def wrong(verdicts: Iterable[Verdict]) -> int:
    """Return how many examples do not hold. A known fault is accepted, and what was not run is only not proved."""
    return sum(not verdict.passes and verdict.outcome not in _NOT_WRONG for verdict in verdicts)


def shown_proof(proof: Proof, verdicts: Iterable[Verdict]) -> Shown:
    """Return what is shown of a rule: that an example of it does not hold comes before all that others prove.

    Args:
        proof: what the confirmed examples of the rule prove.
        verdicts: the verdicts on all its examples.
    """
    if number := wrong(verdicts):
        return Shown(WRONG, f"{words.count(number, 'example')} {'does' if number == 1 else 'do'} not hold")
    return Shown(proof.name.lower().replace("_", "-"), words.PROOF[proof])


@dataclass(frozen=True)
class Entry:
    """A rule, its catalogue, and what verification said about its examples and itself.

    The verdicts are in the order of the page: the invalid examples first.
    """

    catalogue: Catalogue
    rule: Rule
    verdicts: tuple[Verdict, ...]
    faults: tuple[Fault, ...]
    proof: Proof

    @property
    def description(self) -> str:
        """One plain sentence or two about the rule."""
        return self.rule.summary or without_markup(self.rule.requirement)

    @property
    def shown(self) -> Shown:
        """What a list shows of the proof."""
        return shown_proof(self.proof, self.verdicts)

    @property
    def reason(self) -> str:
        """Why no machine decides the rule, where none does."""
        return self.rule.check.none if isinstance(self.rule.check, NoCheck) else ""

    @property
    def names(self) -> list[tuple[Verdict, str, str]]:
        """Each verdict with the anchor and the heading of its example on the page of the rule."""
        found = example_names([verdict.example for verdict in self.verdicts])
        return [(verdict, *names) for verdict, names in zip(self.verdicts, found, strict=True)]


def entries(reports: Sequence[Report]) -> tuple[Entry, ...]:
    """Return an entry for each rule, in the order of the catalogues."""
    return tuple(entry for report in reports for entry in _entries(report))


def _entries(report: Report) -> Iterator[Entry]:
    order = list(Claim)
    for rule, own in own_reports(report):
        shown = tuple(sorted(own.verdicts, key=lambda verdict: order.index(verdict.example.claim)))
        yield Entry(report.catalogue, rule, shown, own.faults, own.proof(rule))


def example_names(examples: Sequence[Example]) -> list[tuple[str, str]]:
    """Return the anchor and the heading of each example; neither occurs twice on a page."""
    names: list[tuple[str, str]] = []
    for example in examples:
        anchor = f"example-{example.id}"
        if any(anchor == other for other, _ in names):
            anchor = f"example-{example.claim}-{example.id}"
        heading = f"{words.CLAIM[example.claim]}: {example.title or example.id.replace('-', ' ')}"
        if any(heading == other for _, other in names):
            heading = f"{heading} ({example.id})"
        names.append((anchor, heading))
    return names


def own_reports(report: Report) -> Iterator[tuple[Rule, Report]]:
    """Yield each rule with the part of a report that concerns it, so that asking it does not go through all of it."""
    verdicts: dict[str, list[Verdict]] = defaultdict(list)
    faults: dict[str, list[Fault]] = defaultdict(list)
    for verdict in report.verdicts:
        verdicts[verdict.rule.id].append(verdict)
    for fault in report.faults:
        faults[fault.rule].append(fault)
    for rule in report.catalogue.rules:
        yield rule, replace(report, verdicts=tuple(verdicts[rule.id]), faults=tuple(faults[rule.id]))
