"""What lies in a schema: its subschemas, its patterns, and what it forgets to say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mkdocs_rulebook.checks.failures import NAMED
from mkdocs_rulebook.model import JSON
from mkdocs_rulebook.pointer import append

_DATA = frozenset({"const", "enum", "default", "examples"})
_OBJECT_WORDS = frozenset(
    {"required", "properties", "patternProperties", "additionalProperties", "propertyNames", "minProperties"}
    | {"maxProperties", "dependentRequired", "dependentSchemas", "unevaluatedProperties"}
)


def without_dialects(schema: JSON, data: bool = False) -> JSON:
    """Drop each `$schema`: the library would take one that it knows as an order to go back to its own keywords."""
    if isinstance(schema, list):
        return [without_dialects(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: value
        if not data and name in _DATA
        else without_dialects(value, not data and name in NAMED and isinstance(value, dict))
        for name, value in schema.items()
        if data or name != "$schema"
    }


def subschemas(schema: JSON, pointer: str = "", data: bool = False) -> Iterator[tuple[str, Mapping[str, JSON]]]:
    """Yield each object in schema position with its pointer; what stands under `const` and the like is data."""
    if isinstance(schema, dict):
        if not data:
            yield pointer, schema
        for name, value in schema.items():
            if data or name not in _DATA:
                names_below = not data and name in NAMED and isinstance(value, dict)
                yield from subschemas(value, append(pointer, name), names_below)
    elif isinstance(schema, list):
        for index, value in enumerate(schema):
            yield from subschemas(value, append(pointer, index))


def patterns(schema: JSON) -> Iterator[tuple[str, str]]:
    """Yield each pattern of a schema with its pointer."""
    for pointer, node in subschemas(schema):
        if isinstance(node.get("pattern"), str):
            yield append(pointer, "pattern"), node["pattern"]
        patterns = node.get("patternProperties")
        if isinstance(patterns, dict):
            for pattern in patterns:
                yield append(pointer, "patternProperties", pattern), pattern


def named(schema: JSON) -> Iterator[tuple[str, Mapping[str, JSON]]]:
    """Yield each mapping of names to schemas in a schema, with its pointer."""
    for pointer, node in subschemas(schema):
        for keyword in NAMED & node.keys():
            if isinstance(node[keyword], dict):
                yield append(pointer, keyword), node[keyword]


def untyped_objects(schema: JSON) -> list[str]:
    """Return the pointers of schemas that speak of members without saying `type: object`.

    Such a schema says nothing about a string or an array, and so accepts what its author never meant. In-place
    keywords (`allOf`, `if`, `not` …) judge a value whose type is said around them and are not looked into.
    """
    found = []
    stack: list[tuple[str, JSON]] = [("", schema)]
    while stack:
        pointer, node = stack.pop()
        if not isinstance(node, dict):
            continue
        if _OBJECT_WORDS & node.keys() and not {"type", "const", "enum", "$ref"} & node.keys():
            found.append(pointer)
        for word in ("properties", "patternProperties"):
            members = node.get(word)
            if isinstance(members, dict):
                stack.extend((append(pointer, word, name), member) for name, member in members.items())
        stack.extend((append(pointer, word), node[word]) for word in ("additionalProperties", "items") if word in node)
    return sorted(found)
