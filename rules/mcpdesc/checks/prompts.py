"""Checks of prompt examples against the arguments that their prompt declares."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_rulebook import Node, Result, finding, inapplicable

from ._document import ancestor, in_words, text


def argument_known(arguments: Node) -> Iterator[Result]:
    """Find arguments of an example that its prompt does not declare."""
    declared = declared_arguments(ancestor(arguments, 2))
    if declared is None or not isinstance(arguments.value, dict):
        yield inapplicable(arguments)
        return
    for argument in arguments.children():
        if argument.key not in declared:
            yield finding(
                argument,
                f"is no argument of the prompt, which has {in_words(declared)}",
                reason="unknown-argument",
                names=[str(argument.key)],
            )


def argument_required(example: Node) -> Iterator[Result]:
    """Find required arguments of a prompt for which an example has no value."""
    declared = declared_arguments(ancestor(example, 2)) or {}
    required = [name for name, is_required in declared.items() if is_required]
    if not required or not isinstance(example.value, dict):
        yield inapplicable(example)
        return
    arguments = example.child("arguments")
    given = {} if arguments is None else arguments.value
    if not isinstance(given, dict):
        yield inapplicable(example)
        return
    missing = [name for name in required if name not in given]
    if missing:
        yield finding(
            arguments or example,
            f"has no value for {in_words(missing)}, which the prompt requires",
            reason="missing-argument",
            names=missing,
        )


def declared_arguments(prompt: Node | None) -> dict[str, bool] | None:
    """Return the arguments of a prompt, and whether each is required; None where their list is unusable."""
    arguments = prompt.child("arguments") if prompt is not None else None
    if arguments is None:
        return {}
    if not isinstance(arguments.value, list):
        return None
    declared = dict[str, bool]()
    for argument in arguments.children():
        name, required = text(argument, "name"), argument.child("required")
        if name is not None:
            declared[name] = declared.get(name, False) or (required is not None and required.value is True)
    return declared
