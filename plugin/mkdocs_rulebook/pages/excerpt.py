"""The part of a fixture that a page shows: exactly what was verified, laid out in lines.

JSON is indented anew, token by token, and every literal stays as it is spelled. YAML keeps its lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from pygments.lexer import Lexer
from pygments.lexers.data import YamlLexer
from pygments.token import STANDARD_TYPES

from mkdocs_rulebook import pointer as pointers

if TYPE_CHECKING:
    from mkdocs_rulebook.model import JSON, Finding
    from mkdocs_rulebook.source import Source

INDENT = "  "
KEY, STRING, NUMBER, CONSTANT, PUNCTUATION, SPACE = "nt", "s2", "mi", "kc", "p", ""
_SILENT = ("w", "err")
"""Kinds that are not shown: white space, and what a lexer does not understand, which is not for it to judge."""

_LEXER = YamlLexer(stripnl=False, ensurenl=False)


@dataclass(frozen=True, slots=True)
class Token:
    """A stretch of one line. `kind` is the short class that Pygments has for it, empty for none."""

    kind: str
    text: str


Line = tuple[Token, ...]
Lines = Callable[[str], "tuple[int, int] | None"]
"""Tells for a pointer the first and the last line of that node, counted from 0; None where it is not shown."""


@dataclass(frozen=True)
class Excerpt:
    """Some lines of a fixture. `numbers` are those of the lines in the file, for a text alone."""

    pointer: str
    language: str
    lines: tuple[Line, ...]
    find: Lines = field(repr=False, compare=False)
    numbers: tuple[int, ...] = ()


class Spelling(Protocol):
    """How scalars and member names are written."""

    def scalar(self, pointer: str, value: JSON) -> str:
        """Return the literal of a scalar."""

    def name(self, pointer: str) -> str:
        """Return the literal of the member name of a node."""


@dataclass(frozen=True)
class Verbatim:
    """The spelling of a JSON source."""

    source: Source

    def scalar(self, pointer: str, value: JSON) -> str:  # noqa: ARG002 - for spellings that have no file
        """Return the literal as it is in the file."""
        return self.source.literal(pointer)

    def name(self, pointer: str) -> str:
        """Return the member name as it is in the file, with its quotes."""
        return self.source.key_literal(pointer) or ""


def cut(source: Source, pointer: str) -> Excerpt | None:
    """Return the excerpt for a node of a file, or None if the node does not exist.

    A scalar comes with its member name, because alone it says too little.
    """
    exists, _, value = pointers.resolve(source.value, pointer)
    if not exists:
        return None
    if source.language == "yaml":
        return _yaml(source, pointer, value)
    spelling = Verbatim(source)
    named = not isinstance(value, dict | list) and source.key_span(pointer) is not None
    lines, where = json_lines(value, pointer, spelling, named=named)
    return Excerpt(pointer, "json", tuple(lines), where.get)


def json_lines(
    value: JSON, pointer: str, spelling: Spelling, *, named: bool = False
) -> tuple[list[Line], dict[str, tuple[int, int]]]:
    """Lay out a JSON value, and tell on which lines each node of it lies."""
    lines: list[Line] = []
    where: dict[str, tuple[int, int]] = {}

    # The depth is limited where files are read, so recursion is safe; it takes one frame for each level.
    def write(node: JSON, at: str, lead: Line, trail: Line) -> None:
        start = len(lines)
        if not isinstance(node, dict | list) or not node:
            lines.append((*lead, _scalar(node, at, spelling), *trail))
        else:
            opening, closing = "{}" if isinstance(node, dict) else "[]"
            lines.append((*lead, Token(PUNCTUATION, opening)))
            depth = Token(SPACE, (lead[0].text if lead and lead[0].kind == SPACE else "") + INDENT)
            last = len(node) - 1
            for number, part in enumerate(node):
                below = pointers.append(at, part if isinstance(node, dict) else number)
                child = node[part] if isinstance(node, dict) else part
                key = _key(below, spelling) if isinstance(node, dict) else ()
                write(child, below, (depth, *key), (Token(PUNCTUATION, ","),) if number < last else ())
            lines.append((*lead[:1], Token(PUNCTUATION, closing), *trail) if start else (Token(PUNCTUATION, closing),))
        where[at] = (start, len(lines) - 1)

    write(value, pointer, _key(pointer, spelling) if named else (), ())
    return lines, where


def _key(pointer: str, spelling: Spelling) -> Line:
    return (Token(KEY, spelling.name(pointer)), Token(PUNCTUATION, ":"), Token(SPACE, " "))


def _scalar(value: JSON, pointer: str, spelling: Spelling) -> Token:
    match value:
        case dict():
            return Token(PUNCTUATION, "{}")
        case list():
            return Token(PUNCTUATION, "[]")
        case str():
            return Token(STRING, spelling.scalar(pointer, value))
        case bool() | None:
            return Token(CONSTANT, spelling.scalar(pointer, value))
        case _:
            return Token(NUMBER, spelling.scalar(pointer, value))


def _yaml(source: Source, pointer: str, value: JSON) -> Excerpt:
    span, key = source.span(pointer), source.key_span(pointer)
    start = key.start if key and not isinstance(value, dict | list) else span.start
    last = span.end.line if span.end.column > 1 or span.end == span.start else span.end.line - 1
    lines = source.text.split("\n")[start.line - 1 : last]
    if span.end.line == last:
        lines[-1] = lines[-1][: span.end.column - 1]
    lines[0] = " " * (start.column - 1) + lines[0][start.column - 1 :]
    while len(lines) > 1 and not lines[-1].strip():
        lines.pop()
    margin = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
    shown = yaml_lines("\n".join(line[margin:] for line in lines))

    def find(node: str) -> tuple[int, int] | None:
        try:
            place, end = source.place(node).position, source.span(node).end
        except KeyError:
            return None
        first = place.line - start.line if node != pointer else 0
        final = (end.line if end.column > 1 else end.line - 1) - start.line
        return (first, max(first, min(final, len(shown) - 1))) if 0 <= first < len(shown) else None

    return Excerpt(pointer, "yaml", shown, find)


def yaml_lines(text: str) -> tuple[Line, ...]:
    """Return YAML text in lines of tokens."""
    return lexed(text, _LEXER)


def lexed(text: str, lexer: Lexer) -> tuple[Line, ...]:
    """Return a text in lines of tokens; without kinds where the lexer does not give the text back as it is."""
    tokens = [(STANDARD_TYPES.get(kind, ""), part) for _, kind, part in lexer.get_tokens_unprocessed(text)]
    if "".join(part for _, part in tokens) != text:
        tokens = [("", text)]
    lines: list[list[Token]] = [[]]
    for kind, part in tokens:
        for number, piece in enumerate(part.split("\n")):
            if number:
                lines.append([])
            if piece:
                lines[-1].append(Token("" if kind in _SILENT else kind, piece))
    return tuple(tuple(line) for line in lines)


def text_of(line: Line) -> str:
    """Return a line as it reads."""
    return "".join(token.text for token in line)


def failing(excerpt: Excerpt, value: JSON, findings: Iterable[Finding]) -> dict[int, bool]:
    """Tell which lines of an excerpt fail.

    A finding that names members which exist is marked at those; one that names missing members, or lies at the
    excerpt as a whole, at the first line of its node alone, because marking everything would say nothing.

    Args:
        excerpt: what is shown.
        value: the whole document.
        findings: what was found in it.

    Returns:
        The lines, counted from 0; True where a failing node begins and False where it goes on.
    """
    marks: dict[int, bool] = {}
    for finding in findings:
        for node in dict.fromkeys((finding.pointer, finding.target)):
            if not pointers.inside(node, excerpt.pointer):
                continue
            members = _members(value, node, finding.names)
            missing = not members and finding.names not in ((), pointers.tokens(node)[-1:])
            for at in members or [node]:
                first, last = _lines_of(excerpt, at)
                marks[first] = True
                for line in range(first + 1, first + 1 if missing or at == excerpt.pointer else last + 1):
                    marks.setdefault(line, False)
    return dict(sorted(marks.items()))


def _lines_of(excerpt: Excerpt, node: str) -> tuple[int, int]:
    """Return the lines of a node; where it is behind an alias of YAML, those of the nearest node around it."""
    while (lines := excerpt.find(node)) is None and node != excerpt.pointer:
        node = node.rpartition("/")[0]
    return lines or (0, 0)


def _members(value: JSON, node: str, names: Iterable[str]) -> list[str]:
    exists, _, found = pointers.resolve(value, node)
    return (
        [pointers.append(node, name) for name in names if name in found] if exists and isinstance(found, dict) else []
    )
