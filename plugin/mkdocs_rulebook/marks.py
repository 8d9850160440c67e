"""What an author writes by hand about rules, in any Markdown page: a reference to one, or a table of some.

A reference is a reference link whose label begins with an owner and has no definition in the page:
`[text][owner.rule]`, `[owner.rule][]`. A table is a comment, `<!-- rulebook: rules … -->`, on a line of its own.
What is a mark, and what is only shown as one in code, is decided by the Markdown parser itself.
"""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol
from xml.etree.ElementTree import Element, SubElement

import markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import HTML_RE, REFERENCE_RE, InlineProcessor, ReferenceInlineProcessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import InlineProcessor as InlineTree
from markdown.util import ETX, HTML_PLACEHOLDER_RE, INLINE_PLACEHOLDER_RE, STX, AtomicString

Kind = Literal["reference", "table", "misplaced"]
"""What a mark is. `misplaced` is a table that stands where there can be none."""

RULE_ID = re.compile(r"[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+")
"""What the id of a rule looks like."""

FRONT_MATTER = re.compile(r"---[ \t]*\n(?P<data>(?:.*\n)*?)(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
"""The front matter of a page."""

EXTENSIONS = ("toc", "attr_list", "md_in_html", "tables", "def_list", "admonition", "fenced_code")
"""The Markdown extensions of a page of which nobody says more."""

_HTML = re.compile(HTML_RE, re.DOTALL)
_ESCAPE = re.compile(f"{STX}([0-9]+){ETX}")
_LABEL = re.compile(r"(?<=\])\s?\[(?P<label>[^\[\]]*)\]")
_OWN_LABEL = re.compile(r"\[(?P<ticks>`*)(?P<label>[^\[\]`]+)(?P=ticks)\]\Z")
_TABLE = re.compile(r"<!--\s*rulebook:(?P<query>.*?)-->", re.DOTALL)
_COMMENT = re.compile(r"^ {0,3}<!--(?P<body>.*?)-->(?P<rest>[^\n]*)$", re.MULTILINE | re.DOTALL)
_QUERY = re.compile(r"\s*rulebook:(?P<query>.*)", re.DOTALL)


@dataclass(frozen=True)
class Mark:
    """A mark in a text: from `start` to `end` what is put in its place, at `at` what it says, which is `text`."""

    kind: Kind
    text: str
    start: int
    end: int
    at: int


@dataclass(frozen=True)
class Target:
    """What a reference leads to, or in words why it leads nowhere."""

    href: str = ""
    wrong: str = ""


class Answers(Protocol):
    """Says what stands in the place of a mark."""

    def reference(self, label: str) -> Target | None:
        """Return what a label leads to; None for one that is not about a rule."""

    def table(self, query: str) -> str:
        """Return the Markdown of a table."""

    def misplaced(self, query: str) -> None:
        """Take note of a table where there can be none."""


class Marks(Extension):
    """The Markdown extension. Without `answers` it leaves every mark as it is."""

    def __init__(self, answers: Answers | None = None) -> None:
        super().__init__()
        self.answers = answers

    def extendMarkdown(self, md: markdown.Markdown) -> None:  # noqa: N802 - the name is Python-Markdown's
        """Register what finds the marks."""
        # After fences are put aside, before comments are.
        md.preprocessors.register(_Tables(md, self), "rulebook-tables", 22)
        # Next after the references of Markdown itself, so that the definitions of a page come first.
        md.inlinePatterns.register(_References(md, self), "rulebook-references", 169)
        md.inlinePatterns.register(_Misplaced(md, self), "rulebook-misplaced", 95)


class _References(ReferenceInlineProcessor):
    def __init__(self, md: markdown.Markdown, marks: Marks) -> None:
        super().__init__(REFERENCE_RE, md)
        self._marks = marks

    def handleMatch(  # type: ignore[override]  # noqa: N802 - the name is Python-Markdown's
        self, m: re.Match[str], data: str
    ) -> tuple[Element | None, int | None, int | None]:
        text, index, handled = self.getText(data, m.end(0))
        written = self.RE_LINK.match(data, pos=index) if handled else None
        if self._marks.answers is None or written is None:
            return None, None, None
        label = " ".join((self._written(written[1]) or self._own_label(text)).split()).lower()
        target = None if _in_tag(data, m.start(0)) else self._marks.answers.reference(label)
        if target is None:
            return None, None, None
        if label in self.md.references:  # not found by Markdown itself where the label is code
            return self.makeTag(*self.md.references[label], text), m.start(0), written.end()
        element = _explained(text, target.wrong) if target.wrong else self.makeTag(target.href, "", text)
        return element, m.start(0), written.end()

    def _own_label(self, text: str) -> str:
        """Return the label that the text of a link is itself, without the code that it may be written in."""
        placeholder = INLINE_PLACEHOLDER_RE.fullmatch(text)
        return text if placeholder is None else self._put_aside(placeholder)

    def _written(self, label: str) -> str:
        """Return a label as somebody wrote it, with the code and the escapes that Markdown has put aside by now."""

        def restored(placeholder: re.Match[str]) -> str:
            text = self._put_aside(placeholder)
            escape = _ESCAPE.fullmatch(text)
            return f"\\{chr(int(escape[1]))}" if escape else f"`{html.unescape(text)}`"

        return INLINE_PLACEHOLDER_RE.sub(restored, label)

    def _put_aside(self, placeholder: re.Match[str]) -> str:
        """Return the text of what Markdown has put aside; the placeholder itself where it is none of Markdown's."""
        tree = self.md.treeprocessors["inline"]
        element = tree.stashed_nodes.get(placeholder[1]) if isinstance(tree, InlineTree) else None
        if element is None or isinstance(element, str):
            return element or placeholder[0]
        inner = "".join(element.itertext())
        stashed = HTML_PLACEHOLDER_RE.fullmatch(inner)  # what highlights inline code leaves behind
        raw = self.md.htmlStash.rawHtmlBlocks[int(stashed[1])] if stashed else inner
        return re.sub("<[^>]+>", "", raw) if isinstance(raw, str) else placeholder[0]


def _explained(text: str, wrong: str) -> Element:
    """Return the text of a reference to nothing, with what is wrong: plain, but for names in backticks."""
    span = Element("span", {"class": "rb-reference-wrong"})
    span.text = text
    first, *parts = f" ({wrong})".split("`")
    small = SubElement(span, "small")
    small.text = AtomicString(first)
    for name, after in itertools.zip_longest(parts[::2], parts[1::2], fillvalue=""):
        code = SubElement(small, "code")
        code.text, code.tail = AtomicString(name), AtomicString(after)
    return span


def _in_tag(data: str, offset: int) -> bool:
    """Whether an offset lies in a tag or a comment: Markdown itself puts those aside later."""
    return any(tag.start() < offset < tag.end() for tag in _HTML.finditer(data))


class _Tables(Preprocessor):
    def __init__(self, md: markdown.Markdown, marks: Marks) -> None:
        super().__init__(md)
        self._marks = marks

    def run(self, lines: list[str]) -> list[str]:
        text = "\n".join(lines)
        return _COMMENT.sub(self._table, text).split("\n") if "rulebook:" in text else lines

    def _table(self, match: re.Match[str]) -> str:
        said = _QUERY.fullmatch(match["body"])
        if self._marks.answers is None or said is None:
            return match[0]
        if match["rest"].strip():
            self._marks.answers.misplaced(said["query"])
            return match[0]
        return f"\n\n{self._marks.answers.table(said['query']).strip()}\n\n"


class _Misplaced(InlineProcessor):
    """Finds a table in the middle of a text: there it would stay a comment that nobody sees."""

    def __init__(self, md: markdown.Markdown, marks: Marks) -> None:
        super().__init__(_TABLE.pattern, md)
        self._marks = marks

    def handleMatch(  # type: ignore[override]  # noqa: N802 - the name is Python-Markdown's
        self,
        m: re.Match[str],
        data: str,  # noqa: ARG002 - the name is Python-Markdown's
    ) -> tuple[Element | None, int | None, int | None]:
        if self._marks.answers is not None:
            self._marks.answers.misplaced(m["query"])
        return None, None, None


def find(
    text: str,
    wanted: Callable[[str], bool],
    extensions: Sequence[str] = EXTENSIONS,
    configs: Mapping[str, dict[str, Any]] = {},
) -> list[Mark]:
    """Return the marks of a page, in their order.

    Each place that could be one gets a number, and the page is converted: those whose number comes out are marks.

    Args:
        text: The page, with its front matter.
        wanted: Tells whether a label could be about a rule.
        extensions: The Markdown extensions of the page.
        configs: Their settings.
    """
    front = FRONT_MATTER.match(text)
    begin = front.end() if front else 0
    candidates = sorted(_candidates(text, begin, wanted), key=lambda mark: mark.start)
    if not candidates:
        return []
    parts, done = [], begin
    for number, mark in enumerate(candidates):
        parts += [text[done : mark.start], _numbered(text[mark.start : mark.end], mark, number)]
        done = mark.end
    answers = _Seen()
    converter = markdown.Markdown(extensions=[*extensions, Marks(answers)], extension_configs=dict(configs))
    converter.convert("".join([*parts, text[done:]]))
    return [
        Mark(answers.kinds[number], mark.text, mark.start, mark.end, mark.at)
        for number, mark in enumerate(candidates)
        if number in answers.kinds and not (mark.kind == "reference" and mark.text in converter.references)
    ]


def _candidates(text: str, begin: int, wanted: Callable[[str], bool]) -> Iterator[Mark]:
    tables = [Mark("table", m["query"], m.start(), m.end(), m.start("query")) for m in _TABLE.finditer(text, begin)]
    yield from tables
    for match in _LABEL.finditer(text, begin):
        own = (
            None
            if match["label"]
            else _OWN_LABEL.match(text, max(text.rfind("[", begin, match.start()), 0), match.start())
        )
        said = own or match
        label = " ".join(said["label"].split()).lower()
        if wanted(label) and not any(table.start < match.start() < table.end for table in tables):
            at = said.start("label") + len(said["label"]) - len(said["label"].lstrip())
            yield Mark("reference", label, match.start(), match.end(), at)


_NUMBER = re.compile(r"\s*rulebook-mark-(\d+)\b")


def _numbered(written: str, mark: Mark, number: int) -> str:
    if mark.kind == "reference":
        return f"[rulebook-mark-{number}]"
    return written.replace("rulebook:", f"rulebook: rulebook-mark-{number} ", 1)


class _Seen:
    """Notes which numbers come out of a conversion."""

    def __init__(self) -> None:
        self.kinds: dict[int, Kind] = {}

    def reference(self, label: str) -> Target | None:
        return Target() if self._note("reference", label) else None

    def table(self, query: str) -> str:
        self._note("table", query)
        return ""

    def misplaced(self, query: str) -> None:
        self._note("misplaced", query)

    def _note(self, kind: Kind, said: str) -> bool:
        match = _NUMBER.match(said)
        if match:
            self.kinds[int(match[1])] = kind
        return match is not None
