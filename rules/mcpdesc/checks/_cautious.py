"""A validator that decides nothing that hangs on a reference which it cannot follow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from jsonschema import validators
from jsonschema.exceptions import ValidationError
from referencing.exceptions import InvalidAnchor, NoSuchAnchor, PointerToNowhere, Unresolvable

from mkdocs_rulebook.checks.keywords import DRAFTS
from mkdocs_rulebook.model import JSON

from ._metaschema import binary, metaschema
from ._vocabulary import DRAFT_07, FOUND, MISSING, NO_SCHEMA, OUTSIDE, REFERENCES, UNKNOWN


def target_state(resolver: Any, target: str, uri: str) -> str:
    """Say whether a reference finds a schema in its own document, none, or leads out of it."""
    try:
        found = resolver.lookup(target).contents
    except (InvalidAnchor, NoSuchAnchor, PointerToNowhere):
        return MISSING
    except (AttributeError, LookupError, TypeError, Unresolvable, ValueError):
        return MISSING if target.startswith("#") else OUTSIDE
    except RecursionError:
        return UNKNOWN
    if isinstance(found, bool):
        return FOUND
    return FOUND if isinstance(found, dict) and metaschema(uri).is_valid(binary(found)) else NO_SCHEMA


Keyword = Callable[[Any, Any, Any, Mapping[str, Any]], Iterator[ValidationError]]


def cautious(uri: str, gaps: list[tuple[str, str]]) -> Any:
    """Return a validator that notes each reference it cannot follow, and decides nothing that hangs on one.

    A branch that fails has failed whatever its references lead to, so its gaps do not count. A branch that passes
    with a gap is undecided.
    """
    draft: Any = DRAFTS[uri]
    original: Mapping[str, Keyword] = draft.VALIDATORS

    def reference(keyword: str) -> Keyword:
        def judged(validator: Any, target: Any, instance: Any, schema: Mapping[str, Any]) -> Iterator[ValidationError]:
            state = target_state(validator._resolver, target, uri)
            if state == FOUND:
                yield from original[keyword](validator, target, instance, schema)
            else:
                gaps.append((target, state))

        return judged

    def branch(validator: Any, instance: Any, schema: Any, place: int | None = None) -> tuple[bool | None, list[Any]]:
        before = len(gaps)
        errors = list(validator.descend(instance, schema, schema_path=place))
        if errors:
            del gaps[before:]
            return False, errors
        return (True if len(gaps) == before else None), []

    def any_of(validator: Any, schemas: Any, instance: Any, _: Mapping[str, Any]) -> Iterator[ValidationError]:
        before, context, undecided = len(gaps), [], False
        for index, schema in enumerate(schemas):
            verdict, errors = branch(validator, instance, schema, index)
            if verdict:
                del gaps[before:]
                return
            undecided = undecided or verdict is None
            context += errors
        if not undecided:
            yield ValidationError("", context=context)

    def one_of(validator: Any, schemas: Any, instance: Any, _: Mapping[str, Any]) -> Iterator[ValidationError]:
        before, context, verdicts = len(gaps), [], []
        for index, schema in enumerate(schemas):
            verdict, errors = branch(validator, instance, schema, index)
            verdicts.append(verdict)
            context += errors
        if verdicts.count(True) > 1 or (True not in verdicts and None not in verdicts):
            del gaps[before:]
            yield ValidationError("", context=context)

    def negated(validator: Any, schema: Any, instance: Any, _: Mapping[str, Any]) -> Iterator[ValidationError]:
        if branch(validator, instance, schema)[0]:
            yield ValidationError("")

    def condition(validator: Any, schema: Any, instance: Any, around: Mapping[str, Any]) -> Iterator[ValidationError]:
        verdict, _ = branch(validator, instance, schema)
        chosen = "then" if verdict else "else"
        if verdict is not None and chosen in around:
            yield from validator.descend(instance, around[chosen], schema_path=chosen)

    def contained(validator: Any, schema: Any, instance: Any, around: Mapping[str, Any]) -> Iterator[ValidationError]:
        if not isinstance(instance, list):
            return
        before = len(gaps)
        verdicts = [branch(validator, item, schema)[0] for item in instance]
        sure, possible = verdicts.count(True), len(verdicts) - verdicts.count(False)
        counted = uri != DRAFT_07
        least = around.get("minContains", 1) if counted else 1
        most = around.get("maxContains", len(instance)) if counted else len(instance)
        if possible < least or sure > most:
            yield ValidationError("")
        elif sure >= least and possible <= most:
            del gaps[before:]

    def unevaluated(keyword: str) -> Keyword:
        def judged(validator: Any, value: Any, instance: Any, schema: Mapping[str, Any]) -> Iterator[ValidationError]:
            targets = list(_targets(schema))
            states = [(target, target_state(validator._resolver, target, uri)) for target in targets]
            if all(state == FOUND for _, state in states):
                yield from original[keyword](validator, value, instance, schema)
            elif instance and isinstance(instance, dict | list):
                gaps.extend((target, state) for target, state in states if state != FOUND)

        return judged

    own: dict[str, Keyword] = {keyword: reference(keyword) for keyword in REFERENCES if keyword in original}
    own |= {"anyOf": any_of, "oneOf": one_of, "not": negated, "if": condition, "contains": contained}
    own |= {word: unevaluated(word) for word in ("unevaluatedItems", "unevaluatedProperties") if word in original}
    extend: Any = validators.extend  # untyped in the library
    return extend(draft, own)


def _targets(schema: JSON) -> Iterator[str]:
    """Yield the targets of the references in a schema that a value in the same place can be held against."""
    stack: list[JSON] = [schema]
    while stack:
        node = stack.pop()
        if not isinstance(node, dict):
            continue
        yield from (node[word] for word in REFERENCES if isinstance(node.get(word), str))
        for keyword in ("allOf", "anyOf", "oneOf"):
            stack.extend(node.get(keyword) or [])
        for keyword in ("if", "then", "else", "not"):
            stack.append(node.get(keyword))
        stack.extend((node.get("dependentSchemas") or {}).values())
