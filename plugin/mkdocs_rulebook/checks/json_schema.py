"""The `jsonschema` library decides: with the keywords that this package brings along, and without the network."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import metadata
from typing import Any

from jsonschema.exceptions import ValidationError

from mkdocs_rulebook.checks.failures import Failure
from mkdocs_rulebook.checks.formats import CHECKER
from mkdocs_rulebook.checks.keywords import DRAFTS, FORBIDDEN, SIBLINGS
from mkdocs_rulebook.checks.schemas import Usable
from mkdocs_rulebook.checks.view import View
from mkdocs_rulebook.model import JSON

ENGINE = f"jsonschema {metadata.version('jsonschema')}"


class Validator:
    """A schema as this library judges by it."""

    def __init__(self, validator: Any) -> None:
        self._validator = validator

    def is_valid(self, value: JSON) -> bool:
        """Whether a value satisfies the schema."""
        return bool(self._validator.is_valid(value))

    def failures(self, value: JSON) -> Iterator[Failure]:
        """Yield what a value does not satisfy."""
        return map(_failure, self._validator.iter_errors(value))


def compile(usable: Usable) -> Validator:  # noqa: A001 - the name that every library has for it
    """Make a schema ready."""
    validator_class: Any = DRAFTS[usable.dialect]
    checker = CHECKER if usable.formats else None
    validator = validator_class(usable.contents, registry=usable.registry, format_checker=checker)
    return Validator(validator.evolve(_resolver=usable.resolver))


def obstacle(_: View) -> str:
    """Nothing: this library judges numbers as exactly as they are read."""
    return ""


def _failure(error: ValidationError) -> Failure:
    path = tuple(error.absolute_schema_path)
    if error.validator in SIBLINGS:  # reported under the keyword that it is judged with
        path = (*path[:-1], error.validator)
    # The library itself leaves the keyword out where a schema of `false` is the whole.
    forbidden = error.validator is None or error.validator == FORBIDDEN
    return Failure(tuple(error.absolute_path), path, error.validator_value, error.instance, forbidden)
