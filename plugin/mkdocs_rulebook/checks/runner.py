"""Runs the check of any rule on any document, whichever engine decides it, and remembers the outcome."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import jsonpath

from mkdocs_rulebook.checks.base import Run
from mkdocs_rulebook.checks.protocol import Call
from mkdocs_rulebook.checks.python import ENGINE, Job, PythonEngine
from mkdocs_rulebook.checks.query import plan
from mkdocs_rulebook.checks.schema_engine import LIBRARIES, SchemaEngine, in_words
from mkdocs_rulebook.checks.schemas import Schemas
from mkdocs_rulebook.checks.view import View
from mkdocs_rulebook.model import JSON, Catalogue, NoCheck, Place, PythonCheck, Rule, SchemaCheck

Memory = dict[tuple[str, str], Run]
"""Outcomes by everything that can change them: the fingerprint of a rule and the digest of a document."""


class Document:
    """A document under check, with what it looks like to rules that follow references and to those that do not.

    Args:
        value: The value.
        references: The name of the member that makes an object a reference; empty where there are none.
        digest: A hash of the value, by which outcomes are remembered; empty for a document seen once.
    """

    def __init__(self, value: JSON, references: str, digest: str = "") -> None:
        self.value = value
        self.digest = digest
        self.written = View(value)
        self.followed = View(value, references) if references else self.written

    def view(self, follow: bool) -> View:
        """Return the document as a rule sees it."""
        return self.followed if follow else self.written


class Runner:
    """Runs the checks of one catalogue; to be closed, since it may have started a process.

    Args:
        catalogue: The catalogue.
        allow_code: Whether Python checks may run.
        memory: The outcomes of earlier runs, brought up to date.
        engine: What decides JSON Schema checks, if that was made before: the checks compiled there are used again.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        *,
        allow_code: bool = True,
        memory: Memory | None = None,
        engine: SchemaEngine | None = None,
    ) -> None:
        self._memory = memory
        self._fingerprints = _fingerprints(catalogue) if memory is not None else {}
        self._schemas = engine or SchemaEngine(
            Schemas(catalogue.schemas, catalogue.draft, catalogue.formats), catalogue.schema_engine
        )
        self._python = PythonEngine(catalogue.folder / "checks", catalogue.time_limit, allow_code)
        self._references = catalogue.references
        self._rules = catalogue.rules
        self._anywhere: list[Rule] = []
        self._by_member: dict[str, list[Rule]] = {}
        for rule in catalogue.rules:
            members = _root_members(rule)
            if members is None:
                self._anywhere.append(rule)
            for member in members or ():
                self._by_member.setdefault(member, []).append(rule)

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *_: object) -> None:
        self._python.close()

    def document(self, value: JSON, digest: str = "") -> Document:
        """Wrap a value for `run_all`; by its digest, if it has one, outcomes are remembered."""
        return Document(value, self._references, digest)

    def run_all(self, document: Document) -> dict[str, Run]:
        """Run the check of every rule on a document; return what came of it by rule id, in the catalogue's order."""
        runs = dict(self._idle)
        python: list[Rule] = []
        for rule in self._candidates(document):
            run = self._recalled(rule, document)
            if run is not None:
                runs[rule.id] = run
            elif isinstance(rule.check, PythonCheck):
                python.append(rule)
            else:
                runs[rule.id] = self._remember(rule, document, self._run(rule, document))
        for follow in (True, False):
            same = [rule for rule in python if rule.check.follow is follow]  # type: ignore[union-attr]  # see above
            for rule, run in zip(same, self._run_python(same, document.view(follow)), strict=True):
                runs[rule.id] = self._remember(rule, document, run)
        return runs

    @cached_property
    def _idle(self) -> dict[str, Run]:
        """What each rule says of a document in which it selects nothing."""
        return {rule.id: self._idle_run(rule) for rule in self._rules}

    def _idle_run(self, rule: Rule) -> Run:
        match rule.check:
            case NoCheck():
                return Run("")
            case SchemaCheck() as check:
                return self._schemas.nothing(check)
            case PythonCheck() as check:
                return self._python.run(Job(rule.id, Call(check.function, ())), View(None))

    def _candidates(self, document: Document) -> Iterable[Rule]:
        """Return the rules that might select something.

        A catalogue runs each rule on each fixture. Most have nothing to say about most fixtures, and the members of
        the top object are the cheapest way to know.
        """
        value = document.value
        if not isinstance(value, dict) or self._references in value:
            return self._rules
        found = {rule.id: rule for member in value for rule in self._by_member.get(member, ())}
        return [*self._anywhere, *found.values()]

    def _recalled(self, rule: Rule, document: Document) -> Run | None:
        if self._memory is None or not document.digest:
            return None
        return self._memory.get((self._fingerprints[rule.id], document.digest))

    def _remember(self, rule: Rule, document: Document, run: Run) -> Run:
        if self._memory is not None and document.digest and not run.error and not run.skipped:
            self._memory[self._fingerprints[rule.id], document.digest] = run
        return run

    def _run(self, rule: Rule, document: Document) -> Run:
        match rule.check:
            case SchemaCheck() as check:
                return self._schemas.run(rule.id, check, document.view(check.follow))
            case _:
                return Run("")

    def _run_python(self, rules: list[Rule], view: View) -> list[Run]:
        """Run Python checks on a document, all that can be in one go."""
        runs: dict[str, Run] = {}
        jobs: list[Job] = []
        for rule in rules:
            try:
                jobs.append(self._job(rule, view))
            except Exception as error:
                runs[rule.id] = Run(ENGINE, error=in_words(error))
        for job, run in zip(jobs, self._python.run_all(jobs, view) if jobs else (), strict=True):
            runs[job.rule] = run
        return [runs[rule.id] for rule in rules]

    def _job(self, rule: Rule, view: View) -> Job:
        check = rule.check
        assert isinstance(check, PythonCheck)
        paths = tuple(path for path, _ in self._schemas.select(check, view)) if check.select else None
        return Job(rule.id, Call(check.function, paths, check.parameters))


def _fingerprints(catalogue: Catalogue) -> dict[str, str]:
    """Return for each rule a hash of all that its outcome depends on besides the document."""
    common = hashlib.sha256()
    for path in sorted((catalogue.folder / "checks").rglob("*.py")):
        common.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    settings = (catalogue.schemas, catalogue.draft, catalogue.formats, catalogue.references)
    engines = (LIBRARIES[catalogue.schema_engine].ENGINE, ENGINE)
    common.update(repr((settings, engines)).encode())
    return {rule.id: hashlib.sha256(common.digest() + _essence(rule).encode()).hexdigest() for rule in catalogue.rules}


def _essence(rule: Rule) -> str:
    return repr((rule.id, replace(rule.check, place=Place(Path()), pointer="")))


def _root_members(rule: Rule) -> frozenset[str] | None:
    """Return the members of the top object without which the rule selects nothing; None where it could anyway."""
    if isinstance(rule.check, NoCheck) or not rule.check.select:
        return None
    members: set[str] = set()
    for query in rule.check.select:
        try:
            steps = plan(query).steps
        except (jsonpath.JSONPathError, RecursionError):
            return None
        if not steps:
            return None
        for name in steps[0]:
            if not isinstance(name, str):
                return None
            members.add(name)
    return frozenset(members)
