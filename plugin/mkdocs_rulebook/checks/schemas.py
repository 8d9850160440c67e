"""The JSON Schemas of a catalogue: each local one known by its URI, and nothing else; no network, ever."""

from __future__ import annotations

import decimal
import math
import sys
import urllib.parse
from collections.abc import Container, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import jsonschema_rs
import referencing
import referencing.exceptions
from jsonschema_specifications import REGISTRY as METASCHEMAS

from mkdocs_rulebook.checks.keywords import DRAFTS, own_name
from mkdocs_rulebook.checks.messages import kind
from mkdocs_rulebook.checks.patterns import PatternError, compile_pattern
from mkdocs_rulebook.checks.references import SPECIFICATIONS
from mkdocs_rulebook.checks.subschemas import patterns, subschemas, without_dialects
from mkdocs_rulebook.model import JSON
from mkdocs_rulebook.pointer import append, inside

DRAFT_2020_12 = "https://json-schema.org/draft/2020-12/schema"

_OLD_DRAFTS = frozenset(own_name(uri) for uri in DRAFTS if "draft-0" in uri)
_NAMELESS = "urn:mkdocs-rulebook:schema"
_URIS = frozenset({"$id", "$ref", "$dynamicRef", "$recursiveRef"})
_HARMLESS = frozenset({"$ref", "$schema", "$id", "title", "description", "definitions", "$comment"})


class SchemaFault(ValueError):
    """A schema cannot be used. `pointer` is where in the schema, `str()` the reason."""

    def __init__(self, reason: str, pointer: str = "") -> None:
        super().__init__(reason)
        self.pointer = pointer


@dataclass(frozen=True, eq=False)
class Usable:
    """A schema that was found to be usable, with all that a library needs to judge by it.

    Attributes:
        contents: The schema, with the dialect in place that this package has its own keywords for.
        dialect: The URI of its dialect, as `$schema` gives it.
        base: The URI that it has, from which its relative references start.
        registry: Every schema that a reference may lead to, this one included.
        resolver: What follows the references of the schema.
        formats: Whether `format` is asserted.
    """

    contents: JSON
    dialect: str
    base: str
    registry: referencing.Registry[Any]
    resolver: Any
    formats: bool

    @cached_property
    def ignored(self) -> str:
        """A hint where a schema of draft-07 or older has constraints beside `$ref`, which that draft ignores."""
        schema = self.contents
        target = schema.get("$ref") if isinstance(schema, dict) else None
        if isinstance(target, str) and not target.startswith("#"):  # a rule whose schema is a file
            schema = self.resolver.lookup(target).contents
        if not isinstance(schema, dict) or schema.get("$schema") not in _OLD_DRAFTS:
            return ""
        for _, node in subschemas(schema):
            beside = sorted(node.keys() - _HARMLESS)
            if "$ref" in node and beside:
                return f"in this draft of JSON Schema what stands beside `$ref` is ignored: `{'`, `'.join(beside)}`"
        return ""


class Schemas:
    """The JSON Schemas of a catalogue: knows each local one by its URI, and nothing else.

    Args:
        local: The schemas by URI.
        draft: The dialect of a schema that has no `$schema`.
        formats: Whether `format` is asserted.
    """

    def __init__(self, local: Mapping[str, JSON], draft: str, formats: bool = False) -> None:
        self._local = local
        self._draft = draft
        self._formats = formats
        resources = [(uri, self._resource(schema)) for uri, schema in local.items()]
        self._registry: referencing.Registry[Any] = METASCHEMAS.with_resources(resources).crawl()

    def usable(self, schema: JSON, base: str = "") -> Usable:
        """Return a schema whose relative references start from `base`, with what is needed to judge by it.

        Raises:
            SchemaFault: the dialect is unknown, the schema breaks its metaschema, a pattern does not compile, or a
                reference leads nowhere or in a circle.
        """
        try:
            return self._usable(schema, base or _NAMELESS)
        except RecursionError:
            raise SchemaFault("it nests too deep") from None

    def _usable(self, schema: JSON, base: str) -> Usable:
        dialect = check_schema(schema, self._draft, self._local)
        resource = self._resource(schema)
        registry = self._registry.with_resource(base, resource).crawl()
        resolver = registry.resolver(base).in_subresource(resource)
        self._check_references(schema, resolver)
        return Usable(resource.contents, dialect, base, registry, resolver, self._formats)

    def _resource(self, schema: JSON) -> referencing.Resource[Any]:
        dialect = _dialect(schema, self._draft, self._local)
        plain = without_dialects(schema)
        own = {"$schema": own_name(dialect), **plain} if isinstance(plain, dict) else plain
        return SPECIFICATIONS[dialect].create_resource(own)

    def _check_references(self, schema: JSON, resolver: Any) -> None:
        elsewhere: list[str] = []
        followed: set[int] = set()
        for pointer, node in subschemas(schema):
            if pointer and "$id" in node:
                elsewhere.append(pointer)
            if any(inside(pointer, other) for other in elsewhere):
                continue  # what lies below another base is resolved when it is used
            target = node.get("$ref")
            if isinstance(target, str):
                try:
                    found = resolver.lookup(target).contents
                except (referencing.exceptions.Unresolvable, ValueError):  # a name where an array has an index
                    raise SchemaFault(unresolved(target), append(pointer, "$ref")) from None
                if not isinstance(found, dict | bool):
                    reason = f"the reference `{target}` leads to {kind(found)}, which is no JSON Schema"
                    raise SchemaFault(reason, append(pointer, "$ref"))
                if _circular(target, resolver, followed):
                    raise SchemaFault(f"a reference leads back to itself: `{target}`", append(pointer, "$ref"))


def _circular(target: str, resolver: Any, followed: set[int]) -> bool:
    """Whether following a reference, and what its target refers to in turn, never comes to an end.

    `followed` holds the targets that were found to come to one.
    """
    way: set[int] = set()
    while True:
        try:
            found = resolver.lookup(target)
        except (referencing.exceptions.Unresolvable, ValueError):
            return False  # said when it is used
        if id(found.contents) in followed:
            break
        if id(found.contents) in way:
            return True
        way.add(id(found.contents))
        onward = found.contents.get("$ref") if isinstance(found.contents, dict) else None
        if not isinstance(onward, str):
            break
        target, resolver = onward, found.resolver
    followed |= way
    return False


def check_schema(schema: JSON, draft: str, local: Container[str | None]) -> str:
    """Hold a schema against the metaschema of its dialect, its patterns and URIs against their grammar.

    Args:
        schema: The schema.
        draft: The dialect of a schema that has no `$schema`.
        local: The ids of the catalogue's own schemas, one of which may be the dialect of another.

    Returns:
        The dialect that the schema is to be read as.

    Raises:
        SchemaFault: it does not keep to one of them, or its dialect is unknown.
    """
    dialect = _dialect(schema, draft, local)
    try:
        plain = _without_decimals(schema)
        jsonschema_rs.meta.validate({**plain, "$schema": dialect} if isinstance(plain, dict) else plain)
        _check_texts(schema)
    except jsonschema_rs.ValidationError as error:
        pointer = "".join(append("", part) for part in error.instance_path)
        raise SchemaFault(f"no valid JSON Schema: {error.message}", pointer) from None
    except RecursionError:
        raise SchemaFault("it nests too deep") from None
    return dialect


def _dialect(schema: JSON, draft: str, local: Container[str | None]) -> str:
    named = schema.get("$schema", draft) if isinstance(schema, dict) else draft
    dialect = named.rstrip("#") if isinstance(named, str) else ""
    if dialect in DRAFTS:
        return dialect
    if isinstance(named, str) and named in local:
        return DRAFT_2020_12
    raise SchemaFault(f"the dialect `{named}` is not known", "/$schema")


def _check_texts(schema: JSON) -> None:
    for pointer, pattern in patterns(schema):
        try:
            compile_pattern(pattern)
        except PatternError as error:
            raise SchemaFault(str(error), pointer) from None
    for pointer, node in subschemas(schema):
        for keyword in _URIS & node.keys():
            try:
                urllib.parse.urlsplit(node[keyword])
            except ValueError as error:
                raise SchemaFault(f"`{node[keyword]}` is no URI: {error}", append(pointer, keyword)) from None


def unresolved(target: str) -> str:
    """Say that a reference leads nowhere, and why."""
    remote = "://" in target
    why = "nothing is fetched from the network" if remote else "the catalogue has no such schema that could be read"
    return f"the reference `{target}` cannot be resolved: {why}"


def _without_decimals(value: JSON) -> JSON:
    if isinstance(value, decimal.Decimal):
        return _float(value)
    if isinstance(value, dict):
        return {name: _without_decimals(item) for name, item in value.items()}
    return [_without_decimals(item) for item in value] if isinstance(value, list) else value


def _float(value: decimal.Decimal) -> float:
    """Return a finite number that is as much an integer, and as much greater than zero, as the exact one."""
    near = float(value)
    if math.isinf(near):
        return math.copysign(sys.float_info.max, near)
    return math.copysign(sys.float_info.min, near) if value and not near else near


def real_dialect(resource: referencing.Resource[Any]) -> str:
    """Return the URI of the dialect that a schema of the registry is read as."""
    named = resource.contents.get("$schema", "") if isinstance(resource.contents, dict) else ""
    named = named.removeprefix(own_name("")).rstrip("#")
    if named in DRAFTS:
        return str(named)
    # What lies inside another schema is read as that is.
    return next((uri for uri, each in SPECIFICATIONS.items() if each is resource._specification), DRAFT_2020_12)
