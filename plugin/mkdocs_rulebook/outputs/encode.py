"""Values as JSON text (RFC 8259): numbers keep the digits that they were written with."""

from __future__ import annotations

import json
import re
from decimal import Decimal

from mkdocs_rulebook.model import JSON

_NUMBER = "\ud800"
"""Marks a number as no string: half of a surrogate pair is in no text that could be read."""
_MARKED = re.compile(f'"{_NUMBER}([^"]*)"')


def encode(value: JSON) -> str:
    """Return a value as JSON text, indented, with its members in the order they have, and a line end."""
    text = json.dumps(value, indent=1, ensure_ascii=False, default=_marked)
    return _MARKED.sub(r"\1", text) + "\n"


def _marked(value: object) -> str:
    if not isinstance(value, Decimal):
        raise TypeError(f"{type(value).__name__} is no value of JSON")
    return f"{_NUMBER}{value}"


def filled(**members: JSON) -> dict[str, JSON]:
    """Return an object without the members that say nothing: no text, no items, nothing at all."""
    return {name: value for name, value in members.items() if value not in ("", None, [], {}, ())}
