"""The commands besides `check`: what `render` writes and leaves alone, what `lint` finds, what `control` notices."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conftest import Write, rulebook
from mkdocs_rulebook.catalogue import load
from mkdocs_rulebook.checks.base import Run
from mkdocs_rulebook.checks.runner import Document, Runner
from mkdocs_rulebook.control import control
from mkdocs_rulebook.model import Selection

FIX = {"op": "replace", "path": "", "value": "x"}
RULE = {
    "examples": {
        "invalid": [{"id": "bad", "fixture": "bad.json", "pointer": "/name", "fix": [FIX]}],
        "valid": [{"id": "good", "fixture": "good.json", "pointer": "/name"}],
        "inapplicable": [{"id": "none", "fixture": "none.json"}],
    }
}
PARTS: dict[str, Any] = {"rule": RULE, "fixtures": {"none.json": "{}"}}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in the folder of the test."""
    monkeypatch.chdir(tmp_path)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_render_writes_the_pages_and_the_specification_they_link_to(catalogue_dir: Write, tmp_path: Path) -> None:
    anchors = {"required_by": [{"text": "Names", "anchors": ["s:names#req"]}]}
    spec = {"specs": {"s": {"pages": "pages"}}}
    catalogue_dir(
        catalogue=spec, rule={**RULE, **anchors}, fixtures=PARTS["fixtures"], files={"pages/names.md": "# N {#req}"}
    )
    result = rulebook("render", "cat", "--to", "docs")
    assert result.exit_code == 0, result.output
    written = contents(tmp_path / "docs")
    assert b"](../../pages/names.md#req)" in written["rules/t/name.md"]
    assert written["pages/names.md"] == b"# N {#req}"
    assert {"rules/index.md", "assets/rulebook/rulebook.css", "rules/files/cat/fixtures/bad.json"} <= written.keys()


def test_render_again_changes_nothing_and_removes_what_is_gone(catalogue_dir: Write, tmp_path: Path) -> None:
    catalogue_dir(**PARTS)
    rulebook("render", "cat", "--to", "docs")
    before = contents(tmp_path / "docs")
    assert rulebook("render", "cat", "--to", "docs").exit_code == 0
    assert contents(tmp_path / "docs") == before
    catalogue_dir(rule={**RULE, "id": "t.other"}, fixtures=PARTS["fixtures"])
    assert rulebook("render", "cat", "--to", "docs").exit_code == 0
    after = contents(tmp_path / "docs")
    assert "rules/t/other.md" in after
    assert "rules/t/name.md" not in after


@pytest.mark.parametrize("link", ["rules/t", "rules", "rules/t/name.md", ".rulebook.json"])
@pytest.mark.parametrize("there", [True, False])
def test_render_follows_no_link_out_of_the_folder(catalogue_dir: Write, tmp_path: Path, link: str, there: bool) -> None:
    catalogue_dir(**PARTS)
    outside = tmp_path / "outside"
    if there:
        (outside / "kept").mkdir(parents=True)
    (tmp_path / "docs" / link).parent.mkdir(parents=True)
    (tmp_path / "docs" / link).symlink_to(outside)
    result = rulebook("render", "cat", "--to", "docs")
    assert result.exit_code == 1
    assert f"docs/{link}: is a link that leads out of the folder; nothing was written" in result.output
    assert [path.name for path in outside.rglob("*")] == (["kept"] if there else [])


def test_render_removes_nothing_behind_a_link(catalogue_dir: Write, tmp_path: Path) -> None:
    catalogue_dir(**PARTS)
    rulebook("render", "cat", "--to", "docs")
    (tmp_path / "docs/rules/t").rename(tmp_path / "outside")
    (tmp_path / "docs/rules/t").symlink_to(tmp_path / "outside")
    catalogue_dir(catalogue={**PARTS.get("catalogue", {}), "owners": {"u": {"title": "U"}}}, rule={**RULE, "id": "u.x"})
    rulebook("render", "cat", "--to", "docs", "--faults")
    assert (tmp_path / "outside/name.md").is_file()


def test_render_follows_links_within_the_folder_and_to_it(catalogue_dir: Write, tmp_path: Path) -> None:
    catalogue_dir(**PARTS)
    (tmp_path / "real/elsewhere").mkdir(parents=True)
    (tmp_path / "docs").symlink_to(tmp_path / "real")
    (tmp_path / "docs/rules").symlink_to("elsewhere")
    assert rulebook("render", "cat", "--to", "docs").exit_code == 0
    assert (tmp_path / "real/elsewhere/t/name.md").is_file()


def test_the_help_says_what_no_code_leaves_out() -> None:
    for command in ("check", "render", "lint", "control"):
        assert "no Python checks and no engines" in " ".join(rulebook(command, "--help").output.split())


@pytest.mark.parametrize("mine", ["rules/t/name.md", "rules", "rules/t/name.md/x"])
def test_render_never_replaces_a_file_of_the_user(catalogue_dir: Write, tmp_path: Path, mine: str) -> None:
    catalogue_dir(**PARTS)
    path = tmp_path / "docs" / mine
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    result = rulebook("render", "cat", "--to", "docs")
    assert result.exit_code == 1
    assert "stands where a generated file would go; nothing was written" in result.output
    assert contents(tmp_path / "docs") == {mine: b"mine"}


def test_render_leaves_a_page_alone_that_the_user_has_changed(catalogue_dir: Write, tmp_path: Path) -> None:
    catalogue_dir(**PARTS)
    rulebook("render", "cat", "--to", "docs")
    page = tmp_path / "docs/rules/t/name.md"
    page.write_text(page.read_text() + "mine")
    catalogue_dir(rule={**RULE, "title": "Another title"}, fixtures=PARTS["fixtures"])
    assert rulebook("render", "cat", "--to", "docs").exit_code == 1
    assert page.read_text().endswith("mine")


def test_render_writes_nothing_that_is_not_proved_unless_told_to(catalogue_dir: Write, tmp_path: Path) -> None:
    catalogue_dir(fixtures={"bad.json": '{"name": "fine"}'})
    assert rulebook("render", "cat", "--to", "docs").exit_code == 1
    assert not (tmp_path / "docs").exists()
    assert rulebook("render", "cat", "--to", "docs", "--faults").exit_code == 1
    assert "finds nothing wrong" in (tmp_path / "docs/rules/t/name.md").read_text()


def test_render_takes_templates_of_the_user(catalogue_dir: Write, tmp_path: Path) -> None:
    catalogue_dir(**PARTS)
    template = tmp_path / "mine/rule.md.jinja"
    template.parent.mkdir()
    template.write_text('{% extends "base/rule.md.jinja" %}{% block title %}# Mine\n{% endblock %}')
    assert rulebook("render", "cat", "--to", "docs", "--templates", "mine").exit_code == 0
    page = (tmp_path / "docs/rules/t/name.md").read_text()
    assert "# Mine" in page
    assert "## Requirement" in page


def test_lint_prints_place_level_rule_and_message(catalogue_dir: Write, tmp_path: Path) -> None:
    catalogue_dir(**PARTS)
    (tmp_path / "doc.yaml").write_text("other: 1\nname: 7\n")
    result = rulebook("lint", "--catalogue", "cat", "doc.yaml")
    assert result.stdout.splitlines() == [
        "doc.yaml:2:1: must: t.name: `/name` is a number, not a string",
        "1 finding, 1 of them against a must-rule",
    ]
    assert result.exit_code == 1


def test_lint_as_json_has_what_a_program_needs(catalogue_dir: Write, tmp_path: Path) -> None:
    catalogue_dir(**PARTS)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.json").write_text('{\n "name": 7}')
    (tmp_path / "docs/b.json").write_text("{")
    result = rulebook("lint", "--catalogue", "cat", "docs", "--format", "json")
    found = json.loads(result.stdout)
    assert [(f["rule"], f["level"], f["file"], f["pointer"], f["line"]) for f in found["findings"]] == [
        ("t.name", "must", "docs/a.json", "/name", 2)
    ]
    assert found["findings"][0]["message"] == "is a number, not a string"
    assert [error["file"] for error in found["errors"]] == ["docs/b.json"]
    assert result.exit_code == 1


def test_lint_of_should_rules_alone_succeeds(catalogue_dir: Write, tmp_path: Path) -> None:
    catalogue_dir(rule={**RULE, "level": "should"}, fixtures=PARTS["fixtures"])
    (tmp_path / "doc.json").write_text('{"name": 7}')
    result = rulebook("lint", "--catalogue", "cat", "doc.json")
    assert result.exit_code == 0
    assert "doc.json:1:2: should: t.name" in result.stdout


def test_lint_without_a_catalogue_asks_those_that_are_about_the_document(catalogue_dir: Write, tmp_path: Path) -> None:
    cats = {"type": "object", "required": ["cat"]}
    catalogue_dir("rules/cats", catalogue={"documents": cats}, **PARTS)
    catalogue_dir(
        "rules/dogs", rule={**RULE, "id": "t.dog"}, fixtures=PARTS["fixtures"], catalogue={"documents": {"not": cats}}
    )
    (tmp_path / "doc.json").write_text('{"name": 7, "cat": true}')
    assert "t.name" in rulebook("lint", "doc.json").stdout
    assert "t.dog" not in rulebook("lint", "doc.json").stdout
    assert "t.dog" in rulebook("lint", "--catalogue", "rules/dogs", "doc.json").stdout


def test_documents_that_is_no_schema_is_a_fault_with_its_line(catalogue_dir: Write) -> None:
    catalogue_dir(catalogue={"documents": {"type": "objekt"}})
    result = rulebook("check", "cat")
    assert "cat/catalogue.yaml:13:3: catalogue: `documents`: no valid JSON Schema" in result.stdout
    assert result.exit_code == 1


def test_control_tries_every_example_and_says_so(catalogue_dir: Write) -> None:
    catalogue_dir(rule=RULE, fixtures={"none.json": "{}", "bad.json": '{"name": 1, "other": 2}'})
    result = rulebook("control", "cat")
    assert result.stdout == "7 attempts to fool the verification, 0 not noticed\n"
    assert result.exit_code == 0


def test_control_says_that_there_was_nothing_to_try(catalogue_dir: Write) -> None:
    catalogue_dir(rule={**RULE, "check": {"none": "For a person."}}, fixtures={"none.json": "{}", "bad.json": "{}"})
    result = rulebook("control", "cat")
    assert result.stdout.splitlines()[0] == "nothing was tried: no example is confirmed"
    assert result.exit_code == 1


def test_control_notices_a_verification_that_confirms_everything(
    catalogue_dir: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalogue_dir(**PARTS)
    monkeypatch.setattr("mkdocs_rulebook.claims.judged_around", lambda *_: [Selection("/name")])
    monkeypatch.setattr("mkdocs_rulebook.claims.touches", lambda *_: True)
    monkeypatch.setattr("mkdocs_rulebook.control.never", lambda _, run: run)
    catalogue = load(Path("cat")).catalogue
    assert catalogue is not None
    with Runner(catalogue) as runner:
        held = {(one.example, one.attempt): one.held for one in control(catalogue, runner)}
    assert not all(held.values())


def test_control_takes_away_the_proof_itself(catalogue_dir: Write) -> None:
    """A runner that says the same of every document is found out by the fix and by the moved pointer alone."""
    catalogue = load(catalogue_dir(**PARTS)).catalogue
    assert catalogue is not None

    class Stuck(Runner):
        """Says of every document with a text what it said of the first with a number."""

        said: dict[str, Run] | None = None

        def run_all(self, document: Document) -> dict[str, Run]:
            runs = super().run_all(document)
            if not document.digest:  # a document that was mended
                assert self.said is not None
                return self.said
            if runs["t.name"].findings:
                self.said = runs
            return runs

    with Stuck(catalogue) as runner:
        attempts = list(control(catalogue, runner))
    assert {one.attempt for one in attempts if not one.held} == {"the fix is applied"}
