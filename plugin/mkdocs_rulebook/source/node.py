"""Where each node of a document lies in its text."""

from __future__ import annotations

import json
from dataclasses import dataclass

from mkdocs_rulebook.model import JSON
from mkdocs_rulebook.pointer import step, tokens


@dataclass(slots=True)
class Node:
    """The offsets of a value and of its member name, and the nodes inside it.

    An alias of YAML has offsets of its own but shares the nodes inside with the node that it names.
    """

    start: int
    end: int
    inside: dict[str, Node] | list[Node] | None = None
    name: tuple[int, int] | None = None


def find(root: Node, pointer: str) -> tuple[Node, bool]:
    """Follow a JSON Pointer (RFC 6901) as far as it goes.

    Returns:
        The deepest node that exists, and whether it is the one asked for.

    Raises:
        PointerError: it is not a pointer.
    """
    node = root
    for token in tokens(pointer):
        found = step(node.inside, token)
        if found is None:
            return node, False
        node = found[1]
    return node, True


def copied(value: JSON) -> JSON:
    """Copy the containers of a value, so that a change in one place does not show in another."""
    box = [value]
    todo: list[list[JSON] | dict[str, JSON]] = [box]
    while todo:
        holder = todo.pop()
        members = list(holder.items()) if isinstance(holder, dict) else list(enumerate(holder))
        for key, child in members:
            if isinstance(child, dict | list):
                holder[key] = child.copy()  # type: ignore[index]
                todo.append(holder[key])  # type: ignore[index]
    return box[0]


def canonical(value: JSON) -> str:
    """Return a value in one spelling, so that `1`, `true`, `1.0` and `"1"` all differ; numbers keep their digits."""
    return json.dumps(value, sort_keys=True, default=lambda number: {_NUMBER: str(number)})


_NUMBER = "\ud800"
"""Marks a number as no string: half of a surrogate pair is a member name that no fixture can have."""


def shared(new: JSON, old: JSON) -> JSON:
    """Return a value in which every part that another value has at the same place, spelled the same, is that part.

    What was said of a part is then known by its identity. Neither value is changed.
    """
    if type(new) is not type(old):
        return new
    if isinstance(new, dict):
        members = {name: shared(value, old[name]) if name in old else value for name, value in new.items()}
        same = list(new) == list(old) and all(members[name] is old[name] for name in old)
        return old if same else members
    if isinstance(new, list):
        items = [shared(value, old[at]) if at < len(old) else value for at, value in enumerate(new)]
        return old if len(new) == len(old) and all(a is b for a, b in zip(items, old, strict=True)) else items
    return old if str(new) == str(old) else new
