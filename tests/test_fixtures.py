"""Fixtures as they should not be: each is one clear line at the place to mend, and never a traceback."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import Checked, Run, Write, write
from mkdocs_rulebook.model import Outcome
from mkdocs_rulebook.project import check
from mkdocs_rulebook.source import MAX_DEPTH


def rule(fixture: str, pointer: str = "", **more: Any) -> dict[str, Any]:
    """Return a rule part whose one example is invalid, named `it`, and has that fixture."""
    return {"examples": {"invalid": [{"id": "it", "fixture": fixture, "pointer": pointer}]}, **more}


def judge(run: Run, fixture: str, content: str | bytes | None = None, **parts: Any) -> Checked:
    return run(catalogue={"policy": {}}, rule=rule(fixture), fixtures={fixture: content}, **parts)


BOMB = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n" + "".join(
    f"{this}: &{this} [{', '.join([f'*{before}'] * 10)}]\n" for before, this in zip("abcdef", "bcdefg", strict=True)
)


@pytest.mark.parametrize(
    ("name", "content", "place", "message"),
    [
        ("x.json", "", (1, 1), "the file is empty"),
        ("x.yaml", " \n\n", (1, 1), "the file is empty"),
        ("x.json", '{ "a": 1 ', (1, 10), "expected ',' or a closing bracket, found the end of the file"),
        ("x.json", b'{"a":\n "\xff"}', (2, 3), "not UTF-8: byte 0xff at offset 8 of the file"),
        ("x.json", '{"a": 1}'.encode("utf-16"), (1, 1), "the file is UTF-16; it must be UTF-8"),
        ("x.json", '{"a":\n\0 1}', (2, 1), "control character U+0000 is not permitted; is the file UTF-16?"),
        ("x.yaml", "a: b\nc: \0", (2, 4), "control character U+0000 is not permitted"),
        ("x.json", '{"a": 1,\n "a": 2}', (2, 2), 'the member name "a" is repeated; it is first on line 1'),
        ("x.yaml", "a: 1\nb: 2\na: 3\n", (3, 1), 'the member name "a" is repeated; it is first on line 1'),
        ("x.json", '{"a": NaN}', (1, 7), "NaN is not a JSON number"),
        ("x.json", "[1,\n-Infinity]", (2, 1), "-Infinity is not a JSON number"),
        ("x.yaml", "a: .nan\n", (1, 4), ""),
        ("x.json", "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), (1, MAX_DEPTH + 1), "nested too deep"),
        ("x.json", "[" * 200_000, (1, MAX_DEPTH + 1), "nested too deep"),
        ("x.yaml", "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), (1, MAX_DEPTH + 1), "nested too deep"),
        ("x.yaml", BOMB, (6, 8), "the aliases of this file add more than 200000 nodes"),
        ("x.yaml", "a: &a [*a]\n", (1, 8), ""),
        ("x.yaml", "a: !!python/object/apply:os.system [echo]\n", (1, 4), ""),
        ("x.yaml", "a: 1\n---\nb: 2\n", (2, 1), ""),
        ("x.yaml", "a:\n\t- 1\n", (2, 1), "a tab is used for indentation"),
        ("x.json", '"\\ud800"', (1, 2), "\\ud800 is half of a surrogate pair"),
    ],
)
def test_a_fixture_that_cannot_be_read_is_said_to_be_so_with_its_place(
    run: Run, name: str, content: str | bytes, place: tuple[int, int], message: str
) -> None:
    checked = judge(run, name, content)
    verdict = checked.verdict("it")
    assert verdict.outcome == Outcome.FIXTURE_UNREADABLE
    assert verdict.detail.startswith(f"`{name}`: {message}")
    assert [(at.path.name, (at.position.line, at.position.column)) for at in verdict.related] == [(name, place)]
    assert [fault.kind for fault in checked.project.faults] == ["fixture-unreadable"]
    assert "\n" not in checked.lines[0]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tpyo.json", "there is no fixture `tpyo.json`; nearest: `sub/typo.json`"),
        ("sub/tpyo.json", "there is no fixture `sub/tpyo.json`; nearest: `sub/typo.json`"),
        ("qqqqqqqqqqq", "there is no fixture `qqqqqqqqqqq`"),
        ("sub/typo.json/more.json", "there is no fixture `sub/typo.json/more.json`; nearest: `sub/typo.json`"),
        ("./sub/typo.json", "there is no fixture `./sub/typo.json`; nearest: `sub/typo.json`"),
        ("sub/../sub/typo.json", "there is no fixture `sub/../sub/typo.json`; nearest: `sub/typo.json`"),
        ("sub/typo.json/", "there is no fixture `sub/typo.json/`; nearest: `sub/typo.json`"),
        ("x" * 5000, f"there is no fixture `{'x' * 5000}`"),
        ("a\0b.json", "there is no fixture `a\0b.json`"),
    ],
)
def test_a_fixture_that_is_missing_or_not_plainly_named_is_missing_and_the_nearest_are_named(
    run: Run, name: str, message: str
) -> None:
    fixtures = {"sub/typo.json": '{"name": 1}', "good.json": None, "bad.json": None}
    checked = run(catalogue={"policy": {}}, rule=rule(name), fixtures=fixtures)
    assert (checked.outcome("it"), checked.verdict("it").detail) == (Outcome.FIXTURE_MISSING, message)
    assert "\0" not in checked.lines[0]


def test_a_folder_is_no_data(run: Run) -> None:
    checked = run(catalogue={"policy": {}}, rule=rule("folder.json"), fixtures={"folder.json/inside.json": "{}"})
    assert checked.outcome("it") == Outcome.FIXTURE_UNREADABLE
    assert checked.verdict("it").detail.startswith("`folder.json` is a folder, and a JSON Schema judges data")


def linked(write_to: Write, link: Callable[[Path], None], fixture: str) -> Checked:
    folder = write_to(catalogue={"policy": {}}, rule=rule(fixture))
    link(folder / "fixtures")
    return Checked(check([folder]), folder.parent)


@pytest.mark.parametrize("name", ["../outside.json", "/etc/passwd", "sub/../../outside.json", ".."])
def test_a_path_that_leaves_the_fixture_folder_is_refused(catalogue_dir: Write, tmp_path: Path, name: str) -> None:
    write(tmp_path / "unused", files={"../cat/outside.json": '{"name": 1}'})
    verdict = linked(catalogue_dir, lambda _: None, name).verdict("it")
    assert verdict.outcome == Outcome.FIXTURE_UNREADABLE
    assert verdict.detail == f"`{name}` leads out of the fixture folder"


@pytest.mark.parametrize("depth", ["file", "folder"])
def test_a_symbolic_link_that_leaves_the_fixture_folder_is_refused(
    catalogue_dir: Write, tmp_path: Path, depth: str
) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "x.json").write_text('{"name": "secret"}')

    def link(fixtures: Path) -> None:
        if depth == "file":
            (fixtures / "link.json").symlink_to(tmp_path / "secret" / "x.json")
        else:
            (fixtures / "link").symlink_to(tmp_path / "secret")

    name = "link.json" if depth == "file" else "link/x.json"
    checked = linked(catalogue_dir, link, name)
    assert checked.verdict("it").detail == f"`{name}` leads out of the fixture folder"
    assert "secret" not in "".join(checked.lines)


def test_a_symbolic_link_inside_the_fixture_folder_is_followed(catalogue_dir: Write) -> None:
    checked = linked(catalogue_dir, lambda fixtures: (fixtures / "l.json").symlink_to("bad.json"), "l.json")
    assert checked.outcome("it") == Outcome.CONFIRMED


def test_the_fixture_folder_itself_may_be_a_link(catalogue_dir: Write, tmp_path: Path) -> None:
    folder = catalogue_dir(rule=rule("bad.json"), catalogue={"policy": {}, "fixtures": {"root": "linked"}})
    (folder / "linked").symlink_to(folder / "fixtures")
    assert Checked(check([folder]), tmp_path).outcomes == {"it": "confirmed"}


def test_a_link_to_itself_is_no_endless_loop(catalogue_dir: Write) -> None:
    checked = linked(catalogue_dir, lambda fixtures: (fixtures / "l.json").symlink_to("l.json"), "l.json")
    assert checked.outcome("it") == Outcome.FIXTURE_UNREADABLE


def test_a_link_to_nothing_is_unreadable(catalogue_dir: Write) -> None:
    checked = linked(catalogue_dir, lambda fixtures: (fixtures / "l.json").symlink_to("none.json"), "l.json")
    assert (checked.outcome("it"), checked.verdict("it").detail) == (
        Outcome.FIXTURE_UNREADABLE,
        "`l.json`: the file does not exist",
    )


def test_a_file_name_that_is_no_text_can_be_told(catalogue_dir: Write) -> None:
    folder = catalogue_dir(catalogue={"fixtures": {"root": "fixtures", "groups": {"g": "clean"}}})
    (folder / "fixtures" / "g").mkdir()
    try:
        Path(os.fsdecode(os.fsencode(folder / "fixtures/g") + b"/\xff.json")).write_text('{"name": 1}')
    except OSError:
        pytest.skip("this file system wants names that are text")
    (line,) = Checked(check([folder]), folder.parent).lines
    assert line.encode()  # can be printed
    assert "\\udcff.json" in line


PLAIN = '{\n  "name": 1,\n  "other": [\n    true\n  ]\n}\n'


@pytest.mark.parametrize(
    "content",
    [
        PLAIN.encode(),
        b"\xef\xbb\xbf" + PLAIN.encode(),
        PLAIN.replace("\n", "\r\n").encode(),
        PLAIN.replace("\n", "\r").encode(),
    ],
    ids=["plain", "byte order mark", "CRLF", "CR"],
)
def test_marks_and_line_ends_change_no_verdict_and_no_place(run: Run, content: bytes) -> None:
    part = rule("x.json", "/other", check={"select": "$.other[*]", "schema": False})
    checked = run(catalogue={"policy": {}}, rule=part, fixtures={"x.json": content})
    verdict = checked.verdict("it")
    assert verdict.outcome == Outcome.CONFIRMED
    assert [(at.position.line, at.position.column) for at in verdict.related] == [(3, 3)]


def test_a_fixture_of_ten_megabytes_is_judged(run: Run) -> None:
    checked = judge(run, "x.json", json.dumps({"name": 1, "text": "x" * 10_000_000}))
    assert checked.outcome("it") == Outcome.CONFIRMED
    assert checked.lines == []


@pytest.mark.parametrize(
    "check", [{"select": "$.name", "schema": {"type": "string"}}, {"select": "$.name", "python": "m:f"}]
)
def test_a_fixture_as_deep_as_can_be_read_is_judged(run: Run, check: Any) -> None:
    text = '{"name": 1, "deep": ' + "[" * (MAX_DEPTH - 1) + "]" * (MAX_DEPTH - 1) + "}"
    code = "from mkdocs_rulebook import finding\n"
    code += "def f(node):\n    return [finding(node, 'is 1')] if node.value == 1 else []\n"
    checked = run(
        catalogue={"policy": {}}, rule=rule("x.json", check=check), fixtures={"x.json": text}, checks={"m.py": code}
    )
    assert checked.lines == []
    assert checked.outcome("it") == Outcome.CONFIRMED


@pytest.mark.parametrize(
    "check",
    [
        {"select": "$..name", "schema": False},
        {"select": "$", "schema": {"type": "object", "additionalProperties": {"$ref": "#"}}},
    ],
)
def test_a_check_that_recurses_judges_a_fixture_as_deep_as_can_be_read(run: Run, check: Any) -> None:
    depth = MAX_DEPTH - 1
    text = '{"d": ' * depth + '{"name": 1}' + "}" * depth
    checked = run(catalogue={"policy": {}}, rule=rule("x.json", check=check), fixtures={"x.json": text})
    assert checked.outcome("it") == Outcome.CONFIRMED
    assert checked.verdict("it").findings[0].pointer == "/d" * depth + "/name"


def test_a_check_that_calls_itself_without_end_says_so(run: Run) -> None:
    code = "def f(document):\n    return f(document)\n"
    checked = run(
        catalogue={"policy": {}},
        rule=rule("x.json", check={"python": "m:f"}),
        fixtures={"x.json": "{}"},
        checks={"m.py": code},
    )
    assert checked.outcome("it") == Outcome.CHECK_ERROR
    assert "calls itself without end (checks/m.py:2)" in checked.verdict("it").detail


def test_references_that_cannot_be_followed_are_a_check_error(run: Run) -> None:
    bomb = {**{f"x{n}": [{"$ref": f"#/x{n + 1}"}] * 10 for n in range(9)}, "x9": 1, "name": 1}
    checked = run(
        catalogue={"policy": {}, "references": "$ref"}, rule=rule("x.json"), fixtures={"x.json": json.dumps(bomb)}
    )
    assert checked.outcome("it") == Outcome.CHECK_ERROR
    assert checked.verdict("it").detail == "its references add more than 200,000 nodes"


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        ('{"": {"": 1}}', "//"),
        ('{"": 1}', "/"),
        ('{"foo/bar~": 1}', "/foo~1bar~0"),
        ('{"{id}": {"a b": 1}}', "/{id}/a b"),
        ('{"é": [{"~1": 1}]}', "/é/0/~01"),
        ("[[1]]", "/0/0"),
    ],
)
def test_a_selection_may_have_any_name(run: Run, text: str, pointer: str) -> None:
    part = rule("x.json", pointer, check={"select": "$..*", "schema": {"not": {"type": "integer"}}})
    checked = run(catalogue={"policy": {}}, rule=part, fixtures={"x.json": text, "good.json": None, "bad.json": None})
    assert checked.lines == []
    assert checked.verdict("it").findings[0].pointer == pointer


def test_hidden_and_foreign_files_are_no_fixtures(run: Run) -> None:
    extra = {".hidden/x.json": "{", ".x.json": "{", "notes.txt": "{", "README.md": "{"}
    assert (
        run(
            catalogue={"fixtures": {"root": "fixtures", "groups": {"g": "clean"}}},
            fixtures={"g/x.json": "{}", **{f"g/{name}": text for name, text in extra.items()}},
        ).lines
        == []
    )
