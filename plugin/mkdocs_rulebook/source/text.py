"""Files as text: decoding, line ends, and the position of an offset."""

from __future__ import annotations

import json
import os
import re
from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

from mkdocs_rulebook.model import Place, Position

if TYPE_CHECKING:
    from pathlib import Path

MAX_DEPTH = 500
"""How many arrays and objects may lie inside one another. A fixed number, so that the answer is the same everywhere."""

TOO_DEEP = f"nested too deep: at most {MAX_DEPTH} levels of arrays and objects can be read"

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_WIDE_MARKS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)


class SourceError(Exception):
    """A file that cannot be read as data.

    Attributes:
        place: where it has to be mended.
        message: one line that says what was found and what was expected; it does not repeat the place.
        related: further places that explain it, such as the first of two equal member names.
    """

    def __init__(self, place: Place, message: str, related: tuple[Place, ...] = ()) -> None:
        super().__init__(place, message, related)
        self.place = place
        self.message = message
        self.related = related

    def __str__(self) -> str:
        return self.message


class Text:
    """The text of a file, and the places in it. Offsets count code points from 0."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.text = text

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def position(self, offset: int) -> Position:
        """Return the line and column of an offset."""
        line = bisect_right(self._starts, offset)
        return Position(line, offset - self._starts[line - 1] + 1)

    def offset(self, position: Position) -> int:
        """Return the offset of a line and column.

        Raises:
            IndexError: there is no such line, or it is not that long.
        """
        if not 1 <= position.line <= len(self._starts):
            raise IndexError(position.line)
        start = self._starts[position.line - 1]
        end = self._starts[position.line] if position.line < len(self._starts) else len(self.text) + 1
        if not 1 <= position.column <= end - start:
            raise IndexError(position.column)
        return start + position.column - 1

    def place(self, offset: int) -> Place:
        """Return the place of an offset in this file."""
        return Place(self.path, self.position(offset))

    def error(self, offset: int, message: str, *related: int) -> SourceError:
        """Make an error at an offset, with the offsets that explain it."""
        return SourceError(self.place(offset), message, tuple(self.place(other) for other in related))

    def repeated(self, name: str, offset: int, first: int) -> SourceError:
        """Make the error for a member name that an object has twice (RFC 8259 §4; YAML 1.2.2 §3.2.1.3)."""
        line = self.position(first).line
        return self.error(offset, f"the member name {quoted(name)} is repeated; it is first on line {line}", first)


def quoted(text: str, limit: int = 60) -> str:
    """Write a text from a file in double quotes, on one line and not too long for a message."""
    short = text if len(text) <= limit else text[: limit - 1] + "…"
    return json.dumps(short, ensure_ascii=not short.isprintable())


def load(path: Path, *, may_be_empty: bool = False) -> Text:
    """Read a file of data as UTF-8 text without byte order mark, every line end as a line feed.

    Raises:
        SourceError: it is missing, no file, not readable, empty, not UTF-8 (RFC 8259 §8.1), or holds a control
            character that neither JSON nor YAML permits (RFC 8259 §7; YAML 1.2.2 §5.1).
    """
    return of_data(Text(path, _lines(_decoded(path))), may_be_empty=may_be_empty)


def of_data(text: Text, *, may_be_empty: bool = False) -> Text:
    """Return a text that could be JSON or YAML.

    Raises:
        SourceError: it is empty, or holds a control character that neither permits.
    """
    if not may_be_empty and not text.text.strip():
        raise SourceError(Place(text.path), "the file is empty")
    if found := _CONTROL.search(text.text):
        hint = "; is the file UTF-16? it must be UTF-8" if found[0] == "\0" else ""
        raise text.error(found.start(), f"control character U+{ord(found[0]):04X} is not permitted{hint}")
    return text


def load_text(path: Path) -> Text:
    """Read any text file. What a reader might not see is part of it: a byte order mark, control characters.

    Where all lines end in CR LF they are read as ending in LF, so that a checkout with other line ends is the same
    text; where only some do, each CR stays, because it is then what somebody wrote.

    Raises:
        SourceError: it is missing, no file, not readable, not UTF-8, or binary.
    """
    text = Text(path, _decoded(path))
    if (offset := text.text.find("\0")) >= 0:
        raise text.error(offset, "the file is binary or UTF-16: it holds U+0000; a text fixture must be UTF-8")
    feeds = text.text.count("\n")
    if feeds and text.text.count("\r\n") == feeds:
        text = Text(path, text.text.replace("\r\n", "\n"))
    return text


def _decoded(path: Path) -> str:
    data = _bytes(path)
    for mark, encoding in _WIDE_MARKS:
        if data.startswith(mark):
            raise SourceError(Place(path), f"the file is {encoding}; it must be UTF-8")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        before = Text(path, _lines(data[: error.start].decode()))
        message = f"not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start} of the file"
        raise before.error(len(before.text), message) from None


def _lines(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def is_folder(path: Path) -> bool:
    """Whether there is a folder of that name; False for a name that no folder can have."""
    return os.path.isdir(path)  # noqa: PTH112 - Path.is_dir raises for a name that is too long


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        message = "the file does not exist"
    except IsADirectoryError:
        message = "this is a folder, not a file"
    except PermissionError:
        message = "this is a folder, not a file" if path.is_dir() else "no permission to read the file"
    except (OSError, ValueError) as error:
        message = f"the file cannot be read: {getattr(error, 'strerror', None) or error}"
    raise SourceError(Place(path), message)
