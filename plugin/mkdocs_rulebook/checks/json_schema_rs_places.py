"""Where in a document a failure lies that `jsonschema-rs` reports: its own paths leave some of that open."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any

from jsonschema_rs import ValidationError

from mkdocs_rulebook.checks.failures import Failure, keywords
from mkdocs_rulebook.model import JSON
from mkdocs_rulebook.pointer import Path
from mkdocs_rulebook.source.number import integer

_NUMERIC = re.compile(r"\+?[0-9]+")


class NotJudgedError(ValueError):
    """The library gave up on a value."""


def of_members(way: tuple[str | int, ...]) -> bool:
    """Whether a schema of `false` stands for members, but is reported at the object around them."""
    return way[-1:] in (("additionalProperties",), ("propertyNames",)) and keywords(way)[-1:] == [way[-1]]


def walk(value: JSON, error: ValidationError) -> tuple[Path, JSON]:
    """Follow the path of an error, in which the library leaves out empty names and gives `1` for `1`, `01` and `+1`.

    Raises:
        NotJudgedError: more than one place may be meant.
    """
    found = list(_places(value, error.instance_path, ()))
    if len(found) > 1:
        found = [(path, node) for path, node in found if _is_instance(error, node)]
    if len(found) != 1:
        raise NotJudgedError(f"jsonschema-rs does not say which of the members of `{error.instance_path}` fails")
    return found[0]


def _is_instance(error: ValidationError, node: JSON) -> bool:
    instance = _rough(error.instance)
    if of_members(tuple(error.evaluation_path)):  # the instance is then the object or one of its members
        return isinstance(node, dict) and instance in map(_rough, (node, *node.values()))
    return bool(instance == _rough(node))


def _places(value: JSON, rest: Sequence[str | int], path: Path) -> Iterator[tuple[Path, JSON]]:
    if not rest:
        yield path, value
    if isinstance(value, dict):
        if "" in value:
            yield from _places(value[""], rest, (*path, ""))
        part = rest[0] if rest else ""
        names = [part] if isinstance(part, str) else [n for n in value if _NUMERIC.fullmatch(n) and int(n) == part]
        for name in names:
            if name and name in value:
                yield from _places(value[name], rest[1:], (*path, name))
    elif isinstance(value, list) and rest and isinstance(rest[0], int) and rest[0] < len(value):
        yield from _places(value[rest[0]], rest[1:], (*path, rest[0]))


def _rough(value: JSON) -> JSON:
    """Return a value with its numbers as the library gives them back: near enough to tell values apart."""
    if isinstance(value, dict):
        return {name: _rough(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_rough(item) for item in value]
    return value if isinstance(value, bool | str | None) else repr(_float(value))


def _float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def forbidden(path: Path, way: tuple[str | int, ...], value: JSON, keys: Iterable[str | int]) -> Iterator[Failure]:
    """Yield a failure at each member or item that a schema of `false` stands for."""
    for key in keys:
        yield Failure((*path, key), way, False, value[key], forbidden=True)


def indexes(items: Sequence[JSON], unexpected: Iterable[str]) -> list[int]:
    """Return where the items are that the library names only by their JSON text.

    What is evaluated is a beginning of the array, and every item that `contains` matches. So of equal items it is
    always the last ones that are not.
    """
    left = Counter(_key(json.loads(text, parse_float=Decimal, parse_int=integer)) for text in unexpected)
    found = []
    for index in range(len(items) - 1, -1, -1):
        key = _key(items[index])
        if left[key]:
            left[key] -= 1
            found.append(index)
    return sorted(found)


def _key(value: JSON) -> Hashable:
    """Return something that is equal for equal JSON values: `1` and `1.0` are, `1` and `true` are not."""
    if isinstance(value, dict):
        return frozenset((name, _key(item)) for name, item in value.items())
    if isinstance(value, list):
        return tuple(_key(item) for item in value)
    return isinstance(value, bool), value
