"""Rules as rows of a table, and all that a list of rules is filtered by."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from mkdocs_rulebook.pages import words
from mkdocs_rulebook.pages.dimension import Dimension, Value, values_of
from mkdocs_rulebook.pages.layout import Page, relative
from mkdocs_rulebook.pages.page_twin import overview
from mkdocs_rulebook.pages.site import SURFACE, surface_anchor
from mkdocs_rulebook.pages.view import Link, RowView

if TYPE_CHECKING:
    from mkdocs_rulebook.pages.entry import Entry
    from mkdocs_rulebook.pages.layout import Layout
    from mkdocs_rulebook.pages.site import Site


@dataclass(frozen=True)
class BrowseView:
    """The pages that list the rules of one dimension: a link and a number for each value."""

    label: str
    links: tuple[tuple[Link, int], ...]


@dataclass(frozen=True)
class TableView:
    """The rules of one catalogue in a list."""

    title: str
    rows: tuple[RowView, ...]
    surface: str = ""


@dataclass(frozen=True)
class ListView:
    """A page that lists the rules with one value of a dimension."""

    title: str
    description: str
    index: Link
    dimension: str
    filtered: str
    counted: str
    tables: tuple[TableView, ...]
    others: BrowseView


def rows(site: Site, entries: Iterable[Entry], dimensions: Sequence[Dimension], page: str) -> Iterator[RowView]:
    """Yield a row for each rule.

    Args:
        site: what the pages know about each other.
        entries: the rules, of one catalogue.
        dimensions: what they can be filtered by.
        page: the page that lists them.
    """
    seen = set()
    for entry in entries:
        rule = entry.rule
        anchor = surface_anchor(site.name(entry.catalogue), rule)
        yield RowView(
            rule=Link(rule.title, site.rule_link(rule.id, page)),
            id=rule.id,
            level=words.level(rule.level),
            proof=entry.shown.words,
            proof_kind=entry.shown.kind,
            surface=rule.facets.get(SURFACE, ()),
            anchor=anchor if anchor not in seen else "",
            deprecated=bool(rule.deprecated or rule.replaced_by),
            data=_data(entry, dimensions),
        )
        seen.add(anchor)


def _data(entry: Entry, dimensions: Iterable[Dimension]) -> str:
    pairs = [(dimension.key, value) for dimension in dimensions for value in values_of(entry, dimension.key)]
    return urlencode([*pairs, *(("alias", alias) for alias in entry.rule.aliases)])


def surface_label(entry: Entry) -> str:
    """Return what the catalogue of a rule calls its surfaces, or nothing."""
    return next((facet.label for facet in entry.catalogue.facets if facet.key == SURFACE), "")


def list_path(layout: Layout, dimension: Dimension, value: Value) -> str:
    """Return the page that lists the rules of a value. It lies deeper than any page of a rule can."""
    return posixpath.join(layout.base, "by", dimension.key, f"{value.slug}.md")


def browse(layout: Layout, dimension: Dimension, page: str) -> BrowseView:
    """Return the links from a page to all lists of a dimension."""
    links = []
    for value in dimension.values:
        target = list_path(layout, dimension, value)
        links.append((Link(value.label, relative(target, page) if target != page else ""), value.count))
    return BrowseView(dimension.label, tuple(links))


def list_pages(site: Site, entries: Sequence[Entry], dimensions: Sequence[Dimension]) -> Iterator[Page]:
    """Yield a page for each value of each dimension that has pages: a list of rules that needs no script.

    Args:
        site: what the pages know about each other.
        entries: all rules.
        dimensions: what they can be sorted by.
    """
    for dimension in dimensions:
        for value in dimension.values if dimension.pages else ():
            path = list_path(site.layout, dimension, value)
            found = [entry for entry in entries if value.name in (values_of(entry, dimension.key) or ("",))]
            view = _list_view(site, found, dimensions, dimension, value, path)
            yield overview(site.layout, path, "list", view)


def _list_view(
    site: Site, found: list[Entry], dimensions: Sequence[Dimension], dimension: Dimension, value: Value, path: str
) -> ListView:
    tables = []
    for report in site.reports:
        own = [entry for entry in found if entry.catalogue is report.catalogue]
        if own:
            shown = tuple(rows(site, own, dimensions, path))
            tables.append(TableView(report.catalogue.title, shown, surface_label(own[0])))
    title = f"{dimension.label}: {value.label}"
    counted = words.count(len(found), "rule")
    return ListView(
        title=title,
        description=f"{counted} with {title}.",
        index=Link("Rules", site.rule_index_link(path)),
        dimension=dimension.label,
        filtered=urlencode({dimension.key: value.name or "-"}),
        counted=counted,
        tables=tuple(tables),
        others=browse(site.layout, dimension, path),
    )
