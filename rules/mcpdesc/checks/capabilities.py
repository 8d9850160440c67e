"""Checks of what a server says it can do."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_rulebook import Node, Result, finding, inapplicable

from ._document import LATEST, effective_scope


def logging_deprecated(entry: Node) -> Iterator[Result]:
    """Find a capability entry that offers logging in the revision that deprecates it."""
    if not isinstance(entry.value, dict) or LATEST not in (effective_scope(entry) or ()):
        yield inapplicable(entry)
        return
    logging = entry.child("logging")
    if logging is not None:
        yield finding(logging, f"is deprecated in `{LATEST}`", reason="deprecated", names=["logging"])
