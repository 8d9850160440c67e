"""Checks of the members that the objects of a document have."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from mkdocs_rulebook import Document, Node, Result, applied, finding

from ._format import ROOT, Below, Shape, shape

EXTENSION = "x-"
REFERENCE = "$componentRef"


def unknown_property(document: Document) -> Iterator[Result]:
    """Find members that a closed object of the format does not have.

    The walk goes where the format describes objects, and nowhere else: not into embedded schemas, example data,
    extensions or any other value that is free.
    """
    stack = [(document.root, ROOT)]
    while stack:
        node, name = stack.pop()
        if not isinstance(node.value, dict):
            continue
        described = shape(name, node.value)
        if described.referable and REFERENCE in node.value:
            continue  # judged where the component is defined, and as a reference by rules of its own
        if not described.is_open:
            yield applied(node)
            yield from _unknown(node, described)
        for member, below in reversed(described.below.items()):
            stack.extend((child, below.shape) for child in reversed(_inside(node.child(member), below)))


def _unknown(node: Node, described: Shape) -> Iterator[Result]:
    for member in node.children():
        name = str(member.key)
        if name in described.members:
            continue
        if not name.startswith(EXTENSION):
            near = get_close_matches(name, sorted(described.members), n=1)
            hint = f"; `{near[0]}` is the nearest that it has" if near else ""
            yield finding(member, f"is no member of this object{hint}", reason="unknown-member", names=[name])
        elif not described.extensible and not described.native:
            yield finding(
                member, "is an extension on an object that takes none", reason="extension-not-allowed", names=[name]
            )


def _inside(node: Node | None, below: Below) -> list[Node]:
    """Return the objects that a member holds."""
    if node is None:
        return []
    if below.how == "[" or (below.how == "+" and isinstance(node.value, list)):
        return list(node.children()) if isinstance(node.value, list) else []
    if below.how == "{":
        return list(node.children()) if isinstance(node.value, dict) else []
    return [node]
