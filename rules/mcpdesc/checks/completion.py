"""Checks of completion examples: the revisions they apply to, and the names that they use."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from mkdocs_rulebook import Node, Result, finding, inapplicable

from ._document import ancestor, effective_scope, text, there_are
from .prompts import declared_arguments
from .uri_templates import parts_of, variables

WITHOUT_EXAMPLES = "2024-11-05"
"""The revision for which the format shows no completion."""

WITHOUT_CONTEXT = "2025-03-26"
"""The revision in which a completion request has no context."""


def example_revision(example: Node) -> Iterator[Result]:
    """Find completion examples that apply to 2024-11-05."""
    scope = effective_scope(example)
    if scope is None:
        yield inapplicable(example)
    elif WITHOUT_EXAMPLES in scope:
        yield finding(
            example,
            f"applies to `{WITHOUT_EXAMPLES}`, for which the format shows no completion",
            reason="not-in-revision",
        )


def context_revision(example: Node) -> Iterator[Result]:
    """Find completion contexts that apply to 2025-03-26."""
    scope, context = effective_scope(example), example.child("context")
    if scope is None or (context is None and WITHOUT_CONTEXT not in scope):
        yield inapplicable(example)
    elif context is not None and WITHOUT_CONTEXT in scope:
        yield finding(
            context,
            f"applies to `{WITHOUT_CONTEXT}`, where a completion request has no context",
            reason="not-in-revision",
        )


def target_not_in_context(example: Node) -> Iterator[Result]:
    """Find an argument that is being completed and is given in the context as well."""
    target = text(example.child("argument"), "name")
    arguments = example.at("/context/arguments")
    if target is None or arguments is None or not isinstance(arguments.value, dict):
        yield inapplicable(example)
        return
    given = arguments.child(target)
    if given is not None:
        yield finding(given, "is the argument that is being completed", reason="target-in-context", names=[target])


def prompt_target(name: Node) -> Iterator[Result]:
    """Find the completion of an argument that the prompt does not declare."""
    yield from _target(name, declared_arguments(ancestor(name, 2)), "argument of the prompt")


def prompt_context(arguments: Node) -> Iterator[Result]:
    """Find context arguments that the prompt does not declare."""
    yield from _context(arguments, declared_arguments(ancestor(arguments, 2)), "argument of the prompt")


def template_target(name: Node) -> Iterator[Result]:
    """Find the completion of a variable that the template does not have."""
    yield from _target(name, _variables(name), "variable of the template")


def template_context(arguments: Node) -> Iterator[Result]:
    """Find context arguments that are no variables of the template."""
    yield from _context(arguments, _variables(arguments), "variable of the template")


def _variables(node: Node) -> set[str] | None:
    parts = parts_of(text(ancestor(node, 2), "uriTemplate"))
    return None if parts is None else variables(parts)


def _target(name: Node, known: Collection[str] | None, what: str) -> Iterator[Result]:
    if known is None or not isinstance(name.value, str):
        yield inapplicable(name)
    elif name.value not in known:
        yield finding(
            name,
            f"is `{name.value}`, which is no {what}; {there_are(known)}",
            reason="unknown-name",
            names=[name.value],
        )


def _context(arguments: Node, known: Collection[str] | None, what: str) -> Iterator[Result]:
    if known is None or not isinstance(arguments.value, dict):
        yield inapplicable(arguments)
        return
    for argument in arguments.children():
        if argument.key not in known:
            yield finding(
                argument,
                f"is no {what}; {there_are(known)}",
                reason="unknown-name",
                names=[str(argument.key)],
            )
