"""Lists of rules: what they can be narrowed down by, and the pages that need no script."""

from __future__ import annotations

import html
import re
from typing import Any
from urllib.parse import parse_qs

import pytest

from conftest import Run
from test_outputs import files

FACETS = [
    {"key": "kind", "label": "Kind", "empty": "any kind", "pages": True},
    {"key": "level", "label": "Depth"},
]
RULES: tuple[dict[str, Any], ...] = (
    {
        "id": "t.a",
        "title": "A | <b> one",
        "facets": {"kind": ["x y", "z"], "level": "deep & low"},
        "aliases": ["t.old"],
    },
    {"id": "t.b", "facets": {"kind": "x.y"}, "level": "may"},
    {"id": "u.c", "check": {"none": "Only a person can tell."}, "examples": None, "level": "should"},
)
CATALOGUE = {"facets": FACETS, "owners": {"t": {"title": "Tests"}, "u": {"title": "Ünits"}}}


@pytest.fixture
def made(run: Run) -> dict[str, str]:
    checked = run(catalogue=CATALOGUE, rules=RULES)
    assert checked.lines == []
    return {path: item.text for path, item in files(checked).items() if not item.published}


def filters(text: str) -> dict[str, list[str]]:
    return {
        name: re.findall(r'<option value="([^"]*)"', body)
        for name, body in re.findall(r'<select [^>]*name="([^"]*)">(.*?)</select>', text, re.DOTALL)
    }


def test_everything_that_is_declared_is_a_filter(made: dict[str, str]) -> None:
    assert filters(made["rules/index.md"]) == {
        "owner": ["", "t", "u"],
        "level": ["", "must", "should", "may"],
        "proof": ["", "both ways", "unverified"],
        "kind": ["", "x y", "x&#x2E;y", "z", "&#x2D;"],
        "level-facet": ["", "deep &#x26; low", "&#x2D;"],
    }


def test_a_row_has_all_that_it_is_filtered_by(made: dict[str, str]) -> None:
    rows = [html.unescape(found) for found in re.findall('data-rb="(.*?)"', made["rules/index.md"])]
    assert [parse_qs(row) for row in rows] == [
        {
            "owner": ["t"],
            "level": ["must"],
            "proof": ["both ways"],
            "kind": ["x y", "z"],
            "level-facet": ["deep & low"],
            "alias": ["t.old"],
        },
        {"owner": ["t"], "level": ["may"], "proof": ["both ways"], "kind": ["x.y"]},
        {"owner": ["u"], "level": ["should"], "proof": ["unverified"]},
    ]


def test_there_is_a_page_for_each_value(made: dict[str, str]) -> None:
    assert [path for path in made if path.startswith("rules/by/")] == [
        "rules/by/owner/t.md",
        "rules/by/owner/u.md",
        "rules/by/level/must.md",
        "rules/by/level/should.md",
        "rules/by/level/may.md",
        "rules/by/kind/x-y.md",
        "rules/by/kind/x.y.md",
        "rules/by/kind/z.md",
        "rules/by/kind/none.md",
    ]
    for path in (path for path in made if path.startswith("rules/by/")):
        assert path.removeprefix("rules/") in made["rules/index.md"]
    text = made["rules/by/kind/none.md"]
    assert "# Kind: Any kind" in text.replace("&#x3A;", ":")
    assert "](../../u/c.md)" in text
    assert "](../../t/a.md)" not in text
    assert "](../../index.md?kind=-)" in text


def test_values_that_look_alike_have_pages_of_their_own(run: Run) -> None:
    facet = {"kind": ["A b", "a-b", "a/b"]}
    checked = run(catalogue=CATALOGUE, rule={"facets": facet})
    found = [path for path, item in files(checked).items() if path.startswith("rules/by/kind/") and not item.published]
    assert found == ["rules/by/kind/a-b.md", "rules/by/kind/a-b--2.md", "rules/by/kind/a-b--3.md"]
