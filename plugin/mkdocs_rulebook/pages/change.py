"""What a derived example changed in its fixture: marks on the lines that are shown, and a diff."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mkdocs_rulebook.derived import as_json
from mkdocs_rulebook.pages.excerpt import Excerpt, cut, text_of
from mkdocs_rulebook.pages.fix import AROUND, MAX_COMPARED, Signed, diff, diff_lines
from mkdocs_rulebook.pages.text_excerpt import coloured
from mkdocs_rulebook.pages.words import count

if TYPE_CHECKING:
    from mkdocs_rulebook.model import Lines, Selection
    from mkdocs_rulebook.source import Source

CHANGED, REMOVED = "changed", "removed"
"""What is said of a line: that it is another than in the fixture, or that something after it was taken away."""


def changed_lines(base: Source, excerpt: Excerpt, shown: Source, selection: Selection) -> dict[int, str]:
    """Tell which lines of an excerpt differ from the fixture that the document was made of.

    Args:
        base: The fixture.
        excerpt: What is shown of the document.
        shown: The document, or the file of it that is shown.
        selection: What is selected in the document.
    """
    if excerpt.numbers:
        part = base.part(selection.pointer)
        marks = _marks(part.lines if part else (), shown.lines)
        at = {number: index for index, number in enumerate(excerpt.numbers)}
        return {at[line + 1]: mark for line, mark in marks.items() if line + 1 in at}
    # YAML that became JSON is compared as JSON: what only looks different is no change.
    before = cut(base if base.language == excerpt.language else as_json(base), selection.pointer)
    lines = [text_of(line) for line in before.lines] if before else []
    return _marks(_plain(lines), _plain([text_of(line) for line in excerpt.lines]))


def change(base: Source, made: Source, selection: Selection, language: str) -> list[Signed]:
    """Return a diff of the fixture and what was made of it: of the selection if that differs, else of everything.

    Args:
        base: The fixture.
        made: What was made of it.
        selection: What is selected in it.
        language: What a text is written in; empty where its name says so.
    """
    if made.is_text:
        before, after = base.part(selection.pointer), made.part(selection.pointer)
        return text_diff(before, after, language) if before and after else []
    in_nodes = diff(base, made.value, selection.pointer) or diff(base, made.value, "")
    return in_nodes or text_diff(base, made, base.language)


def text_diff(before: Source, after: Source, language: str, lines: Lines | None = None) -> list[Signed]:
    """Return a diff of two texts, line by line.

    Args:
        before: The text as it was.
        after: The text as it is.
        language: What both are written in; empty where the name says so.
        lines: The lines that are of interest before; None for all.
    """
    first, last = lines or (1, len(before.lines))
    rest = len(before.lines) - last
    old, new = coloured(before, language), coloured(after, language)
    return diff_lines(old[first - 1 : last], new[first - 1 : len(new) - rest], around=AROUND, exact=True)


def counted(lines: Sequence[Signed]) -> str:
    """Return how much a diff changes, in words."""
    said = []
    for sign, word in (("+", "added"), ("-", "removed")):
        number = sum(mark == sign for mark, _ in lines)
        if number:
            said.append(f"{count(number, 'line')} {word}")
    return ", ".join(said)


def _marks(before: Sequence[str], after: Sequence[str]) -> dict[int, str]:
    careful = len(before) <= MAX_COMPARED
    marks: dict[int, str] = {}
    for kind, _, _, start, end in difflib.SequenceMatcher(None, before, after, autojunk=not careful).get_opcodes():
        if kind in ("replace", "insert"):
            marks.update(dict.fromkeys(range(start, end), CHANGED))
        elif kind == "delete" and after:
            marks.setdefault(max(0, start - 1), REMOVED)
    return marks


def _plain(lines: Sequence[str]) -> list[str]:
    return [line.removesuffix(",") for line in lines]
