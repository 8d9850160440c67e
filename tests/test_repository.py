"""This repository's own catalogues: all proved, and proved by a verification that would have noticed a lie."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mkdocs_rulebook.catalogue import load
from mkdocs_rulebook.checks.runner import Runner
from mkdocs_rulebook.control import control
from mkdocs_rulebook.model import Claim, NoCheck, Outcome, Proof
from mkdocs_rulebook.project import check
from test_site import ENVIRONMENT, ROOT

CATALOGUES = [ROOT / "rules" / "mcpdesc", ROOT / "rules" / "outcome"]


@pytest.fixture(scope="module", params=CATALOGUES, ids=lambda folder: folder.name)
def catalogue(request: pytest.FixtureRequest) -> Path:
    return Path(request.param)


def test_every_rule_is_proved_both_ways_or_says_why_not(catalogue: Path) -> None:
    project = check([catalogue])
    assert project.faults == ()
    (report,) = project.reports
    for rule in report.catalogue.rules:
        if isinstance(rule.check, NoCheck):
            assert rule.check.none, rule.id
        else:
            assert report.proof(rule) == Proof.BOTH, rule.id
    assert {verdict.outcome for verdict in report.verdicts if not verdict.known} <= {
        Outcome.CONFIRMED,
        Outcome.UNVERIFIED,
    }


def test_there_are_more_than_130_rules() -> None:
    loaded = [load(folder).catalogue for folder in CATALOGUES]
    assert sum(len(catalogue.rules) for catalogue in loaded if catalogue is not None) > 130


def test_the_negative_control_fools_no_verdict(catalogue: Path) -> None:
    loaded = load(catalogue).catalogue
    assert loaded is not None
    with Runner(loaded) as runner:
        attempts = list(control(loaded, runner))
    assert [attempt for attempt in attempts if not attempt.held] == []
    tried = {(attempt.rule, attempt.example) for attempt in attempts}
    for rule in loaded.rules:
        for example in rule.examples:
            if not isinstance(rule.check, NoCheck) and example.known is None:
                assert (rule.id, example.id) in tried
    for name in ("the check never fires", "nothing is selected", "the selection lies elsewhere"):
        invalid = sum(example.claim == Claim.INVALID for rule in loaded.rules for example in rule.examples)
        assert sum(attempt.attempt == name for attempt in attempts) >= invalid - 5, name


def test_the_two_public_rules_show_the_examples_they_are_known_for() -> None:
    loaded = load(CATALOGUES[0]).catalogue
    assert loaded is not None
    error, form = loaded.rule("mcpdesc.tool.example.error-result"), loaded.rule("mcpdesc.example.completed-result-form")
    assert error is not None
    assert form is not None
    assert error.title == "Represent Tool execution errors as error results"
    folder = "expected-invalid"
    assert [(example.fixture, example.pointer) for example in error.examples if example.claim == Claim.INVALID] == [
        (f"{folder}/invalid-tool-example-result-semantics.json", "/tools/1/examples/business-error/result")
    ]
    assert [(example.fixture, example.pointer) for example in form.examples if example.claim == Claim.INVALID] == [
        (f"{folder}/invalid-tool-example-result-semantics.json", "/tools/3/examples/task-result/result"),
        (f"{folder}/invalid-prompt-example-semantics.json", "/prompts/3/examples/task-state/result"),
        (f"{folder}/resource-example-result-semantics.json", "/resources/0/examples/invalid-result/result"),
        (
            f"{folder}/invalid-completion-example-semantics.json",
            "/prompts/2/completionExamples/bad-membership/result",
        ),
    ]


def test_the_site_builds_strictly_and_twice_the_same(tmp_path: Path) -> None:
    contents = []
    for name in ("one", "two"):
        command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(tmp_path / name)]
        done = subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert "WARNING" not in done.stderr
        files = (path for path in (tmp_path / name).rglob("*") if path.is_file())
        contents.append({path.relative_to(tmp_path / name): path.read_bytes() for path in files})
    assert contents[0].keys() == contents[1].keys()
    assert [path for path, content in contents[0].items() if contents[1][path] != content] == []
