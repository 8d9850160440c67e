"""The JSON Schema keywords that the `jsonschema` library decides otherwise than a rule catalogue needs.

- Patterns are ECMA-262 regular expressions with the Unicode flag, as JSON Schema asks (2020-12, §6.4), not Python's.
- A schema of `false` fails at the member or item it forbids, not at the object or array around it.
- Decimal numbers are decimal: `1.2` is a multiple of `0.1`, and `1.0` is an integer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

import jsonschema
import regress
from jsonschema import validators
from jsonschema._utils import find_evaluated_property_keys_by_schema
from jsonschema.exceptions import ValidationError
from jsonschema.protocols import Validator

from mkdocs_rulebook.model import JSON

Errors = Iterator[ValidationError]
Keyword = Callable[[Any, JSON, JSON, Mapping[str, JSON]], Errors]

FORBIDDEN = "false"
"""Stands where an error names its keyword, when what failed is a schema of `false`."""

MAX_EXPONENT = 5000
"""A number with more digits than this is not divided: the answer would take longer than anyone waits."""


class PatternError(ValueError):
    """A pattern is no ECMA-262 regular expression."""


class NumberTooLargeError(ValueError):
    """A number is too large for exact division."""


@lru_cache(maxsize=4096)
def compile_pattern(pattern: str) -> regress.Regex:
    """Compile an ECMA-262 pattern with the Unicode flag.

    Raises:
        PatternError: it is not well-formed.
    """
    try:
        return regress.Regex(pattern, "u")
    except regress.RegressError as error:
        raise PatternError(f"`{pattern}` is not an ECMA-262 regular expression: {error}") from None


def matches(pattern: str, text: str) -> bool:
    """Whether the pattern matches anywhere in the text."""
    return compile_pattern(pattern).find(text) is not None


def _descend(validator: Any, value: JSON, schema: JSON, path: str | int, schema_path: str | int | None) -> Errors:
    if schema is False:
        error = ValidationError(
            "", validator=FORBIDDEN, validator_value=False, instance=value, schema=False, path=[path]
        )
        if schema_path is not None:
            error.schema_path.appendleft(schema_path)
        yield error
    else:
        yield from validator.descend(value, schema, path=path, schema_path=schema_path)


def _properties(validator: Any, properties: JSON, instance: JSON, _: Mapping[str, JSON]) -> Errors:
    if isinstance(instance, dict):
        for name, schema in properties.items():
            if name in instance:
                yield from _descend(validator, instance[name], schema, name, name)


def _pattern(_: Any, pattern: JSON, instance: JSON, __: Mapping[str, JSON]) -> Errors:
    if isinstance(instance, str) and not matches(pattern, instance):
        yield ValidationError("")


def _pattern_properties(validator: Any, patterns: JSON, instance: JSON, _: Mapping[str, JSON]) -> Errors:
    if isinstance(instance, dict):
        for pattern, schema in patterns.items():
            for name, value in instance.items():
                if matches(pattern, name):
                    yield from _descend(validator, value, schema, name, pattern)


def _additional_properties(validator: Any, additional: JSON, instance: JSON, schema: Mapping[str, JSON]) -> Errors:
    if isinstance(instance, dict):
        known, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
        for name, value in instance.items():
            if name not in known and not any(matches(pattern, name) for pattern in patterns):
                yield from _descend(validator, value, additional, name, None)


def _unevaluated_properties(validator: Any, unevaluated: JSON, instance: JSON, schema: Mapping[str, JSON]) -> Errors:
    if isinstance(instance, dict):
        evaluated = find_evaluated_property_keys_by_schema(validator, instance, schema)
        for name, value in instance.items():
            if name not in evaluated:
                yield from _descend(validator, value, unevaluated, name, None)


def _property_names(validator: Any, names: JSON, instance: JSON, _: Mapping[str, JSON]) -> Errors:
    if isinstance(instance, dict):
        for name in instance:
            yield from _descend(validator, name, names, name, None)


def _items(validator: Any, items: JSON, instance: JSON, schema: Mapping[str, JSON]) -> Errors:
    if isinstance(instance, list):
        for index in range(len(schema.get("prefixItems", [])), len(instance)):
            yield from _descend(validator, instance[index], items, index, None)


def _multiple_of(_: Any, divisor: JSON, instance: JSON, __: Mapping[str, JSON]) -> Errors:
    if _number(instance) and _fraction(instance) % _fraction(divisor):
        yield ValidationError("")


def _fraction(number: int | Decimal) -> Fraction:
    if isinstance(number, Decimal) and abs(number.adjusted()) > MAX_EXPONENT:
        raise NumberTooLargeError(f"a number of more than {MAX_EXPONENT} digits cannot be divided")
    return Fraction(number)


def _number(instance: JSON) -> bool:
    return isinstance(instance, int | Decimal) and not isinstance(instance, bool)


def _integer(_: Any, instance: JSON) -> bool:
    return _number(instance) and (isinstance(instance, int) or instance == instance.to_integral_value())


_EVERY_DRAFT: dict[str, Keyword] = {
    "properties": _properties,
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional_properties,
    "multipleOf": _multiple_of,
}
_FROM_DRAFT_6: dict[str, Keyword] = {"propertyNames": _property_names}
_2019_ON: dict[str, Keyword] = {"unevaluatedProperties": _unevaluated_properties}


def _extended(base: Any, extra: Mapping[str, Keyword]) -> Any:
    checker = base.TYPE_CHECKER.redefine("integer", _integer)
    extend: Any = validators.extend  # untyped in the library
    return extend(base, {**_EVERY_DRAFT, **extra}, type_checker=checker)


DRAFTS: Mapping[str, type[Validator]] = {
    "https://json-schema.org/draft/2020-12/schema": _extended(
        jsonschema.Draft202012Validator, {**_FROM_DRAFT_6, **_2019_ON, "items": _items}
    ),
    "https://json-schema.org/draft/2019-09/schema": _extended(
        jsonschema.Draft201909Validator, {**_FROM_DRAFT_6, **_2019_ON}
    ),
    "http://json-schema.org/draft-07/schema": _extended(jsonschema.Draft7Validator, _FROM_DRAFT_6),
    "http://json-schema.org/draft-06/schema": _extended(jsonschema.Draft6Validator, _FROM_DRAFT_6),
    "http://json-schema.org/draft-04/schema": _extended(jsonschema.Draft4Validator, {}),
}
"""The supported dialects, by the URI that `$schema` gives, without an empty fragment."""
