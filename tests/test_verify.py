"""Verdicts: each outcome with the smallest case that reaches it, the order in which they are tried, and their words."""

from __future__ import annotations

from typing import Any

import pytest

from cases import CASES
from conftest import Checked, Run
from mkdocs_rulebook.model import Claim, Outcome, Proof, SchemaCheck

TEXT = {"select": "$.name", "schema": {"type": "string"}}
GROUPS = {"root": "fixtures", "groups": {"ok": "clean", "bad": "failing", "warn": "warning"}}


def invalid(**entry: Any) -> dict[str, Any]:
    """Return a rule part with one invalid example, named `it`, and no other."""
    return {"examples": {"invalid": [{"id": "it", "fixture": "bad.json", "pointer": "/name", **entry}]}}


def valid(**entry: Any) -> dict[str, Any]:
    return {"examples": {"valid": [{"id": "it", "fixture": "good.json", "pointer": "/name", **entry}]}}


def inapplicable(**entry: Any) -> dict[str, Any]:
    return {"examples": {"inapplicable": [{"id": "it", "fixture": "good.json", "pointer": "", **entry}]}}


LAX: dict[str, Any] = {"policy": {}}
"""A catalogue part: no rule needs an example."""


def judge(run: Run, rule: Any, **parts: Any) -> tuple[str, str]:
    """Return outcome and detail of the verdict on the example named `it`."""
    verdict = run(catalogue={**LAX, **parts.pop("catalogue", {})}, rule=rule, **parts).verdict("it")
    return str(verdict.outcome), verdict.detail


@pytest.mark.parametrize("outcome", list(CASES))
def test_each_outcome_is_reached_and_reported_at_the_example(run: Run, outcome: Outcome) -> None:
    checked = run(**CASES[outcome])
    reached = [verdict for verdict in checked.report.verdicts if verdict.outcome == outcome]
    assert reached
    assert checked.project.failed
    verdict = reached[0]
    reported = [fault for fault in checked.project.faults if fault.kind == outcome]
    place = verdict.rule.check.place if outcome == Outcome.CHECK_ERROR else verdict.example.place
    assert any(fault.place == place for fault in reported)
    assert not verdict.passes


def test_the_cases_and_the_passing_outcomes_are_all_there_are() -> None:
    assert {*CASES, Outcome.NOT_RUN, Outcome.UNVERIFIED, Outcome.CONFIRMED} == set(Outcome)


def test_a_whole_catalogue_without_fault_is_confirmed_both_ways(run: Run) -> None:
    checked = run()
    assert checked.lines == []
    assert checked.outcomes == {"bad": "confirmed", "good": "confirmed"}
    assert checked.report.proof(checked.report.catalogue.rules[0]) == Proof.BOTH
    assert not checked.project.failed


def test_without_leave_to_run_code_the_verdict_is_not_run(run: Run) -> None:
    rule = {**valid(), "check": {"python": "m:f"}}
    assert judge(run, rule, allow_code=False) == ("not-run", "Python checks are switched off for this run")


def test_a_rule_that_no_machine_decides_is_unverified_and_passes(run: Run) -> None:
    checked = run(rule={"check": {"none": "Only a reader can tell."}})
    assert checked.outcomes == {"bad": "unverified", "good": "unverified"}
    assert checked.verdict("bad").detail == "Only a reader can tell."
    assert checked.lines == []
    assert checked.report.proof(checked.report.catalogue.rules[0]) == Proof.UNVERIFIED


NOWHERE = "there is nothing at `{}` in `bad.json`: not even its first part exists; nearest: `{}`"
NONE = "the rule judges no node of this fixture: `select` finds none, or `when` leaves them out"
ONLY_NAME = {"select": "$.name", "schema": True}


@pytest.mark.parametrize(
    ("rule", "parts", "outcome", "detail"),
    [
        (invalid(pointer="/nmae"), {}, "pointer-missing", NOWHERE.format("/nmae", "/name")),
        (
            invalid(pointer="/name/x"),
            {},
            "pointer-missing",
            "there is nothing at `/name/x` in `bad.json`: `/name` exists",
        ),
        (
            invalid(show=["/oher"]),
            {"fixtures": {"bad.json": '{"name": 1, "other": 2}'}},
            "pointer-missing",
            NOWHERE.format("/oher", "/other"),
        ),
        (
            invalid(fixture="two.json"),
            {},
            "elsewhere",
            "the rule finds nothing at or below `/name`, but at `/other/name`",
        ),
        (invalid(fixture="other.json", pointer=""), {}, "not-applied", NONE),
        (
            invalid(fixture="two.json", pointer="/other/deep"),
            {"check": ONLY_NAME},
            "not-applied",
            "the rule judges no node at `/other/deep`, but `/name`",
        ),
        (invalid(fixture="good.json"), {}, "not-failing", "the rule finds nothing wrong with `/name`"),
        (invalid(fixture="good.json", pointer=""), {}, "not-failing", "the rule finds nothing wrong with the document"),
        (valid(fixture="bad.json"), {}, "failing", "the rule finds that `/name` is a number, not a string"),
        (valid(fixture="other.json", pointer=""), {}, "not-applied", NONE),
        (inapplicable(), {}, "applies", "the rule does judge `/name`"),
        (inapplicable(fixture="other.json"), {}, "confirmed", ""),
    ],
)
def test_a_verdict_says_what_was_found(run: Run, rule: Any, parts: Any, outcome: str, detail: str) -> None:
    two = {"select": ["$.name", "$.other.name"], "schema": {"type": "string"}}
    fixtures = {
        "two.json": '{"name": "x", "other": {"name": 1, "deep": {}}}',
        "other.json": "{}",
        **parts.get("fixtures", {}),
    }
    assert judge(run, {"check": parts.get("check", two), **rule}, fixtures=fixtures) == (outcome, detail)


# The order: with two things wrong, the first of the design's list is the verdict.


@pytest.mark.parametrize(
    ("rule", "parts", "outcome"),
    [
        ({**invalid(fixture="none.json"), "check": {"select": "no path", "schema": True}}, {}, "fixture-missing"),
        (
            {**invalid(fixture="cut.json"), "check": {"none": "x"}},
            {"fixtures": {"cut.json": "{"}},
            "fixture-unreadable",
        ),
        ({**invalid(pointer="/none"), "check": {"none": "x"}}, {}, "pointer-missing"),
        ({**invalid(pointer="/none"), "check": {"select": "no path", "schema": True}}, {}, "pointer-missing"),
        ({**invalid(pointer="/none"), "check": {"python": "m:f"}}, {"allow_code": False}, "pointer-missing"),
        (invalid(fixture="good.json", expect={"keyword": "enum"}), {}, "not-failing"),
        (invalid(expect={"keyword": "enum"}, fix=[{"op": "remove", "path": "/none"}]), {}, "other-reason"),
    ],
)
def test_the_first_outcome_that_holds_is_the_verdict(run: Run, rule: Any, parts: Any, outcome: str) -> None:
    assert judge(run, rule, **parts)[0] == outcome


@pytest.mark.parametrize("fixture", ["bad.json", "good.json"])
def test_a_contradiction_comes_before_what_the_check_found(run: Run, fixture: str) -> None:
    examples = {
        **invalid(fixture=fixture)["examples"],
        "valid": [{"id": "too", "fixture": fixture, "pointer": "/name"}],
    }
    assert run(rule={"examples": examples}).outcomes == {"it": "contradiction", "too": "contradiction"}


def test_a_check_that_cannot_run_comes_before_a_contradiction(run: Run) -> None:
    examples = {**invalid()["examples"], "valid": [{"id": "too", "fixture": "bad.json", "pointer": "/name"}]}
    rule = {"check": {"select": "no path", "schema": True}, "examples": examples}
    assert run(rule=rule).outcomes == {"it": "check-error", "too": "check-error"}


@pytest.mark.parametrize(
    ("one", "other", "contradicts"),
    [
        ('{"name": 1, "b": 2}', '{ "b": 2,\n "name": 1 }', True),
        ('{"name": 1}', '{"name": "1"}', False),
        ('{"name": 1.5}', '{"name": "1.5"}', False),
        ('{"name": 1}', '{"name": true}', False),
        ('{"name": 1}', '{"name": 1.0}', False),
        ('{"name": null}', '{"name": "null"}', False),
    ],
)
def test_contents_are_the_same_only_if_every_value_is(run: Run, one: str, other: str, contradicts: bool) -> None:
    examples = {
        "invalid": [{"id": "a", "fixture": "a.json", "pointer": ""}],
        "valid": [{"id": "b", "fixture": "b.json", "pointer": ""}],
    }
    checked = run(rule={"examples": examples}, fixtures={"a.json": one, "b.json": other})
    assert ("contradiction" in checked.outcomes.values()) == contradicts


def test_opposite_claims_about_different_places_or_rules_are_no_contradiction(run: Run) -> None:
    document = {"name": 1, "other": "x"}
    both = {"check": {"select": ["$.name", "$.other"], "schema": {"type": "string"}}}
    examples = {
        "invalid": [{"id": "a", "fixture": "a.json", "pointer": "/name"}],
        "valid": [{"id": "b", "fixture": "a.json", "pointer": "/other"}],
    }
    assert run(rule={**both, "examples": examples}, fixtures={"a.json": document}).lines == []


# What an example may pin.

PINNED = {
    "select": "$",
    "schema": {"type": "object", "required": ["a", "b"], "properties": {"name": {"type": "string"}}},
}


@pytest.mark.parametrize(
    ("expect", "outcome"),
    [
        ({"keyword": "required"}, "confirmed"),
        ({"keyword": "type"}, "confirmed"),
        ({"keyword": "enum"}, "other-reason"),
        ({"pointer": ""}, "confirmed"),
        ({"pointer": "/name"}, "confirmed"),
        ({"pointer": "/name", "keyword": "required"}, "other-reason"),
        ({"pointer": "", "keyword": "required", "names": ["a"]}, "confirmed"),
        ({"names": ["a", "b"]}, "confirmed"),
        ({"names": ["a", "c"]}, "other-reason"),
        ({"reason": "no-text"}, "other-reason"),
    ],
)
def test_an_example_pins_place_keyword_reason_and_names(run: Run, expect: Any, outcome: str) -> None:
    assert judge(run, {"check": PINNED, **invalid(pointer="", expect=expect)})[0] == outcome


def test_another_reason_is_told_beside_the_expected_one(run: Run) -> None:
    rule = invalid(expect={"pointer": "", "keyword": "enum", "names": ["x"]})
    assert judge(run, rule) == (
        "other-reason",
        "expected a finding at the selection itself with keyword `enum`, names `x`, "
        "found `/name` is a number, not a string (type)",
    )


def test_the_reason_of_a_python_check_can_be_pinned(run: Run) -> None:
    code = "from mkdocs_rulebook import finding\ndef f(node):\n    yield finding(node, 'is bad', reason='bad')\n"
    check = {"check": {"select": "$.name", "python": "m:f"}}
    assert judge(run, {**check, **invalid(expect={"reason": "bad"})}, checks={"m.py": code})[0] == "confirmed"
    assert (
        judge(run, {**check, **invalid(expect={"reason": "worse"})}, checks={"m.py": code}, name="b")[0]
        == "other-reason"
    )


def test_the_pinned_finding_is_told_apart(run: Run) -> None:
    verdict = run(catalogue=LAX, rule={"check": PINNED, **invalid(pointer="", expect={"keyword": "required"})}).verdict(
        "it"
    )
    assert verdict.pinned is not None
    assert (verdict.pinned.keyword, len(verdict.findings)) == ("required", 2)


# Where a finding lies.


def test_valid_is_refused_by_a_finding_around_the_selection(run: Run) -> None:
    rule = {"check": {"select": ["$", "$.name"], "schema": {"not": {"type": "object"}}}, **valid()}
    assert judge(run, rule) == ("failing", "the rule finds that the document is what the rule forbids")


def test_valid_needs_a_node_that_was_judged_at_or_below_the_selection(run: Run) -> None:
    outcome, detail = judge(run, {"check": {"select": "$", "schema": {"type": "object"}}, **valid()})
    assert (outcome, detail) == ("not-applied", "the rule judges no node at `/name`, but the document")


def test_inapplicable_is_refused_by_a_node_judged_above_the_selection(run: Run) -> None:
    assert judge(run, {"check": {"select": "$", "schema": True}, **inapplicable(pointer="/name")})[0] == "applies"


REFERRING = {
    "use": {"$ref": "#/parts/a", "note": "beside the reference"},
    "parts": {"a": {"name": 1}, "b": {"name": "x"}},
    "fine": {"$ref": "#/parts/b"},
}


@pytest.mark.parametrize(
    ("rule", "outcome"),
    [
        (invalid(fixture="r.json", pointer="/use"), "confirmed"),
        (invalid(fixture="r.json", pointer="/parts/a"), "confirmed"),
        (invalid(fixture="r.json", pointer="/parts/a/name"), "confirmed"),
        (invalid(fixture="r.json", pointer="/fine"), "elsewhere"),
        (valid(fixture="r.json", pointer="/fine"), "confirmed"),
        (valid(fixture="r.json", pointer="/parts/b/name"), "confirmed"),
        (valid(fixture="r.json", pointer="/parts/a"), "failing"),
        (invalid(fixture="r.json", pointer="/use/name"), "pointer-missing"),
        (valid(fixture="r.json", pointer="/use/note"), "failing"),
    ],
)
def test_a_finding_through_a_reference_lies_at_its_use_and_at_its_target(run: Run, rule: Any, outcome: str) -> None:
    check = {"select": ["$.use.name", "$.fine.name"], "schema": {"type": "string"}}
    parts: Any = {"catalogue": {"references": "$ref"}, "fixtures": {"r.json": REFERRING}}
    assert judge(run, {"check": check, **rule}, **parts)[0] == outcome


def test_a_rule_that_follows_no_references_sees_what_is_written(run: Run) -> None:
    check = {"select": "$.use", "follow": False, "schema": {"required": ["$ref"], "type": "object"}}
    parts: Any = {"catalogue": {"references": "$ref"}, "fixtures": {"r.json": REFERRING}}
    assert judge(run, {"check": check, **valid(fixture="r.json", pointer="/use")}, **parts)[0] == "confirmed"


# Fixes.


def fix(run: Run, *patch: Any, rule: Any = None, pointer: str = "/name", **parts: Any) -> tuple[str, str]:
    return judge(run, {**invalid(pointer=pointer, fix=list(patch)), **(rule or {})}, **parts)


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        ({"op": "remove", "path": "/none"}, "there is nothing at `/none`"),
        ({"op": "replace", "path": "/none", "value": 1}, "there is nothing at `/none`"),
        ({"op": "copy", "from": "/none", "path": "/x"}, "there is nothing at `/none`"),
        ({"op": "add", "path": "/none/deep", "value": 1}, "there is no object or array at `/none`"),
        ({"op": "add", "path": "/name/x", "value": 1}, "there is no object or array at `/name`"),
        ({"op": "add", "path": "/name"}, "it lacks `value`"),
        ({"op": "move", "path": "/x"}, "it lacks `from`"),
        ({"op": "test", "path": "/name", "value": 2}, "the value there is `1`, not `2`"),
        ({"op": "add", "path": "/list/7", "value": 1}, ""),
        ({"op": "add", "path": "/list/01", "value": 1}, ""),
        ({"op": "remove", "path": "/list/-"}, "there is nothing at `/list/-`"),
        ({"op": "remove", "path": ""}, ""),
        ({"op": "move", "from": "/list", "path": "/list/0"}, ""),
    ],
)
def test_a_patch_that_does_not_apply_fails_and_says_which_operation_and_why(
    run: Run, operation: Any, reason: str
) -> None:
    outcome, detail = fix(run, operation, pointer="", fixtures={"bad.json": '{"name": 1, "list": []}'})
    assert outcome == "fix-fails"
    assert detail.startswith(
        f"the patch does not apply: operation 1, {operation['op']} `{operation['path']}`: {reason}"
    )
    assert "class" not in detail


def test_a_patch_is_relative_to_the_selection_and_its_operations_build_on_each_other(run: Run) -> None:
    patch = [
        {"op": "add", "path": "/new", "value": {}},
        {"op": "add", "path": "/new/text", "value": "x"},
        {"op": "move", "from": "/new/text", "path": "/name"},
        {"op": "remove", "path": "/new"},
    ]
    rule = {"check": {"select": "$.a.name", "schema": {"type": "string"}}, **invalid(pointer="/a", fix=patch)}
    verdict = run(catalogue=LAX, rule=rule, fixtures={"bad.json": '{"a": {"name": 1}}'}).verdict("it")
    assert (verdict.outcome, verdict.fixed) == (Outcome.CONFIRMED, {"a": {"name": "x"}})
    assert [dict(operation) for operation in verdict.example.fix] == patch


@pytest.mark.parametrize(
    "patch",
    [
        [{"op": "test", "path": "", "value": 1}],
        [{"op": "replace", "path": "", "value": 1}],
        [{"op": "replace", "path": "", "value": 2}, {"op": "replace", "path": "", "value": 1}],
    ],
)
def test_a_patch_that_changes_nothing_fails(run: Run, patch: Any) -> None:
    assert fix(run, *patch) == ("fix-fails", "the patch changes nothing")


@pytest.mark.parametrize(("before", "after"), [("1", True), ("0", False), ("true", 1), ("1.0", 1)])
def test_a_change_of_type_alone_is_a_change(run: Run, before: str, after: Any) -> None:
    kind = "boolean" if isinstance(after, bool) else "string"
    rule = {"check": {"select": "$.name", "schema": {"type": kind}}}
    outcome, detail = fix(
        run, {"op": "replace", "path": "", "value": after}, rule=rule, fixtures={"bad.json": f'{{"name": {before}}}'}
    )
    assert detail != "the patch changes nothing"
    assert (outcome == "confirmed") == (kind == "boolean")


def test_a_fix_after_which_the_rule_still_finds_something_fails(run: Run) -> None:
    assert fix(run, {"op": "replace", "path": "", "value": 2}) == (
        "fix-fails",
        "`t.name` still finds something afterwards: `/name` is a number, not a string",
    )


def test_a_fix_that_leaves_nothing_to_judge_fails(run: Run) -> None:
    outcome = fix(run, {"op": "remove", "path": "/name"}, pointer="")
    assert outcome == ("fix-fails", "afterwards the rule has nothing left to judge there")


def test_a_fix_of_less_than_what_the_rule_judges_is_told_what_to_select(run: Run) -> None:
    rule = {"check": {"select": "$", "schema": {"type": "object", "properties": {"name": {"type": "string"}}}}}
    assert fix(run, {"op": "replace", "path": "", "value": "x"}, rule=rule) == (
        "fix-fails",
        "afterwards the rule judges nothing at or below `/name`, only the document around it: select that in `pointer`",
    )


def second(check: Any, **more: Any) -> dict[str, Any]:
    return {"id": "t.second", "check": check, "examples": None, "level": "may", **more}


def test_a_fix_that_breaks_another_rule_fails(run: Run) -> None:
    rules = (
        invalid(fix=[{"op": "replace", "path": "", "value": "long text"}]),
        second({"select": "$.name", "schema": {"maxLength": 3}}),
    )
    verdict = run(catalogue=LAX, rules=rules).verdict("it")
    assert verdict.detail == "it breaks `t.second`, which held before: `/name` has 9 characters, more than 3"
    assert verdict.outcome == Outcome.FIX_FAILS


def test_a_fix_need_not_mend_what_was_broken_before(run: Run) -> None:
    rules = (invalid(fix=[{"op": "replace", "path": "", "value": "x"}]), second({"select": "$.name", "schema": False}))
    assert run(catalogue=LAX, rules=rules).outcome("it") == Outcome.CONFIRMED


def test_a_fix_on_which_another_check_cannot_run_proves_nothing(run: Run) -> None:
    code = "def f(node):\n    return [] if node.value == 1 else 1 / 0\n"
    rules = (invalid(fix=[{"op": "replace", "path": "", "value": "x"}]), second({"select": "$.name", "python": "m:f"}))
    verdict = run(catalogue=LAX, rules=rules, checks={"m.py": code}, fixtures={"good.json": None}).verdict("it")
    assert verdict.outcome == Outcome.FIX_FAILS
    assert verdict.detail.startswith(
        "the check of `t.second` cannot be run on the mended document: `m:f` raised ZeroDivisionError"
    )


def test_a_fix_of_a_document_that_nests_deep_is_judged(run: Run) -> None:
    deep = '{"name": 1, "deep": ' + "[" * 490 + "]" * 490 + "}"
    assert fix(run, {"op": "replace", "path": "", "value": "x"}, fixtures={"bad.json": deep}) == ("confirmed", "")


# Known faults.

GONE = "the known fault `not-failing` is gone: the claim holds, so drop `known`"
OTHER = "the known fault is `not-failing`, but this is another: "


@pytest.mark.parametrize(
    ("entry", "faults"),
    [
        ({"fixture": "good.json", "known": {"verdict": "not-failing", "reason": "x"}}, []),
        ({"fixture": "none.json", "known": {"verdict": "fixture-missing", "reason": "x"}}, []),
        ({"known": {"verdict": "not-failing", "reason": "x"}}, ["known: t.name, example it: " + GONE]),
        (
            {"pointer": "/none", "known": {"verdict": "not-failing", "reason": "x"}},
            ["pointer-missing: t.name, example it: " + OTHER + NOWHERE.format("/none", "/name")],
        ),
    ],
)
def test_a_known_fault_passes_until_it_is_gone_or_another(run: Run, entry: Any, faults: list[str]) -> None:
    checked = run(catalogue=LAX, rule=invalid(**entry))
    assert [line.split(": ", 1)[1] for line in checked.lines] == faults
    assert checked.verdict("it").passes == (not faults)


# A valid example that breaks something else.

STRICT = {"select": "$.name", "schema": {"minLength": 3}}


@pytest.mark.parametrize(
    ("level", "breaks", "kinds"),
    [
        ("must", [], ["breaks-other"]),
        ("must-not", [], ["breaks-other"]),
        ("must", ["t.second"], []),
        ("should", [], []),
        ("should", ["t.second"], []),
    ],
)
def test_a_valid_example_that_breaks_another_must_rule_says_so(
    run: Run, level: str, breaks: Any, kinds: list[str]
) -> None:
    checked = run(catalogue=LAX, rules=(valid(breaks=breaks), second(STRICT, level=level)))
    assert [fault.kind for fault in checked.project.faults] == kinds
    assert list(checked.verdict("it").also) == ["t.second"]


def test_a_rule_that_is_said_to_be_broken_and_is_not_is_a_fault(run: Run) -> None:
    checked = run(catalogue=LAX, rules=(valid(breaks=["t.second"]), second({"select": "$.name", "schema": True})))
    assert [fault.message for fault in checked.project.faults] == [
        "the example is said to break `t.second`, but does not"
    ]


def test_nothing_is_said_of_a_rule_that_could_not_be_run(run: Run) -> None:
    checked = run(catalogue=LAX, rules=(valid(breaks=["t.second"]), second({"select": "$.name", "python": "m:f"})))
    assert [fault.kind for fault in checked.project.faults] == ["check-error"]


def test_an_invalid_example_names_the_other_rules_that_find_something_in_it(run: Run) -> None:
    checked = run(catalogue=LAX, rules=(invalid(fixture="good.json"), second(STRICT, level="must")))
    assert checked.verdict("it").detail == "the rule finds nothing wrong with `/name`; other rules do: `t.second`"


# The catalogue as a whole.


def groups(run: Run, *rules: Any, **fixtures: Any) -> list[str]:
    files = {
        "bad.json": None,
        "good.json": None,
        **{name.replace("__", "/") + ".json": text for name, text in fixtures.items()},
    }
    checked = run(
        catalogue={**LAX, "fixtures": GROUPS}, rules=rules or (invalid(fixture="bad/a.json"),), fixtures=files
    )
    return [line.removeprefix("cat/").split(" `", 1)[-1] for line in checked.lines]


WARN = {
    "id": "t.warn",
    "level": "should",
    "check": {"select": "$.note", "schema": {"type": "string"}},
    "examples": None,
}
OK, BAD, NOTE = '{"name": "x", "note": "x"}', '{"name": 1, "note": "x"}', '{"name": "x", "note": 1}'


def test_groups_that_keep_their_promise_are_no_fault(run: Run) -> None:
    assert groups(run, invalid(fixture="bad/a.json"), WARN, ok__a=OK, bad__a=BAD, warn__a=NOTE) == []


@pytest.mark.parametrize(
    ("fixtures", "expected"),
    [
        ({"ok__a": BAD}, "ok/a.json` is in a clean group, but `/name` is a number, not a string"),
        ({"ok__a": NOTE}, "ok/a.json` is in a clean group, but `/note` is a number, not a string"),
        ({"bad__a": OK}, "bad/a.json` is in a failing group, but breaks no must-rule"),
        ({"bad__a": NOTE}, "bad/a.json` is in a failing group, but breaks no must-rule"),
        ({"bad__b": BAD}, "bad/b.json` is in a failing group, but no rule has it as an example"),
        (
            {"warn__a": BAD},
            "warn/a.json` is in a warning group, but breaks a must-rule: `/name` is a number, not a string",
        ),
        ({"warn__a": OK}, "warn/a.json` is in a warning group, but breaks no rule"),
        ({"ok__cut": "{"}, "ok/cut.json`: expected a member name in double quotes, found the end of the file"),
        ({"ok__deep__er": BAD}, "ok/deep/er.json` is in a clean group, but `/name` is a number, not a string"),
    ],
)
def test_a_file_that_is_not_what_its_group_promises_is_a_fault(run: Run, fixtures: Any, expected: str) -> None:
    found = groups(
        run, invalid(fixture="bad/a.json"), WARN, **{"ok__a": OK, "bad__a": BAD, "warn__a": NOTE, **fixtures}
    )
    assert expected in found


def test_a_group_without_files_is_a_fault_where_it_is_named(run: Run) -> None:
    checked = run(
        files={
            "catalogue.yaml": "title: T\nedition: '1'\nowners: {t: {title: T}}\n"
            "fixtures:\n  root: fixtures\n  groups:\n    ok: clean\n"
        }
    )
    assert checked.lines == ["cat/catalogue.yaml:7:5: group: the fixture group `ok` has no file"]


@pytest.mark.parametrize("broken", [{"python": "none:f"}, {"select": "no path", "schema": True}])
def test_silence_of_a_check_that_cannot_run_is_no_evidence_against_a_group(run: Run, broken: Any) -> None:
    rule = {**second(broken, level="must"), "examples": {"invalid": [{"id": "x", "fixture": "bad/a.json"}]}}
    found = groups(run, {"examples": None}, WARN, rule, ok__a=OK, bad__a=OK, warn__a=NOTE)
    assert [line for line in found if "group" in line] == []


@pytest.mark.parametrize(
    ("policy", "level", "example", "missing"),
    [
        (None, "must", invalid(), "a must-rule needs a valid example that is confirmed"),
        (None, "must-not", valid(), "a must-not-rule needs an invalid example that is confirmed"),
        (None, "should", invalid(), ""),
        (
            {"should": {"examples": ["inapplicable"]}},
            "should",
            invalid(),
            "a should-rule needs an inapplicable example that is confirmed",
        ),
        ({"must": {"examples": ["invalid"]}}, "must", invalid(), ""),
        ({}, "must", invalid(), ""),
    ],
)
def test_each_level_needs_the_examples_of_its_policy(
    run: Run, policy: Any, level: str, example: Any, missing: str
) -> None:
    checked = run(catalogue={"policy": policy}, rule={"level": level, **example})
    assert [fault.message for fault in checked.project.faults] == [missing] * bool(missing)


def test_an_example_that_fails_is_not_reported_as_missing_too(run: Run) -> None:
    checked = run(
        rule={
            "examples": {
                **invalid(fixture="good.json", pointer="")["examples"],
                "valid": [{"id": "v", "fixture": "good.json", "pointer": "/name"}],
            }
        }
    )
    assert [fault.kind for fault in checked.project.faults] == ["not-failing"]


def test_a_rule_that_no_machine_decides_needs_no_examples(run: Run) -> None:
    assert run(rule={"check": {"none": "x"}, "examples": None}).lines == []


@pytest.mark.parametrize(
    "check",
    [{"select": "$.toolz[*]", "schema": False}, {"select": "$", "when": False, "schema": False}, {"python": "m:f"}],
)
def test_a_rule_that_judges_no_node_of_any_fixture_is_a_fault(run: Run, check: Any) -> None:
    checked = run(catalogue=LAX, rule={"check": check, "examples": None}, checks={"m.py": "def f(d):\n    return []\n"})
    (fault,) = checked.project.faults
    assert (fault.kind, fault.place) == ("idle", checked.report.catalogue.rules[0].check.place)


# Specification anchors.

PAGES = {"spec/tools.md": "# Tools\n\n## Errors {#errors}\n", "spec/deep/page.md": "# Deep {#deep}\n"}


def anchored(run: Run, anchor: str, spec: Any, **files: str) -> list[str]:
    rule = {"required_by": [{"text": "Section 1", "anchors": [anchor]}]}
    checked = run(catalogue={"specs": {"spec": spec}}, rule=rule, files={**PAGES, **files})
    return [line.split(": ", 1)[1] for line in checked.lines]


@pytest.mark.parametrize(
    ("anchor", "message"),
    [
        ("spec:tools#errors", ""),
        ("spec:tools", ""),
        ("spec:deep/page#deep", ""),
        (
            "spec:tools#erors",
            "anchor-missing: t.name: there is no anchor `spec:tools#erors`; nearest: `spec:tools#errors`",
        ),
        ("spec:tolls", "anchor-missing: t.name: there is no anchor `spec:tolls`; nearest: `spec:tools`"),
        ("spec:tools#qqqq", "anchor-missing: t.name: there is no anchor `spec:tools#qqqq`"),
    ],
)
def test_an_anchor_of_a_page_exists_or_is_a_fault_that_names_the_nearest(run: Run, anchor: str, message: str) -> None:
    assert anchored(run, anchor, {"pages": "spec"}) == [message] * bool(message)


@pytest.mark.parametrize(
    ("anchors", "anchor", "message"),
    [
        (None, "spec:any#thing", ""),
        (["tools#errors"], "spec:tools#errors", ""),
        (
            ["tools#errors"],
            "spec:tools#erors",
            "anchor-missing: t.name: there is no anchor `spec:tools#erors`; nearest: `spec:tools#errors`",
        ),
        ([], "spec:tools#errors", "anchor-missing: t.name: there is no anchor `spec:tools#errors`"),
    ],
)
def test_an_external_anchor_is_held_against_the_list_if_there_is_one(
    run: Run, anchors: Any, anchor: str, message: str
) -> None:
    spec = {"url": "https://example.com/", **({} if anchors is None else {"anchors": anchors})}
    assert anchored(run, anchor, spec) == [message] * bool(message)


def test_a_specification_page_that_cannot_be_read_is_a_fault_of_that_page(run: Run) -> None:
    rule = {"required_by": [{"text": "Section 1", "anchors": ["spec:tools#errors"]}]}
    checked = run(catalogue={"specs": {"spec": {"pages": "spec"}}}, rule=rule, files={"spec/tools.md": "# x\n\x00"})
    assert [line.split(": control")[0] for line in checked.lines] == ["cat/spec/tools.md:2:1: anchor-missing: t.name"]


# What a report keeps.


def test_a_check_error_is_reported_once_however_many_fixtures_show_it(run: Run) -> None:
    many = {f"{n}.json": '{"name": 1}' for n in range(5)}
    rule = {"check": {"select": "$.name", "python": "m:f"}}
    checked = run(rule=rule, fixtures=many, checks={"m.py": "def f(node):\n    raise ValueError(node.value)\n"})
    (fault,) = checked.project.faults
    assert (fault.kind, fault.message) == ("check-error", "`m:f` raised ValueError: 1 (checks/m.py:2)")
    assert [place.path.name for place in fault.related] == ["0.json"]


def test_a_fault_names_the_place_in_the_fixture_as_related(run: Run) -> None:
    checked = run(rule=valid(fixture="bad.json"), catalogue=LAX, fixtures={"bad.json": '{\n  "name": 1\n}'})
    (fault,) = checked.project.faults
    assert [(place.path.name, place.position.line, place.position.column) for place in fault.related] == [
        ("bad.json", 2, 3)
    ]


def test_the_faults_of_one_file_stand_together_in_the_order_of_its_lines(run: Run) -> None:
    checked = run(
        rules=(invalid(fixture="none.json"), second({"select": "no path", "schema": True})),
        files={"a.yaml": "rules: [5, 6]\n"},
    )
    places = [(fault.place.path.name, fault.place.position) for fault in checked.project.faults]
    assert places == sorted(places)
    assert len({name for name, _ in places}) == 2


def test_two_runs_say_the_same(run: Run) -> None:
    def once() -> Checked:
        return run(**CASES[Outcome.OTHER_REASON])

    assert once().lines == once().lines
    assert once().report.verdicts == once().report.verdicts


def test_proof_goes_by_the_confirmed_examples(run: Run) -> None:
    for part, proof in (
        (invalid(), Proof.INVALID_ONLY),
        (valid(), Proof.VALID_ONLY),
        (invalid(fixture="good.json"), Proof.NONE),
    ):
        report = run(catalogue=LAX, rule=part).report
        assert report.proof(report.catalogue.rules[0]) == proof


def test_claims_and_checks_are_what_the_rule_file_says(run: Run) -> None:
    rule = run().report.catalogue.rules[0]
    assert [example.claim for example in rule.examples] == [Claim.INVALID, Claim.VALID]
    assert isinstance(rule.check, SchemaCheck)
    assert rule.check.select == ("$.name",)


def test_a_known_fault_is_enough_for_the_policy(run: Run) -> None:
    known = {"verdict": "not-failing", "reason": "The check is too weak."}
    entry = {"id": "it", "fixture": "good.json", "pointer": "", "known": known}
    valid = {"id": "good", "fixture": "good.json", "pointer": "/name"}
    checked = run(rule={"examples": {"invalid": [entry], "valid": [valid]}})
    assert checked.lines == []


def test_a_check_that_is_known_to_fail_is_accepted_where_every_example_says_so(run: Run) -> None:
    known = {"verdict": "check-error", "reason": "It cannot be run yet."}
    part = {"check": {"python": "m:f", "select": "$.name"}}
    code = {"m.py": "def f(node):\n    raise ValueError('no')\n    yield\n"}
    bad = {"id": "bad", "fixture": "bad.json", "pointer": "/name", "known": known}
    good = {"id": "good", "fixture": "good.json", "pointer": "/name", "known": known}
    assert run(rule={**part, "examples": {"invalid": [bad], "valid": [good]}}, checks=code).lines == []
    del good["known"]
    lines = run(rule={**part, "examples": {"invalid": [bad], "valid": [good]}}, checks=code).lines
    assert [line.split(": ")[1] for line in lines] == ["check-error"]
