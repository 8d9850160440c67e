"""Which members and items of a value its schema has a word on: what `unevaluatedProperties` and `…Items` leave out.

The `jsonschema` library has functions of its own for this, but they match names by Python's regular expressions and
do not enter a subschema with an `$id`. What counts (2020-12, Core §11): what the keywords beside speak of, whether or
not it satisfies them; the same behind a reference, `then`, `else` and `dependentSchemas`; and the branches of
`allOf`, `anyOf` and `oneOf` that hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mkdocs_rulebook.checks.patterns import matches
from mkdocs_rulebook.checks.references import dynamic_target, inside, plain_target, recursive_target
from mkdocs_rulebook.model import JSON


def evaluated_names(validator: Any, instance: JSON, schema: Mapping[str, JSON]) -> set[str]:
    """Return the members of an object that a schema evaluates, its own `unevaluatedProperties` left aside."""
    found = _names(instance, schema)
    for branch in _branches(validator, instance, schema):
        found |= _all_names(branch, instance)
    return found


def _all_names(validator: Any, instance: JSON) -> set[str]:
    schema = validator.schema
    if not isinstance(schema, dict):
        return set()
    found = evaluated_names(validator, instance, schema)
    return set(instance) if "unevaluatedProperties" in schema else found


def _names(instance: JSON, schema: Mapping[str, JSON]) -> set[str]:
    if "additionalProperties" in schema:
        return set(instance)
    known, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    return {name for name in instance if name in known or any(matches(pattern, name) for pattern in patterns)}


def evaluated_items(validator: Any, instance: JSON, schema: Mapping[str, JSON]) -> set[int]:
    """Return the indexes of the items of an array that a schema evaluates, its own `unevaluatedItems` left aside."""
    found = _items(validator, instance, schema)
    for branch in _branches(validator, instance, schema):
        found |= _all_items(branch, instance)
    return found


def _all_items(validator: Any, instance: JSON) -> set[int]:
    schema = validator.schema
    if not isinstance(schema, dict):
        return set()
    found = evaluated_items(validator, instance, schema)
    return set(range(len(instance))) if "unevaluatedItems" in schema else found


def _items(validator: Any, instance: JSON, schema: Mapping[str, JSON]) -> set[int]:
    prefix = schema.get("prefixItems", [])
    items = schema.get("items", prefix)
    if isinstance(items, list) and "additionalItems" not in schema:  # until 2019-09 a list is what comes first
        found = set(range(min(len(items), len(instance))))
    elif isinstance(items, list) and "items" not in schema:
        found = set(range(min(len(prefix), len(instance))))
    else:
        return set(range(len(instance)))
    if "contains" in schema:
        contains = inside(validator, schema["contains"])
        found |= {index for index, value in enumerate(instance) if contains.is_valid(value)}
    return found


def _branches(validator: Any, instance: JSON, schema: Mapping[str, JSON]) -> Iterator[Any]:
    """Yield a validator for each subschema that judges the same value and counts."""
    for found in _targets(validator, schema):
        yield validator.evolve(schema=found.contents, _resolver=found.resolver)
    for keyword in ("allOf", "anyOf", "oneOf"):
        valid = [branch for each in schema.get(keyword, []) if (branch := inside(validator, each)).is_valid(instance)]
        if keyword != "oneOf" or len(valid) == 1:
            yield from valid
    if "if" in schema:
        condition = inside(validator, schema["if"])
        holds = condition.is_valid(instance)
        if holds:
            yield condition
        branch = "then" if holds else "else"
        if branch in schema:
            yield inside(validator, schema[branch])
    dependent = schema.get("dependentSchemas", {})
    if isinstance(instance, dict):
        yield from (inside(validator, each) for name, each in dependent.items() if name in instance)


def _targets(validator: Any, schema: Mapping[str, JSON]) -> Iterator[Any]:
    if "$ref" in schema:
        yield plain_target(validator, schema["$ref"])
    if "$dynamicRef" in schema:
        yield dynamic_target(validator, schema["$dynamicRef"])
    if "$recursiveRef" in schema:
        yield recursive_target(validator, schema["$recursiveRef"])
