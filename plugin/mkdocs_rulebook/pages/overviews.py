"""The pages about many rules, beside the list of them all: one for each value of a dimension."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mkdocs_rulebook.pages.dimension import dimensions
from mkdocs_rulebook.pages.rows import list_pages
from mkdocs_rulebook.pages.template import environment

if TYPE_CHECKING:
    from mkdocs_rulebook.pages.entry import Entry
    from mkdocs_rulebook.pages.layout import Page
    from mkdocs_rulebook.pages.site import Site


def overview_pages(site: Site, entries: Sequence[Entry]) -> list[Page]:
    """Return the pages.

    Args:
        site: what the pages know about each other.
        entries: all rules with what is proved about them.
    """
    templates = environment(site.layout.templates)
    found = dimensions(site.reports, entries)
    return list(list_pages(site, entries, found, templates.get_template("list.md.jinja")))
