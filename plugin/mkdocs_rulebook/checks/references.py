"""Where references of a schema lead, as the `jsonschema` library's validators see it.

The library takes a `$ref` to a dynamic anchor for a dynamic reference, and reads what a dynamic one found with the
base of where it first led; both are otherwise in the standard (2020-12, Core §8.2.3).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urldefrag, urljoin

from referencing import Specification
from referencing._core import Resolved
from referencing.exceptions import NoSuchAnchor
from referencing.jsonschema import DynamicAnchor, lookup_recursive_ref, specification_with

from mkdocs_rulebook.model import JSON


def _specification(dialect: str) -> Specification[Any]:
    known = specification_with(dialect)
    make: Any = Specification  # whose parameters are hidden from type checkers
    made: Specification[Any] = make(
        name=known.name,
        id_of=lambda schema: known.id_of(schema) if isinstance(schema, dict) else None,
        subresources_of=lambda schema: (
            each for each in known.subresources_of(schema) if isinstance(each, dict | bool)
        ),
        anchors_in=lambda _, schema: known.anchors_in(schema),
        maybe_in_subresource=lambda segments, resolver, subresource: (
            known.maybe_in_subresource(segments, resolver, subresource)
            if isinstance(subresource.contents, dict)
            else resolver
        ),
    )
    return made


_2020_12 = "https://json-schema.org/draft/2020-12/schema"

SPECIFICATIONS: Mapping[str, Specification[Any]] = {
    dialect: _specification(dialect)
    for dialect in (
        _2020_12,
        "https://json-schema.org/draft/2019-09/schema",
        "http://json-schema.org/draft-07/schema",
        "http://json-schema.org/draft-06/schema",
        "http://json-schema.org/draft-04/schema",
    )
}
"""How ids, anchors and subschemas are found in each supported dialect; where a list of names or, in draft-04, a
boolean stands for a schema, the library's own specifications take it for one and fail."""


def inside(validator: Any, schema: JSON) -> Any:
    """Return a validator for a subschema, which may have a base of its own."""
    resolver = validator._resolver
    if isinstance(schema, dict) and "$id" in schema:
        resolver = resolver.in_subresource(SPECIFICATIONS[_2020_12].create_resource(schema))
    return validator.evolve(schema=schema, _resolver=resolver)


def plain_target(validator: Any, reference: str) -> Any:
    """Return what a `$ref` leads to."""
    uri, anchor = _dynamic_anchor(validator._resolver, reference)
    return validator._resolver.lookup(reference) if anchor is None else _at(validator._resolver, uri, anchor)


def dynamic_target(validator: Any, reference: str) -> Any:
    """Return what a `$dynamicRef` leads to: the outermost of the anchors of its name, if it is a dynamic one."""
    resolver = validator._resolver
    uri, anchor = _dynamic_anchor(resolver, reference)
    if anchor is None:
        return resolver.lookup(reference)
    found = _at(resolver, uri, anchor)
    for outer, registry in found.resolver.dynamic_scope():
        try:
            other = registry.anchor(outer, anchor.name).value
        except NoSuchAnchor:
            continue
        if isinstance(other, DynamicAnchor):
            found = _at(resolver, outer, other)
    return found


def recursive_target(validator: Any, _: str) -> Any:
    """Return what a `$recursiveRef` leads to; the standard has only one, `#` (2019-09, Core §8.2.4.2.1)."""
    return lookup_recursive_ref(validator._resolver)


def _dynamic_anchor(resolver: Any, reference: str) -> tuple[str, DynamicAnchor | None]:
    uri, fragment = urldefrag(urljoin(resolver._base_uri, reference))
    if fragment and not fragment.startswith("/"):
        try:
            anchor = resolver._registry.anchor(uri, fragment).value
        except (NoSuchAnchor, KeyError):
            return uri, None
        if isinstance(anchor, DynamicAnchor):
            return uri, anchor
    return uri, None


def _at(resolver: Any, uri: str, anchor: DynamicAnchor) -> Any:
    there = resolver._evolve(base_uri=uri, registry=resolver._registry)
    make: Any = Resolved
    return make(contents=anchor.resource.contents, resolver=there.in_subresource(anchor.resource))
