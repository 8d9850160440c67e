"""Checks of what a server says it can do."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_rulebook import Node, Result, finding, inapplicable

from ._document import LATEST, after, before, effective_scope, listed

TASKS = "2025-11-25"
"""The only revision whose core has tasks."""


def logging_deprecated(entry: Node) -> Iterator[Result]:
    """Find a capability entry that offers logging in the revision that deprecates it."""
    if not isinstance(entry.value, dict) or LATEST not in (effective_scope(entry) or ()):
        yield inapplicable(entry)
        return
    logging = entry.child("logging")
    if logging is not None:
        yield finding(logging, f"is deprecated in `{LATEST}`", reason="deprecated", names=["logging"])


def tasks_revision(tasks: Node) -> Iterator[Result]:
    """Find core tasks in an entry that applies to an older or a later revision than the one that has them."""
    older, later = before(tasks, TASKS), after(tasks, TASKS)
    if older:
        yield finding(tasks, f"does not exist in {listed(older)}", reason="not-in-revision", names=["tasks"])
    if later:
        yield finding(
            tasks,
            f"is no part of the core in {listed(later)}, where tasks are an extension",
            reason="extension",
            names=["tasks"],
        )


def extensions_pre_standard(extensions: Node) -> Iterator[Result]:
    """Find, for each revision, an extension map that its core does not define."""
    if effective_scope(extensions) is None:
        yield inapplicable(extensions)
    for revision in before(extensions, LATEST):
        yield finding(extensions, f"is not defined in `{revision}`", reason="pre-standard", names=[revision])
