"""The links of Markdown that is published in another place than it was written for."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote

_PLACES = re.compile(
    r"""
    (?P<fence>^[ >]*(?P<mark>`{3,}|~{3,}).*?(?:^[ >]*(?P=mark)[`~]*[ ]*$|\Z))      # fenced code
    | (?P<span>(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))                        # a code span
    | (?P<before>\]\(\s*<?|^[ ]{0,3}\[[^\]\n]+\]:[ \t]+<?|\b(?:href|src)=["'])    # what a target follows
      (?P<target>[^\s<>()"'?\#]+)(?P<rest>[?\#][^\s<>()"']*)?
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
_ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|/")


def retargeted(markdown: str, find: Callable[[str], str | None]) -> str:
    """Return Markdown with other targets in its links, reference definitions and images, and in those of its HTML.

    Code stays as it is, and so does a target on another site, from the root, or within the page.

    Args:
        markdown: the text.
        find: tells for a target, without what follows a `?` or `#`, what to write for it; None leaves it as it is.
    """

    def replace(match: re.Match[str]) -> str:
        target = match["target"]
        if target is None or _ELSEWHERE.match(target):
            return match[0]
        found = find(unquote(target))
        return match[0] if found is None else f"{match['before']}{found}{match['rest'] or ''}"

    return _PLACES.sub(replace, markdown)
