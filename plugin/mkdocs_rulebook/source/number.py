"""Numbers as written: integers exact, everything else decimal, never binary floating point."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from mkdocs_rulebook.model import JSON


def integer(text: str) -> int | Decimal:
    """Read decimal digits with an optional sign. Too many digits for `int` give an exact Decimal."""
    try:
        return int(text)
    except ValueError:
        return Decimal(text)


def fraction(text: str) -> Decimal | None:
    """Read a number with a fraction or an exponent. None: the exponent is beyond what Decimal can hold."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def exponent(value: JSON) -> int:
    """Return the largest exponent, with or without its sign, of the decimal numbers in a value."""
    largest, stack = 0, [value]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            stack.extend(node.values())
        elif isinstance(node, list):
            stack.extend(node)
        elif isinstance(node, Decimal):
            largest = max(largest, abs(node.adjusted()))
    return largest
