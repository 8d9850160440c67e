"""Checks written as JSON Schema, whichever library decides them."""

from __future__ import annotations

import decimal
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

import jsonpath
import referencing.exceptions

from mkdocs_rulebook.checks import json_schema, json_schema_rs
from mkdocs_rulebook.checks.base import Run, in_order
from mkdocs_rulebook.checks.failures import Failure, findings
from mkdocs_rulebook.checks.json_schema_rs_places import NotJudgedError
from mkdocs_rulebook.checks.keywords import NumberTooLargeError
from mkdocs_rulebook.checks.patterns import PatternError
from mkdocs_rulebook.checks.query import query_error
from mkdocs_rulebook.checks.schemas import SchemaFault, Schemas, Usable, unresolved
from mkdocs_rulebook.checks.view import View, ViewError
from mkdocs_rulebook.model import JSON, PythonCheck, SchemaCheck


class Compiled(Protocol):
    """A schema that is ready to judge values."""

    def is_valid(self, value: JSON) -> bool:
        """Whether a value satisfies the schema."""

    def failures(self, value: JSON) -> Iterator[Failure]:
        """Yield what a value does not satisfy."""


class Library(Protocol):
    """A module that makes a JSON Schema library decide checks."""

    ENGINE: str

    def compile(self, usable: Usable) -> Compiled:
        """Make a schema ready.

        Raises:
            SchemaFault: this library cannot use it.
        """

    def obstacle(self, view: View) -> str:
        """Say why this library cannot judge a document exactly; empty where it can."""


LIBRARIES: Mapping[str, Library] = {"jsonschema": json_schema, "jsonschema-rs": json_schema_rs}
"""What `schema_engine` in catalogue.yaml may be."""


class SchemaEngine:
    """Runs JSON Schema checks; compiles each once.

    Args:
        schemas: The schemas of the catalogue.
        library: Which library decides: a key of `LIBRARIES`.
    """

    def __init__(self, schemas: Schemas, library: str = "jsonschema") -> None:
        self._schemas = schemas
        self._library = LIBRARIES[library]
        # Keyed by identity, since a check holds unhashable schemas; the check is kept so that no id is used again.
        self._compiled: dict[int, tuple[SchemaCheck, Usable, Compiled]] = {}
        self._conditions: dict[int, tuple[SchemaCheck | PythonCheck, Compiled | None]] = {}
        self._judged = _Judged()

    @property
    def name(self) -> str:
        """The library with its version, as evidence."""
        return self._library.ENGINE

    def compile(self, check: SchemaCheck) -> None:
        """See to it that a check can be run.

        Raises:
            SchemaFault: `when` or `schema` cannot be used; its pointer begins with `/when` or `/schema`.
        """
        self.condition(check)
        self._schema(check)

    def condition(self, check: SchemaCheck | PythonCheck) -> Compiled | None:
        """Return the `when` of a check, None where every node counts.

        Raises:
            SchemaFault: it cannot be used; its pointer begins with `/when`.
        """
        known = self._conditions.get(id(check))
        if known is None or known[0] is not check:
            known = (check, None if check.when is True else self._part(check.when, check.base, "/when")[1])
            self._conditions[id(check)] = known
        return known[1]

    def _schema(self, check: SchemaCheck) -> tuple[Usable, Compiled]:
        known = self._compiled.get(id(check))
        if known is None or known[0] is not check:
            known = (check, *self._part(check.schema, check.base, "/schema"))
            self._compiled[id(check)] = known
        return known[1:]

    def _part(self, schema: JSON, base: str, pointer: str) -> tuple[Usable, Compiled]:
        try:
            usable = self._schemas.usable(schema, base)
            return usable, self._library.compile(usable)
        except SchemaFault as fault:
            raise SchemaFault(str(fault), pointer + fault.pointer) from None

    def nothing(self, check: SchemaCheck) -> Run:
        """Return what `run` would for a document in which the check is known to select nothing."""
        try:
            self.compile(check)
        except SchemaFault as fault:
            return Run(self.name, error=str(fault))
        return Run(self.name)

    def select(self, check: SchemaCheck | PythonCheck, view: View) -> list[tuple[tuple[str | int, ...], JSON]]:
        """Return path and value of the nodes that a check judges: selected, and let through by `when`.

        Raises:
            Exception: whatever a query, a schema or a document provokes; see `in_words`.
        """
        when = self.condition(check)
        nodes = view.select(check.select)
        if nodes and when is not None:
            self._refuse(view)
            nodes = [(path, value) for path, value in nodes if self._judged.is_valid(when, value)]
        return nodes

    def _refuse(self, view: View) -> None:
        obstacle = self._library.obstacle(view)
        if obstacle:
            raise NumberTooLargeError(obstacle)

    def run(self, rule: str, check: SchemaCheck, view: View) -> Run:
        """Run one check on one document."""
        try:
            usable, schema = self._schema(check)
            nodes = self.select(check, view)
            if nodes:
                self._refuse(view)
            judged = [(path, self._judged.failures(schema, value)) for path, value in nodes]
            found = [finding for path, failures in judged for finding in findings(rule, failures, view, path)]
        except Exception as error:  # whatever a library raises, the check is at fault and the run goes on
            return Run(self.name, error=in_words(error))
        applied = tuple(dict.fromkeys(view.locate(path) for path, _ in nodes))
        return Run(self.name, in_order(found), applied, hint="" if found else usable.ignored)


class _Judged:
    """What was said of values before.

    A fix leaves most of its document as it was, and every rule is run on both. Values are told apart by identity, and
    kept so that no id is used again; whoever changes one makes a copy.
    """

    _MOST = 20_000

    def __init__(self) -> None:
        self._answers: dict[tuple[int, int, str], tuple[Compiled, JSON, Any]] = {}

    def is_valid(self, schema: Compiled, value: JSON) -> bool:
        """Whether a value satisfies a schema."""
        return bool(self._answer(schema, value, "is_valid"))

    def failures(self, schema: Compiled, value: JSON) -> tuple[Failure, ...]:
        """Return what a value does not satisfy."""
        found: tuple[Failure, ...] = self._answer(schema, value, "failures")
        return found

    def _answer(self, schema: Compiled, value: JSON, question: str) -> Any:
        key = (id(schema), id(value), question)
        known = self._answers.get(key)
        if known is None or not isinstance(value, dict | list):
            answer = schema.is_valid(value) if question == "is_valid" else tuple(schema.failures(value))
            if len(self._answers) >= self._MOST:
                self._answers.clear()
            known = self._answers[key] = (schema, value, answer)
        return known[2]


def in_words(error: Exception) -> str:
    """Say what stopped a check; anything that a document or schema can provoke must end here, not in a traceback."""
    if isinstance(error, SchemaFault | PatternError | ViewError | NumberTooLargeError | NotJudgedError):
        return str(error)
    if isinstance(error, RecursionError):
        return "the document or the schema nests too deep, or a reference leads back to itself"
    if isinstance(error, referencing.exceptions.Unresolvable):
        return unresolved(error.ref)
    if isinstance(error, jsonpath.JSONPathError):
        return f"the selection cannot be evaluated: {query_error(error)}"
    if isinstance(error, decimal.DecimalException):
        return "a number is too large to calculate with"
    return f"the check failed with {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
