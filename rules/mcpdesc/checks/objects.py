"""Checks of the members that the objects of a document have."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from mkdocs_rulebook import Document, Node, Result, applied, finding

from ._format import DECLARED_FORM, FORM, ROOT, Below, Shape, shape

EXTENSION = "x-"
REFERENCE = "$componentRef"


def unknown_property(document: Document) -> Iterator[Result]:
    """Find members that a closed object of the format does not have.

    The walk goes where the format describes objects, and nowhere else: not into embedded schemas, example data,
    extensions or any other value that is free.
    """
    stack = [(document.root, ROOT)]
    forms = set[Node]()
    while stack:
        node, name = stack.pop()
        if not isinstance(node.value, dict):
            continue
        described = shape(name, node.value)
        if described.referable and REFERENCE in node.value:
            # The reference has rules of its own, and an example is judged where it is defined. A schema that is
            # defined in `components` is free until somebody uses it as a form.
            form = _target(node) if name == DECLARED_FORM else None
            if form is not None and form not in forms:
                forms.add(form)
                stack.append((form, FORM))
            continue
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


def _target(node: Node) -> Node | None:
    """Return what a reference leads to in the end; None where it leads nowhere."""
    seen = set[Node]()
    target: Node | None = node
    while target is not None and isinstance(target.value, dict) and REFERENCE in target.value:
        pointer = target.value[REFERENCE]
        if target in seen or not isinstance(pointer, str) or not pointer.startswith("#/"):
            return None
        seen.add(target)
        try:
            target = node.document.at(pointer[1:])
        except ValueError:  # not a JSON Pointer
            return None
    return target


def _inside(node: Node | None, below: Below) -> list[Node]:
    """Return the objects that a member holds."""
    if node is None:
        return []
    if below.how == "[" or (below.how == "+" and isinstance(node.value, list)):
        return list(node.children()) if isinstance(node.value, list) else []
    if below.how == "{":
        return list(node.children()) if isinstance(node.value, dict) else []
    return [node]
