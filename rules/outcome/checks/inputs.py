"""Checks of invalid input: what the answer names, what the contract says about allowed values, what comes next."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mkdocs_rulebook import Node, Result, finding

from ._record import contract, listed, mentions, part, scenario, text, texts, value


def names_field(result: Node) -> Iterator[Result]:
    """Find an answer to invalid input that does not name the field, or not what is allowed there."""
    content = part(result, "structuredContent")
    field = text(content, "field")
    if field is None:
        yield finding(
            part(content, "field") or content or result,
            "does not name the field at fault",
            reason="no-field",
            names=["field"],
        )
        return
    properties = part(contract(result), "tool", "inputSchema", "properties")
    declared = part(properties, field)
    sent = part(scenario(result), "request", "arguments", field)
    if declared is None and sent is None:
        yield finding(
            part(content, "field") or result,
            f"is `{field}`, which is neither an argument of the request nor a property of the input schema",
            reason="unknown-field",
            names=[field],
        )
        return
    blocks = [block.value for block in texts(result)]
    place = part(result, "content") or result
    if not any(mentions(block, field) for block in blocks):
        yield finding(place, f"does not name the field `{field}`", reason="field-not-in-text", names=[field])
    missing = [name for name in _alternatives(properties, declared) if not any(mentions(b, name) for b in blocks)]
    if missing:
        yield finding(
            place,
            f"does not name what is allowed: {listed(missing)}",
            reason="alternatives-not-in-text",
            names=missing,
        )


def same_alternatives(declared: Node) -> Iterator[Result]:
    """Find a property whose description and enumeration do not name the same values."""
    allowed = _alternatives(None, declared)
    described = text(declared, "description") or ""
    place = part(declared, "description") or declared
    missing = [name for name in allowed if not mentions(described, name)]
    if missing:
        yield finding(
            place, f"does not name {listed(missing)}, which the schema allows", reason="not-described", names=missing
        )
    around = declared.parent
    others = around.value if around is not None and isinstance(around.value, dict) else {}
    extra = [word for word in re.findall(r"`([^`]+)`", described) if word not in allowed and word not in others]
    if extra:
        yield finding(
            place, f"names {listed(extra)}, which the schema does not allow", reason="not-in-schema", names=extra
        )


def silent_change(following: Node) -> Iterator[Result]:
    """Find a call after invalid input that is the same, or changed without a word."""
    action = part(following, "action")
    if action is not None and action.value == "retry":
        yield finding(action, "is `retry`: the same call would be refused again", reason="unchanged", names=["retry"])
        return
    request = part(following, "request")
    if request is None:
        return
    trial = scenario(following)
    before = _arguments(part(trial, "request"))
    after = _arguments(request)
    if before == after and text(trial, "request", "name") == text(request, "name"):
        yield finding(request, "is the request that was refused", reason="unchanged")
        return
    said = text(following, "said") or ""
    for name in sorted(before.keys() | after.keys()):
        if name in before and name in after and before[name] == after[name]:
            continue
        word = after[name] if name in after and isinstance(after[name], str) else name
        change = "adds" if name not in before else "leaves out" if name not in after else "changes"
        if not mentions(said, word):
            yield finding(
                part(request, "arguments", name) or part(request, "arguments") or request,
                f"{change} `{name}`, and what the person is told does not have `{word}`",
                reason="silent",
                names=[name],
            )


def _alternatives(properties: Node | None, declared: Node | None) -> list[str]:
    """Return what the text has to name: the values of a field, or the fields where there is no such field."""
    if declared is None:
        return sorted(properties.value) if properties is not None and isinstance(properties.value, dict) else []
    allowed = value(declared, "enum")
    return [item for item in allowed if isinstance(item, str)] if isinstance(allowed, list) else []


def _arguments(request: Node | None) -> dict[str, Any]:
    found = value(request, "arguments")
    return found if isinstance(found, dict) else {}
