"""What a fix changes, as a diff of the selection before and after."""

from __future__ import annotations

import difflib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING

from mkdocs_rulebook import pointer as pointers
from mkdocs_rulebook.pages.excerpt import Line, json_lines, text_of

if TYPE_CHECKING:
    from mkdocs_rulebook.model import JSON
    from mkdocs_rulebook.source import Source

AROUND = 3
"""How many unchanged lines stand before and after a change."""

SHORT = 24
"""A selection of no more lines than this is shown with all of them."""

MAX_COMPARED = 2_000
"""More lines than this are compared less carefully, since that takes the square of their number."""


Signed = tuple[str, Line]
"""A line with its sign: `+`, `-`, a space, or `…` for a gap."""


@dataclass
class Respelled:
    """The spelling of a value after a fix: what the fix left alone stays as it is spelled in the file.

    A fix can move what follows, so a literal is looked up at the same place first and then by its value.
    """

    source: Source
    scalars: dict[tuple[type, JSON], str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    def learn(self, value: JSON, pointer: str) -> None:
        """Remember how everything in a value is spelled."""
        if self.source.language != "json":
            return
        parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
        if parts is None:
            self.scalars.setdefault((type(value), value), self.source.literal(pointer))
            return
        for part, child in parts:
            below = pointers.append(pointer, part)
            if isinstance(value, dict):
                self.names.setdefault(str(part), self.source.key_literal(below) or "")
            self.learn(child, below)

    def scalar(self, pointer: str, value: JSON) -> str:
        """Return the literal of a scalar."""
        if self.source.language == "json":
            exists, _, before = pointers.resolve(self.source.value, pointer)
            if exists and type(before) is type(value) and before == value:
                return self.source.literal(pointer)
        spelled = self.scalars.get((type(value), value))
        return spelled or (str(value) if isinstance(value, Decimal) else json.dumps(value, ensure_ascii=False))

    def name(self, pointer: str) -> str:
        """Return the literal of a member name."""
        name = pointers.tokens(pointer)[-1]
        return self.names.get(name) or json.dumps(name, ensure_ascii=False)


def diff(source: Source, fixed: JSON, pointer: str) -> list[Signed]:
    """Return the lines of the selection before and after a fix, each with its sign; `…` stands for a gap.

    A comma at the end of a line does not make it a change: it comes and goes with what follows.
    """
    exists, _, value = pointers.resolve(source.value, pointer)
    if not exists:
        return []
    spelling = Respelled(source)
    spelling.learn(value, pointer)
    before, _ = json_lines(value, pointer, spelling)
    remains, _, changed = pointers.resolve(fixed, pointer)
    after = json_lines(changed, pointer, spelling)[0] if remains else []
    return diff_lines(before, after, around=AROUND if len(before) > SHORT else len(before))


def diff_lines(before: Sequence[Line], after: Sequence[Line], *, around: int, exact: bool = False) -> list[Signed]:
    """Return two runs of lines as a diff; empty where nothing differs.

    Args:
        before: The lines as they were.
        after: The lines as they are.
        around: How many unchanged lines stand before and after a change.
        exact: Whether a comma at the end of a line counts; in JSON it comes and goes with what follows.
    """
    careful = len(before) <= MAX_COMPARED
    old, new = ([text_of(line) if exact else _compared(line) for line in lines] for lines in (before, after))
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=not careful)
    lines: list[Signed] = []
    shown = 0
    for group in matcher.get_grouped_opcodes(around):
        if group[0][1] > shown:
            lines.append(("…", ()))
        for change, start, end, new_start, new_end in group:
            if change == "equal":
                lines += [(" ", line) for line in after[new_start:new_end]]
            else:
                lines += [("-", line) for line in before[start:end]]
                lines += [("+", line) for line in after[new_start:new_end]]
        shown = group[-1][2]
    lines = lines if any(sign in "+-" for sign, _ in lines) else []
    return [*lines, ("…", ())] if lines and shown < len(before) else lines


def _compared(line: Line) -> str:
    return text_of(line).removesuffix(",")
