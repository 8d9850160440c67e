"""All rules as `objects.inv`, the list of link targets that Sphinx's intersphinx and mkdocstrings read (version 2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import sphobjinv

from mkdocs_rulebook.pages.layout import between
from mkdocs_rulebook.pages.tombstone_view import tombstones

if TYPE_CHECKING:
    from mkdocs_rulebook.pages.entry import Entry
    from mkdocs_rulebook.pages.site import Site

FILE = "objects.inv"

DOMAIN, ROLE = "std", "label"
"""What a rule is to Sphinx: a label, so that both `:ref:` and `:external:` find it by its id."""


def inventory(site: Site, entries: Iterable[Entry]) -> bytes:
    """Return the inventory. Its addresses count from the folder it lies in; a former id leads to the same page.

    A removed rule is listed as well: a link of somebody else's then leads to what replaced it.

    Args:
        site: what the pages know about each other.
        entries: the rules.
    """
    found = sphobjinv.Inventory()
    found.project = site.layout.site_name or "rules"
    found.version = ", ".join(dict.fromkeys(report.catalogue.edition for report in site.reports))
    for entry in entries:
        uri = between(site.layout.published(entry.rule.id), site.layout.below(FILE))
        title = entry.rule.title
        found.objects += [
            sphobjinv.DataObjStr(name=name, domain=DOMAIN, role=ROLE, priority="1", uri=uri, dispname=title)
            for name in (entry.rule.id, *entry.rule.aliases)
        ]
    for gone in tombstones(site.reports):
        uri = between(site.layout.published(gone.rule.id), site.layout.below(FILE))
        found.objects += [
            sphobjinv.DataObjStr(name=name, domain=DOMAIN, role=ROLE, priority="1", uri=uri, dispname=gone.title)
            for name in (gone.rule.id, *gone.rule.aliases)
        ]
    return bytes(sphobjinv.compress(found.data_file()))
