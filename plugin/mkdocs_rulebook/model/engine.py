"""External engines, as a catalogue declares them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from mkdocs_rulebook.model.place import Place


class Format(StrEnum):
    """What an external engine writes its findings in."""

    SARIF = "sarif"
    JSON = "json"
    LINES = "lines"


class Columns(StrEnum):
    """What an engine counts columns in."""

    UTF16 = "utf-16"
    CODE_POINTS = "code-points"
    UTF8 = "utf-8"


@dataclass(frozen=True)
class Output:
    """How to read what an engine writes.

    For JSON, `findings` and `files` are JSONPath queries (RFC 9535); without `optional` the array or object around the
    findings has to be there even if it is empty. `fields` maps the part of a finding (`code`,
    `message`, `file`, `pointer`, `line`, `column`, `end_line`, `end_column`) to the query that gives it. For lines,
    `patterns` have groups with the names of those parts, and `ignore` are patterns of lines that are no finding.
    """

    format: Format
    findings: str = ""
    files: str = ""
    optional: bool = False
    fields: Mapping[str, str] = field(default_factory=dict)
    patterns: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    stream: str = "stdout"
    lines_from: int = 1
    columns_from: int = 1
    columns: Columns | None = None


@dataclass(frozen=True)
class Engine:
    """An external program that judges fixtures.

    `command` is an argument list with placeholders, never a text for a shell; `folder` is where it runs. `each` says
    that it is run once for each fixture, not once for all. `follow` is the member that makes an object a local
    reference, where a finding at its target counts for the place of use. `not_judged` are codes by which the
    engine says that it could not judge a file, `skipped` patterns of lines that say so; `exit_codes` those with
    which it ends when nothing went wrong, None where they mean nothing. `config` are the files beside the fixtures
    that its verdicts depend on, `fixtures` patterns of the names of those that it gets; none for all. A `faulty`
    declaration cannot work, and is not tried. `place` is that of its command in catalogue.yaml.
    """

    name: str
    command: tuple[str, ...]
    output: Output
    title: str = ""
    folder: Path = Path()
    each: bool = False
    version: tuple[str, ...] = ()
    time_limit: float = 60.0
    config: tuple[Path, ...] = ()
    follow: str = ""
    not_judged: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    exit_codes: tuple[int, ...] | None = None
    fixtures: tuple[str, ...] = ()
    faulty: bool = False
    place: Place = Place(Path())

    @property
    def label(self) -> str:
        """What it is called on pages."""
        return self.title or self.name
