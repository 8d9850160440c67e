"""Excerpts: what is shown is what was verified, to the letter, and the failing lines are marked."""

from __future__ import annotations

import json
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2
import markdown
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mkdocs_rulebook.model import Finding
from mkdocs_rulebook.pages.excerpt import Excerpt, cut, failing, text_of
from mkdocs_rulebook.pages.fix import diff
from mkdocs_rulebook.pages.fold import LONG, MAX_FOLDED, fold
from mkdocs_rulebook.pages.highlight import MAX_TOKEN, diff_html, excerpt_html
from mkdocs_rulebook.pages.text import INEXPRESSIBLE
from mkdocs_rulebook.source import read

if TYPE_CHECKING:
    from mkdocs_rulebook.source import Source

EXTENSIONS = [
    "abbr", "admonition", "attr_list", "def_list", "footnotes", "md_in_html", "smarty", "tables", "toc", "wikilinks",
    "pymdownx.arithmatex", "pymdownx.betterem", "pymdownx.caret", "pymdownx.critic", "pymdownx.emoji", "pymdownx.keys",
    "pymdownx.magiclink", "pymdownx.mark", "pymdownx.smartsymbols", "pymdownx.snippets", "pymdownx.superfences",
    "pymdownx.tasklist", "pymdownx.tilde",
]  # fmt: skip
CONFIGS: dict[str, dict[str, Any]] = {
    "pymdownx.magiclink": {"repo_url_shorthand": True, "user": "u", "repo": "r", "normalize_issue_symbols": True},
    "pymdownx.snippets": {"check_paths": True},
}
CONVERTER = markdown.Markdown(extensions=EXTENSIONS, extension_configs=CONFIGS)

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
NASTY = """{{ x }} {% raw %} {# c #} --8<-- "file" ``` ~~~~ {: #id .c } [[link]] $x$ :smile: \\ <b>&amp; #42 ++del++
{id} `code` *em* __strong__ | www.example.com a@b.c (c) -- "quoted" ... ==mark== H~2~O [^1] </pre></div> wzxhzdk:0"""


class Shown(HTMLParser):
    """Collects the text of all excerpts as a reader copies it."""

    VOID = frozenset({"br", "hr", "img", "input", "wbr"})
    SKIPPED = frozenset({"rb-sr", "rb-mark"})

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text = ""
        self.open: list[tuple[str, set[str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append((tag, set((dict(attrs).get("class") or "").split())))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        names = set().union(*(names for _, names in self.open))
        if "rb-line" in names and not names & self.SKIPPED:
            self.text += data


def shown(page: str) -> str:
    parser = Shown()
    parser.feed(CONVERTER.reset().convert(page))
    parser.close()
    assert not parser.open
    return parser.text


def source(folder: Path, text: str, name: str = "fixture.json") -> Source:
    path = folder / name
    path.write_bytes(text.encode())
    return read(path)


def excerpt(file: Source, pointer: str = "") -> Excerpt:
    found = cut(file, pointer)
    assert found is not None
    return found


def lines(file: Source, pointer: str = "") -> list[str]:
    return [text_of(line) for line in excerpt(file, pointer).lines]


def page(found: Excerpt) -> str:
    return f"# Title\n\nBefore\n\n{excerpt_html(found.lines, {}, found.language)}\n\nAfter\n"


def finding(pointer: str, *names: str, target: str = "", keyword: str = "type") -> Finding:
    return Finding("a.b", pointer, target or pointer, "is wrong", keyword, names=names)


def test_json_is_indented_anew_and_literals_stay(tmp_path: Path) -> None:
    file = source(
        tmp_path, '{"a":1.10,"b":[1e400,-0,12345678901234567890123],  "caf\\u00e9":"x\\u00e9\\/y","e":{},"f":[ ]}'
    )
    assert lines(file) == [
        "{", '  "a": 1.10,', '  "b": [', "    1e400,", "    -0,", "    12345678901234567890123", "  ],",
        '  "caf\\u00e9": "x\\u00e9\\/y",', '  "e": {},', '  "f": []', "}",
    ]  # fmt: skip


def test_scalar_comes_with_its_member_name(tmp_path: Path) -> None:
    assert lines(source(tmp_path, '{"a": {"b~/": [true, null]}}'), "/a/b~0~1/0") == ["true"]
    assert lines(source(tmp_path, '{"a": {"b": false}}'), "/a/b") == ['"b": false']
    assert lines(source(tmp_path, "a:\n  b: x  # why\n", "f.yaml"), "/a/b") == ["b: x"]


def test_missing_node_has_no_excerpt(tmp_path: Path) -> None:
    assert cut(source(tmp_path, "{}"), "/a") is None


@pytest.mark.parametrize(
    ("pointer", "expected"),
    [
        ("/list/0", ["name: one", "text: |", "  a", "", "  b"]),
        ("/list/1", ["{a: 1}"]),
        ("/list", ["- name: one", "  text: |", "    a", "", "    b", "- {a: 1}"]),
        ("/list/0/name", ["name: one"]),
        ("/flow", ["[1, 2]"]),
    ],
)
def test_yaml_keeps_its_lines(tmp_path: Path, pointer: str, expected: list[str]) -> None:
    text = "list:\n  - name: one\n    text: |\n      a\n\n      b\n  - {a: 1}  # comment\n\nflow: [1, 2]\n"
    assert lines(source(tmp_path, text, "f.yaml"), pointer) == expected


@pytest.mark.parametrize("name", ["f.json", "f.yaml"])
def test_crlf_shows_the_same(tmp_path: Path, name: str) -> None:
    text = json.dumps({"a": [1, {"b": "c"}]}, indent=4)
    unix, windows = source(tmp_path, text, name), source(tmp_path, text.replace("\n", "\r\n"), f"w-{name}")
    assert lines(unix) == lines(windows)


@pytest.mark.parametrize("name", ["f.json", "f.yaml"])
def test_nothing_changes_the_text_on_its_way_to_the_reader(tmp_path: Path, name: str) -> None:
    found = excerpt(source(tmp_path, json.dumps({NASTY: [NASTY, {"": NASTY.splitlines()}]}, indent=2), name))
    expected = "".join(text_of(line) + "\n" for line in found.lines)
    text = page(found)
    assert shown(text) == expected
    rendered = jinja2.Environment(keep_trailing_newline=True, autoescape=False).from_string(text).render()
    assert rendered == text


@settings(deadline=None, max_examples=80)
@given(st.dictionaries(st.text(), st.text() | st.lists(st.text(), max_size=2) | NUMBERS, max_size=3))
def test_any_text_arrives_to_the_letter(value: dict[str, object]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        found = excerpt(source(Path(folder), json.dumps(value, ensure_ascii=False)))
    expected = "".join(text_of(line) + "\n" for line in found.lines)
    assert json.loads(expected) == value
    named = INEXPRESSIBLE.sub(lambda match: f"U+{ord(match[0]):04X}", expected)
    text = page(found)
    assert shown(text) == named
    assert "{{" not in text
    assert "{%" not in text
    assert "{#" not in text


def test_letters_of_other_alphabets_are_references_too(tmp_path: Path) -> None:
    html = excerpt_html(excerpt(source(tmp_path, json.dumps("é²中", ensure_ascii=False))).lines, {}, "json")
    assert html.isascii()


def test_excerpt_stays_one_block_inside_other_markup(tmp_path: Path) -> None:
    found = excerpt(source(tmp_path, "a: |\n  x\n\n\n  y\n", "f.yaml"))
    html = excerpt_html(found.lines, {}, "yaml")
    for around in (
        "<div markdown='1'>\n\n{}\n\n</div>",
        "<details markdown='1'>\n<summary>s</summary>\n\n{}\n\n</details>",
    ):
        assert shown(around.format(html)) == "a: |\n  x\n\n\n  y\n"


@pytest.mark.parametrize(
    ("char", "name", "glyph"),
    [
        ("\t", "U+0009 tab", "⇥"),
        ("\u00a0", "U+00A0 no-break space", "␣"),
        ("\u200b", "U+200B zero width space", "U+200B"),
        ("\u202e", "U+202E right-to-left override", "U+202E"),
        ("\ufeff", "U+FEFF zero width no-break space", "U+FEFF"),
        ("\u2028", "U+2028 line separator", "U+2028"),
    ],
)
def test_invisible_characters_are_seen(tmp_path: Path, char: str, name: str, glyph: str) -> None:
    file = source(tmp_path, f"a: 'x{char}y'\n" if char == "\t" else json.dumps(f"x{char}y", ensure_ascii=False),
                  "f.yaml" if char == "\t" else "f.json")  # fmt: skip
    html = excerpt_html(excerpt(file).lines, {}, "json")
    parser = HTMLAttributes()
    parser.feed(html)
    assert (name, glyph) in parser.seen
    assert f"x{char}y" in shown(html)


class HTMLAttributes(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str | None, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "bdi":
            self.seen.append((found.get("title"), found.get("data-glyph")))


def test_control_that_html_cannot_hold_is_named(tmp_path: Path) -> None:
    html = excerpt_html(excerpt(source(tmp_path, json.dumps("x\x85y", ensure_ascii=False))).lines, {}, "json")
    assert shown(html) == '"xU+0085y"\n'
    assert "rb-lost" in html


def test_space_at_the_end_of_a_line_is_seen(tmp_path: Path) -> None:
    html = excerpt_html(excerpt(source(tmp_path, "a: |\n  x  \n  y\n", "f.yaml")).lines, {}, "yaml")
    assert html.count("<bdi") == 2
    assert shown(html) == "a: |\n  x  \n  y\n"


def test_very_long_literal_is_cut_and_says_so(tmp_path: Path) -> None:
    html = excerpt_html(excerpt(source(tmp_path, json.dumps("x" * (MAX_TOKEN + 500)))).lines, {}, "json")
    assert "502 more characters" in html
    assert len(html) < MAX_TOKEN + 500


DOCUMENT = '{"a": {"b": 1, "c": {"d": 2, "e": 3}}, "f": [1, 2]}'


@pytest.mark.parametrize(
    ("found", "selection", "marks"),
    [
        (finding("/a/b"), "", {2: True}),
        (finding("/a/c"), "", {3: True, 4: False, 5: False, 6: False}),
        (finding("/a", "x", keyword="required"), "", {1: True}),
        (finding("/a", "b", keyword="additionalProperties"), "", {2: True}),
        (finding("/a/c", "c", keyword="properties"), "", {3: True, 4: False, 5: False, 6: False}),
        (finding("", keyword="minProperties"), "", {0: True}),
        (finding("/a/c", keyword="minProperties"), "/a/c", {0: True}),
        (finding("/f/1"), "/a", {}),
        (finding("/f", target="/a/b"), "/a", {1: True}),
    ],
)
def test_failing_lines(tmp_path: Path, found: Finding, selection: str, marks: dict[int, bool]) -> None:
    for name in ("f.json", "f.yaml"):
        text = DOCUMENT if name == "f.json" else "\n".join(lines(source(tmp_path, DOCUMENT)))
        file = source(tmp_path, text, name)
        assert failing(excerpt(file, selection), file.value, [found]) == marks


def test_failing_line_behind_an_alias_is_where_the_alias_is(tmp_path: Path) -> None:
    file = source(tmp_path, "x: &x\n  a: 1\nlist:\n  - b: 1\n  - *x\n", "f.yaml")
    assert failing(excerpt(file, "/list"), file.value, [finding("/list/1/a")]) == {1: True}


def test_failing_line_has_a_sign_and_words(tmp_path: Path) -> None:
    found = excerpt(source(tmp_path, DOCUMENT))
    html = excerpt_html(found.lines, {2: True, 3: False}, "json")
    assert html.count('rb-line rb-bad"><span class="rb-sr">Fails here: </span>') == 1
    assert html.count('"rb-line rb-bad-on"') == 1


def long(tmp_path: Path, size: int) -> Excerpt:
    return excerpt(source(tmp_path, json.dumps({"list": list(range(size))})))


def test_short_excerpt_is_not_folded(tmp_path: Path) -> None:
    assert len(fold(long(tmp_path, LONG - 4).lines, {})) == 1


def test_long_excerpt_folds_but_keeps_failing_places_and_what_is_around_them(tmp_path: Path) -> None:
    found = long(tmp_path, 100)
    parts = fold(found.lines, {60: True})
    seen = [number for part in parts if not part.folded for number in range(part.start, part.end)]
    assert {0, 1, 57, 60, 63, 103} <= set(seen)
    assert 30 not in seen
    assert [number for part in parts for number in range(part.start, part.end)] == list(range(104))
    html = excerpt_html(found.lines, {60: True}, "json")
    assert "51 more lines" in html
    assert shown(html) == "".join(text_of(line) + "\n" for line in found.lines)


def test_what_encloses_a_failing_place_stays_in_view(tmp_path: Path) -> None:
    value = {"a": list(range(50)), "b": {"c": [*range(50), "bad"], "d": 1}, "e": list(range(50))}
    found = excerpt(source(tmp_path, json.dumps(value)))
    texts = [text_of(line).strip() for line in found.lines]
    bad = texts.index('"bad"')
    parts = [part for part in fold(found.lines, {bad: True}) if not part.folded]
    seen = {texts[number] for part in parts for number in range(part.start, part.end)}
    assert {'"b": {', '"c": [', '"bad"'} <= seen


def test_far_parts_of_a_huge_excerpt_are_left_out(tmp_path: Path) -> None:
    html = excerpt_html(long(tmp_path, MAX_FOLDED * 4).lines, {}, "json")
    assert "not shown" in html.replace("&#x2C;", ",")
    assert len(html) < 10_000


def test_deep_and_large_documents_do_not_break(tmp_path: Path) -> None:
    assert len(lines(source(tmp_path, "[" * 490 + "1" + "]" * 490))) == 981


def test_fix_is_a_diff_that_keeps_the_spelling(tmp_path: Path) -> None:
    file = source(tmp_path, '{"x": {"a": 1.10, "b": [1e2, "caf\\u00e9"], "c": true}}')
    fixed = json.loads(json.dumps({"x": {"b": ["caf\u00e9"], "c": True, "d": None}}))
    assert [(sign, text_of(line)) for sign, line in diff(file, fixed, "/x")] == [
        (" ", "{"), ("-", '  "a": 1.10,'), (" ", '  "b": ['), ("-", "    1e2,"), (" ", '    "caf\\u00e9"'),
        (" ", "  ],"), (" ", '  "c": true,'), ("+", '  "d": null'), (" ", "}"),
    ]  # fmt: skip


def test_fix_keeps_two_spellings_of_one_value_apart(tmp_path: Path) -> None:
    file = source(tmp_path, '[1.0, 1.00, "a", "\\u0061", 2]')
    fixed = [*file.value[:4], 3]
    shown = [sign + text_of(line) for sign, line in diff(file, fixed, "")]
    assert shown == [" [", "   1.0,", "   1.00,", '   "a",', '   "\\u0061",', "-  2", "+  3", " ]"]


def test_fix_that_removes_the_selection(tmp_path: Path) -> None:
    file = source(tmp_path, '{"x": 1, "y": 2}')
    assert [(sign, text_of(line)) for sign, line in diff(file, {"y": 2}, "/x")] == [("-", "1")]


def test_fix_of_a_long_selection_leaves_out_what_stays(tmp_path: Path) -> None:
    file = source(tmp_path, json.dumps({"list": list(range(100)), "end": 1}))
    found = diff(file, {"list": [*range(50), *range(51, 100)], "end": 1}, "")
    assert [sign for sign, _ in found] == ["…", " ", " ", " ", "-", " ", " ", " ", "…"]


def test_diff_says_its_signs_in_words_too(tmp_path: Path) -> None:
    file = source(tmp_path, '{"x": 1, "{{": 2}')
    html = diff_html(diff(file, {"x": 3, "{{": 2}, ""), "json")
    assert "Removed: " in html
    assert "Added: " in html
    assert "{{" not in html
    assert shown(html) == '{\n  "x": 1,\n  "x": 3,\n  "{{": 2\n}\n'
