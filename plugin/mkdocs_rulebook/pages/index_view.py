"""All reports → what the list of all rules says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mkdocs_rulebook.model import Outcome, Severity
from mkdocs_rulebook.pages import words
from mkdocs_rulebook.pages.site import SURFACE, Site, surface_anchor
from mkdocs_rulebook.pages.text import prose
from mkdocs_rulebook.pages.view import FaultView, IndexView, Link, RowView, SectionView

if TYPE_CHECKING:
    from mkdocs_rulebook.model import Fault, Proof, Report

TITLE = "Rules"


def index_view(site: Site, proofs: dict[str, Proof]) -> IndexView:
    """Return what the list of all rules says.

    Args:
        site: what the pages know about each other.
        proofs: what is proved about each rule.
    """
    titles = [report.catalogue.title for report in site.reports]
    description = f"All rules of {', '.join(titles)}, with what is proved about each of them."
    return IndexView(TITLE, description, tuple(_section(site, report, proofs) for report in site.reports))


def _section(site: Site, report: Report, proofs: dict[str, Proof]) -> SectionView:
    catalogue, page = report.catalogue, site.layout.index
    surface = next((facet.label for facet in catalogue.facets if facet.key == SURFACE), "")
    return SectionView(
        anchor=site.name(catalogue),
        title=catalogue.title,
        edition=catalogue.edition,
        counts=_counts(report),
        rows=tuple(_rows(site, report, proofs, page)),
        summary_md=prose(catalogue.summary, site.links(page)),
        surface=surface,
        faults=tuple(_fault(site, report, fault, page) for fault in report.faults),
    )


def _rows(site: Site, report: Report, proofs: dict[str, Proof], page: str) -> Iterable[RowView]:
    name, seen = site.name(report.catalogue), set()
    for rule in report.catalogue.rules:
        anchor = surface_anchor(name, rule)
        yield RowView(
            rule=Link(rule.title, site.rule_link(rule.id, page)),
            id=rule.id,
            level=words.level(rule.level),
            proof=words.PROOF[proofs[rule.id]],
            proof_kind=proofs[rule.id].name.lower().replace("_", "-"),
            surface=rule.facets.get(SURFACE, ()),
            anchor=anchor if anchor not in seen else "",
            deprecated=bool(rule.deprecated or rule.replaced_by),
        )
        seen.add(anchor)


def _counts(report: Report) -> str:
    verdicts = report.verdicts
    counted = [
        words.count(len(report.catalogue.rules), "rule"),
        words.count(len(verdicts), "example"),
        f"{_number(verdict.outcome == Outcome.CONFIRMED for verdict in verdicts)} confirmed",
        f"{_number(verdict.outcome == Outcome.UNVERIFIED for verdict in verdicts)} not machine-checked",
    ]
    if known := _number(verdict.known for verdict in verdicts):
        counted.append(words.count(known, "known fault"))
    if wrong := _number(fault.severity == Severity.ERROR for fault in report.faults):
        counted.append(words.count(wrong, "fault"))
    return " · ".join(counted)


def _fault(site: Site, report: Report, fault: Fault, page: str) -> FaultView:
    place = fault.place
    shown = site.shown_path(report.catalogue, place.path)
    rule = Link(fault.rule, site.rule_link(fault.rule, page)) if fault.rule else None
    where = f"{shown}:{place.position.line}:{place.position.column}"
    return FaultView(where, fault.kind, fault.message, rule, fault.severity == Severity.WARNING)


def _number(facts: Iterable[bool]) -> int:
    return sum(facts)
