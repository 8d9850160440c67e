"""Specification pages: which anchors they have, and under which heading each of them lies.

A page is converted as a site would convert it, so that an id counts wherever it comes from: a heading, an attribute
list, raw HTML. It is converted only when somebody asks for it.
"""

from __future__ import annotations

import difflib
import re
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from typing import TYPE_CHECKING, ClassVar

import markdown

from mkdocs_rulebook.marks import EXTENSIONS, FRONT_MATTER, RULE_ID, Marks, Target
from mkdocs_rulebook.model import Place, Position
from mkdocs_rulebook.source import SourceError
from mkdocs_rulebook.source.text import Text, is_folder, load, quoted
from mkdocs_rulebook.source.yaml_text import parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from mkdocs_rulebook.model import Spec

_HEADING = re.compile(r"h[1-6]")


class SpecError(SourceError):
    """A specification page that cannot be read, or a Markdown extension that cannot be loaded."""


@dataclass(frozen=True)
class Heading:
    """A heading of a page: its level from 1 to 6, its plain text, and its id, which may be empty."""

    level: int
    title: str
    id: str


@dataclass(frozen=True)
class SpecAnchor:
    """A place that a link can lead to. `heading` is the nearest one at or before it, or None.

    `text` is what stands there, up to the next anchor or heading.
    """

    page: str
    fragment: str
    heading: Heading | None = None
    text: str = field(default="", compare=False)


@dataclass(frozen=True)
class _Page:
    title: str
    top: Heading | None
    anchors: Mapping[str, SpecAnchor]


class SpecPages:
    """A specification that is a folder of Markdown pages.

    A page is named by its path below the folder, with forward slashes and without `.md`.
    """

    def __init__(self, spec: Spec) -> None:
        if spec.pages is None:
            raise ValueError(f"the specification {spec.name!r} has no folder of pages")
        self.spec = spec
        self.folder = spec.pages.absolute()
        self._converted: dict[str, _Page] = {}

    @cached_property
    def pages(self) -> Mapping[str, Path]:
        """The file of each page, sorted by the name of the page.

        Raises:
            SpecError: there is no such folder.
        """
        if not is_folder(self.folder):
            raise SpecError(Place(self.folder), "the folder of specification pages does not exist")
        files = {file.relative_to(self.folder).with_suffix("").as_posix(): file for file in self.folder.rglob("*.md")}
        return dict(sorted(files.items()))

    def find(self, page: str, fragment: str) -> SpecAnchor | None:
        """Return an anchor, or None. An empty fragment stands for the page itself, with its title as the heading.

        Raises:
            SpecError: the page cannot be read.
        """
        if page not in self.pages:
            return None
        if fragment:
            return self._page(page).anchors.get(fragment)
        found = self._page(page)
        return SpecAnchor(page, "", found.top or Heading(1, found.title, ""))

    def anchors(self, page: str) -> list[SpecAnchor]:
        """Return the anchors of a page in the order of the page.

        Raises:
            KeyError: there is no such page.
            SpecError: the page cannot be read.
        """
        return list(self._page(page).anchors.values())

    def title(self, page: str) -> str:
        """Return the first heading of level 1, else the title of the front matter, else the name of the page.

        Raises:
            KeyError: there is no such page.
            SpecError: the page cannot be read.
        """
        return self._page(page).title

    def place(self, page: str, fragment: str) -> Place:
        """Return where in the file of a page an anchor is written, or its beginning where that is not to be seen.

        Raises:
            KeyError: there is no such page.
            SpecError: the page cannot be read.
        """
        path = self.pages[page]
        try:
            lines = load(path, may_be_empty=True).text.split("\n")
        except SourceError as error:
            raise SpecError(error.place, error.message, error.related) from None
        heading = next((each.heading for each in self.anchors(page) if each.fragment == fragment), None)
        title = rf"|^\s*#+\s*{re.escape(heading.title)}" if heading and heading.id == fragment else ""
        written = re.compile(rf"(?:\b(?:id|name)\s*=\s*[\"']?|#){re.escape(fragment)}(?![\w.-]){title}")
        for number, line in enumerate(lines, 1):
            if match := written.search(line):
                return Place(path, Position(number, match.start() + 1))
        return Place(path)

    def nearest(self, page: str, fragment: str) -> list[str]:
        """Return up to three anchors that may have been meant, those of the same page first.

        For a page that does not exist these are the nearest pages. A page that cannot be read offers nothing.
        """
        if page not in self.pages:
            return difflib.get_close_matches(page, list(self.pages), n=3, cutoff=0.5)
        here = _close(fragment, self._fragments(page))
        elsewhere = {name: self._fragments(name) for name in self.pages if name != page}
        names = _close(fragment, {name for fragments in elsewhere.values() for name in fragments})
        there = [_join(other, name) for name in names for other in elsewhere if name in elsewhere[other]]
        return [*(_join(page, name) for name in here), *there][:3]

    def _fragments(self, page: str) -> Iterable[str]:
        with suppress(SpecError):
            return self._page(page).anchors.keys()
        return ()

    def _page(self, page: str) -> _Page:
        if page not in self._converted:
            self._converted[page] = self._convert(page, self.pages[page])
        return self._converted[page]

    def _convert(self, page: str, path: Path) -> _Page:
        try:
            source = load(path, may_be_empty=True).text
        except SourceError as error:
            raise SpecError(error.place, error.message, error.related) from None
        front = FRONT_MATTER.match(source)
        try:
            html = self._markdown.reset().convert(source[front.end() :] if front else source)
        except RecursionError:
            raise SpecError(Place(path), "the Markdown of this page is nested too deep") from None
        parser = _Anchors()
        parser.feed(html)
        parser.close()
        headings = [Heading(open_.level, " ".join(open_.text.split()), open_.id) for open_ in parser.headings]
        anchors: dict[str, SpecAnchor] = {}
        for (fragment, index), text in zip(parser.anchors, parser.texts, strict=True):
            heading = headings[index] if index >= 0 else None
            anchors.setdefault(fragment, SpecAnchor(page, fragment, heading, " ".join(text.split())))
        top = next((heading for heading in headings if heading.level == 1), None)
        title = top.title if top else _front_title(path, front["data"] if front else "") or page
        return _Page(title, top, anchors)

    @cached_property
    def _markdown(self) -> markdown.Markdown:
        converter = markdown.Markdown(extensions=[Marks(_Named())])
        for name in self.spec.extensions or EXTENSIONS:
            try:
                converter.registerExtensions([name], {})
            except (ImportError, AttributeError, TypeError, ValueError) as error:
                reason = " ".join(str(error).split())
                message = f"the Markdown extension {quoted(name)} cannot be loaded: {reason}"
                raise SpecError(Place(self.folder), message) from error
        return converter


class _Named:
    """Takes every label that could be the id of a rule for one: of a page of a specification only the text counts."""

    def reference(self, label: str) -> Target | None:
        return Target() if RULE_ID.fullmatch(label.partition("#")[0]) else None

    def table(self, query: str) -> str:  # noqa: ARG002 - it is not shown here
        return ""

    def misplaced(self, query: str) -> None:
        pass


class ExternalSpec:
    """A specification that lies elsewhere: only its list of anchors is known, or not even that."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.known = spec.anchors

    def find(self, page: str, fragment: str) -> SpecAnchor | None:
        """Return an anchor of the list, or None. Without a list every anchor is taken on trust.

        A page exists if it or any anchor of it is in the list.
        """
        found = SpecAnchor(page, fragment)
        if self.known is None or _join(page, fragment) in self.known:
            return found
        of_page = any(anchor.partition("#")[0] == page for anchor in self.known)
        return found if of_page and not fragment else None

    def nearest(self, page: str, fragment: str) -> list[str]:
        """Return up to three anchors of the list that may have been meant."""
        return _close(_join(page, fragment), self.known or ())


def open_spec(spec: Spec) -> SpecPages | ExternalSpec:
    """Return what can answer for a specification: its pages if it has a folder of them, else its list of anchors."""
    return ExternalSpec(spec) if spec.pages is None else SpecPages(spec)


@dataclass
class _OpenHeading:
    level: int
    id: str
    text: str = ""


class _Anchors(HTMLParser):
    """Collects the ids of a page, each with the index of the heading that it lies under, or -1."""

    _VOID: ClassVar = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "wbr"})

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.headings: list[_OpenHeading] = []
        self.anchors: list[tuple[str, int]] = []
        self.texts: list[str] = []
        self._inside: str = ""
        self._open = 0
        self._sign = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if _HEADING.fullmatch(tag):
            self.headings.append(_OpenHeading(int(tag[1]), attributes.get("id", "")))
            self._inside = tag
        names = {attributes.get("id", ""), attributes.get("name", "") if tag == "a" else ""}
        here = [(name, len(self.headings) - 1) for name in sorted(names - {""})]
        if here or _HEADING.fullmatch(tag):
            self._open = len(self.anchors)
        self.anchors += here
        self.texts += [""] * len(here)
        permalink = tag == "a" and "headerlink" in attributes.get("class", "").split()
        if tag not in self._VOID and (self._sign or permalink):
            self._sign += 1

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self._VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        self._sign = max(0, self._sign - 1)
        if tag == self._inside:
            self._inside, self._sign = "", 0

    def handle_data(self, data: str) -> None:
        if self._inside and not self._sign:
            self.headings[-1].text += data
        for at in range(self._open, len(self.texts)):
            self.texts[at] += data


def _front_title(path: Path, data: str) -> str:
    """Return the title of a front matter. One that is no plain data only means that there is no title in it."""
    with suppress(SourceError):
        value, _ = parse(Text(path, data), "spelled")
        return str(value.get("title", "")) if isinstance(value, dict) else ""
    return ""


def _join(page: str, fragment: str) -> str:
    return f"{page}#{fragment}" if fragment else page


def _close(wanted: str, known: Iterable[str]) -> list[str]:
    return difflib.get_close_matches(wanted, sorted(known), n=3, cutoff=0.6)
