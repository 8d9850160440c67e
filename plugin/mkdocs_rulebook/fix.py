"""The fix of an invalid example: a JSON Patch that has to make the rule silent and break nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import jsonpatch
import jsonpointer

from mkdocs_rulebook.checks.base import Run
from mkdocs_rulebook.checks.messages import place_in_words, shown, spot_in_words
from mkdocs_rulebook.model import JSON, Example, Rule
from mkdocs_rulebook.pointer import resolve, step, tokens
from mkdocs_rulebook.selections import judged, judged_around, touches
from mkdocs_rulebook.source.node import copied

MAX_NODES = 1_000_000
"""A patch that copies more than this together is refused."""


class PatchError(ValueError):
    """A JSON Patch does not apply; the message says why."""


def patched(value: JSON, selection: str, patch: Sequence[Mapping[str, JSON]]) -> JSON:
    """Return a document after a JSON Patch (RFC 6902) whose pointers are relative to a selection.

    The document itself stays as it is; what the patch does not touch is shared with it.

    Raises:
        PatchError: an operation cannot be carried out.
    """
    result = value
    fresh: dict[int, JSON] = {}
    for number, operation in enumerate(patch, 1):
        absolute = {
            key: selection + item if key in ("path", "from") else copied(item) for key, item in operation.items()
        }
        reason = "; ".join(_obstacles(result, absolute))
        for key in ("path", "from"):
            result = _loosened(result, absolute.get(key, ""), fresh)
        try:
            result = jsonpatch.JsonPatch([absolute]).apply(result, in_place=True)
        except (jsonpatch.JsonPatchException, jsonpointer.JsonPointerException) as error:
            words = reason or str(error).splitlines()[0]
            raise PatchError(f"operation {number}, {operation['op']} `{operation['path']}`: {words}") from None
        if operation["op"] == "copy" and _size(result) > MAX_NODES:
            raise PatchError(f"operation {number}, copy: the document grows to more than {MAX_NODES:,} nodes")
    return result


def _size(value: JSON) -> int:
    """Return how many nodes a value has, or a number above `MAX_NODES` where there are more."""
    count, waiting = 0, [value]
    while waiting and count <= MAX_NODES:
        node = waiting.pop()
        count += 1
        waiting.extend(node.values() if isinstance(node, dict) else node if isinstance(node, list) else ())
    return count


def _loosened(value: JSON, pointer: str, fresh: dict[int, JSON]) -> JSON:
    """Return a value in which the containers around a pointer may be changed: copied, unless they were before.

    `fresh` holds the containers that belong to the copy alone, by identity.
    """
    root: Any = [value]
    holder: Any = root
    key: str | int = 0
    for token in tokens(pointer):
        node = holder[key]
        if not isinstance(node, dict | list):
            break
        if id(node) not in fresh:
            node = holder[key] = node.copy()
            fresh[id(node)] = node
        found = step(node, token)
        if found is None:
            break
        holder, key = node, found[0]
    return root[0]


def _obstacles(value: JSON, operation: Mapping[str, JSON]) -> Iterator[str]:
    """Yield why an operation may not apply, in words that need no knowledge of the library that carries it out."""
    wanted = {"move": ["from"], "copy": ["from"], "remove": ["path"], "replace": ["path"], "test": ["path"]}
    for key in wanted.get(operation["op"], []):
        if key not in operation:
            yield f"it lacks `{key}`"
        elif not resolve(value, operation[key])[0]:
            yield f"there is nothing at `{operation[key]}`"
    if operation["op"] in ("add", "replace", "test") and "value" not in operation:
        yield "it lacks `value`"
    if operation["op"] in ("add", "move", "copy") and operation["path"]:
        around = operation["path"].rpartition("/")[0]
        exists, _, holder = resolve(value, around)
        if not exists or not isinstance(holder, dict | list):
            yield f"there is no object or array at {place_in_words(around)}"
    if operation["op"] == "test" and "value" in operation:
        exists, _, found = resolve(value, operation["path"])
        if exists:
            yield f"the value there is {shown(found)}, not {shown(operation['value'])}"


def fault(rule: Rule, example: Example, before: Mapping[str, Run], after: Mapping[str, Run]) -> str:
    """Say why a fix does not hold; empty where it does.

    Args:
        rule: The rule of the example.
        example: The example, with its fix.
        before: What each rule of the catalogue found in the document as it is.
        after: The same after the patch.
    """
    run = after[rule.id]
    if run.error or run.skipped or run.unjudged:
        return f"the check cannot be run on the mended document: {run.error or run.skipped or run.unjudged}"
    left = [f for f in run.findings if touches(f, example.selection)]
    if left:
        return f"`{rule.id}` still finds something afterwards: {spot_in_words(left[0])} {left[0].message}"
    if not run.unknown and not judged(run, example.selection):
        around = list(judged_around(run, example.selection))
        if around:
            nothing = f"afterwards the rule judges nothing at or below {spot_in_words(example.selection)}"
            return f"{nothing}, only {spot_in_words(around[-1])} around it: select that in `pointer`"
        return "afterwards the rule has nothing left to judge there"
    for other, result in after.items():
        if result.findings and not before[other].findings:
            worst = result.findings[0]
            return f"it breaks `{other}`, which held before: {spot_in_words(worst)} {worst.message}"
        if result.error and not before[other].error:
            return f"the check of `{other}` cannot be run on the mended document: {result.error}"
    return ""
