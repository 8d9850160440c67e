"""What must hold of a catalogue as a whole: its fixture groups, its policies, and that each rule judges something."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from mkdocs_rulebook.checks.base import Run
from mkdocs_rulebook.checks.messages import spot_in_words
from mkdocs_rulebook.fixtures import Fixture, Fixtures, Unreadable
from mkdocs_rulebook.model import (
    Catalogue,
    Claim,
    EngineCheck,
    Fault,
    Finding,
    Group,
    NoCheck,
    Outcome,
    Rule,
    Selection,
    Verdict,
)

Runs = Mapping[str, Run]


def group_faults(
    catalogue: Catalogue, fixtures: Fixtures, runs: Callable[[Fixture], Runs], complete: bool
) -> Iterator[Fault]:
    """Yield a fault for each file that is not what its group promises.

    Args:
        catalogue: The catalogue.
        fixtures: Its fixtures.
        runs: What each rule found in a fixture.
        complete: Whether every rule could be read and run; where not, silence is no evidence.
    """
    files = [e for rule in catalogue.rules for e in rule.examples if e.inline is None]
    named = {example.fixture.rstrip("/") for example in files}
    # What an example makes of a fixture says nothing about the fixture itself.
    cited = {example.fixture.rstrip("/") for example in files if not example.derived}
    for folder, group in catalogue.groups.items():
        names = fixtures.group(folder)
        for name in names:
            fixture = fixtures.get(name)
            if isinstance(fixture, Unreadable):
                if name not in named:
                    yield Fault(fixture.place, str(fixture.outcome), fixture.message)
                continue
            for fault in _group_fault(catalogue, group, fixture, runs(fixture), name in cited):
                if complete or fault.rule:
                    yield fault


def _group_fault(catalogue: Catalogue, group: Group, fixture: Fixture, runs: Runs, cited: bool) -> Iterator[Fault]:
    found = [(rule, finding) for rule in catalogue.rules for finding in runs[rule.id].findings]
    binding = [(rule, finding) for rule, finding in found if rule.level.obligatory]
    match group:
        case Group.CLEAN:
            for rule, finding in found:
                yield _broken(fixture, rule, finding, "is in a clean group, but")
        case Group.FAILING:
            if not binding:
                yield _fault(fixture, "is in a failing group, but breaks no must-rule")
            if not cited:
                yield _fault(fixture, "is in a failing group, but no rule has it as an example")
        case Group.WARNING:
            for rule, finding in binding:
                yield _broken(fixture, rule, finding, "is in a warning group, but breaks a must-rule:")
            if not found:
                yield _fault(fixture, "is in a warning group, but breaks no rule")


def _fault(fixture: Fixture, message: str) -> Fault:
    return Fault(fixture.place(), "group", f"`{fixture.name}` {message}")


def _broken(fixture: Fixture, rule: Rule, finding: Finding, why: str) -> Fault:
    message = f"`{fixture.name}` {why} {spot_in_words(finding)} {finding.message}"
    return Fault(fixture.place(Selection(finding.target, finding.lines)), "group", message, rule.id)


def policy_faults(catalogue: Catalogue, verdicts: tuple[Verdict, ...]) -> Iterator[Fault]:
    """Yield a fault for each rule that lacks a confirmed example which its level asks for.

    An example that is there but fails has a fault of its own and is not counted twice.
    """
    by_rule: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        by_rule.setdefault(verdict.rule.id, []).append(verdict)
    for rule in catalogue.rules:
        policy = catalogue.policy.get(rule.level)
        if policy is None or isinstance(rule.check, NoCheck):
            continue
        for claim in policy.examples:
            own = [v for v in by_rule.get(rule.id, []) if v.example.claim == claim]
            if not any(v.outcome == Outcome.CONFIRMED or v.known or not v.passes for v in own):
                message = f"a {rule.level}-rule needs {_article(claim)} example that is confirmed"
                yield Fault(rule.place, "policy", message, rule.id)


def _article(claim: Claim) -> str:
    return f"{'a' if claim == Claim.VALID else 'an'} {claim}"


def idle_faults(catalogue: Catalogue, applied: frozenset[str], broken: frozenset[str]) -> Iterator[Fault]:
    """Yield a fault for each rule whose check judges no node of any fixture.

    Args:
        catalogue: The catalogue.
        applied: Ids of the rules that judged a node somewhere; where an engine does not tell, that found something.
        broken: Ids of the rules whose check could not be run.
    """
    for rule in catalogue.rules:
        if isinstance(rule.check, NoCheck) or rule.id in applied | broken:
            continue
        if isinstance(rule.check, EngineCheck):
            if not any(example.claim == Claim.INVALID for example in rule.examples):  # else its verdict says it
                message = f"`{rule.check.engine}` reports `{rule.check.code}` for no fixture: nothing shows that it can"
                yield Fault(rule.check.place, "idle", message, rule.id)
        else:
            message = "the check judges no node of any fixture: `select` finds none, or `when` leaves all out"
            yield Fault(rule.check.place, "idle", message, rule.id)
