"""Checks of URI templates (RFC 6570), and of the URIs that examples give for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from urllib.parse import quote

from uritemplate.variable import Operator, URIVariable

from mkdocs_rulebook import Node, Result, finding, inapplicable

from ._document import ancestor, text

# The grammar of RFC 6570, Section 2. The apostrophe counts as a literal: verified erratum 6937.
_TRIPLET = r"%[0-9A-Fa-f]{2}"
_LITERALS = re.compile(rf'(?:[^\x00-\x20"%<>\\^`{{|}}\x7f-\x9f\ud800-\udfff]|{_TRIPLET})+')
_NAME = rf"(?:\w|{_TRIPLET})(?:\.?(?:\w|{_TRIPLET}))*"
_VARIABLE = rf"{_NAME}(?::[1-9]\d{{0,3}}|\*)?"
_EXPRESSION = re.compile(rf"\{{([+#./;?&=,!@|]?{_VARIABLE}(?:,{_VARIABLE})*)\}}", re.ASCII)

RESERVED_OPERATORS = "=,!@|"
"""Operators that RFC 6570 keeps for later and gives no meaning."""

Part = str | URIVariable
"""A piece of literal text, or an expression."""


class TemplateError(ValueError):
    """A text is no URI template; the message is the end of a sentence that begins with its name."""

    def __init__(self, message: str, reason: str = "malformed") -> None:
        super().__init__(message)
        self.reason = reason


def well_formed(template: Node) -> Iterator[Result]:
    """Find a template that RFC 6570 cannot read, or cannot expand."""
    if not isinstance(template.value, str):
        yield inapplicable(template)
        return
    try:
        parse(template.value)
    except TemplateError as error:
        yield finding(template, str(error), reason=error.reason)


def expansion(uri: Node) -> Iterator[Result]:
    """Find the URI of an example that the template around it never expands to."""
    template = text(ancestor(uri, 2), "uriTemplate")
    parts = parts_of(template)
    if template is None or parts is None or not isinstance(uri.value, str):
        yield inapplicable(uri)
    elif not expands_to(parts, uri.value):
        yield finding(uri, f"is no expansion of `{template}`", reason="not-an-expansion")


def parse(template: str) -> list[Part]:
    """Split a template into literal text and expressions.

    Raises:
        TemplateError: it is not well-formed, or uses an operator without a meaning.

    """
    parts: list[Part] = []
    at = 0
    while at < len(template):
        literals = _LITERALS.match(template, at)
        expression = _EXPRESSION.match(template, at)
        if literals is not None:
            parts.append(literals.group())
            at = literals.end()
        elif expression is not None:
            if template[at + 1] in RESERVED_OPERATORS:
                raise TemplateError(
                    f"uses the operator `{template[at + 1]}`, which RFC 6570 reserves", "reserved-operator"
                )
            parts.append(URIVariable(expression.group(1)))
            at = expression.end()
        else:
            raise TemplateError(_why(template, at))
    return parts


def _why(template: str, at: int) -> str:
    """Say what is wrong where neither literal text nor an expression begins."""
    if template[at] != "{":
        character = f"`{template[at]}`" if template[at].isprintable() else f"U+{ord(template[at]):04X}"
        return f"has the character {character}, which no literal text may hold"
    end = template.find("}", at)
    if end < 0:
        return f"opens an expression that it never closes: `{template[at:]}`"
    return f"has `{template[at : end + 1]}`, which is no expression"


def parts_of(template: str | None) -> list[Part] | None:
    """Return the parts of a template; None where there is none, or none that can be expanded."""
    try:
        return None if template is None else parse(template)
    except TemplateError:
        return None


def variables(parts: list[Part]) -> set[str]:
    """Return the names of the variables of a template, without operators and modifiers."""
    return {name for part in parts if isinstance(part, URIVariable) for name in part.variable_names}


# Matching an expansion back. A matcher takes the places that were reached in a text to those that it reaches from
# there; so every reading of an ambiguous template is tried at once, in time that stays polynomial.
_Matcher = Callable[[str, set[int]], set[int]]

_UNRESERVED = r"A-Za-z0-9._~\-"
_RESERVED = r":/?#\[\]@!$&'()*+,;="
# One character as RFC 6570 encodes it: the triplets of its UTF-8 bytes, which count as one for a prefix modifier.
_ENCODED = r"%[CD][0-9A-F]%[89AB][0-9A-F]|%E[0-9A-F](?:%[89AB][0-9A-F]){2}|%F[0-7](?:%[89AB][0-9A-F]){3}|%[0-9A-F]{2}"


def expands_to(parts: list[Part], uri: str) -> bool:
    """Whether some values for the variables of a template give this URI; undefined ones count as values."""
    uri = _upper_triplets(uri)
    reached = {0}
    for part in parts:
        if isinstance(part, str):
            literal = _upper_triplets(quote(part, safe="%:/?#[]@!$&'()*+,;=~"))
            reached = _token(re.escape(literal))(uri, reached)
        else:
            reached = _expression(part, uri, reached)
    return len(uri) in reached


def _upper_triplets(uri: str) -> str:
    return re.sub(_TRIPLET, lambda triplet: triplet.group().upper(), uri)


def _expression(expression: URIVariable, uri: str, reached: set[int]) -> set[int]:
    """Match the defined variables of an expression, whichever they are, in their order."""
    operator = expression.operator
    first = _token(re.escape("" if operator is Operator.reserved else operator.value))
    separator = _token(re.escape(operator.expansion_separator()))
    ends = set[int]()
    for name, modifiers in expression.variables:
        value = _variable(operator, name, bool(modifiers["explode"]), modifiers["prefix"])
        ends |= value(uri, separator(uri, ends)) | value(uri, first(uri, reached))
    return reached | ends


def _variable(operator: Operator, name: str, explode: bool, prefix: int | None) -> _Matcher:
    """Return what matches one defined variable: a text, a list or a map, as RFC 6570, Section 3.2, expands it."""
    open_to_all = operator in (Operator.reserved, Operator.fragment)
    named = operator.value in (";", "?", "&")
    character = _token(rf"[{_UNRESERVED}{_RESERVED if open_to_all else ''}]|{_ENCODED}")
    equals, separator = _token("="), _token(re.escape(operator.expansion_separator()))
    if explode and named:
        pair = _sequence(_many(character), _either(equals, _empty(operator)), _many(character))
        return _sequence(pair, _many(_sequence(separator, pair)))
    if explode:
        return _many(_either(character, equals, separator))
    value = _many(character, prefix) if prefix else _many(_either(character, _token(",")))
    if not named:
        return value
    return _sequence(_token(re.escape(_upper_triplets(name))), _either(_sequence(equals, value), _empty(operator)))


def _empty(operator: Operator) -> _Matcher:
    """Return what follows a name without a value: nothing for `;`, while other operators keep the equals sign."""
    return _token("") if operator is Operator.path_style_parameter else _either()


def _token(pattern: str) -> _Matcher:
    compiled = re.compile(pattern)
    return lambda uri, reached: {match.end() for at in reached if (match := compiled.match(uri, at))}


def _sequence(*matchers: _Matcher) -> _Matcher:
    def match(uri: str, reached: set[int]) -> set[int]:
        for matcher in matchers:
            reached = matcher(uri, reached)
        return reached

    return match


def _either(*matchers: _Matcher) -> _Matcher:
    return lambda uri, reached: set().union(*(matcher(uri, reached) for matcher in matchers))


def _many(matcher: _Matcher, limit: int | None = None) -> _Matcher:
    def match(uri: str, reached: set[int]) -> set[int]:
        ends, new, count = set(reached), reached, 0
        while new and (limit is None or count < limit):
            new = matcher(uri, new) - ends
            ends |= new
            count += 1
        return ends

    return match
