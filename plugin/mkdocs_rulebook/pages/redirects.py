"""Addresses that lead to the page of a rule: its full id, and everything that it was called before."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from mkdocs_rulebook import reserved
from mkdocs_rulebook.model import address_of
from mkdocs_rulebook.pages.layout import Redirect, between

if TYPE_CHECKING:
    from mkdocs_rulebook.model import Removed, Rule
    from mkdocs_rulebook.pages.site import Site


def redirects(site: Site, fill: Callable[..., str]) -> list[Redirect]:
    """Return all redirects, sorted by path.

    `BASE/FULL.RULE.ID/` leads to the page of the rule, so that a program that knows an id knows an address. A former
    id does the same, and so does the address that its page had, unless a live page is there now. The ids of a removed
    rule lead to what is said about it. Where a file of the site lies at such an address, there is no redirect.

    Args:
        site: what the pages know about each other.
        fill: fills the template of a redirect.
    """
    below = site.layout.below
    taken = {below(name) for name in reserved.FILES}
    found = (each for each in _redirects(site, fill) if posixpath.dirname(each.path) not in taken)
    return sorted(found, key=lambda redirect: redirect.path)


def _redirects(site: Site, fill: Callable[..., str]) -> Iterator[Redirect]:
    layout = site.layout
    gone = {rule.id: rule for rule in site.removed.values()}
    live = {address_of(rule_id) for rule_id in (*site.rules, *gone)}

    def lead(path: str, name: str, rule: Rule | Removed) -> Redirect:
        target = layout.published(rule.id)
        moved = name != rule.id
        url = layout.url(target) or between(target, path)
        text = fill(
            title=rule.title or rule.id,
            rule=rule.id,
            alias=name,
            moved=moved,
            removed=rule.id in gone,
            target=between(target, path),
            canonical=url,
        )
        return Redirect(path, text)

    rules: dict[str, Rule | Removed] = {**gone, **site.rules}
    names: dict[str, Rule | Removed] = {**site.removed, **site.aliases, **rules}
    for rule in rules.values():
        yield lead(layout.short(rule.id), rule.id, rule)
    for alias, rule in names.items():
        if alias in rules:
            continue
        yield lead(layout.short(alias), alias, rule)
        if address_of(alias) not in live:
            yield lead(layout.published(alias), alias, rule)
