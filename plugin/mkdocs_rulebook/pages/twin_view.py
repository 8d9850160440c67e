"""A rule → its Markdown twin: the page without its looks, for a program or an agent that reads text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mkdocs_rulebook.checks.messages import lines_in_words
from mkdocs_rulebook.model import Claim, NoCheck, Outcome, Severity
from mkdocs_rulebook.pages import words
from mkdocs_rulebook.pages.change import change
from mkdocs_rulebook.pages.example_view import fix_lines, selection_of, silence, text_in_words
from mkdocs_rulebook.pages.excerpt import cut, text_of
from mkdocs_rulebook.pages.layout import between
from mkdocs_rulebook.pages.readable import escaped
from mkdocs_rulebook.pages.related import Related
from mkdocs_rulebook.pages.template import environment
from mkdocs_rulebook.pages.text import capitalised, one_line, prose, sentence
from mkdocs_rulebook.pages.text_excerpt import cut_text
from mkdocs_rulebook.pages.view import Link, RelatedView

if TYPE_CHECKING:
    from mkdocs_rulebook.model import Finding, Selection, Verdict
    from mkdocs_rulebook.pages.entry import Entry
    from mkdocs_rulebook.pages.excerpt import Excerpt
    from mkdocs_rulebook.pages.fix import Signed
    from mkdocs_rulebook.pages.site import Site
    from mkdocs_rulebook.pages.text import Links
    from mkdocs_rulebook.source import Source


@dataclass(frozen=True)
class Block:
    """Text that is shown to the letter, with the name of its language and a caption where it needs one."""

    language: str
    text: str
    caption: str = ""

    @property
    def fence(self) -> str:
        """The fence around it: longer than any run of backticks within."""
        return "`" * max(3, *(len(run) + 1 for run in re.findall("`+", self.text)), 3)


@dataclass(frozen=True)
class TwinExample:
    """An example in the twin."""

    heading: str
    fixture: str
    selected: str
    proved: str
    note_md: str = ""
    change: Block | None = None
    blocks: tuple[Block, ...] = ()
    findings: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    fix: Block | None = None


@dataclass(frozen=True)
class TwinView:
    """What the template of a twin is filled with."""

    id: str
    title: str
    description: str
    source: str
    level: str
    proof: str
    catalogue: str
    edition: str
    requirement_md: str
    summary: str = ""
    notices: tuple[str, ...] = ()
    unchecked_md: str = ""
    details: tuple[tuple[str, str], ...] = ()
    required_by: tuple[tuple[str, str, tuple[Link, ...]], ...] = ()
    based_on: tuple[str, ...] = ()
    notes_md: str = ""
    examples: tuple[TwinExample, ...] = ()
    check: Block | None = None
    related: tuple[RelatedView, ...] = ()


def twins(site: Site, entries: Iterable[Entry]) -> dict[str, str]:
    """Return the text of the twin of each rule by its id."""
    template = environment(site.layout.templates).get_template("twin.md.jinja")
    related = {report.catalogue.folder: Related(site, report) for report in site.reports}
    return {
        entry.rule.id: template.render(page=twin_view(site, entry, related[entry.catalogue.folder]))
        for entry in entries
    }


def twin_view(site: Site, entry: Entry, related: Related) -> TwinView:
    """Return what the twin of the page of a rule says.

    Args:
        site: what the pages know about each other.
        entry: the rule with what is proved about it.
        related: tells which other rules a reader may want.
    """
    rule, catalogue, layout = entry.rule, entry.catalogue, site.layout
    where = layout.twin(rule.id)
    links = twin_links(site, where)
    page = layout.published(rule.id)
    return TwinView(
        id=rule.id,
        title=rule.title,
        description=entry.description,
        source=layout.source(page),
        level=words.level(rule.level),
        proof=words.PROOF[entry.proof],
        catalogue=catalogue.title,
        edition=catalogue.edition,
        requirement_md=prose(rule.requirement, links),
        summary=rule.summary,
        notices=tuple(_notices(entry)),
        unchecked_md=prose(rule.check.unchecked, links),
        details=tuple(_details(entry)),
        required_by=tuple(_required(site, entry, where, links)),
        based_on=tuple(_based_on(entry, links)),
        notes_md=prose(rule.notes, links),
        examples=tuple(_example(site, entry, *named) for named in entry.names),
        check=_check(site, entry),
        related=related.views(rule, links),
    )


def twin_links(site: Site, origin: str) -> Links:
    """Return what tells for a rule id, also that of a removed rule, the link from a file to the twin of its page."""

    def link(rule_id: str) -> str:
        rule = site.named(rule_id) or site.removed.get(rule_id.partition("#")[0])
        return between(site.layout.twin(rule.id), origin) if rule else ""

    return link


def _notices(entry: Entry) -> Iterable[str]:
    rule = entry.rule
    if rule.deprecated or rule.replaced_by:
        since = f"Deprecated since {rule.deprecated}." if rule.deprecated else "Deprecated."
        yield since + (f" Replaced by `{rule.replaced_by}`." if rule.replaced_by else "")
    if isinstance(rule.check, NoCheck):
        yield f"Not machine-checked: {sentence(one_line(rule.check.none))}"
    for fault in entry.faults:
        if not fault.example:
            said = "Warning" if fault.severity == Severity.WARNING else "Wrong"
            yield f"{said}: {sentence(one_line(fault.message))}"


def _details(entry: Entry) -> Iterable[tuple[str, str]]:
    rule, catalogue = entry.rule, entry.catalogue
    owner = catalogue.owners.get(rule.owner)
    yield "Owner", owner.title if owner else rule.owner
    for facet in catalogue.facets:
        yield facet.label, ", ".join(rule.facets.get(facet.key, ())) or facet.empty or "none"
    if rule.since:
        yield "Since", rule.since
    if rule.aliases:
        yield "Former ids", ", ".join(f"`{alias}`" for alias in rule.aliases)


def _required(site: Site, entry: Entry, where: str, links: Links) -> Iterable[tuple[str, str, tuple[Link, ...]]]:
    for required in entry.rule.required_by:
        anchors = []
        for anchor in required.anchors:
            href, found = site.published_spec_link(entry.catalogue, anchor, where)
            heading = found.heading.title if found and found.heading else str(anchor)
            anchors.append(Link(heading, href))
        yield required.text, prose(required.note, links), tuple(anchors)


def _based_on(entry: Entry, links: Links) -> Iterable[str]:
    for basis in entry.rule.based_on:
        text = f"[{escaped(basis.text)}]({basis.url})" if basis.url else prose(basis.text, links)
        said = entry.catalogue.tiers.get(basis.tier, "")
        yield text + (f" (tier {basis.tier}{': ' + said if said else ''})" if basis.tier else "")


def _example(site: Site, entry: Entry, verdict: Verdict, _: str, heading: str) -> TwinExample:
    example, catalogue = verdict.example, entry.catalogue
    fixture = site.fixture(catalogue, entry.rule, example)
    source, selection = fixture.source if fixture else None, selection_of(verdict)
    links = twin_links(site, site.layout.twin(entry.rule.id))
    base = site.base_fixture(catalogue, example) if source and example.derived else None
    made = change(base.source, source, selection, example.language) if base and source else []
    if source and source.is_text:
        selected = ", ".join(text_in_words(example, selection))
    else:
        selected = f"`{example.pointer}`" if example.pointer else "the whole document"
    return TwinExample(
        heading=heading,
        fixture=example.fixture,
        selected=selected,
        proved=silence(verdict) if verdict.outcome == Outcome.CONFIRMED else _not_proved(verdict),
        note_md=prose(example.note, links),
        change=_diff(made),
        blocks=tuple(_blocks(source, verdict, selection)) if source else (),
        findings=tuple(_said(finding) for finding in verdict.findings),
        also=tuple(f"`{rule}`: {' '.join(map(_said, found))}" for rule, found in sorted(verdict.also.items())),
        fix=_diff(fix_lines(source, verdict, selection)) if source and example.claim == Claim.INVALID else None,
    )


def _diff(lines: Sequence[Signed]) -> Block | None:
    return Block("diff", "\n".join(f"{sign} {text_of(line)}".rstrip() for sign, line in lines)) if lines else None


def _not_proved(verdict: Verdict) -> str:
    said = capitalised(words.OUTCOME[verdict.outcome])
    known = verdict.example.known
    reason = f" Known: {one_line(known.reason)}" if known and verdict.known else ""
    return sentence(f"{said}: {one_line(verdict.detail)}" if verdict.detail else said) + reason


def _blocks(source: Source, verdict: Verdict, selection: Selection) -> Iterable[Block]:
    example = verdict.example
    if source.is_text:
        part = source.part(selection.pointer)
        if part is not None:
            yield _block(cut_text(part, selection, example.language, (*verdict.findings, *verdict.outside)))
        return
    for pointer in dict.fromkeys((example.pointer, *example.show)):
        excerpt = cut(source, pointer)
        if excerpt:
            shown = f"`{pointer}`" if pointer else "the whole document"
            caption = "" if pointer == example.pointer else f"Shown for context, {shown}"
            yield _block(excerpt, caption)


def _block(excerpt: Excerpt, caption: str = "") -> Block:
    return Block(excerpt.language, "\n".join(text_of(line) for line in excerpt.lines), caption)


def _said(finding: Finding) -> str:
    if finding.lines is not None:
        return f"{capitalised(lines_in_words(finding.lines))} {sentence(one_line(finding.message))}"
    node = f"`{finding.pointer}`" if finding.pointer else "The document"
    behind = f" (refers to `{finding.target}`)" if finding.target != finding.pointer else ""
    return f"{node}{behind} {sentence(one_line(finding.message))}"


def _check(site: Site, entry: Entry) -> Block | None:
    source = site.read(entry.rule.place.path)
    if source is None or not entry.rule.check.pointer:
        return None
    excerpt = cut(source, entry.rule.check.pointer)
    return _block(excerpt) if excerpt else None
