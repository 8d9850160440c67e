"""Checks written as JSON Schema, decided by the `jsonschema` library without ever touching the network."""

from __future__ import annotations

import decimal
from collections.abc import Iterator
from importlib import metadata
from typing import Any

import jsonpath
import referencing.exceptions
from jsonschema.exceptions import ValidationError

from mkdocs_rulebook.checks.base import Run, in_order
from mkdocs_rulebook.checks.keywords import FORBIDDEN, NumberTooLargeError, PatternError
from mkdocs_rulebook.checks.messages import FORBIDDEN_HERE, message
from mkdocs_rulebook.checks.schemas import NAMED, SchemaFault, Schemas, ignored_siblings, unresolved
from mkdocs_rulebook.checks.view import View, ViewError, query_error
from mkdocs_rulebook.model import JSON, Finding, PythonCheck, SchemaCheck
from mkdocs_rulebook.pointer import Path

ENGINE = f"jsonschema {metadata.version('jsonschema')}"


class SchemaEngine:
    """Runs JSON Schema checks; compiles each once."""

    def __init__(self, schemas: Schemas) -> None:
        self._schemas = schemas
        # Keyed by identity, since a check holds unhashable schemas; the check is kept so that no id is used again.
        self._compiled: dict[int, tuple[SchemaCheck, Any]] = {}
        self._conditions: dict[int, tuple[SchemaCheck | PythonCheck, Any]] = {}

    def compile(self, check: SchemaCheck) -> tuple[Any, Any]:
        """Return the validators of `when` (None where every node counts) and of `schema`.

        Raises:
            SchemaFault: one of the two cannot be used; its pointer begins with `/when` or `/schema`.
        """
        known = self._compiled.get(id(check))
        if known is None or known[0] is not check:
            known = (check, self._part(check.schema, check.base, "/schema"))
            self._compiled[id(check)] = known
        return self.condition(check), known[1]

    def condition(self, check: SchemaCheck | PythonCheck) -> Any:
        """Return the validator of the `when` of a check, None where every node counts.

        Raises:
            SchemaFault: it cannot be used; its pointer begins with `/when`.
        """
        known = self._conditions.get(id(check))
        if known is None or known[0] is not check:
            known = (check, None if check.when is True else self._part(check.when, check.base, "/when"))
            self._conditions[id(check)] = known
        return known[1]

    def _part(self, schema: JSON, base: str, pointer: str) -> Any:
        try:
            return self._schemas.validator(schema, base)
        except SchemaFault as fault:
            raise SchemaFault(str(fault), pointer + fault.pointer) from None

    def nothing(self, check: SchemaCheck) -> Run:
        """Return what `run` would for a document in which the check is known to select nothing."""
        try:
            self.compile(check)
        except SchemaFault as fault:
            return Run(ENGINE, error=str(fault))
        return Run(ENGINE)

    def run(self, rule: str, check: SchemaCheck, view: View) -> Run:
        """Run one check on one document."""
        try:
            when, schema = self.compile(check)
            nodes = [(path, value) for path, value in view.select(check.select) if when is None or when.is_valid(value)]
            findings = [f for path, value in nodes for f in _findings(rule, schema, view, path, value)]
        except Exception as error:
            return Run(ENGINE, error=in_words(error))
        applied = tuple(dict.fromkeys(view.locate(path) for path, _ in nodes))
        return Run(ENGINE, in_order(findings), applied, hint="" if findings else ignored_siblings(schema))


def in_words(error: Exception) -> str:
    """Say what stopped a check; anything that a document or schema can provoke must end here, not in a traceback."""
    if isinstance(error, SchemaFault | PatternError | ViewError | NumberTooLargeError):
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


def _findings(rule: str, validator: Any, view: View, path: Path, value: JSON) -> Iterator[Finding]:
    groups: dict[tuple[Path, tuple[str | int, ...]], list[ValidationError]] = {}
    for error in validator.iter_errors(value):
        groups.setdefault((tuple(error.absolute_path), tuple(error.absolute_schema_path)), []).append(error)
    for (below, schema_path), errors in groups.items():
        error = errors[0]
        keyword = error.validator if error.validator in _CONTAINS else last_keyword(schema_path) or "false"
        names = _names(keyword, error, below)
        pointer, target = view.locate((*path, *below))
        text = FORBIDDEN_HERE if _forbidden(error) else message(keyword, error.validator_value, error.instance, names)
        yield Finding(rule, pointer, target, text, keyword=keyword, names=names)


_CONTAINS = ("minContains", "maxContains")
"""Keywords that the library judges together with `contains`, under whose path it reports them."""


def _forbidden(error: ValidationError) -> bool:
    """Whether what failed is a schema of `false`; the library itself leaves the keyword out where it is the whole."""
    return error.validator is None or error.validator == FORBIDDEN


def last_keyword(schema_path: tuple[str | int, ...]) -> str:
    """Return the last keyword of a schema path: member names and indexes in it are no keywords."""
    keyword, named = "", False
    for part in schema_path:
        if named or isinstance(part, int):
            named = False
            continue
        keyword, named = part, part in NAMED
    return keyword


def _names(keyword: str, error: ValidationError, below: Path) -> tuple[str, ...]:
    instance: JSON = error.instance
    limit: JSON = error.validator_value
    if keyword == "required" and isinstance(instance, dict):
        return tuple(sorted(name for name in limit if name not in instance))
    if keyword in ("dependentRequired", "dependencies") and isinstance(instance, dict) and not _forbidden(error):
        lists = [names for given, names in limit.items() if given in instance and isinstance(names, list)]
        return tuple(sorted({name for names in lists for name in names} - set(instance)))
    on_member = _forbidden(error) or "propertyNames" in error.absolute_schema_path
    return (below[-1],) if on_member and below and isinstance(below[-1], str) else ()
