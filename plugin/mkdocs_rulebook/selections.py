"""What lies inside a selection, around it, or beside it: nodes by their pointers, lines of a text by their numbers.

A finding may be longer than the selection: a function that is too long is found from its first line to its last. So
in a text it counts as inside where it begins inside, and speaks against what it shares a line with.
"""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_rulebook.checks.base import Run
from mkdocs_rulebook.model import Finding, Lines, Selection
from mkdocs_rulebook.pointer import inside


def touches(finding: Finding, selection: Selection) -> bool:
    """Whether a finding lies inside a selection: at or below it, at its place of use or in its target.

    In a text: whether it begins on a line of the selection.
    """
    return any(_begins_in(place, finding.lines, selection) for place in (finding.pointer, finding.target))


def speaks_against(finding: Finding, selection: Selection) -> bool:
    """Whether a finding lies inside a selection or encloses it; in a text, whether they share a line."""
    return touches(finding, selection) or any(
        _meets(place, finding.lines, selection) for place in (finding.pointer, finding.target)
    )


def judged(run: Run, selection: Selection) -> bool:
    """Whether a check judged something at or below a selection; who judged a whole text judged its lines."""
    return any(inside(place, selection.pointer) for places in run.applied for place in places) or any(
        _begins_in(place, lines, selection) for place, lines in run.passages
    )


def judged_around(run: Run, selection: Selection) -> Iterator[Selection]:
    """Yield what a check judged at, below or above a selection."""
    for places in run.applied:
        if any(inside(place, selection.pointer) or inside(selection.pointer, place) for place in places):
            yield Selection(places[0])
    for place, lines in run.passages:
        if inside(place, selection.pointer) and (selection.lines is None or _overlap(lines, selection.lines)):
            yield Selection(place, lines)


def judged_anywhere(run: Run) -> list[Selection]:
    """Return everything that a check judged."""
    return [Selection(places[0]) for places in run.applied] + [Selection(*passage) for passage in run.passages]


def _begins_in(pointer: str, lines: Lines | None, selection: Selection) -> bool:
    if selection.lines is None:
        return inside(pointer, selection.pointer)
    return pointer == selection.pointer and lines is not None and selection.lines[0] <= lines[0] <= selection.lines[1]


def _meets(pointer: str, lines: Lines | None, selection: Selection) -> bool:
    if pointer == selection.pointer and lines is not None and selection.lines is not None:
        return _overlap(lines, selection.lines)
    return inside(selection.pointer, pointer)


def _overlap(one: Lines, other: Lines) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]
