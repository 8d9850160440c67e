"""Checks of the client capabilities that a primitive requires."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from mkdocs_rulebook import Node, Result, finding, inapplicable

from ._document import LATEST, listed
from ._revisions import revisions

EXTENSION = "x-"


OPEN_MAPS = ("experimental", "extensions")
"""The capabilities that hold further ones, under names that MCP does not list."""


@dataclass(frozen=True)
class Capability:
    """A capability or a member of one: the revisions that have it, and what it holds."""

    first: str = "2024-11-05"
    last: str = LATEST
    members: dict[str, Capability] = field(default_factory=dict)
    closed_from: str = "9999"
    """The first revision from which it has the members listed here and no others."""
    boolean: bool = False

    def known_in(self, revision: str) -> bool:
        """Return whether a revision has it."""
        return self.first <= revision <= self.last


_TASKS = "2025-11-25"


def _task(**members: Capability) -> Capability:
    return Capability(_TASKS, _TASKS, members, closed_from=_TASKS)


_MARKER = Capability(_TASKS, _TASKS)

CAPABILITIES = Capability(
    members={
        "experimental": Capability(),
        "roots": Capability(
            members={"listChanged": Capability(last="2025-11-25", boolean=True)}, closed_from="2024-11-05"
        ),
        "sampling": Capability(
            members={"context": Capability("2025-11-25"), "tools": Capability("2025-11-25")}, closed_from="2025-11-25"
        ),
        "elicitation": Capability(
            "2025-06-18",
            members={"form": Capability("2025-11-25"), "url": Capability("2025-11-25")},
            closed_from="2025-11-25",
        ),
        "tasks": _task(
            list=_MARKER,
            cancel=_MARKER,
            requests=_task(sampling=_task(createMessage=_MARKER), elicitation=_task(create=_MARKER)),
        ),
        "extensions": Capability(LATEST),
    }
)
"""The capabilities of clients, with what the revisions of MCP define inside them."""

DEPRECATED = (
    ("/roots", LATEST),
    ("/sampling", LATEST),
    ("/sampling/context", "2025-11-25"),
)
"""Capabilities that are deprecated, with the revision from which on they are."""


def revision(requirements: Node) -> Iterator[Result]:
    """Find required capabilities, and members of them, that a revision in scope does not have."""
    scope = _scope(requirements)
    if scope is None:
        yield inapplicable(requirements)
        return
    absent: dict[Node, set[str]] = {}
    for node, capability in _required(requirements):
        around = absent.get(node.parent, set()) if node.parent is not None else set()
        absent[node] = {each for each in scope if not capability.known_in(each)} | around
        lacking = absent[node] - around
        if lacking:
            yield finding(node, f"does not exist in {listed(lacking)}", reason="not-in-revision", names=[str(node.key)])
        closed = {each for each in scope - absent[node] if each >= capability.closed_from}
        for member in node.children() if closed and isinstance(node.value, dict) else ():
            name = str(member.key)
            if name not in capability.members and not name.startswith(EXTENSION):
                yield finding(
                    member, f"is no member that is defined in {listed(closed)}", reason="unknown-member", names=[name]
                )


def value(requirements: Node) -> Iterator[Result]:
    """Find required capabilities, and members of them, that hold the wrong kind of value."""
    scope = _scope(requirements)
    if scope is None:
        yield inapplicable(requirements)
        return
    for entry in requirements.children():
        if not isinstance(entry.value, dict) and not str(entry.key).startswith(EXTENSION):
            yield _wrong(entry, "an object", "not-an-object")
        for named in entry.children() if entry.key in OPEN_MAPS and isinstance(entry.value, dict) else ():
            if not isinstance(named.value, dict):
                yield _wrong(named, "an object", "not-an-object")
    for node, capability in _required(requirements):
        if len(node.path) == len(requirements.path) + 1 or not any(capability.known_in(each) for each in scope):
            continue
        if capability.boolean and not isinstance(node.value, bool):
            yield _wrong(node, "a boolean", "not-a-boolean")
        elif not capability.boolean and not isinstance(node.value, dict):
            yield _wrong(node, "an object", "not-an-object")


def deprecated(requirements: Node) -> Iterator[Result]:
    """Find required capabilities that a revision in scope deprecates."""
    scope = _scope(requirements)
    if scope is None:
        yield inapplicable(requirements)
        return
    for pointer, first in DEPRECATED:
        node = requirements.at(pointer)
        later = {each for each in scope if each >= first}
        if node is not None and later:
            yield finding(node, f"is deprecated in {listed(later)}", reason="deprecated", names=[str(node.key)])


def _scope(requirements: Node) -> frozenset[str] | None:
    return revisions(requirements) if isinstance(requirements.value, dict) else None


def _required(requirements: Node) -> Iterator[tuple[Node, Capability]]:
    """Yield the capabilities that are known in some revision, and their known members, outer ones first."""
    stack = [(requirements, CAPABILITIES)]
    while stack:
        node, capability = stack.pop()
        if node is not requirements:
            yield node, capability
        for name, inner in capability.members.items():
            member = node.child(name) if isinstance(node.value, dict) else None
            if member is not None:
                stack.append((member, inner))


def _wrong(node: Node, what: str, reason: str) -> Result:
    return finding(node, f"is not {what}", reason=reason)
