"""What is wrong with a schema or a value, in the words of this catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from jsonschema.exceptions import ValidationError

from mkdocs_rulebook.checks.keywords import FORBIDDEN
from mkdocs_rulebook.checks.messages import FORBIDDEN_HERE, message
from mkdocs_rulebook.model import JSON

from ._vocabulary import NAMED

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Fault:
    """Something wrong with a schema, or with a value under a schema: where, in what words, and why in one word."""

    path: Path
    message: str
    reason: str
    names: tuple[str, ...] = ()


def mismatches(error: ValidationError) -> Iterator[Fault]:
    """Yield what a failure of a JSON Schema library comes to."""
    keyword = keyword_of(error)
    path = tuple(error.absolute_path)
    words = words_of(error, keyword)
    names: tuple[str, ...] = ()
    if keyword in ("required", "dependentRequired", "dependencies") and isinstance(error.instance, dict):
        names = missing_names(keyword, error)
    elif _forbidden(error) or "propertyNames" in error.absolute_schema_path:
        names = (path[-1],) if path and isinstance(path[-1], str) else ()
    yield Fault(path, words, kebab(keyword), names)


def missing_names(keyword: str, error: ValidationError) -> tuple[str, ...]:
    limit: Any = error.validator_value
    instance: Any = error.instance
    if keyword == "required" and isinstance(limit, list):
        return tuple(sorted(name for name in limit if name not in instance))
    if isinstance(limit, dict):
        lists = [value for name, value in limit.items() if name in instance and isinstance(value, list)]
        return tuple(sorted({name for value in lists for name in value} - set(instance)))
    return ()


def words_of(error: ValidationError, keyword: str) -> str:
    if _forbidden(error):
        return FORBIDDEN_HERE
    limit: JSON = error.validator_value
    instance: JSON = error.instance
    if keyword == "not":
        return "is what the schema forbids with `not`"
    names = missing_names(keyword, error) if isinstance(instance, dict) else ()
    return message(keyword, limit, instance, names)


def keyword_of(error: ValidationError) -> str:
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


def kebab(keyword: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in keyword).lstrip("$")
