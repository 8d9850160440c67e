"""Runs the check of any rule on any document, whichever engine decides it, and remembers the outcome."""

from __future__ import annotations

import fnmatch
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import jsonpath

from mkdocs_rulebook.checks.base import Run
from mkdocs_rulebook.checks.engines import Engines
from mkdocs_rulebook.checks.protocol import Call
from mkdocs_rulebook.checks.python import ENGINE, Job, PythonEngine
from mkdocs_rulebook.checks.query import plan
from mkdocs_rulebook.checks.schema_engine import LIBRARIES, SchemaEngine, in_words
from mkdocs_rulebook.checks.schemas import Schemas
from mkdocs_rulebook.checks.view import View
from mkdocs_rulebook.model import (
    JSON,
    Catalogue,
    EngineCheck,
    NoCheck,
    Place,
    PythonCheck,
    Rule,
    SchemaCheck,
    judges_text,
)
from mkdocs_rulebook.pointer import Path as NodePath
from mkdocs_rulebook.source import Source

Memory = dict[tuple[str, str], Any]
"""Outcomes by everything that can change them: the fingerprint of a rule or an engine, and the digest of a document."""


class Document:
    """A document under check, with what it looks like to rules that follow references and to those that do not.

    Args:
        value: The value.
        references: The name of the member that makes an object a reference; empty where there are none.
        digest: A hash of the value, by which outcomes are remembered; empty for a document seen once.
        source: What the value was read from, or would be read from if it were a file; a text is known by it.
    """

    def __init__(self, value: JSON, references: str, digest: str = "", source: Source | None = None) -> None:
        self.value = value
        self.digest = digest
        self.source = source
        self.written = View(value)
        self.followed = View(value, references) if references else self.written

    @property
    def is_text(self) -> bool:
        """Whether this is a text or a folder of texts."""
        return self.source is not None and self.source.is_text

    def texts(self, patterns: tuple[str, ...]) -> tuple[NodePath, ...]:
        """Return where the texts of certain names are: the root, or files of a folder; nowhere in data.

        Args:
            patterns: What the name of a file has to match, without its folder: one of them is enough.
        """
        if self.source is None or not self.source.is_text:
            return ()
        named: dict[NodePath, str] = {(): self.source.path.name}
        if isinstance(self.value, dict):
            named = {(name,): name for name in self.source.files}
        return tuple(
            path
            for path, name in named.items()
            if any(fnmatch.fnmatchcase(name.rpartition("/")[2], pattern) for pattern in patterns)
        )

    def view(self, follow: bool) -> View:
        """Return the document as a rule sees it."""
        return self.followed if follow else self.written


class Runner:
    """Runs the checks of one catalogue; to be closed, since it may have started a process.

    Args:
        catalogue: The catalogue.
        allow_code: Whether Python checks and external engines may run.
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
        self._engines = Engines(catalogue, allow_code, memory)
        self._references = catalogue.references
        self._rules = catalogue.rules
        self._own = [rule for rule in catalogue.rules if not isinstance(rule.check, EngineCheck | NoCheck)]
        self._anywhere: list[Rule] = []
        self._by_member: dict[str, list[Rule]] = {}
        for rule in self._own:
            members = _root_members(rule)
            if members is None:
                self._anywhere.append(rule)
            for member in members or ():
                self._by_member.setdefault(member, []).append(rule)

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *_: object) -> None:
        self._python.close()
        self._engines.close()

    def document(self, value: JSON, digest: str = "", source: Source | None = None) -> Document:
        """Wrap a value for `run_all`; by its digest, if it has one, outcomes are remembered."""
        return Document(value, self._references, digest, source)

    def prepare(self, documents: Iterable[Document]) -> None:
        """Let external engines judge documents in one go, which is far cheaper than each alone."""
        if self._engines:
            self._engines.prepare(document.source for document in documents if document.source is not None)

    def run_all(self, document: Document) -> dict[str, Run]:
        """Run the check of every rule on a document; return what came of it by rule id, in the catalogue's order."""
        runs = self._idle | self._engines.run_all(document.source)
        python: list[Rule] = []
        for rule in self._candidates(document):
            run = self._recalled(rule, document)
            if run is not None:
                runs[rule.id] = run
            elif isinstance(rule.check, PythonCheck):
                python.append(rule)
            elif isinstance(rule.check, SchemaCheck):
                found = self._schemas.run(rule.id, rule.check, document.view(rule.check.follow))
                runs[rule.id] = self._remember(rule, document, found)
        for rule, run in self._run_python(python, document):
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
            case EngineCheck():
                return Run("", unknown=True)

    def _candidates(self, document: Document) -> Iterable[Rule]:
        """Return the rules that might select something.

        A catalogue runs each rule on each fixture. Most have nothing to say about most fixtures, and the members of
        the top object are the cheapest way to know.
        """
        value = document.value
        if document.is_text:
            return [rule for rule in self._own if judges_text(rule.check)]
        if not isinstance(value, dict) or self._references in value:
            return self._own
        found = {rule.id: rule for member in value for rule in self._by_member.get(member, ())}
        return [*self._anywhere, *found.values()]

    def _recalled(self, rule: Rule, document: Document) -> Run | None:
        if self._memory is None or not document.digest:
            return None
        known: Run | None = self._memory.get((self._fingerprints[rule.id], document.digest))
        return known

    def _remember(self, rule: Rule, document: Document, run: Run) -> Run:
        if self._memory is not None and document.digest and not (run.error or run.skipped):
            self._memory[self._fingerprints[rule.id], document.digest] = run
        return run

    def _run_python(self, rules: list[Rule], document: Document) -> Iterator[tuple[Rule, Run]]:
        """Run Python checks on a document, in one go all those that see it the same way."""
        together: dict[tuple[bool, bool], list[tuple[Rule, Job]]] = {}
        for rule in rules:
            check = rule.check
            assert isinstance(check, PythonCheck)
            try:
                job = Job(rule.id, Call(check.function, self._paths(check, document), check.parameters))
            except Exception as error:  # whatever a library raises, the check is at fault and the run goes on
                yield rule, Run(ENGINE, error=in_words(error))
            else:
                together.setdefault((check.follow and not check.text, bool(check.text)), []).append((rule, job))
        for (follow, text), pairs in together.items():
            found = self._python.run_all([job for _, job in pairs], document.view(follow), text=text)
            for (rule, _), run in zip(pairs, found, strict=True):
                yield rule, self._with_condition(rule, run)

    def _with_condition(self, rule: Rule, run: Run) -> Run:
        """Name as evidence also what decided the `when` of a Python check: it had a say in what was judged."""
        conditional = isinstance(rule.check, PythonCheck) and rule.check.when is not True
        return replace(run, engine=f"{run.engine} (condition: {self._schemas.name})") if conditional else run

    def _paths(self, check: PythonCheck, document: Document) -> tuple[NodePath, ...] | None:
        if check.text:
            return document.texts(check.text)
        if not check.select:
            return None
        return tuple(path for path, _ in self._schemas.select(check, document.view(check.follow)))


def _fingerprints(catalogue: Catalogue) -> dict[str, str]:
    """Return for each rule a hash of all that its outcome depends on besides the document."""
    common = hashlib.sha256()
    home = catalogue.folder / "checks"
    for path in sorted(path for path in home.rglob("*") if path.is_file()):
        common.update(path.relative_to(home).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    settings = (catalogue.schemas, catalogue.draft, catalogue.formats, catalogue.references)
    engines = (LIBRARIES[catalogue.schema_engine].ENGINE, ENGINE)
    common.update(repr((settings, engines)).encode())
    return {rule.id: hashlib.sha256(common.digest() + _essence(rule).encode()).hexdigest() for rule in catalogue.rules}


def _essence(rule: Rule) -> str:
    return repr((rule.id, replace(rule.check, place=Place(Path()), pointer="")))


def _root_members(rule: Rule) -> frozenset[str] | None:
    """Return the members of the top object without which the rule selects nothing; None where it could anyway."""
    if isinstance(rule.check, PythonCheck) and rule.check.text:
        return frozenset()
    if not isinstance(rule.check, SchemaCheck | PythonCheck) or not rule.check.select:
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
