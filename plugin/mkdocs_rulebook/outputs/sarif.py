"""All rules as SARIF 2.1.0 (OASIS): one tool component for each catalogue, with a reporting descriptor for each rule.

A log that only describes rules has no `results` (section 3.14.23). What a linter reports refers to these descriptors
by the id of the rule.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mkdocs_rulebook.model import JSON, Level
from mkdocs_rulebook.outputs.encode import encode, filled
from mkdocs_rulebook.pages import words
from mkdocs_rulebook.pages.text import without_markup

if TYPE_CHECKING:
    from mkdocs_rulebook.pages.entry import Entry
    from mkdocs_rulebook.pages.site import Site

FILE = "rules.sarif"
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

LEVELS = {
    Level.MUST: "error",
    Level.MUST_NOT: "error",
    Level.SHOULD: "warning",
    Level.SHOULD_NOT: "warning",
    Level.MAY: "note",
}
"""What SARIF calls a failure against a rule of each level (section 3.50.3)."""


def rules_sarif(site: Site, entries: Iterable[Entry]) -> str:
    """Return the log. Without an address of the site there is no `helpUri`: it has to be absolute (section 3.49.12).

    Args:
        site: what the pages know about each other.
        entries: the rules with what is proved about them.
    """
    rules = list(entries)
    runs = []
    for report in site.reports:
        catalogue = report.catalogue
        driver = filled(
            name=catalogue.title,
            version=catalogue.edition,
            informationUri=site.layout.url(site.layout.html(site.layout.index)),
            rules=[_rule(site, entry) for entry in rules if entry.catalogue is catalogue],
        )
        runs.append({"tool": {"driver": driver}})
    return encode({"$schema": SCHEMA, "version": "2.1.0", "runs": runs})


def _rule(site: Site, entry: Entry) -> JSON:
    rule = entry.rule
    tags = [words.level(rule.level), *(value for values in rule.facets.values() for value in values)]
    return filled(
        id=rule.id,
        name=rule.title,
        deprecatedIds=list(rule.aliases),
        shortDescription={"text": rule.title},
        fullDescription={"text": entry.description},
        help={"text": without_markup(rule.requirement), "markdown": rule.requirement},
        helpUri=site.layout.url(site.layout.published(rule.id)),
        defaultConfiguration={"level": LEVELS[rule.level]},
        properties={"tags": sorted(set(tags)), "level": str(rule.level), "proof": str(entry.proof)},
    )
