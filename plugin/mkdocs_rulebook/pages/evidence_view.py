"""All verdicts → the page that says what is proved and what is not, its badge, and the numbers for other badges."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mkdocs_rulebook.model import Level, Outcome, Proof
from mkdocs_rulebook.pages import words
from mkdocs_rulebook.pages.text import inline, prose, sentence
from mkdocs_rulebook.pages.view import Link

if TYPE_CHECKING:
    from mkdocs_rulebook.model import Verdict
    from mkdocs_rulebook.pages.entry import Entry
    from mkdocs_rulebook.pages.site import Site

PAGE = "evidence.md"
BADGE = "evidence.svg"
ENDPOINT = "evidence.json"
DESCRIPTION = "What is proved about the rules and what is not, with the reasons."
TITLE = "Evidence"
LABEL = "rules proved"

ONE_WAY = (Proof.INVALID_ONLY, Proof.VALID_ONLY)


@dataclass(frozen=True)
class Share:
    """How many rules are proved in one way: `kind` is the class of its colour, `start` and `width` are per cent."""

    kind: str
    label: str
    count: int
    start: float
    width: float


@dataclass(frozen=True)
class EvidenceRow:
    """The rules of an owner at one level."""

    owner: str
    level: str
    total: int
    both: int
    one: int
    none: int
    unverified: int
    shares: tuple[Share, ...]

    @property
    def in_words(self) -> str:
        """The same, for somebody who does not see a chart."""
        return ", ".join(f"{share.count} {share.label}" for share in self.shares)


@dataclass(frozen=True)
class Said:
    """A rule and what is to be said of it."""

    rule: Link
    id: str
    text_md: str


@dataclass(frozen=True)
class EngineView:
    """What decided, and how many examples."""

    name: str
    examples: int


@dataclass(frozen=True)
class EvidenceView:
    """The page."""

    title: str
    description: str
    index: Link
    summary: str
    badge: str
    endpoint: str
    rows: tuple[EvidenceRow, ...]
    total: EvidenceRow
    one_way: tuple[Said, ...]
    unverified: tuple[Said, ...]
    partly: tuple[Said, ...]
    known: tuple[Said, ...]
    wrong: tuple[Said, ...]
    engines: tuple[EngineView, ...]


def evidence_view(site: Site, entries: Sequence[Entry]) -> EvidenceView:
    """Return what the page says.

    Args:
        site: what the pages know about each other.
        entries: all rules with what is proved about them.
    """
    page = site.layout.below(PAGE)
    links = site.links(page)
    owners = {owner.id: owner.title for report in site.reports for owner in report.catalogue.owners.values()}
    rows = []
    for owner in owners:
        for level in Level:
            own = [entry for entry in entries if (entry.rule.owner, entry.rule.level) == (owner, level)]
            if own:
                rows.append(_row(owners[owner], words.level(level), own))
    engines = Counter(v.engine for entry in entries for v in entry.verdicts if v.engine)

    def said(entry: Entry, text: str) -> Said:
        return Said(Link(entry.rule.title, site.rule_link(entry.rule.id, page)), entry.rule.id, text)

    return EvidenceView(
        title=TITLE,
        description=DESCRIPTION,
        index=Link("Rules", site.rule_index_link(page)),
        summary=summary(entries),
        badge=BADGE,
        endpoint=ENDPOINT,
        rows=tuple(rows),
        total=_row("All", "", entries),
        one_way=tuple(said(e, words.PROOF[e.proof]) for e in entries if e.proof in ONE_WAY),
        unverified=tuple(said(e, prose(e.reason, links)) for e in entries if e.reason),
        partly=tuple(said(e, prose(e.rule.check.unchecked, links)) for e in entries if e.rule.check.unchecked),
        known=tuple(said(e, text) for e in entries for text in _known(e)),
        wrong=tuple(said(e, text) for e in entries for text in _wrong(e)),
        engines=tuple(EngineView(name, number) for name, number in sorted(engines.items())),
    )


def _row(owner: str, level: str, entries: Sequence[Entry]) -> EvidenceRow:
    proofs = Counter(entry.proof for entry in entries)
    one = sum(proofs[proof] for proof in ONE_WAY)
    counts = [
        ("both", words.PROOF[Proof.BOTH], proofs[Proof.BOTH]),
        ("one", "proved one way", one),
        ("unverified", words.PROOF[Proof.UNVERIFIED], proofs[Proof.UNVERIFIED]),
        ("none", words.PROOF[Proof.NONE], proofs[Proof.NONE]),
    ]
    shares: list[Share] = []
    for kind, label, count in counts:
        if count:
            start = shares[-1].start + shares[-1].width if shares else 0.0
            shares.append(Share(kind, label, count, round(start, 2), round(100 * count / len(entries), 2)))
    return EvidenceRow(
        owner,
        level,
        len(entries),
        proofs[Proof.BOTH],
        one,
        proofs[Proof.NONE],
        proofs[Proof.UNVERIFIED],
        tuple(shares),
    )


def _known(entry: Entry) -> Iterable[str]:
    for verdict in entry.verdicts:
        known = verdict.example.known
        if known and verdict.known:
            yield f"{_example(verdict)}: {inline(sentence(f'{words.OUTCOME[known.outcome]}. {known.reason}'))}"


def _wrong(entry: Entry) -> Iterable[str]:
    for verdict in entry.verdicts:
        if not verdict.passes:
            yield f"{_example(verdict)}: {inline(sentence(words.OUTCOME[verdict.outcome]))}"
    for fault in entry.faults:
        if not fault.example:
            yield inline(sentence(fault.message))


def _example(verdict: Verdict) -> str:
    return f"Example {inline(f'`{verdict.example.id}`')}"


def summary(entries: Sequence[Entry]) -> str:
    """Return in one line what is proved."""
    examples = [verdict for entry in entries for verdict in entry.verdicts]
    confirmed = sum(verdict.outcome == Outcome.CONFIRMED for verdict in examples)
    both = sum(entry.proof == Proof.BOTH for entry in entries)
    return (
        f"{both} of {words.count(len(entries), 'rule')} are proved both ways; "
        f"{confirmed} of {words.count(len(examples), 'example')} are confirmed."
    )


def endpoint(entries: Sequence[Entry]) -> dict[str, object]:
    """Return the numbers in the form that services which draw badges read (shields.io, endpoint badge, version 1)."""
    both = sum(entry.proof == Proof.BOTH for entry in entries)
    share = both / len(entries) if entries else 0
    wrong = any(not verdict.passes for entry in entries for verdict in entry.verdicts)
    color = "red" if wrong else "brightgreen" if share == 1 else "green" if share >= 0.9 else "yellow"
    return {"schemaVersion": 1, "label": LABEL, "message": f"{both} of {len(entries)}", "color": color}


_COLOURS = {"red": "#b02a1e", "brightgreen": "#1a6b3c", "green": "#2f6b1a", "yellow": "#7a5200"}
"""White letters can be read on each of them (WCAG 2.2, 1.4.3)."""


def badge(entries: Sequence[Entry]) -> str:
    """Return the numbers as a small picture."""
    data = endpoint(entries)
    label, message, colour = str(data["label"]), str(data["message"]), _COLOURS[str(data["color"])]
    left, right = _width(label), _width(message)
    said = html.escape(f"{label}: {message}")
    texts = "".join(
        f'<text x="{x:g}" y="14" textLength="{width - 12:g}">{html.escape(text)}</text>'
        for x, width, text in ((6, left, label), (left + 6, right, message))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right:g}" height="20" role="img" aria-label="{said}">'
        f"<title>{said}</title>"
        f'<rect width="{left + right:g}" height="20" rx="3" fill="#444"/>'
        f'<path d="M{left:g} 0h{right - 3:g}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-{right - 3:g}z" fill="{colour}"/>'
        f'<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">{texts}</g></svg>\n'
    )


def _width(text: str) -> float:
    """Return about how wide a text is at 11 pixels, with room on both sides; the picture stretches it to that."""
    return round(12 + 6.6 * len(text), 1)
