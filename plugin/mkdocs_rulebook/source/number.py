"""Numbers as written: integers exact, everything else decimal, never binary floating point."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation


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
