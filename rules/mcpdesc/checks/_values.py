"""JSON values as JSON sees them: what is a number, and what is equal to what."""

from __future__ import annotations

from decimal import Decimal
from typing import TypeGuard

from mkdocs_rulebook.model import JSON


def is_number(value: JSON) -> TypeGuard[int | Decimal]:
    """Whether a value is a number; for Python, `true` would be one as well."""
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def is_integer(value: JSON) -> TypeGuard[int | Decimal]:
    """Whether a value is a number without a fraction, such as 3 and 3.0."""
    return is_number(value) and (isinstance(value, int) or value == value.to_integral_value())


def equal(one: JSON, other: JSON) -> bool:
    """Whether two values are the same JSON value: the order of members does not matter, and `true` is not 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(equal(value, other[name]) for name, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(equal, one, other))
    if is_number(one) and is_number(other):
        return one == other
    return type(one) is type(other) and bool(one == other)
