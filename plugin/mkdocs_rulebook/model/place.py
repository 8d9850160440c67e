"""Where something stands: in a text, in a file, in a document."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

JSON = Any
"""A value of the JSON data model: dict, list, str, int, Decimal, bool or None."""


@dataclass(frozen=True, order=True)
class Position:
    """A place in a text: 1-based line and 1-based column, counted in code points."""

    line: int = 1
    column: int = 1


@dataclass(frozen=True)
class Span:
    """A stretch of a text, from `start` up to but not including `end`."""

    start: Position
    end: Position


@dataclass(frozen=True, order=True)
class Place:
    """A position in a file. `path` is absolute; only the one who prints it decides what it is relative to."""

    path: Path
    position: Position = Position()


Lines = tuple[int, int]
"""The first and the last line of a stretch of a text, counted from 1, both included."""


@dataclass(frozen=True)
class Selection:
    """The part of a document that an example speaks of: a node, or some lines of a text.

    `pointer` is a JSON Pointer. A text is a single node, the root, or the member of a folder that has the name of the
    file; `lines` narrows it down, None means all of it.
    """

    pointer: str = ""
    lines: Lines | None = None
