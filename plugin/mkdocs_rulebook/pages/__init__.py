"""Reports → Markdown pages. Pure: what it needs of the world is handed in, and nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs_rulebook.pages.dimension import dimensions
from mkdocs_rulebook.pages.entry import entries, own_reports
from mkdocs_rulebook.pages.index_view import index_view
from mkdocs_rulebook.pages.layout import Asset, Layout, Page, Pages, Redirect
from mkdocs_rulebook.pages.page_twin import overview
from mkdocs_rulebook.pages.redirects import redirects
from mkdocs_rulebook.pages.related import Related
from mkdocs_rulebook.pages.rule_view import rule_view
from mkdocs_rulebook.pages.site import Site
from mkdocs_rulebook.pages.template import environment
from mkdocs_rulebook.pages.tombstone_view import page_view, tombstones

if TYPE_CHECKING:
    from mkdocs_rulebook.model import Anchor, Catalogue, Report
    from mkdocs_rulebook.source import Source
    from mkdocs_rulebook.spec import SpecAnchor

__all__ = [
    "CSS",
    "EXTENSIONS",
    "FILTER",
    "JAVASCRIPT",
    "Asset",
    "Layout",
    "Page",
    "Pages",
    "Redirect",
    "asset",
    "render",
    "render_site",
]

CSS = "rulebook.css"
JAVASCRIPT = "rulebook.js"
FILTER = "rulebook-filter.js"

EXTENSIONS = ("attr_list", "md_in_html", "tables", "toc")
"""The Markdown extensions that the pages are written for."""


def asset(name: str) -> str:
    """Return the text of the style sheet `CSS` or of a script, `JAVASCRIPT` or `FILTER`."""
    return files(__package__).joinpath("assets", name).read_text("utf-8")


def render(
    reports: Sequence[Report],
    layout: Layout,
    read: Callable[[Path], Source],
    find: Callable[[Catalogue, Anchor], SpecAnchor | None],
) -> Pages:
    """Render all pages of a site.

    Args:
        reports: what verification said, one report for each catalogue.
        layout: where things lie in the documentation tree.
        read: reads a fixture or a rule file; raises `SourceError`.
        find: finds an anchor in the specifications of a catalogue, or returns None.

    Returns:
        A page for each rule, also for each that was removed, a list of all rules, the files that they link to, and a
        redirect for each short address and each former id.
    """
    return render_site(Site(reports, layout, read, find))


def render_site(site: Site) -> Pages:
    """Render the same pages of a site that is put together already."""
    reports, layout = site.reports, site.layout
    templates = environment(layout.templates)
    rule_template = templates.get_template("rule.md.jinja")
    pages: list[Page] = []
    for report in reports:
        related = Related(site, report)
        for rule, own in own_reports(report):
            text = rule_template.render(page=rule_view(site, own, rule, related))
            pages.append(Page(layout.page(rule.id), text, rule.place.path))
    tombstone = templates.get_template("tombstone.md.jinja")
    for gone in tombstones(reports):
        text = tombstone.render(page=page_view(site, gone))
        pages.append(Page(layout.page(gone.rule.id), text, gone.rule.place.path))
    all_rules = entries(reports)
    found = dimensions(reports, all_rules)
    origin = reports[0].catalogue.folder / "catalogue.yaml" if len(reports) == 1 else None
    index = overview(layout, layout.index, "index", index_view(site, all_rules, found))
    pages.append(replace(index, origin=origin))
    return Pages(
        tuple(sorted(pages, key=lambda page: page.path)),
        tuple(sorted(site.assets.values(), key=lambda found: found.path)),
        tuple(redirects(site, templates.get_template("redirect.html.jinja").render)),
    )
