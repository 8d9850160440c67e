"""All rules as one JSON document: what the pages say, for programs. `schemas/site.schema.json` describes it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from mkdocs_rulebook.model import JSON, EngineCheck, NoCheck, PythonCheck, SchemaCheck
from mkdocs_rulebook.outputs.encode import encode, filled
from mkdocs_rulebook.pages.example_view import selection_of
from mkdocs_rulebook.pages.layout import between
from mkdocs_rulebook.pages.tombstone_view import Tombstone, tombstones
from mkdocs_rulebook.removal import living

if TYPE_CHECKING:
    from mkdocs_rulebook.model import (
        Catalogue,
        Check,
        Example,
        Finding,
        Removed,
        Replacement,
        RequiredBy,
        Rule,
        Verdict,
    )
    from mkdocs_rulebook.pages.entry import Entry
    from mkdocs_rulebook.pages.site import Site

FORMAT = 1
"""The version of the format: it changes where a program that reads it would have to."""

FILE = "rules.json"
SCHEMA = "site.schema.json"


def rules_json(site: Site, entries: Iterable[Entry], version: str) -> str:
    """Return the document.

    Args:
        site: what the pages know about each other.
        entries: the rules with what is proved about them.
        version: the version of this package.
    """
    rules = list(entries)
    where = site.layout.below(FILE)
    document = filled(
        format=FORMAT,
        generator={"name": "mkdocs-rulebook", "version": version},
        url=site.layout.url(where),
        catalogues=[_catalogue(site, report.catalogue, rules) for report in site.reports],
    )
    return encode(
        {"$schema": SCHEMA, **document, "rules": [_rule(site, entry, where) for entry in rules]}
        | filled(removed=[_removed(site, gone, where) for gone in tombstones(site.reports)])
    )


def _catalogue(site: Site, catalogue: Catalogue, entries: list[Entry]) -> JSON:
    own = [entry for entry in entries if entry.catalogue is catalogue]
    proofs = Counter(str(entry.proof) for entry in own)
    return filled(
        name=site.name(catalogue),
        title=catalogue.title,
        edition=catalogue.edition,
        summary=catalogue.summary,
        owners={owner.id: filled(title=owner.title, url=owner.url) for owner in catalogue.owners.values()},
        facets=[filled(key=facet.key, label=facet.label, empty=facet.empty) for facet in catalogue.facets],
        tiers=dict(catalogue.tiers),
    ) | {"counts": {"rules": len(own), "proofs": dict(sorted(proofs.items()))}}


def _rule(site: Site, entry: Entry, where: str) -> JSON:
    rule, published = entry.rule, site.layout.published(entry.rule.id)
    page = between(published, where)
    return filled(
        id=rule.id,
        catalogue=site.name(entry.catalogue),
        owner=rule.owner,
        title=rule.title,
        summary=rule.summary,
        requirement=rule.requirement,
        level=str(rule.level),
        facets={key: list(values) for key, values in rule.facets.items()},
        required_by=[_required(site, entry.catalogue, required, where) for required in rule.required_by],
        based_on=[filled(tier=basis.tier, text=basis.text, url=basis.url) for basis in rule.based_on],
        notes=rule.notes,
        since=rule.since,
        deprecated=rule.deprecated,
        replaced_by=rule.replaced_by,
        aliases=list(rule.aliases),
        page=page,
        url=site.layout.url(published),
        twin=between(site.layout.twin(rule.id), where),
        source=_source(site, entry.catalogue, rule),
        check=_check(rule.check),
        proof=str(entry.proof),
    ) | {"examples": [_example(verdict, f"{page}#{anchor}", heading) for verdict, anchor, heading in entry.names]}


def _removed(site: Site, tombstone: Tombstone, where: str) -> JSON:
    rule, published = tombstone.rule, site.layout.published(tombstone.rule.id)
    return filled(
        id=rule.id,
        catalogue=site.name(tombstone.catalogue),
        owner=rule.owner,
        title=rule.title,
        removed_in=rule.removed_in,
        replaced_by=list(rule.replaced_by),
        today=list(living(rule, site.removed)),
        reason=rule.reason,
        aliases=list(rule.aliases),
        page=between(published, where),
        url=site.layout.url(published),
        twin=between(site.layout.twin(rule.id), where),
        source=_source(site, tombstone.catalogue, rule),
    )


def _source(site: Site, catalogue: Catalogue, rule: Rule | Removed) -> JSON:
    return {"file": site.shown_path(catalogue, rule.place.path), "line": rule.place.position.line}


def _required(site: Site, catalogue: Catalogue, required: RequiredBy, where: str) -> JSON:
    anchors = []
    for anchor in required.anchors:
        href, found = site.published_spec_link(catalogue, anchor, where)
        heading = found.heading.title if found and found.heading else ""
        anchors.append(filled(name=str(anchor), heading=heading, url=href) | {"exists": found is not None})
    return filled(text=required.text, note=required.note, anchors=anchors)


def _check(check: Check) -> JSON:
    """Return a check with everything that decides: a member that is left out has the value it has by default."""
    if isinstance(check, NoCheck):
        return {"kind": "none", "none": check.none}
    common = filled(message=check.message, unchecked=check.unchecked)
    if isinstance(check, SchemaCheck | PythonCheck):
        common = filled(select=list(check.select)) | _unless(True, when=check.when, follow=check.follow) | common
    match check:
        case SchemaCheck():
            return {"kind": "schema", "schema": check.schema} | common
        case PythonCheck():
            given = {"with": dict(check.parameters)} if check.parameters else {}
            return {"kind": "python", "python": check.function} | given | filled(text=list(check.text)) | common
        case EngineCheck():
            return {"kind": "engine", "engine": check.engine, "code": check.code} | common


def _unless(default: JSON, **members: JSON) -> dict[str, JSON]:
    return {name: value for name, value in members.items() if value is not default}


def _also(verdict: Verdict) -> JSON:
    return {rule: [_finding(finding) for finding in found] for rule, found in sorted(verdict.also.items())}


def _example(verdict: Verdict, page: str, heading: str) -> JSON:
    example, selection = verdict.example, selection_of(verdict)
    return filled(
        id=example.id,
        claim=str(example.claim),
        title=heading,
        note=example.note,
        page=page,
        fixture=example.fixture,
    ) | {
        "pointer": selection.pointer,
        **filled(lines=list(selection.lines or ()), region=example.region, language=example.language),
        **filled(show=list(example.show), inline=_inline(example)),
        **filled(patch=_steps(example.patch), replace=_replacement(example.replace)),
        **filled(expect=_expect(example), fix=_steps(example.fix) or _replacement(example.mend)),
        **filled(breaks=list(example.breaks), known=_known(example)),
        "verdict": str(verdict.outcome),
        **filled(detail=verdict.detail, engine=verdict.engine, remarks=list(verdict.remarks)),
        "findings": [_finding(finding) for finding in verdict.findings],
        **filled(also_breaks=_also(verdict)),
    }


def _steps(patch: Iterable[Mapping[str, JSON]]) -> JSON:
    return [dict(step) for step in patch]


def _replacement(replacement: Replacement | None) -> JSON:
    return replacement and {"old": replacement.old, "new": replacement.new}


def _inline(example: Example) -> JSON:
    inline = example.inline
    return inline and {"content": inline.content} | filled(before=inline.before, after=inline.after)


def _expect(example: Example) -> JSON:
    expect = example.expect
    if expect is None:
        return None
    pinned = {} if expect.pointer is None else {"pointer": expect.pointer}
    return pinned | filled(keyword=expect.keyword, reason=expect.reason, names=list(expect.names), line=expect.line)


def _known(example: Example) -> JSON:
    known = example.known
    return known and filled(verdict=str(known.outcome), reason=known.reason, issue=known.issue)


def _finding(finding: Finding) -> JSON:
    target = "" if finding.target == finding.pointer else finding.target
    return {
        "pointer": finding.pointer,
        **filled(target=target, keyword=finding.keyword, reason=finding.reason, names=list(finding.names)),
        **filled(lines=list(finding.lines or ())),
        "message": finding.message,
    }
