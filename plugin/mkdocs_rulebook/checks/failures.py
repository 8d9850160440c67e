"""What a JSON Schema engine reports → findings. All that findings have to be the same in whichever engine is here.

An engine says where in the judged node which keyword failed, along which keywords of the schema it came there. The
keyword of a finding, the names in it and its words come from that alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mkdocs_rulebook.checks.messages import FORBIDDEN_HERE, message
from mkdocs_rulebook.checks.view import View
from mkdocs_rulebook.model import JSON, Finding
from mkdocs_rulebook.pointer import Path

NAMED = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"})
"""Keywords whose value maps names to schemas: the names below them are no keywords."""

_REFERENCES = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})


@dataclass(frozen=True)
class Failure:
    """One keyword that a node does not satisfy.

    Attributes:
        path: Where below the judged node: at the member or item for a schema of `false` and for `propertyNames`.
        schema_path: The way through the schemas that led there, from that of the check to the keyword.
        limit: What the schema says under the keyword.
        instance: The value that fails; the name of the member for `propertyNames`.
        forbidden: Whether what failed is a schema of `false`.
    """

    path: Path
    schema_path: tuple[str | int, ...]
    limit: JSON
    instance: JSON
    forbidden: bool = False


def findings(rule: str, failures: Iterable[Failure], view: View, path: Path) -> Iterator[Finding]:
    """Yield a finding for each failure.

    Args:
        rule: The id of the rule.
        failures: What the engine says of the node.
        view: The document.
        path: Where in it the node is.
    """
    for failure in failures:
        words = keywords(failure.schema_path)
        keyword = words[-1] if words else "false"
        names = _names(keyword, failure, "propertyNames" in words)
        pointer, target = view.locate((*path, *failure.path))
        text = FORBIDDEN_HERE if failure.forbidden else message(keyword, failure.limit, failure.instance, names)
        yield Finding(rule, pointer, target, text, keyword=keyword, names=names)


def keywords(schema_path: Iterable[str | int]) -> list[str]:
    """Return the keywords of a schema path: member names and indexes in it are none, and references are no reason."""
    found, named = [], False
    for part in schema_path:
        if named or isinstance(part, int):
            named = False
            continue
        named = part in NAMED
        if part not in _REFERENCES:
            found.append(part)
    return found


def _names(keyword: str, failure: Failure, on_name: bool) -> tuple[str, ...]:
    instance, limit = failure.instance, failure.limit
    if keyword == "required" and isinstance(instance, dict):
        return tuple(sorted(name for name in limit if name not in instance))
    if keyword in ("dependentRequired", "dependencies") and isinstance(instance, dict) and not failure.forbidden:
        lists = [names for given, names in limit.items() if given in instance and isinstance(names, list)]
        return tuple(sorted({name for names in lists for name in names} - set(instance)))
    last = failure.path[-1] if failure.path else None
    return (last,) if (failure.forbidden or on_name) and isinstance(last, str) else ()
