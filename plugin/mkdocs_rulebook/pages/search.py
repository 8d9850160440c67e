"""What a search index reads of a generated page: its words, without fixtures, lists and small print.

A search plugin reads the content of a page in `on_page_context`. Material leaves out what has the attribute
`data-search-exclude`, except that an element of the same name inside ends it; the plugin of MkDocs itself leaves out
nothing. So for the time of reading those parts are taken out, and put back for whoever reads the page.

The page of a rule is one entry: its heading gets the id, which `data-search-title` names, and what
`data-search-words` names is added. Headings below it are of the same words on every page, and an index that takes a
heading for the best place of a word would answer with all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

_EXCLUDED = re.compile(r"<([a-z][a-z0-9]*)\b[^<>]*\sdata-search-exclude\b[^<>]*>")
_TITLE = re.compile(r'<h1\b[^<>]*\sdata-search-title="([^"]*)"[^<>]*>')
_WORDS = re.compile(r'\sdata-search-words="([^"]*)"')
_HEADING = re.compile(r'<h2\b.*?</h2>|</?h[3-6]\b[^<>]*>|<a class="headerlink".*?</a>', re.DOTALL)
_PLACE = re.compile(r"<!--rulebook-kept-(\d+)-->")
_ADDED = re.compile(r"<!--rulebook-added-->.*?<!--/rulebook-added-->", re.DOTALL)


def words_of(names: Iterable[str]) -> str:
    """Return what somebody may type who means one of several ids: each word of them, and each id from any dot on.

    A search splits a text at blanks and hyphens, not at dots, and looks for the beginnings of what it then has.
    """
    found: dict[str, None] = {}
    for name in names:
        parts = name.split(".")
        found |= dict.fromkeys(".".join(parts[at:]) for at in range(len(parts)))
        found |= dict.fromkeys(parts)
    return " ".join(found)


def searchable(html: str, *, title_alone: bool = False) -> tuple[str, list[str]]:
    """Return a page as a search index should read it, and what was taken out, for `restored`.

    Args:
        html: the page, without its frame.
        title_alone: whether nothing but its title is to be found.
    """
    kept: list[str] = []

    def keep(part: str) -> str:
        kept.append(part)
        return f"<!--rulebook-kept-{len(kept) - 1}-->"

    if title_alone:
        return keep(html), kept
    html = _without_excluded(html, keep)
    if found := _TITLE.search(html):
        end = html.index("</h1>", found.end())
        permalink = html.find('<a class="headerlink"', found.end(), end)
        words = _WORDS.search(found[0])
        html = "".join(
            (
                html[: permalink if permalink >= 0 else end],
                _added(f" <code>{found[1]}</code>"),
                html[permalink:end] if permalink >= 0 else "",
                "</h1>",
                _HEADING.sub(lambda match: keep(match[0]), html[end + len("</h1>") :]),
                _added(f"<p>{words[1]}</p>") if words else "",
            )
        )
    return html, kept


def restored(html: str, kept: list[str]) -> str:
    """Return a page as it was before `searchable`, with whatever else was changed about it since."""
    parts = dict(enumerate(kept))
    return _PLACE.sub(lambda match: parts.pop(int(match[1]), match[0]), _ADDED.sub("", html))


def _added(html: str) -> str:
    return f"<!--rulebook-added-->{html}<!--/rulebook-added-->"


def _without_excluded(html: str, keep: Callable[[str], str]) -> str:
    done, end = [], 0
    while found := _EXCLUDED.search(html, end):
        depth, after = 1, found.end()
        for tag in re.compile(rf"<(/?){found[1]}\b[^<>]*>").finditer(html, found.end()):
            depth += -1 if tag[1] else 1
            after = tag.end()
            if not depth:
                break
        done += [html[end : found.start()], keep(html[found.start() : after])]
        end = after
    return "".join([*done, html[end:]])
