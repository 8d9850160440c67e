"""The rules for language models: `llms.txt`, a list of links to the Markdown twins, and `llms-full.txt`, all of them.

The form of the list is that of the llms.txt proposal: a title, a quotation that sums up, and sections of links.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from mkdocs_rulebook.outputs.rules_json import FILE as RULES_JSON
from mkdocs_rulebook.pages import evidence_view, traceability_view, words
from mkdocs_rulebook.pages.readable import escaped
from mkdocs_rulebook.pages.text import without_markup
from mkdocs_rulebook.pages.tombstone_view import description, tombstones

if TYPE_CHECKING:
    from mkdocs_rulebook.pages.entry import Entry
    from mkdocs_rulebook.pages.page_twin import Written
    from mkdocs_rulebook.pages.site import Site

LIST = "llms.txt"
FULL = "llms-full.txt"


def llms_txt(site: Site, entries: Iterable[Entry], where: str, written: Iterable[Written] = ()) -> str:
    """Return the list of all rules.

    Args:
        site: what the pages know about each other.
        entries: the rules with what is proved about them.
        where: the file as it is published, which its links start from.
        written: the pages of the site that have a twin and were written by hand.
    """
    layout, rules = site.layout, list(entries)
    lines = _head(site, rules)
    for report in site.reports:
        catalogue = report.catalogue
        lines += [f"## {escaped(catalogue.title)} {escaped(catalogue.edition)}", ""]
        if catalogue.summary:
            lines += [without_markup(catalogue.summary), ""]
        for entry in rules:
            if entry.catalogue is catalogue:
                href = layout.link(layout.twin(entry.rule.id), where)
                said = f"`{entry.rule.id}`, {words.level(entry.rule.level)}. {escaped(entry.description)}"
                lines.append(f"- [{escaped(entry.rule.title)}]({href}): {said}")
        lines.append("")
    pages = [_page(layout.link(page.twin, where), page.title, page.about) for page in written]
    if pages:
        lines += ["## Pages", "", *pages, ""]
    lines += ["## Optional", ""]
    for view in (traceability_view, evidence_view):
        href = layout.link(layout.twin_of(layout.below(view.PAGE)), where)
        lines.append(f"- [{view.TITLE}]({href}): {view.DESCRIPTION}")
    lines.append(f"- [All rules as JSON]({layout.link(layout.below(RULES_JSON), where)}): with checks and verdicts")
    lines.append(
        f"- [All rules in one text]({layout.link(layout.below(FULL), where)}): everything that is listed above"
    )
    for gone in tombstones(site.reports):
        href = layout.link(layout.twin(gone.rule.id), where)
        lines.append(f"- [{escaped(gone.title)}]({href}): {escaped(description(site, gone))}")
    return "\n".join(lines) + "\n"


def llms_full_txt(site: Site, entries: Iterable[Entry], twins: Mapping[str, str]) -> str:
    """Return all rules in one text.

    Args:
        site: what the pages know about each other.
        entries: the rules.
        twins: the twin of each rule by its id.
    """
    rules = list(entries)
    return "\n".join([*_head(site, rules), *(f"{twins[entry.rule.id].rstrip()}\n" for entry in rules)])


def _page(href: str, title: str, about: str) -> str:
    return f"- [{escaped(title)}]({href})" + (f": {escaped(about)}" if about else "")


def _head(site: Site, rules: list[Entry]) -> list[str]:
    titles = ", ".join(report.catalogue.title for report in site.reports)
    counted = words.count(len(rules), "rule")
    return [
        f"# {escaped(site.layout.site_name or 'Rules')}",
        "",
        f"> {counted} of {escaped(titles)}. What was proved about each of them when this was built is said with it.",
        "",
    ]
