"""A rule and its verdicts → what its page says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from mkdocs_rulebook.model import Claim, Example, NoCheck, Outcome, Rule, Severity, Verdict
from mkdocs_rulebook.pages import words
from mkdocs_rulebook.pages.entry import example_names, shown_proof
from mkdocs_rulebook.pages.example_view import example_view
from mkdocs_rulebook.pages.excerpt import cut
from mkdocs_rulebook.pages.highlight import excerpt_html
from mkdocs_rulebook.pages.search import words_of
from mkdocs_rulebook.pages.site import SURFACE, Site, surface_anchor
from mkdocs_rulebook.pages.text import capitalised, inline, link, prose, sentence, without_markup
from mkdocs_rulebook.pages.view import (
    AnchorView,
    BasisView,
    Detail,
    ExampleView,
    Link,
    Notice,
    RequirementView,
    RuleView,
    SourceView,
    Value,
)
from mkdocs_rulebook.pointer import append

if TYPE_CHECKING:
    from mkdocs_rulebook.model import Report
    from mkdocs_rulebook.pages.related import Related

_ORDER = list(Claim)


def rule_view(site: Site, report: Report, rule: Rule, related: Related) -> RuleView:
    """Return what the page of a rule says.

    Args:
        site: what the pages know about each other.
        report: the report on the catalogue of the rule; it need not hold more than concerns the rule.
        rule: the rule.
        related: tells which other rules a reader may want.
    """
    catalogue, page = report.catalogue, site.layout.page(rule.id)
    links, name = site.links(page), site.name(catalogue)
    index = site.rule_index_link(page)
    surface = rule.facets.get(SURFACE, ())
    proof = shown_proof(report.proof(rule), report.of(rule))
    examples, beside = _beside_each_other(rule.examples)
    views = tuple(_examples(site, report, rule, examples, page))
    return RuleView(
        id=rule.id,
        title=rule.title,
        description=rule.summary or without_markup(rule.requirement),
        catalogue=Link(catalogue.title, f"{index}#{name}"),
        surface=Link(surface[0], f"{index}#{surface_anchor(name, rule)}") if surface else None,
        level=words.level(rule.level),
        proof=proof.words,
        proof_kind=proof.kind,
        requirement_md=prose(rule.requirement, links),
        details=tuple(_details(report, rule)),
        summary=rule.summary,
        notices=tuple(_notices(site, report, rule, page)),
        unchecked_md=prose(rule.check.unchecked, links),
        required_by=tuple(_required_by(site, report, rule, page)),
        based_on=tuple(_based_on(report, rule, page, site)),
        notes_md=prose(rule.notes, links),
        examples=views,
        jumps=tuple(_jumps(examples, views)),
        beside=beside,
        related=related.views(rule, links),
        more=related.more(rule, page),
        neighbours=related.neighbours(rule, links),
        source=_source(site, report, rule, page),
        search_words=words_of((rule.id, *rule.aliases)),
    )


def _notices(site: Site, report: Report, rule: Rule, page: str) -> Iterable[Notice]:
    links = site.links(page)
    if rule.deprecated or rule.replaced_by:
        since = f"Since {inline(rule.deprecated)}. " if rule.deprecated else ""
        other = Link(rule.replaced_by, site.rule_link(rule.replaced_by, page)) if rule.replaced_by else None
        yield Notice("deprecated", "Deprecated", f"{since}Replaced by" if other else since.strip(), other)
    if isinstance(rule.check, NoCheck):
        yield Notice("unverified", "Not machine-checked", prose(rule.check.none, links))
    for fault in report.faults:
        if fault.rule == rule.id and not fault.example:
            warning = fault.severity == Severity.WARNING
            yield Notice(
                "known" if warning else "wrong",
                "Warning" if warning else "Wrong",
                inline(capitalised(sentence(fault.message))),
            )


def _details(report: Report, rule: Rule) -> Iterable[Detail]:
    catalogue = report.catalogue
    owner = catalogue.owners.get(rule.owner)
    yield Detail("Rule id", (Value(rule.id),), is_code=True)
    yield Detail("Owner", (Value(owner.title, owner.url) if owner else Value(rule.owner),))
    yield Detail("Level", (Value(words.level(rule.level)),))
    for facet in catalogue.facets:
        values = rule.facets.get(facet.key, ())
        meant = tuple(Value(value, meaning=facet.values.get(value, "")) for value in values)
        yield Detail(facet.label, meant, empty=facet.empty)
    yield Detail("Edition", (Value(catalogue.edition),))
    if rule.since:
        yield Detail("Since", (Value(rule.since),))
    if rule.deprecated:
        yield Detail("Deprecated since", (Value(rule.deprecated),))
    if rule.aliases:
        yield Detail("Former ids", tuple(Value(alias) for alias in rule.aliases), is_code=True)


def _required_by(site: Site, report: Report, rule: Rule, page: str) -> Iterable[RequirementView]:
    for required in rule.required_by:
        anchors = []
        for anchor in required.anchors:
            href, found = site.spec_link(report.catalogue, anchor, page)
            heading = found.heading.title if found and found.heading else ""
            anchors.append(AnchorView(str(anchor), heading, href, found is not None))
        yield RequirementView(required.text, prose(required.note, site.links(page)), tuple(anchors))


def _based_on(report: Report, rule: Rule, page: str, site: Site) -> Iterable[BasisView]:
    for basis in rule.based_on:
        text = link(inline(basis.text), basis.url) if basis.url else prose(basis.text, site.links(page))
        said = report.catalogue.tiers.get(basis.tier, "")
        tier = f"Tier {basis.tier}: {said}" if said else f"Tier {basis.tier}"
        yield BasisView(text, tier if basis.tier else "")


def _beside_each_other(examples: Iterable[Example]) -> tuple[list[Example], int]:
    """Return the examples in the order of the page, and how many invalid and how many valid ones it begins with."""
    by_claim: dict[Claim, list[Example]] = {claim: [] for claim in Claim}
    for example in examples:
        by_claim[example.claim].append(example)
    invalid, valid, inapplicable = by_claim[Claim.INVALID], by_claim[Claim.VALID], by_claim[Claim.INAPPLICABLE]
    count = min(len(invalid), len(valid))
    return [*invalid[:count], *valid[:count], *invalid[count:], *valid[count:], *inapplicable], count


def _examples(site: Site, report: Report, rule: Rule, examples: Sequence[Example], page: str) -> Iterable[ExampleView]:
    faults = [fault for fault in report.faults if fault.rule == rule.id and fault.example]
    verdicts = {id(verdict.example): verdict for verdict in report.of(rule)}
    # Names do not depend on what stands beside what: links to them are made elsewhere, in the order of claims.
    sorted_examples = sorted(rule.examples, key=lambda example: _ORDER.index(example.claim))
    named = zip(sorted_examples, example_names(sorted_examples), strict=True)
    names = {id(example): shown for example, shown in named}
    for example in examples:
        verdict = verdicts.get(id(example)) or next(
            (verdict for verdict in verdicts.values() if verdict.example == example),
            Verdict(rule, example, Outcome.NOT_RUN, "There is no verdict on this example."),
        )
        own = [fault for fault in faults if fault.example == example.id]
        yield example_view(site, report.catalogue, verdict, names[id(example)], own, page)


def _jumps(examples: Sequence[Example], views: Sequence[ExampleView]) -> Iterable[Link]:
    """Yield a link to the first example of each claim, with their number, and one to the first fix."""
    for claim in Claim:
        own = [view for example, view in zip(examples, views, strict=True) if example.claim == claim]
        if own:
            yield Link(f"{len(own):,} {claim}", f"#{own[0].anchor}")
    if fixed := next((view for view in views if view.fix_html), None):
        yield Link("fix", f"#{fixed.fix_anchor}")


def _source(site: Site, report: Report, rule: Rule, page: str) -> SourceView:
    catalogue, place = report.catalogue, rule.place
    source = site.read(place.path)
    if source is None:
        return SourceView(Link(f"{site.shown_path(catalogue, place.path)}, line {place.position.line}"))
    link = site.place_link(catalogue, place, page)
    entries = source.value.get("rules") if isinstance(source.value, dict) else None
    for number, entry in enumerate(entries if isinstance(entries, list) else []):
        if isinstance(entry, dict) and entry.get("id") == rule.id:
            excerpt = cut(source, append("/rules", number, "check"))
            check = excerpt_html(excerpt.lines, {}, excerpt.language) if excerpt else ""
            return SourceView(link, check)
    return SourceView(link)
