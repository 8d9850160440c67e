"""The fix of an invalid example: a JSON Patch that has to make the rule silent and break nothing else."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence

import jsonpatch
import jsonpointer

from mkdocs_rulebook.checks.base import Run
from mkdocs_rulebook.model import JSON, Example, Rule
from mkdocs_rulebook.pointer import inside


class PatchError(ValueError):
    """A JSON Patch does not apply; the message says why."""


def patched(value: JSON, selection: str, patch: Sequence[Mapping[str, JSON]]) -> JSON:
    """Return a copy of a document after a JSON Patch (RFC 6902) whose pointers are relative to a selection.

    Raises:
        PatchError: an operation cannot be carried out.
    """
    operations = [
        {key: selection + item if key in ("path", "from") else item for key, item in operation.items()}
        for operation in patch
    ]
    try:
        return jsonpatch.JsonPatch(operations).apply(copy.deepcopy(value))
    except (jsonpatch.JsonPatchException, jsonpointer.JsonPointerException) as error:
        raise PatchError(str(error).splitlines()[0]) from None


def fault(rule: Rule, example: Example, before: Mapping[str, Run], after: Mapping[str, Run]) -> str:
    """Say why a fix does not hold; empty where it does.

    Args:
        rule: The rule of the example.
        example: The example, with its fix.
        before: What each rule of the catalogue found in the document as it is.
        after: The same after the patch.
    """
    run = after[rule.id]
    if run.error:
        return f"the check cannot be run on the mended document: {run.error}"
    left = [f for f in run.findings if _within(f.pointer, f.target, example.pointer)]
    if left:
        return f"`{rule.id}` still finds something afterwards: `{left[0].pointer}` {left[0].message}"
    if not any(_within(pointer, target, example.pointer) for pointer, target in run.applied):
        return "afterwards the rule has nothing left to judge there"
    for other, result in after.items():
        if result.findings and not before[other].findings:
            worst = result.findings[0]
            return f"it breaks `{other}`, which held before: `{worst.pointer}` {worst.message}"
    return ""


def _within(pointer: str, target: str, selection: str) -> bool:
    return inside(pointer, selection) or inside(target, selection)
