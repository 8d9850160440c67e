"""The names that `format` may have and what they mean: the same whichever engine asks, in every draft.

Where a catalogue says `formats: true`, `format` is asserted; names that are not here say nothing, as JSON Schema
asks (2020-12, Validation §7.2.3).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import jsonschema
import jsonschema_rs

from mkdocs_rulebook.checks.patterns import PatternError, compile_pattern

_NAMES = (
    "date",
    "date-time",
    "duration",
    "email",
    "hostname",
    "idn-email",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "iri",
    "iri-reference",
    "json-pointer",
    "relative-json-pointer",
    "time",
    "uri",
    "uri-reference",
    "uri-template",
    "uuid",
)


def _is(validator: jsonschema_rs.Validator, value: object) -> bool:
    return not isinstance(value, str) or validator.is_valid(value)


def _is_regex(value: object) -> bool:
    if isinstance(value, str):
        try:
            compile_pattern(value)
        except PatternError:
            return False
    return True


FORMATS: Mapping[str, Callable[[object], bool]] = {
    name: partial(_is, jsonschema_rs.Draft202012Validator({"format": name}, validate_formats=True)) for name in _NAMES
} | {"regex": _is_regex}
"""For each format: whether a value is of it. What is no string is of every format."""

CHECKER = jsonschema.FormatChecker(formats=())
"""The same for the `jsonschema` library."""

for _name, _function in FORMATS.items():
    CHECKER.checks(_name)(_function)
