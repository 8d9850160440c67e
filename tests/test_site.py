"""Real builds: what a person or a CI job sees of a site whose catalogues are proved, and of one that lies."""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import yaml

from cases import CASES
from conftest import Write, write
from mkdocs_rulebook.model import Outcome

ENVIRONMENT = os.environ | {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true", "SOURCE_DATE_EPOCH": "1"}
ROOT = Path(__file__).parent.parent


def make_site(folder: Path, *, config: Mapping[str, Any] = {}, option: Mapping[str, Any] = {}, **parts: Any) -> Path:
    """Write a small site with one catalogue; see `conftest.write` for the parts."""
    write(folder / "rules" / "cat", **parts)
    (folder / "docs").mkdir(exist_ok=True)
    (folder / "docs" / "index.md").write_text("# Home\n")
    settings = {
        "site_name": "Site",
        "site_url": "https://site.example/docs/",
        "theme": {"name": "mkdocs"},
        "plugins": [{"rulebook": dict(option)}],
        "validation": {"links": {"anchors": "warn", "absolute_links": "warn", "unrecognized_links": "warn"}},
        **config,
    }
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(settings))
    return folder


def build(folder: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mkdocs", "build", *flags]
    return subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)


def page(folder: Path, address: str = "rules/t/name") -> str:
    return (folder / "site" / address / "index.html").read_text()


def test_a_proved_catalogue_builds_in_strict_mode(tmp_path: Path) -> None:
    site = make_site(tmp_path)
    done = build(site, "--strict")
    assert done.returncode == 0, done.stderr
    assert "1 rule (0 unverified), 2 examples: 2 confirmed, 0 unverified, 0 known; 0 faults" in done.stderr
    assert "Name it" in page(site)


@pytest.mark.parametrize("outcome", CASES, ids=str)
def test_each_verdict_stops_a_real_build_at_the_line_of_the_example(tmp_path: Path, outcome: Outcome) -> None:
    site = make_site(tmp_path, **CASES[outcome])
    done = build(site)
    assert done.returncode == 1
    line = next(line for line in done.stderr.splitlines() if f": {outcome}: " in line)
    assert re.match(rf"  rules/cat/rules\.yaml:\d+:\d+: {outcome}: t\.name", line)
    assert "Traceback" not in done.stderr
    assert not (site / "site").exists()


def test_the_verdict_not_run_stops_a_real_build(tmp_path: Path) -> None:
    rule = {"check": {"python": "fine:check", "select": "$.name"}}
    checks = {"fine.py": "def check(node):\n    return []\n"}
    done = build(make_site(tmp_path, option={"allow_code": False}, rule=rule, checks=checks))
    assert done.returncode == 1
    assert ": not-run: t.name, example bad: Python checks are switched off" in done.stderr


def test_what_no_machine_decides_is_published_and_said_so(tmp_path: Path) -> None:
    rule = {"check": {"none": "Only a person can tell."}, "examples": None}
    site = make_site(tmp_path, rule=rule)
    done = build(site, "--strict")
    assert done.returncode == 0, done.stderr
    assert "1 rule (1 unverified)" in done.stderr
    assert "Only a person can tell." in page(site)


def test_a_quiet_strict_build_fails_all_the_same(tmp_path: Path) -> None:
    done = build(make_site(tmp_path, **CASES[Outcome.NOT_FAILING]), "-q", "--strict")
    assert done.returncode == 1
    assert ": not-failing: " in done.stderr


def test_a_failed_build_leaves_the_site_of_the_last_one_alone(tmp_path: Path) -> None:
    site = make_site(tmp_path)
    assert build(site).returncode == 0
    before = {path: path.read_bytes() for path in (site / "site").rglob("*") if path.is_file()}
    (site / "rules/cat/fixtures/bad.json").write_text('{"name": "fine after all"}')
    assert build(site).returncode == 1
    assert before == {path: path.read_bytes() for path in (site / "site").rglob("*") if path.is_file()}


def test_all_faults_of_all_catalogues_are_reported_in_one_run(tmp_path: Path) -> None:
    site = make_site(tmp_path, **CASES[Outcome.NOT_FAILING])
    write(site / "rules" / "dog", rule={**CASES[Outcome.POINTER_MISSING]["rule"], "id": "t.other"})
    done = build(site)
    assert ": not-failing: t.name, example it: " in done.stderr
    assert ": pointer-missing: t.other, example it: " in done.stderr
    assert "2 faults" in done.stderr


def test_on_failure_warning_builds_but_not_under_strict(tmp_path: Path) -> None:
    site = make_site(tmp_path, option={"on_failure": "warning"}, **CASES[Outcome.NOT_FAILING])
    done = build(site)
    assert done.returncode == 0
    assert re.search(r"WARNING -  mkdocs_rulebook: rules/cat/rules.yaml:\d+:\d+: not-failing", done.stderr)
    assert build(site, "--strict").returncode == 1


def test_on_failure_page_shows_the_fault_on_the_page(tmp_path: Path) -> None:
    site = make_site(tmp_path, option={"on_failure": "page"}, **CASES[Outcome.NOT_FAILING])
    done = build(site, "--strict")
    assert done.returncode == 0
    assert ": not-failing: " in done.stderr
    assert "finds nothing wrong" in page(site)


def test_a_page_of_the_user_is_never_replaced(tmp_path: Path) -> None:
    site = make_site(tmp_path)
    mine = site / "docs/rules/t/name.md"
    mine.parent.mkdir(parents=True)
    mine.write_text("# Mine\n")
    done = build(site)
    assert done.returncode == 1
    assert "docs/rules/t/name.md stands where a generated page would go" in done.stderr
    assert "Traceback" not in done.stderr
    make_site(tmp_path, option={"base": "catalogue"})
    assert build(site, "--strict").returncode == 0
    assert "Mine" in page(site)
    assert "Name it" in page(site, "catalogue/t/name")


@pytest.mark.parametrize(
    ("mine", "published"),
    [
        ("rules/t/name/index.md.md", "rules/t/name/index.md/index.html"),
        ("rules/t/name/index.html", "rules/t/name/index.html"),
        ("rules/README.md", "rules/index.html"),
        ("rules/t.name.md", "rules/t.name/index.html"),
        ("rules/t/name/index.md/mine.txt", "rules/t/name/index.md/mine.txt"),
        ("rules/rules.json/mine.txt", "rules/rules.json/mine.txt"),
        ("rules/t", "rules/t"),
    ],
)
def test_a_file_of_the_user_is_never_replaced_where_it_is_published(tmp_path: Path, mine: str, published: str) -> None:
    site = make_site(tmp_path)
    path = site / "docs" / mine
    path.parent.mkdir(parents=True)
    path.write_text("Mine alone\n")
    done = build(site)
    assert done.returncode == 1
    assert f"docs/{mine} stands where a generated page would go" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (site / "site").exists()
    done = build(make_site(tmp_path, option={"on_failure": "warning"}))
    assert done.returncode == 0, done.stderr
    assert f"docs/{mine} stands where a generated page would go; it was left as it is" in done.stderr
    assert "Mine alone" in (site / "site" / published).read_text()


def test_the_twin_of_a_page_gives_way_to_a_folder(tmp_path: Path) -> None:
    site = make_site(tmp_path)
    (site / "docs/p/index.md").mkdir(parents=True)
    (site / "docs/p/index.md/mine.txt").write_text("Mine")
    (site / "docs/p.md").write_text("# P\n")
    done = build(site, "--strict")
    assert done.returncode == 0, done.stderr
    assert (site / "site/p/index.md/mine.txt").read_text() == "Mine"
    assert 'href="index.md"' not in page(site, "p")


def test_what_the_user_keeps_out_of_the_site_is_in_nobodys_way(tmp_path: Path) -> None:
    site = make_site(tmp_path, config={"exclude_docs": "/rules/README.md"})
    (site / "docs/rules").mkdir()
    (site / "docs/rules/README.md").write_text("# For us\n")
    done = build(site, "--strict")
    assert done.returncode == 0, done.stderr
    assert "Name it" in page(site, "rules")


def test_nothing_is_written_outside_the_site_folder(tmp_path: Path) -> None:
    code = "from mkdocs_rulebook import finding\n\ndef check(node):\n"
    checks = {"fine.py": code + "    if node.value == 1:\n        yield finding(node, 'is 1')\n"}
    site = make_site(tmp_path, rule={"check": {"python": "fine:check", "select": "$.name"}}, checks=checks)
    before = sorted(path for path in site.rglob("*"))
    assert build(site, "--strict").returncode == 0
    assert before == sorted(path for path in site.rglob("*") if (site / "site") not in (path, *path.parents))


def test_two_builds_are_byte_identical(tmp_path: Path) -> None:
    site = make_site(tmp_path)
    for target in ("one", "two"):
        assert build(site, "-d", str(tmp_path / target)).returncode == 0
    assert _contents(tmp_path / "one") == _contents(tmp_path / "two")


def test_line_ends_do_not_change_a_page(tmp_path: Path) -> None:
    site = make_site(tmp_path)
    assert build(site, "-d", str(tmp_path / "one")).returncode == 0
    for path in [*(site / "rules").rglob("*.json"), *(site / "rules").rglob("*.yaml")]:
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert build(site, "-d", str(tmp_path / "two")).returncode == 0
    pages = {name: text for name, text in _contents(tmp_path / "one").items() if name.endswith(".html")}
    assert pages == {name: text for name, text in _contents(tmp_path / "two").items() if name.endswith(".html")}


def _contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_title_description_canonical_and_edit_link_are_right(tmp_path: Path) -> None:
    config = {
        "theme": {"name": "material", "features": ["content.action.edit"], "font": False},
        "repo_url": "https://code.example/team/rules",
        "edit_uri": "edit/main/docs/",
    }
    site = make_site(tmp_path, config=config, rule={"summary": "Names are text."})
    assert build(site, "--strict").returncode == 0
    text = page(site)
    assert "<title>Name it - Site</title>" in text
    assert '<meta name="description" content="Names are text.">' in text
    assert '<link rel="canonical" href="https://site.example/docs/rules/t/name/">' in text
    assert 'href="https://code.example/team/rules/edit/main/rules/cat/rules.yaml"' in text


def test_without_a_ref_files_are_published_and_linked(tmp_path: Path) -> None:
    site = make_site(tmp_path)
    assert build(site, "--strict").returncode == 0
    links = set(re.findall(r'href="([^"]*/files/[^"#]*)', page(site)))
    assert len(links) >= 3
    for link in links:
        assert (site / "site/rules/t/name" / link).resolve().is_file(), link


def test_with_a_ref_files_are_linked_at_the_tag_with_their_line(tmp_path: Path) -> None:
    source = {"url": "https://code.example/blob/{ref}/{path}", "ref": "v1.2", "root": "../.."}
    site = make_site(tmp_path, catalogue={"source": source})
    assert build(site, "--strict").returncode == 0
    assert re.search(r'href="https://code\.example/blob/v1\.2/rules/cat/rules\.yaml#L\d+"', page(site))
    assert "https://code.example/blob/v1.2/rules/cat/fixtures/bad.json#L1" in page(site)
    assert not (site / "site/rules/files").exists()


def test_a_former_id_leads_to_the_rule(tmp_path: Path) -> None:
    site = make_site(tmp_path, rule={"aliases": ["t.old.name"]})
    assert build(site, "--strict").returncode == 0
    redirect = page(site, "rules/t/old-name")
    assert "url=../name/" in redirect
    assert (site / "site/rules/t/old-name/../name/index.html").is_file()
    assert "old-name" not in (site / "site/sitemap.xml").read_text()


def test_the_address_and_the_anchors_do_not_follow_the_title(tmp_path: Path) -> None:
    site = make_site(tmp_path)
    assert build(site).returncode == 0
    before = _ids(page(site))
    make_site(tmp_path, rule={"title": "Quite another title"})
    assert build(site).returncode == 0
    assert before == _ids(page(site))


def _ids(text: str) -> list[str]:
    found: list[str] = []

    class Parser(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.extend(value or "" for name, value in attrs if name == "id")

    Parser().feed(text)
    return found


def test_macros_do_not_touch_what_is_shown(tmp_path: Path) -> None:
    value = "${{ github.workspace }} {% raw %} {{ 7*7 }} ```` ~~~~ --8<-- {: .x}"
    rule = {"check": {"select": "$.name", "schema": {"type": "string", "maxLength": 3}}}
    hook = tmp_path / "hook.py"
    hook.write_text(
        "import jinja2\n\ndef on_page_markdown(markdown, **_):\n"
        "    return jinja2.Environment().from_string(markdown).render()\n"
    )
    site = make_site(
        tmp_path,
        config={
            "hooks": ["hook.py"],
            "markdown_extensions": ["pymdownx.snippets", "pymdownx.superfences", "attr_list"],
        },
        rule=rule,
        fixtures={"bad.json": json.dumps({"name": value})},
    )
    done = build(site, "--strict")
    assert done.returncode == 0, done.stderr
    text = re.sub(r"<[^>]+>", "", page(site))
    assert value in html.unescape(text)


@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs", "material"])
def test_pages_are_complete_in_every_theme(tmp_path: Path, theme: str) -> None:
    site = make_site(tmp_path, config={"theme": {"name": theme}})
    assert build(site, "--strict").returncode == 0
    for heading in ("requirement", "details", "examples", "example-bad", "example-good", "rule-source"):
        assert heading in _ids(page(site)), heading


def test_the_options_are_checked(tmp_path: Path) -> None:
    done = build(make_site(tmp_path, option={"on_failure": "explode"}))
    assert done.returncode == 1
    assert "on_failure" in done.stderr
    done = build(make_site(tmp_path, option={"catalogues": ["nowhere"]}))
    assert done.returncode == 1
    assert "nowhere" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_catalogue_option_names_folders(tmp_path: Path, catalogue_dir: Write) -> None:
    catalogue_dir("elsewhere", rule={"id": "t.elsewhere"})
    site = make_site(tmp_path, option={"catalogues": ["elsewhere"]})
    assert build(site, "--strict").returncode == 0
    assert (site / "site/rules/t/elsewhere/index.html").is_file()
    assert not (site / "site/rules/t/name").exists()


def test_templates_and_styles_of_the_user_have_the_last_word(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    template = '{% extends "base/rule.md.jinja" %}{% block title %}# Mine\n{% endblock %}'
    (tmp_path / "mine/rule.md.jinja").write_text(template)
    site = make_site(tmp_path, option={"templates": "mine"}, config={"extra_css": ["mine.css"]})
    (site / "docs/mine.css").write_text("")
    assert build(site, "--strict").returncode == 0
    assert "Mine" in page(site)
    assert page(site).index("rulebook.css") < page(site).index("mine.css")
