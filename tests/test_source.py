"""Files as values with positions: what is read, where everything lies, and how a bad file is refused."""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
from decimal import Decimal
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from mkdocs_rulebook.model import Position, Span
from mkdocs_rulebook.pointer import PointerError, append
from mkdocs_rulebook.source import MAX_ALIASED, MAX_DEPTH, Source, SourceError, read, yaml_text

LOADERS = [pytest.param(yaml.SafeLoader, id="python")]
if hasattr(yaml, "CSafeLoader"):
    LOADERS.append(pytest.param(yaml.CSafeLoader, id="libyaml"))


@pytest.fixture(params=LOADERS)
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a test with both YAML parsers: an installation may lack the fast one."""
    monkeypatch.setattr(yaml_text, "LOADER", request.param)


def load(folder: Path, name: str, content: str | bytes, **options: Any) -> Source:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read(path, **options)


def refuse(folder: Path, name: str, content: str | bytes, **options: Any) -> SourceError:
    with pytest.raises(SourceError) as caught:
        load(folder, name, content, **options)
    error = caught.value
    assert error.place.path == folder / name
    assert "\n" not in error.message
    assert str(error) == error.message
    return error


def at(error: SourceError) -> tuple[int, int]:
    return error.place.position.line, error.place.position.column


def pointers(value: Any) -> list[tuple[str, Any]]:
    found, todo = [], [("", value)]
    while todo:
        pointer, node = todo.pop()
        found.append((pointer, node))
        members = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        todo += [(append(pointer, key), child) for key, child in members]
    return found


# --- what is read


def test_json_numbers_keep_their_exact_value(tmp_path: Path) -> None:
    value = load(tmp_path, "a.json", "[1.10, 1e400, -0, 10, 0.1, 1E2]").value
    assert [str(item) for item in value] == ["1.10", "1E+400", "0", "10", "0.1", "1E+2"]
    assert [type(item) for item in value] == [Decimal, Decimal, int, int, Decimal, Decimal]


@pytest.mark.parametrize("name", ["a.json", "a.yaml"])
def test_an_integer_beyond_the_limit_of_int_is_a_decimal(tmp_path: Path, name: str) -> None:
    digits = "1" + "0" * (sys.get_int_max_str_digits() + 1)
    value = load(tmp_path, name, f'{{"n": {digits}}}').value["n"]
    assert isinstance(value, Decimal)
    assert value == Decimal(10) ** (len(digits) - 1)


SCALARS: list[tuple[str, Any]] = [
    ("on", "on"),
    ("yes", "yes"),
    ("No", "No"),
    ("2020-01-01", "2020-01-01"),
    ("1_000", "1_000"),
    ("0777", "0777"),
    ("007.5", "007.5"),
    ("1:30", "1:30"),
    ("0b1", "0b1"),
    ("0o17", 15),
    ("0x1F", 31),
    ("-0x1F", "-0x1F"),
    ("+12", 12),
    ("-12", -12),
    ("0", 0),
    ("1.10", Decimal("1.10")),
    ("1e3", Decimal("1e3")),
    (".5", Decimal("0.5")),
    ("5.", Decimal(5)),
    ("+", "+"),
    (".", "."),
    ("true", True),
    ("True", True),
    ("TRUE", True),
    ("false", False),
    ("False", False),
    ("FALSE", False),
    ("tRue", "tRue"),
    ("null", None),
    ("Null", None),
    ("NULL", None),
    ("~", None),
    ("", None),
    ('"12"', "12"),
    ("'true'", "true"),
    ("|-\n  12", "12"),
    ("! 12", "12"),
    ('! "12"', "12"),
    ("!!str 12", "12"),
    ("!!str", ""),
    ('!!int "12"', 12),
    ("!!float 1", Decimal(1)),
    ("!!float 1.10", Decimal("1.10")),
    ('!!bool "true"', True),
    ('!!null ""', None),
    ("!!seq []", []),
    ("!!map {}", {}),
    ("!<tag:yaml.org,2002:str> 1", "1"),
]


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize(("spelled", "value"), SCALARS)
def test_yaml_scalars_follow_the_core_schema(tmp_path: Path, spelled: str, value: Any) -> None:
    found = load(tmp_path, "a.yml", f"a: {spelled}\n").value["a"]
    assert found == value
    assert type(found) is type(value)
    assert str(found) == str(value)


@pytest.mark.usefixtures("loader")
def test_yaml_keys_are_strings_as_spelled(tmp_path: Path) -> None:
    value = load(tmp_path, "a.yaml", "200: a\non: b\n1.10: c\n~: d\n'x': e\n0x1F: f\n? g\n:\n").value
    assert value == {"200": "a", "on": "b", "1.10": "c", "~": "d", "x": "e", "0x1F": "f", "g": None}


def test_an_alias_may_be_a_key(tmp_path: Path) -> None:
    assert load(tmp_path, "a.yaml", "a: &k 200\n*k : x\n").value == {"a": 200, "200": "x"}


@pytest.mark.parametrize("key", ["200", "1.10", "true", "~", "0x1F", "!!int 200"])
def test_in_strings_mode_a_key_that_is_no_string_is_refused(tmp_path: Path, key: str) -> None:
    error = refuse(tmp_path, "a.yaml", f"a: 1\nb:\n  {key}: x\n", keys="strings")
    assert at(error) == (3, 3)
    assert "a member name must be a string; quote it" in error.message


def test_in_strings_mode_words_and_quoted_keys_are_strings(tmp_path: Path) -> None:
    value = load(tmp_path, "a.yaml", 'on: 1\n"200": 2\n!!str 300: 3\n', keys="strings").value
    assert value == {"on": 1, "200": 2, "300": 3}


def test_aliases_give_equal_but_separate_values(tmp_path: Path) -> None:
    value = load(tmp_path, "a.yaml", "a: &x {p: [1]}\nb: *x\n").value
    value["b"]["p"].append(2)
    assert value == {"a": {"p": [1]}, "b": {"p": [1, 2]}}


@pytest.mark.usefixtures("loader")
def test_merge_keys_are_flattened_and_explicit_members_win(tmp_path: Path) -> None:
    text = "a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\none:\n  y: 9\n  <<: *a\nmany:\n  <<: [*b, *a]\nquoted:\n  '<<': 1\n"
    value = load(tmp_path, "a.yaml", text).value
    assert value["one"] == {"x": 1, "y": 9}
    assert value["many"] == {"x": 1, "y": 2, "z": 2}
    assert value["quoted"] == {"<<": 1}


def test_a_byte_order_mark_and_line_ends_do_not_matter(tmp_path: Path) -> None:
    plain = load(tmp_path, "a.json", '{\n"a": 1\n}\n')
    other = load(tmp_path, "b.json", b'\xef\xbb\xbf{\r\n"a": 1\r}\r\n')
    assert other.text == plain.text
    assert other.digest == plain.digest == hashlib.sha256(plain.text.encode()).hexdigest()
    assert other.place("/a").position == Position(2, 1)


@pytest.mark.parametrize(
    ("name", "language"), [("a.json", "json"), ("a.JSON", "json"), ("a.yaml", "yaml"), ("a.yml", "yaml")]
)
def test_the_suffix_decides_the_language(tmp_path: Path, name: str, language: str) -> None:
    assert load(tmp_path, name, "[]").language == language


def test_a_relative_path_becomes_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.json").write_text("1")
    monkeypatch.chdir(tmp_path)
    assert read(Path("a.json")).path == tmp_path / "a.json"


# --- where it lies


def test_json_positions(tmp_path: Path) -> None:
    source = load(tmp_path, "a.json", '{\n  "é😀": [1.10, {"a\\u0062": "x"}],\n  "": true\n}')
    assert source.span("") == Span(Position(1, 1), Position(4, 2))
    assert source.span("/é😀/0") == Span(Position(2, 10), Position(2, 14))
    assert source.key_span("/é😀") == Span(Position(2, 3), Position(2, 7))
    assert source.literal("/é😀/0") == "1.10"
    assert source.key_literal("/é😀/1/ab") == '"a\\u0062"'
    assert source.key_literal("/é😀/1") is None
    assert source.key_span("") is None
    assert source.place("/é😀/1/ab").position == Position(2, 17)
    assert source.place("/é😀/0").position == Position(2, 10)
    assert source.place("/").position == Position(3, 3)


def test_a_missing_node_is_placed_at_its_deepest_ancestor(tmp_path: Path) -> None:
    source = load(tmp_path, "a.json", '{\n "a": {"b": [1]}}')
    assert source.place("/a/b/7/c") == source.place("/a/b")
    assert source.place("/a/x").position == Position(2, 2)
    assert source.place("/a/b/00") == source.place("/a/b")
    for ask in (source.span, source.key_span, source.literal, source.key_literal):
        with pytest.raises(KeyError, match="/a/x"):
            ask("/a/x")
    with pytest.raises(PointerError):
        source.span("a")


@pytest.mark.usefixtures("loader")
def test_yaml_positions(tmp_path: Path) -> None:
    text = "a:\n- b\n- # none\n# comment\nx: |\n  foo\n\n\nb: &b\n  c: 'é'\n\nd: *b\ne: {<<: *b, f: [1, 2]} # end\ng:\n"
    source = load(tmp_path, "a.yaml", text)
    literals = {pointer: source.literal(pointer) for pointer, _ in pointers(source.value) if pointer}
    assert literals == {
        "/a": "- b\n-",
        "/a/0": "b",
        "/a/1": "",
        "/x": "|\n  foo",
        "/b": "&b\n  c: 'é'",
        "/b/c": "'é'",
        "/d": "*b",
        "/d/c": "'é'",
        "/e": "{<<: *b, f: [1, 2]}",
        "/e/c": "'é'",
        "/e/f": "[1, 2]",
        "/e/f/0": "1",
        "/e/f/1": "2",
        "/g": "",
    }
    assert source.span("/d") == Span(Position(12, 4), Position(12, 6))
    assert source.place("/d").position == Position(12, 1)
    assert source.span("/d/c") == source.span("/b/c") == source.span("/e/c")
    assert source.key_literal("/e/c") == "c"
    assert source.place("/g").position == Position(14, 1)
    assert source.span("").start == Position(1, 1)


def test_an_alias_within_a_block_does_not_stretch_it_backwards(tmp_path: Path) -> None:
    source = load(tmp_path, "a.yaml", "a: &a 1\nb:\n  c: *a\nd: 2\n")
    assert source.literal("/b") == "c: *a"


# --- what is refused

JSON_FAULTS: list[tuple[str, str, tuple[int, int], str]] = [
    ("comma in array", "[1 , ]", (1, 4), "a comma before a closing bracket"),
    ("comma in object", '{"a": 1,\n}', (1, 8), "a comma before a closing bracket"),
    ("bare name", "{a: 1}", (1, 2), 'expected a member name in double quotes, found "a"'),
    ("no colon", '{"a" 1}', (1, 6), "expected ':' after the member name, found \"1\""),
    ("no value", '{"a": }', (1, 7), 'expected a value, found "}"'),
    ("no comma", "[1\n 2]", (2, 2), "expected ',' or a closing bracket, found \"2\""),
    ("leading zero", "[01]", (1, 3), "expected ',' or a closing bracket"),
    ("bare word", "[tru]", (1, 2), 'expected a value, found "t"'),
    ("comment", "// no\n{}", (1, 1), 'expected a value, found "/"'),
    ("open object", '{\n"a": 1', (2, 7), "found the end of the file"),
    ("open array", "[\n\n", (3, 1), "expected a value, found the end of the file"),
    ("open string", '[\n "a]', (2, 2), "no closing quote"),
    ("more", "1 2", (1, 3), "expected the end of the file"),
    ("tab in string", '["a\tb"]', (1, 4), "U+0009 must be written as an escape"),
    ("line in string", '["a\nb"]', (1, 4), "U+000A must be written as an escape"),
    ("bad escape", '["a\\x"]', (1, 4), "begins no valid escape"),
    ("short escape", '["a\\u12"]', (1, 4), "begins no valid escape"),
    ("NaN", "[1,\n NaN]", (2, 2), "NaN is not a JSON number"),
    ("Infinity", "[Infinity]", (1, 2), "Infinity is not a JSON number"),
    ("-Infinity", "[-Infinity]", (1, 2), "-Infinity is not a JSON number"),
    ("exponent", "[1.5e9999999999999999999999]", (1, 2), "exponent"),
    ("repeated", '{"o": {"a": 1,\n "b": 2,\n "\\u0061": 3}}', (3, 2), '"a" is repeated; it is first on line 1'),
    ("high half", '["\\\\ud800 \\ud800"]', (1, 11), "half of a surrogate pair"),
    ("low half", '["\\ud83d\\ude00\\ude00"]', (1, 15), "half of a surrogate pair"),
    ("half in name", '{"\\udfff": 1}', (1, 3), "half of a surrogate pair"),
    ("deep arrays", "[" * 100_000, (1, MAX_DEPTH + 1), "nested too deep"),
    ("deep objects", '{"a":' * 100_000, (1, 5 * MAX_DEPTH + 1), "nested too deep"),
    ("just too deep", "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), (1, MAX_DEPTH + 1), "nested too deep"),
]


@pytest.mark.parametrize(
    ("text", "where", "message"), [row[1:] for row in JSON_FAULTS], ids=[row[0] for row in JSON_FAULTS]
)
def test_bad_json_is_refused_where_it_is_bad(tmp_path: Path, text: str, where: tuple[int, int], message: str) -> None:
    error = refuse(tmp_path, "a.json", text)
    assert at(error) == where
    assert message in error.message


YAML_FAULTS: list[tuple[str, str, tuple[int, int], str]] = [
    ("tab first", "a:\n\tb: 1\n", (2, 1), "a tab is used for indentation"),
    ("tab later", "a:\n  b: 1\n \tc: 2\n", (3, 2), "a tab is used for indentation"),
    ("tab in a tab block", "a: 1\n\tb: 2\n", (2, 1), "a tab is used for indentation"),
    ("flow", "a: [1\nb: 2\n", (2, 2), "',' or ']'"),
    ("two colons", "a: b: c\n", (1, 5), "quote a text that holds a colon and a space"),
    ("open string", 'a: "x', (1, 6), "unexpected end of stream"),
    ("at sign", "a: @x\n", (1, 4), '"@" cannot begin a value'),
    ("mixed block", "- 1\nb: 2\n", (2, 1), "block collection that begins on line 1"),
    ("two documents", "---\na: 1\n---\nb: 2\n", (3, 1), "second document"),
    ("two documents after an end", "a: 1\n...\n---\n", (3, 1), "second document"),
    ("only a comment", "# nothing\n", (1, 1), "empty"),
    ("repeated", "o:\n  a: 1\n  b: 2\n  'a': 3\n", (4, 3), '"a" is repeated; it is first on line 2'),
    ("repeated number", '1: a\n"1": b\n', (2, 1), '"1" is repeated; it is first on line 1'),
    ("repeated merge", "<<: {a: 1}\n<<: {b: 1}\n", (2, 1), '"<<" is repeated; it is first on line 1'),
    ("merge of a number", "a:\n  <<: 1\n", (2, 7), "must name a mapping"),
    ("merge of numbers", "a:\n  <<: [{b: 1}, 1]\n", (2, 16), "must name a mapping"),
    ("sequence as key", "a: 1\n? [b]\n: 1\n", (2, 3), "a member name must be a string"),
    ("mapping as key", "? {b: 1}\n: 1\n", (1, 3), "a member name must be a string"),
    ("alias to a sequence as key", "a: &a [1]\n*a : 1\n", (2, 1), "a member name must be a string"),
    ("infinity", "a: -.inf\n", (1, 4), "-.inf is not a JSON number"),
    ("not a number", "a: .NaN\n", (1, 4), ".NaN is not a JSON number"),
    ("tagged infinity", "a: !!float .inf\n", (1, 4), ".inf is not a JSON number"),
    ("exponent", "a: 1e9999999999999999999999\n", (1, 4), "exponent"),
    ("long hexadecimal", "a: 0x" + "f" * 5000, (1, 4), "too many digits"),
    (
        "python tag",
        "a: !!python/object/apply:os.system [id]\n",
        (1, 4),
        '"!!python/object/apply:os.system" is not supported',
    ),
    ("local tag", "a:\n  - !Ref x\n", (2, 5), '"!Ref" is not supported'),
    ("set", "!!set {a}\n", (1, 1), '"!!set" is not supported'),
    ("timestamp", "a: !!timestamp 2020-01-01\n", (1, 4), '"!!timestamp" is not supported'),
    ("wrong int", "a: !!int x\n", (1, 4), '"x" cannot be read as !!int'),
    ("wrong bool", "a: !!bool yes\n", (1, 4), '"yes" cannot be read as !!bool'),
    ("wrong null", "a: !!null x\n", (1, 4), '"x" cannot be read as !!null'),
    ("wrong seq", "a: !!seq {}\n", (1, 4), "expected what the tag !!seq says, found a !!map"),
    ("scalar as map", "a: !!map x\n", (1, 4), '"x" cannot be read as !!map'),
    ("recursive", "a: &x\n  - [*x]\n", (2, 6), '"x" lies inside the node'),
    ("unknown alias", "a: *x\n", (1, 4), 'no anchor "x"'),
    ("line separator", "a: x\u2028y\n", (1, 5), "U+2028 is not permitted in YAML"),
    ("next line", "a:\n  - x\x85y\n", (2, 6), "U+0085 is not permitted in YAML"),
    ("delete", "a: \x7f\n", (1, 4), "U+007F is not permitted in YAML"),
    ("deep blocks", "- " * 700 + "1", (1, 2 * MAX_DEPTH + 1), "nested too deep"),
    ("deep flows", "[" * 700 + "]" * 700, (1, MAX_DEPTH + 1), "nested too deep"),
    ("deep alias", f"- &a {'[' * 300}{']' * 300}\n- {'[' * 300}*a{']' * 300}\n", (2, 303), "nested too deep"),
]


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize(
    ("text", "where", "message"), [row[1:] for row in YAML_FAULTS], ids=[row[0] for row in YAML_FAULTS]
)
def test_bad_yaml_is_refused_where_it_is_bad(tmp_path: Path, text: str, where: tuple[int, int], message: str) -> None:
    error = refuse(tmp_path, "a.yaml", text)
    assert at(error) == where
    assert message in error.message


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize("unit", ["[", "- ", "{a: "])
def test_a_hundred_thousand_levels_of_yaml_end_in_an_error(tmp_path: Path, unit: str) -> None:
    assert "nested too deep" in refuse(tmp_path, "a.yaml", unit * 100_000).message


@pytest.mark.usefixtures("loader")
def test_half_of_a_surrogate_pair_is_refused_in_yaml(tmp_path: Path) -> None:
    assert refuse(tmp_path, "a.yaml", 'a: 1\nb: "\\ud800"\n').place.position.line == 2


def test_an_alias_bomb_is_refused_before_it_goes_off(tmp_path: Path) -> None:
    lines = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30)]
    error = refuse(tmp_path, "a.yaml", "\n".join(["a0: &a0 [x]", *lines]))
    assert str(MAX_ALIASED) in error.message
    assert error.place.position.line == 6


def test_many_aliases_below_the_limit_are_read(tmp_path: Path) -> None:
    text = f"a: &a [{', '.join(['1'] * 999)}]\nb: [{', '.join(['*a'] * 200)}]\n"
    assert len(load(tmp_path, "a.yaml", text).value["b"]) == 200


FILE_FAULTS: list[tuple[str, bytes, tuple[int, int], str]] = [
    ("empty", b"", (1, 1), "the file is empty"),
    ("blank", b" \n\n", (1, 1), "the file is empty"),
    ("only a mark", b"\xef\xbb\xbf", (1, 1), "the file is empty"),
    ("not UTF-8", '[1,\n"é'.encode() + b'\xff"]', (2, 3), "byte 0xff at offset 7"),
    ("not UTF-8 after CRLF", b"\xef\xbb\xbf[\r\n\r\xe9]", (3, 1), "byte 0xe9 at offset 7"),
    ("surrogate in UTF-8", b'["\xed\xa0\x80"]', (1, 3), "not UTF-8"),
    ("UTF-16 with mark", "[1]".encode("utf-16"), (1, 1), "the file is UTF-16"),
    ("UTF-16 big with mark", b"\xfe\xff\x00[\x00]", (1, 1), "the file is UTF-16"),
    ("UTF-32 with mark", "[1]".encode("utf-32"), (1, 1), "the file is UTF-32"),
    ("UTF-16 without mark", "[1]".encode("utf-16-le"), (1, 2), "is the file UTF-16?"),
    ("NUL", b'[1,\n"\0"]', (2, 2), "U+0000 is not permitted"),
    ("form feed", b"[\x0c1]", (1, 2), "U+000C is not permitted"),
    ("escape", b'["\x1b"]', (1, 3), "U+001B is not permitted"),
]


@pytest.mark.parametrize("name", ["a.json", "a.yaml"])
@pytest.mark.parametrize(
    ("data", "where", "message"), [row[1:] for row in FILE_FAULTS], ids=[row[0] for row in FILE_FAULTS]
)
def test_a_file_that_is_no_text_is_refused(
    tmp_path: Path, name: str, data: bytes, where: tuple[int, int], message: str
) -> None:
    error = refuse(tmp_path, name, data)
    assert at(error) == where
    assert message in error.message


def test_a_repeated_name_names_the_first_place(tmp_path: Path) -> None:
    for name in ("a.json", "a.yaml"):
        error = refuse(tmp_path, name, '{"a": 1,\n "a": 2}')
        assert [place.position for place in error.related] == [Position(1, 2)]
        assert error.related[0].path == error.place.path


def test_a_long_or_strange_name_stays_on_one_line(tmp_path: Path) -> None:
    name = "x\\n\u2028" + "y" * 500
    error = refuse(tmp_path, "a.json", f'{{"{name}": 1, "{name}": 2}}')
    assert len(error.message.splitlines()) == 1
    assert len(error.message) < 150


def test_missing_files_folders_and_other_suffixes_are_refused(tmp_path: Path) -> None:
    (tmp_path / "folder.json").mkdir()
    cases = {
        "none.json": "the file does not exist",
        "folder.json": "this is a folder, not a file",
        "none.yaml/x.json": "the file does not exist",
        "a.toml": ".json, .yaml, .yml",
        "a": "found no suffix",
        "\0.json": "the file cannot be read",
    }
    for name, message in cases.items():
        with pytest.raises(SourceError) as caught:
            read(tmp_path / name)
        assert message in caught.value.message
        assert caught.value.place.position == Position(1, 1)


@pytest.mark.parametrize(
    ("fault", "message"), [(PermissionError(13, "x"), "no permission"), (OSError(5, "I/O"), "I/O")]
)
def test_a_file_that_cannot_be_opened_is_refused(tmp_path: Path, fault: OSError, message: str) -> None:
    path = tmp_path / "a.json"
    path.write_text("1")
    with patch.object(Path, "read_bytes", side_effect=fault), pytest.raises(SourceError) as caught:
        read(path)
    assert message in caught.value.message


# --- depth and size


@pytest.mark.parametrize("name", ["a.json", "a.yaml"])
@pytest.mark.parametrize(("opening", "closing", "step"), [("[", "]", "/0"), ('{"a":', "}", "/a")])
def test_the_deepest_permitted_nesting_works(tmp_path: Path, name: str, opening: str, closing: str, step: str) -> None:
    source = load(tmp_path, name, opening * MAX_DEPTH + "7" + closing * MAX_DEPTH)
    column = len(opening) * MAX_DEPTH + 1
    assert source.literal(step * MAX_DEPTH) == "7"
    assert source.span(step * MAX_DEPTH) == Span(Position(1, column), Position(1, column + 1))


@pytest.mark.usefixtures("loader")
def test_the_deepest_permitted_block_nesting_works(tmp_path: Path) -> None:
    source = load(tmp_path, "a.yaml", "- " * MAX_DEPTH + "7")
    assert source.literal("/0" * MAX_DEPTH) == "7"


def test_reading_json_looks_for_positions_only_when_asked(tmp_path: Path) -> None:
    with patch("mkdocs_rulebook.source.json_text.scan", side_effect=AssertionError("scanned")):
        source = load(tmp_path, "a.json", '{"a": [1, 2.5, "x"]}')
        with pytest.raises(AssertionError, match="scanned"):
            source.span("/a")


# --- properties

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\x85\u2028\u2029"), max_size=12)
YAML_TEXT = TEXT.filter(str.isprintable)


def documents(text: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | text
    return st.recursive(scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(text, inner, max_size=4))


def exact(text: str) -> Any:
    return json.loads(text, parse_float=Decimal)


@settings(deadline=None)
@given(document=documents(TEXT), indent=st.sampled_from([None, 0, 2, "\t"]), ascii_only=st.booleans())
def test_every_json_literal_reads_as_its_node(document: Any, indent: Any, ascii_only: bool) -> None:
    text = json.dumps(document, indent=indent, ensure_ascii=ascii_only)
    with tempfile.TemporaryDirectory() as folder:
        source = load(Path(folder), "a.json", text)
    assert source.value == exact(text)
    for pointer, node in pointers(source.value):
        assert exact(source.literal(pointer)) == node
        name = source.key_literal(pointer)
        assert name is None or append("", json.loads(name)) == pointer[pointer.rindex("/") :]


@pytest.mark.parametrize("chosen", LOADERS)
@settings(deadline=None)
@given(document=documents(YAML_TEXT), indent=st.sampled_from([None, 0, 2, "\t"]))
def test_json_read_as_yaml_has_the_same_values_and_spans(chosen: Any, document: Any, indent: Any) -> None:
    # PyYAML's own parser, unlike libyaml, takes no tab for white space, though YAML 1.2.2 §6.2 does.
    indent = 2 if indent == "\t" and chosen is yaml.SafeLoader else indent
    text = json.dumps(document, indent=indent, ensure_ascii=False)
    with tempfile.TemporaryDirectory() as folder, patch.object(yaml_text, "LOADER", chosen):
        as_json = load(Path(folder), "a.json", text)
        as_yaml = load(Path(folder), "a.yaml", text)
    assert as_yaml.value == as_json.value
    for pointer, _ in pointers(as_json.value):
        assert as_yaml.span(pointer) == as_json.span(pointer)
        assert as_yaml.key_span(pointer) == as_json.key_span(pointer)


@settings(deadline=None)
@given(
    text=st.text(st.sampled_from("{}[]:,\"\\u0d8 \n\tae1.-+<*&!?|>#%@'~"), max_size=40),
    name=st.sampled_from(["a.json", "a.yaml"]),
)
def test_any_text_is_either_read_or_refused(text: str, name: str) -> None:
    refused, source = None, None
    with tempfile.TemporaryDirectory() as folder:
        try:
            source = load(Path(folder), name, text)
        except SourceError as error:
            refused = error
    if refused:
        assert refused.message
        assert refused.place.position.line <= text.count("\n") + 1
    if source:
        spans = [source.span(pointer) for pointer, _ in pointers(source.value)]
        assert all(Position(1, 1) <= span.start <= span.end for span in spans)
