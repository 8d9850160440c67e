"""Coverage → the page that leads from each requirement of a specification to its rules and their examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from mkdocs_rulebook.model import Anchor, Claim, Level, NoCheck, Outcome
from mkdocs_rulebook.pages import words
from mkdocs_rulebook.pages.layout import between
from mkdocs_rulebook.pages.readable import escaped
from mkdocs_rulebook.pages.text import encoded
from mkdocs_rulebook.pages.view import Link

if TYPE_CHECKING:
    from mkdocs_rulebook.coverage import Coverage, Requirement
    from mkdocs_rulebook.model import Catalogue, Report
    from mkdocs_rulebook.pages.entry import Entry
    from mkdocs_rulebook.pages.site import Site

PAGE = "traceability.md"
DESCRIPTION = "From each requirement of a specification to the rules that check it, and to their examples."
TITLE = "Traceability"

_NO_DEMAND = "not said"


@dataclass(frozen=True)
class TracedRule:
    """A rule at a requirement. `examples` says how many of its examples are confirmed, and leads to them."""

    rule: Link
    id: str
    level: str
    proof: str
    proof_kind: str
    examples: Link


@dataclass(frozen=True)
class TracedView:
    """A requirement: the link to it, its name, what it demands, and what is known about it."""

    anchor: Link
    name: str
    demand: str
    rules: tuple[TracedRule, ...] = ()
    untestable: str = ""


@dataclass(frozen=True)
class CountView:
    """How many requirements of one strength there are, and what became of them."""

    demand: str
    total: int
    covered: int
    untestable: int
    uncovered: int


@dataclass(frozen=True)
class SpecPageView:
    """The requirements of one page of a specification."""

    anchor: str
    title: Link
    rows: tuple[TracedView, ...]


@dataclass(frozen=True)
class SpecView:
    """A specification of a catalogue."""

    anchor: str
    title: str
    name: str
    counts: tuple[CountView, ...]
    pages: tuple[SpecPageView, ...]
    uncovered: tuple[TracedView, ...]
    untestable: tuple[TracedView, ...]


@dataclass(frozen=True)
class TraceabilityView:
    """The page."""

    title: str
    description: str
    index: Link
    specs: tuple[SpecView, ...]
    unanchored: tuple[TracedRule, ...]


def traceability_view(
    site: Site, entries: Sequence[Entry], coverages: Iterable[tuple[Report, Coverage]]
) -> TraceabilityView:
    """Return what the page says.

    Args:
        site: what the pages know about each other.
        entries: all rules with what is proved about them.
        coverages: what is covered in the specifications of each catalogue.
    """
    page = site.layout.below(PAGE)
    rules = {entry.rule.id: _rule(site, entry, page) for entry in entries}
    specs: list[SpecView] = []
    unanchored: list[TracedRule] = []
    for report, found in coverages:
        unanchored += [rules[rule.id] for rule in found.unanchored]
        for name in report.catalogue.specs:
            own = [each for each in found.requirements if each.spec == name]
            if own:
                specs.append(_spec(site, report.catalogue, name, own, rules, page))
    return TraceabilityView(
        title=TITLE,
        description=DESCRIPTION,
        index=Link("Rules", site.rule_index_link(page)),
        specs=tuple(specs),
        unanchored=tuple(unanchored),
    )


def _rule(site: Site, entry: Entry, page: str) -> TracedRule:
    rule = entry.rule
    href = site.rule_link(rule.id, page)
    confirmed = Counter(v.example.claim for v in entry.verdicts if v.outcome == Outcome.CONFIRMED)
    said = [f"{confirmed[claim]} {words.CLAIM[claim].lower()}" for claim in Claim if confirmed[claim]]
    return TracedRule(
        rule=Link(rule.title, href),
        id=rule.id,
        level=words.level(rule.level),
        proof=entry.shown.words,
        proof_kind=entry.shown.kind,
        examples=Link(", ".join(said), href) if said else Link("no example"),
    )


def _spec(
    site: Site,
    catalogue: Catalogue,
    name: str,
    requirements: Sequence[Requirement],
    rules: Mapping[str, TracedRule],
    page: str,
) -> SpecView:
    prefix = f"{site.name(catalogue)}-{name}"
    pages = []
    for of_page, group in groupby(requirements, key=lambda each: each.anchor.page):
        href, found = site.spec_link(catalogue, Anchor(name, of_page, "", catalogue.rules[0].place), page)
        title = found.heading.title if found and found.heading else of_page
        rows = tuple(_traced(site, catalogue, each, rules, page) for each in group)
        pages.append(SpecPageView(f"{prefix}-{of_page.replace('/', '-')}", Link(title, href), rows))
    traced = [row for each in pages for row in each.rows]
    return SpecView(
        anchor=prefix,
        title=catalogue.title,
        name=name,
        counts=tuple(_counts(requirements)),
        pages=tuple(pages),
        uncovered=tuple(row for row in traced if not row.rules and not row.untestable),
        untestable=tuple(row for row in traced if row.untestable),
    )


def _traced(
    site: Site, catalogue: Catalogue, requirement: Requirement, rules: Mapping[str, TracedRule], page: str
) -> TracedView:
    anchor = requirement.anchor
    href, _ = site.spec_link(
        catalogue, Anchor(requirement.spec, anchor.page, anchor.fragment, catalogue.rules[0].place), page
    )
    return TracedView(
        anchor=Link(anchor.heading.title if anchor.heading else anchor.fragment, href),
        name=requirement.name,
        demand=words.level(requirement.demand) if requirement.demand else _NO_DEMAND,
        rules=tuple(rules[rule.id] for rule in requirement.rules),
        untestable=requirement.untestable,
    )


def _counts(requirements: Sequence[Requirement]) -> Iterable[CountView]:
    for level in (Level.MUST, Level.SHOULD, Level.MAY, None):
        own = [each for each in requirements if each.demand == level]
        if own:
            covered = sum(bool(each.rules) for each in own)
            untestable = sum(bool(each.untestable) and not each.rules for each in own)
            demand = words.level(level) if level else _NO_DEMAND
            yield CountView(demand, len(own), covered, untestable, len(own) - covered - untestable)


def notes(site: Site, coverages: Iterable[tuple[Report, Coverage]]) -> dict[str, dict[str, str]]:
    """Return for each page of a specification in the site what stands at each of its anchors, as HTML.

    Args:
        site: what the pages know about each other.
        coverages: what is covered in the specifications of each catalogue.
    """
    found: dict[str, dict[str, str]] = {}
    for _, covered in coverages:
        for each in covered.requirements:
            if each.covered and each.spec in site.layout.specs:
                page = f"{site.layout.specs[each.spec]}/{each.anchor.page}.md"
                of_page = found.setdefault(page, {})
                of_page[each.anchor.fragment] = of_page.get(each.anchor.fragment, "") + _note(site, each, page)
    return found


def _note(site: Site, requirement: Requirement, page: str) -> str:
    said = []
    for rule in requirement.rules:
        href = between(site.layout.published(rule.id), site.layout.html(page))
        unchecked = ", not machine-checked" if isinstance(rule.check, NoCheck) else ""
        level = words.level(rule.level)
        said.append(f'<a href="{encoded(href)}">{encoded(rule.title)}</a> <small>({level}{unchecked})</small>')
    if not said:
        return f'<p class="rb-checked" data-search-exclude>Not testable: {encoded(requirement.untestable)}</p>'
    noun = "Rules" if len(said) > 1 else "Rule"
    return f'<p class="rb-checked" data-search-exclude>{noun}: {" · ".join(said)}</p>'


def twin_notes(site: Site, coverages: Iterable[tuple[Report, Coverage]]) -> dict[str, str]:
    """Return for each page of a specification in the site what its twin says of the rules, as a list in Markdown.

    Args:
        site: what the pages know about each other.
        coverages: what is covered in the specifications of each catalogue.
    """
    found: dict[str, list[str]] = {}
    for _, covered in coverages:
        for each in covered.requirements:
            if each.covered and each.spec in site.layout.specs:
                page = f"{site.layout.specs[each.spec]}/{each.anchor.page}.md"
                found.setdefault(page, []).append(_twin_note(site, each, page))
    return {page: "\n".join(lines) for page, lines in found.items()}


def _twin_note(site: Site, requirement: Requirement, page: str) -> str:
    where = site.layout.twin_of(page)
    said = [
        f"[{escaped(rule.title)}]({between(site.layout.twin(rule.id), where)}) `{rule.id}`, {words.level(rule.level)}"
        for rule in requirement.rules
    ]
    heading = requirement.anchor.heading
    place = f"{escaped(heading.title)} " if heading else ""
    return f"- {place}`#{requirement.anchor.fragment}`: " + (
        "; ".join(said) or f"not testable: {escaped(requirement.untestable)}"
    )
