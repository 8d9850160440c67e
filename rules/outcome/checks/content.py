"""Checks of what an answer carries: structured content, the text beside it, and error codes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

import jsonschema
import referencing
from jsonschema.protocols import Validator

from mkdocs_rulebook import Node, Result, finding, inapplicable

from ._record import codes, contract, is_error, items, listed, part, phrase, scenario, text, texts, visible

REASSURING = (
    "successfully",
    "succeeded",
    "was successful",
    "all good",
    "everything is fine",
    "everything worked",
    "no problem",
    "nothing to worry about",
    "search completed",
    "search is complete",
    "no results found",
    "no matches found",
    "no tickets found",
    "found no",
    "nothing was found",
)
"""Phrases that say that all went well, or that a search was made."""

SHORTEST_MESSAGE = 12
SHORTEST_LINE = 20


_VALIDATORS: dict[str, Validator] = {}
"""The validator of each output schema so far: the same ones come back in document after document."""


def _validator(schema: object) -> Validator:
    key = repr(schema)
    if key not in _VALIDATORS:
        declared = _plain_numbers(schema)
        kind = jsonschema.validators.validator_for(declared, default=jsonschema.Draft202012Validator)
        kind.check_schema(declared)
        _VALIDATORS[key] = kind(declared, registry=referencing.Registry())
    return _VALIDATORS[key]


def output_schema(result: Node) -> Iterator[Result]:
    """Find structured content that is missing, or that does not conform to the output schema."""
    schema = part(contract(result), "tool", "outputSchema")
    if schema is None or not isinstance(schema.value, dict):
        yield inapplicable(result)
        return
    content = part(result, "structuredContent")
    if content is None:
        yield finding(
            result,
            "has no structured content, but the tool has an output schema",
            reason="missing",
            names=["structuredContent"],
        )
        return
    try:
        errors = list(_validator(schema.value).iter_errors(_plain_numbers(content.value)))
    except Exception:
        yield finding(content, "cannot conform: the output schema is broken", reason="schema-broken")
        return
    for error in errors:
        yield finding(
            _deepest(content, error.absolute_path),
            _why(error),
            reason="not-conforming",
            names=_names(error),
        )


def text_agrees(result: Node) -> Iterator[Result]:
    """Find a text that says the opposite of the result it stands in."""
    blocks = texts(result)
    if is_error(result) and not any(block.value.strip() for block in blocks):
        yield finding(part(result, "content") or result, "has no text that tells of the error", reason="no-text")
    for block in blocks:
        if is_error(result):
            found = phrase(block.value, REASSURING, negated=False)
            if found is not None:
                yield finding(block, f'says "{found}", but the result is an error', reason="reassuring", names=[found])
        else:
            named = [code for code in codes(result) if re.search(rf"(?<!\w){re.escape(code)}(?!\w)", block.value)]
            if named:
                yield finding(
                    block, f"has {listed(named)}, but the result is not an error", reason="names-error", names=named
                )


def known_code(result: Node) -> Iterator[Result]:
    """Find an error result without a code, or with one that the contract does not have for its outcome."""
    known = codes(result)
    content = part(result, "structuredContent")
    code = part(content, "code")
    if code is None or not isinstance(code.value, str):
        yield finding(code or content or result, "has no code for the error", reason="missing", names=["code"])
        return
    outcome = text(scenario(result), "outcome")
    if code.value not in known:
        yield finding(
            code, f"is `{code.value}`, which is none of the codes of the contract", reason="unknown", names=[code.value]
        )
    elif outcome is not None and known[code.value] != outcome:
        yield finding(
            code,
            f"is `{code.value}`, which the contract has for `{known[code.value]}`, not for `{outcome}`",
            reason="other-outcome",
            names=[code.value],
        )


def mapped(answer: Node) -> Iterator[Result]:
    """Find the words of a source in what the caller reads."""
    wanted = [piece for event in items(scenario(answer), "events") for piece in _pieces(text(event, "message") or "")]
    if not wanted:
        yield inapplicable(answer)
        return
    for node in visible(answer):
        words = _plain(node.value)
        if any(piece in words for piece in wanted):
            yield finding(node, "has the words of the source behind the tool", reason="forwarded")


def _pieces(message: str) -> list[str]:
    whole = _plain(message)
    lines = [_plain(line) for line in message.splitlines()]
    pieces = [line for line in lines if len(line) >= SHORTEST_LINE]
    return [*pieces, whole] if len(whole) >= SHORTEST_MESSAGE else pieces


def _plain(words: str) -> str:
    return " ".join(words.lower().split())


def _plain_numbers(found: Any) -> Any:
    """Return a value with numbers as the schema library expects them: 1.0 is an integer in JSON Schema."""
    if isinstance(found, dict):
        return {name: _plain_numbers(member) for name, member in found.items()}
    if isinstance(found, list):
        return [_plain_numbers(member) for member in found]
    if isinstance(found, Decimal):
        return int(found) if abs(found.adjusted()) < 100 and found == found.to_integral_value() else float(found)
    return found


def _deepest(node: Node, path: Iterable[str | int]) -> Node:
    for step in path:
        below = node.child(step)
        if below is None:
            break
        node = below
    return node


def _why(error: jsonschema.ValidationError) -> str:
    names = listed(_names(error))
    if names and error.validator == "required":
        return f"lacks {names}, which the output schema requires"
    if names:
        return f"has {names}, which the output schema does not allow"
    return f"does not conform to the output schema (`{error.validator}`)"


def _names(error: jsonschema.ValidationError) -> list[str]:
    if not isinstance(error.instance, dict) or not isinstance(error.schema, dict):
        return []
    if error.validator == "additionalProperties":
        known = error.schema.get("properties")
        return [str(name) for name in error.instance if not isinstance(known, dict) or name not in known]
    if error.validator == "required" and isinstance(error.validator_value, list):
        return [str(name) for name in error.validator_value if name not in error.instance]
    return []
