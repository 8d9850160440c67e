"""What can be said about checks before any of them is run: queries, schemas and parameters that are wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import jsonpath

from mkdocs_rulebook.checks.query import compile_query, query_error
from mkdocs_rulebook.checks.schema_engine import SchemaEngine
from mkdocs_rulebook.checks.schemas import SchemaFault
from mkdocs_rulebook.checks.signature import unfit, written
from mkdocs_rulebook.checks.subschemas import untyped_objects
from mkdocs_rulebook.model import Catalogue, Fault, PythonCheck, Rule, SchemaCheck, Severity
from mkdocs_rulebook.pointer import append
from mkdocs_rulebook.source import Source


def check_faults(catalogue: Catalogue, files: Mapping[Path, Source], engine: SchemaEngine) -> Iterator[Fault]:
    """Yield a fault for each check that cannot be run, or will not do what its author thinks.

    Args:
        catalogue: The catalogue.
        files: Its rule files.
        engine: What decides its JSON Schema checks; they are compiled there.
    """
    for rule in catalogue.rules:
        if isinstance(rule.check, SchemaCheck | PythonCheck):
            yield from _one_check(engine, rule, rule.check, files[rule.place.path])


def _one_check(engine: SchemaEngine, rule: Rule, check: SchemaCheck | PythonCheck, file: Source) -> Iterator[Fault]:
    for query in check.select:
        try:
            compile_query(query)
        except (jsonpath.JSONPathError, RecursionError) as error:
            message = f"`{query}` is no JSONPath (RFC 9535): {query_error(error)}"
            yield _check_error(file, append(check.pointer, "select"), rule, message)
    if isinstance(check, PythonCheck):
        yield from _parameter_faults(check, rule, file)
    try:
        if isinstance(check, SchemaCheck):
            engine.compile(check)
        else:
            engine.condition(check)
    except SchemaFault as fault:
        part = fault.pointer.split("/")[1]
        yield _check_error(file, check.pointer + fault.pointer, rule, f"`{part}`: {fault}")
    for part, schema in (("schema", check.schema if isinstance(check, SchemaCheck) else True), ("when", check.when)):
        for below in untyped_objects(schema):
            message = "says what members an object has, but not `type: object`: any other value passes"
            place = file.place(append(check.pointer, part) + below)
            yield Fault(place, "untyped-schema", f"`{part}` {message}", rule.id, severity=Severity.WARNING)


def _parameter_faults(check: PythonCheck, rule: Rule, file: Source) -> Iterator[Fault]:
    module, _, function = check.function.partition(":")
    path = rule.place.path.parent / "checks" / f"{module.replace('.', '/')}.py"
    try:
        signature = written(path.read_text(encoding="utf-8"), function)
    except (OSError, UnicodeDecodeError):
        return  # said when it is loaded
    wrong = signature and unfit(signature, check.parameters)
    if wrong:
        pointer = append(check.pointer, "with", wrong.name) if wrong.name else append(check.pointer, "python")
        yield _check_error(file, pointer, rule, f"`{check.function}`: {wrong.message}")


def _check_error(file: Source, pointer: str, rule: Rule, message: str) -> Fault:
    return Fault(file.place(pointer), "check-error", message, rule.id)
