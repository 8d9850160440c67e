"""Catalogue and fixtures → verdicts and faults. Pure: knows nothing of MkDocs, prints nothing, writes nothing."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Protocol

from mkdocs_rulebook import claims, expectations, fix
from mkdocs_rulebook.checks.base import Run
from mkdocs_rulebook.checks.runner import Document
from mkdocs_rulebook.coverage import anchor_faults, coverage_faults
from mkdocs_rulebook.derived import DerivationError, mended
from mkdocs_rulebook.faults import accepted_rules, check_errors, in_order, verdict_faults
from mkdocs_rulebook.fixtures import Fixture, Fixtures, Unreadable, identity
from mkdocs_rulebook.model import (
    JSON,
    Catalogue,
    Claim,
    EngineCheck,
    Example,
    Fault,
    Finding,
    NoCheck,
    Outcome,
    Place,
    PythonCheck,
    Report,
    Rule,
    Selection,
    Verdict,
    judges_data,
    judges_text,
)
from mkdocs_rulebook.selections import SelectionError, in_wrapping, resolve, touches
from mkdocs_rulebook.source import LANGUAGES, Source, SourceError
from mkdocs_rulebook.source.node import canonical, shared
from mkdocs_rulebook.spec import open_spec


class Runs(Protocol):
    """Whatever runs the check of a rule on a document."""

    def document(self, value: JSON, digest: str = "", source: Source | None = None) -> Document:
        """Wrap a value for `run_all`; by its digest, if it has one, outcomes are remembered."""

    def prepare(self, documents: Iterable[Document]) -> None:
        """Say which documents will come, so that what is slow to start can judge all of them in one go."""

    def run_all(self, document: Document) -> dict[str, Run]:
        """Run the check of every rule on a document; return what came of it by rule id."""


def verify(
    catalogue: Catalogue, runner: Runs, known: tuple[Fault, ...] = (), fixtures: Fixtures | None = None
) -> Report:
    """Run every example against the check of its own rule, and every rule against every fixture.

    Args:
        catalogue: The catalogue, as far as it could be read.
        runner: What runs the checks.
        known: The faults that reading the catalogue showed; they are part of the report, and a check that is
            among them is not reported again.
        fixtures: The fixtures; those of the catalogue's folder where none are given.
    """
    return _Verification(catalogue, runner, fixtures or Fixtures(catalogue)).report(known)


class _Verification:
    def __init__(self, catalogue: Catalogue, runner: Runs, fixtures: Fixtures) -> None:
        self.catalogue = catalogue
        self.runner = runner
        self.fixtures = fixtures
        # By identity: two readings of one file are two fixtures.
        self.runs: dict[int, dict[str, Run]] = {}
        self.found: dict[int, dict[str, Run]] = {}
        self.errors: dict[str, tuple[str, Place]] = {}
        self.skipped: set[str] = set()
        self.applied: set[str] = set()
        self.alike: dict[str, dict[tuple[str, str], list[tuple[Example, Fixture]]]] = {}

    def report(self, known: tuple[Fault, ...]) -> Report:
        self.runner.prepare(self._documents())
        for fixture in self.fixtures.every:
            self.all_runs(fixture)
        verdicts = tuple(
            verdict
            for rule in self.catalogue.rules
            for verdict in self._supported(rule, [self.verdict(rule, example) for example in rule.examples])
        )
        accepted = accepted_rules(verdicts)
        known = tuple(f for f in known if f.kind != Outcome.CHECK_ERROR or f.rule not in accepted)
        broken = frozenset(self.errors) | self.skipped
        faults = [*known, *check_errors(self.catalogue, self.errors, known, accepted)]
        faults += verdict_faults(self.catalogue, verdicts, broken)
        complete = self.catalogue.complete and not broken
        faults += expectations.group_faults(self.catalogue, self.fixtures, self.all_runs, complete)
        faults += expectations.policy_faults(self.catalogue, verdicts)
        if self.fixtures.every:  # without any, the reason for that is fault enough
            faults += expectations.idle_faults(self.catalogue, frozenset(self.applied), broken)
        specs = {name: open_spec(spec) for name, spec in self.catalogue.specs.items()}
        lost = list(anchor_faults(self.catalogue, specs))
        faults += [*lost, *coverage_faults(self.catalogue, specs, self.catalogue.complete and not lost)]
        return Report(self.catalogue, verdicts, in_order(faults))

    def _documents(self) -> Iterator[Document]:
        """Yield each document that will be judged: every fixture, and what the fixes make of them."""
        yield from (fixture.document for fixture in self.fixtures.every)
        for rule in self.catalogue.rules:
            for example in rule.examples:
                fixture = self.fixtures.of(rule, example)
                if isinstance(fixture, Fixture) and (example.fix or example.mend):
                    with contextlib.suppress(SelectionError):  # its verdict says so
                        selection = resolve(example, fixture.source)
                        selected = replace(example, pointer=selection.pointer, lines=selection.lines)
                        fixed = self._mended(selected, fixture)
                        if not isinstance(fixed, str):
                            yield fixed[0]

    def _supported(self, rule: Rule, verdicts: list[Verdict]) -> Iterator[Verdict]:
        """Yield the verdicts, with those withdrawn that rest on the silence of an engine and on nothing else.

        What an external engine applied a rule to is unknown. That it is silent about a valid example says something
        only if it speaks about an invalid one in the same run.
        """
        if not isinstance(rule.check, EngineCheck):
            yield from verdicts
            return
        engine = self.catalogue.engines.get(rule.check.engine)
        speaks = [v for v in verdicts if v.example.claim == Claim.INVALID and v.outcome == Outcome.CONFIRMED]
        for verdict in verdicts:
            remarks = claims.remarks(verdict, engine, speaks[0].example.id if speaks else "")
            if verdict.example.claim == Claim.VALID and verdict.outcome == Outcome.CONFIRMED and not speaks:
                outcome, detail = claims.unsupported(rule.check.code)
                yield replace(verdict, outcome=outcome, detail=detail)
            else:
                yield replace(verdict, remarks=remarks)

    def all_runs(self, fixture: Fixture) -> dict[str, Run]:
        """Run every rule on a fixture, once."""
        runs = self.runs.get(id(fixture))
        if runs is None:
            runs = self.runner.run_all(fixture.document)
            self.runs[id(fixture)] = runs
            self.found[id(fixture)] = {rule_id: run for rule_id, run in runs.items() if run.findings}
            for rule_id, run in runs.items():
                if run.error:
                    self.errors.setdefault(rule_id, (run.error, fixture.place()))
                if run.skipped:
                    self.skipped.add(rule_id)
                if run.applies or (run.unknown and run.findings):
                    self.applied.add(rule_id)
        return runs

    def verdict(self, rule: Rule, example: Example) -> Verdict:
        """Judge one example."""
        fixture = self.fixtures.of(rule, example)
        if isinstance(fixture, Unreadable):
            place = () if fixture.outcome == Outcome.FIXTURE_MISSING else (fixture.place,)
            return Verdict(rule, example, fixture.outcome, fixture.message, related=place)
        unfit = _unfit(rule, example, fixture)
        if unfit:
            return Verdict(rule, example, Outcome.FIXTURE_UNREADABLE, unfit, related=(fixture.place(),))
        try:
            selection = resolve(example, fixture.source)
        except SelectionError as error:
            place = (fixture.place(Selection(example.pointer)),)
            return Verdict(rule, example, Outcome.POINTER_MISSING, str(error), related=place)
        place = (fixture.place(selection),)
        if isinstance(rule.check, NoCheck):
            return Verdict(rule, example, Outcome.UNVERIFIED, rule.check.none, related=place, selection=selection)
        selected = replace(example, pointer=selection.pointer, lines=selection.lines)
        return replace(self._judged(rule, selected, fixture, place), example=example, selection=selection)

    def _judged(self, rule: Rule, example: Example, fixture: Fixture, place: tuple[Place, ...]) -> Verdict:
        runs = self.all_runs(fixture)
        run = runs[rule.id]
        if example.claim == Claim.INVALID:  # what is wrapped around an example proves nothing about it
            own = [f for f in run.findings if not in_wrapping(f.target, f.lines, example, fixture.source)]
            run = replace(run, findings=tuple(own)) if len(own) < len(run.findings) else run
        also = self._also(rule, example, self.found[id(fixture)])
        outcome, detail = claims.judge(example, run, also)
        opposite = self._opposite(rule, example, fixture)
        if opposite is not None and outcome not in (Outcome.CHECK_ERROR, Outcome.NOT_RUN):
            outcome = Outcome.CONTRADICTION
            detail = f"`{opposite.id}` claims of the same selection of the same content that it is {opposite.claim}"
            place = (*place, opposite.place)
        fixed: JSON = None
        if outcome == Outcome.CONFIRMED and example.claim == Claim.INVALID and (example.fix or example.mend):
            outcome, detail, fixed = self._fixed(rule, example, fixture, runs)
        return Verdict(
            rule,
            example,
            outcome,
            detail,
            engine=run.engine,
            findings=tuple(f for f in run.findings if touches(f, example.selection)),
            outside=tuple(f for f in run.findings if not touches(f, example.selection)),
            also=also,
            pinned=claims.pinned(example, run),
            fixed=fixed,
            related=place,
        )

    def _also(self, rule: Rule, example: Example, found: dict[str, Run]) -> dict[str, tuple[Finding, ...]]:
        also = {}
        for other, run in found.items():
            inside = tuple(f for f in run.findings if touches(f, example.selection))
            if inside and other != rule.id:
                also[other] = inside
        return also

    def _opposite(self, rule: Rule, example: Example, fixture: Fixture) -> Example | None:
        for other, theirs in self._alike(rule).get(fixture.likeness, ()):
            if other.claim == example.claim:
                continue
            try:
                if resolve(other, theirs.source) == example.selection:
                    return other
            except SelectionError:
                continue  # it has a verdict of its own
        return None

    def _alike(self, rule: Rule) -> dict[tuple[str, str], list[tuple[Example, Fixture]]]:
        """Return the examples of a rule with their fixtures, those together that no check could tell apart."""
        if rule.id not in self.alike:
            alike: dict[tuple[str, str], list[tuple[Example, Fixture]]] = {}
            for example in rule.examples:
                fixture = self.fixtures.of(rule, example)
                if isinstance(fixture, Fixture):
                    alike.setdefault(fixture.likeness, []).append((example, fixture))
            self.alike[rule.id] = alike
        return self.alike[rule.id]

    def _fixed(
        self, rule: Rule, example: Example, fixture: Fixture, before: dict[str, Run]
    ) -> tuple[Outcome, str, JSON]:
        fixed = self._mended(example, fixture)
        if isinstance(fixed, str):
            return Outcome.FIX_FAILS, fixed, None
        document, selection = fixed
        after = self.runner.run_all(document)
        moved = replace(example, pointer=selection.pointer, lines=selection.lines)
        why = fix.fault(rule, moved, before, after)
        return (Outcome.FIX_FAILS, why, document.value) if why else (Outcome.CONFIRMED, "", document.value)

    def _mended(self, example: Example, fixture: Fixture) -> tuple[Document, Selection] | str:
        """Return the document after a fix and what is selected in it, or why there is none."""
        change = "patch" if example.fix else "replacement"
        try:
            source, selection = mended(fixture.source, example)
        except DerivationError as error:
            return f"the {change} does not apply: {error}"
        except SourceError as error:
            return f"the mended document cannot be read: {error.message}"
        if canonical(source.value) == fixture.content:
            return f"the {change} changes nothing"
        value = shared(source.value, fixture.source.value)
        return self.runner.document(value, identity(source), source), selection


def _unfit(rule: Rule, example: Example, fixture: Fixture) -> str:
    """Say why the check of a rule cannot judge a fixture of this kind; empty where it can."""
    if fixture.source.is_text and not judges_text(rule.check):
        what = "folder" if fixture.source.language == "folder" else "text"
        check = "a Python check without `text: true`" if isinstance(rule.check, PythonCheck) else "a JSON Schema"
        data = ", ".join(LANGUAGES)
        needs = "a text needs a Python check with `text: true`, or an engine"
        if example.inline is not None and not example.language:
            needs = "if it is data, say so: `language: json` or `language: yaml`"
        return f"`{example.fixture}` is a {what}, and {check} judges data ({data}); {needs}"
    if not fixture.source.is_text and not judges_data(rule.check):
        return f"`{example.fixture}` is data, and the check judges texts; declare a `language` to make it a text"
    return ""
