"""Small catalogues for tests: complete where a test says nothing, and exactly as a test says where it speaks."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from click.testing import CliRunner, Result

from browsing import ARGUMENTS, CHROMIUM, served
from mkdocs_rulebook.cli import main
from mkdocs_rulebook.model import Claim, Outcome, Report, Verdict
from mkdocs_rulebook.outputs.text import fault_line
from mkdocs_rulebook.project import Project, check

Data = Mapping[str, Any]
Part = Data | str
"""Part of a YAML file: as a mapping, or as the text of one."""

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parent.parent
CATALOGUE: Data = {
    "title": "Rules for tests",
    "edition": "1",
    "owners": {"t": {"title": "Tests"}},
    "fixtures": {"root": "fixtures"},
}
RULE: Data = {
    "id": "t.name",
    "title": "Name it",
    "requirement": "A name is text.",
    "level": "must",
    "check": {"select": "$.name", "schema": {"type": "string"}},
    "examples": {
        "invalid": [{"id": "bad", "fixture": "bad.json", "pointer": "/name"}],
        "valid": [{"id": "good", "fixture": "good.json", "pointer": "/name"}],
    },
}
FIXTURES: Mapping[str, str | bytes] = {"bad.json": '{"name": 1}\n', "good.json": '{"name": "x"}\n'}


@dataclass(frozen=True)
class Checked:
    """What checking one or several catalogues came to, seen the way that a test asks."""

    project: Project
    base: Path

    @property
    def report(self) -> Report:
        """The report on the first catalogue."""
        return self.project.reports[0]

    @property
    def lines(self) -> list[str]:
        """Each fault as the command prints it, with paths relative to the folder of the test."""
        return [fault_line(fault, self.base) for fault in self.project.faults]

    def verdict(self, example: str) -> Verdict:
        """The verdict on the example of that id."""
        return next(verdict for verdict in self.report.verdicts if verdict.example.id == example)

    def outcome(self, example: str) -> Outcome:
        """The outcome for the example of that id."""
        return self.verdict(example).outcome

    @property
    def outcomes(self) -> dict[str, str]:
        """The outcome of each example."""
        return {verdict.example.id: str(verdict.outcome) for verdict in self.report.verdicts}


Write = Callable[..., Path]
Run = Callable[..., Checked]


@pytest.fixture
def catalogue_dir(tmp_path: Path) -> Write:
    """Return a function that writes a catalogue folder below `tmp_path` and returns it; see `write`."""

    def write_below(name: str = "cat", **parts: Any) -> Path:
        return write(tmp_path / name, **parts)

    return write_below


@pytest.fixture
def run(catalogue_dir: Write, tmp_path: Path) -> Run:
    """Return a function that writes a catalogue folder and checks it."""

    def run_it(*, allow_code: bool = True, **parts: Any) -> Checked:
        return Checked(check([catalogue_dir(**parts)], allow_code=allow_code), tmp_path)

    return run_it


def rulebook(*arguments: str) -> Result:
    """Run the command in this process; nothing but its exit may leave it."""
    result = CliRunner().invoke(main, list(arguments))
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def write(
    folder: Path,
    *,
    catalogue: Part = "",
    rule: Part = "",
    rules: tuple[Part, ...] = (),
    fixtures: Mapping[str, str | bytes | Data | None] = {},
    checks: Mapping[str, str] = {},
    files: Mapping[str, str | bytes] = {},
) -> Path:
    """Write a catalogue folder.

    Args:
        folder: Where.
        catalogue: What catalogue.yaml says beside or instead of `CATALOGUE`; a key with null is left out.
        rule: The same for the only rule, `RULE`.
        rules: The same for each of several rules.
        fixtures: Files of the fixture folder, beside or instead of `FIXTURES`; None leaves one out.
        checks: Files of the folder of Python checks.
        files: Files of the catalogue folder, to the letter.
    """
    entries = [_merged(RULE, part) for part in rules or (rule,)]
    content: dict[str, str | bytes] = {
        "catalogue.yaml": json.dumps(_merged(CATALOGUE, catalogue), indent=1),
        "rules.yaml": json.dumps({"rules": entries}, indent=1),
        **{f"fixtures/{name}": _text(text) for name, text in {**FIXTURES, **fixtures}.items() if text is not None},
        **{f"checks/{name}": text for name, text in checks.items()},
        **files,
    }
    for name, text in content.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def _merged(base: Data, part: Part) -> Data:
    over = yaml.safe_load(part) or {} if isinstance(part, str) else part
    return {key: value for key, value in {**base, **over}.items() if value is not None}


def _text(content: str | bytes | Data) -> str | bytes:
    return content if isinstance(content, str | bytes) else json.dumps(content, indent=1)


def example(claim: Claim, **entry: Any) -> Data:
    """Return the `examples` of a rule with one example, named `it`, which selects the whole of `it.json`."""
    return {"examples": {str(claim): [{"id": "it", "fixture": "it.json", **entry}]}}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A browser; each test opens pages of its own in it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield found
        found.close()


@pytest.fixture(scope="session")
def repository_site(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The folder of this repository's own site, built once for all who test at the same time."""
    folder = tmp_path_factory.getbasetemp()
    folder = (folder if worker_id == "master" else folder.parent) / "repository-site"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            command = [sys.executable, "-m", "mkdocs", "build", "-q", "--strict", "-d", str(folder)]
            environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
            done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
            assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="session")
def repository(repository_site: Path) -> Iterator[str]:
    """The address of this repository's own site, served from this machine."""
    with served(repository_site) as address:
        yield address


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Where everything that a test may need is installed, a skipped test is a fault."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("RULEBOOK_NO_SKIP") and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
