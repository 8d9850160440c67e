"""All reports → what the list of all rules says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mkdocs_rulebook.model import Outcome, Severity
from mkdocs_rulebook.pages import evidence_view, traceability_view, words
from mkdocs_rulebook.pages.layout import relative
from mkdocs_rulebook.pages.rows import browse, rows
from mkdocs_rulebook.pages.site import SURFACE, Site
from mkdocs_rulebook.pages.text import prose
from mkdocs_rulebook.pages.tombstone_view import tombstones
from mkdocs_rulebook.pages.view import Link

if TYPE_CHECKING:
    from mkdocs_rulebook.model import Fault, Report
    from mkdocs_rulebook.pages.dimension import Dimension
    from mkdocs_rulebook.pages.entry import Entry
    from mkdocs_rulebook.pages.rows import BrowseView
    from mkdocs_rulebook.pages.view import RowView

TITLE = "Rules"


@dataclass(frozen=True)
class FaultView:
    """A fault: where it is, what it is called, what is said of it, and the rule it belongs to."""

    place: str
    kind: str
    message: str
    rule: Link | None = None
    warning: bool = False


@dataclass(frozen=True)
class SectionView:
    """A catalogue in the list of all rules. `surface` is what the facet of that name is called, if there is one."""

    anchor: str
    title: str
    edition: str
    counts: str
    rows: tuple[RowView, ...]
    summary_md: str = ""
    surface: str = ""
    faults: tuple[FaultView, ...] = ()


@dataclass(frozen=True)
class RemovedView:
    """A rule that there is no more. `names` has its id and its former ids."""

    rule: Link
    names: tuple[str, ...]
    said: str


@dataclass(frozen=True)
class IndexView:
    """The page that lists all rules. `filters` and `browse` are what it can be narrowed down by."""

    title: str
    description: str
    sections: tuple[SectionView, ...]
    total: int
    filters: tuple[Dimension, ...]
    browse: tuple[BrowseView, ...]
    overviews: tuple[Link, ...] = ()
    removed: tuple[RemovedView, ...] = ()


def index_view(site: Site, entries: Sequence[Entry], dimensions: Sequence[Dimension]) -> IndexView:
    """Return what the list of all rules says.

    Args:
        site: what the pages know about each other.
        entries: all rules with what is proved about them.
        dimensions: what they can be filtered by.
    """
    titles = [report.catalogue.title for report in site.reports]
    page = site.layout.index
    return IndexView(
        title=TITLE,
        description=f"All rules of {', '.join(titles)}, with what is proved about each of them.",
        sections=tuple(_section(site, report, entries, dimensions) for report in site.reports),
        total=len(entries),
        filters=tuple(dimension for dimension in dimensions if len(dimension.values) > 1),
        browse=tuple(browse(site.layout, dimension, page) for dimension in dimensions if dimension.pages),
        overviews=tuple(
            Link(view.TITLE, relative(site.layout.below(view.PAGE), page))
            for view in (traceability_view, evidence_view)
        ),
        removed=tuple(
            RemovedView(
                Link(gone.title, site.rule_link(gone.rule.id, page)), (gone.rule.id, *gone.rule.aliases), gone.said
            )
            for gone in tombstones(site.reports)
        ),
    )


def _section(site: Site, report: Report, entries: Sequence[Entry], dimensions: Sequence[Dimension]) -> SectionView:
    catalogue, page = report.catalogue, site.layout.index
    surface = next((facet.label for facet in catalogue.facets if facet.key == SURFACE), "")
    own = [entry for entry in entries if entry.catalogue is catalogue]
    return SectionView(
        anchor=site.name(catalogue),
        title=catalogue.title,
        edition=catalogue.edition,
        counts=_counts(report),
        rows=tuple(rows(site, own, dimensions, page)),
        summary_md=prose(catalogue.summary, site.links(page)),
        surface=surface,
        faults=tuple(_fault(site, report, fault, page) for fault in report.faults),
    )


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
