"""Named regions of a text, marked in its comments: `# region NAME` … `# endregion`, as editors fold them.

A marker is a line of its own: the sign of a comment in whatever language, `region` or `endregion`, and a name without
blanks. An `endregion` without a name ends the region that began last. Regions may lie inside one another.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mkdocs_rulebook.model import Lines

_MARKER = re.compile(
    r"\s*(?:\#|//|--|;|%|'|!|\"|REM\b|<!--|/\*|\{\#|\{\{!--|\(\*|<\#)+[ \t]*\#?"  # the sign of a comment
    r"(?P<what>region|endregion)(?:[ \t]+(?P<name>[\w.-]*?))?"
    r"[ \t]*(?:-->|\*/|\#\}|--\}\}|\*\)|\#>)?\s*",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Regions:
    """The regions of a text. `named` holds the lines between the markers; `markers` the lines that are markers.

    `fault` says what is wrong with the markers, `at` is the line where it is.
    """

    named: dict[str, Lines]
    markers: frozenset[int]
    fault: str = ""
    at: int = 1


def regions(lines: Sequence[str]) -> Regions:
    """Find the named regions of a text.

    Args:
        lines: The lines of the text.
    """
    named: dict[str, Lines] = {}
    markers: set[int] = set()
    begun: list[tuple[str, int]] = []
    faults: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        match = _MARKER.fullmatch(line) if "region" in line.lower() else None
        if match is None:
            continue
        markers.add(number)
        name = match["name"] or ""
        if match["what"].lower() == "region":
            begun.append((name, number))
            continue
        at = next((at for at in reversed(range(len(begun))) if name in ("", begun[at][0])), None)
        if at is None:
            faults.append((number, f"`endregion{' ' + name if name else ''}` ends no region"))
            continue
        begins, start = begun.pop(at)
        if begins in named:
            faults.append((start, f"the region `{begins}` is there twice"))
        elif begins and start + 1 < number:
            named[begins] = (start + 1, number - 1)
        elif begins:
            faults.append((start, f"the region `{begins}` is empty"))
    faults += [(number, f"the region `{name}` has no end") for name, number in begun if name]
    at, fault = min(faults, default=(1, ""))
    return Regions(named, frozenset(markers), fault, at)
