"""Catalogue and fixtures → verdicts and faults. Pure: knows nothing of MkDocs, prints nothing, writes nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Protocol

from mkdocs_rulebook import claims, expectations, fix
from mkdocs_rulebook.checks.base import Run
from mkdocs_rulebook.checks.messages import place_in_words
from mkdocs_rulebook.checks.runner import Document
from mkdocs_rulebook.fixtures import Fixture, Fixtures, Unreadable, canonical
from mkdocs_rulebook.model import (
    JSON,
    Catalogue,
    Claim,
    Example,
    Fault,
    Finding,
    NoCheck,
    Outcome,
    Place,
    Report,
    Rule,
    Verdict,
)
from mkdocs_rulebook.spec import SpecError, open_spec


class Runs(Protocol):
    """Whatever runs the check of a rule on a document."""

    def document(self, value: JSON, digest: str = "") -> Document:
        """Wrap a value for `run_all`; by its digest, if it has one, outcomes are remembered."""

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
        self.runs: dict[str, dict[str, Run]] = {}
        self.found: dict[str, dict[str, Run]] = {}
        self.errors: dict[str, tuple[str, Place]] = {}
        self.skipped: set[str] = set()
        self.applied: set[str] = set()

    def report(self, known: tuple[Fault, ...]) -> Report:
        for name in self.fixtures.names():
            fixture = self.fixtures.get(name)
            if isinstance(fixture, Fixture):
                self.all_runs(fixture)
        verdicts = tuple(self.verdict(rule, example) for rule in self.catalogue.rules for example in rule.examples)
        faults = [*known, *self._check_errors(known), *self._verdict_faults(verdicts)]
        broken = frozenset(self.errors) | self.skipped
        complete = self.catalogue.complete and not broken
        faults += expectations.group_faults(self.catalogue, self.fixtures, self.all_runs, complete)
        faults += expectations.policy_faults(self.catalogue, verdicts)
        faults += expectations.idle_faults(self.catalogue, frozenset(self.applied), broken)
        faults += anchor_faults(self.catalogue)
        return Report(self.catalogue, verdicts, in_order(faults))

    def all_runs(self, fixture: Fixture) -> dict[str, Run]:
        """Run every rule on a fixture, once."""
        runs = self.runs.get(fixture.name)
        if runs is None:
            runs = self.runner.run_all(fixture.document)
            self.runs[fixture.name] = runs
            self.found[fixture.name] = {rule_id: run for rule_id, run in runs.items() if run.findings}
            for rule_id, run in runs.items():
                if run.error:
                    self.errors.setdefault(rule_id, (run.error, fixture.source.place("")))
                if run.skipped:
                    self.skipped.add(rule_id)
                if run.applied:
                    self.applied.add(rule_id)
        return runs

    def verdict(self, rule: Rule, example: Example) -> Verdict:
        """Judge one example."""
        fixture = self.fixtures.get(example.fixture)
        if isinstance(fixture, Unreadable):
            return Verdict(rule, example, fixture.outcome, fixture.message, related=(fixture.place,))
        place = (fixture.source.place(example.pointer),)
        missing = claims.find_selection(fixture.source.value, example)
        if missing:
            return Verdict(rule, example, Outcome.POINTER_MISSING, missing, related=place)
        if isinstance(rule.check, NoCheck):
            return Verdict(rule, example, Outcome.UNVERIFIED, rule.check.none, related=place)
        return self._judged(rule, example, fixture, place)

    def _judged(self, rule: Rule, example: Example, fixture: Fixture, place: tuple[Place, ...]) -> Verdict:
        runs = self.all_runs(fixture)
        run = runs[rule.id]
        also = self._also(rule, example, self.found[fixture.name])
        outcome, detail = claims.judge(example, run, also)
        opposite = self._opposite(rule, example, fixture)
        if opposite is not None and outcome not in (Outcome.CHECK_ERROR, Outcome.NOT_RUN):
            outcome = Outcome.CONTRADICTION
            detail = f"`{opposite.id}` claims of the same selection of the same content that it is {opposite.claim}"
            place = (*place, opposite.place)
        fixed: JSON = None
        if outcome == Outcome.CONFIRMED and example.claim == Claim.INVALID and example.fix:
            outcome, detail, fixed = self._fixed(rule, example, fixture, runs)
        return Verdict(
            rule,
            example,
            outcome,
            detail,
            engine=run.engine,
            findings=tuple(f for f in run.findings if claims.touches(f, example.pointer)),
            outside=tuple(f for f in run.findings if not claims.touches(f, example.pointer)),
            also=also,
            pinned=claims.pinned(example, run),
            fixed=fixed,
            related=place,
        )

    def _also(self, rule: Rule, example: Example, found: dict[str, Run]) -> dict[str, tuple[Finding, ...]]:
        also = {}
        for other, run in found.items():
            inside = tuple(f for f in run.findings if claims.touches(f, example.pointer))
            if inside and other != rule.id:
                also[other] = inside
        return also

    def _opposite(self, rule: Rule, example: Example, fixture: Fixture) -> Example | None:
        for other in rule.examples:
            if other.claim != example.claim and other.pointer == example.pointer:
                theirs = self.fixtures.get(other.fixture)
                if isinstance(theirs, Fixture) and theirs.content == fixture.content:
                    return other
        return None

    def _fixed(
        self, rule: Rule, example: Example, fixture: Fixture, before: dict[str, Run]
    ) -> tuple[Outcome, str, JSON]:
        try:
            value = fix.patched(fixture.source.value, example.pointer, example.fix)
            content = canonical(value)
        except fix.PatchError as error:
            return Outcome.FIX_FAILS, f"the patch does not apply: {error}", None
        except RecursionError:
            return Outcome.FIX_FAILS, "the mended document nests too deep", None
        if content == fixture.content:
            return Outcome.FIX_FAILS, "the patch changes nothing", None
        document = self.runner.document(value, hashlib.sha256(content.encode()).hexdigest())
        after = self.runner.run_all(document)
        why = fix.fault(rule, example, before, after)
        return (Outcome.FIX_FAILS, why, value) if why else (Outcome.CONFIRMED, "", value)

    def _check_errors(self, known: tuple[Fault, ...]) -> Iterator[Fault]:
        """Yield one fault for each check that could not be run to its end, however many fixtures show it."""
        reported = {fault.rule for fault in known if fault.kind == Outcome.CHECK_ERROR}
        for rule in self.catalogue.rules:
            if rule.id in self.errors and rule.id not in reported:
                message, place = self.errors[rule.id]
                yield Fault(rule.check.place, str(Outcome.CHECK_ERROR), message, rule.id, related=(place,))

    def _verdict_faults(self, verdicts: tuple[Verdict, ...]) -> Iterator[Fault]:
        for verdict in verdicts:
            example = verdict.example
            if verdict.outcome == Outcome.CHECK_ERROR and example.known is None:
                continue  # reported once for the rule
            if not verdict.passes:
                yield _verdict_fault(verdict)
            yield from self._breaks(verdict)

    def _breaks(self, verdict: Verdict) -> Iterator[Fault]:
        """Yield a fault for a valid example that breaks another must-rule without saying so, or says so in vain."""
        if verdict.example.claim != Claim.VALID or verdict.outcome != Outcome.CONFIRMED:
            return
        declared = set(verdict.example.breaks)
        for other, findings in verdict.also.items():
            rule = self.catalogue.rule(other)
            if rule is not None and rule.level.obligatory and other not in declared:
                message = (
                    f"the valid example breaks `{other}`: {place_in_words(findings[0].pointer)} {findings[0].message}"
                )
                yield _fault(verdict, "breaks-other", message)
        unknown = self.errors.keys() | self.skipped
        for other in sorted(declared - verdict.also.keys() - unknown):
            yield _fault(verdict, "breaks-other", f"the example is said to break `{other}`, but does not")


def _verdict_fault(verdict: Verdict) -> Fault:
    known = verdict.example.known
    if known is None:
        return _fault(verdict, str(verdict.outcome), verdict.detail)
    if verdict.outcome == Outcome.CONFIRMED:
        return _fault(verdict, "known", f"the known fault `{known.outcome}` is gone: the claim holds, so drop `known`")
    detail = f"the known fault is `{known.outcome}`, but this is another: {verdict.detail}"
    return _fault(verdict, str(verdict.outcome), detail)


def _fault(verdict: Verdict, kind: str, message: str) -> Fault:
    example = verdict.example
    return Fault(example.place, kind, message, verdict.rule.id, example.id, related=verdict.related)


def in_order(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Return the faults each once, sorted by place: those of one file stand together."""
    return tuple(sorted(set(faults), key=_order))


def _order(fault: Fault) -> tuple[object, ...]:
    return fault.place.path.as_posix(), fault.place.position, fault.kind, fault.message, fault.rule, fault.example


def anchor_faults(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield a fault for each specification anchor that a rule names and that does not exist."""
    specs = {name: open_spec(spec) for name, spec in catalogue.specs.items()}
    for rule in catalogue.rules:
        for required in rule.required_by:
            for anchor in required.anchors:
                spec = specs.get(anchor.spec)
                if spec is None:
                    continue  # an unknown specification is a fault of the catalogue
                try:
                    if spec.find(anchor.page, anchor.fragment) is not None:
                        continue
                    near = spec.nearest(anchor.page, anchor.fragment)
                except SpecError as error:
                    yield Fault(error.place, "anchor-missing", error.message, rule.id)
                    continue
                hint = f"; nearest: {', '.join(f'`{anchor.spec}:{each}`' for each in near)}" if near else ""
                yield Fault(anchor.place, "anchor-missing", f"there is no anchor `{anchor}`{hint}", rule.id)
