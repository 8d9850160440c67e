"""One small catalogue for each verdict: the parts that differ from the complete one of `conftest.py`."""

from __future__ import annotations

from typing import Any

from mkdocs_rulebook.model import Outcome


def _invalid(**entry: Any) -> dict[str, Any]:
    """Return a rule part whose only invalid example differs from that of `conftest.RULE`."""
    valid = {"id": "good", "fixture": "good.json", "pointer": "/name"}
    return {
        "examples": {"invalid": [{"id": "it", "fixture": "bad.json", "pointer": "/name", **entry}], "valid": [valid]}
    }


def _valid(**entry: Any) -> dict[str, Any]:
    invalid = {"id": "bad", "fixture": "bad.json", "pointer": "/name"}
    return {
        "examples": {"invalid": [invalid], "valid": [{"id": "it", "fixture": "good.json", "pointer": "/name", **entry}]}
    }


TWO = '{"name": "x", "other": {"name": 1}}'
"""A document in which the rule of `WIDE` finds something in one of two places."""

WIDE = {"check": {"select": ["$.name", "$.other.name"], "schema": {"type": "string"}}}

CASES: dict[Outcome, dict[str, Any]] = {
    Outcome.FIXTURE_MISSING: {"rule": _invalid(fixture="bda.json")},
    Outcome.FIXTURE_UNREADABLE: {"rule": _invalid(fixture="cut.json"), "fixtures": {"cut.json": '{ "a": 1 '}},
    Outcome.POINTER_MISSING: {"rule": _invalid(pointer="/nmae")},
    Outcome.CHECK_ERROR: {"rule": {**_invalid(), "check": {"python": "broken:check", "select": "$.name"}}}
    | {"checks": {"broken.py": "def check(node):\n    raise ValueError('no such luck')\n    yield\n"}},
    Outcome.CONTRADICTION: {"rule": _invalid(fixture="good.json")},
    Outcome.ELSEWHERE: {
        "rule": {**_invalid(fixture="two.json", pointer="/name"), **WIDE},
        "fixtures": {"two.json": TWO},
    },
    Outcome.NOT_APPLIED: {"rule": _invalid(fixture="other.json", pointer=""), "fixtures": {"other.json": "{}"}},
    Outcome.NOT_FAILING: {"rule": _invalid(fixture="fine.json"), "fixtures": {"fine.json": '{"name": "y"}'}},
    Outcome.OTHER_REASON: {"rule": _invalid(expect={"keyword": "enum"})},
    Outcome.FIX_FAILS: {"rule": _invalid(fix=[{"op": "replace", "path": "", "value": 2}])},
    Outcome.FAILING: {"rule": _valid(fixture="worse.json"), "fixtures": {"worse.json": '{"name": 2}'}},
    Outcome.APPLIES: {
        "rule": {
            "examples": {
                **_valid()["examples"],
                "inapplicable": [{"id": "not", "fixture": "third.json", "pointer": "/name"}],
            }
        },
        "fixtures": {"third.json": '{"name": "z"}'},
    },
}
"""For each verdict that fails a build: what it takes to reach it."""
