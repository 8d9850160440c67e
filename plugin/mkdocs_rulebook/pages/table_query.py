"""A table of rules that an author asks for by hand: which rules are in it.

`rules level=must,must-not surface="Tool example"`: a word, then what the rules are selected by. Several values of one
key are alternatives; several keys all have to hold.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mkdocs_rulebook.nearest import known, nearest
from mkdocs_rulebook.pages import words
from mkdocs_rulebook.pages.dimension import values_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mkdocs_rulebook.pages.dimension import Dimension
    from mkdocs_rulebook.pages.entry import Entry
    from mkdocs_rulebook.pages.site import Site

RULES = "rules"
CATALOGUE = "catalogue"
NONE = "-"
"""What stands for having no value, as in the address of a filtered list."""

_VALUE = r'(?:"[^"\n]*"|[^\s",]+)'
_PAIR = re.compile(rf"(?P<key>[^\s=\",]+)=(?P<values>{_VALUE}(?:,{_VALUE})*)(?=\s|\Z)")
_EACH = re.compile(_VALUE)
_SPACE = re.compile(r"\s*")
_WORD = re.compile(r"\S+")


class QueryError(Exception):
    """Something wrong with a table, at an offset of what the author wrote."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(offset, message)
        self.offset = offset
        self.message = message


@dataclass(frozen=True)
class _Pair:
    key: str
    offset: int
    values: tuple[tuple[str, int], ...]


def select(query: str, site: Site, entries: Sequence[Entry], dimensions: Sequence[Dimension]) -> list[Entry]:
    """Return the rules that a table asks for, in their order.

    Args:
        query: What the author wrote.
        site: What the pages know about each other.
        entries: All rules.
        dimensions: What they can be selected by, beside their catalogue.

    Raises:
        QueryError: it cannot be read, names what does not exist, or selects nothing.
    """
    begin, pairs = _parse(query)
    labels = {dimension.key: {value.name or NONE for value in dimension.values} for dimension in dimensions}
    labels[CATALOGUE] = {site.name(report.catalogue) for report in site.reports}
    found = list(entries)
    for pair in pairs:
        if pair.key not in labels:
            raise QueryError(pair.offset, f"rules cannot be selected by `{pair.key}`{_hint(pair.key, labels)}")
        for value, offset in pair.values:
            if value not in labels[pair.key]:
                message = f"no rule has the {pair.key} `{value}`{_hint(value, labels[pair.key])}"
                raise QueryError(offset, message)
        wanted = {value for value, _ in pair.values}
        found = [entry for entry in found if wanted & set(_values(entry, pair.key, site))]
    if not found:
        keys = words.listed([f"`{pair.key}`" for pair in pairs])
        raise QueryError(begin, f"no rule is selected by {keys} together" if pairs else "there is no rule")
    return found


def _values(entry: Entry, key: str, site: Site) -> tuple[str, ...]:
    if key == CATALOGUE:
        return (site.name(entry.catalogue),)
    return values_of(entry, key) or (NONE,)


def _hint(name: str, names: Iterable[str]) -> str:
    return nearest(name, names) or known(sorted(names))


def _parse(query: str) -> tuple[int, list[_Pair]]:
    """Return where a query begins, and what it selects by."""
    at = begin = _after_space(query, 0)
    word = _WORD.match(query, at)
    if word is None or word[0] != RULES:
        said = f"`{word[0]}` is nothing that can be shown" if word else "it is not said what to show"
        raise QueryError(at, f"{said}; known: `{RULES}`")
    pairs: list[_Pair] = []
    at = _after_space(query, word.end())
    while at < len(query):
        match = _PAIR.match(query, at)
        if match is None:
            written = _word_at(query, at)
            raise QueryError(at, f'`{written}` cannot be read; expected KEY=VALUE, KEY=ONE,OTHER or KEY="A VALUE"')
        if any(pair.key == match["key"] for pair in pairs):
            raise QueryError(at, f"`{match['key']}` is given twice; write several values as `{match['key']}=ONE,OTHER`")
        start = match.start("values")
        values = tuple((each[0].strip('"'), start + each.start()) for each in _EACH.finditer(match["values"]))
        pairs.append(_Pair(match["key"], at, values))
        at = _after_space(query, match.end())
    return begin, pairs


def _word_at(query: str, at: int) -> str:
    match = _WORD.match(query, at)
    return match[0] if match else ""


def _after_space(query: str, at: int) -> int:
    match = _SPACE.match(query, at)
    return match.end() if match else at
