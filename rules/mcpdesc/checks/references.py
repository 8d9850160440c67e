"""Checks of references to components."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_rulebook import Document, Result, applied, finding

REFERENCE = "$componentRef"

PLACES = (
    "$.tools[*]['inputSchema','outputSchema']",
    "$['tools','resources','resourceTemplates','prompts'][*].elicitations[*].requestedSchema",
    "$['tools','resources','resourceTemplates','prompts'][*].examples[*]",
    "$.components['schemas','toolExamples','resourceExamples','resourceTemplateExamples','promptExamples'][*]",
)
"""Where the format allows a reference."""


def target_exists(document: Document) -> Iterator[Result]:
    """Find references whose target is not in the document."""
    for place in document.select(*PLACES):
        reference = place.child(REFERENCE) if isinstance(place.value, dict) else None
        if reference is None or not isinstance(reference.value, str) or not reference.value.startswith("#/"):
            continue
        yield applied(reference)
        if not _exists(document, reference.value[1:]):
            yield finding(
                reference,
                f"points to `{reference.value}`, which is not in the document",
                reason="no-target",
                names=[REFERENCE],
            )


def _exists(document: Document, pointer: str) -> bool:
    try:
        return document.at(pointer) is not None
    except ValueError:  # not a JSON Pointer, so it points to nothing
        return False
