"""Which other rules somebody who reads about one may want, and why: the neighbours, and what they have in common."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from mkdocs_rulebook.pages import words
from mkdocs_rulebook.pages.dimension import filter_name
from mkdocs_rulebook.pages.site import SURFACE
from mkdocs_rulebook.pages.view import Link, NeighboursView, RelatedView

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mkdocs_rulebook.model import Anchor, Facet, Report, Rule
    from mkdocs_rulebook.pages.site import Site
    from mkdocs_rulebook.pages.text import Links

MAX_RELATED = 8

BROKEN_HERE = "an example of this rule breaks it as well"
BREAKS_THIS = "an example of it breaks this rule as well"


class Related:
    """The relations between the rules of one catalogue, found once for all of its pages."""

    def __init__(self, site: Site, report: Report) -> None:
        catalogue = report.catalogue
        self._site, self._catalogue = site, catalogue
        self._order = {rule.id: number for number, rule in enumerate(catalogue.rules)}
        self._at: dict[str, list[str]] = defaultdict(list)
        self._with: dict[tuple[str, str], list[str]] = defaultdict(list)
        self._facets = sorted(catalogue.facets, key=lambda facet: (facet.key != SURFACE, not facet.pages))
        for rule in catalogue.rules:
            for anchor in _anchors(rule):
                self._at[str(anchor)].append(rule.id)
            for facet in catalogue.facets:
                for value in rule.facets.get(facet.key, ()):
                    self._with[facet.key, value].append(rule.id)
        self._broken: dict[str, dict[str, None]] = defaultdict(dict)
        self._breaking: dict[str, dict[str, None]] = defaultdict(dict)
        for verdict in report.verdicts:
            for other in sorted(verdict.also):
                self._broken[verdict.rule.id][other] = None
                self._breaking[other][verdict.rule.id] = None

    def why(self, rule: Rule) -> dict[str, list[str]]:
        """Return the ids of the related rules, each with the reasons in words.

        Those that share an anchor come first, then those that one of the two breaks with the other; of those with the
        same value of a facet the nearest in the catalogue, as far as there is room.
        """
        found: dict[str, list[str]] = {}

        def add(ids: Iterable[str], reason: str) -> None:
            for other in ids:
                if other != rule.id and other in self._order and not self._rule(other).deprecated:
                    reasons = found.setdefault(other, [])
                    if reason not in reasons:
                        reasons.append(reason)

        for anchor in _anchors(rule):
            add(self._at[str(anchor)], f"same requirement: {self._place(anchor)}")
        add(self._broken[rule.id], BROKEN_HERE)
        add(self._breaking[rule.id], BREAKS_THIS)
        close = list(found)[:MAX_RELATED]
        for facet, value in self._subjects(rule):
            add(self._with[facet.key, value], f"{facet.label}: {value}")
        here = self._order[rule.id]
        others = sorted((each for each in found if each not in close), key=lambda each: abs(self._order[each] - here))
        near = sorted(others[: MAX_RELATED - len(close)], key=self._order.__getitem__)
        return {other: found[other] for other in (*close, *near)}

    def views(self, rule: Rule, links: Links) -> tuple[RelatedView, ...]:
        """Return what a page says about the related rules.

        Args:
            rule: the rule that the page is about.
            links: tells for a rule id the link from the page.
        """
        return tuple(
            RelatedView(Link(found.title, links(other)), other, words.level(found.level), tuple(reasons))
            for other, reasons in self.why(rule).items()
            for found in (self._rule(other),)
        )

    def more(self, rule: Rule, page: str) -> tuple[Link, ...]:
        """Return the links from a page to all rules with the same value of a facet, where not all of them are shown."""
        shown = self.why(rule)
        return tuple(
            Link(
                f"All {len(ids)} rules with {facet.label}: {value}",
                f"{self._site.rule_index_link(page)}?{urlencode({filter_name(facet.key): value})}",
            )
            for facet, value in self._subjects(rule)
            for ids in (self._with[facet.key, value],)
            if set(ids) - shown.keys() - {rule.id}
        )

    def neighbours(self, rule: Rule, links: Links) -> NeighboursView:
        """Return the rules before and after a rule in the order of the catalogue."""
        rules, here = self._catalogue.rules, self._order[rule.id]
        before = rules[here - 1] if here else None
        after = rules[here + 1] if here + 1 < len(rules) else None
        found = [Link(rule.title, links(rule.id)) if rule else None for rule in (before, after)]
        return NeighboursView(*found)

    def _rule(self, rule_id: str) -> Rule:
        return self._catalogue.rules[self._order[rule_id]]

    def _subjects(self, rule: Rule) -> list[tuple[Facet, str]]:
        """Return what a rule is about: its surface, else its values of the first facet that it has some of."""
        facet = next((facet for facet in self._facets if rule.facets.get(facet.key)), None)
        return [(facet, value) for value in rule.facets[facet.key]] if facet else []

    def _place(self, anchor: Anchor) -> str:
        _, found = self._site.spec_link(self._catalogue, anchor, self._site.layout.index)
        return found.heading.title if found and found.heading else str(anchor)


def _anchors(rule: Rule) -> list[Anchor]:
    return [anchor for required in rule.required_by for anchor in required.anchors]
