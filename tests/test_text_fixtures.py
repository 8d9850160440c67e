"""Text fixtures: selections by lines and regions, folders, examples in the rule file, and Python checks of texts."""

from __future__ import annotations

import hashlib
import html
import re
from pathlib import Path
from typing import Any

import pytest

from conftest import Checked, Run, Write
from mkdocs_rulebook.catalogue import load
from mkdocs_rulebook.checks.base import Run as CheckRun
from mkdocs_rulebook.checks.runner import Memory, Runner
from mkdocs_rulebook.claims import judge as judge_claim
from mkdocs_rulebook.control import control
from mkdocs_rulebook.fixtures import Fixture, Fixtures
from mkdocs_rulebook.model import Claim, Example, Finding, Outcome, Place, Selection
from mkdocs_rulebook.pages.highlight import excerpt_html
from mkdocs_rulebook.pages.text_excerpt import cut_text
from mkdocs_rulebook.project import check
from mkdocs_rulebook.selections import judged, judged_around, speaks_against, touches
from mkdocs_rulebook.source import SourceError, language_of, made, read, suffix_of
from mkdocs_rulebook.source.regions import regions
from test_site import build, make_site, page

CHECK = {"python": "tabs:no_tab", "text": True}
CHECKS = {
    "tabs.py": "from mkdocs_rulebook import finding\n\n\n"
    "def no_tab(node):\n"
    "    for number, line in node.lines():\n"
    "        if '\\t' in line:\n"
    "            yield finding(node, 'has a tab', line=number, reason='tab')\n"
}
TABS = "# region good\nx = 1\n# endregion\n# region bad\nif x:\n\ty = 2\n# endregion\n"


def rule(check: Any = CHECK, **claims: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a rule part with these examples, by claim; each has an id, and `a.py` as its fixture."""
    entries = {
        claim: [{"id": f"{claim}-{number}", "fixture": "a.py", **entry} for number, entry in enumerate(examples, 1)]
        for claim, examples in claims.items()
    }
    for entry in (entry for examples in entries.values() for entry in examples if "content" in entry):
        entry.pop("fixture", None)
    return {"check": check, "examples": entries}


def judge(run: Run, part: dict[str, Any], **more: Any) -> Checked:
    fixtures = {"a.py": TABS, "good.json": None, "bad.json": None, **more.pop("fixtures", {})}
    return run(
        catalogue={"policy": {}, **more.pop("catalogue", {})}, rule=part, fixtures=fixtures, checks={**CHECKS, **more}
    )


# Selections


@pytest.mark.parametrize(
    ("lines", "found", "inside", "against"),
    [
        ((3, 5), (3, 3), True, True),
        ((3, 5), (5, 9), True, True),
        ((3, 5), (2, 4), False, True),
        ((3, 5), (1, 9), False, True),
        ((3, 5), (6, 6), False, False),
        ((3, 5), (1, 2), False, False),
        ((3, 5), None, False, True),
        (None, (6, 6), True, True),
        (None, None, True, True),
    ],
)
def test_a_finding_is_inside_where_it_begins_and_against_what_it_shares_a_line_with(
    lines: tuple[int, int] | None, found: tuple[int, int] | None, inside: bool, against: bool
) -> None:
    finding = Finding("t.x", "", "", "is bad", lines=found)
    assert touches(finding, Selection("", lines)) == inside
    assert speaks_against(finding, Selection("", lines)) == against


def test_a_finding_in_another_file_of_a_folder_is_neither() -> None:
    finding = Finding("t.x", "/b.py", "/b.py", "is bad", lines=(3, 3))
    assert not touches(finding, Selection("/a.py", (1, 5)))
    assert not speaks_against(finding, Selection("/a.py", (1, 5)))
    assert speaks_against(Finding("t.x", "", "", "is bad"), Selection("/a.py", (1, 5)))


@pytest.mark.parametrize(
    ("pointers", "said"),
    [
        ([""], "on line 1 of `a.py`, but at the folder itself (line 1)"),
        (["/b.py"], "on line 1 of `a.py`, but at line 1 of `b.py`"),
        (["", "/b.py"], "on line 1 of `a.py`, but at line 1 of `b.py` and at the folder itself (line 1)"),
    ],
)
def test_what_is_found_elsewhere_in_a_folder_is_said_with_its_file(pointers: list[str], said: str) -> None:
    example = Example("it", Claim.INVALID, "proj", "/a.py", Place(Path("rules.yaml")), lines=(1, 1))
    found = tuple(Finding("t.x", pointer, pointer, "is bad", lines=(1, 1)) for pointer in pointers)
    assert judge_claim(example, CheckRun("", findings=found), {}) == (
        Outcome.ELSEWHERE,
        f"the rule finds nothing {said}",
    )


def test_who_judged_a_whole_text_judged_its_lines_and_who_judged_lines_judged_no_others() -> None:
    whole = CheckRun("", applied=(("", ""),))
    part = CheckRun("", passages=(("", (3, 4)),))
    assert judged(whole, Selection("", (9, 9)))
    assert judged(part, Selection("", (3, 3)))
    assert not judged(part, Selection("", (4, 9)))
    assert list(judged_around(part, Selection("", (4, 9)))) == [Selection("", (3, 4))]
    assert list(judged_around(part, Selection("", (5, 9)))) == []


@pytest.mark.parametrize(
    ("invalid", "outcome"),
    [
        ({"region": "bad"}, Outcome.CONFIRMED),
        ({"lines": 6}, Outcome.CONFIRMED),
        ({"lines": "5-6"}, Outcome.CONFIRMED),
        ({}, Outcome.CONFIRMED),
        ({"region": "bad", "expect": {"line": 6, "reason": "tab"}}, Outcome.CONFIRMED),
        ({"region": "bad", "expect": {"line": 5}}, Outcome.OTHER_REASON),
        ({"region": "good"}, Outcome.ELSEWHERE),
        ({"lines": "1-5"}, Outcome.ELSEWHERE),
        ({"region": "bda"}, Outcome.POINTER_MISSING),
        ({"lines": "7-8"}, Outcome.POINTER_MISSING),
        ({"lines": "6-5"}, Outcome.POINTER_MISSING),
        ({"pointer": "/x"}, Outcome.POINTER_MISSING),
        ({"show_file": "b.py"}, Outcome.POINTER_MISSING),
    ],
)
def test_an_invalid_selection_of_a_text_is_judged(run: Run, invalid: dict[str, Any], outcome: Outcome) -> None:
    assert judge(run, rule(invalid=[invalid])).outcome("invalid-1") == outcome


@pytest.mark.parametrize(
    ("valid", "outcome"),
    [({"region": "good"}, Outcome.CONFIRMED), ({"lines": "5-7"}, Outcome.FAILING), ({}, Outcome.FAILING)],
)
def test_a_valid_selection_of_a_text_is_judged(run: Run, valid: dict[str, Any], outcome: Outcome) -> None:
    assert judge(run, rule(valid=[valid])).outcome("valid-1") == outcome


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"region": "bda"}, "there is no region `bda` in `a.py`; nearest: `bad`"),
        ({"region": "xyz"}, "there is no region `xyz` in `a.py`; there is `good` or `bad`"),
        ({"lines": "3-99"}, "there is nothing on lines 3–99 of `a.py`, which has 7 lines"),
        ({"pointer": "/x"}, "`a.py` is a text and has no nodes; select with `lines` or `region`"),
        ({"fixture": "b.py", "region": "x"}, "there is no region `x` in `b.py`; no region is marked in it"),
        ({"fixture": "c.py", "region": "x"}, "`c.py`, line 1: the region `x` has no end"),
        ({"lines": "1-3"}, "the rule finds nothing on lines 1–3, but at line 6"),
        ({"region": "bad", "expect": {"line": 5}}, "expected a finding on line 5, found line 6 has a tab (tab)"),
    ],
)
def test_what_is_wrong_with_a_selection_is_said_with_what_is_there(
    run: Run, entry: dict[str, Any], message: str
) -> None:
    checked = judge(run, rule(invalid=[entry]), fixtures={"b.py": "x = 1\n", "c.py": "# region x\n"})
    assert checked.verdict("invalid-1").detail == message


@pytest.mark.parametrize("key", ["lines", "region"])
def test_lines_select_nothing_in_data(run: Run, key: str) -> None:
    entry = {"id": "it", "fixture": "good.json", key: {"lines": "1-2", "region": "x"}[key]}
    checked = run(catalogue={"policy": {}}, rule={"examples": {"valid": [entry]}})
    assert checked.outcome("it") == Outcome.POINTER_MISSING
    assert checked.verdict("it").detail.startswith(f"`good.json` is read as data, where `{key}` selects nothing")


def test_opposite_claims_about_the_same_lines_contradict_each_other(run: Run) -> None:
    checked = judge(run, rule(invalid=[{"region": "bad"}], valid=[{"lines": "5-6"}]))
    assert set(checked.outcomes.values()) == {"contradiction"}


# Regions


@pytest.mark.parametrize(
    ("begin", "end"),
    [
        ("# region a", "# endregion"),
        ("#region a", "#endregion a"),
        ("    // region a", "    // endregion"),
        ("//#region a", "//#endregion"),
        ("<!-- region a -->", "<!-- endregion -->"),
        ("/* region a */", "/* endregion a */"),
        ("-- region a", "-- endregion"),
        ("; region a", "; endregion"),
        ("% region a", "% endregion"),
        ("{# region a #}", "{# endregion #}"),
        ("REM region a", "REM endregion"),
        ('" region a', '" endregion'),
        ("# Region a", "# EndRegion"),
    ],
)
def test_regions_are_marked_in_the_comments_of_many_languages(begin: str, end: str) -> None:
    found = regions(["x", begin, "y", end, "z"])
    assert (found.named, sorted(found.markers), found.fault) == ({"a": (3, 3)}, [2, 4], "")


@pytest.mark.parametrize(
    "line",
    [
        "region = 1",
        "# regional a",
        "# region-specific",
        "x  # region a",
        "# region a b",
        "# the region a",
        "'region a'",
    ],
)
def test_a_line_that_speaks_of_regions_is_no_marker(line: str) -> None:
    assert regions([line]).markers == frozenset()


def test_regions_nest_and_overlap() -> None:
    lines = ["# region a", "1", "# region b", "2", "# endregion", "3", "# endregion"]
    assert regions(lines).named == {"a": (2, 6), "b": (4, 4)}
    lines = ["# region a", "1", "# region b", "2", "# endregion a", "3", "# endregion b"]
    assert regions(lines).named == {"a": (2, 4), "b": (4, 6)}


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        (["# region a", "x"], (1, "the region `a` has no end")),
        (["x", "# endregion"], (2, "`endregion` ends no region")),
        (["# region a", "x", "# endregion b"], (1, "the region `a` has no end")),
        (["# region a", "# endregion"], (1, "the region `a` is empty")),
        (["# region a", "x", "# endregion"] * 2, (4, "the region `a` is there twice")),
    ],
)
def test_wrong_markers_are_named_with_their_line(lines: list[str], fault: tuple[int, str]) -> None:
    found = regions(lines)
    assert (found.at, found.fault) == fault


# Reading


@pytest.mark.parametrize(
    ("name", "declared", "language"),
    [
        ("a.json", "", "json"),
        ("a.YML", "", "yaml"),
        ("a.py", "", "text"),
        ("Makefile", "", "text"),
        ("a.json", "jsonc", "text"),
        ("a.webmanifest", "json", "json"),
        ("a", "YAML", "yaml"),
    ],
)
def test_a_fixture_is_read_as_it_is_declared_or_named(name: str, declared: str, language: str) -> None:
    assert language_of(name, declared) == language


@pytest.mark.parametrize(
    ("language", "suffix"), [("python", ".py"), ("json", ".json"), ("", ".txt"), ("nonsense", ".txt")]
)
def test_an_inline_example_has_the_suffix_of_its_language(language: str, suffix: str) -> None:
    assert suffix_of(language) == suffix


def test_line_ends_that_are_all_alike_are_line_feeds_and_others_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    for data, lines in (
        (b"a\r\nb\r\n", ("a", "b")),
        (b"a\r\nb\n", ("a\r", "b")),
        (b"a\nb", ("a", "b")),
        (b"", ("",)),
        (b"a\n\n", ("a", "")),
        (b"\xef\xbb\xbfa\x0cb\n", ("\ufeffa\x0cb",)),
    ):
        path.write_bytes(data)
        assert read(path, language="text").lines == lines


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a\n\0", "the file is binary or UTF-16: it holds U+0000; a text fixture must be UTF-8"),
        (b"\xff\xfea\0", "the file is UTF-16; it must be UTF-8"),
        (b"a\n\xff", "not UTF-8: byte 0xff at offset 2 of the file"),
    ],
)
def test_a_file_that_is_no_text_is_refused(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    with pytest.raises(SourceError, match=re.escape(message)):
        read(path, language="text")


def test_the_value_of_a_text_is_the_text() -> None:
    source = made(Path("/x/a.py"), "x\ny\n", "text")
    assert (source.value, source.files, source.lines) == ("x\ny\n", {"a.py": "x\ny\n"}, ("x", "y"))
    assert source.place("", (2, 2)).position.line == 2


# Which checks judge texts


def test_a_json_schema_cannot_judge_a_text_and_says_what_can(run: Run) -> None:
    part = rule({"select": "$", "schema": {"type": "object"}}, invalid=[{}], valid=[{}], inapplicable=[{}])
    checked = judge(run, part)
    assert set(checked.outcomes.values()) == {"fixture-unreadable"}
    assert checked.verdict("invalid-1").detail == (
        "`a.py` is a text, and a JSON Schema judges data (.json, .yaml, .yml); "
        "a text needs a Python check with `text: true`, or an engine"
    )


def test_a_check_of_texts_judges_no_data_and_one_of_data_no_texts(run: Run) -> None:
    rules = (
        {"id": "t.text", **rule(valid=[{"region": "good"}])},
        {"id": "t.data", **rule({"python": "tabs:data"}, valid=[{"fixture": "good.json"}])},
        {"id": "t.wrong", **rule(valid=[{"fixture": "good.json"}])},
        {"id": "t.other", **rule({"python": "tabs:data"}, valid=[{}])},
    )
    checks = {"tabs.py": CHECKS["tabs.py"] + "\n\ndef data(document):\n    yield applied(document.root.at('/name'))\n"}
    checks["tabs.py"] = checks["tabs.py"].replace("import finding", "import applied, finding")
    checked = run(catalogue={"policy": {}}, rules=rules, fixtures={"a.py": TABS}, checks=checks)
    outcomes = {verdict.rule.id: str(verdict.outcome) for verdict in checked.report.verdicts}
    assert outcomes == {
        "t.text": "confirmed",
        "t.data": "confirmed",
        "t.wrong": "fixture-unreadable",
        "t.other": "fixture-unreadable",
    }


def test_a_check_of_texts_may_be_for_some_names_alone(run: Run) -> None:
    check = {"python": "tabs:no_tab", "text": ["*.mk", "Makefile"]}
    part = rule(check, inapplicable=[{}], invalid=[{"fixture": "Makefile"}], valid=[{}])
    checked = judge(run, part, fixtures={"Makefile": "all:\n\techo\n"})
    assert checked.outcomes == {
        "invalid-1": "confirmed",
        "valid-1": "contradiction",
        "inapplicable-1": "contradiction",
    }
    part = rule(check, inapplicable=[{}], invalid=[{"fixture": "Makefile"}])
    assert set(judge(run, part, fixtures={"Makefile": "all:\n\techo\n"}).outcomes.values()) == {"confirmed"}


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("yield finding(node, 'x', line=8)", "spoke of line (8, 8) of a text that has 7 lines"),
        ("yield finding(node, 'x', line=0)", "spoke of line (0, 0) of a text that has 7 lines"),
        ("yield finding(node, 'x', line=(3, 2))", "spoke of line (3, 2) of a text that has 7 lines"),
        ("yield finding(node, 'x', line='3')", "spoke of line 3 of a text that has 7 lines"),
        ("yield applied(node, line=99)", "spoke of line (99, 99) of a text that has 7 lines"),
    ],
)
def test_a_check_that_speaks_of_a_line_that_is_not_there_is_at_fault(run: Run, body: str, error: str) -> None:
    code = f"from mkdocs_rulebook import applied, finding\n\n\ndef no_tab(node):\n    {body}\n"
    checked = judge(run, rule(invalid=[{}]), **{"tabs.py": code})
    assert checked.outcome("invalid-1") == Outcome.CHECK_ERROR
    assert error in checked.lines[0]


def test_a_line_in_data_is_a_fault_of_the_check(run: Run) -> None:
    code = "from mkdocs_rulebook import finding\n\n\ndef no_tab(node):\n    yield finding(node, 'x', line=1)\n"
    part = rule({"python": "tabs:no_tab", "select": "$.name"}, invalid=[{"fixture": "good.json"}])
    checked = judge(run, part, fixtures={"good.json": '{"name": "x"}'}, **{"tabs.py": code})
    assert checked.outcome("invalid-1") == Outcome.CHECK_ERROR
    assert "only a text has lines: the rule needs `text: true`" in checked.lines[0]


def test_a_check_may_say_which_lines_it_judged(run: Run) -> None:
    code = (
        "from mkdocs_rulebook import applied\n\n\ndef no_tab(node):\n"
        "    for number, line in node.lines():\n        if line.startswith('if'):\n"
        "            yield applied(node, line=number)\n"
    )
    part = rule(valid=[{"lines": 5}], inapplicable=[{"region": "good"}], invalid=[{"lines": 1}])
    checked = judge(run, part, **{"tabs.py": code})
    assert checked.outcomes == {"invalid-1": "not-applied", "valid-1": "confirmed", "inapplicable-1": "confirmed"}
    assert checked.verdict("invalid-1").detail == "the rule judges no node at line 1, but line 5"


# Folders

FOLDER = {"proj/main.py": "import lib\n\tx\n", "proj/pkg/lib.py": "y\n", "proj/.hidden": "\t", "proj/data.json": "{"}


def test_a_folder_is_one_fixture_with_a_file_to_show(run: Run) -> None:
    part = rule(
        invalid=[{"fixture": "proj", "show_file": "main.py", "lines": 2}],
        valid=[{"fixture": "proj/", "show_file": "pkg/lib.py"}],
    )
    checked = judge(run, part, fixtures=FOLDER)
    assert checked.lines == []
    assert [(f.pointer, f.lines) for f in checked.verdict("invalid-1").findings] == [("/main.py", (2, 2))]
    assert checked.verdict("invalid-1").selection == Selection("/main.py", (2, 2))


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({}, "`proj` is a folder: `show_file` must name one of `data.json`, `main.py` or `pkg/lib.py`"),
        ({"show_file": "mian.py"}, "there is no file `mian.py` in `proj`; nearest: `main.py` or `pkg/lib.py`"),
    ],
)
def test_a_folder_needs_a_file_to_show(run: Run, entry: dict[str, Any], message: str) -> None:
    checked = judge(run, rule(invalid=[{"fixture": "proj", **entry}]), fixtures=FOLDER)
    assert (checked.outcome("invalid-1"), checked.verdict("invalid-1").detail) == (Outcome.POINTER_MISSING, message)


def test_a_binary_file_in_a_folder_is_named(run: Run) -> None:
    part = rule(invalid=[{"fixture": "proj", "show_file": "main.py"}])
    checked = judge(run, part, fixtures={**FOLDER, "proj/logo.png": b"\x89PNG\r\n"})
    assert checked.verdict("invalid-1").detail.startswith("`proj`: `logo.png`: not UTF-8: byte 0x89")


def test_the_digest_of_a_folder_is_that_of_the_list_of_its_files(run: Run) -> None:
    part = rule(invalid=[{"fixture": "proj", "show_file": "main.py"}])
    checked = judge(run, part, fixtures={"proj/main.py": "\tx\n"})
    fixture = Fixtures(checked.report.catalogue).get("proj")
    assert isinstance(fixture, Fixture)
    listed = hashlib.sha256(b"\tx\n").hexdigest() + "  main.py\n"
    assert fixture.source.digest == hashlib.sha256(listed.encode()).hexdigest()


# Groups

GROUPS = {"fixtures": {"root": "fixtures", "groups": {"clean": "clean", "failing": "failing"}, "texts": ["*.py"]}}


def test_texts_that_the_catalogue_declares_keep_the_promise_of_their_group(run: Run) -> None:
    part = rule(invalid=[{"fixture": "failing/a.py"}], valid=[{"fixture": "clean/a.py"}])
    fixtures = {"a.py": None, "clean/a.py": "x\n", "clean/b.py": "\tx\n", "clean/b.txt": "\t", "failing/a.py": "\t\n"}
    checked = judge(run, part, catalogue=GROUPS, fixtures=fixtures)
    assert [(fault.kind, fault.message) for fault in checked.project.faults] == [
        ("group", "`clean/b.py` is in a clean group, but line 1 has a tab")
    ]
    assert [(f.place.path.name, f.place.position.line) for f in checked.project.faults] == [("b.py", 1)]


def test_a_folder_is_one_member_of_its_group(run: Run) -> None:
    part = rule(invalid=[{"fixture": "failing/proj", "show_file": "a.py"}], valid=[{"fixture": "clean/a.py"}])
    fixtures = {"a.py": None, "clean/a.py": "x\n", "failing/proj/a.py": "\t\n", "failing/proj/b.json": "{}"}
    assert judge(run, part, catalogue=GROUPS, fixtures=fixtures).lines == []


# Examples in the rule file


def test_an_inline_example_is_judged_as_it_is_printed(run: Run) -> None:
    part = rule(invalid=[{"content": "a\n\tb\n", "language": "python"}], valid=[{"content": "a\nb\n", "name": "x.py"}])
    checked = judge(run, part)
    assert checked.lines == []
    assert [example.fixture for example in checked.report.catalogue.rules[0].examples] == ["invalid-1.py", "x.py"]


def test_what_stands_around_an_inline_example_is_not_selected(run: Run) -> None:
    around = {"before": "\tone\n", "after": "\n\tfour\n"}
    part = rule(valid=[{"content": "two\n", "wrap": around}], invalid=[{"content": "\ttwo", "wrap": around}])
    checked = judge(run, part)
    assert checked.outcomes == {"valid-1": "confirmed", "invalid-1": "confirmed"}
    assert checked.verdict("valid-1").selection == Selection("", (2, 2))
    assert [finding.lines for finding in checked.verdict("invalid-1").findings] == [(2, 2)]


def test_an_inline_example_may_be_data(run: Run) -> None:
    entry = {"id": "it", "content": '{"name": 1}', "language": "json", "pointer": "/name"}
    checked = run(catalogue={"policy": {}}, rule={"examples": {"invalid": [entry]}})
    assert checked.outcome("it") == Outcome.CONFIRMED
    checked = run(catalogue={"policy": {}}, rule={"examples": {"invalid": [{**entry, "content": '{"name": 1'}]}})
    assert checked.outcome("it") == Outcome.FIXTURE_UNREADABLE
    assert checked.verdict("it").detail.startswith("the text in the rule file: expected ',' or a closing bracket")
    assert checked.verdict("it").related == (checked.verdict("it").example.place,)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"id": "it"}, "lacks the field `fixture`"),
        ({"id": "it", "content": "x", "fixture": "a.py"}, "`fixture` is not allowed here"),
        ({"id": "it", "fixture": "a.py", "wrap": {"before": "x"}}, "`wrap` is not allowed here"),
        ({"id": "it", "fixture": "a.py", "name": "x"}, "`name` is not allowed here"),
        ({"id": "it", "fixture": "a.py", "lines": 1, "region": "x"}, "`region` is not allowed here"),
        ({"id": "it", "fixture": "a.py", "lines": "1", "pointer": "/x"}, "`pointer` is not allowed here"),
        ({"id": "it", "fixture": "a.py", "lines": "3..7"}, '`lines` is `"3..7"`, which does not match'),
        ({"id": "it", "fixture": "a.py", "lines": 0}, "`lines` is `0`, less than 1"),
        ({"id": "it", "content": "x", "name": "../x"}, "`name` cannot be the name of a file"),
        ({"id": "it", "content": "x", "name": ".."}, "`name` cannot be the name of a file"),
        ({"id": "it", "content": "x", "language": "pyhton"}, "there is no language `pyhton`; nearest: `python`"),
    ],
)
def test_an_example_that_is_not_of_the_right_shape_is_refused(run: Run, entry: dict[str, Any], message: str) -> None:
    checked = run(catalogue={"policy": {}}, rule={"examples": {"valid": [entry]}}, fixtures={"a.py": TABS})
    assert any(message in line for line in checked.lines), checked.lines


# Fixes


@pytest.mark.parametrize(
    ("fix", "detail"),
    [
        ({"old": "\ty", "new": "    y"}, ""),
        ({"old": "\ty = 2", "new": "    y = 2\n    z = 3"}, ""),
        ({"old": "y = 2", "new": "z"}, "`t.name` still finds something afterwards: line 6 has a tab"),
        (
            {"old": "x = 1", "new": "x = 2"},
            'the replacement does not apply: the passage "x = 1" is not in lines 5–6 of `a.py`;'
            ' nearest: line 2, "x = 1"',
        ),
        (
            [{"op": "remove", "path": "/x"}],
            "the patch does not apply: a text has no nodes to patch; give a passage as `old` and what replaces it"
            " as `new`",
        ),
    ],
)
def test_a_fix_of_a_text_replaces_a_passage_of_the_selection(run: Run, fix: Any, detail: str) -> None:
    verdict = judge(run, rule(invalid=[{"region": "bad", "fix": fix}])).verdict("invalid-1")
    assert verdict.outcome == (Outcome.FIX_FAILS if detail else Outcome.CONFIRMED)
    assert verdict.detail == detail


def test_a_passage_of_a_text_or_of_a_file_of_a_folder_can_be_replaced(run: Run) -> None:
    change = {"old": "y", "new": "\ty"}
    part = rule(invalid=[{"fixture": "proj", "show_file": "pkg/lib.py", "replace": change}])
    checked = judge(run, part, fixtures=FOLDER)
    assert checked.outcome("invalid-1") == Outcome.CONFIRMED
    part = rule(invalid=[{"region": "good", "replace": {"old": "x = 1", "new": "\tx = 1"}}])
    assert judge(run, part).outcome("invalid-1") == Outcome.CONFIRMED


def test_the_negative_control_holds_on_texts(catalogue_dir: Write) -> None:
    part = rule(
        invalid=[{"region": "bad", "fix": {"old": "\t", "new": " "}}, {"content": "x\n\ty\n", "lines": 2}],
        valid=[{"region": "good"}, {"content": "x\n"}],
    )
    folder = catalogue_dir(catalogue={"policy": {}}, rule=part, fixtures={"a.py": TABS}, checks=CHECKS)
    catalogue = load(folder).catalogue
    assert catalogue is not None
    with Runner(catalogue) as runner:
        attempts = list(control(catalogue, runner))
    assert [attempt for attempt in attempts if not attempt.held] == []
    assert {"the selection lies elsewhere", "the fix is applied"} <= {attempt.attempt for attempt in attempts}


def test_the_negative_control_reaches_checks_that_judge_lines(catalogue_dir: Write) -> None:
    code = "from mkdocs_rulebook import applied\n\n\ndef no_tab(node):\n    yield applied(node, line=2)\n"
    part = rule(valid=[{"region": "good"}])
    folder = catalogue_dir(catalogue={"policy": {}}, rule=part, fixtures={"a.py": TABS}, checks={"tabs.py": code})
    catalogue = load(folder).catalogue
    assert catalogue is not None
    with Runner(catalogue) as runner:
        attempts = {attempt.attempt: attempt.held for attempt in control(catalogue, runner)}
    assert attempts == {"the check always fires": True, "nothing is selected": True}


def test_an_outcome_is_remembered_for_a_text_of_one_name_alone(catalogue_dir: Write) -> None:
    part = rule({"python": "tabs:no_tab", "text": "*.mk"}, invalid=[{"fixture": "b.mk"}], inapplicable=[{}])
    fixtures = {"a.py": "\tx\n", "b.mk": "\tx\n"}
    folder = catalogue_dir(catalogue={"policy": {}}, rule=part, fixtures=fixtures, checks=CHECKS)
    memory: Memory = {}
    for _ in range(2):
        outcomes = [str(verdict.outcome) for verdict in check([folder], memory=memory).reports[0].verdicts]
        assert outcomes == ["confirmed", "confirmed"]


# In the site


def lines_of(text: str, at: int = 0) -> list[tuple[str, str, str]]:
    """Return class, number and text of each line of one of the excerpts of a page."""
    excerpt = re.split(r'<div class="rb-excerpt', text)[at + 1]
    excerpt = excerpt.split("</div>")[0]
    found = []
    for names, line in re.findall(r'<span class="(rb-line[^"]*)">(.*?)\n</span>', excerpt, re.DOTALL):
        number = re.search(r'data-n="(\d+)"', line)
        shown = re.sub(r'<span class="rb-sr">[^<]*</span>|<[^>]+>', "", line)
        found.append((names, number[1] if number else "", html.unescape(shown)))
    return found


def test_a_site_shows_a_region_with_the_numbers_of_the_file_and_without_its_markers(tmp_path: Path) -> None:
    part = rule(invalid=[{"region": "bad"}], valid=[{"region": "good"}, {"fixture": "whole.py"}])
    fixtures = {"a.py": TABS, "whole.py": "a\n# region x\nb\n# endregion\nc \n"}
    site = make_site(tmp_path, rule=part, fixtures=fixtures, checks=CHECKS)
    done = build(site, "--strict")
    assert done.returncode == 0, done.stderr
    text = page(site)
    assert lines_of(text, 0) == [("rb-line", "5", "if x:"), ("rb-line rb-bad", "6", "\ty = 2")]
    assert lines_of(text, 1) == [("rb-line", "2", "x = 1")]
    assert lines_of(text, 2) == [("rb-line", "1", "a"), ("rb-line", "3", "b"), ("rb-line", "5", "c ")]
    plain = html.unescape(re.sub(r"<[^>]+>", "", text))
    assert "Selected: region bad › lines 5–6" in plain
    assert "Selected: the whole text" in plain
    assert "Line 6 has a tab." in plain
    published = site / "site" / "rules" / "files" / "cat" / "fixtures" / "a.py.txt"
    assert published.read_text() == TABS


def test_a_marker_that_fails_is_shown(tmp_path: Path) -> None:
    part = rule(invalid=[{"fixture": "m.py"}], valid=[{"region": "good"}])
    fixtures = {"a.py": TABS, "m.py": "a\n\t# region x\nb\n# endregion\n"}
    site = make_site(tmp_path, rule=part, fixtures=fixtures, checks=CHECKS)
    assert build(site).returncode == 0
    assert [line[1] for line in lines_of(page(site))] == ["1", "2", "3"]


def test_a_site_shows_a_folder_an_inline_example_and_a_change(tmp_path: Path) -> None:
    part = rule(
        invalid=[
            {"fixture": "proj", "show_file": "main.py", "lines": 2},
            {"content": "\ttwo\n", "wrap": {"before": "one\n"}, "name": "two.md"},
            {"replace": {"old": "x = 1", "new": "\tx = 1"}, "region": "good", "fix": {"old": "\t", "new": ""}},
        ],
        valid=[{"region": "good"}],
    )
    site = make_site(tmp_path, rule=part, fixtures={**FOLDER, "a.py": TABS}, checks=CHECKS)
    done = build(site, "--strict")
    assert done.returncode == 0, done.stderr
    text = page(site)
    plain = html.unescape(re.sub(r'<span class="rb-sr">[^<]*</span>|<[^>]+>', "", text))
    files = {
        path.relative_to(site / "site/rules/files/cat").as_posix(): path
        for path in (site / "site/rules/files/cat").rglob("*.txt")
    }
    assert sorted(files) == [
        "derived/t/name/invalid-2/two.md.txt",
        "derived/t/name/invalid-3/a.py.txt",
        "fixtures/a.py.txt",
        "fixtures/proj/main.py.txt",
        "fixtures/proj/pkg/lib.py.txt",
    ]
    assert files["derived/t/name/invalid-2/two.md.txt"].read_text() == "one\n\ttwo\n"
    assert files["derived/t/name/invalid-3/a.py.txt"].read_text() == TABS.replace("x = 1", "\tx = 1")
    assert "Selected: main.py › line 2" in plain
    # The valid example stands beside the first invalid one.
    assert lines_of(text, 2) == [("rb-line rb-bad", "2", "\ttwo")]
    assert lines_of(text, 3) == [("rb-line", "1", "one"), ("rb-line", "2", "\ttwo")]
    assert lines_of(text, 4) == [("rb-line rb-bad rb-changed", "2", "\tx = 1")]
    assert "Changed from a.py: 1 line added, 1 line removed" in plain
    assert "Fix that makes the check silent:\n-\tx = 1\n+x = 1" in re.sub(r"\n+", "\n", plain)


@pytest.mark.parametrize(
    ("content", "drawn", "plain"),
    [
        ("all:\n\techo\n", 0, 1),
        ("all:\n\techo\n  x\n", 1, 0),
        ("all:\n\techo\tx\n", 1, 1),
        ("all:\n\techo\n\t\n", 1, 1),
        ("a\u200bb\n", 1, 0),
        ("a\r\nb\n", 1, 0),
        ("x  \n", 2, 0),
        ("  \tx\n", 3, 0),
        ("a\x07b\n", 1, 0),
    ],
)
def test_what_nobody_sees_is_drawn_where_it_matters(content: str, drawn: int, plain: int) -> None:
    excerpt = cut_text(made(Path("/x/Makefile"), content, "text"), Selection(), "", ())
    text = excerpt_html(excerpt.lines, {}, excerpt.language, excerpt.numbers)
    assert text.count("rb-char") == drawn
    assert re.sub(r"<bdi.*?</bdi>", "", text).count("&#x9;") == plain


def test_the_tabs_of_a_line_that_fails_are_drawn() -> None:
    excerpt = cut_text(made(Path("/x/Makefile"), "all:\n\techo\n\techo\n", "text"), Selection(), "", ())
    assert excerpt_html(excerpt.lines, {1: True}, "make", excerpt.numbers).count("rb-char") == 1


def test_code_is_coloured_by_the_name_of_its_file_or_as_declared(tmp_path: Path) -> None:
    part = rule(
        {"python": "fine:check", "text": True},
        valid=[{"fixture": "b.py"}, {"fixture": "c.txt", "language": "python"}, {"fixture": "d.txt"}],
    )
    fixtures = {"b.py": "def f(): pass\n", "c.txt": "def g(): pass\n", "d.txt": "def h(): pass\n"}
    checks = {"fine.py": "def check(node):\n    return []\n"}
    site = make_site(tmp_path, catalogue={"policy": {}}, rule=part, fixtures=fixtures, checks=checks)
    assert build(site, "--strict").returncode == 0
    blocks = page(site).split('<div class="rb-excerpt')[1:4]
    assert ['class="k"' in block for block in blocks] == [True, True, False]
    assert [re.search(r'data-language="(\w+)"', block)[1] for block in blocks] == ["python", "python", "text"]  # type: ignore[index]


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"content": "x", "name": "a\0.txt"}, "`name` cannot be the name of a file"),
        ({"content": "x", "name": "a\x1b.txt"}, "`name` cannot be the name of a file"),
        ({"content": "x", "name": "a\u202etxt.py"}, "`name` cannot be the name of a file"),
        ({"content": "x", "name": "a/b.txt"}, "`name` cannot be the name of a file"),
        ({"content": "x", "name": "a" * 201}, "`name` has 201 characters, more than 200"),
        ({"content": "x", "name": "\u00e9" * 101}, "the name of the text has 202 bytes in UTF-8, more than 200"),
        ({"content": "a\0b"}, "`content` holds U+0000, which no text may hold"),
        ({"content": "x", "wrap": {"before": "\0"}}, "`before` holds U+0000, which no text may hold"),
        ({"fixture": "a.py", "replace": {"old": "x", "new": "\0"}}, "`new` holds U+0000, which no text may hold"),
        ({"content": "x", "fix": {"old": "x", "new": "\0"}}, "`new` holds U+0000, which no text may hold"),
    ],
)
def test_a_text_that_no_file_could_hold_is_a_fault(run: Run, entry: dict[str, Any], said: str) -> None:
    lines = run(rule={"check": {"none": "x"}, "examples": {"invalid": [{"id": "it", **entry}]}}).lines
    assert [line for line in lines if f"catalogue: {said}" in line or f"t.name: {said}" in line], lines
    assert not any(char in line for line in lines for char in "\0\x1b\u202e")


@pytest.mark.parametrize("name", ["a" * 200, "\u00e9t\u00e9.txt", ".x", "a b.py"])
def test_any_other_name_of_a_text_is_published(tmp_path: Path, name: str) -> None:
    entry = {"id": "it", "content": "x", "name": name, "language": "text"}
    site = make_site(tmp_path, rule={"check": {"none": "x"}, "examples": {"invalid": [entry]}})
    done = build(site, "--strict")
    assert done.returncode == 0, done.stderr
