"""Notes at the anchors of an HTML page: each goes after the text that its anchor marks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html.parser import HTMLParser

_BLOCKS = frozenset({"p", "li", "dd", "dt", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6"})
"""What holds text. A note goes after one of them, or at the end of one that cannot stand without its list or table."""
_WITHIN = frozenset({"li", "dd", "td", "th"})
_WHOLE = frozenset({"div", "section", "table", "ul", "ol", "dl", "pre", "blockquote", "figure", "details"})
_VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})


def annotated(html: str, notes: Mapping[str, str]) -> str:
    """Return a page with its notes.

    A note on an anchor that stands in a paragraph, a heading or an item follows that; one on an anchor alone follows
    the next block. The note with the empty name is about the page as a whole: it follows the first heading. A note
    whose anchor is not on the page is left out.

    Args:
        html: the page, without its frame.
        notes: HTML by the id or name of an anchor.
    """
    parser = _Places(html, notes)
    parser.feed(html)
    parser.close()
    done, end = [], 0
    for at, name in sorted([*parser.places, *((len(html), name) for name in parser.unplaced)]):
        done += [html[end:at], notes[name]]
        end = at
    return "".join([*done, html[end:]])


class _Open:
    """An element that is not closed yet, and the anchors that wait for its end."""

    def __init__(self, tag: str) -> None:
        self.tag = tag
        self.text = False
        self.waiting: list[str] = []


class _Places(HTMLParser):
    """Finds where each note goes: `places` holds offsets with the names of anchors."""

    def __init__(self, html: str, notes: Mapping[str, str]) -> None:
        super().__init__(convert_charrefs=True)
        self.places: list[tuple[int, str]] = []
        self._lines = [0, *(match.end() for match in re.finditer("\n", html))]
        self._html = html
        self._wanted = set(notes)
        self._stack: list[_Open] = []
        self.unplaced: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        names = {given.get("id") or "", (given.get("name") or "") if tag == "a" else ""} & self._wanted - {""}
        if tag not in _VOID:
            self._stack.append(_Open(tag))
        if tag in _BLOCKS | _WHOLE and self.unplaced:
            self._stack[-1].waiting += self.unplaced
            self.unplaced = []
        self._wanted -= names
        holder = next((each for each in reversed(self._stack) if each.tag in _BLOCKS | _WHOLE), None)
        if holder and holder.tag in _WHOLE and holder.tag != tag:
            holder = None  # an anchor between blocks is about the next one
        if tag == "h1" and "" in self._wanted:
            self._wanted.discard("")
            names.add("")
        if names and holder:
            holder.waiting += sorted(names)
        elif names:
            self.unplaced += sorted(names)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.handle_endtag(tag)

    def handle_data(self, data: str) -> None:
        if data.strip():
            for each in self._stack:
                each.text = True

    def handle_endtag(self, tag: str) -> None:
        at = next((number for number in reversed(range(len(self._stack))) if self._stack[number].tag == tag), None)
        if at is None:
            return
        line, column = self.getpos()
        start = self._lines[line - 1] + column
        end = self._html.index(">", start) + 1
        for each in self._stack[at:]:
            if each.waiting and each.tag in _BLOCKS and not each.text:
                self.unplaced += each.waiting
                continue
            self.places += [(start if each.tag in _WITHIN else end, name) for name in each.waiting]
        del self._stack[at:]
