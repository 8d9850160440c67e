"""Checks of references to components."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mkdocs_rulebook import Document, Node, Result, applied, finding

REFERENCE = "$componentRef"

PLACES = (
    "$.tools[*]['inputSchema','outputSchema']",
    "$['tools','resources','resourceTemplates','prompts'][*].elicitations[*].requestedSchema",
    "$['tools','resources','resourceTemplates','prompts'][*].examples[*]",
    "$.components['schemas','toolExamples','resourceExamples','resourceTemplateExamples','promptExamples'][*]",
)
"""Where the format allows a reference."""

NAMESPACES = {
    "tools": "toolExamples",
    "resources": "resourceExamples",
    "resourceTemplates": "resourceTemplateExamples",
    "prompts": "promptExamples",
}
"""The namespace of the examples of each kind of primitive."""

FORM = re.compile(
    r"#/components/(schemas|toolExamples|resourceExamples|resourceTemplateExamples|promptExamples)/([A-Za-z0-9._-]+)"
)


def target_exists(document: Document) -> Iterator[Result]:
    """Find references whose target is not in the document."""
    for _, reference in _references(document):
        if not isinstance(reference.value, str) or not reference.value.startswith("#/"):
            continue
        yield applied(reference)
        if not _exists(document, reference.value[1:]):
            yield finding(
                reference,
                f"points to `{reference.value}`, which is not in the document",
                reason="no-target",
                names=[REFERENCE],
            )


def pointer_form(document: Document) -> Iterator[Result]:
    """Find references that do not have the form of a pointer to a component."""
    for _, reference in _references(document):
        yield applied(reference)
        if not isinstance(reference.value, str):
            yield finding(reference, "is not a string", reason="not-a-string", names=[REFERENCE])
        elif not FORM.fullmatch(reference.value):
            yield finding(
                reference,
                f"is `{reference.value}`, which is not the address of a component",
                reason="not-a-component-pointer",
                names=[REFERENCE],
            )


def no_siblings(document: Document) -> Iterator[Result]:
    """Find members that stand beside a reference."""
    for place, _ in _references(document):
        yield applied(place)
        for member in place.children():
            if member.key != REFERENCE:
                yield finding(
                    member, f"stands beside `{REFERENCE}`", reason="beside-reference", names=[str(member.key)]
                )


def namespace(document: Document) -> Iterator[Result]:
    """Find references to a component of another kind than their place asks for."""
    for place, reference in _references(document):
        form = FORM.fullmatch(reference.value) if isinstance(reference.value, str) else None
        if form is None:
            continue
        yield applied(reference)
        expected = _namespace(place)
        if form[1] != expected:
            yield finding(
                reference,
                f"points into `{form[1]}`, and this place asks for `{expected}`",
                reason="wrong-namespace",
                names=[form[1]],
            )


def cycle(document: Document) -> Iterator[Result]:
    """Find components whose references lead round in a circle, or into one."""
    components = document.root.child("components")
    for place, reference in _references(document):
        if components is None or place.path[0] != "components":
            continue
        yield applied(place)
        way: list[tuple[str, str]] = [(str(place.path[1]), str(place.path[2]))]
        step: Node | None = reference
        while step is not None:
            form = FORM.fullmatch(step.value) if isinstance(step.value, str) else None
            if form is None:
                break
            visited = (form[1], form[2]) in way
            way.append((form[1], form[2]))
            if visited:
                words = " → ".join(f"`{name}`" for _, name in way)
                yield finding(reference, f"never ends at a value: {words}", reason="cycle", names=[REFERENCE])
                break
            step = _reference(components.at(f"/{form[1]}/{form[2]}"))


def _references(document: Document) -> Iterator[tuple[Node, Node]]:
    """Yield each place that holds a reference, with the reference."""
    for place in document.select(*PLACES):
        reference = _reference(place)
        if reference is not None:
            yield place, reference


def _reference(place: Node | None) -> Node | None:
    return place.child(REFERENCE) if place is not None and isinstance(place.value, dict) else None


def _namespace(place: Node) -> str:
    """Return the namespace of the components that may stand at a place."""
    if place.path[0] == "components":
        return str(place.path[1])
    if place.path[2] == "examples":
        return NAMESPACES[str(place.path[0])]
    return "schemas"


def _exists(document: Document, pointer: str) -> bool:
    try:
        return document.at(pointer) is not None
    except ValueError:  # not a JSON Pointer, so it points to nothing
        return False
