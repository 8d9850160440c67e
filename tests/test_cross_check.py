"""`rulebook check --cross-check`: where the two JSON Schema libraries disagree, and that they do not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from conftest import Write
from mkdocs_rulebook.checks import json_schema, json_schema_rs
from mkdocs_rulebook.checks.base import Run
from mkdocs_rulebook.checks.failures import Failure
from mkdocs_rulebook.cli import main
from mkdocs_rulebook.cross_check import compare
from mkdocs_rulebook.model import JSON, Finding

REPOSITORY = Path(__file__).parents[1]


def cross_check(folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["check", str(folder), "--cross-check", *arguments])


@pytest.fixture
def mistaken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make one library take `1` for a string, and say of a string that it is one."""
    right = json_schema_rs.Validator.failures

    def failures(self: json_schema_rs.Validator, value: JSON) -> Iterator[Failure]:
        if value == "x":
            yield Failure((), ("type",), "integer", value)
        elif value != 1:
            yield from right(self, value)

    monkeypatch.setattr(json_schema_rs.Validator, "failures", failures)


_RIGHT = "it is judged and right"


def _said(one: str, other: str) -> str:
    return f"{json_schema.ENGINE} says {one}; {json_schema_rs.ENGINE} says {other}"


def test_libraries_that_agree_say_nothing(catalogue_dir: Write) -> None:
    result = cross_check(catalogue_dir())
    assert (result.exit_code, result.output) == (
        0,
        "1 rule (0 unverified), 2 examples: 2 confirmed, 0 unverified, 0 known; 0 faults\n",
    )


def test_a_disagreement_names_rule_fixture_pointer_and_both_answers(mistaken: None, catalogue_dir: Write) -> None:
    folder = catalogue_dir()
    assert CliRunner().invoke(main, ["check", str(folder)]).exit_code == 0
    result = cross_check(folder)
    assert result.exit_code == 1
    lines = [line for line in result.output.splitlines() if ": disagreement: " in line]
    assert [line.partition(": disagreement: ")[2] for line in lines] == [
        f"t.name: `bad.json`, `/name`: {_said('“is a number, not a string” (type)', _RIGHT)}",
        f"t.name: `good.json`, `/name`: {_said(_RIGHT, '“is a string, not an integer” (type)')}",
    ]
    assert "see " in result.output
    assert "bad.json:1:2" in result.output


def test_a_disagreement_is_an_annotation_too(mistaken: None, catalogue_dir: Write) -> None:
    output = cross_check(catalogue_dir(), "--format", "github").output
    assert output.count("title=disagreement") == 2


def test_a_disagreement_about_a_mended_document_is_found(catalogue_dir: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    right = json_schema_rs.Validator.failures

    def failures(self: json_schema_rs.Validator, value: JSON) -> Iterator[Failure]:
        return iter([Failure((), ("not",), {}, value)]) if value == "mended" else right(self, value)

    monkeypatch.setattr(json_schema_rs.Validator, "failures", failures)
    fix = [{"op": "replace", "path": "", "value": "mended"}]
    examples = {
        "invalid": [{"id": "bad", "fixture": "bad.json", "pointer": "/name", "fix": fix}],
        "valid": [{"id": "good", "fixture": "good.json", "pointer": "/name"}],
    }
    (line,) = [
        line
        for line in cross_check(catalogue_dir(rule={"examples": examples})).output.splitlines()
        if ": disagreement: " in line
    ]
    assert "`bad.json` mended as `t.name`, example bad, `/name`" in line


def test_when_is_compared_for_python_checks_as_well(catalogue_dir: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_schema_rs.Validator, "is_valid", lambda self, value: False)
    code = (
        "from mkdocs_rulebook import finding\ndef f(node):\n    if node.value == 1:\n        yield finding(node, 'x')\n"
    )
    folder = catalogue_dir(
        rule={"check": {"select": "$.name", "when": {"type": ["string", "integer"]}, "python": "m:f"}},
        checks={"m.py": code},
    )
    output = cross_check(folder).output
    assert output.count("says it is judged and right; ") == 2
    assert output.count("says nothing") == 2


def run(name: str, error: str = "", *findings: Finding) -> Run:
    return Run(name, findings, (("/a", "/a"),), error)


def test_what_only_one_library_can_run_is_a_disagreement_and_what_none_can_is_not() -> None:
    found = Finding("t.r", "/a", "/a", "is wrong", keyword="not")
    (only,) = compare([run("one", "", found), run("other", "too deep")])
    assert str(only) == "the document: one says 1 finding; other says “too deep”"
    assert compare([run("one", "no"), run("other", "never")]) == []


def test_a_different_keyword_or_name_at_one_place_is_a_disagreement() -> None:
    findings = [Finding("t.r", "/a", "/a", "is wrong", keyword=word) for word in ("not", "type")]
    assert [one.pointer for one in compare([run("one", "", findings[0]), run("other", "", findings[1])])] == ["/a"]
    assert compare([run("one", "", findings[0]), run("other", "", findings[0])]) == []


def test_a_schema_that_only_one_library_can_use_is_a_disagreement(catalogue_dir: Write) -> None:
    rule: dict[str, Any] = {"check": {"select": "$", "schema": {"patternProperties": {r"\bno": False}}}, "level": "may"}
    examples = {"valid": [{"id": "good", "fixture": "good.json"}]}
    output = cross_check(catalogue_dir(rule={**rule, "examples": examples})).output
    assert "jsonschema-rs" in output
    assert "names cannot be held against it" in output


def test_the_libraries_agree_on_the_whole_repository() -> None:
    result = CliRunner().invoke(
        main, ["check", *(str(REPOSITORY / "rules" / name) for name in ("mcpdesc", "outcome")), "--cross-check"]
    )
    assert result.exit_code == 0
    assert result.output.endswith("0 faults\n")
