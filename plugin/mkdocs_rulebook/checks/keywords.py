"""The JSON Schema keywords that the `jsonschema` library decides otherwise than a rule catalogue needs.

- Patterns are ECMA-262 regular expressions, not Python's.
- A schema of `false` fails at the member or item it forbids, not at the object or array around it.
- Decimal numbers are decimal: `1.2` is a multiple of `0.1`, and `1.0` is an integer (except in draft-04).
- Each schema is read in its own dialect, also where one of another dialect refers to it.
- What fails is named by the keyword that says it: `minContains`, not `contains`; `exclusiveMinimum` in draft-04 too.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import jsonschema
from jsonschema import validators
from jsonschema.exceptions import ValidationError
from jsonschema.protocols import Validator

from mkdocs_rulebook.checks.evaluated import evaluated_items, evaluated_names
from mkdocs_rulebook.checks.patterns import matches
from mkdocs_rulebook.checks.references import dynamic_target, plain_target, recursive_target
from mkdocs_rulebook.model import JSON

Errors = Iterator[ValidationError]
Keyword = Callable[[Any, JSON, JSON, Mapping[str, JSON]], Errors]

FORBIDDEN = "false"
"""Stands where an error names its keyword, when what failed is a schema of `false`."""

MAX_EXPONENT = 5000
"""A number with more digits than this is not divided: the answer would take longer than anyone waits."""


class NumberTooLargeError(ValueError):
    """A number is too large for exact division."""


def _descend(
    validator: Any, value: JSON, schema: JSON, path: str | int | None, schema_path: str | int | None
) -> Errors:
    if schema is False:
        steps = () if path is None else (path,)
        error = ValidationError(
            "", validator=FORBIDDEN, validator_value=False, instance=value, schema=False, path=steps
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
        evaluated = evaluated_names(validator, instance, schema)
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


def _prefix_items(validator: Any, items: JSON, instance: JSON, _: Mapping[str, JSON]) -> Errors:
    if isinstance(instance, list):
        for index, (value, schema) in enumerate(zip(instance, items, strict=False)):
            yield from _descend(validator, value, schema, index, index)


def _older_items(validator: Any, items: JSON, instance: JSON, _: Mapping[str, JSON]) -> Errors:
    if isinstance(items, list):
        yield from _prefix_items(validator, items, instance, _)
    elif isinstance(instance, list):
        for index, value in enumerate(instance):
            yield from _descend(validator, value, items, index, None)


def _additional_items(validator: Any, additional: JSON, instance: JSON, schema: Mapping[str, JSON]) -> Errors:
    items = schema.get("items")
    if isinstance(instance, list) and isinstance(items, list):
        for index in range(len(items), len(instance)):
            yield from _descend(validator, instance[index], additional, index, None)


def _unevaluated_items(validator: Any, unevaluated: JSON, instance: JSON, schema: Mapping[str, JSON]) -> Errors:
    if isinstance(instance, list):
        known = evaluated_items(validator, instance, schema)
        for index in range(len(instance)):
            if index not in known:
                yield from _descend(validator, instance[index], unevaluated, index, None)


SIBLINGS = frozenset({"minContains", "maxContains", "exclusiveMinimum", "exclusiveMaximum"})
"""Keywords that the library knows, at least in one draft, only as part of another, and reports under its path."""


def _contains(validator: Any, contains: JSON, instance: JSON, schema: Mapping[str, JSON]) -> Errors:
    if not isinstance(instance, list):
        return
    inside = validator.evolve(schema=contains)
    count = sum(inside.is_valid(item) for item in instance)
    most, least = schema.get("maxContains"), schema.get("minContains")
    if most is not None and count > most:
        yield ValidationError("", validator="maxContains", validator_value=most)
    elif least is not None and count < least:
        yield ValidationError("", validator="minContains", validator_value=least)
    elif least is None and not count:
        yield ValidationError("")


def _older_limit(name: str, beyond: Callable[[JSON, JSON], bool]) -> Keyword:
    def limit(_: Any, bound: JSON, instance: JSON, schema: Mapping[str, JSON]) -> Errors:
        if not _number(instance):
            return
        exclusive = schema.get(name) is True
        if (exclusive and instance == bound) or beyond(instance, bound):
            yield ValidationError("", validator=name, validator_value=bound) if exclusive else ValidationError("")

    return limit


def _if(validator: Any, condition: JSON, instance: JSON, schema: Mapping[str, JSON]) -> Errors:
    branch = "then" if validator.evolve(schema=condition).is_valid(instance) else "else"
    if branch in schema:
        yield from _descend(validator, instance, schema[branch], None, branch)


def _reference(target: Callable[[Any, str], Any]) -> Keyword:
    def reference(validator: Any, to: JSON, instance: JSON, _: Mapping[str, JSON]) -> Errors:
        # Not `descend`, which would take from the referring dialect which keywords apply beside another `$ref`.
        found = target(validator, to)
        yield from validator.evolve(schema=found.contents, _resolver=found.resolver).iter_errors(instance)

    return reference


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


def _older_integer(_: Any, instance: JSON) -> bool:
    # Draft-04 speaks of how a number is written: without a fraction or an exponent (Core §3.5).
    return _number(instance) and (isinstance(instance, int) or instance.as_tuple().exponent == 0)


_EVERY_DRAFT: dict[str, Keyword] = {
    "properties": _properties,
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional_properties,
    "multipleOf": _multiple_of,
    "$ref": _reference(plain_target),
}
_DRAFT_4: dict[str, Keyword] = {
    "minimum": _older_limit("exclusiveMinimum", operator.lt),
    "maximum": _older_limit("exclusiveMaximum", operator.gt),
}
_UNTIL_2019: dict[str, Keyword] = {"items": _older_items, "additionalItems": _additional_items}
_FROM_DRAFT_6: dict[str, Keyword] = {"propertyNames": _property_names}
_FROM_DRAFT_7: dict[str, Keyword] = {"if": _if}
_2019_ON: dict[str, Keyword] = {
    **_FROM_DRAFT_6,
    **_FROM_DRAFT_7,
    "contains": _contains,
    "unevaluatedProperties": _unevaluated_properties,
    "unevaluatedItems": _unevaluated_items,
}
_2019: dict[str, Keyword] = {"$recursiveRef": _reference(recursive_target)}
_2020: dict[str, Keyword] = {
    "$dynamicRef": _reference(dynamic_target),
    "prefixItems": _prefix_items,
    "items": _items,
}


def own_name(dialect: str) -> str:
    """Return the `$schema` that makes the library use the keywords of this module for a supported dialect."""
    return f"urn:mkdocs-rulebook:{dialect}"


def _extended(dialect: str, base: Any, *extra: Mapping[str, Keyword]) -> Any:
    checker = base.TYPE_CHECKER.redefine("integer", _older_integer if "draft-04" in dialect else _integer)
    keywords = {name: keyword for group in (_EVERY_DRAFT, *extra) for name, keyword in group.items()}
    extend: Any = validators.extend  # untyped in the library
    made = extend(base, keywords, type_checker=checker)
    made.META_SCHEMA = {"$id": own_name(dialect), "id": own_name(dialect)}
    return validators.validates(own_name(dialect))(made)


DRAFTS: Mapping[str, type[Validator]] = {
    dialect: _extended(dialect, base, *extra)
    for dialect, base, extra in (
        ("https://json-schema.org/draft/2020-12/schema", jsonschema.Draft202012Validator, [_2019_ON, _2020]),
        (
            "https://json-schema.org/draft/2019-09/schema",
            jsonschema.Draft201909Validator,
            [_UNTIL_2019, _2019_ON, _2019],
        ),
        (
            "http://json-schema.org/draft-07/schema",
            jsonschema.Draft7Validator,
            [_UNTIL_2019, _FROM_DRAFT_6, _FROM_DRAFT_7],
        ),
        ("http://json-schema.org/draft-06/schema", jsonschema.Draft6Validator, [_UNTIL_2019, _FROM_DRAFT_6]),
        ("http://json-schema.org/draft-04/schema", jsonschema.Draft4Validator, [_UNTIL_2019, _DRAFT_4]),
    )
}
"""The supported dialects, by the URI that `$schema` gives, without an empty fragment."""
