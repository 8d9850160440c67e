"""Checks of interaction examples: what a tool asks on the way to its result, and what it is answered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jsonschema
import referencing
from jsonschema.exceptions import SchemaError, ValidationError

from mkdocs_rulebook import Node, Result, finding, inapplicable
from mkdocs_rulebook.model import JSON

from ._document import ancestor, effective_scope, listed, text
from ._values import equal, is_integer, is_number

BEFORE_ELICITATION = frozenset({"2024-11-05", "2025-03-26"})
"""The revisions without elicitation."""

BEFORE_URL = BEFORE_ELICITATION | {"2025-06-18"}
"""The revisions without elicitation by URL, and without tools and context as marked abilities of sampling."""

_validators: Any = jsonschema.validators  # partly untyped in the library
FORM = _validators.extend(
    jsonschema.Draft202012Validator,
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: is_integer(value)),
)
"""Decides about the content of a form. The few keywords of a form mean the same in every dialect of JSON Schema."""

KINDS = ("elicitation", "sampling", "roots")
"""The kinds of steps, each named after the client capability that it uses."""


def declaration_known(name: Node) -> Iterator[Result]:
    """Find the name of an elicitation that the tool does not declare."""
    if not isinstance(name.value, str):
        yield inapplicable(name)
    elif not _declared(name, name.value):
        yield finding(name, f"is `{name.value}`, which is no elicitation of this tool", reason="not-declared")


def declaration_match(request: Node) -> Iterator[Result]:
    """Find where the request of a step departs from the elicitation that the step names."""
    declared = _declared(request, text(request.parent, "declaration"))
    if not declared or not isinstance(request.value, dict):
        yield inapplicable(request)
        return
    # A tool that uses a name twice breaks another rule: here the request may match either of the two.
    yield from min((list(_departures(request, declaration)) for declaration in declared), key=len)


def content_conforms(content: Node) -> Iterator[Result]:
    """Find values in an answer that the form of the same step does not accept."""
    response = content.parent
    step = response.parent if response is not None else None
    form = step.at("/request/requestedSchema") if step is not None else None
    errors = _errors(form.value, content.value) if form is not None else None
    if errors is None or text(response, "action") != "accept":
        yield inapplicable(content)
        return
    for error in errors:
        node = content
        for part in error.absolute_path:
            node = node.child(part) or node
        if error.validator != "required":
            yield finding(node, _in_words(error), reason="not-accepted")
    # The library reports each missing member on its own.
    missing = [name for error in errors for name in _missing(error)]
    if missing:
        names = list(dict.fromkeys(missing))
        yield finding(content, f"has no {_quoted(names)}, which the form requires", reason="missing", names=names)


def revision(step: Node) -> Iterator[Result]:
    """Find what a step does that a revision of its tool cannot do."""
    scope = effective_scope(step)
    kind, request = text(step, "type"), step.child("request")
    if scope is None or kind not in KINDS:
        yield inapplicable(step)
        return
    if kind == "elicitation" and scope & BEFORE_ELICITATION:
        yield from _too_early(step.child("type"), scope & BEFORE_ELICITATION)
    if request is None or not scope & BEFORE_URL:
        return
    if kind == "elicitation" and text(request, "mode") == "url":
        yield from _too_early(request.child("mode"), scope & BEFORE_URL)
    if kind == "sampling":
        for member in ("tools", "toolChoice"):
            yield from _too_early(request.child(member), scope & BEFORE_URL)


def client_requirements_agree(step: Node) -> Iterator[Result]:
    """Find what a step uses of the client though the tool, which says what it requires, does not say that."""
    tool = ancestor(step, 2)
    stated = tool.child("clientRequirements") if tool is not None else None
    kind = step.child("type")
    if kind is None or kind.value not in KINDS or stated is None or not _states_something(stated.value):
        yield inapplicable(step)
        return
    capability = stated.child(kind.value)
    if capability is None:
        yield _unstated(kind, kind.value)
    elif isinstance(capability.value, dict):
        for used, marker in _abilities(step, capability.value):
            if marker not in capability.value:
                yield _unstated(used, f"{kind.value}.{marker}")


def _declared(node: Node, name: str | None) -> list[Node]:
    """Return the elicitations of that name that the tool around a node declares."""
    tool = ancestor(node, 2)
    elicitations = tool.child("elicitations") if tool is not None else None
    if elicitations is None or name is None:
        return []
    return [elicitation for elicitation in elicitations.children() if text(elicitation, "name") == name]


def _departures(request: Node, declaration: Node) -> Iterator[Result]:
    mode = text(declaration, "mode")
    asked = request.child("mode")
    if mode is None or asked is None:
        return
    if asked.value != mode:
        yield finding(asked, f"is not `{mode}`, the mode of the declaration", reason="mode-differs")
        return
    member = {"form": "requestedSchema", "url": "url"}.get(mode, "")
    announced, shown = declaration.child(member), request.child(member)
    if announced is None or any(_is_reference(node) for node in (announced, shown)):
        return
    if shown is None:
        yield finding(request, f"has no `{member}`, which the declaration has", reason="missing", names=[member])
    else:
        yield from _differences(shown, announced)


def _differences(shown: Node, announced: Node) -> Iterator[Result]:
    """Yield the deepest nodes in which what is shown differs from what was announced."""
    if equal(shown.value, announced.value):
        return
    if not isinstance(shown.value, dict) or not isinstance(announced.value, dict):
        wanted = announced.value if isinstance(announced.value, str) or is_number(announced.value) else None
        what = "what the declaration has there" if wanted is None else f"`{wanted}`, which the declaration has there"
        yield finding(shown, f"is not {what}", reason="differs")
        return
    missing = [name for name in announced.value if name not in shown.value]
    if missing:
        yield finding(shown, f"has no {_quoted(missing)}, which the declaration has", reason="missing", names=missing)
    for node in shown.children():
        other = announced.child(str(node.key))
        if other is None:
            yield finding(node, "is not in the declaration", reason="additional", names=[str(node.key)])
        else:
            yield from _differences(node, other)


def _is_reference(node: Node | None) -> bool:
    """Whether a node is a reference that could not be followed."""
    return node is not None and isinstance(node.value, dict) and "$componentRef" in node.value


def _errors(form: JSON, content: JSON) -> list[ValidationError] | None:
    """Return what is wrong with the content of a form; None where the form itself cannot be used as a schema."""
    if not isinstance(form, dict):
        return None
    try:
        jsonschema.Draft202012Validator.check_schema(form)
        # The empty registry knows no schema: a form that refers to another one is not judged, and nothing is fetched.
        return list(FORM(form, registry=referencing.Registry()).iter_errors(content))
    except (SchemaError, referencing.exceptions.Unresolvable, RecursionError):
        return None


def _missing(error: ValidationError) -> list[str]:
    """Return the members that a form requires and its content lacks: a form is flat, so they all lack at its top."""
    if error.validator != "required" or not isinstance(error.instance, dict):
        return []
    required: Any = error.validator_value
    return [name for name in required if name not in error.instance]


def _in_words(error: ValidationError) -> str:
    if error.validator == "type":
        return f"is not of the type `{error.validator_value}`"
    if error.validator in ("enum", "oneOf"):
        return "is not one of the choices of the form"
    return f"breaks `{error.validator or 'false'}` of the form"


def _too_early(node: Node | None, revisions: frozenset[str]) -> Iterator[Result]:
    if node is not None:
        yield finding(node, f"is not possible in {listed(revisions)}", reason="not-in-revision")


def _states_something(requirements: JSON) -> bool:
    return isinstance(requirements, dict) and any(not name.startswith("x-") for name in requirements)


def _abilities(step: Node, capability: dict[str, JSON]) -> Iterator[tuple[Node, str]]:
    """Yield what a step uses beyond the bare capability, each with the name under which a client offers it."""
    request = step.child("request")
    if request is None:
        return
    mode, context = request.child("mode"), request.child("includeContext")
    if text(step, "type") == "elicitation" and mode is not None:
        # To name neither mode means forms.
        if mode.value == "url" or (mode.value == "form" and "url" in capability):
            yield mode, str(mode.value)
    elif text(step, "type") == "sampling":
        for member in ("tools", "toolChoice"):
            used = request.child(member)
            if used is not None:
                yield used, "tools"
        scope = effective_scope(step)
        marked = scope is None or bool(scope - BEFORE_URL)  # before, context came with sampling and had no marker
        if context is not None and context.value in ("thisServer", "allServers") and marked:
            yield context, "context"


def _unstated(node: Node, capability: str) -> Result:
    return finding(
        node,
        f"needs `{capability}` of the client, which `clientRequirements` does not state",
        reason="not-stated",
        names=[capability],
    )


def _quoted(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
