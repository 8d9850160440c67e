"""Coverage: what a specification demands, which rule checks it, and what it is that none does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from conftest import Run
from mkdocs_rulebook.coverage import coverage, demand
from mkdocs_rulebook.model import Level
from mkdocs_rulebook.spec import open_spec

PAGE = """\
# Page

Before.

## One

<a id="req-must"></a>
A name MUST be text.

- <a id="req-should"></a>A name SHOULD be short.
- <a id="req-may"></a>A name MAY have dots.

## Two {#req-two}

It must be lower case here: no keyword.

Names are REQUIRED.

<a id="other"></a>
No requirement, though it says MUST.
"""
NAMES = [{"text": "The text", "anchors": ["spec:page#req-must"]}]


def parts(rule: Mapping[str, Any] = {}, **spec: Any) -> dict[str, Any]:
    return {
        "catalogue": {"specs": {"spec": {"pages": "spec", "requirements": "req-*", **spec}}},
        "rule": {"required_by": NAMES, **rule},
        "files": {"spec/page.md": PAGE},
    }


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("A MUST NOT b, and it MAY", Level.MUST),
        ("SHALL", Level.MUST),
        ("it is NOT RECOMMENDED", Level.SHOULD),
        ("OPTIONAL", Level.MAY),
        ("must, should and may", None),
        ("MUSTARD", None),
    ],
)
def test_the_strongest_keyword_counts_and_only_in_capitals(text: str, level: Level | None) -> None:
    assert demand(text) == level


def test_each_requirement_has_its_demand_and_its_rules(run: Run) -> None:
    catalogue = run(**parts(untestable={"page#req-may": "Dots are a matter of taste."})).report.catalogue
    found = coverage(catalogue, {name: open_spec(spec) for name, spec in catalogue.specs.items()})
    assert [(each.name, each.demand, [rule.id for rule in each.rules]) for each in found.requirements] == [
        ("spec:page#req-must", Level.MUST, ["t.name"]),
        ("spec:page#req-should", Level.SHOULD, []),
        ("spec:page#req-may", Level.MAY, []),
        ("spec:page#req-two", Level.MUST, []),
    ]
    assert [each.covered for each in found.requirements] == [True, False, True, False]
    assert found.unanchored == ()


def test_a_rule_without_an_anchor_is_listed(run: Run) -> None:
    catalogue = run(**parts({"required_by": [{"text": "Nowhere in particular"}]})).report.catalogue
    found = coverage(catalogue, {name: open_spec(spec) for name, spec in catalogue.specs.items()})
    assert [rule.id for rule in found.unanchored] == ["t.name"]


@pytest.mark.parametrize(("uncovered", "said"), [("error", ""), ("warning", "warning: ")])
def test_an_obligation_without_a_rule_is_a_fault_where_it_is_written(run: Run, uncovered: str, said: str) -> None:
    checked = run(**parts(uncovered=uncovered))
    message = "no rule names the obligation `spec:page#req-two`, nor is it declared not testable"
    assert checked.lines == [f"cat/spec/page.md:13:1: {said}uncovered: {message}"]
    assert checked.project.failed == (uncovered == "error")


def test_it_is_allowed_unless_somebody_says_otherwise(run: Run) -> None:
    assert run(**parts()).lines == []


def test_what_has_no_keyword_demands_what_the_catalogue_says(run: Run) -> None:
    checked = run(**parts(requirements="*", uncovered="error", demand="must"))
    assert [line.split("`")[1] for line in checked.lines] == [
        "spec:page#page",
        "spec:page#one",
        "spec:page#req-two",
        "spec:page#other",
    ]


def test_a_reason_covers_an_obligation(run: Run) -> None:
    assert run(**parts(uncovered="error", untestable={"page#req-two": "Nobody can tell."})).lines == []


def test_what_is_declared_not_testable_exists(run: Run) -> None:
    [line] = run(**parts(untestable={"page#req-tow": "Nobody can tell."})).lines
    assert "anchor-missing: there is no anchor `spec:page#req-tow`; nearest: `spec:page#req-two`" in line
    assert line.startswith("cat/catalogue.yaml:")


def test_what_is_declared_not_testable_is_not_checked(run: Run) -> None:
    reasons = {"page#req-must": "Nobody can tell."}
    [line] = run(**parts(untestable=reasons)).lines
    assert "`spec:page#req-must` is declared not testable, but `t.name` checks it" in line
    unchecked = {"check": {"none": "Only a person can tell."}, "examples": None}
    assert run(name="dog", **parts(unchecked, untestable=reasons)).lines == []


def test_a_list_of_anchors_is_covered_as_well(run: Run) -> None:
    spec = {"url": "https://spec.example/", "anchors": ["a#x", "a#y", "a"], "uncovered": "error", "demand": "must"}
    rule = {"required_by": [{"text": "The text", "anchors": ["spec:a#x"]}]}
    [line] = run(catalogue={"specs": {"spec": spec}}, rule=rule).lines
    assert "no rule names the obligation `spec:a#y`" in line
