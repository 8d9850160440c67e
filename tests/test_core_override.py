"""`mcpdesc.extension.no-core-override`: with extensions or without them, the checks find the same."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from mkdocs_rulebook.cli import main
from mkdocs_rulebook.source import read

ROOT = Path(__file__).parent.parent
FIXTURES = sorted((ROOT / "fixtures" / "mcpdesc").rglob("*.*"))[::3]  # some of each group: all of them take long
COLLECTIONS = ("tags", "transports", "capabilities", "tools", "resources", "resourceTemplates", "prompts")


def test_extensions_change_no_finding(tmp_path: Path) -> None:
    plain, extended = tmp_path / "plain", tmp_path / "extended"
    for path in FIXTURES:
        document: Any = read(path).value
        _write(plain / f"{path.parent.name}-{path.name}.json", document)
        document = copy.deepcopy(document)
        for owner in _takes_extensions(document):
            owner["x-required"] = False
            owner["x-ignore-rules"] = ["all"]
        _write(extended / f"{path.parent.name}-{path.name}.json", document)
    found = _found(plain)
    assert found
    assert _found(extended) == found


def _takes_extensions(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the larger objects of a document, as far as they are objects, that take extensions."""
    entries = [entry for name in COLLECTIONS for entry in _list(document, name)]
    asked = [question for entry in entries for question in _list(entry, "elicitations")]
    yield from (owner for owner in (document, document.get("info"), *entries, *asked) if isinstance(owner, dict))


def _list(owner: Any, name: str) -> list[Any]:
    found = owner.get(name) if isinstance(owner, dict) else None
    return found if isinstance(found, list) else []


def _write(path: Path, document: Any) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(document, default=float), encoding="utf-8")


def _found(folder: Path) -> list[tuple[str, str, str, str]]:
    ran = CliRunner().invoke(
        main, ["lint", "--catalogue", str(ROOT / "rules" / "mcpdesc"), str(folder), "--format", "json"]
    )
    findings = json.loads(ran.output)["findings"]
    return sorted((Path(each["file"]).name, each["rule"], each["pointer"], each["message"]) for each in findings)
