"""Checks of what a primitive may ask its user: names, modes and the fields of a form."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_rulebook import Node, Result, finding, inapplicable

from ._document import effective_scope
from ._values import equal, is_number

FIRST = "2025-06-18"
"""The first revision with elicitation: forms alone, in a smaller vocabulary."""

BOUNDS = (("minLength", "maxLength"), ("minimum", "maximum"), ("minItems", "maxItems"))
"""The pairs of members that bound a field."""


def name_unique(elicitations: Node) -> Iterator[Result]:
    """Find elicitations of a primitive that take a name for the second time; case matters."""
    first: dict[str, Node] = {}
    for elicitation in elicitations.children():
        name = elicitation.child("name")
        if name is None or not isinstance(name.value, str):
            continue
        earlier = first.setdefault(name.value, name)
        if earlier is not name:
            yield finding(name, f"is `{name.value}`, as is `{earlier.pointer}` already", reason="duplicate")


def mode_revision(elicitation: Node) -> Iterator[Result]:
    """Find an elicitation by URL that applies to the revision which has forms alone."""
    mode = elicitation.child("mode")
    if mode is None or FIRST not in (effective_scope(elicitation) or ()):
        yield inapplicable(elicitation)
    elif mode.value == "url":
        yield finding(mode, f"is `url`, but `{FIRST}` has forms alone", reason="not-in-revision")


def form_revision(form: Node) -> Iterator[Result]:
    """Find what a form says in words that the first revision with forms does not have."""
    if FIRST not in (effective_scope(form) or ()):
        yield inapplicable(form)
        return
    dialect = form.child("$schema")
    if dialect is not None:
        yield finding(dialect, f"is not part of a form in `{FIRST}`", reason="dialect", names=["$schema"])
    for field in _fields(form):
        kind, titled, default = field.child("type"), field.child("oneOf"), field.child("default")
        if kind is not None and kind.value == "array":
            yield finding(kind, f"is a choice of several, which `{FIRST}` does not have", reason="multiple-choice")
        if titled is not None:
            yield finding(titled, f"gives choices titles in a way that `{FIRST}` does not have", reason="titled-choice")
        if default is not None and kind is not None and kind.value != "boolean":
            yield finding(default, f"stands on a field that has no default in `{FIRST}`", reason="default")


def required_known(required: Node) -> Iterator[Result]:
    """Find names in the required list of a form that none of its fields has."""
    form = required.parent
    properties = form.child("properties") if form is not None else None
    fields = properties.value if properties is not None else {}
    if not isinstance(required.value, list) or not isinstance(fields, dict):
        yield inapplicable(required)
        return
    for name in required.children():
        if isinstance(name.value, str) and name.value not in fields:
            yield finding(name, f"is `{name.value}`, which is no field of the form", reason="no-such-field")


def enum_names(labels: Node) -> Iterator[Result]:
    """Find labels that are more or fewer than the choices they label."""
    field = labels.parent
    choices = field.child("enum") if field is not None else None
    if not isinstance(labels.value, list) or (choices is not None and not isinstance(choices.value, list)):
        yield inapplicable(labels)
    elif choices is None:
        yield finding(labels, "labels the choices of an `enum` that is not there", reason="no-enum")
    elif len(labels.value) != len(choices.value):
        yield finding(
            labels,
            f"has the length {len(labels.value)}, and the `enum` beside it has the length {len(choices.value)}",
            reason="count-differs",
        )


def default_in_choices(field: Node) -> Iterator[Result]:
    """Find a default that is not among the choices of its field."""
    default, choices, several = field.child("default"), _choices(field), field.child("items") is not None
    if default is None or choices is None:
        yield inapplicable(field)
        return
    if several and not isinstance(default.value, list):
        yield finding(default, "is not a list, though several choices can be made", reason="not-a-list")
        return
    for chosen in default.children() if several else (default,):
        if not any(equal(chosen.value, choice.value) for choice in choices):
            yield finding(chosen, "is not one of the choices of its field", reason="not-on-offer")


def bounds_in_order(field: Node) -> Iterator[Result]:
    """Find a lower bound that is above the upper bound beside it."""
    bounded = False
    for lower, upper in BOUNDS:
        low, high = field.child(lower), field.child(upper)
        bounded = bounded or low is not None or high is not None
        if low is None or high is None or not is_number(low.value) or not is_number(high.value):
            continue
        if low.value > high.value:
            yield finding(
                low,
                f"is {low.value}, which is above `{upper}`, {high.value}",
                reason="reversed",
                names=[lower, upper],
            )
    if not bounded:
        yield inapplicable(field)


def _fields(form: Node) -> Iterator[Node]:
    properties = form.child("properties")
    if properties is not None and isinstance(properties.value, dict):
        yield from properties.children()


def _choices(field: Node) -> list[Node] | None:
    """Return the values that a field offers; None where it is no choice."""
    for bare, titled, source in (("enum", "oneOf", field), ("enum", "anyOf", field.child("items"))):
        values = source.child(bare) if source is not None else None
        if values is not None and isinstance(values.value, list):
            return list(values.children())
        options = source.child(titled) if source is not None else None
        if options is not None and isinstance(options.value, list):
            found = (option.child("const") for option in options.children())
            return [value for value in found if value is not None]
    return None
