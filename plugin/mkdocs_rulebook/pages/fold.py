"""Which lines of a long excerpt are shown at once, and which are folded away."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mkdocs_rulebook.pages.excerpt import Line, text_of

LONG = 40
"""An excerpt of no more lines than this is shown as it is."""

AROUND = 3
"""How many lines before and after a failing one stay in view."""

HEAD, TAIL = 24, 3
"""How many lines at the ends stay in view where nothing fails; where something does, a fourth of `HEAD`."""

SHORTEST = 4
"""Fewer lines than this are not worth folding."""

MAX_KEPT = 10
"""How many failing places, and how many levels around each of them, stay in view."""

MAX_FOLDED = 300
"""A longer stretch is left out: whoever wants it opens the file."""


@dataclass(frozen=True)
class Part:
    """A stretch of lines, from `start` up to but not including `end`."""

    start: int
    end: int
    folded: bool = False
    left_out: bool = False


def fold(lines: Sequence[Line], marks: Mapping[int, bool]) -> list[Part]:
    """Divide an excerpt into parts that are shown, folded or left out; failing places stay in view."""
    if len(lines) <= LONG:
        return [Part(0, len(lines))]
    parts: list[Part] = []
    shown = 0
    for start, end in _gaps(_kept(lines, marks), len(lines)):
        if end - start < SHORTEST:
            continue
        if start > shown:
            parts.append(Part(shown, start))
        parts.append(Part(start, end, folded=end - start <= MAX_FOLDED, left_out=end - start > MAX_FOLDED))
        shown = end
    if shown < len(lines):
        parts.append(Part(shown, len(lines)))
    return parts


def _kept(lines: Sequence[Line], marks: Mapping[int, bool]) -> list[int]:
    begins = sorted(number for number, begin in marks.items() if begin)[:MAX_KEPT]
    head = HEAD // 4 if begins else HEAD
    kept = {*range(min(head, len(lines))), *range(max(0, len(lines) - TAIL), len(lines))}
    for number in begins:
        kept |= {*range(max(0, number - AROUND), min(len(lines), number + AROUND + 1)), *_around(lines, number)}
    return sorted(kept)


def _around(lines: Sequence[Line], number: int) -> Iterable[int]:
    """Yield the lines on which the nodes around a line begin, innermost first."""
    indent, found = _indent(lines[number]), 0
    for above in range(number - 1, -1, -1):
        if text_of(lines[above]).strip() and _indent(lines[above]) < indent:
            indent, found = _indent(lines[above]), found + 1
            yield above
            if not indent or found == MAX_KEPT:
                return


def _gaps(kept: Sequence[int], total: int) -> Iterable[tuple[int, int]]:
    for before, after in zip([-1, *kept], [*kept, total], strict=True):
        if after > before + 1:
            yield before + 1, after


def _indent(line: Line) -> int:
    text = text_of(line)
    return len(text) - len(text.lstrip(" "))
