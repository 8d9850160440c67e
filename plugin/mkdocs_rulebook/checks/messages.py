"""The words of a finding of a JSON Schema check: the end of a sentence that begins with the name of the node.

The words come from the keyword and the values alone, so that they are the same whichever engine found it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal

from mkdocs_rulebook import pointer as pointers
from mkdocs_rulebook.model import JSON, Finding, Lines, Selection

MAX_SHOWN = 60
"""A value longer than this many characters is cut in a message."""

FORBIDDEN_HERE = "is not allowed here"
"""What is said of a node that a schema of `false` forbids."""

_TYPES = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
_ARTICLES = {"object": "an object", "array": "an array", "integer": "an integer", "null": "null"}


def shown(value: JSON) -> str:
    """Return a value as JSON in backticks, cut where it is long."""
    text = json.dumps(value, ensure_ascii=False, default=str) if not isinstance(value, Decimal) else str(value)
    return f"`{text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + '…'}`"


def names_in_words(names: Iterable[str], last: str = "and") -> str:
    """Return names in backticks, as an enumeration in words."""
    return _enumeration([f"`{name}`" for name in names], last)


def spots_in_words(spots: Iterable[Finding | Selection]) -> str:
    """Return where findings or selections lie, each place once, as an enumeration in words."""
    return _enumeration(list(dict.fromkeys(map(spot_in_words, spots))), "and")


def _enumeration(words: Sequence[str], last: str) -> str:
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 2 else words)


def place_in_words(pointer: str) -> str:
    """Return a pointer in backticks; the one of the whole document is empty and says so in words."""
    return f"`{pointer}`" if pointer else "the document"


def lines_in_words(lines: Lines) -> str:
    """Return lines of a text in words: "line 3", "lines 3–5"."""
    return f"line {lines[0]}" if lines[0] == lines[1] else f"lines {lines[0]}–{lines[1]}"


def spot_in_words(spot: Finding | Selection) -> str:
    """Return where a finding or a selection lies: a pointer in backticks, or lines of a text."""
    if spot.lines is None:
        return place_in_words(spot.pointer)
    where = f" of `{pointers.tokens(spot.pointer)[-1]}`" if spot.pointer else ""
    return lines_in_words(spot.lines) + where


def kind(value: JSON) -> str:
    """Return the JSON type of a value in words: "an object", "a string"."""
    return _TYPES.get(type(value), "a number")


def message(keyword: str, limit: JSON, value: JSON, names: Sequence[str]) -> str:
    """Word a finding.

    Args:
        keyword: The last keyword of the schema path.
        limit: What the schema says under that keyword.
        value: The node that fails.
        names: The missing or offending members.
    """
    word = _WORDS.get(keyword)
    return word(limit, value, names) if word else f"does not satisfy `{keyword}`"


def _type(limit: JSON, value: JSON, _: Sequence[str]) -> str:
    wanted = [limit] if isinstance(limit, str) else list(limit)
    return f"is {kind(value)}, not {' or '.join(_ARTICLES.get(name, 'a ' + name) for name in wanted)}"


def _missing(_: JSON, __: JSON, names: Sequence[str]) -> str:
    return f"lacks {names_in_words(names)}"


def _enum(limit: JSON, value: JSON, _: Sequence[str]) -> str:
    choices = [shown(choice) for choice in limit]
    return f"is {shown(value)}, not one of {', '.join(choices[:8])}{' …' if len(choices) > 8 else ''}"


def _size(what: str, least: bool) -> Callable[[JSON, JSON, Sequence[str]], str]:
    def word(limit: JSON, value: JSON, _: Sequence[str]) -> str:
        if least and not value:
            return f"is empty; it needs at least {_counted(limit, what)}"
        return f"has {_counted(len(value), what)}, {'fewer' if least else 'more'} than {limit}"

    return word


def _counted(number: JSON, what: str) -> str:
    return f"{number} {what if number == 1 else what + 's'}"


def _not(_: JSON, value: JSON, __: Sequence[str]) -> str:
    return (
        "is what the rule forbids" if isinstance(value, dict | list) else f"is {shown(value)}, which is ruled out here"
    )


def _contains(limit: JSON, _: JSON, __: Sequence[str]) -> str:
    if isinstance(limit, dict) and limit.keys() == {"const"}:
        return f"does not contain {shown(limit['const'])}"
    return "has no item of the kind that it must contain"


def _compared(words: str) -> Callable[[JSON, JSON, Sequence[str]], str]:
    return lambda limit, value, _: f"is {shown(value)}, {words} {limit}"


_WORDS: dict[str, Callable[[JSON, JSON, Sequence[str]], str]] = {
    "type": _type,
    "required": _missing,
    "dependentRequired": _missing,
    "dependencies": _missing,
    "enum": _enum,
    "const": lambda limit, value, _: f"is {shown(value)}, not {shown(limit)}",
    "pattern": lambda limit, value, _: f"is {shown(value)}, which does not match the pattern `{limit}`",
    "format": lambda limit, value, _: f"is {shown(value)}, which is not of the format `{limit}`",
    "not": _not,
    "anyOf": lambda limit, _, __: f"fits none of the {len(limit)} forms that it may have",
    "oneOf": lambda limit, _, __: f"does not fit exactly one of the {len(limit)} forms that it may have",
    "contains": _contains,
    "minContains": lambda limit, _, __: f"has fewer than {limit} items of the kind that it must contain",
    "maxContains": lambda limit, _, __: f"has more than {limit} items of the kind that it may contain",
    "uniqueItems": lambda _, __, ___: "has two equal items",
    "minItems": _size("item", True),
    "maxItems": _size("item", False),
    "minProperties": _size("member", True),
    "maxProperties": _size("member", False),
    "minLength": _size("character", True),
    "maxLength": _size("character", False),
    "minimum": _compared("less than"),
    "maximum": _compared("more than"),
    "exclusiveMinimum": _compared("not more than"),
    "exclusiveMaximum": _compared("not less than"),
    "multipleOf": _compared("not a multiple of"),
}
