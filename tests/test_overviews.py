"""Traceability, evidence, and the notes on the pages of a specification."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from cases import CASES
from conftest import Run
from mkdocs_rulebook.model import Outcome
from mkdocs_rulebook.pages import Layout
from mkdocs_rulebook.pages.annotate import annotated
from mkdocs_rulebook.site import Remembered, render
from test_coverage import NAMES, PAGE
from test_outputs import files
from test_site import build, make_site

SPEC = {"pages": "spec", "requirements": "req-*", "untestable": {"page#req-may": "Dots are a matter of *taste*."}}
RULES: tuple[dict[str, Any], ...] = (
    {"required_by": NAMES, "title": "Name <it>"},
    {"id": "t.loose", "level": "should", "check": {"none": "Only `people` can tell."}, "examples": None},
)
PARTS: dict[str, Any] = {"catalogue": {"specs": {"spec": SPEC}}, "files": {"spec/page.md": PAGE}}


def text(found: str) -> str:
    """Markdown without the references and the tags that protect it."""
    import html

    return html.unescape(re.sub(r"</?code>", "`", found))


@pytest.fixture
def made(run: Run) -> dict[str, str]:
    checked = run(rules=RULES, **PARTS)
    assert checked.lines == []
    return {path: text(item.text) for path, item in files(checked).items()}


def test_each_requirement_leads_to_its_rules_and_their_examples(made: dict[str, str]) -> None:
    page = made["rules/traceability.md"]
    row = next(line for line in page.splitlines() if line.startswith("| [One](../spec/page.md#req-must)"))
    for said in (
        "`spec:page#req-must`",
        "| must |",
        "[Name <it>](t/name.md)",
        "[1 invalid, 1 valid](t/name.md)</small>",
    ):
        assert said in row


def test_the_numbers_add_up(made: dict[str, str]) -> None:
    rows = re.findall(
        r"^\| (must|should|may) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", made["rules/traceability.md"], re.M
    )
    assert rows == [("must", "1", "0", "1", "2"), ("should", "0", "0", "1", "1"), ("may", "0", "1", "0", "1")]


def test_what_has_no_rule_is_listed(made: dict[str, str]) -> None:
    page = made["rules/traceability.md"]
    uncovered = page.partition("### Without a rule")[2].partition("###")[0]
    assert re.findall("`(spec:[^`]*)`", uncovered) == ["spec:page#req-should", "spec:page#req-two"]
    untestable = page.partition("### Not testable")[2].partition("###")[0]
    assert "`spec:page#req-may`" in untestable
    assert "Dots are a matter of *taste*." in untestable
    unanchored = page.partition("## Rules without an anchor")[2]
    assert "[Name it](t/loose.md)" in unanchored
    assert "t.name" not in unanchored


def test_without_a_specification_the_page_says_so(run: Run) -> None:
    assert "No catalogue names a specification." in files(run())["rules/traceability.md"].text


def test_evidence_counts_by_owner_and_level(made: dict[str, str]) -> None:
    page = made["rules/evidence.md"]
    rows = [line.split(" | ") for line in page.splitlines() if "rb-bar" in line]
    assert [(row[0], row[1], row[3:]) for row in rows] == [
        ("| Tests", "must", ["1", "0", "0", "0", "1 |"]),
        ("| Tests", "should", ["0", "0", "1", "0", "1 |"]),
        ("| All", "", ["1", "0", "1", "0", "2 |"]),
    ]
    assert 'aria-label="1 proved both ways, 1 not machine-checked"' in rows[2][2]
    assert re.findall(r'<rect class="([^"]*)" x="([^"]*)" width="([^"]*)"', rows[2][2]) == [
        ("rb-share-both", "0.0", "50.0"),
        ("rb-share-unverified", "50.0", "50.0"),
    ]
    assert "1 of 2 rules are proved both ways; 2 of 2 examples are confirmed." in page
    assert "Only `people` can tell." in page.partition("## Not machine-checked")[2]
    assert re.search(r"jsonschema[^:]*: 2 examples", page.partition("## Engines")[2])


def test_evidence_hides_nothing(run: Run) -> None:
    rule = {
        "level": "may",
        "check": {"select": "$.name", "schema": {"type": "string"}, "unchecked": "Whether it is *good*."},
        "examples": {
            "invalid": [
                {"id": "bad", "fixture": "bad.json", "pointer": "/name"},
                {
                    "id": "worse",
                    "fixture": "good.json",
                    "known": {"verdict": "not-failing", "reason": "Later.", "issue": "https://x.example/"},
                },
            ]
        },
    }
    page = text(files(run(rule=rule))["rules/evidence.md"].text)
    assert "proved on invalid examples only" in page.partition("## Proved one way")[2].partition("##")[0]
    assert "Example `worse`: the check finds nothing wrong. Later." in page.partition("## Known faults")[2]
    assert "Whether it is *good*." in page.partition("## Checked in part")[2]
    made = files(run(name="dog", **CASES[Outcome.NOT_FAILING]))
    page = text(made["rules/evidence.md"].text)
    assert "Example `it`: the check finds nothing wrong." in page.partition("## At fault")[2]
    assert "rb-proof-wrong" in made["rules/traceability.md"].text


@pytest.mark.parametrize(
    ("parts", "message", "color"),
    [
        ({}, "1 of 1", "brightgreen"),
        ({"rules": RULES[:1] * 1 + RULES[1:]} | PARTS, "1 of 2", "yellow"),
        (CASES[Outcome.NOT_FAILING], "0 of 1", "red"),
    ],
)
def test_the_badge_says_the_same_as_its_endpoint(run: Run, parts: dict[str, Any], message: str, color: str) -> None:
    found = files(run(**parts))
    assert json.loads(found["rules/evidence.json"].text) == {
        "schemaVersion": 1,
        "label": "rules proved",
        "message": message,
        "color": color,
    }
    picture = ElementTree.fromstring(found["rules/evidence.svg"].text)
    assert picture.get("aria-label") == f"rules proved: {message}"
    assert [each.text for each in picture.iter("{http://www.w3.org/2000/svg}text")] == ["rules proved", message]


NOTE = {"x": "[x]", "y": "[y]", "": "[page]"}


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<p><a id="x"></a>\nText <b>b</b>.</p><p>z</p>', '<p><a id="x"></a>\nText <b>b</b>.</p>[x]<p>z</p>'),
        ('<p>Text <a name="x"></a> on.</p>', '<p>Text <a name="x"></a> on.</p>[x]'),
        ('<p id="x">a</p>', '<p id="x">a</p>[x]'),
        ('<h2 id="x">a <a href="#x">¶</a></h2><p>b</p>', '<h2 id="x">a <a href="#x">¶</a></h2>[x]<p>b</p>'),
        ('<ul><li><a id="x"></a>a</li><li>b</li></ul>', '<ul><li><a id="x"></a>a[x]</li><li>b</li></ul>'),
        ('<li><p><a id="x"></a>a</p>\n<p>b</p></li>', '<li><p><a id="x"></a>a</p>[x]\n<p>b</p></li>'),
        ('<table><tr><td><a id="x"></a>a</td></tr></table>', '<table><tr><td><a id="x"></a>a[x]</td></tr></table>'),
        ('<p><a id="x"></a></p>\n<ul><li>a</li></ul><p>b</p>', '<p><a id="x"></a></p>\n<ul><li>a</li></ul>[x]<p>b</p>'),
        ('<a id="x"></a><p>a</p>', '<a id="x"></a><p>a</p>[x]'),
        ('<div><a id="x"></a><p>a</p><p>b</p></div>', '<div><a id="x"></a><p>a</p>[x]<p>b</p></div>'),
        ('<p><a id="x"></a><a id="y"></a>a</p>', '<p><a id="x"></a><a id="y"></a>a</p>[x][y]'),
        ("<h1>a</h1><p>b</p>", "<h1>a</h1>[page]<p>b</p>"),
        (
            '<p>&lt;a id="x"&gt;</p><pre><code>id="x"</code></pre>',
            '<p>&lt;a id="x"&gt;</p><pre><code>id="x"</code></pre>',
        ),
        ('<p>a</p><p><a id="x"></a></p>', '<p>a</p><p><a id="x"></a></p>[x]'),
        ('<p id="x">a</p><p id="x">b</p>', '<p id="x">a</p>[x]<p id="x">b</p>'),
        ('<p><img id="x" src="a"/>a<br/>b</p>', '<p><img id="x" src="a"/>a<br/>b</p>[x]'),
        ("</p><p>a", "</p><p>a"),
    ],
)
def test_a_note_follows_what_its_anchor_marks(html: str, expected: str) -> None:
    assert annotated(html, NOTE) == expected


def test_a_page_of_a_specification_names_its_rules(run: Run) -> None:
    checked = run(rules=RULES, **PARTS)
    found = render(checked.project, Layout(specs={"spec": "the/spec"}), Remembered()).notes
    assert list(found) == ["the/spec/page.md"]
    assert text(found["the/spec/page.md"]["req-must"]) == (
        '<p class="rb-checked" data-search-exclude>Rule: <a href="../../../rules/t/name/">Name <it></a> '
        "<small>(must)</small></p>"
    )
    assert "Not testable: Dots are" in text(found["the/spec/page.md"]["req-may"])
    assert "req-should" not in found["the/spec/page.md"]


def test_a_built_page_of_a_specification_has_them(tmp_path: Path) -> None:
    (tmp_path / "docs/spec").mkdir(parents=True)
    (tmp_path / "docs/spec/page.md").write_text(PAGE)
    catalogue = {"specs": {"spec": {**SPEC, "pages": "../../docs/spec"}}}
    site = make_site(tmp_path, catalogue=catalogue, rules=RULES)
    done = build(site, "--strict")
    assert done.returncode == 0, done.stderr
    page = (site / "site/spec/page/index.html").read_text()
    assert re.search(r'A name MUST be text\.</p><p class="rb-checked"[^>]*>Rule: <a href="[^"]*">Name', page)
    assert (site / "site/rules/traceability/index.html").is_file()
    assert "rb-checked" not in (site / "site/index.html").read_text()
