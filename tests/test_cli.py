"""The command: exit codes, the lines that it prints, and that nobody ever sees a traceback."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import mkdocs_rulebook
from conftest import Write, rulebook

BROKEN = {"fixtures": {"bad.json": '{"name": "x"}', "good.json": '{"name": 1}'}}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in the folder of the test."""
    monkeypatch.chdir(tmp_path)


def command(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    package = Path(mkdocs_rulebook.__file__).parent.parent
    return subprocess.run(
        [sys.executable, "-m", "mkdocs_rulebook.cli", *arguments],
        capture_output=True,
        encoding=environment.get("PYTHONIOENCODING", "utf-8"),
        env={**os.environ, "PYTHONPATH": str(package), **environment},
        check=False,
    )


def test_without_fault_the_summary_is_all_there_is_and_the_exit_code_is_0(catalogue_dir: Write) -> None:
    catalogue_dir()
    result = rulebook("check", "cat")
    assert result.stdout == "1 rule (0 unverified), 2 examples: 2 confirmed, 0 unverified, 0 known; 0 faults\n"
    assert (result.exit_code, result.stderr) == (0, "")


def test_all_faults_of_a_run_are_printed_by_file_and_line_and_the_exit_code_is_1(catalogue_dir: Write) -> None:
    catalogue_dir(**BROKEN, files={"a.yaml": "rules: [5]\n", "schemas/s.json": "{"})
    result = rulebook("check", "cat")
    assert result.exit_code == 1
    *lines, summary = result.stdout.splitlines()
    assert lines == [
        "cat/a.yaml",
        "  cat/a.yaml:1:9: catalogue: item 1 of `rules` is a number, not an object",
        "cat/rules.yaml",
        "  cat/rules.yaml:17:7: not-failing: t.name, example bad: the rule finds nothing wrong with `/name`",
        "      see cat/fixtures/bad.json:1:2",
        "  cat/rules.yaml:24:7: failing: t.name, example good: the rule finds that `/name` is a number, not a string",
        "      see cat/fixtures/good.json:1:2",
        "cat/schemas/s.json",
        "  cat/schemas/s.json:1:2: catalogue: expected a member name in double quotes, found the end of the file",
    ]
    assert summary == "1 rule (0 unverified), 2 examples: 0 confirmed, 0 unverified, 0 known; 4 faults"


def test_the_summary_counts_unverified_known_and_warnings(catalogue_dir: Write) -> None:
    known = {"id": "k", "fixture": "none.json", "known": {"verdict": "fixture-missing", "reason": "x"}}
    loose = {"select": ["$", "$.name"], "schema": {"properties": {"name": {"type": "string"}}}}
    catalogue_dir(
        catalogue={"policy": {}},
        rules=(
            {"check": loose, "examples": {"invalid": [known, {"id": "i", "fixture": "bad.json"}]}},
            {"id": "t.none", "check": {"none": "x"}},
        ),
    )
    result = rulebook("check", "cat")
    assert result.stdout.splitlines()[-1] == (
        "2 rules (1 unverified), 4 examples: 1 confirmed, 2 unverified, 1 known; 0 faults, 1 warning"
    )
    assert result.exit_code == 0


def test_faults_become_annotations_of_a_review(catalogue_dir: Write) -> None:
    catalogue_dir("a,b", rule={"check": {"select": "$.name", "schema": {"pattern": "100%:"}}, "id": "t.name"})
    result = rulebook("check", "a,b", "--format", "github")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "::error file=a%2Cb/rules.yaml,line=17,col=7,title=not-failing::"
        "t.name, example bad: the rule finds nothing wrong with `/name`",
        "::error file=a%2Cb/rules.yaml,line=24,col=7,title=failing::"
        't.name, example good: the rule finds that `/name` is `"x"`, which does not match the pattern `100%25:`',
    ]
    assert result.stderr.startswith("1 rule (0 unverified)")


def test_a_warning_is_an_annotation_of_its_own_kind(catalogue_dir: Write) -> None:
    catalogue_dir(rule={"check": {"select": ["$", "$.name"], "schema": {"properties": {"name": {"type": "string"}}}}})
    result = rulebook("check", "cat", "--format", "github")
    assert re.search(
        "^::warning file=cat/rules.yaml,line=[0-9]+,col=[0-9]+,title=untyped-schema::", result.stdout, re.M
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["check"],
        ["check", "nowhere"],
        ["check", "x" * 5000],
        ["check", "--format", "xml"],
        ["chekc"],
        ["check", "--nope"],
    ],
)
def test_a_wrong_call_ends_with_2_and_says_what_is_wrong(arguments: list[str]) -> None:
    result = rulebook(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Usage:" in result.stderr
    assert "Error:" in result.stderr


def test_without_arguments_all_catalogues_below_rules_are_checked(catalogue_dir: Write) -> None:
    catalogue_dir("rules/one")
    catalogue_dir("rules/two", rule={"id": "t.two"})
    assert rulebook("check").stdout.startswith("2 rules (0 unverified), 4 examples: 4 confirmed")


def test_without_arguments_a_catalogue_in_the_current_folder_is_checked(
    catalogue_dir: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(catalogue_dir())
    assert rulebook("check").stdout.startswith("1 rule (0 unverified), 2 examples: 2 confirmed")


def test_a_catalogue_file_with_the_other_suffix_is_named(catalogue_dir: Write) -> None:
    catalogue_dir("rules/one").joinpath("catalogue.yaml").rename("rules/one/catalogue.yml")
    result = rulebook("check")
    assert result.exit_code == 2
    assert "there is no catalogue.yaml here or in a folder of ./rules; rename rules/one/catalogue.yml" in result.stderr


def test_a_misnamed_catalogue_beside_others_is_missed(catalogue_dir: Write) -> None:
    catalogue_dir("rules/one")
    catalogue_dir("rules/two", rule={"id": "t.two"}).joinpath("catalogue.yaml").rename("rules/two/catalog.yaml")
    result = rulebook("check")
    assert result.exit_code == 1
    assert "rules/two/catalog.yaml:1:1: catalogue: the file has to be called `catalogue.yaml`" in result.stdout


def test_catalogue_yaml_itself_names_its_catalogue(catalogue_dir: Write) -> None:
    catalogue_dir()
    assert rulebook("check", "cat/catalogue.yaml").exit_code == 0


def test_a_catalogue_that_cannot_be_read_does_not_hide_the_others(catalogue_dir: Write) -> None:
    catalogue_dir("broken", files={"catalogue.yaml": "title: [\n"})
    catalogue_dir("fine")
    result = rulebook("check", "broken", "fine")
    assert result.exit_code == 1
    assert result.stdout.splitlines()[0] == "broken/catalogue.yaml"
    assert result.stdout.splitlines()[-1].startswith("1 rule (0 unverified), 2 examples: 2 confirmed")


def test_with_no_code_python_checks_are_not_run(catalogue_dir: Write) -> None:
    catalogue_dir(rule={"check": {"python": "m:f"}}, checks={"m.py": "open('ran', 'w')\n"})
    result = rulebook("check", "cat", "--no-code")
    assert result.exit_code == 1
    assert "not-run: t.name, example bad: Python checks are switched off for this run" in result.stdout
    assert not Path("ran").exists()


def test_a_message_has_one_line_and_nothing_that_a_terminal_obeys(catalogue_dir: Write) -> None:
    catalogue_dir(rule={"examples": {"invalid": [{"id": "it", "fixture": "a\x1b[2J\x07.json"}]}})
    result = rulebook("check", "cat")
    assert "there is no fixture `a\\x1b[2J\\x07.json`" in result.stdout
    assert "\x1b" not in result.stdout


def test_the_real_command_says_the_same_in_any_encoding(catalogue_dir: Write) -> None:
    catalogue_dir(rule={"examples": {"invalid": [{"id": "it", "fixture": "Ærø-☃.json"}]}})
    plain = command("check", "cat", PYTHONIOENCODING="utf-8")
    assert (plain.returncode, plain.stderr) == (1, "")
    assert "there is no fixture `Ærø-☃.json`" in plain.stdout
    western = command("check", "cat", PYTHONIOENCODING="latin-1")
    assert (western.returncode, western.stderr) == (1, "")
    assert "-\\u2603.json`" in western.stdout


def test_the_real_command_prints_no_traceback_and_leaves_nothing_behind(catalogue_dir: Write, tmp_path: Path) -> None:
    catalogue_dir(rule={"check": {"python": "m:f"}}, checks={"m.py": "def f(d):\n    raise KeyboardInterrupt\n"})
    before = sorted(tmp_path.rglob("*"))
    result = command("check", "cat")
    assert (result.returncode, result.stderr) == (1, "")
    assert "check-error: t.name: `m:f` raised KeyboardInterrupt (checks/m.py:2)" in result.stdout
    assert "Traceback" not in result.stdout
    assert sorted(tmp_path.rglob("*")) == before


def test_the_summary_counts_what_is_checked_in_part(catalogue_dir: Write) -> None:
    check = {"select": "$.name", "schema": {"type": "string"}, "unchecked": "Whether it is a name."}
    catalogue_dir(rule={"check": check})
    assert rulebook("check", "cat").stdout.startswith("1 rule (0 unverified, 1 checked in part), 2 examples: ")
