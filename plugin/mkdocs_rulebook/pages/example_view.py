"""A verdict → what the page says about an example."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from mkdocs_rulebook import pointer as pointers
from mkdocs_rulebook.checks.messages import lines_in_words, spot_in_words
from mkdocs_rulebook.model import Claim, EngineCheck, Example, Fault, Finding, Outcome, Selection, Severity, Verdict
from mkdocs_rulebook.pages import words
from mkdocs_rulebook.pages.change import change, changed_lines, counted, text_diff
from mkdocs_rulebook.pages.excerpt import cut, failing
from mkdocs_rulebook.pages.fix import Signed, diff
from mkdocs_rulebook.pages.highlight import diff_html, excerpt_html
from mkdocs_rulebook.pages.text import capitalised, inline, prose, sentence
from mkdocs_rulebook.pages.text_excerpt import cut_text, failing_lines, label
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
from mkdocs_rulebook.source import Folder, made

if TYPE_CHECKING:
    from mkdocs_rulebook.fixtures import Fixture
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
    fixture = None if verdict.outcome in _NOT_READ else site.fixture(catalogue, verdict.rule, example)
    source = fixture.source if fixture else None
    selection = selection_of(verdict)
    links = site.links(page)
    found = verdict.findings
    fixed = fix_lines(source, verdict, selection) if source else []
    base = site.base_fixture(catalogue, example) if fixture and example.derived else None
    changed = change(base.source, source, selection, example.language) if base and source else []
    return ExampleView(
        anchor=names[0],
        heading=names[1],
        fixture=_fixture_link(site, catalogue, example, fixture, selection, page),
        pointer="" if source and source.is_text else example.pointer,
        path=text_in_words(example, selection) if source and source.is_text else _in_words(source, example),
        outcome=verdict.outcome.value,
        note_md=prose(example.note, links),
        notices=tuple(_notices(verdict, faults, links, site.place_link(catalogue, example.place, page))),
        excerpts=tuple(_excerpts(source, catalogue, verdict, selection, base)) if source else (),
        findings=_sentences(found, selection),
        more=words.count(len(found) - MAX_FINDINGS, "more finding") if len(found) > MAX_FINDINGS else "",
        silent="" if found or verdict.outcome != Outcome.CONFIRMED else silence(verdict),
        message_md=prose(verdict.rule.check.message, links) if found else "",
        fix_html=diff_html(fixed, language_of(source, selection, example)) if source and fixed else "",
        fix_title="Fix that makes the check silent" if verdict.outcome == Outcome.CONFIRMED else "Fix, not confirmed",
        fix_anchor=f"fix-{names[0]}",
        also=tuple(
            AlsoView(Link(name, site.rule_link(name, page)), _sentences(others, selection))
            for name, others in sorted(verdict.also.items())
        ),
        evidence=tuple(_evidence(verdict, source)),
        kind=_kind(example, source),
        origin=_base_link(site, catalogue, example, base, selection, page) if base else None,
        change_html=diff_html(changed, language_of(source, selection, example)) if source and changed else "",
        change_size=counted(changed),
        around_html=_around(source, example) if source else "",
    )


def selection_of(verdict: Verdict) -> Selection:
    """Return what an example selects; a verdict that says nothing of it selects what the example says."""
    return verdict.example.selection if verdict.selection == Selection() else verdict.selection


def silence(verdict: Verdict) -> str:
    """Return what the silence of a check about a confirmed example means."""
    if isinstance(verdict.rule.check, EngineCheck):
        return words.SILENT_ENGINE
    return words.CONFIRMED[verdict.example.claim]


def _kind(example: Example, source: Source | None) -> str:
    if example.inline is not None:
        return "inline"
    if example.derived:
        return "derived"
    return "folder" if source and source.language == "folder" else "file"


def _fixture_link(
    site: Site, catalogue: Catalogue, example: Example, fixture: Fixture | None, selection: Selection, page: str
) -> Link:
    if fixture is None:
        return Link(example.fixture)
    if example.inline is not None or example.derived:
        name = pointers.tokens(selection.pointer)[0] if fixture.source.language == "folder" else ""
        return Link(posixpath.basename(fixture.name), site.made_link(catalogue, fixture, page, name))
    return _file_link(site, catalogue, example, fixture, selection, page)


def _base_link(
    site: Site, catalogue: Catalogue, example: Example, base: Fixture, selection: Selection, page: str
) -> Link:
    start = Selection(selection.pointer if base.source.language == "folder" else "")
    return _file_link(site, catalogue, example, base, start, page)


def _file_link(
    site: Site, catalogue: Catalogue, example: Example, fixture: Fixture, selection: Selection, page: str
) -> Link:
    """Return the link to a fixture that is a file; to the file that is shown, where it is a folder."""
    source = fixture.source
    if isinstance(source, Folder):
        for part in source.parts.values():  # asking for the link puts each into the site
            site.file_link(catalogue, part.path, page, 1)
    shown = source.part(selection.pointer) or source
    line = source.place(selection.pointer, selection.lines).position.line
    return Link(example.fixture, site.file_link(catalogue, shown.path, page, line))


def language_of(source: Source | None, selection: Selection, example: Example) -> str:
    """Return the name that Pygments has for what an example is written in."""
    if source is None or not source.is_text:
        return source.language if source else ""
    return label((source.part(selection.pointer) or source).path.name, example.language)


def fix_lines(source: Source, verdict: Verdict, selection: Selection) -> list[Signed]:
    """Return the fix of an example as a diff, or nothing where there is none to show."""
    example, fixed = verdict.example, verdict.fixed
    if fixed is None or not (example.fix or example.mend):
        return []
    if not source.is_text:
        return diff(source, fixed, selection.pointer)
    before = source.part(selection.pointer)
    after = pointers.resolve(fixed, selection.pointer)[2]
    if before is None or not isinstance(after, str):
        return []
    return text_diff(before, made(before.path, after, "text"), example.language, selection.lines)


def _around(source: Source, example: Example) -> str:
    """Return the whole of an inline fixture, where something stands around what is shown."""
    if example.inline is None or not (example.inline.before or example.inline.after):
        return ""
    language = example.language or ("" if source.is_text else source.language)
    excerpt = cut_text(source, Selection(), language, ())
    return excerpt_html(excerpt.lines, {}, excerpt.language, excerpt.numbers)


def _in_words(source: Source | None, example: Example) -> tuple[str, ...]:
    return selection_in_words(source.value if source else None, example.pointer)


def text_in_words(example: Example, selection: Selection) -> tuple[str, ...]:
    """Return the file of a folder, the region and the lines that are selected; that it is all of a text."""
    lines = lines_in_words(selection.lines) if selection.lines else "the whole text"
    region = f"region {example.region}" if example.region else ""
    return tuple(filter(None, (*pointers.tokens(selection.pointer), region, lines)))


def selection_in_words(value: JSON, pointer: str) -> tuple[str, ...]:
    """Return the members and items on the way to a node; items are counted from 1, as people do."""
    steps: list[str] = []
    for token in pointers.tokens(pointer):
        found = pointers.step(value, token)
        steps.append(f"item {found[0] + 1}" if found and isinstance(found[0], int) else token or "the empty name")
        value = found[1] if found else None
    return tuple(steps)


def _notices(verdict: Verdict, faults: Iterable[Fault], links: Links, written: Link) -> Iterable[Notice]:
    known, outcome = verdict.example.known, verdict.outcome
    said = inline(capitalised(sentence(verdict.detail)))
    title = f": {words.OUTCOME[outcome]}"
    if outcome in words.TOLD and said:
        title = ""
    if known and verdict.known:
        link = Link("the issue about it", known.issue) if known.issue else None
        yield Notice("known", f"Known fault{title}", f"{said}\n\n{prose(known.reason, links)}".strip(), link)
    elif outcome == Outcome.UNVERIFIED:
        yield Notice("unverified", "Not machine-checked", said)
    elif outcome != Outcome.CONFIRMED:
        yield Notice("wrong", f"Not proved{title}", f"{said} The example is written in".lstrip(), written)
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


def _excerpts(
    source: Source, catalogue: Catalogue, verdict: Verdict, selection: Selection, base: Fixture | None
) -> Iterable[ExcerptView]:
    example, found = verdict.example, verdict.findings
    if source.is_text:
        yield from _text_excerpts(source, verdict, selection, base)
        return
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
            changes = changed_lines(base.source, excerpt, source, Selection(pointer)) if base else {}
            marks = failing(excerpt, source.value, found)
            yield ExcerptView(excerpt_html(excerpt.lines, marks, excerpt.language, (), changes), pointer, caption)
        elif caption:
            yield ExcerptView("", pointer, f"{caption}, but not in the fixture")


def _text_excerpts(
    source: Source, verdict: Verdict, selection: Selection, base: Fixture | None
) -> Iterable[ExcerptView]:
    part = source.part(selection.pointer)
    if part is None:
        return
    found = (*verdict.findings, *verdict.outside)
    excerpt = cut_text(part, selection, verdict.example.language, found)
    changes = changed_lines(base.source, excerpt, part, selection) if base else {}
    marks = failing_lines(excerpt, verdict.findings)
    yield ExcerptView(excerpt_html(excerpt.lines, marks, excerpt.language, excerpt.numbers, changes), selection.pointer)


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


def _sentences(found: Sequence[Finding], selection: Selection) -> tuple[FindingView, ...]:
    return tuple(_sentence(finding, selection) for finding in found[:MAX_FINDINGS])


def _sentence(finding: Finding, selection: Selection) -> FindingView:
    if finding.lines is not None:
        return FindingView("", finding.message, spot=capitalised(lines_in_words(finding.lines)))
    if not pointers.inside(finding.pointer, selection.pointer):
        return FindingView(finding.target.removeprefix(selection.pointer), finding.message)
    behind = "" if pointers.inside(finding.target, selection.pointer) else finding.target
    return FindingView(finding.pointer.removeprefix(selection.pointer), finding.message, behind)


def _evidence(verdict: Verdict, source: Source | None) -> Iterable[Evidence]:
    yield Evidence("Claim", words.CLAIM[verdict.example.claim].lower())
    yield Evidence("Outcome", words.OUTCOME[verdict.outcome])
    if verdict.engine:
        yield Evidence("Checked with", verdict.engine)
    for remark in verdict.remarks:
        yield Evidence("About the engine", remark)
    if verdict.outcome not in (*_NOT_READ, Outcome.UNVERIFIED, Outcome.NOT_RUN, Outcome.CHECK_ERROR):
        inside, outside = verdict.findings, verdict.outside
        yield Evidence("Findings of this rule in the selection", _number(inside), _places(inside))
        if outside:
            yield Evidence("Findings of this rule elsewhere in the fixture", _number(outside), _places(outside))
    if verdict.pinned and verdict.example.claim == Claim.INVALID:
        yield Evidence("The reason that the example pins was found", "", _places([verdict.pinned]))
    if source:
        made_here = verdict.example.inline is not None or verdict.example.derived
        yield Evidence(f"SHA-256 of {'what was checked' if made_here else 'the fixture'}", source.digest)


def _number(found: Sequence[Finding]) -> str:
    return f"{len(found):,}" if found else "none"


def _places(found: Sequence[Finding]) -> tuple[Spot, ...]:
    return tuple(
        Spot(finding.pointer, finding.why, spot_in_words(finding).replace("`", "") if finding.lines else "")
        for finding in found[:MAX_FINDINGS]
    )
