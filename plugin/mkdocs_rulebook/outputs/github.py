"""Faults as workflow commands, which a review shows beside the line they speak of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from mkdocs_rulebook.model import Fault
from mkdocs_rulebook.outputs.text import one_line, shown_path, subject


def lines(faults: Iterable[Fault], base: Path) -> Iterator[str]:
    """Yield one workflow command for each fault."""
    for fault in faults:
        position = fault.place.position
        where = f"file={_property(shown_path(fault.place.path, base))},line={position.line},col={position.column}"
        title = _property(fault.kind)
        yield f"::{fault.severity} {where},title={title}::{_data(subject(fault) + one_line(fault.message))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
