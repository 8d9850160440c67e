"""The same wheel under ProperDocs, in an environment that has no MkDocs: `.ci/run` makes one."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from cases import CASES
from mkdocs_rulebook.model import Outcome
from test_site import ENVIRONMENT, make_site

PYTHON = os.environ.get("RULEBOOK_PROPERDOCS", "")

pytestmark = pytest.mark.skipif(not PYTHON, reason="RULEBOOK_PROPERDOCS names no interpreter with ProperDocs")


def build(site: Path) -> subprocess.CompletedProcess[str]:
    command = [PYTHON, "-m", "properdocs", "build", "--strict", "-f", "mkdocs.yml"]
    return subprocess.run(command, cwd=site, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)


def test_there_is_no_mkdocs_in_that_environment() -> None:
    found = subprocess.run([PYTHON, "-c", "import importlib.metadata as m; m.version('mkdocs')"], capture_output=True)
    assert b"PackageNotFoundError" in found.stderr


def test_a_proved_catalogue_builds(tmp_path: Path) -> None:
    site = make_site(tmp_path)
    done = build(site)
    assert done.returncode == 0, done.stderr
    assert "2 confirmed" in done.stderr
    assert "Name it" in (site / "site/rules/t/name/index.html").read_text()


def test_a_lie_stops_the_build(tmp_path: Path) -> None:
    done = build(make_site(tmp_path, **CASES[Outcome.NOT_FAILING]))
    assert done.returncode == 1
    assert ": not-failing: " in done.stderr
    assert "Traceback" not in done.stderr
