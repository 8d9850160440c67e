"""The `jsonschema-rs` library decides: an implementation of its own, in another language.

It is kept from the network and from the file system, and where it tells less than a finding needs (which item is
unevaluated, which member a schema of `false` forbids), that is worked out here from what it does tell.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from decimal import Decimal
from importlib import metadata
from typing import Any
from urllib.parse import unquote, urldefrag

import jsonschema_rs
import referencing
import referencing.exceptions
from jsonschema_rs import ValidationError
from jsonschema_rs import ValidationErrorKind as Kind

from mkdocs_rulebook.checks.failures import Failure, keywords
from mkdocs_rulebook.checks.formats import FORMATS
from mkdocs_rulebook.checks.patterns import is_universal, matches
from mkdocs_rulebook.checks.schemas import SchemaFault, Usable, real_dialect, unresolved
from mkdocs_rulebook.checks.subschemas import named, patterns, subschemas
from mkdocs_rulebook.checks.view import View
from mkdocs_rulebook.model import JSON
from mkdocs_rulebook.pointer import Path, append, resolve, tokens
from mkdocs_rulebook.source.number import exponent, integer

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

_NUMERIC = re.compile(r"\+?[0-9]+")

_KEYWORDS: dict[str, Any] = {"pattern": _Pattern, "contentMediaType": _Silent, "contentEncoding": _Silent}


class NotJudgedError(ValueError):
    """The library gave up on a value."""


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
        path, value = _walk(value, error)
        way = tuple(error.evaluation_path)
        limit = self._limit(error)
        match error.kind:
            case Kind.BacktrackLimitExceeded() | Kind.RegexEngineFailure() | Kind.Referencing():
                raise NotJudgedError(f"jsonschema-rs gave up: {error.message}")
            case Kind.AdditionalProperties(unexpected):
                yield from _forbidden(path, way, value, unexpected)
            case Kind.FalseSchema() if _of_members(way):
                yield from _forbidden(path, way, value, value)
            case Kind.FalseSchema():
                yield Failure(path, way, False, value, forbidden=True)
            case Kind.AdditionalItems(first):
                yield from _forbidden(path, way, value, range(first, len(value)))
            case Kind.UnevaluatedProperties(unexpected):
                yield from self._unevaluated(error, path, value, unexpected)
            case Kind.UnevaluatedItems(unexpected):
                texts: Any = unexpected  # not the indexes that the library's types promise
                yield from self._unevaluated(error, path, value, _indexes(value, texts))
            case Kind.PropertyNames(inner):
                name, way = str(inner.instance), ("propertyNames", *inner.evaluation_path)
                yield Failure((*path, name), way, limit, name, forbidden=isinstance(inner.kind, Kind.FalseSchema))
            case _:
                yield Failure(path, way, limit, value)

    def _unevaluated(self, error: ValidationError, path: Path, value: JSON, keys: Any) -> Iterator[Failure]:
        """Judge what is left over once more by the schema for it: the library says only which does not satisfy it."""
        way = tuple(error.evaluation_path)
        if self._limit(error) is False:
            yield from _forbidden(path, way, value, keys)
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


def _of_members(way: tuple[str | int, ...]) -> bool:
    """Whether a schema of `false` stands for members, but is reported at the object around them."""
    return way[-1:] in (("additionalProperties",), ("propertyNames",)) and keywords(way)[-1:] == [way[-1]]


def _walk(value: JSON, error: ValidationError) -> tuple[Path, JSON]:
    """Follow the path of an error, in which the library leaves out empty names and gives `1` for `1`, `01` and `+1`.

    Raises:
        NotJudgedError: more than one place may be meant.
    """
    found = list(_places(value, error.instance_path, ()))
    if len(found) > 1:
        found = [(path, node) for path, node in found if _is_instance(error, node)]
    if len(found) != 1:
        raise NotJudgedError(f"jsonschema-rs does not say which of the members of `{error.instance_path}` fails")
    return found[0]


def _is_instance(error: ValidationError, node: JSON) -> bool:
    instance = _rough(error.instance)
    if _of_members(tuple(error.evaluation_path)):  # the instance is then the object or one of its members
        return isinstance(node, dict) and instance in map(_rough, (node, *node.values()))
    return bool(instance == _rough(node))


def _places(value: JSON, rest: Sequence[str | int], path: Path) -> Iterator[tuple[Path, JSON]]:
    if not rest:
        yield path, value
    if isinstance(value, dict):
        if "" in value:
            yield from _places(value[""], rest, (*path, ""))
        part = rest[0] if rest else ""
        names = [part] if isinstance(part, str) else [n for n in value if _NUMERIC.fullmatch(n) and int(n) == part]
        for name in names:
            if name and name in value:
                yield from _places(value[name], rest[1:], (*path, name))
    elif isinstance(value, list) and rest and isinstance(rest[0], int) and rest[0] < len(value):
        yield from _places(value[rest[0]], rest[1:], (*path, rest[0]))


def _rough(value: JSON) -> JSON:
    """Return a value with its numbers as the library gives them back: near enough to tell values apart."""
    if isinstance(value, dict):
        return {name: _rough(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_rough(item) for item in value]
    return value if isinstance(value, bool | str | None) else repr(_float(value))


def _float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _forbidden(path: Path, way: tuple[str | int, ...], value: JSON, keys: Iterable[str | int]) -> Iterator[Failure]:
    for key in keys:
        yield Failure((*path, key), way, False, value[key], forbidden=True)


def _indexes(items: Sequence[JSON], unexpected: Iterable[str]) -> list[int]:
    """Return where the items are that the library names only by their JSON text.

    What is evaluated is a beginning of the array, and every item that `contains` matches. So of equal items it is
    always the last ones that are not.
    """
    left = Counter(_key(json.loads(text, parse_float=Decimal, parse_int=integer)) for text in unexpected)
    found = []
    for index in range(len(items) - 1, -1, -1):
        key = _key(items[index])
        if left[key]:
            left[key] -= 1
            found.append(index)
    return sorted(found)


def _key(value: JSON) -> Hashable:
    """Return something that is equal for equal JSON values: `1` and `1.0` are, `1` and `true` are not."""
    if isinstance(value, dict):
        return frozenset((name, _key(item)) for name, item in value.items())
    if isinstance(value, list):
        return tuple(_key(item) for item in value)
    return isinstance(value, bool), value
