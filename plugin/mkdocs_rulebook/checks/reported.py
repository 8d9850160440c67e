"""What an external engine said, in one form whatever it was written in."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from mkdocs_rulebook.model import JSON, Columns


class OutputError(ValueError):
    """The output of an engine is not what its declaration says; the message is the end of a sentence about it."""


@dataclass(frozen=True)
class Region:
    """A stretch of a file: 1-based, its end exclusive.

    Without `end_line` it is the place of `column`, or the whole line where that is missing too; with it but without
    `end_column` it goes on to the end of that line.
    """

    line: int
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None
    columns: Columns = Columns.CODE_POINTS


@dataclass(frozen=True)
class Reported:
    """A finding as an engine reports it.

    `file` is as the engine names it, None where it names none. `pointer` is a list of keys, a JSON Pointer
    or a JSONPath, None where there is none.
    """

    code: str
    message: str
    file: str | None = None
    pointer: JSON = None
    region: Region | None = None


@dataclass(frozen=True)
class Said:
    """Everything that one run of an engine said.

    `files` are those that it lists as judged, None where it gives no list. `refused` maps a file to why the engine
    could not judge it.
    """

    findings: tuple[Reported, ...] = ()
    files: tuple[str, ...] | None = None
    refused: dict[str, str] = field(default_factory=dict)


MAX_SAID = 2_000
"""More characters than this of what an engine says are not shown."""

_ERROR = re.compile(r"\W*(?:[\w.-]+: )?(?:fatal |usage )?error\b", re.IGNORECASE)


def excerpt(text: str, limit: int = 100) -> str:
    """Return the beginning of an output, on one line, for a message."""
    line = " ".join(text.split())
    return f"`{line if len(line) <= limit else line[: limit - 1] + '…'}`".replace("``", "nothing")


def visible(text: str) -> str:
    """Return a text of an engine as pages can show it: on one line, cut where it is endless, nothing in it unseen."""
    line = " ".join(text.split())
    if len(line) > MAX_SAID:
        line = line[:MAX_SAID] + "…"
    return line if line.isprintable() else "".join(one if one.isprintable() else f"U+{ord(one):04X}" for one in line)


def complaint(stderr: str, stdout: str) -> str:
    """Return what a program says went wrong, for a message.

    That is the first line that calls itself an error, since usage may follow it; else the last line, since a trace
    comes before its reason.
    """
    lines = [line for line in (stderr.strip() or stdout.strip()).splitlines() if line.strip()]
    errors = [line for line in lines if _ERROR.match(line)]
    return excerpt((errors or lines[-1:] or [""])[0])


def number(value: JSON, what: str) -> int | None:
    """Return a number of a line or column; None for nothing.

    Raises:
        OutputError: it is something else.
    """
    if value is None or value == "":
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
        return int(value)
    raise OutputError(f"gives {excerpt(str(value))} where a number should be (`{what}`)")
