"""JSON Schemas that a document holds: their dialect, whether they hold up, and what values they accept.

Nothing is fetched: a schema is known by itself and by the metaschemas of JSON Schema, and by nothing else. A
reference that leads out of it is a gap, and what depends on a gap is left undecided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

import jsonschema
import regress
from jsonschema import validators
from jsonschema.exceptions import ValidationError
from jsonschema_specifications import REGISTRY as METASCHEMAS
from referencing.exceptions import InvalidAnchor, NoSuchAnchor, PointerToNowhere, Unresolvable
from referencing.jsonschema import specification_with

from mkdocs_rulebook import Node
from mkdocs_rulebook.checks.keywords import DRAFTS, FORBIDDEN
from mkdocs_rulebook.checks.messages import FORBIDDEN_HERE, message
from mkdocs_rulebook.model import JSON

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

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Fault:
    """Something wrong with a schema, or with a value under a schema: where, in what words, and why in one word."""

    path: Path
    message: str
    reason: str
    names: tuple[str, ...] = ()


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
        found = [_meta_fault(error, uri) for error in _metaschema(uri).iter_errors(_binary(schema))]
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
        validator = _cautious(uri, gaps)(bare, registry=METASCHEMAS).evolve(_resolver=resolver)
        errors = list(validator.iter_errors(value))
    except (
        ArithmeticError,
        RecursionError,
        Unresolvable,
        ValueError,
    ):  # a pattern, a number or a depth that nothing can judge
        return Judgement(decided=False)
    mismatches = dict.fromkeys(mismatch for error in errors for mismatch in _mismatches(error))
    outside = dict.fromkeys(target for target, state in gaps if state == OUTSIDE)
    return Judgement(tuple(mismatches), tuple(outside))


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


def target_state(resolver: Any, target: str, uri: str) -> str:
    """Say whether a reference finds a schema in its own document, none, or leads out of it."""
    try:
        found = resolver.lookup(target).contents
    except (InvalidAnchor, NoSuchAnchor, PointerToNowhere):
        return MISSING
    except (AttributeError, LookupError, TypeError, Unresolvable, ValueError):
        return MISSING if target.startswith("#") else OUTSIDE
    except RecursionError:
        return UNKNOWN
    if isinstance(found, bool):
        return FOUND
    return FOUND if isinstance(found, dict) and _metaschema(uri).is_valid(_binary(found)) else NO_SCHEMA


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


def _binary(value: JSON) -> JSON:
    """Return a value with binary numbers: the library's metaschemas come with its own idea of an integer."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, dict):
        return {name: _binary(item) for name, item in value.items()}
    return [_binary(item) for item in value] if isinstance(value, list) else value


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


@lru_cache(maxsize=4)
def _metaschema(uri: str) -> Any:
    draft: Any = jsonschema.Draft7Validator if uri == DRAFT_07 else jsonschema.Draft202012Validator
    return draft(draft.META_SCHEMA, registry=METASCHEMAS)


def _meta_fault(error: ValidationError, uri: str) -> Fault:
    error = _deepest(error)
    path = tuple(error.absolute_path)
    keyword = _keyword(error)
    if keyword in ("anyOf", "enum", "oneOf", "format"):
        words = f"is no value that JSON Schema {DIALECTS[uri]} allows here"
    else:
        words = f"{_words(error, keyword)} (JSON Schema {DIALECTS[uri]})"
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


def _mismatches(error: ValidationError) -> Iterator[Fault]:
    keyword = _keyword(error)
    path = tuple(error.absolute_path)
    words = _words(error, keyword)
    names: tuple[str, ...] = ()
    if keyword in ("required", "dependentRequired", "dependencies") and isinstance(error.instance, dict):
        names = _missing(keyword, error)
    elif _forbidden(error) or "propertyNames" in error.absolute_schema_path:
        names = (path[-1],) if path and isinstance(path[-1], str) else ()
    yield Fault(path, words, _kebab(keyword), names)


def _missing(keyword: str, error: ValidationError) -> tuple[str, ...]:
    limit: Any = error.validator_value
    instance: Any = error.instance
    if keyword == "required" and isinstance(limit, list):
        return tuple(sorted(name for name in limit if name not in instance))
    if isinstance(limit, dict):
        lists = [value for name, value in limit.items() if name in instance and isinstance(value, list)]
        return tuple(sorted({name for value in lists for name in value} - set(instance)))
    return ()


def _words(error: ValidationError, keyword: str) -> str:
    if _forbidden(error):
        return FORBIDDEN_HERE
    limit: JSON = error.validator_value
    instance: JSON = error.instance
    if keyword == "not":
        return "is what the schema forbids with `not`"
    names = _missing(keyword, error) if isinstance(instance, dict) else ()
    return message(keyword, limit, instance, names)


def _keyword(error: ValidationError) -> str:
    """Return the keyword that failed; for a schema of `false`, the one that it stands under."""
    if not _forbidden(error):
        return str(error.validator)
    keyword, named = "false", False
    for step in error.absolute_schema_path:
        if named or isinstance(step, int):
            named = False
        else:
            keyword, named = step, step in NAMED
    return keyword


def _forbidden(error: ValidationError) -> bool:
    return error.validator is None or error.validator == FORBIDDEN


def _kebab(keyword: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in keyword).lstrip("$")


Keyword = Callable[[Any, Any, Any, Mapping[str, Any]], Iterator[ValidationError]]


def _cautious(uri: str, gaps: list[tuple[str, str]]) -> Any:
    """Return a validator that notes each reference it cannot follow, and decides nothing that hangs on one.

    A branch that fails has failed whatever its references lead to, so its gaps do not count. A branch that passes
    with a gap is undecided.
    """
    draft: Any = DRAFTS[uri]
    original: Mapping[str, Keyword] = draft.VALIDATORS

    def reference(keyword: str) -> Keyword:
        def judged(validator: Any, target: Any, instance: Any, schema: Mapping[str, Any]) -> Iterator[ValidationError]:
            state = target_state(validator._resolver, target, uri)
            if state == FOUND:
                yield from original[keyword](validator, target, instance, schema)
            else:
                gaps.append((target, state))

        return judged

    def branch(validator: Any, instance: Any, schema: Any, place: int | None = None) -> tuple[bool | None, list[Any]]:
        before = len(gaps)
        errors = list(validator.descend(instance, schema, schema_path=place))
        if errors:
            del gaps[before:]
            return False, errors
        return (True if len(gaps) == before else None), []

    def any_of(validator: Any, schemas: Any, instance: Any, _: Mapping[str, Any]) -> Iterator[ValidationError]:
        before, context, undecided = len(gaps), [], False
        for index, schema in enumerate(schemas):
            verdict, errors = branch(validator, instance, schema, index)
            if verdict:
                del gaps[before:]
                return
            undecided = undecided or verdict is None
            context += errors
        if not undecided:
            yield ValidationError("", context=context)

    def one_of(validator: Any, schemas: Any, instance: Any, _: Mapping[str, Any]) -> Iterator[ValidationError]:
        before, context, verdicts = len(gaps), [], []
        for index, schema in enumerate(schemas):
            verdict, errors = branch(validator, instance, schema, index)
            verdicts.append(verdict)
            context += errors
        if verdicts.count(True) > 1 or (True not in verdicts and None not in verdicts):
            del gaps[before:]
            yield ValidationError("", context=context)

    def negated(validator: Any, schema: Any, instance: Any, _: Mapping[str, Any]) -> Iterator[ValidationError]:
        if branch(validator, instance, schema)[0]:
            yield ValidationError("")

    def condition(validator: Any, schema: Any, instance: Any, around: Mapping[str, Any]) -> Iterator[ValidationError]:
        verdict, _ = branch(validator, instance, schema)
        chosen = "then" if verdict else "else"
        if verdict is not None and chosen in around:
            yield from validator.descend(instance, around[chosen], schema_path=chosen)

    def contained(validator: Any, schema: Any, instance: Any, around: Mapping[str, Any]) -> Iterator[ValidationError]:
        if not isinstance(instance, list):
            return
        before = len(gaps)
        verdicts = [branch(validator, item, schema)[0] for item in instance]
        sure, possible = verdicts.count(True), len(verdicts) - verdicts.count(False)
        counted = uri != DRAFT_07
        least = around.get("minContains", 1) if counted else 1
        most = around.get("maxContains", len(instance)) if counted else len(instance)
        if possible < least or sure > most:
            yield ValidationError("")
        elif sure >= least and possible <= most:
            del gaps[before:]

    def unevaluated(keyword: str) -> Keyword:
        def judged(validator: Any, value: Any, instance: Any, schema: Mapping[str, Any]) -> Iterator[ValidationError]:
            targets = list(_targets(schema))
            states = [(target, target_state(validator._resolver, target, uri)) for target in targets]
            if all(state == FOUND for _, state in states):
                yield from original[keyword](validator, value, instance, schema)
            elif instance and isinstance(instance, dict | list):
                gaps.extend((target, state) for target, state in states if state != FOUND)

        return judged

    own: dict[str, Keyword] = {keyword: reference(keyword) for keyword in REFERENCES if keyword in original}
    own |= {"anyOf": any_of, "oneOf": one_of, "not": negated, "if": condition, "contains": contained}
    own |= {word: unevaluated(word) for word in ("unevaluatedItems", "unevaluatedProperties") if word in original}
    extend: Any = validators.extend  # untyped in the library
    return extend(draft, own)


def _targets(schema: JSON) -> Iterator[str]:
    """Yield the targets of the references in a schema that a value in the same place can be held against."""
    stack: list[JSON] = [schema]
    while stack:
        node = stack.pop()
        if not isinstance(node, dict):
            continue
        yield from (node[word] for word in REFERENCES if isinstance(node.get(word), str))
        for keyword in ("allOf", "anyOf", "oneOf"):
            stack.extend(node.get(keyword) or [])
        for keyword in ("if", "then", "else", "not"):
            stack.append(node.get(keyword))
        stack.extend((node.get("dependentSchemas") or {}).values())
