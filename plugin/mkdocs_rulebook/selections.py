"""What lies inside a selection, around it, or beside it: nodes by their pointers, lines of a text by their numbers.

A finding may be longer than the selection: a function that is too long is found from its first line to its last. So
in a text it counts as inside where it begins inside, and speaks against what it shares a line with.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

from mkdocs_rulebook import pointer as pointers
from mkdocs_rulebook.checks.base import Run
from mkdocs_rulebook.checks.messages import lines_in_words, names_in_words
from mkdocs_rulebook.model import JSON, Example, Finding, Inline, Lines, Selection
from mkdocs_rulebook.pointer import inside
from mkdocs_rulebook.source import Source
from mkdocs_rulebook.source.regions import regions


class SelectionError(ValueError):
    """What an example selects is not in its fixture; the message says what is."""


def resolve(example: Example, source: Source) -> Selection:
    """Find what an example selects in its fixture: for a region, the lines that it has now.

    Raises:
        SelectionError: it is not there, or cannot be there.
    """
    if not source.is_text:
        _only_data(example)
        _find(source.value, example)
        if example.pointer and in_wrapping(example.pointer, None, example, source):
            raise SelectionError(f"`{example.pointer}` is not in the text of the example, but wrapped around it")
        return Selection(example.pointer)
    if example.pointer:
        raise SelectionError(f"`{example.fixture}` is a text and has no nodes; select with `lines` or `region`")
    pointer = _file(example, source)
    text = source.part(pointer)
    if text is not None:
        return Selection(pointer, _lines(example, text))
    raise SelectionError(f"`{example.fixture}` is a folder: `show_file` must say which file to show")


def _only_data(example: Example) -> None:
    for key, given in (("lines", example.lines), ("region", example.region), ("show_file", example.show_file)):
        if given:
            raise SelectionError(
                f"`{example.fixture}` is read as data, where `{key}` selects nothing; use `pointer`, or declare a"
                " `language` to have it read as a text"
            )


def in_wrapping(pointer: str, lines: Lines | None, example: Example, source: Source) -> bool:
    """Whether a node, or lines of a text, lie wholly in what is wrapped around an example of the rule file.

    Args:
        pointer: The node.
        lines: The lines, in a text.
        example: The example.
        source: The document that it makes.
    """
    around = _inside_wrapping(example.inline) if example.inline is not None else None
    if around is None or example.inline is None:
        return False
    if source.is_text:
        return lines is not None and (lines[1] < around[0] or lines[0] > around[1])
    begin, end = len(example.inline.before), len(example.inline.before + example.inline.content)
    first, last = source.offsets(pointer)
    return last <= begin or first >= end


def _find(value: JSON, example: Example) -> None:
    for selection in (example.pointer, *example.show):
        if not pointers.resolve(value, selection)[0]:
            deepest, near = pointers.near(value, selection)
            there = f"`{deepest}` exists" if deepest else "not even its first part exists"
            hint = f"; nearest: {names_in_words(near, 'or')}" if near else ""
            raise SelectionError(f"there is nothing at `{selection}` in `{example.fixture}`: {there}{hint}")


def _file(example: Example, source: Source) -> str:
    if source.language != "folder":
        if example.show_file:
            raise SelectionError(f"`{example.fixture}` is a file; `show_file` is for a folder")
        return ""
    if not example.show_file:
        raise SelectionError(
            f"`{example.fixture}` is a folder: `show_file` must name one of {_some(list(source.files))}"
        )
    if example.show_file not in source.files:
        near = _nearest(example.show_file, list(source.files))
        raise SelectionError(f"there is no file `{example.show_file}` in `{example.fixture}`{near}")
    return pointers.append("", example.show_file)


def _lines(example: Example, text: Source) -> Lines | None:
    if example.region:
        found = regions(text.lines)
        if found.fault:
            raise SelectionError(f"`{text.path.name}`, line {found.at}: {found.fault}")
        if example.region not in found.named:
            near = _nearest(example.region, list(found.named)) if found.named else "; no region is marked in it"
            raise SelectionError(f"there is no region `{example.region}` in `{text.path.name}`{near}")
        return found.named[example.region]
    around = _inside_wrapping(example.inline) if example.inline is not None else None
    if example.lines is None and example.inline is not None:
        return around
    if example.lines is not None and around and not around[0] <= example.lines[0] <= example.lines[1] <= around[1]:
        raise SelectionError(
            f"{lines_in_words(example.lines)} of `{text.path.name}` is not the text of the example, which stands on"
            f" {lines_in_words(around)}: what is wrapped around it cannot be selected"
        )
    last = len(text.lines)
    if example.lines is not None and example.lines[0] > example.lines[1]:
        raise SelectionError(f"`lines: {example.lines[0]}-{example.lines[1]}` ends before it begins")
    if example.lines is not None and example.lines[1] > last:
        raise SelectionError(
            f"there is nothing on {lines_in_words(example.lines)} of `{text.path.name}`, which has"
            f" {last} line{'s' if last != 1 else ''}"
        )
    return example.lines


def _inside_wrapping(inline: Inline) -> Lines | None:
    """Return the lines that are not there for an engine alone; None where that is all of them."""
    if not inline.before and not inline.after:
        return None
    shown = inline.before + inline.content
    return inline.before.count("\n") + 1, shown.count("\n") + (not shown.endswith("\n"))


def _nearest(name: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, known, n=3, cutoff=0.4)
    return f"; nearest: {names_in_words(close, 'or')}" if close else f"; there is {_some(known)}"


def _some(names: Sequence[str]) -> str:
    return names_in_words(names[:5], "or") + (" …" if len(names) > 5 else "")


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
