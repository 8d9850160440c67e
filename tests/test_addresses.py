"""No address of a rule is that of a file of the site."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from conftest import Checked, Run, rulebook, write
from mkdocs_rulebook.reserved import ADDRESSES, FILES, taken
from test_outputs import files
from test_site import build, make_site

OWNERS: dict[str, Any] = {name: {"title": "Tests"} for name in ("t", *{each.partition(".")[0] for each in FILES})}


@pytest.mark.parametrize("directory_urls", [True, False])
def test_the_list_is_what_is_written(run: Run, directory_urls: bool) -> None:
    written = set(files(run(), directory_urls=directory_urls))
    beside = {path.removeprefix("rules/") for path in written if path.count("/") == 1 and path.startswith("rules/")}
    assert {name for name in beside if name not in FILES} == set()
    assert {name for name in FILES if not name.endswith((".html", ".md"))} <= beside
    assert {f"{name.removesuffix('.md')}/index" for name in beside if name.endswith(".md")} <= ADDRESSES


@pytest.mark.parametrize("name", [*sorted(FILES), "evidence.index", "traceability.index"])
def test_an_id_at_the_address_of_a_file_is_a_fault(run: Run, name: str) -> None:
    removed = {"gone.yaml": f"removed:\n  - {{id: {name}, reason: x}}\n"}
    for parts in ({"rule": {"id": name}}, {"rule": {"aliases": [name]}}, {"files": removed}):
        checked: Checked = run(catalogue={"owners": OWNERS}, **{"files": {"gone.yaml": "removed: []\n"}, **parts})
        said = [line for line in checked.lines if f"`{name}` would lie at the address of a file of the site" in line]
        assert len(said) == 1, checked.lines
        assert taken(name)


@pytest.mark.parametrize("name", ["rules.json", "index.md", "evidence.svg"])
def test_what_is_written_in_spite_of_it_is_not_broken(tmp_path: Path, name: str) -> None:
    parts: dict[str, Any] = {"catalogue": {"owners": OWNERS}, "rule": {"id": name, "aliases": ["objects.inv"]}}
    site = make_site(tmp_path, **parts)
    done = build(site)
    assert (done.returncode, (site / "site").exists()) == (1, False)
    assert "would lie at the address of a file of the site" in done.stderr
    assert "Traceback" not in done.stderr
    done = build(make_site(tmp_path, option={"on_failure": "warning"}, **parts))
    assert done.returncode == 0, done.stderr
    assert (site / "site/rules/rules.json").is_file()
    folder = write(tmp_path / "alone", **parts)
    assert "nothing was written" not in rulebook("render", str(folder), "--to", str(tmp_path / "to"), "--faults").output
    assert (tmp_path / "to/rules/objects.inv").is_file()
