"""A removed rule → what stands at its address: that it is gone, since when, why, and what replaces it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mkdocs_rulebook.pages.template import environment
from mkdocs_rulebook.pages.text import prose
from mkdocs_rulebook.pages.twin_view import twin_links
from mkdocs_rulebook.pages.view import Link
from mkdocs_rulebook.removal import living

if TYPE_CHECKING:
    from mkdocs_rulebook.model import Catalogue, Removed, Report
    from mkdocs_rulebook.pages.site import Site
    from mkdocs_rulebook.pages.text import Links


@dataclass(frozen=True)
class Successor:
    """What replaced the rule. Where that is `gone` itself, it says so, and `today` has what replaces it now."""

    rule: Link
    id: str
    gone: str = ""
    today: tuple[Link, ...] = ()


@dataclass(frozen=True)
class TombstoneView:
    """The page at the address of a removed rule, or its twin."""

    id: str
    title: str
    description: str
    catalogue: Link
    edition: str
    removed_in: str
    said: str
    reason_md: str
    successors: tuple[Successor, ...]
    aliases: tuple[str, ...] = ()
    source: Link | None = None
    address: str = ""


@dataclass(frozen=True)
class Tombstone:
    """A removed rule with its catalogue, for whatever lists them."""

    catalogue: Catalogue
    rule: Removed

    @property
    def title(self) -> str:
        """The title that it had, or its id."""
        return self.rule.title or self.rule.id

    @property
    def said(self) -> str:
        """That the rule is gone, and since when."""
        return _said(self.rule)


def _said(gone: Removed) -> str:
    return f"Removed in {gone.removed_in}" if gone.removed_in else "Removed"


def tombstones(reports: Sequence[Report]) -> tuple[Tombstone, ...]:
    """Return all removed rules, in the order of the catalogues."""
    return tuple(Tombstone(report.catalogue, gone) for report in reports for gone in report.catalogue.removed)


def description(site: Site, one: Tombstone) -> str:
    """Return one plain sentence: that the rule is gone, and what replaces it."""
    today = living(one.rule, site.removed)
    instead = f" Replaced by {', '.join(f'`{each}`' for each in today)}." if today else ""
    since = f" in {one.rule.removed_in}" if one.rule.removed_in else ""
    return f"The rule `{one.rule.id}` was removed{since}.{instead}"


def page_view(site: Site, one: Tombstone) -> TombstoneView:
    """Return what the page says."""
    page = site.layout.page(one.rule.id)
    index = Link(one.catalogue.title, f"{site.rule_index_link(page)}#{site.name(one.catalogue)}")
    return _view(site, one, site.links(page), index, site.place_link(one.catalogue, one.rule.place, page))


def twin_text(site: Site, one: Tombstone) -> str:
    """Return the text of the Markdown twin."""
    layout = site.layout
    links = twin_links(site, layout.twin(one.rule.id))
    view = _view(site, one, links, Link(one.catalogue.title), None)
    return environment(layout.templates).get_template("tombstone-twin.md.jinja").render(page=view)


def _view(site: Site, one: Tombstone, links: Links, catalogue: Link, source: Link | None) -> TombstoneView:
    gone, published = one.rule, site.layout.published(one.rule.id)
    return TombstoneView(
        id=gone.id,
        title=one.title,
        description=description(site, one),
        catalogue=catalogue,
        edition=one.catalogue.edition,
        removed_in=gone.removed_in,
        said=one.said,
        reason_md=prose(gone.reason, links),
        successors=tuple(_successors(site, gone, links)),
        aliases=gone.aliases,
        source=source,
        address=site.layout.source(published),
    )


def _successors(site: Site, gone: Removed, links: Links) -> Iterator[Successor]:
    for name in gone.replaced_by:
        other = site.removed.get(name)
        said = _said(other).lower() if other else ""
        today = [_rule(site, each, links) for each in living(other, site.removed)] if other else []
        yield Successor(_rule(site, name, links), name, said, tuple(today))


def _rule(site: Site, name: str, links: Links) -> Link:
    known = site.rules.get(name) or site.removed.get(name)
    return Link((known.title if known else "") or name, links(name))
