"""JSON Schemas that a document holds: their dialect, whether they hold up, and what values they accept.

Nothing is fetched: a schema is known by itself and by the metaschemas of JSON Schema, and by nothing else. A
reference that leads out of it is a gap, and what depends on a gap is left undecided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import regress
from jsonschema.exceptions import ValidationError
from jsonschema_specifications import REGISTRY as METASCHEMAS
from referencing.exceptions import Unresolvable
from referencing.jsonschema import specification_with

from mkdocs_rulebook import Node
from mkdocs_rulebook.model import JSON

from ._cautious import cautious, target_state
from ._metaschema import binary, metaschema
from ._mismatch import Fault, Path, keyword_of, mismatches, words_of
from ._vocabulary import (
    DATA,
    DIALECTS,
    DRAFT_07,
    DRAFT_2020_12,
    NAMED,
    ONE,
    OUTSIDE,
    REFERENCES,
    SEVERAL,
    TYPES,
)


@dataclass(frozen=True)
class Judgement:
    """What a schema says about a value.

    Args:
        mismatches: What is certainly wrong with the value.
        gaps: The references that lead out of the schema and that the value depends on.
        decided: Whether the schema could be applied at all.

    """

    mismatches: tuple[Fault, ...] = ()
    gaps: tuple[str, ...] = ()
    decided: bool = True


def dialect(schema: JSON) -> str | None:
    """Return the dialect of a schema, by the URI of its metaschema; None where it names one that is not supported."""
    named = schema.get("$schema", DRAFT_2020_12) if isinstance(schema, dict) else DRAFT_2020_12
    if not isinstance(named, str):
        return None
    bare = named.removesuffix("#").removeprefix("https://").removeprefix("http://")
    return next((uri for uri in DIALECTS if uri.partition("://")[2] == bare and "://" in named), None)


def faults(schema: JSON) -> list[Fault]:
    """Return what the metaschema of its dialect finds wrong with a schema, and patterns that are none."""
    key = repr(schema)
    if key not in _JUDGED:
        _JUDGED[key] = _faults(schema)
    return list(_JUDGED[key])


_JUDGED: dict[str, list[Fault]] = {}
"""What was found wrong with each schema so far: the same ones come back in document after document."""


def _faults(schema: JSON) -> list[Fault]:
    uri = dialect(schema)
    if uri is None:
        return []
    try:
        found = [_meta_fault(error, uri) for error in metaschema(uri).iter_errors(binary(schema))]
        found += _pattern_faults(schema)
    except RecursionError:
        return []
    return sorted(dict.fromkeys(found), key=lambda fault: [str(step) for step in fault.path])


def judge(schema: JSON, value: JSON) -> Judgement:
    """Hold a value against a schema that is right in itself.

    What depends on a reference out of the schema is given the benefit of the doubt, also where it is negated or
    counted: a mismatch that is returned would be one whatever the reference led to.
    """
    uri = dialect(schema)
    if uri is None or faults(schema):
        return Judgement(decided=False)
    gaps: list[tuple[str, str]] = []
    try:
        bare = _without_dialects(schema)
        resource = specification_with(uri).create_resource(bare)
        resolver = METASCHEMAS.resolver_with_root(resource)
        validator = cautious(uri, gaps)(bare, registry=METASCHEMAS).evolve(_resolver=resolver)
        errors = list(validator.iter_errors(value))
    except (ArithmeticError, RecursionError, Unresolvable, ValueError):
        # a pattern, a number or a depth that nothing can judge
        return Judgement(decided=False)
    found = dict.fromkeys(mismatch for error in errors for mismatch in mismatches(error))
    outside = dict.fromkeys(target for target, state in gaps if state == OUTSIDE)
    return Judgement(tuple(found), tuple(outside))


def common_part(schema: JSON) -> JSON:
    """Return the part of a schema that means the same in every draft: types, required members, closed objects.

    It is what can be said about a schema for which nobody has fixed a dialect.
    """
    if not isinstance(schema, dict) or "$ref" in schema:  # older drafts ignore what stands beside a reference
        return {}
    part: dict[str, JSON] = {}
    types = schema.get("type")
    if (isinstance(types, str) and types in TYPES) or (_strings(types) and types and TYPES.issuperset(types)):
        part["type"] = types
    if _strings(schema.get("required")):
        part["required"] = schema["required"]
    properties = schema.get("properties", {})
    if isinstance(properties, dict):
        part["properties"] = {name: common_part(value) for name, value in properties.items()}
        if schema.get("additionalProperties") is False and "patternProperties" not in schema:
            part["additionalProperties"] = False
    if isinstance(schema.get("items"), dict):
        part["items"] = common_part(schema["items"])
    return part


def subschemas(schema: Node) -> Iterator[Node]:
    """Yield a schema and all schemas in it, in the order of the document; booleans count as schemas."""
    stack = [schema]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(list(_below(node))))


def references(schema: Node) -> Iterator[tuple[Node, str]]:
    """Yield each reference of a schema, with what can be said about its target."""
    uri = dialect(schema.value)
    if uri is None:
        return
    specification = specification_with(uri)
    root = METASCHEMAS.resolver_with_root(specification.create_resource(_without_dialects(schema.value)))
    stack: list[tuple[Node, Any]] = [(schema, root)]
    while stack:
        node, resolver = stack.pop()
        if not isinstance(node.value, dict):
            continue
        if node.path != schema.path:
            try:
                resolver = resolver.in_subresource(specification.create_resource(_without_dialects(node.value)))
            except (AttributeError, TypeError, ValueError):  # an `$id` that is no URI
                continue
        for keyword in REFERENCES[:1] if uri == DRAFT_07 else REFERENCES:
            target = node.child(keyword)
            if target is not None and isinstance(target.value, str):
                yield target, target_state(resolver, target.value, uri)
        stack.extend((child, resolver) for child in reversed(list(_below(node))))


def below(node: Node, path: Sequence[str | int]) -> Node:
    """Return the deepest node that exists on a way that starts at a node."""
    for step in path:
        child = node.child(step)
        if child is None:
            break
        node = child
    return node


def _below(schema: Node) -> Iterator[Node]:
    if not isinstance(schema.value, dict):
        return
    for child in schema.children():
        if child.key in NAMED and isinstance(child.value, dict):
            yield from (named for named in child.children() if isinstance(named.value, dict | bool))
        elif child.key in SEVERAL and isinstance(child.value, list):
            yield from child.children()
        elif child.key in ONE:
            yield child


def _strings(value: JSON) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _without_dialects(schema: JSON, names: bool = False) -> JSON:
    """Return a schema without `$schema`, at which the library would go back to its own keywords."""
    if isinstance(schema, list):
        return [_without_dialects(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: value if name in DATA and not names else _without_dialects(value, not names and name in NAMED)
        for name, value in schema.items()
        if names or name != "$schema"
    }


def _meta_fault(error: ValidationError, uri: str) -> Fault:
    error = _deepest(error)
    path = tuple(error.absolute_path)
    keyword = keyword_of(error)
    if keyword in ("anyOf", "enum", "oneOf", "format"):
        words = f"is no value that JSON Schema {DIALECTS[uri]} allows here"
    else:
        words = f"{words_of(error, keyword)} (JSON Schema {DIALECTS[uri]})"
    return Fault(path, words, "meta-schema")


def _deepest(error: ValidationError) -> ValidationError:
    """Return, of the branches that a choice left open, the failure that lies deepest."""
    while error.context:
        deepest = max(error.context, key=lambda branch: len(branch.absolute_path))
        if len(deepest.absolute_path) <= len(error.absolute_path):
            break
        error = deepest
    return error


def _pattern_faults(schema: JSON, path: Path = ()) -> Iterator[Fault]:
    if not isinstance(schema, dict):
        return
    patterns = [((*path, "pattern"), schema.get("pattern"))]
    named = schema.get("patternProperties")
    if isinstance(named, dict):
        patterns += [((*path, "patternProperties", pattern), pattern) for pattern in named]
    for place, pattern in patterns:
        if isinstance(pattern, str) and not _is_pattern(pattern):
            yield Fault(place, f"has `{pattern}`, which is no regular expression of ECMA-262", "bad-pattern")
    for keyword, value in schema.items():
        if keyword in NAMED and isinstance(value, dict):
            for name, item in value.items():
                yield from _pattern_faults(item, (*path, keyword, name))
        elif keyword in SEVERAL and isinstance(value, list):
            for index, item in enumerate(value):
                yield from _pattern_faults(item, (*path, keyword, index))
        elif keyword in ONE:
            yield from _pattern_faults(value, (*path, keyword))


def _is_pattern(pattern: str) -> bool:
    """Whether a pattern is one with the Unicode flag, which JSON Schema asks for, or at least without it."""
    for flags in ("u", ""):
        try:
            regress.Regex(pattern, flags)
        except regress.RegressError:
            continue
        return True
    return False
