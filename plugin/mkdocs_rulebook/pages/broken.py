"""The page of a rule whose file cannot be read just now: it stays where it was and says what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mkdocs_rulebook.pages.template import environment

if TYPE_CHECKING:
    from pathlib import Path

    from mkdocs_rulebook.model import Fault


@dataclass(frozen=True)
class BrokenRule:
    """A rule that cannot be read: its id, its title where it is known from before, and its file."""

    id: str
    title: str
    path: Path


def broken_page(rule: BrokenRule, faults: Sequence[Fault], templates: Path | None = None) -> str:
    """Return the Markdown of the page of a rule that cannot be read.

    Args:
        rule: The rule.
        faults: What is wrong with its file.
        templates: A folder of templates that replace those of the package.
    """
    return environment(templates).get_template("broken.md.jinja").render(rule=rule, faults=faults)
