"""The negative control: verifications that have to fail, to show that they could.

The proof of every confirmed example is taken away on purpose, and its verdict must turn: no check ever fires, every
check always fires, nothing is selected, the selection lies elsewhere, the fix is applied. A gate that stays green then
checks nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from mkdocs_rulebook.checks.base import Run
from mkdocs_rulebook.checks.runner import Document
from mkdocs_rulebook.derived import mended
from mkdocs_rulebook.fixtures import Fixture, Fixtures, Unreadable
from mkdocs_rulebook.model import (
    JSON,
    Catalogue,
    Claim,
    EngineCheck,
    Example,
    Finding,
    Outcome,
    Rule,
    Selection,
    Verdict,
)
from mkdocs_rulebook.pointer import append
from mkdocs_rulebook.selections import touches
from mkdocs_rulebook.source import Source
from mkdocs_rulebook.verify import Runs, verify


@dataclass(frozen=True)
class Control:
    """One attempt to fool the verification of an example. `held` says whether its verdict turned, as it must."""

    rule: str
    example: str
    attempt: str
    verdict: Outcome
    held: bool


@dataclass(frozen=True)
class Tampered:
    """Runs checks as another runner does, but changes what they say."""

    runner: Runs
    rules: tuple[Rule, ...]
    change: Callable[[Rule, Run], Run]

    def document(self, value: JSON, digest: str = "", source: Source | None = None) -> Document:
        """Wrap a value for `run_all`."""
        return self.runner.document(value, digest, source)

    def prepare(self, documents: Iterable[Document]) -> None:
        """Say which documents will come."""
        self.runner.prepare(documents)

    def run_all(self, document: Document) -> dict[str, Run]:
        """Run every rule on a document, and change what they say."""
        runs = self.runner.run_all(document)
        return {rule.id: self.change(rule, runs[rule.id]) for rule in self.rules}


def never(_: Rule, run: Run) -> Run:
    """A check that judges what it should and finds nothing."""
    return replace(run, findings=())


def always(rule: Rule, run: Run) -> Run:
    """A check that finds something wherever it judges; where an engine does not tell, in the whole document."""
    places = (("", ""),) if run.unknown else run.applied
    nodes = [Finding(rule.id, *both, "is wrong", keyword="false") for both in places]
    lines = [Finding(rule.id, place, place, "is wrong", reason="false", lines=lines) for place, lines in run.passages]
    return replace(run, findings=(*nodes, *lines))


def nothing(_: Rule, run: Run) -> Run:
    """A check that selects nothing; an engine that has never heard of the rule."""
    return Run(run.engine, unknown=run.unknown)


def everything(_: Rule, run: Run) -> Run:
    """A check that judges the whole document."""
    return replace(run, applied=(("", ""),))


_TAMPERING: tuple[tuple[str, Callable[[Rule, Run], Run], dict[Claim, Outcome]], ...] = (
    ("the check never fires", never, {Claim.INVALID: Outcome.NOT_FAILING}),
    ("the check always fires", always, {Claim.VALID: Outcome.FAILING}),
    ("nothing is selected", nothing, {Claim.INVALID: Outcome.NOT_APPLIED, Claim.VALID: Outcome.NOT_APPLIED}),
    ("everything is selected", everything, {Claim.INAPPLICABLE: Outcome.APPLIES}),
)


def control(catalogue: Catalogue, runner: Runs) -> Iterator[Control]:
    """Try to fool the verification about every confirmed example.

    Args:
        catalogue: A catalogue whose examples hold.
        runner: What runs its checks.
    """
    confirmed = [v for v in verify(catalogue, runner).verdicts if v.outcome == Outcome.CONFIRMED]
    for attempt, change, expected in _TAMPERING:
        after = _verdicts(catalogue, Tampered(runner, catalogue.rules, change))
        for verdict in confirmed:
            if verdict.example.claim in expected:
                now, wanted = after[_key(verdict)], expected[verdict.example.claim]
                if isinstance(verdict.rule.check, EngineCheck) and verdict.example.claim == Claim.INVALID:
                    wanted = Outcome.NOT_FAILING  # what it selects is unknown, so nothing is known to be left out
                yield _control(verdict, attempt, now, now == wanted)
    yield from _moved(catalogue, runner, confirmed)
    yield from _mended(catalogue, runner, confirmed)


def _key(verdict: Verdict) -> tuple[str, str]:
    return verdict.rule.id, verdict.example.id


def _verdicts(catalogue: Catalogue, runner: Runs) -> dict[tuple[str, str], Outcome]:
    return {_key(verdict): verdict.outcome for verdict in verify(catalogue, runner).verdicts}


def _control(verdict: Verdict, attempt: str, now: Outcome, held: bool) -> Control:
    return Control(verdict.rule.id, verdict.example.id, attempt, now, held)


def _moved(catalogue: Catalogue, runner: Runs, confirmed: list[Verdict]) -> Iterator[Control]:
    """Move the selection of each invalid example to a place where its rule finds nothing."""
    fixtures = Fixtures(catalogue)
    places: dict[tuple[str, str], Selection] = {}
    for verdict in confirmed:
        fixture = fixtures.of(verdict.rule, verdict.example)
        if verdict.example.claim == Claim.INVALID and isinstance(fixture, Fixture):
            findings = verdict.findings + verdict.outside
            places.update({_key(verdict): place for place in list(_silent_places(verdict, fixture, findings))[:1]})

    def move(rule: Rule, example: Example) -> Example:
        place = places.get((rule.id, example.id))
        if place is None:
            return example
        pointer = place.pointer if place.lines is None else ""  # a text is selected by lines alone
        return replace(example, pointer=pointer, lines=place.lines, region="", expect=None, fix=(), mend=None, show=())

    rules = tuple(replace(rule, examples=tuple(move(rule, e) for e in rule.examples)) for rule in catalogue.rules)
    after = _verdicts(replace(catalogue, rules=rules), runner)
    for verdict in confirmed:
        if _key(verdict) in places:
            now = after[_key(verdict)]
            yield _control(verdict, "the selection lies elsewhere", now, now != Outcome.CONFIRMED)


def _silent_places(verdict: Verdict, fixture: Fixture, findings: tuple[Finding, ...]) -> Iterator[Selection]:
    """Yield selections that no finding lies in: nodes, or lines of the same text."""
    if not fixture.source.is_text:
        yield from map(Selection, _silent(fixture.source.value, findings))
        return
    text = fixture.source.part(verdict.selection.pointer)
    for number in range(1, len(text.lines) + 1) if text else ():
        line = Selection(verdict.selection.pointer, (number, number))
        if not any(touches(finding, line) for finding in findings):
            yield line


def _silent(value: JSON, findings: tuple[Finding, ...], pointer: str = "") -> Iterator[str]:
    """Yield the pointers of nodes that no finding lies at or below."""
    if not any(touches(finding, Selection(pointer)) for finding in findings):
        yield pointer
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield from _silent(child, findings, append(pointer, key))


class _Replaced(Fixtures):
    """Fixtures of which one is given in place of the file."""

    def __init__(self, catalogue: Catalogue, fixture: Fixture) -> None:
        super().__init__(catalogue)
        self._given = fixture

    def of(self, _rule: Rule, _example: Example) -> Fixture | Unreadable:
        return self._given

    @cached_property
    def every(self) -> tuple[Fixture, ...]:
        return (self._given,)


def _mended(catalogue: Catalogue, runner: Runs, confirmed: list[Verdict]) -> Iterator[Control]:
    """Apply the fix of each invalid example to its fixture, and claim it to be invalid all the same."""
    fixtures = Fixtures(catalogue)
    for verdict in confirmed:
        rule, selected = verdict.rule, verdict.selection
        fixture = fixtures.of(rule, verdict.example)
        if not (verdict.example.fix or verdict.example.mend) or not isinstance(fixture, Fixture):
            continue
        asked = replace(verdict.example, pointer=selected.pointer, lines=selected.lines)
        source, moved = mended(fixture.source, asked)
        # The document is given, so that what selects is all that is left of the example.
        pointer = moved.pointer if moved.lines is None else ""
        example = replace(asked, pointer=pointer, lines=moved.lines, region="", fix=(), mend=None, show=())
        document = runner.document(source.value, "", source)
        alone = replace(catalogue, rules=(replace(rule, examples=(example,)),), groups={}, specs={})
        given = replace(fixture, document=document, source=source)
        report = verify(alone, runner, fixtures=_Replaced(alone, given))
        now = report.verdicts[0].outcome
        yield _control(verdict, "the fix is applied", now, now in (Outcome.NOT_FAILING, Outcome.ELSEWHERE))
