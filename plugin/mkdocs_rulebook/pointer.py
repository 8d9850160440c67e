"""JSON Pointer (RFC 6901), to the letter: `/` names the empty member, `~1` is a slash and `~0` a tilde.

A pointer is passed around as text; a path is its decoded form, a tuple of member names and array indexes.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from mkdocs_rulebook.model import JSON

Path = tuple[str | int, ...]

_INDEX = re.compile(r"0|[1-9][0-9]*")
_BAD_ESCAPE = re.compile(r"~(?![01])")


class PointerError(ValueError):
    """The text is not a JSON Pointer."""


@lru_cache(maxsize=8_192)
def tokens(pointer: str) -> tuple[str, ...]:
    """Split a pointer into its decoded reference tokens.

    Raises:
        PointerError: the text does not begin with a slash, or holds a tilde that escapes nothing (RFC 6901 §3).
    """
    if not pointer:
        return ()
    if not pointer.startswith("/"):
        raise PointerError(f"a JSON Pointer is empty or begins with '/': {pointer!r}")
    if _BAD_ESCAPE.search(pointer):
        raise PointerError(f"in a JSON Pointer '~' is written '~0' and '/' in a name '~1': {pointer!r}")
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in pointer[1:].split("/"))


def join(path: Iterable[str | int]) -> str:
    """Encode member names and indexes as a pointer."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


def append(pointer: str, *parts: str | int) -> str:
    """Return the pointer of a node below another."""
    return pointer + join(parts)


def inside(pointer: str, selection: str) -> bool:
    """Whether a node is the selected one or lies below it."""
    return pointer == selection or pointer.startswith(selection + "/")


def step(value: JSON, token: str | int) -> tuple[str | int, JSON] | None:
    """Follow one reference token from a value: return the member name or index and what is there, or None."""
    if isinstance(value, dict):
        return (str(token), value[str(token)]) if str(token) in value else None
    if isinstance(value, list) and _INDEX.fullmatch(str(token)) and int(token) < len(value):
        return int(token), value[int(token)]
    return None


def resolve(value: JSON, pointer: str) -> tuple[bool, str, JSON]:
    """Walk a pointer as far as it goes.

    Returns:
        Whether all of it exists, the pointer of the deepest node that does, and that node.

    Raises:
        PointerError: it is not a pointer.
    """
    reached: list[str | int] = []
    for token in tokens(pointer):
        found = step(value, token)
        if found is None:
            return False, join(reached), value
        reached.append(found[0])
        value = found[1]
    return True, join(reached), value


def near(value: JSON, pointer: str) -> tuple[str, Sequence[str]]:
    """For a pointer that leads nowhere: the deepest part that exists, and the nearest pointers below that part."""
    _, deepest, node = resolve(value, pointer)
    missing = tokens(pointer)[len(tokens(deepest))]
    if isinstance(node, dict):
        names = difflib.get_close_matches(missing, list(node), n=3, cutoff=0.5) or sorted(node)[:3]
        return deepest, [append(deepest, name) for name in names]
    if isinstance(node, list) and node:
        return deepest, [append(deepest, len(node) - 1)]
    return deepest, []
