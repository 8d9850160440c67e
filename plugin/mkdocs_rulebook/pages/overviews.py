"""The pages about many rules, beside the list of them all: for each value of a dimension, traceability, evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from mkdocs_rulebook.pages import evidence_view, traceability_view
from mkdocs_rulebook.pages.dimension import dimensions
from mkdocs_rulebook.pages.page_twin import overview
from mkdocs_rulebook.pages.rows import list_pages

if TYPE_CHECKING:
    from mkdocs_rulebook.coverage import Coverage
    from mkdocs_rulebook.model import Report
    from mkdocs_rulebook.pages.entry import Entry
    from mkdocs_rulebook.pages.layout import Page
    from mkdocs_rulebook.pages.site import Site


def overview_pages(site: Site, entries: Sequence[Entry], coverages: Iterable[tuple[Report, Coverage]]) -> list[Page]:
    """Return the pages.

    Args:
        site: what the pages know about each other.
        entries: all rules with what is proved about them.
        coverages: what is covered in the specifications of each catalogue.
    """
    found = dimensions(site.reports, entries)
    traceability = traceability_view.traceability_view(site, entries, coverages)
    evidence = evidence_view.evidence_view(site, entries)
    return [
        *list_pages(site, entries, found),
        overview(site.layout, site.layout.below(traceability_view.PAGE), "traceability", traceability),
        overview(site.layout, site.layout.below(evidence_view.PAGE), "evidence", evidence),
    ]
