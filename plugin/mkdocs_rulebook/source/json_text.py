"""JSON texts (RFC 8259) as values, and the offsets of their nodes.

The value comes from the standard library, which is fast but knows no positions. The offsets come from a scanner
that runs only when somebody asks for them, or when the value has a fault that must be located.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from mkdocs_rulebook.source.node import Node
from mkdocs_rulebook.source.number import fraction, integer
from mkdocs_rulebook.source.text import MAX_DEPTH, TOO_DEEP, SourceError, Text, quoted

if TYPE_CHECKING:
    from mkdocs_rulebook.model import JSON

_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"|[{}\[\]]|[^\s{}\[\]:,"]++', re.DOTALL)
_FRACTION = re.compile(r"-?[0-9]+[.eE][-+.0-9eE]+")
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_ESCAPE = re.compile(
    r"""\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}  # a whole pair
         |(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)""",
    re.DOTALL | re.VERBOSE,
)
_EXPECTED = {
    "Expecting value": "a value",
    "Expecting property name": "a member name in double quotes",
    "Expecting ':'": "':' after the member name",
}
_CLOSING = frozenset("]}")
_OPENING = frozenset("[{")
_CONSTANTS = ("NaN", "Infinity", "-Infinity")


def parse(source: Text) -> JSON:
    """Return the value of a JSON text; integers as int, other numbers as Decimal.

    Raises:
        SourceError: a syntax fault, an object with a repeated name, NaN or Infinity, half of a surrogate pair, a
            number that cannot be held, or nesting deeper than `MAX_DEPTH`.
    """
    suspect = False

    def members(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
        nonlocal suspect
        value = dict(pairs)
        suspect = suspect or len(value) != len(pairs)
        return value

    def number(text: str) -> JSON:
        nonlocal suspect
        value = fraction(text)
        suspect = suspect or value is None
        return value

    def constant(_: str) -> None:
        nonlocal suspect
        suspect = True

    decoder = json.JSONDecoder(
        object_pairs_hook=members, parse_float=number, parse_int=integer, parse_constant=constant
    )
    try:
        value = decoder.decode(source.text)
    except json.JSONDecodeError as error:
        raise _syntax_error(source, error) from None
    except RecursionError:
        raise source.error(_too_deep_at(source.text) or 0, TOO_DEEP) from None
    if _levels(value) > MAX_DEPTH and (offset := _too_deep_at(source.text)) is not None:
        raise source.error(offset, TOO_DEEP)
    if suspect:
        scan(source)
        _check_numbers(source)
    if _HALF.search(source.text):
        _check_surrogates(source)
    return value


def scan(source: Text) -> Node:
    """Find the offsets of every node of a JSON text that the decoder accepts, without recursion.

    Raises:
        SourceError: an object has a name twice.
    """
    outer = Node(0, len(source.text), [])
    around = [outer]
    name: tuple[int, int] | None = None
    for match in _TOKEN.finditer(source.text):
        token, parent = match[0], around[-1]
        if token in _CLOSING:
            around.pop().end = match.end()
        elif isinstance(parent.inside, dict) and name is None:
            name = match.span()
        else:
            node = Node(match.start(), match.end(), _empty(token), name)
            _attach(source, parent, node)
            name = None
            if node.inside is not None:
                around.append(node)
    assert isinstance(outer.inside, list)
    return outer.inside[0]


def _empty(token: str) -> dict[str, Node] | list[Node] | None:
    return {} if token == "{" else [] if token == "[" else None


def _attach(source: Text, parent: Node, node: Node) -> None:
    if isinstance(parent.inside, list):
        parent.inside.append(node)
    elif parent.inside is not None and node.name is not None:
        spelled = source.text[slice(*node.name)]
        name = json.loads(spelled) if "\\" in spelled else spelled[1:-1]
        if first := parent.inside.get(name):
            raise source.repeated(name, node.name[0], first.name[0] if first.name else first.start)
        parent.inside[name] = node


def _check_numbers(source: Text) -> None:
    for match in _TOKEN.finditer(source.text):
        token = match[0]
        if token in _CONSTANTS:
            raise source.error(match.start(), f"{token} is not a JSON number (RFC 8259 §6)")
        if _FRACTION.fullmatch(token) and fraction(token) is None:
            raise source.error(match.start(), f"the exponent of {quoted(token)} is too large")


def _check_surrogates(source: Text) -> None:
    """Find half of a surrogate pair: it is no character, so nothing that holds it can be written as UTF-8."""
    for match in _ESCAPE.finditer(source.text):
        if match["half"]:
            raise source.error(match.start(), f"{match[0]} is half of a surrogate pair; the other half is missing")


def _levels(value: JSON) -> int:
    levels, level = 0, [value]
    while level := [node for node in level if isinstance(node, dict | list)]:
        levels += 1
        level = [child for node in level for child in (node.values() if isinstance(node, dict) else node)]
    return levels


def _too_deep_at(text: str) -> int | None:
    depth = 0
    for match in _TOKEN.finditer(text):
        depth += (match[0] in _OPENING) - (match[0] in _CLOSING)
        if depth > MAX_DEPTH:
            return match.start()
    return None


def _syntax_error(source: Text, error: json.JSONDecodeError) -> SourceError:
    text, offset = source.text, error.pos
    before, after = text[:offset].rstrip(), text[offset:].lstrip()
    offset = len(text) - len(after)
    comma = text[offset : offset + 1] == "," and after[1:].lstrip()[:1] in _CLOSING
    if comma or (before.endswith(",") and after[:1] in _CLOSING):
        return source.error(offset if comma else len(before) - 1, "a comma before a closing bracket is not permitted")
    found = quoted(after[0]) if after else "the end of the file"
    if error.msg.startswith("Unterminated string"):
        return source.error(error.pos, "this string has no closing quote")
    if error.msg.startswith("Invalid control character"):
        return source.error(error.pos, f"in a string U+{ord(text[error.pos]):04X} must be written as an escape")
    if "escape" in error.msg:
        start = text.rfind("\\", 0, error.pos + 1)
        return source.error(start, f"{quoted(text[start : start + 2])} begins no valid escape (RFC 8259 §7)")
    if error.msg.startswith("Extra data"):
        return source.error(offset, f"expected the end of the file, found {found}")
    if error.msg.startswith("Expecting ','"):
        return source.error(offset, f"expected ',' or a closing bracket, found {found}")
    expected = next((words for start, words in _EXPECTED.items() if error.msg.startswith(start)), "valid JSON")
    return source.error(offset, f"expected {expected}, found {found}")
