"""What a YAML scalar means: the YAML 1.2 core schema (YAML 1.2.2 §10.3), narrowed to what JSON can hold.

One difference, so that nothing becomes something by surprise: a number with leading zeros, such as `0777` or a
postcode, stays a string. It is a decimal number in YAML 1.2, was an octal one in YAML 1.1, and is none in JSON.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mkdocs_rulebook.source.number import fraction, integer
from mkdocs_rulebook.source.text import quoted

if TYPE_CHECKING:
    from decimal import Decimal

    from mkdocs_rulebook.model import JSON

PREFIX = "tag:yaml.org,2002:"
TAGS = ("str", "int", "float", "bool", "null", "seq", "map")

_NULL = dict.fromkeys(("", "~", "null", "Null", "NULL"))
_BOOL = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_WORDS: dict[str, bool | None] = {**_NULL, **_BOOL}
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_RADIX = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FRACTION = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_A_NUMBER = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")

_RADIX_LIMIT = 500
"""Python reads hexadecimal digits without limit, but then cannot print what it has read."""


class ScalarError(ValueError):
    """A scalar that is no JSON value; the text is the message."""


def plain(text: str) -> JSON:
    """Return the value of a scalar without quotes and without a tag.

    Raises:
        ScalarError: it is an infinity, not a number, or a number too large to hold.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":
        return text
    number = _number(text)
    return text if number is None else number


def tagged(tag: str, text: str) -> JSON:
    """Return the value of a scalar with an explicit tag, in its full form.

    Raises:
        ScalarError: the tag is none of the core schema, or the text cannot be read so.
    """
    kind = check_tag(tag)
    number = _number(text) if kind in ("int", "float") else None
    if kind == "str":
        return text
    if kind == "null" and text in _NULL:
        return None
    if kind == "bool" and text in _BOOL:
        return _BOOL[text]
    if kind == "int" and isinstance(number, int):
        return number
    if kind == "float" and number is not None:
        return fraction(str(number))
    raise ScalarError(f"{quoted(text)} cannot be read as !!{kind}")


def check_tag(tag: str) -> str:
    """Return the short name of a core schema tag (`!` alone means a string).

    Raises:
        ScalarError: it is another tag: what it makes is not JSON data, and nothing here runs code.
    """
    kind = "str" if tag == "!" else tag.removeprefix(PREFIX)
    if kind not in TAGS or (tag != "!" and not tag.startswith(PREFIX)):
        shown = tag.replace(PREFIX, "!!", 1)
        raise ScalarError(f"the tag {quoted(shown)} is not supported; expected one of !!{', !!'.join(TAGS)}")
    return kind


def _number(text: str) -> int | Decimal | None:
    if _INTEGER.fullmatch(text):
        return integer(text)
    if _RADIX.fullmatch(text):
        if len(text) > _RADIX_LIMIT:
            raise ScalarError(f"{quoted(text)} has too many digits; write it as a decimal number")
        return int(text, 0)
    if _NOT_A_NUMBER.fullmatch(text):
        raise ScalarError(f"{text} is not a JSON number; write it in quotes if it is meant as a string")
    if not _FRACTION.fullmatch(text):
        return None
    number = fraction(text)
    if number is None:
        raise ScalarError(f"the exponent of {quoted(text)} is too large")
    return number
