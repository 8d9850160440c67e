"""Checks of tags: where they are defined, and where they are used."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_rulebook import Document, Node, Result, applied, finding, inapplicable

from ._document import text


def unique(document: Document) -> Iterator[Result]:
    """Find tags that are defined for the second time."""
    first: dict[str, Node] = {}
    for name in document.select("$.tags[*].name"):
        if isinstance(name.value, str):
            yield applied(name)
            earlier = first.setdefault(name.value, name)
            if earlier is not name:
                yield finding(name, f"is `{name.value}`, which `{earlier.pointer}` already defines", reason="duplicate")


def known(tag: Node) -> Iterator[Result]:
    """Find a tag on a primitive that the document does not define, though it defines tags."""
    tags = tag.document.root.child("tags")
    if tags is None or not isinstance(tag.value, str):
        yield inapplicable(tag)
    elif all(text(defined, "name") != tag.value for defined in tags.children()):
        yield finding(tag, f"is `{tag.value}`, which the `tags` of the document do not define", reason="unknown-tag")
