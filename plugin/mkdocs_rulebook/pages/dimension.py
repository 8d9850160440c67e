"""What rules can be sorted by: owner, level, what is proved, and every facet that a catalogue declares."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mkdocs_rulebook.model import Level, Proof
from mkdocs_rulebook.pages import words
from mkdocs_rulebook.pages.entry import WRONG, wrong
from mkdocs_rulebook.pages.text import capitalised

if TYPE_CHECKING:
    from mkdocs_rulebook.model import Report
    from mkdocs_rulebook.pages.entry import Entry

OWNER, LEVEL, PROOF, TEXT = "owner", "level", "proof", "find"
"""The names of the filters that every list has; they stand in the address of a list. (`q` belongs to a theme.)"""


@dataclass(frozen=True)
class Value:
    """A value of a dimension. `name` is empty where a rule has none; `slug` is part of an address."""

    name: str
    label: str
    count: int
    slug: str


@dataclass(frozen=True)
class Dimension:
    """A way to sort rules. With `pages` there is a page for each value."""

    key: str
    label: str
    values: tuple[Value, ...]
    pages: bool = False


def values_of(entry: Entry, key: str) -> tuple[str, ...]:
    """Return the values of a rule in a dimension."""
    proof = WRONG if wrong(entry.verdicts) else str(entry.proof)
    own = {OWNER: entry.rule.owner, LEVEL: str(entry.rule.level), PROOF: proof}
    return (own[key],) if key in own else entry.rule.facets.get(_facet(key), ())


def dimensions(reports: Sequence[Report], entries: Iterable[Entry]) -> tuple[Dimension, ...]:
    """Return the dimensions of a site: facets of the same key in several catalogues are one.

    Args:
        reports: the reports of the site.
        entries: all rules.
    """
    rules = list(entries)
    owners = {owner.id: owner.title for report in reports for owner in report.catalogue.owners.values()}
    found = [
        _dimension(rules, OWNER, "Owner", owners, pages=True),
        _dimension(rules, LEVEL, "Level", {str(level): words.level(level) for level in Level}, pages=True),
        _dimension(rules, PROOF, "Proof", {str(proof): words.PROOF[proof] for proof in Proof} | {WRONG: words.WRONG}),
    ]
    facets = [facet for report in reports for facet in report.catalogue.facets]
    for key in dict.fromkeys(facet.key for facet in facets):
        same = [facet for facet in facets if facet.key == key]
        texts = {value for entry in rules for value in entry.rule.facets.get(key, ())}
        labels = {value: value for value in sorted(texts, key=lambda text: (text.casefold(), text))}
        empty = next((facet.empty for facet in same if facet.empty), "none")
        declared = [r for r in rules if any(facet.key == key for facet in r.catalogue.facets)]
        found.append(
            _dimension(
                declared, filter_name(key), same[0].label, labels | {"": empty}, pages=any(f.pages for f in same)
            )
        )
    return tuple(dimension for dimension in found if dimension.values)


def _dimension(
    rules: Iterable[Entry], key: str, label: str, labels: dict[str, str], *, pages: bool = False
) -> Dimension:
    counts = Counter(value for entry in rules for value in values_of(entry, key) or ("",))
    names = [name for name in labels if counts[name]] + sorted(counts.keys() - labels.keys())
    slugs = _slugs(names)
    values = tuple(Value(name, capitalised(labels.get(name, name)), counts[name], slugs[name]) for name in names)
    return Dimension(key, label, values, pages)


def _slugs(names: Iterable[str]) -> dict[str, str]:
    """Return a part of an address for each name; none occurs twice."""
    taken: dict[str, int] = defaultdict(int)
    slugs = {}
    for name in names:
        slug = re.sub(r"[^\w.]+", "-", name.lower()).strip("-.") or "none"
        taken[slug] += 1
        slugs[name] = slug if taken[slug] == 1 else f"{slug}--{taken[slug]}"
    return slugs


def filter_name(facet: str) -> str:
    """Return the name of the filter for a facet: one that is called like a filter of every list gets another."""
    return f"{facet}-facet" if facet in (OWNER, LEVEL, PROOF, TEXT) else facet


def _facet(key: str) -> str:
    return key.removesuffix("-facet")
