"""Faults that really happened, by their number in the collection; each as small as it can be."""

from __future__ import annotations

import json
import socket
from typing import Any, NoReturn

import pytest

from conftest import Run
from mkdocs_rulebook.model import Outcome

FREE: dict[str, Any] = {"policy": {}}


def one(claim: str, fixture: str, pointer: str = "", **more: Any) -> dict[str, Any]:
    return {claim: [{"id": claim, "fixture": fixture, "pointer": pointer, **more}]}


def test_fault_01_an_example_that_never_triggers_its_rule_is_not_confirmed(run: Run) -> None:
    sibling = {
        "select": "$",
        "when": {"type": "object", "required": ["kind"]},
        "schema": {"type": "object", "required": ["name"]},
    }
    files = {"x.json": "{}", "y.json": '{"kind": 1, "name": 1}'}
    assert run(rule={"check": sibling, "examples": one("invalid", "x.json")}, fixtures=files).outcomes == {
        "invalid": "not-applied"
    }
    assert run(name="b", rule={"check": sibling, "examples": one("invalid", "y.json")}, fixtures=files).outcomes == {
        "invalid": "not-failing"
    }


def test_fault_02_the_same_content_as_good_and_bad_example_is_a_contradiction(run: Run) -> None:
    examples = {**one("invalid", "a.json"), **one("valid", "b.json")}
    checked = run(rule={"examples": examples}, fixtures={"a.json": '{"name":1}', "b.json": '{ "name": 1 }\n'})
    assert checked.outcomes == {"invalid": "contradiction", "valid": "contradiction"}


def test_fault_03_an_example_that_cannot_be_parsed_never_counts_as_failing(run: Run) -> None:
    verdict = run(rule={"examples": one("invalid", "x.json")}, fixtures={"x.json": '{ "a": 1 '}).verdict("invalid")
    assert verdict.outcome == Outcome.FIXTURE_UNREADABLE
    assert [(place.position.line, place.position.column) for place in verdict.related] == [(1, 10)]


def test_fault_04_a_deleted_constraint_turns_the_example_that_pins_it_red(run: Run) -> None:
    def outcome(name: str, required: list[str], **expect: Any) -> str:
        check = {"select": "$", "schema": {"type": "object", "required": required}}
        checked = run(
            name=name, rule={"check": check, "examples": one("invalid", "x.json", **expect)}, fixtures={"x.json": "{}"}
        )
        return str(checked.outcome("invalid"))

    pin = {"expect": {"names": ["a"]}}
    assert outcome("a", ["a", "b"], **pin) == "confirmed"
    assert outcome("b", ["b"], **pin) == "other-reason"
    assert outcome("c", ["b"]) == "confirmed"


def test_fault_05_a_rule_that_selects_nothing_is_a_fault_of_its_own(run: Run) -> None:
    check = {"select": "$.toolz[*]", "schema": False}
    examples = {**one("invalid", "x.json"), **one("valid", "x.json", "/tools")}
    checked = run(rule={"check": check, "examples": examples}, fixtures={"x.json": '{"tools": [1]}'})
    assert checked.outcomes == {"invalid": "not-applied", "valid": "not-applied"}
    assert [fault.kind for fault in checked.project.faults] == ["idle", "not-applied", "not-applied"]


def test_fault_06_one_malformed_path_disables_its_own_rule_only(run: Run) -> None:
    broken = {
        "id": "t.broken",
        "check": {"select": "$..p[?(@.in==query)]", "schema": False},
        "examples": one("invalid", "bad.json"),
    }
    checked = run(rules=(broken, {}))
    assert checked.outcomes == {"invalid": "check-error", "bad": "confirmed", "good": "confirmed"}
    (fault,) = [fault for fault in checked.project.faults if fault.kind == "check-error"]
    assert (fault.rule, fault.place.path.name) == ("t.broken", "rules.yaml")


def test_fault_07_a_number_as_a_key_of_yaml_is_its_spelling(run: Run) -> None:
    part = {"check": {"select": "$['404']", "schema": {"type": "number"}}, "examples": one("invalid", "x.yaml", "/404")}
    checked = run(catalogue=FREE, rule=part, fixtures={"x.yaml": "404: x\n1.10: y\nnull: z\n"})
    assert checked.lines == []
    assert run(name="b", files={"rules.yaml": "rules: []\n404: x\n"}).project.failed


def test_fault_08_a_silent_rule_names_the_other_rules_that_spoke(run: Run) -> None:
    other = {"id": "t.other", "check": {"select": "$", "schema": False}, "examples": None, "level": "may"}
    verdict = run(rules=({"examples": one("invalid", "good.json")}, other)).verdict("invalid")
    assert verdict.outcome == Outcome.NOT_FAILING
    assert verdict.detail.endswith("; other rules do: `t.other`")


def test_fault_09_a_misspelt_path_is_missing_and_the_nearest_is_named(run: Run) -> None:
    verdict = run(
        rule={"examples": one("invalid", "expected-invalid/tpyo.json")}, fixtures={"expected-invalid/typo.json": "{}"}
    ).verdict("invalid")
    assert verdict.outcome == Outcome.FIXTURE_MISSING
    assert "nearest: `expected-invalid/typo.json`" in verdict.detail


def test_fault_10_an_unquoted_date_stays_text(run: Run) -> None:
    part = {
        "check": {"select": "$.d", "schema": {"type": "string", "format": "date"}},
        "examples": one("valid", "x.yaml", "/d"),
    }
    assert run(catalogue={**FREE, "formats": True}, rule=part, fixtures={"x.yaml": "d: 2024-01-01\n"}).lines == []


def test_fault_11_on_is_a_key_and_no_boolean(run: Run) -> None:
    check = {"select": "$", "schema": {"type": "object", "required": ["on"]}}
    examples = {**one("valid", "x.yaml"), **one("invalid", "y.yaml")}
    files = {"x.yaml": "on: push\nyes: no\n", "y.yaml": "off: push\n"}
    assert run(rule={"check": check, "examples": examples}, fixtures=files).lines == []


def test_fault_12_siblings_of_a_reference_are_ignored_as_draft_7_says_and_that_is_told(run: Run) -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "definitions": {"x": {}},
        "$ref": "#/definitions/x",
        "required": ["e"],
    }
    for name, check in (("inline", {"schema": schema}), ("file", {"schema": "schemas/x.json"})):
        checked = run(
            name=name,
            rule={"check": {"select": "$", **check}, "examples": one("invalid", "x.json")},
            fixtures={"x.json": "{}"},
            files={"schemas/x.json": json.dumps(schema)},
        )
        assert checked.outcome("invalid") == Outcome.NOT_FAILING
        assert "what stands beside `$ref` is ignored: `required`" in checked.verdict("invalid").detail


def test_fault_13_slash_and_tilde_are_escaped_both_ways(run: Run) -> None:
    part = {"check": {"select": "$.*", "schema": False}, "examples": one("invalid", "x.json", "/foo~1bar~0")}
    verdict = run(rule=part, fixtures={"x.json": '{"foo/bar~": 1}'}).verdict("invalid")
    assert verdict.outcome == Outcome.CONFIRMED
    assert verdict.findings[0].pointer == "/foo~1bar~0"


def test_fault_14_a_repeated_key_is_an_error_that_names_both_places(run: Run) -> None:
    rules = "rules:\n  - id: t.x\n    title: X\n    requirement: X\n    level: may\n    check: {none: x}\n"
    rules += "    examples:\n      invalid: []\n      invalid: []\n"
    (fault,) = run(files={"b.yaml": rules}).project.faults
    assert (fault.place.position.line, [place.position.line for place in fault.related]) == (9, [8])
    checked = run(
        name="b", rule={"examples": one("invalid", "x.json")}, fixtures={"x.json": '{"a": 1,\n"a": 2}'}, catalogue=FREE
    )
    assert checked.verdict("invalid").detail == '`x.json`: the member name "a" is repeated; it is first on line 1'
    assert checked.verdict("invalid").related[0].position.line == 2


def test_fault_15_a_repeated_rule_id_is_an_error_that_names_both_places(run: Run) -> None:
    entry = "rules:\n  - id: t.name\n    title: X\n    requirement: X\n    level: may\n    check: {none: x}\n"
    (fault,) = run(files={"a.yaml": entry}).project.faults
    assert fault.message == "the rule id `t.name` is used twice"
    assert {fault.place.path.name, fault.related[0].path.name} == {"a.yaml", "rules.yaml"}


def test_fault_19_a_checkout_with_other_line_ends_gives_the_same_verdicts_at_the_same_places(run: Run) -> None:
    rules = "rules:\n  - id: t.name\n    title: X\n    requirement: |\n      One\n      two.\n    level: must\n"
    rules += "    check:\n      select: $.name\n      schema: {type: string}\n"
    rules += "    examples:\n      invalid: [{id: a, fixture: bad.json, pointer: /nmae}]\n"
    fixture = '{\n  "name": "one"\n}\n'
    seen = []
    for ends in ("\n", "\r\n"):
        checked = run(
            files={"rules.yaml": rules.replace("\n", ends)}, fixtures={"bad.json": fixture.replace("\n", ends)}
        )
        seen.append((checked.lines, checked.outcomes, checked.report.catalogue.rules[0].requirement))
    assert seen[0] == seen[1]
    assert seen[0][2] == "One\ntwo."


def test_fault_22_a_byte_order_mark_is_read_over(run: Run) -> None:
    mark = b"\xef\xbb\xbf"
    checked = run(
        fixtures={"bad.json": mark + b'{"name": 1}'},
        files={
            "catalogue.yaml": mark + b"title: T\nedition: '1'\nowners: {t: {title: T}}\nfixtures: {root: fixtures}\n"
        },
    )
    assert checked.lines == []


def test_fault_23_a_remote_reference_is_a_check_error_and_nothing_connects(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError("a socket was opened")

    for name in ("socket", "create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, refuse)
    for number, schema in enumerate(
        [
            {"$ref": "https://example.com/x.json"},
            {"$schema": "https://example.com/dialect"},
            {"$dynamicRef": "https://example.com/x"},
        ]
    ):
        checked = run(name=f"c{number}", rule={"check": {"select": "$.name", "schema": schema}})
        assert checked.outcomes == {"bad": "check-error", "good": "check-error"}
        assert len(checked.lines) == 1


@pytest.mark.parametrize("pattern", [r"^\p{L}+$", r"^(?<first>\p{Lu})\p{Ll}*$"])
def test_fault_24_patterns_are_those_of_ecma_262(run: Run, pattern: str) -> None:
    part = {"check": {"select": "$.name", "schema": {"pattern": pattern}}}
    assert run(rule=part, fixtures={"bad.json": '{"name": "a1"}', "good.json": '{"name": "Ærø"}'}).lines == []


def test_fault_25_a_check_that_raises_is_a_check_error_and_other_rules_are_unharmed(run: Run) -> None:
    raising = {
        "id": "t.raising",
        "check": {"python": "m:f"},
        "examples": {**one("invalid", "bad.json"), **one("valid", "good.json")},
    }
    checked = run(rules=(raising, {}), checks={"m.py": "def f(document):\n    return document.no_such_thing\n"})
    assert checked.outcomes == {
        "invalid": "check-error",
        "valid": "check-error",
        "bad": "confirmed",
        "good": "confirmed",
    }
    (fault,) = checked.project.faults
    assert (
        fault.message
        == "`m:f` raised AttributeError: 'Document' object has no attribute 'no_such_thing' (checks/m.py:2)"
    )


def test_fault_26_an_alias_that_is_a_live_id_is_an_error(run: Run) -> None:
    (fault,) = run(
        rules=({}, {"id": "t.new", "aliases": ["t.name"], "check": {"none": "x"}, "examples": None})
    ).project.faults
    assert fault.message == "the alias `t.name` is the id or address of a rule that exists"
