"""Text as Markdown: what is plain is shown to the letter, what is prose gets its links.

Plain text is protected with numeric entities in hexadecimal. Python-Markdown leaves those alone, and so do macros,
attribute lists, includes, emoji and the rest; decimal ones look like the number of an issue (`#42`) to some extensions.
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections.abc import Callable
from urllib.parse import quote

from mkdocs_rulebook.marks import find

INVISIBLE = re.compile(
    "[\t\x00-\x08\x0b-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f"
    "\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Characters that nobody sees, or that reorder what is seen: white space other than the space, zero width, controls."""

INEXPRESSIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef"
    + "".join(chr(plane << 16 | 0xFFFE) + chr(plane << 16 | 0xFFFF) for plane in range(17))
    + "]"
)
"""Characters that HTML has no reference for: one would mean another character, or none (HTML standard, 13.2.5.80)."""

_MARKED_UP = re.compile(r"[^\w ,.-]|_|(?<!\w)-|-(?!\w)|\.(?! |$)|(?<=\d)\.")
_CODE_SPAN = re.compile(r"(`+)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_FENCE = re.compile(r"^[ >]*(`{3,}|~{3,})")
_SKIPPED = re.compile(r"\[(?:[^\[\]]|\[[^\[\]]*\])*\](?:\([^)]*\)|\[[^\]]*\])|<a\b.*?</a>", re.DOTALL)
_LINK_TARGET = "%/:=&?~#+!$,;@"

Links = Callable[[str], str]
"""Tells for a rule id the link to its page, or nothing where there is no such rule."""


class _Table(dict[int, str]):
    """Maps the number of a character to what stands for it; `str.translate` asks for each character once."""

    def __missing__(self, number: int) -> str:
        char = chr(number)
        self[number] = char if (char.isascii() and char.isalnum()) or char in " \n" else entity(char)
        return self[number]


_ENCODED = _Table()


def entity(char: str) -> str:
    """Return one character as a numeric reference."""
    return f"&#x{ord(char):X};" if not INEXPRESSIBLE.match(char) else "&#xFFFD;"


def encoded(text: str) -> str:
    """Return text for raw HTML, with every character that could mean something to anybody as a reference."""
    return text.translate(_ENCODED)


def one_line(text: str) -> str:
    """Return text with every run of white space as one space."""
    return " ".join(text.split())


def plain(text: str) -> str:
    """Return text as Markdown that shows it to the letter, on one line."""
    return _MARKED_UP.sub(lambda match: entity(match[0]), one_line(text))


def code(text: str) -> str:
    """Return text as code, shown to the letter; also in a table cell or a link."""
    return f"<code>{encoded(text)}</code>"


def inline(text: str) -> str:
    """Return plain text as Markdown, with what stands between backticks as code."""
    return _apart(_CODE_SPAN, one_line(text), lambda match: code(match[2]), plain_part)


def plain_part(text: str) -> str:
    """Return a part of a line as Markdown that shows it to the letter, keeping the spaces at its ends."""
    return _MARKED_UP.sub(lambda match: entity(match[0]), text)


def capitalised(text: str) -> str:
    """Return text that begins as a sentence does."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """Return text that ends as a sentence does."""
    text = text.rstrip()
    return text if not text or text.endswith((".", "!", "?", "…", ":")) else text + "."


def link(label: str, href: str) -> str:
    """Return a Markdown link, or the label alone where there is nothing to link. The label is Markdown already."""
    return f"[{label}]({quote(href, safe=_LINK_TARGET)})" if href else label


def prose(text: str, links: Links) -> str:
    """Return an author's Markdown with each rule id in backticks, and each reference to a rule, linked to its page.

    Code blocks and existing links stay as they are.

    Args:
        text: Markdown.
        links: tells for what stands in backticks the link from the page that shows the text.
    """
    done: list[str] = []
    paragraph: list[str] = []
    fence = ""

    def flush() -> None:
        done.append(_apart(_SKIPPED, "".join(paragraph), lambda match: match[0], lambda part: _linked(part, links)))
        paragraph.clear()

    for line in referring(text, links).strip("\n").splitlines(keepends=True):
        mark = _FENCE.match(line)
        if fence:
            done.append(line)
            if mark and mark[1].startswith(fence) and not line.strip(" >\n" + fence[0]):
                fence = ""
        elif mark:
            flush()
            done.append(line)
            fence = mark[1]
        else:
            paragraph.append(line)
    flush()
    return "".join(done).rstrip()


def referring(text: str, links: Links) -> str:
    """Return Markdown with each reference to a rule as a link that every reader of Markdown understands."""
    parts, end = [], 0
    for mark in find(text, lambda label: bool(links(label))):
        if mark.kind == "reference":
            parts += [text[end : mark.start], f"({quote(links(mark.text), safe=_LINK_TARGET)})"]
            end = mark.end
    return "".join([*parts, text[end:]])


def without_markup(markdown: str) -> str:
    """Return the first paragraph of Markdown as text, for a place that knows no markup."""
    paragraph = markdown.strip().split("\n\n", 1)[0]
    unlinked = re.sub(r"\[([^\[\]]*)\](?:\([^)]*\)|\[[^\[\]]*\])", r"\1", paragraph)
    return one_line(re.sub("[`*]", "", unlinked))


_NO_PARAGRAPH = re.compile(r"#|[-*+] |\d+[.)] |[<|>!]|`{3}|~{3}|:::|\{|\[[^\]]+\]:|.*\n[=-]+$| {4}|\t|-{3}")


def first_paragraph(markdown: str) -> str:
    """Return the first paragraph that is no heading, list, table, quotation or code, as text without markup."""
    blocks = (block.strip("\n") for block in re.split(r"\n[ \t]*\n", markdown))
    found = next((block for block in blocks if block.strip() and not _NO_PARAGRAPH.match(block)), "")
    return without_markup(re.sub(r"\{:[^}]*\}", "", found))


def decoded(text: str) -> str:
    """Return what `inline` made as text again, with code between backticks."""
    return html.unescape(re.sub("</?code>", "`", text))


def front_matter(text: str) -> str:
    """Return text as a YAML scalar for a theme that copies it into HTML unescaped, also into an attribute."""
    scalar = json.dumps(html.escape(one_line(text)), ensure_ascii=False)
    return INVISIBLE.sub(lambda match: f"\\U{ord(match[0]):08x}", scalar)


def character_name(char: str) -> str:
    """Return how a character is called: "U+00A0 no-break space"."""
    name = {"\t": "tab", " ": "space"}.get(char) or unicodedata.name(char, "control character").lower()
    return f"U+{ord(char):04X} {name}"


def _linked(text: str, links: Links) -> str:
    def replace(match: re.Match[str]) -> str:
        return link(match[0], links(match[2])) if match[1] == "`" else match[0]

    return _CODE_SPAN.sub(replace, text)


def _apart(
    pattern: re.Pattern[str], text: str, inside: Callable[[re.Match[str]], str], between: Callable[[str], str]
) -> str:
    """Treat what a pattern matches one way and what lies between the matches another."""
    parts: list[str] = []
    end = 0
    for match in pattern.finditer(text):
        parts += [between(text[end : match.start()]), inside(match)]
        end = match.end()
    return "".join([*parts, between(text[end:])])
