"""The `jsonschema-rs` library decides: an implementation of its own, in another language.

It is kept from the network and from the file system, and where it tells less than a finding needs (which item is
unevaluated, which member a schema of `false` forbids), that is worked out here from what it does tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import metadata
from typing import Any
from urllib.parse import unquote, urldefrag

import jsonschema_rs
import referencing
import referencing.exceptions
from jsonschema_rs import ValidationError
from jsonschema_rs import ValidationErrorKind as Kind

from mkdocs_rulebook.checks.failures import Failure
from mkdocs_rulebook.checks.formats import FORMATS
from mkdocs_rulebook.checks.json_schema_rs_places import NotJudgedError, forbidden, indexes, of_members, walk
from mkdocs_rulebook.checks.patterns import is_universal, matches
from mkdocs_rulebook.checks.schemas import SchemaFault, Usable, real_dialect, unresolved
from mkdocs_rulebook.checks.subschemas import named, patterns, subschemas
from mkdocs_rulebook.checks.view import View
from mkdocs_rulebook.model import JSON
from mkdocs_rulebook.pointer import Path, append, resolve, tokens
from mkdocs_rulebook.source.number import exponent

ENGINE = f"jsonschema-rs {metadata.version('jsonschema-rs')}"

MAX_EXPONENT = 1_000_000
"""The library counts with numbers as they are written, but cuts exponents beyond this one."""

_CLASSES: dict[str, type[jsonschema_rs.Validator]] = {
    "https://json-schema.org/draft/2020-12/schema": jsonschema_rs.Draft202012Validator,
    "https://json-schema.org/draft/2019-09/schema": jsonschema_rs.Draft201909Validator,
    "http://json-schema.org/draft-07/schema": jsonschema_rs.Draft7Validator,
    "http://json-schema.org/draft-06/schema": jsonschema_rs.Draft6Validator,
    "http://json-schema.org/draft-04/schema": jsonschema_rs.Draft4Validator,
}


class _Pattern:
    """The keyword `pattern` in the one dialect; the library's own engine reads some patterns otherwise."""

    def __init__(self, _: dict[str, Any], pattern: Any, __: list[str | int]) -> None:
        self._pattern = pattern

    def validate(self, instance: Any) -> None:
        if isinstance(instance, str) and not matches(self._pattern, instance):
            raise ValueError


class _Silent:
    """A keyword that is no assertion: the library makes one of it in draft-06 and draft-07."""

    def __init__(self, *_: Any) -> None:
        pass

    def validate(self, _: Any) -> None:
        pass


_REST = "urn:mkdocs-rulebook:rest"

_KEYWORDS: dict[str, Any] = {"pattern": _Pattern, "contentMediaType": _Silent, "contentEncoding": _Silent}


class Validator:
    """A schema as this library judges by it."""

    def __init__(self, usable: Usable, validator: jsonschema_rs.Validator) -> None:
        self._usable = usable
        self._validator = validator
        self._rest: dict[str, Validator] = {}

    def is_valid(self, value: JSON) -> bool:
        """Whether a value satisfies the schema.

        Raises:
            RecursionError: the value nests too deep for the library.
        """
        try:
            return self._validator.is_valid(value)
        except ValueError as error:
            raise _in_words(error) from None

    def failures(self, value: JSON) -> Iterator[Failure]:
        """Yield what a value does not satisfy.

        Raises:
            RecursionError: the value nests too deep for the library.
            NotJudgedError: it gave up on a pattern.
        """
        try:
            errors = list(self._validator.iter_errors(value))
        except ValueError as error:
            raise _in_words(error) from None
        for each in errors:
            yield from self._failures(each, value)

    def _failures(self, error: ValidationError, value: JSON) -> Iterator[Failure]:
        path, value = walk(value, error)
        way = tuple(error.evaluation_path)
        limit = self._limit(error)
        match error.kind:
            case Kind.BacktrackLimitExceeded() | Kind.RegexEngineFailure() | Kind.Referencing():
                raise NotJudgedError(f"jsonschema-rs gave up: {error.message}")
            case Kind.AdditionalProperties(unexpected):
                yield from forbidden(path, way, value, unexpected)
            case Kind.FalseSchema() if of_members(way):
                yield from forbidden(path, way, value, value)
            case Kind.FalseSchema():
                yield Failure(path, way, False, value, forbidden=True)
            case Kind.AdditionalItems(first):
                yield from forbidden(path, way, value, range(first, len(value)))
            case Kind.UnevaluatedProperties(unexpected):
                yield from self._unevaluated(error, path, value, unexpected)
            case Kind.UnevaluatedItems(unexpected):
                texts: Any = unexpected  # not the indexes that the library's types promise
                yield from self._unevaluated(error, path, value, indexes(value, texts))
            case Kind.PropertyNames(inner):
                name, way = str(inner.instance), ("propertyNames", *inner.evaluation_path)
                yield Failure((*path, name), way, limit, name, forbidden=isinstance(inner.kind, Kind.FalseSchema))
            case _:
                yield Failure(path, way, limit, value)

    def _unevaluated(self, error: ValidationError, path: Path, value: JSON, keys: Any) -> Iterator[Failure]:
        """Judge what is left over once more by the schema for it: the library says only which does not satisfy it."""
        way = tuple(error.evaluation_path)
        if self._limit(error) is False:
            yield from forbidden(path, way, value, keys)
            return
        location = error.absolute_keyword_location or ""
        if location not in self._rest:
            self._rest[location] = Validator(self._usable, _validator(self._usable, {"$ref": location}, _REST))
        rest = self._rest[location]
        for key in keys:
            for failure in rest.failures(value[key]):
                yield Failure(
                    (*path, key, *failure.path),
                    (*way, *failure.schema_path),
                    failure.limit,
                    failure.instance,
                    failure.forbidden,
                )

    def _limit(self, error: ValidationError) -> JSON:
        """Return what the schema says under the keyword that failed, with its numbers as they are written."""
        if isinstance(error.kind, Kind.PropertyNames):
            error = error.kind.error
        location = error.absolute_keyword_location or ""
        if error.evaluation_path[-1:] in (["dependentRequired"], ["dependencies"]):
            location = location.rpartition("/")[0]  # it tells which of the names, though not whose
        uri, fragment = urldefrag(location)
        return resolve(self._usable.registry.get_or_retrieve(uri).value.contents, unquote(fragment))[2]


def compile(usable: Usable) -> Validator:  # noqa: A001 - the name that every library has for it
    """Make a schema ready.

    Raises:
        SchemaFault: a reference leads nowhere, or a pattern among names is not read the same by this library.
    """
    fault = _unfit(usable.contents)
    if fault is not None:
        raise fault
    return Validator(usable, _validator(usable, _real(usable.contents, usable.dialect), usable.base))


def obstacle(view: View) -> str:
    """Say why this library cannot judge the numbers of a document exactly; empty where it can."""
    if view.exponent <= MAX_EXPONENT:
        return ""
    return f"the document has a number beyond 1e{MAX_EXPONENT}, which jsonschema-rs does not compare exactly"


def _validator(usable: Usable, schema: JSON, base: str) -> jsonschema_rs.Validator:
    faults: list[SchemaFault] = []

    def retrieve(uri: str) -> Any:
        try:
            resource = usable.registry.get_or_retrieve(urldefrag(uri)[0]).value
        except referencing.exceptions.NoSuchResource:
            faults.append(SchemaFault(unresolved(uri)))
            raise
        fault = _unfit(resource.contents)
        if fault is not None:
            faults.append(SchemaFault(str(fault)))
        return _real(resource.contents, real_dialect(resource))

    try:
        made = _CLASSES[usable.dialect](
            schema,
            base_uri=base,
            retriever=retrieve,
            validate_formats=usable.formats,
            formats=dict(FORMATS) if usable.formats else None,
            keywords=_KEYWORDS,
        )
    except ValueError as error:
        deep = str(error).startswith("Recursion limit")
        reason = "it nests too deep" if deep else f"jsonschema-rs cannot use it: {str(error).splitlines()[0]}"
        raise (faults[0] if faults else SchemaFault(reason)) from None
    if faults:
        raise faults[0]
    return made


def _real(contents: JSON, dialect: str) -> JSON:
    return {**contents, "$schema": dialect} if isinstance(contents, dict) else contents


def _unfit(schema: JSON) -> SchemaFault | None:
    """Say what in a schema the library would read otherwise than this package does."""
    for pointer, pattern in patterns(schema):
        if "patternProperties" in tokens(pointer)[-2:-1] and not is_universal(pattern):
            reason = (
                "names cannot be held against it by jsonschema-rs as ECMA-262 says; `schema_engine: jsonschema` can"
            )
            return SchemaFault(f"the pattern `{pattern}`: {reason}", pointer)
    for pointer, members in named(schema):
        if "" in members:
            return SchemaFault("it has a member without a name, which jsonschema-rs does not report", pointer)
    nodes = list(subschemas(schema))
    dynamic = {node.get("$dynamicAnchor") for _, node in nodes}
    for pointer, node in nodes:
        target = node.get("$ref")
        if isinstance(target, str) and "#" in target and urldefrag(target)[1] in dynamic:
            reason = "leads to a dynamic anchor, which jsonschema-rs takes for a dynamic reference"
            return SchemaFault(f"the reference `{target}` {reason}", append(pointer, "$ref"))
    if exponent(schema) > MAX_EXPONENT:
        return SchemaFault(f"it has a number beyond 1e{MAX_EXPONENT}, which jsonschema-rs does not compare exactly")
    return None


def _in_words(error: ValueError) -> Exception:
    if str(error).startswith("Recursion limit"):
        return RecursionError()
    return NotJudgedError(f"jsonschema-rs gave up: {str(error).splitlines()[0]}")
