"""Plain text as Markdown that a person or a program reads as it is, without a site: escaped as little as possible."""

from __future__ import annotations

import json
import re

from mkdocs_rulebook.pages.text import one_line

_SPECIAL = re.compile(r"[\\*\[\]<>]|(?<!\w)_|_(?!\w)|^(?=[#+>-])|^(\d+)(?=[.)](?:\s|$))")


def escaped(text: str) -> str:
    """Return plain text as readable Markdown on one line; what stands between backticks stays code."""
    parts = re.split(r"(`[^`]+`)", one_line(text))
    return "".join(part if number % 2 else _SPECIAL.sub(_escape, part) for number, part in enumerate(parts))


def _escape(match: re.Match[str]) -> str:
    return f"{match[1]}\\" if match[1] else f"\\{match[0]}"


def scalar(text: str) -> str:
    """Return text as a YAML scalar on one line."""
    return json.dumps(one_line(text), ensure_ascii=False)
