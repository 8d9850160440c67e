"""The words of JSON Schema: dialects, and which keywords hold schemas."""

from __future__ import annotations

DRAFT_2020_12 = "https://json-schema.org/draft/2020-12/schema"
DRAFT_07 = "http://json-schema.org/draft-07/schema"

DIALECTS = {DRAFT_2020_12: "2020-12", DRAFT_07: "draft-07"}
"""The dialects that are supported, with their names."""

FOUND, MISSING, OUTSIDE, NO_SCHEMA, UNKNOWN = "found", "missing", "outside", "no-schema", "unknown"
"""What can be said about the target of a reference."""

REFERENCES = ("$ref", "$dynamicRef")

ONE = frozenset(
    {"additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not"}
    | {"propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"}
)
"""Keywords whose value is a schema."""

SEVERAL = frozenset({"allOf", "anyOf", "items", "oneOf", "prefixItems"})
"""Keywords whose value is a list of schemas."""

NAMED = frozenset({"$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"})
"""Keywords whose members are schemas under names of the author's choice."""

DATA = frozenset({"const", "default", "enum", "examples"})
"""Keywords whose values are data, whatever they look like."""

TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
