"""The part of a text that a page shows: its lines as they are, with the numbers that they have in the file."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from pygments.lexer import Lexer
from pygments.lexers import find_lexer_class_by_name, find_lexer_class_for_filename
from pygments.lexers.special import TextLexer
from pygments.util import ClassNotFound

from mkdocs_rulebook.pages.excerpt import Excerpt, Line, lexed
from mkdocs_rulebook.source.regions import regions

if TYPE_CHECKING:
    from mkdocs_rulebook.model import Finding, Selection
    from mkdocs_rulebook.source import Source

MAX_LEXED = 500_000
"""A text of more characters than this is shown without colours: the time it takes is not worth them."""


def cut_text(text: Source, selection: Selection, language: str, found: Iterable[Finding]) -> Excerpt:
    """Return the excerpt for a selection of a text.

    The markers of regions are left out, and the numbers then jump; one that a finding lies on stays, since nothing
    that fails is hidden.

    Args:
        text: The text: a file, or one of a folder.
        selection: What is selected in it.
        language: What it is written in; empty where its name says so.
        found: The findings, for the markers among them.
    """
    lines = coloured(text, language)
    first, last = selection.lines or (1, len(lines))
    kept = {number for finding in found if finding.pointer == selection.pointer for number in finding.lines or ()}
    hidden = regions(text.lines).markers - kept
    numbers = tuple(number for number in range(first, last + 1) if number not in hidden)
    shown = tuple(lines[number - 1] for number in numbers)
    return Excerpt(selection.pointer, label(text.path.name, language), shown, lambda _: None, numbers)


def failing_lines(excerpt: Excerpt, findings: Iterable[Finding]) -> dict[int, bool]:
    """Tell which lines of an excerpt of a text fail, as `excerpt.failing` does for nodes.

    A finding that has no lines speaks of the whole text, and marking everything would say nothing.
    """
    marks: dict[int, bool] = {}
    at = {number: index for index, number in enumerate(excerpt.numbers)}
    for finding in findings:
        first, last = finding.lines or (1, 0)
        shown = [at[number] for number in range(first, last + 1) if number in at]
        if finding.pointer == excerpt.pointer and shown:
            marks[shown[0]] = True
            for index in shown[1:]:
                marks.setdefault(index, False)
    return dict(sorted(marks.items()))


def coloured(text: Source, language: str = "") -> tuple[Line, ...]:
    """Return all lines of a text as tokens."""
    lexer = _lexer(text.path.name, language) if len(text.text) <= MAX_LEXED else TextLexer
    return _lexed(text.text, lexer)[: len(text.lines)]


@lru_cache(maxsize=64)
def _lexed(text: str, lexer: type[Lexer]) -> tuple[Line, ...]:
    return lexed(text, lexer(stripnl=False, ensurenl=False))


def label(name: str, language: str = "") -> str:
    """Return the name that Pygments has for the language of a file, `text` where it knows none."""
    aliases: tuple[str, ...] = tuple(_lexer(name, language).aliases)
    return aliases[0] if aliases else "text"


@lru_cache(maxsize=256)
def _lexer(name: str, language: str) -> type[Lexer]:
    try:
        return find_lexer_class_by_name(language) if language else find_lexer_class_for_filename(name) or TextLexer
    except ClassNotFound:
        return TextLexer
