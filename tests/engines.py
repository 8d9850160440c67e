"""The real engines that tests use: where they are, and how a catalogue declares them."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
NODE = Path(os.environ.get("RULEBOOK_NODE", ROOT / ".cache/node")) / "node_modules/.bin"
"""Where `.ci/run` installs the engines that are written for Node."""


def find(program: str) -> str | None:
    """Return the path of a program, None where it is not installed."""
    homes = os.pathsep.join([str(NODE), str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    return shutil.which(program, path=homes)


def needs(program: str) -> pytest.MarkDecorator:
    """Mark a test that needs a program: it is skipped, visibly, where the program is not installed."""
    return pytest.mark.skipif(find(program) is None, reason=f"`{program}` is not installed; .ci/run installs it")


SPECTRAL_JSON: dict[str, Any] = {
    "format": "json",
    "findings": "$[*]",
    "code": "$.code",
    "message": "$.message",
    "file": "$.source",
    "pointer": "$.path",
}
RUFF_JSON: dict[str, Any] = {
    "format": "json",
    "findings": "$[*]",
    "code": "$.code",
    "message": "$.message",
    "file": "$.filename",
    "line": "$.location.row",
    "column": "$.location.column",
    "end_line": "$.end_location.row",
    "end_column": "$.end_location.column",
}


def spectral(output: dict[str, Any]) -> dict[str, Any]:
    """The declaration of Spectral, with a ruleset of the catalogue."""
    ruleset, name = "engine/ruleset.yaml", output["format"]
    return {
        "title": "Spectral",
        "command": [find("spectral"), "lint", "--quiet", "--ruleset", ruleset, "--format", name, "{files}"],
        "version": [find("spectral"), "--version"],
        "config": [ruleset],
        "not_judged": ["parser", "unrecognized-format"],
        "follow": "$ref",
        "output": output,
    }


def ruff(output: dict[str, Any]) -> dict[str, Any]:
    """The declaration of Ruff, with nothing of its settings left to the machine."""
    command = ["ruff", "check", "--isolated", "--no-cache", "--select=F,B", f"--output-format={output['format']}"]
    return {
        "title": "Ruff",
        "command": command,
        "version": ["ruff", "--version"],
        "not_judged": ["invalid-syntax"],
        "skipped": r"Failed to lint (?P<file>.+?): .*",
        "fixtures": "*.py",
        "output": output,
    }
