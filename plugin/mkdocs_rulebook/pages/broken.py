"""The page of a rule whose file cannot be read just now: it stays where it was and says what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mkdocs_rulebook.pages.template import environment

if TYPE_CHECKING:
    from pathlib import Path

    from mkdocs_rulebook.model import Fault, Rule


def broken_page(rule: Rule, faults: Sequence[Fault], templates: Path | None = None) -> str:
    """Return the Markdown of the page of a rule that cannot be read.

    Args:
        rule: The rule as it was when it could be read last.
        faults: What is wrong with its file.
        templates: A folder of templates that replace those of the package.
    """
    return environment(templates).get_template("broken.md.jinja").render(rule=rule, faults=faults)
