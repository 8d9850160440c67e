"""What the process that runs Python checks is asked, and what it answers. Both sides import it from here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mkdocs_rulebook.model import Lines
from mkdocs_rulebook.pointer import Path as NodePath


@dataclass(frozen=True)
class Request:
    """One call of a check. `document` is a pickled value; None where it is the one of the request before.

    `text` says that the document is a text or a folder of texts, in which results have lines.
    """

    folder: Path
    function: str
    references: str
    paths: tuple[NodePath, ...] | None
    document: bytes | None = None
    text: bool = False


@dataclass(frozen=True)
class Answer:
    """What came of a request: results in order, or why there are none."""

    found: tuple[tuple[NodePath, str, str, tuple[str, ...], Lines | None], ...] = ()
    applied: tuple[NodePath, ...] = ()
    passages: tuple[tuple[NodePath, Lines], ...] = ()
    error: str = ""
