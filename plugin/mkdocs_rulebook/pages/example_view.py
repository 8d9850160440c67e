"""A verdict → what the page says about an example."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from mkdocs_rulebook import pointer as pointers
from mkdocs_rulebook.model import Claim, EngineCheck, Example, Fault, Finding, Outcome, Severity, Verdict
from mkdocs_rulebook.pages import words
from mkdocs_rulebook.pages.excerpt import Excerpt, cut, failing
from mkdocs_rulebook.pages.fix import diff
from mkdocs_rulebook.pages.highlight import diff_html, excerpt_html
from mkdocs_rulebook.pages.text import capitalised, inline, prose, sentence
from mkdocs_rulebook.pages.view import (
    AlsoView,
    Evidence,
    ExampleView,
    ExcerptView,
    FindingView,
    Link,
    Notice,
    Spot,
)

if TYPE_CHECKING:
    from mkdocs_rulebook.model import JSON, Catalogue
    from mkdocs_rulebook.pages.site import Site
    from mkdocs_rulebook.pages.text import Links
    from mkdocs_rulebook.source import Source

MAX_FINDINGS = 8
"""More findings than this are counted, not listed."""

_NOT_READ = (Outcome.FIXTURE_MISSING, Outcome.FIXTURE_UNREADABLE)


def example_view(
    site: Site, catalogue: Catalogue, verdict: Verdict, names: tuple[str, str], faults: Sequence[Fault], page: str
) -> ExampleView:
    """Return what a page says about one example.

    Args:
        site: what the pages know about each other.
        catalogue: the catalogue of the rule.
        verdict: what verification said.
        names: the anchor and the heading of the example, unique on the page.
        faults: the faults of this example.
        page: the page that shows it.
    """
    example = verdict.example
    path = catalogue.fixtures / example.fixture
    source = None if verdict.outcome in _NOT_READ else site.read(path)
    links = site.links(page)
    line = source.place(example.pointer).position.line if source else 1
    href = site.file_link(catalogue, path, page, line) if source else ""
    found = verdict.findings
    fixed = diff(source, verdict.fixed, example.pointer) if source and example.fix and verdict.fixed is not None else []
    return ExampleView(
        anchor=names[0],
        heading=names[1],
        fixture=Link(example.fixture, href),
        pointer=example.pointer,
        path=selection_in_words(source.value if source else None, example.pointer),
        outcome=verdict.outcome.value,
        note_md=prose(example.note, links),
        notices=tuple(_notices(verdict, faults, links)),
        excerpts=tuple(_excerpts(source, catalogue, verdict)) if source else (),
        findings=_sentences(found, example),
        more=words.count(len(found) - MAX_FINDINGS, "more finding") if len(found) > MAX_FINDINGS else "",
        silent="" if found or verdict.outcome != Outcome.CONFIRMED else _silent(verdict),
        message_md=prose(verdict.rule.check.message, links) if found else "",
        fix_html=diff_html(fixed, source.language) if source and fixed else "",
        fix_title="Fix that makes the check silent" if verdict.outcome == Outcome.CONFIRMED else "Fix, not confirmed",
        also=tuple(
            AlsoView(Link(name, site.rule_link(name, page)), _sentences(others, example))
            for name, others in sorted(verdict.also.items())
        ),
        evidence=tuple(_evidence(verdict, source)),
    )


def _silent(verdict: Verdict) -> str:
    """Return what the silence of a check about a confirmed example means."""
    if isinstance(verdict.rule.check, EngineCheck):
        return words.SILENT_ENGINE
    return words.CONFIRMED[verdict.example.claim]


def selection_in_words(value: JSON, pointer: str) -> tuple[str, ...]:
    """Return the members and items on the way to a node; items are counted from 1, as people do."""
    steps: list[str] = []
    for token in pointers.tokens(pointer):
        found = pointers.step(value, token)
        steps.append(f"item {found[0] + 1}" if found and isinstance(found[0], int) else token or "the empty name")
        value = found[1] if found else None
    return tuple(steps)


def _notices(verdict: Verdict, faults: Iterable[Fault], links: Links) -> Iterable[Notice]:
    known, outcome = verdict.example.known, verdict.outcome
    said = inline(capitalised(sentence(verdict.detail)))
    title = words.OUTCOME[outcome]
    if known and verdict.known:
        link = Link("the issue about it", known.issue) if known.issue else None
        yield Notice("known", f"Known fault: {title}", f"{said}\n\n{prose(known.reason, links)}".strip(), link)
    elif outcome == Outcome.UNVERIFIED:
        yield Notice("unverified", "Not machine-checked", said)
    elif outcome != Outcome.CONFIRMED:
        yield Notice("wrong", f"Not proved: {title}", said)
    if known and not verdict.known:
        yield Notice("wrong", f"No longer the known fault: {words.OUTCOME[known.outcome]}")
    for fault in faults:
        if fault.kind != outcome.value:
            warning = fault.severity == Severity.WARNING
            yield Notice(
                "known" if warning else "wrong",
                "Warning" if warning else "Wrong",
                inline(capitalised(sentence(fault.message))),
            )


def _excerpts(source: Source, catalogue: Catalogue, verdict: Verdict) -> Iterable[ExcerptView]:
    example, found = verdict.example, verdict.findings
    shown: list[str] = []
    wanted = [(example.pointer, "")]
    wanted += [(pointer, "Shown for context") for pointer in example.show]
    wanted += [(pointer, "Where the reference leads") for pointer in _followed(source, catalogue, found)]
    for pointer, caption in wanted:
        if pointer in shown or (caption.startswith("Where") and any(pointers.inside(pointer, at) for at in shown)):
            continue
        excerpt = cut(source, pointer)
        if excerpt:
            shown.append(pointer)
            yield ExcerptView(_html(excerpt, source.value, found), pointer, caption)
        elif caption:
            yield ExcerptView("", pointer, f"{caption}, but not in the fixture")


def _html(excerpt: Excerpt, value: JSON, found: Iterable[Finding]) -> str:
    return excerpt_html(excerpt.lines, failing(excerpt, value, found), excerpt.language)


def _followed(source: Source, catalogue: Catalogue, found: Iterable[Finding]) -> Iterable[str]:
    """Yield what explains a finding behind a local reference: the component if the reference names it, else it."""
    for finding in found:
        if finding.target == finding.pointer:
            continue
        _, _, use = pointers.resolve(source.value, finding.pointer)
        reference = use.get(catalogue.references) if isinstance(use, dict) and catalogue.references else None
        component = reference.partition("#")[2] if isinstance(reference, str) else ""
        if component.startswith("/") and pointers.inside(finding.target, component):
            yield component
        else:
            exists, deepest, node = pointers.resolve(source.value, finding.target)
            yield deepest if not exists or isinstance(node, dict | list) else deepest.rpartition("/")[0]


def _sentences(found: Sequence[Finding], example: Example) -> tuple[FindingView, ...]:
    return tuple(_sentence(finding, example.pointer) for finding in found[:MAX_FINDINGS])


def _sentence(finding: Finding, selection: str) -> FindingView:
    if not pointers.inside(finding.pointer, selection):
        return FindingView(finding.target.removeprefix(selection), finding.message)
    behind = "" if pointers.inside(finding.target, selection) else finding.target
    return FindingView(finding.pointer.removeprefix(selection), finding.message, behind)


def _evidence(verdict: Verdict, source: Source | None) -> Iterable[Evidence]:
    yield Evidence("Claim", words.CLAIM[verdict.example.claim].lower())
    yield Evidence("Outcome", words.OUTCOME[verdict.outcome])
    if verdict.engine:
        yield Evidence("Checked with", verdict.engine)
    for remark in verdict.remarks:
        yield Evidence("What its word is worth", remark)
    if verdict.outcome not in (*_NOT_READ, Outcome.UNVERIFIED, Outcome.NOT_RUN, Outcome.CHECK_ERROR):
        inside, outside = verdict.findings, verdict.outside
        yield Evidence("Findings of this rule in the selection", _number(inside), _places(inside))
        if outside:
            yield Evidence("Findings of this rule elsewhere in the fixture", _number(outside), _places(outside))
    if verdict.pinned and verdict.example.claim == Claim.INVALID:
        yield Evidence("The reason that the example pins was found", "", _places([verdict.pinned]))
    if source:
        yield Evidence("SHA-256 of the fixture", source.digest)


def _number(found: Sequence[Finding]) -> str:
    return f"{len(found):,}" if found else "none"


def _places(found: Sequence[Finding]) -> tuple[Spot, ...]:
    return tuple(Spot(finding.pointer, finding.why) for finding in found[:MAX_FINDINGS])
