"""Which other rules somebody who reads about one may want: those at the same place of the specification or surface."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from mkdocs_rulebook.pages import words
from mkdocs_rulebook.pages.site import SURFACE
from mkdocs_rulebook.pages.view import Link, RelatedView

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mkdocs_rulebook.model import Catalogue, Rule
    from mkdocs_rulebook.pages.site import Site

MAX_RELATED = 8


class Related:
    """The relations between the rules of one catalogue, found once for all of its pages."""

    def __init__(self, site: Site, catalogue: Catalogue) -> None:
        self._site = site
        self._rules = {rule.id: rule for rule in catalogue.rules}
        self._sharing: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for rule in catalogue.rules:
            for key in _keys(rule):
                self._sharing[key].append(rule.id)

    def ids(self, rule: Rule) -> list[str]:
        """Return the ids of related rules: those that share an anchor first, then in the order of the catalogue."""
        others = dict.fromkeys(other for key in _keys(rule) for other in self._sharing[key])
        return [other for other in others if other != rule.id and not self._rules[other].deprecated][:MAX_RELATED]

    def views(self, rule: Rule, page: str) -> tuple[RelatedView, ...]:
        """Return what a page says about the related rules."""
        found = [self._rules[other] for other in self.ids(rule)]
        return tuple(
            RelatedView(Link(other.title, self._site.rule_link(other.id, page)), other.id, words.level(other.level))
            for other in found
        )


def _keys(rule: Rule) -> Iterable[tuple[str, ...]]:
    for required in rule.required_by:
        for anchor in required.anchors:
            yield "anchor", str(anchor)
    for value in rule.facets.get(SURFACE, ()):
        yield "surface", rule.owner, value
