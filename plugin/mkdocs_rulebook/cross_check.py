"""Both JSON Schema libraries on everything that a catalogue judges: each place where they disagree is a fault.

A verdict rests on one library. Where the other one, written by other people in another language, says the same of every
rule and every document, a mistake in either is unlikely to be behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mkdocs_rulebook import fix
from mkdocs_rulebook.checks.base import Run
from mkdocs_rulebook.checks.messages import place_in_words
from mkdocs_rulebook.checks.runner import Document
from mkdocs_rulebook.checks.schema_engine import LIBRARIES, SchemaEngine, in_words
from mkdocs_rulebook.checks.schemas import Schemas
from mkdocs_rulebook.fixtures import Fixture, Fixtures
from mkdocs_rulebook.model import Catalogue, Fault, Finding, PythonCheck, Rule, SchemaCheck, Selection


@dataclass(frozen=True)
class Disagreement:
    """One place of one document of which two libraries say different things about a rule; `answers` by library."""

    pointer: str
    answers: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        said = "; ".join(f"{library} says {answer}" for library, answer in self.answers)
        return f"{place_in_words(self.pointer)}: {said}"


def faults(catalogue: Catalogue, fixtures: Fixtures) -> Iterator[Fault]:
    """Run every rule that has a JSON Schema with both libraries on every fixture, and on what fixes make of it.

    Args:
        catalogue: The catalogue.
        fixtures: Its fixtures.

    Yields:
        A fault of the kind `disagreement` for each place of a document.
    """
    schemas = Schemas(catalogue.schemas, catalogue.draft, catalogue.formats)
    engines = [SchemaEngine(schemas, library) for library in LIBRARIES]
    rules = [rule for rule in catalogue.rules if _has_schema(rule)]
    for fixture, name, document in _documents(catalogue, fixtures):
        for rule in rules:
            for found in compare([_run(engine, rule, document) for engine in engines]):
                place = fixture.place(Selection(found.pointer))
                yield Fault(rule.check.place, "disagreement", f"{name}, {found}", rule.id, related=(place,))


def _has_schema(rule: Rule) -> bool:
    return isinstance(rule.check, SchemaCheck) or (isinstance(rule.check, PythonCheck) and rule.check.when is not True)


def _documents(catalogue: Catalogue, fixtures: Fixtures) -> Iterator[tuple[Fixture, str, Document]]:
    """Yield each document that is data, and each after a fix, with its name in words."""
    for fixture in fixtures.every:
        if not fixture.document.is_text:
            yield fixture, f"`{fixture.name}`", fixture.document
    for rule in catalogue.rules:
        for example in rule.examples:
            fixed = fixtures.of(rule, example)
            if example.fix and isinstance(fixed, Fixture) and not fixed.document.is_text:
                try:
                    value = fix.patched(fixed.source.value, example.pointer, example.fix)
                except (fix.PatchError, RecursionError):
                    continue  # a fault of its own
                name = f"`{fixed.name}` mended as `{rule.id}`, example {example.id}"
                yield fixed, name, Document(value, catalogue.references)


def _run(engine: SchemaEngine, rule: Rule, document: Document) -> Run:
    check = rule.check
    if isinstance(check, SchemaCheck):
        return engine.run(rule.id, check, document.view(check.follow))
    assert isinstance(check, PythonCheck)
    view = document.view(check.follow)
    try:
        applied = tuple(view.locate(path) for path, _ in engine.select(check, view))
    except Exception as error:  # whatever a library raises, the check is at fault and the run goes on
        return Run(engine.name, error=in_words(error))
    return Run(engine.name, applied=applied)


def compare(runs: Iterable[Run]) -> list[Disagreement]:
    """Return the places of one document of which the outcomes of one rule differ, sorted.

    Libraries that both cannot run a check agree, whatever words they have for it.
    """
    runs = list(runs)
    failed = [run for run in runs if run.error]
    if failed:
        if len(failed) == len(runs):
            return []
        return [Disagreement("", tuple((run.engine, f"“{run.error}”" if run.error else _counted(run)) for run in runs))]
    pointers = sorted({pointer for run in runs for pointer in _answers(run)})
    found = []
    for pointer in pointers:
        answers = [_answers(run).get(pointer, ()) for run in runs]
        if any(answer != answers[0] for answer in answers):
            said = tuple((run.engine, _in_words(answer)) for run, answer in zip(runs, answers, strict=True))
            found.append(Disagreement(pointer, said))
    return found


def _answers(run: Run) -> dict[str, tuple[Finding | str, ...]]:
    """Return what is said of each node: that it is judged, and what was found there."""
    answers: dict[str, tuple[Finding | str, ...]] = {}
    for pointer, target in run.applied:
        answers[pointer] = (*answers.get(pointer, ()), target)
    for finding in run.findings:
        answers[finding.pointer] = (*answers.get(finding.pointer, ()), finding)
    return answers


def _counted(run: Run) -> str:
    return f"{len(run.findings)} finding{'' if len(run.findings) == 1 else 's'}"


def _in_words(answers: Iterable[Finding | str]) -> str:
    found = [answer for answer in answers if isinstance(answer, Finding)]
    if found:
        return " and ".join(f"“{finding.message}” ({finding.keyword})" for finding in found)
    return "it is judged and right" if any(True for _ in answers) else "nothing"
