"""What the process that runs Python checks is asked, and what it answers. Both sides import it from here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mkdocs_rulebook.model import JSON, Lines
from mkdocs_rulebook.pointer import Path as NodePath


@dataclass(frozen=True)
class Call:
    """One call of a check: once for each of the nodes at `paths`, or once for the document where that is None."""

    function: str
    paths: tuple[NodePath, ...] | None
    parameters: Mapping[str, JSON] = field(default_factory=dict)

    @property
    def check(self) -> str:
        """What is called, apart from the nodes."""
        return f"{self.function} {self.parameters!r}"


@dataclass(frozen=True)
class Request:
    """Checks to run on one document, a pickled value; `text` says that it is a text or a folder of texts, with lines.

    The calls are answered in their order, each at once.
    """

    folder: Path
    document: bytes
    calls: tuple[Call, ...]
    text: bool = False


@dataclass(frozen=True)
class Answer:
    """What came of a call: results in order, or why there are none."""

    found: tuple[tuple[NodePath, str, str, tuple[str, ...], Lines | None], ...] = ()
    applied: tuple[NodePath, ...] = ()
    passages: tuple[tuple[NodePath, Lines], ...] = ()
    error: str = ""
