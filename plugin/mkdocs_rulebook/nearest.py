"""The end of a message about a name that leads nowhere: what there is."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(name: str, known: Iterable[str], cutoff: float = 0.5) -> str:
    """Return the end of a message that names what exists and is most like the name; empty where nothing is.

    Args:
        name: What does not exist.
        known: What does.
        cutoff: How much like it something has to be, from 0 to 1 (see `difflib.get_close_matches`).
    """
    close = difflib.get_close_matches(name, sorted(known), n=3, cutoff=cutoff)
    return f"; nearest: {', '.join(f'`{each}`' for each in close)}" if close else ""


def known(names: Iterable[str]) -> str:
    """Return the end of a message that names everything that exists."""
    listed = ", ".join(f"`{name}`" for name in names)
    return f"; known: {listed}" if listed else "; none is known"
