"""Excerpts as HTML that nothing between here and the reader can change.

One raw block, every character of the text as a numeric reference. The colours come from the theme, through the
short class names of Pygments. There is no `<code>` inside `<pre>`, because themes rewrite what they find there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from mkdocs_rulebook.pages.excerpt import Line, Token, text_of
from mkdocs_rulebook.pages.fold import Part, fold
from mkdocs_rulebook.pages.text import INEXPRESSIBLE, INVISIBLE, character_name, encoded, entity
from mkdocs_rulebook.pages.words import count

MAX_TOKEN = 2_000
"""A literal longer than this many characters is cut."""

_GLYPHS = {"\t": "⇥", " ": "·", "\xa0": "␣"}
_CHANGES = {"changed": "Changed", "removed": "Something was removed after this line"}
_SIGNS = {"+": ("rb-add", "Added: "), "-": ("rb-remove", "Removed: "), " ": ("", "")}


def excerpt_html(
    lines: Sequence[Line],
    marks: Mapping[int, bool],
    language: str,
    numbers: Sequence[int] = (),
    changes: Mapping[int, str] | None = None,
) -> str:
    """Return an excerpt as one block of raw HTML.

    Args:
        lines: what is shown.
        marks: the failing lines, as `excerpt.failing` tells them.
        language: what the lines are written in.
        numbers: the number of each line in its file, where they are shown.
        changes: what was changed, as `change.changed_lines` tells it.
    """
    quiet = bool(numbers) and not any(text_of(line).startswith(" ") for line in lines)

    def draw(at: int) -> str:
        line = _Drawn(lines[at], numbers[at] if numbers else 0, quiet and at not in marks)
        return _marked(line, marks.get(at), changes.get(at, "") if changes else "")

    parts = [_part(part, draw) for part in fold(lines, marks)]
    return _block(language, "".join(parts), *(["rb-numbered"] if numbers else []))


def diff_html(lines: Sequence[tuple[str, Line]], language: str) -> str:
    """Return a diff as one block of raw HTML. Each line has its sign: `+`, `-`, a space, or `…` for a gap."""
    shown = []
    for sign, line in lines:
        if sign == "…":
            shown.append('<span class="rb-line rb-gap">&#x2026;\n</span>')
            continue
        name, said = _SIGNS[sign]
        shown.append(_line(line, f"rb-sign {name}".strip(), said, sign))
    return _block(language, f"<pre>{''.join(shown)}</pre>", "rb-diff")


def _block(language: str, inside: str, *names: str) -> str:
    classes = " ".join(("rb-excerpt", "highlight", *names))
    return f'<div class="{classes}" data-language="{encoded(language)}" data-search-exclude="true">{inside}</div>'


def _part(part: Part, draw: Callable[[int], str]) -> str:
    if part.left_out:
        words = encoded(f"{count(part.end - part.start, 'more line')}, not shown")
        return f'<pre><span class="rb-line rb-gap">&#x2026; {words}\n</span></pre>'
    shown = "".join(map(draw, range(part.start, part.end)))
    if not part.folded:
        return f"<pre>{shown}</pre>"
    words = encoded(count(part.end - part.start, "more line"))
    return f'<details class="rb-fold"><summary>{words}</summary><pre>{shown}</pre></details>'


@dataclass(frozen=True)
class _Drawn:
    """A line with its number, 0 for none. A `quiet` one shows the tabs of its indentation as what they are, blanks."""

    line: Line
    number: int = 0
    quiet: bool = False


def _marked(drawn: _Drawn, mark: bool | None, change: str) -> str:
    names = ["rb-bad" if mark else "rb-bad-on"] if mark is not None else []
    said = "Fails here: " if mark else ""
    if change:
        names.append(f"rb-{change}")
        said = f"{_CHANGES[change]}: {said}"
    return _line(drawn.line, " ".join(names), said, number=drawn.number, quiet=drawn.quiet)


def _line(line: Line, name: str = "", said: str = "", sign: str = "", *, number: int = 0, quiet: bool = False) -> str:
    hidden = f'<span class="rb-sr">{said}</span>' if said else ""
    mark = f'<span class="rb-mark" aria-hidden="true">{entity(sign)}</span>' if sign else ""
    # The number is drawn by the style sheet: whoever copies the lines does not get it.
    count_at = f'<span class="rb-number" data-n="{number}"></span>' if number else ""
    text = _text_tokens(line, quiet) if number else _tokens(line)
    # The line feed stands inside the element, so that a line of its own box does not get a blank one after it.
    return f'<span class="{f"rb-line {name}".strip()}">{hidden}{count_at}{mark}{text}\n</span>'


def _text_tokens(line: Line, quiet: bool) -> str:
    """Return a line of a text: where blanks and tabs are mixed in its indentation, all of them are drawn.

    The tabs of a `quiet` line are not drawn; those of a line with nothing else are.
    """
    text = text_of(line)
    lead = text[: len(text) - len(text.lstrip(" \t"))]
    if not lead or lead == text:
        return _tokens(line)
    if quiet and not lead.strip("\t"):
        drawn = entity("\t") * len(lead)
    elif " " in lead and "\t" in lead:
        drawn = "".join(map(_character, lead))
    else:
        return _tokens(line)
    rest, left = [], len(lead)
    for token in line:
        rest.append(Token(token.kind, token.text[left:]))
        left = max(0, left - len(token.text))
    return drawn + _tokens(tuple(rest))


def _tokens(line: Line) -> str:
    text = text_of(line)
    if text.endswith(" "):
        return _without_spaces(line, len(text.rstrip(" "))) + _character(" ") * (len(text) - len(text.rstrip(" ")))
    return "".join(_token(token.kind, token.text) for token in line)


def _without_spaces(line: Line, length: int) -> str:
    shown = []
    for token in line:
        shown.append(_token(token.kind, token.text[:length]))
        length = max(0, length - len(token.text))
    return "".join(shown)


@lru_cache(maxsize=8_192)
def _token(kind: str, text: str) -> str:
    return f'<span class="{kind}">{_visible(text)}</span>' if kind and text else _visible(text)


def _visible(text: str) -> str:
    if len(text) > MAX_TOKEN:
        rest = encoded(f"… {count(len(text) - MAX_TOKEN, 'more character')}")
        return f'{_visible(text[:MAX_TOKEN])}<span class="rb-cut">{rest}</span>'
    if not INVISIBLE.search(text) and not INEXPRESSIBLE.search(text):
        return encoded(text)
    return "".join(
        _character(char) if INVISIBLE.match(char) or INEXPRESSIBLE.match(char) else encoded(char) for char in text
    )


def _character(char: str) -> str:
    """Return an invisible character with a glyph that shows it.

    The glyph is drawn by the style sheet, so that the text stays what it is; `bdi` keeps a control of direction from
    changing anything outside. A character that HTML cannot hold is named instead.
    """
    name = encoded(character_name(char))
    glyph = encoded(_GLYPHS.get(char, f"U+{ord(char):04X}"))
    if INEXPRESSIBLE.match(char):
        return f'<bdi class="rb-char rb-lost" title="{name}">{glyph}</bdi>'
    return f'<bdi class="rb-char" title="{name}" data-glyph="{glyph}">{entity(char)}</bdi>'
