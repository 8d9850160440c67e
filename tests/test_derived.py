"""Derived examples: one change to a fixture, of which the outcome is what is verified, shown and published."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

from conftest import Checked, Run, Write
from mkdocs_rulebook.catalogue import load
from mkdocs_rulebook.checks.runner import Runner
from mkdocs_rulebook.control import control
from mkdocs_rulebook.derived import DerivationError, derived, replaced, spelled
from mkdocs_rulebook.model import Claim, Example, Outcome, Place, Replacement
from mkdocs_rulebook.source import read
from test_site import build, make_site, page

SPELLED = '{"name": "x", "n": 1.10, "big": 1e400, "\\u00e9": ["\\/", 10000000000000000000001]}\n'
BAD = [{"op": "replace", "path": "/name", "value": 1}]


def rule(*invalid: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a rule part with these invalid examples of `good.json`, and its valid one."""
    examples = [{"id": "it", "fixture": "good.json", "pointer": "/name", **example} for example in invalid]
    valid = [{"id": "good", "fixture": "good.json", "pointer": "/name"}]
    return {"examples": {"invalid": examples, "valid": valid}, **more}


def made(tmp_path: Path, text: str, name: str = "base.json", **change: Any) -> str:
    """Return the text of what an example makes of a fixture."""
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return derived(read(path), Example("it", Claim.INVALID, name, "", Place(path), **change)).text


def judge(run: Run, *invalid: dict[str, Any], **parts: Any) -> Checked:
    return run(rule=rule(*invalid), fixtures={"bad.json": None, **parts})


def test_the_patched_document_is_what_is_judged(run: Run) -> None:
    checked = judge(run, {"patch": BAD})
    assert checked.lines == []
    assert checked.outcomes == {"it": "confirmed", "good": "confirmed"}
    assert [finding.pointer for finding in checked.verdict("it").findings] == ["/name"]


def test_a_patch_that_leaves_the_document_valid_proves_nothing(run: Run) -> None:
    checked = judge(run, {"patch": [{"op": "replace", "path": "/name", "value": "y"}]})
    assert checked.outcome("it") == Outcome.NOT_FAILING


def test_what_a_patch_leaves_alone_or_moves_keeps_its_spelling(tmp_path: Path) -> None:
    patch = ({"op": "move", "from": "/n", "path": "/moved"}, {"op": "copy", "from": "/é/0", "path": "/copy"})
    assert made(tmp_path, SPELLED, patch=patch) == (
        '{\n  "name": "x",\n  "big": 1e400,\n  "\\u00e9": [\n    "\\/",\n    10000000000000000000001\n  ],\n'
        '  "moved": 1.10,\n  "copy": "\\/"\n}\n'
    )


def test_a_member_whose_value_is_replaced_keeps_the_spelling_of_its_name(tmp_path: Path) -> None:
    patch = ({"op": "replace", "path": "/é", "value": {"é": []}},)
    assert made(tmp_path, '{"\\u00e9": 1}', patch=patch) == '{\n  "\\u00e9": {\n    "é": []\n  }\n}\n'


def test_a_patched_yaml_document_is_json(tmp_path: Path) -> None:
    patch = ({"op": "add", "path": "/b", "value": True},)
    assert made(tmp_path, "a: 1.50  # a comment\n", "base.yaml", patch=patch) == '{\n  "a": 1.50,\n  "b": true\n}\n'


def test_a_patch_may_test_what_it_builds_on(tmp_path: Path) -> None:
    patch = ({"op": "test", "path": "", "value": {"a": [1, {"b": None}]}}, {"op": "remove", "path": "/a/0"})
    assert json.loads(made(tmp_path, '{"a": [1, {"b": null}]}', patch=patch)) == {"a": [{"b": None}]}


def test_a_document_that_nests_as_deep_as_a_file_may_can_be_patched(tmp_path: Path) -> None:
    text = '{"a": 1, "b": ' + "[" * 480 + "]" * 480 + "}"
    assert made(tmp_path, text, patch=({"op": "remove", "path": "/a"},)).count("[") == 480


def test_every_value_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[null, true, -0.0, 1E5, "\\ud83d\\ude00", {}, []]')
    assert json.loads(spelled(read(path).value)) == json.loads(path.read_text())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"patch": [{"op": "remove", "path": "/nmae"}]},
            "the patch does not apply to `good.json`: operation 1, remove `/nmae`: there is nothing at `/nmae`",
        ),
        ({"patch": [{"op": "replace", "path": "/name", "value": "x"}]}, "the patch changes nothing"),
        ({"patch": [{"op": "test", "path": "/name", "value": "x"}]}, "the patch changes nothing"),
        (
            {"patch": [{"op": "test", "path": "/name", "value": "y"}]},
            'the patch does not apply to `good.json`: operation 1, test `/name`: the value there is `"x"`, not `"y"`',
        ),
        (
            {"replace": {"old": '"nmae": "x"', "new": ""}},
            'the passage "\\"nmae\\": \\"x\\"" is not in `good.json`; nearest: line 1, "{\\"name\\": \\"x\\"}"',
        ),
        (
            {"replace": {"old": '"', "new": "'"}},
            'the passage "\\"" is in `good.json` 4 times (on lines 1, 1, 1, 1); make it longer until it is there once',
        ),
        ({"replace": {"old": "name", "new": "name"}}, "the replacement changes nothing"),
        (
            {"replace": {"old": "}", "new": ""}},
            "`good.json` after the change: expected ',' or a closing bracket, found the end of the file"
            " (line 2, column 1)",
        ),
    ],
)
def test_a_change_that_cannot_be_made_is_a_fault_at_the_example(run: Run, change: dict[str, Any], message: str) -> None:
    checked = judge(run, change)
    assert (checked.outcome("it"), checked.verdict("it").detail) == (Outcome.FIXTURE_UNREADABLE, message)
    assert [fault.kind for fault in checked.project.faults] == ["fixture-unreadable"]
    assert re.match(r"cat/rules\.yaml:\d+:\d+: fixture-unreadable: t\.name, example it: ", checked.lines[0])


def test_a_change_to_a_fixture_that_is_not_there_names_the_fixture(run: Run) -> None:
    checked = judge(run, {"fixture": "god.json", "patch": BAD})
    assert checked.verdict("it").detail == "there is no fixture `god.json`; nearest: `good.json`"


def test_the_selection_is_looked_for_in_the_patched_document(run: Run) -> None:
    added = {"patch": [{"op": "move", "from": "/name", "path": "/new"}], "pointer": "/new"}
    checked = judge(run, added)
    assert checked.outcome("it") == Outcome.NOT_APPLIED
    checked = judge(run, {**added, "pointer": "/name"})
    assert checked.outcome("it") == Outcome.POINTER_MISSING
    assert (
        checked.verdict("it").detail
        == "there is nothing at `/name` in `good.json`: not even its first part exists; nearest: `/new`"
    )


def test_one_passage_of_json_can_be_replaced_and_nothing_else_changes(run: Run) -> None:
    checked = judge(run, {"replace": {"old": '"x"', "new": "1.0"}})
    assert checked.outcomes == {"it": "confirmed", "good": "confirmed"}


def test_passages_that_overlap_are_counted_each() -> None:
    with pytest.raises(DerivationError, match=r"2 times"):
        replaced("aaa", Replacement("aa", "b"), "x")


def test_a_fix_mends_the_patched_document(run: Run) -> None:
    checked = judge(run, {"patch": BAD, "fix": [{"op": "replace", "path": "", "value": "y"}]})
    assert checked.outcome("it") == Outcome.CONFIRMED
    assert checked.verdict("it").fixed == {"name": "y"}
    checked = judge(run, {"patch": BAD, "fix": [{"op": "replace", "path": "", "value": 2}]})
    assert checked.outcome("it") == Outcome.FIX_FAILS


def test_equal_claims_about_what_two_examples_make_contradict_each_other(run: Run) -> None:
    examples = {
        "invalid": [{"id": "a", "fixture": "good.json", "pointer": "/name", "patch": BAD}],
        "valid": [{"id": "b", "fixture": "good.json", "pointer": "/name", "replace": {"old": '"x"', "new": "1"}}],
    }
    checked = run(rule={"examples": examples}, fixtures={"bad.json": None})
    assert set(checked.outcomes.values()) == {"contradiction"}


def test_a_fixture_that_is_only_changed_counts_as_no_example_of_its_group(run: Run) -> None:
    groups = {"fixtures": {"root": "fixtures", "groups": {"failing": "failing", "clean": "clean"}}}
    part = rule({"fixture": "failing/a.json", "patch": [{"op": "replace", "path": "/name", "value": 2}]})
    part["examples"]["valid"][0]["fixture"] = "clean/b.json"
    fixtures = {"failing/a.json": '{"name": 1}', "clean/b.json": '{"name": "x"}', "good.json": None, "bad.json": None}
    checked = run(catalogue=groups, rule=part, fixtures=fixtures)
    assert [fault.message for fault in checked.project.faults] == [
        "`failing/a.json` is in a failing group, but no rule has it as an example"
    ]


def test_a_valid_fixture_stays_clean_however_it_is_changed(run: Run) -> None:
    groups = {"fixtures": {"root": "fixtures", "groups": {"clean": "clean"}}}
    part = rule({"fixture": "clean/a.json", "patch": BAD})
    part["examples"]["valid"][0]["fixture"] = "clean/a.json"
    fixtures = {"clean/a.json": '{"name": "x"}', "good.json": None, "bad.json": None}
    assert run(catalogue=groups, rule=part, fixtures=fixtures).lines == []


def test_the_negative_control_holds_on_derived_examples(catalogue_dir: Write) -> None:
    fix = [{"op": "replace", "path": "", "value": "y"}]
    fixtures = {"bad.json": None, "good.json": '{"name": "x", "other": 1}'}
    folder = catalogue_dir(rule=rule({"patch": BAD, "fix": fix}), fixtures=fixtures)
    catalogue = load(folder).catalogue
    assert catalogue is not None
    with Runner(catalogue) as runner:
        attempts = list(control(catalogue, runner))
    assert all(attempt.held for attempt in attempts)
    assert {"the selection lies elsewhere", "the fix is applied"} <= {attempt.attempt for attempt in attempts}


def test_patch_and_replace_together_are_refused(run: Run) -> None:
    checked = judge(run, {"patch": BAD, "replace": {"old": "x", "new": "y"}})
    assert any("`replace` is not allowed here" in line for line in checked.lines)


# In the site


def shown(text: str) -> str:
    """Return a page as it reads, without what is only there for a screen reader."""
    return html.unescape(re.sub(r"<[^>]+>", "", re.sub(r'<span class="rb-sr">[^<]*</span>', "", text)))


def test_a_site_shows_the_change_and_holds_the_document_as_a_file(tmp_path: Path) -> None:
    fixtures = {"bad.json": None, "good.json": '{"name": "x", "n": 1.10,\n "gone": 1}\n'}
    patch = [*BAD, {"op": "remove", "path": "/gone"}]
    site = make_site(tmp_path, rule=rule({"patch": patch, "pointer": ""}), fixtures=fixtures)
    done = build(site, "--strict")
    assert done.returncode == 0, done.stderr
    text = page(site)
    published = site / "site" / "rules" / "files" / "cat" / "derived" / "t" / "name" / "it" / "good.json"
    assert published.read_text() == '{\n  "name": 1,\n  "n": 1.10\n}\n'
    assert 'href="../../files/cat/derived/t/name/it/good.json"' in text
    assert 'href="../../files/cat/fixtures/good.json"' in text
    lines = re.findall(r'<span class="(rb-line[^"]*)">(.*?)\n</span>', text, re.DOTALL)
    first = [(names, shown(line)) for names, line in lines][:4]
    assert first == [
        ("rb-line", "{"),
        ("rb-line rb-bad rb-changed", '  "name": 1,'),
        ("rb-line rb-removed", '  "n": 1.10'),
        ("rb-line", "}"),
    ]
    assert "Changed: Fails here: " in text
    assert "± Changed from good.json: 1 line added, 2 lines removed" in shown(text)


def test_a_patched_yaml_document_is_marked_where_it_differs_not_where_it_is_spelled_otherwise(tmp_path: Path) -> None:
    part = rule({"fixture": "good.yaml", "patch": BAD, "pointer": ""})
    fixtures = {"bad.json": None, "good.json": None, "good.yaml": "# a name\nname: x\nlist: [1, 1.50]\n"}
    part["examples"]["valid"] = [{"id": "good", "fixture": "good.yaml", "pointer": "/name"}]
    site = make_site(tmp_path, rule=part, fixtures=fixtures)
    done = build(site, "--strict")
    assert done.returncode == 0, done.stderr
    lines = re.findall(r'<span class="(rb-line[^"]*)">(.*?)\n</span>', page(site), re.DOTALL)
    marked = [shown(line) for names, line in lines if "rb-changed" in names or "rb-removed" in names]
    assert marked == ['  "name": 1,']


def test_two_builds_publish_the_same_document(tmp_path: Path) -> None:
    contents = []
    for name in ("one", "two"):
        site = make_site(tmp_path / name, rule=rule({"patch": BAD}), fixtures={"bad.json": None})
        assert build(site).returncode == 0
        files = sorted(path for path in (site / "site" / "rules").rglob("*") if path.is_file())
        contents.append([(path.relative_to(site).as_posix(), path.read_bytes()) for path in files])
    assert contents[0] == contents[1]


def test_a_change_outside_the_selection_is_shown_all_the_same(tmp_path: Path) -> None:
    part = {
        "check": {"select": "$", "schema": {"type": "object", "dependentRequired": {"a": ["b"]}}},
        "examples": {
            "invalid": [
                {
                    "id": "it",
                    "fixture": "good.json",
                    "show": ["/a"],
                    "patch": [{"op": "remove", "path": "/b"}],
                }
            ],
            "valid": [{"id": "good", "fixture": "good.json"}],
        },
    }
    site = make_site(tmp_path, rule=part, fixtures={"good.json": '{"a": 1, "b": 2}', "bad.json": None})
    done = build(site, "--strict")
    assert done.returncode == 0, done.stderr
    assert '-  "b": 2' in shown(page(site))
