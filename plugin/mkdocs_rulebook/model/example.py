"""An example: a fixture, a selection in it, and a claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mkdocs_rulebook.model.place import JSON, Lines, Place, Selection
from mkdocs_rulebook.model.words import Claim, Outcome


@dataclass(frozen=True)
class Expect:
    """The reason that an invalid example pins. `pointer` is relative to the selection; None means "anywhere inside".

    `line` is the line of a text on which the finding begins, counted in the file.
    """

    pointer: str | None = None
    keyword: str = ""
    reason: str = ""
    names: tuple[str, ...] = ()
    line: int | None = None


@dataclass(frozen=True)
class Known:
    """A fault that is accepted for now: the verdict it has, why, and where it is tracked."""

    outcome: Outcome
    reason: str
    issue: str = ""


@dataclass(frozen=True)
class Replacement:
    """One exact passage of a text and what stands in its place."""

    old: str
    new: str


@dataclass(frozen=True)
class Inline:
    """A fixture that is written in the rule file. `before` and `after` stand around `content` in what is verified."""

    content: str
    before: str = ""
    after: str = ""


@dataclass(frozen=True)
class Example:
    """A fixture, a selection in it, and what the catalogue claims about that selection.

    `fixture` is a path below the catalogue's fixture root, with forward slashes; where the fixture is `inline`, the
    name that it would have as a file. `pointer` and `show` are JSON Pointers into it; in a text `lines` or `region`
    select instead, in a folder beside `show_file`. `language` says what the fixture is written in, where its name
    does not. `patch` (a JSON Patch of the whole document) or `replace` makes another document of the fixture: that
    one is meant by everything else here. `fix` is a JSON Patch (RFC 6902) relative to the selection, `mend` a
    replacement in a text. `breaks` are the other rules that a valid example is known to break. `place` is the entry
    in the rule file.
    """

    id: str
    claim: Claim
    fixture: str
    pointer: str
    place: Place
    title: str = ""
    note: str = ""
    show: tuple[str, ...] = ()
    expect: Expect | None = None
    fix: tuple[Mapping[str, JSON], ...] = ()
    breaks: tuple[str, ...] = ()
    known: Known | None = None
    lines: Lines | None = None
    region: str = ""
    show_file: str = ""
    language: str = ""
    inline: Inline | None = None
    patch: tuple[Mapping[str, JSON], ...] = ()
    replace: Replacement | None = None
    mend: Replacement | None = None

    @property
    def selection(self) -> Selection:
        """The selection as far as it is known without the fixture."""
        return Selection(self.pointer, self.lines)

    @property
    def derived(self) -> bool:
        """Whether what is verified is not the fixture itself but something made of it."""
        return bool(self.patch) or self.replace is not None
