"""References to rules and tables of rules, written by hand: in any page of a site, in prose of rules, elsewhere."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import markdown
import pytest

from conftest import CATALOGUE, Run, rulebook, write
from mkdocs_rulebook.marks import Marks, Target, find
from mkdocs_rulebook.pages.text import prose, without_markup
from test_serve import Server
from test_site import build, make_site, page

HREF = "../t/name.md"


class Fixed:
    """Knows one rule, `t.name`."""

    def __init__(self) -> None:
        self.tables: list[str] = []
        self.lost: list[str] = []

    def reference(self, label: str) -> Target | None:
        if not label.startswith("t."):
            return None
        return Target(HREF) if label == "t.name" else Target(wrong=f"no {label}")

    def table(self, query: str) -> str:
        self.tables.append(query.strip())
        return "| a |\n| - |\n| b |"

    def misplaced(self, query: str) -> None:
        self.lost.append(query.strip())


def convert(text: str, answers: Fixed | None = None, extensions: Sequence[str] = ("fenced_code", "tables")) -> str:
    return markdown.markdown(text, extensions=[*extensions, "md_in_html", Marks(answers or Fixed())])


def marks(text: str) -> list[str]:
    return [text[mark.at :][: len(mark.text)] for mark in find(text, lambda label: label.startswith("t."))]


LINKED = [
    ("[a][t.name]", f'<a href="{HREF}">a</a>'),
    ("[t.name][]", f'<a href="{HREF}">t.name</a>'),
    ("[`t.name`][]", f'<a href="{HREF}"><code>t.name</code></a>'),
    ("[``t.name``][]", f'<a href="{HREF}"><code>t.name</code></a>'),
    ("[the `x` of *y*][t.name]", f'<a href="{HREF}">the <code>x</code> of <em>y</em></a>'),
    ("[a [b] c][t.name]", f'<a href="{HREF}">a [b] c</a>'),
    (r"[a \] b][t.name]", f'<a href="{HREF}">a ] b</a>'),
    ("[a][T.Name]", f'<a href="{HREF}">a</a>'),
    ("[a\nb][t.name]", f'<a href="{HREF}">a\nb</a>'),
    ("[a]\n[t.name]", f'<a href="{HREF}">a</a>'),
    ("[a][\nt.name\n]", f'<a href="{HREF}">a</a>'),
    ("![b](c.png)[a][t.name]", f'<a href="{HREF}">a</a>'),
    ("# [a][t.name]", f'<h1><a href="{HREF}">a</a></h1>'),
    ("1. a\n\n    - > [a][t.name]", f'<a href="{HREF}">a</a>'),
    ("| a |\n| - |\n| [a][t.name] |", f'<td><a href="{HREF}">a</a></td>'),
    ('<div markdown="1">\n[a][t.name]\n</div>', f'<a href="{HREF}">a</a>'),
    ("*[a][t.name]*", f'<em><a href="{HREF}">a</a></em>'),
    ("[a][b][t.name]", f'[a]<a href="{HREF}">b</a>'),
]
NOT_LINKED = [
    "`[a][t.name]`",
    "`` ` [a][t.name] ``",
    "```\n[a][t.name]\n```",
    "~~~ text\n[`t.name`][]\n~~~",
    "    [a][t.name]",
    "- a\n\n        [a][t.name]",
    r"\[a][t.name]",
    r"[a\][t.name]",
    "[a] [[t.name]",
    "[t.name]",
    "(t.name)[]",
    "[a][tt.name]",
    "[a][name]",
    "![a][t.name]",
    "<!-- [a][t.name] -->",
    "a <!-- [a][t.name] --> b",
    "<div>\n[a][t.name]\n</div>",
    "<pre>[a][t.name]</pre>",
    '<b title="[a][t.name]">a</b>',
]


@pytest.mark.parametrize(("text", "expected"), LINKED)
def test_a_reference_links_to_the_page_of_the_rule(text: str, expected: str) -> None:
    assert expected in convert(text)
    assert [label.lower() for label in marks(text)] == ["t.name"]


@pytest.mark.parametrize("text", NOT_LINKED)
def test_what_is_no_reference_is_left_as_it_is(text: str) -> None:
    assert convert(text) == markdown.markdown(text, extensions=["fenced_code", "tables", "md_in_html"])
    assert marks(text) == []


@pytest.mark.parametrize("text", ["[a][t.name]", "[t.name][]", "[`t.name`][]"])
def test_a_definition_of_the_page_comes_first(text: str) -> None:
    text = f"{text}\n\n[t.name]: https://own.example/"
    assert 'href="https://own.example/"' in convert(text)
    assert HREF not in convert(text)
    assert marks(text) == []


def test_a_reference_to_nothing_says_so_where_it_stands() -> None:
    assert (
        convert("[*a*][t.nope]")
        == '<p><span class="rb-reference-wrong"><em>a</em><small> (no t.nope)</small></span></p>'
    )


@pytest.mark.parametrize("label", ["t.name.x`a <b`", r"t.name\*x", "t.name`a``b`", "t.name`T`"])
def test_a_label_with_code_or_an_escape_is_named_as_it_stands(tmp_path: Path, label: str) -> None:
    site = make_site(tmp_path)
    (site / "docs/index.md").write_text(f"# Home\n\nSee [z][{label}].\n")
    done = build(site)
    [line] = [line for line in done.stderr.splitlines() if ": reference: " in line]
    assert line.startswith("  docs/index.md:3:9: reference: "), line
    assert f"there is no rule `{label.lower()}`" in line
    assert not {"\x02", "\x03"} & set(done.stderr)


def test_references_work_with_the_extensions_that_people_use() -> None:
    extensions = ["pymdownx.superfences", "pymdownx.inlinehilite", "pymdownx.tabbed", "pymdownx.magiclink", "attr_list"]
    text = '=== "A"\n\n    [`t.name`][]\n\n    ```text\n    [`t.name`][]\n    ```\n\n[`#!python t.name`][]\n'
    assert convert(text, extensions=extensions).count(f'href="{HREF}"') == 2
    assert [mark.at for mark in find(text, lambda label: label.startswith("t."), extensions)] == [15]
    assert convert("[a][t.name]{ .b }", extensions=extensions) == f'<p><a class="b" href="{HREF}">a</a></p>'


def test_the_text_of_a_heading_in_a_table_of_contents_has_no_link() -> None:
    converter = markdown.Markdown(extensions=["toc", Marks(Fixed())])
    converter.convert("# See [`t.name`][]")
    assert [token["name"] for token in converter.toc_tokens] == ["See t.name"]  # type: ignore[attr-defined]


def test_positions_count_in_the_file_with_its_front_matter() -> None:
    text = "---\ntitle: '[a][t.name]'\n---\n\n`[a][t.name]`\n[a][ t.name]\n"
    assert [mark.at for mark in find(text, lambda label: label == "t.name")] == [text.rindex("t.name")]


@pytest.mark.parametrize(
    ("text", "tables", "lost"),
    [
        ("<!-- rulebook: rules -->", ["rules"], []),
        ("a\n<!-- rulebook: rules -->\nb", ["rules"], []),
        ("   <!--rulebook:rules\nlevel=must\n-->  \n", ["rules\nlevel=must"], []),
        ('<div markdown="1">\n<!-- rulebook: rules -->\n</div>', ["rules"], []),
        ("<!--\n<!-- rulebook: rules -->\n", [], []),
        ("<!-- rules -->", [], []),
        ("```\n<!-- rulebook: rules -->\n```", [], []),
        ("    <!-- rulebook: rules -->", [], []),
        ("a `<!-- rulebook: rules -->`", [], []),
        ("a <!-- rulebook: rules -->", [], ["rules"]),
        ("<!-- rulebook: rules --> a", [], ["rules"]),
        ("- a\n\n    <!-- rulebook: rules -->", [], ["rules"]),
    ],
)
def test_a_table_stands_on_a_line_of_its_own(text: str, tables: list[str], lost: list[str]) -> None:
    answers = Fixed()
    shown = convert(text, answers)
    assert (answers.tables, answers.lost) == (tables, lost)
    assert ("<td>b</td>" in shown) is bool(tables)
    found = find(text, lambda label: False)
    assert [mark.kind for mark in found] == ["table"] * len(tables) + ["misplaced"] * len(lost)
    assert all(text.startswith(mark.text, mark.at) and text.startswith("<!--", mark.start) for mark in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a][t.name] and [b][x]", "[a](../t/name.md) and [b][x]"),
        ("[`t.name`][]", "[`t.name`](../t/name.md)"),
        ("`[a][t.name]`", "`[a][t.name]`"),
        ("x\n\n    [a][t.name]", "x\n\n    [a][t.name]"),
        ("[a][t.name]\n\n[t.name]: x", "[a][t.name]\n\n[t.name]: x"),
        ("[a][t.name#bad]", "[a](../t/name.md#example-bad)"),
        ("![a][t.name]", "![a][t.name]"),
        ("[a][t.nope]", "[a][t.nope]"),
    ],
)
def test_references_in_prose_become_plain_links(text: str, expected: str) -> None:
    links = {"t.name": HREF, "t.name#bad": f"{HREF}#example-bad"}
    assert prose(text, lambda label: links.get(label, "")) == expected


def test_a_description_has_the_text_of_a_reference() -> None:
    assert without_markup("See [the *rule*][t.name] and [`t.x`][].") == "See the rule and t.x."


def test_a_reference_to_nothing_in_a_rule_file_is_a_fault(run: Run) -> None:
    checked = run(rule={"notes": "[a][t.nam], [b][t.name#bda], [`t.nope`][], [c][t.name#bad], `[a][t.nam]`, [d][x.y]"})
    messages = [line.partition("catalogue: ")[2] for line in checked.lines]
    assert messages == [
        "the text names the rule `t.nope`, which does not exist; nearest: `t.name`",
        "the text refers to a rule: `t.name` has no example `bda`; nearest: `bad`",
        "the text refers to a rule: there is no rule `t.nam`; nearest: `t.name`",
    ]


FACETS = {"facets": [{"key": "surface", "label": "Surface"}, {"key": "part", "label": "Part", "empty": "all"}]}
RULES: tuple[dict[str, Any], ...] = (
    {"aliases": ["t.former"], "facets": {"surface": ["A tool"], "part": ["x, y"]}},
    {"id": "t.second", "title": "Second | [x]", "level": "should", "facets": {"surface": ["A tool", "Result"]}},
    {"id": "t.third", "title": "Third", "level": "must-not", "facets": {"surface": ["Result"]}},
)


def many(folder: Path, text: str, *, where: str = "deep/er/page.md", **parts: Any) -> Path:
    """Write a site with three rules and a page."""
    site = make_site(folder, catalogue=FACETS, rules=RULES, **parts)
    (site / "docs" / where).parent.mkdir(parents=True, exist_ok=True)
    (site / "docs" / where).write_text(text)
    return site


ALL = "# P\n\n[A][t.name], [t.former][], [`t.second`][]\nand [bad][t.name#bad].\n\n## See [x][t.name]\n"


@pytest.mark.parametrize(
    ("theme", "directories"), [("mkdocs", True), ("readthedocs", True), ("material", True), ("material", False)]
)
def test_references_hold_in_every_theme_and_form_of_address(tmp_path: Path, theme: str, directories: bool) -> None:
    site = many(tmp_path, ALL, config={"theme": {"name": theme}, "use_directory_urls": directories})
    done = build(site, "--strict")
    assert done.returncode == 0, done.stderr
    shown = (site / "site/deep/er" / ("page/index.html" if directories else "page.html")).read_text()
    up, end = ("../../../", "/") if directories else ("../../", ".html")
    for href, label in (
        (f"rules/t/name{end}", "A"),
        (f"rules/t/name{end}", "t.former"),
        (f"rules/t/second{end}", "<code>t.second</code>"),
        (f"rules/t/name{end}#example-bad", "bad"),
    ):
        assert f'<a href="{up}{href}">{label}</a>' in shown
    assert re.search(r'href="#see-x"[^>]*>\s*(?:<span[^>]*>\s*)?See x', shown)


def test_what_plugins_put_into_a_page_is_resolved_too(tmp_path: Path) -> None:
    """As a plugin for macros does, and `pymdownx.snippets`."""
    (tmp_path / "hook.py").write_text(
        "import jinja2\n\ndef on_page_markdown(markdown, **_):\n"
        "    return jinja2.Environment().from_string(markdown).render(rule='t.' + 'name', wrong='t.' + 'nope')\n"
    )
    (tmp_path / "part.md").write_text("[part][t.second]\n")
    config = {
        "hooks": ["hook.py"],
        "markdown_extensions": [{"pymdownx.snippets": {"base_path": [str(tmp_path)]}}, "pymdownx.superfences"],
    }
    text = '[macro][{{ rule }}]\n\n--8<-- "part.md"\n\n<!-- rulebook: rules level={{ "must" }} -->\n'
    site = many(tmp_path, text, config=config)
    assert build(site, "--strict").returncode == 0
    shown = page(site, "deep/er/page")
    assert '<a href="../../../rules/t/name/">macro</a>' in shown
    assert '<a href="../../../rules/t/second/">part</a>' in shown
    assert '<a href="../../../rules/t/name/">Name it</a>' in shown
    (site / "docs/deep/er/page.md").write_text(f"{text}\n[macro][{{{{ wrong }}}}]\n\n{{# [a][t.third.x] #}}\n")
    done = build(site)
    assert done.returncode == 1
    assert (
        "docs/deep/er/page.md:1:1: reference: there is no rule `t.nope`; nearest: `t.name`, `t.former` (it is not in"
        in done.stderr
    )
    assert "\n1 fault\n" in done.stderr


BROKEN = """\
---
title: "[a][t.nope]"
---

`[a][t.nope]` [a][t.name] [a][t.nam]
and [`t.secnd`][].

```
[a][t.nope]
```

- a [b
  c][t.name#bda]

<!-- rulebook: rules lvl=must -->
"""


def test_every_fault_of_every_page_is_reported_where_it_stands(tmp_path: Path) -> None:
    site = many(tmp_path, BROKEN)
    (site / "docs/index.md").write_bytes("\ufeff# Ä\r\n\r\nä [a][t.thrid]\r\n".encode())
    done = build(site)
    assert done.returncode == 1
    lines = [line.strip() for line in done.stderr.splitlines() if line.startswith("  ")]
    assert lines == [
        "docs/deep/er/page.md:5:31: reference: there is no rule `t.nam`; nearest: `t.name`",
        "docs/deep/er/page.md:6:7: reference: there is no rule `t.secnd`; nearest: `t.second`",
        "docs/deep/er/page.md:13:6: reference: `t.name` has no example `bda`; nearest: `bad`",
        "docs/deep/er/page.md:15:22: rule-table: rules cannot be selected by `lvl`; nearest: `level`",
        "docs/index.md:3:7: reference: there is no rule `t.thrid`; nearest: `t.third`",
    ]
    assert "pages are wrong about rules" in done.stderr
    assert "\n5 faults" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (site / "site/index.html").exists()


def test_places_are_found_with_the_extensions_and_settings_of_the_site(tmp_path: Path) -> None:
    settings = {"pymdownx.superfences": {"disable_indented_code_blocks": True}}
    done = build(many(tmp_path, "a\n\n    [a][t.nope]\n", config={"markdown_extensions": [settings]}))
    assert "docs/deep/er/page.md:3:9: reference: there is no rule `t.nope`" in done.stderr


def test_a_fault_of_a_page_obeys_on_failure(tmp_path: Path) -> None:
    site = many(tmp_path, "[a][t.nope]", option={"on_failure": "warning"})
    done = build(site)
    assert done.returncode == 0
    assert "WARNING -  mkdocs_rulebook: docs/deep/er/page.md:1:5: reference: there is no rule" in done.stderr
    assert "a<small> (there is no rule <code>t.nope</code>; nearest: " in page(site, "deep/er/page")
    assert build(site, "--strict").returncode == 1
    site = many(tmp_path, "[a][t.nope]\n\n<!-- rulebook: rules level=may -->", option={"on_failure": "page"})
    done = build(site, "--strict")
    assert done.returncode == 0
    assert "docs/deep/er/page.md:3:28: rule-table: " in done.stderr
    assert "There is no table of rules here" in page(site, "deep/er/page")


def tables_of(text: str) -> list[list[list[str]]]:
    """Return the cells of each row of each table of rules of a page, as text."""
    found = []
    for table in re.findall(r'<div class="rb-rules"[^>]*>(.*?)</div>', text, re.DOTALL):
        rows = [re.findall(r"<td>(.*?)</td>", row, re.DOTALL) for row in re.findall("<tr>(.*?)</tr>", table, re.DOTALL)]
        plain = [
            [html.unescape(re.sub("<[^>]+>", " ", cell.replace("<wbr>", ""))).split() for cell in row]
            for row in rows
            if row
        ]
        found.append([[" ".join(words) for words in row] for row in plain])
    return found


TABLES = {
    "rules": ["t.name", "t.second", "t.third"],
    "rules level=must": ["t.name"],
    "rules level=must,must-not": ["t.name", "t.third"],
    'rules surface="A tool"': ["t.name", "t.second"],
    'rules surface="A tool",Result level=should': ["t.second"],
    'rules part="x, y"': ["t.name"],
    "rules part=-": ["t.second", "t.third"],
    'rules proof="both ways" catalogue=cat\n  owner=t': ["t.name", "t.second", "t.third"],
}


def test_a_table_has_the_rules_that_it_asks_for(tmp_path: Path) -> None:
    site = many(tmp_path, "# P\n\nx\n" + "\ny\n".join(f"<!-- rulebook: {query} -->" for query in TABLES) + "\nz\n")
    done = build(site, "--strict")
    assert done.returncode == 0, done.stderr
    shown = page(site, "deep/er/page")
    tables = tables_of(shown)
    assert dict(zip(TABLES, [[row[0].split()[-1] for row in table] for table in tables], strict=True)) == TABLES
    assert tables[0][1] == ["Second | [x] t.second", "A tool, Result", "should", "proved both ways"]
    assert '<a href="../../../rules/t/second/">' in shown
    assert len(set(re.findall(r'<a id="([^"]+)"', shown))) == len(re.findall(r'<a id="', shown))


def test_a_table_names_the_catalogues_where_there_are_several(tmp_path: Path) -> None:
    site = many(tmp_path, "<!-- rulebook: rules level=must -->\n\n<!-- rulebook: rules catalogue=dog -->\n")
    write(site / "rules/dog", catalogue={"title": "Dogs", "owners": {"d": {"title": "D"}}}, rule={"id": "d.bark"})
    assert build(site, "--strict").returncode == 0
    shown = page(site, "deep/er/page")
    ids = [[row[0].split()[-1] for row in table] for table in tables_of(shown)]
    assert ids == [["t.name"], ["d.bark"], ["d.bark"]]
    assert shown.count("<strong>Dogs</strong>") == 1
    assert shown.count(f"<strong>{CATALOGUE['title']}</strong>") == 1


WRONG = [
    ("", 17, "it is not said what to show; known: `rules`"),
    ("ruls level=must", 16, "`ruls` is nothing that can be shown; known: `rules`"),
    ("rules lvl=must", 22, "rules cannot be selected by `lvl`; nearest: `level`"),
    ("rules level=must,may", 33, "no rule has the level `may`; known: `must`, `must-not`, `should`"),
    ("rules level=shuold", 28, "no rule has the level `shuold`; nearest: `should`"),
    ("rules owner=u", 28, "no rule has the owner `u`; known: `t`"),
    ("rules catalogue=cats", 32, "no rule has the catalogue `cats`; nearest: `cat`"),
    ('rules surface="A tol"', 30, "no rule has the surface `A tol`; nearest: `A tool`"),
    ("rules level must", 22, "`level` cannot be read; expected KEY=VALUE, KEY=ONE,OTHER or KEY=\"A VALUE\""),
    ('rules surface="A', 22, "`surface=\"A` cannot be read; expected KEY=VALUE, KEY=ONE,OTHER or KEY=\"A VALUE\""),
    ("rules level=must level=may", 33, "`level` is given twice; write several values as `level=ONE,OTHER`"),
    ("rules level=should part=\"x, y\"", 16, "no rule is selected by `level` and `part` together"),
]  # fmt: skip


def test_what_is_wrong_with_a_table_is_said_at_its_place(tmp_path: Path) -> None:
    done = build(
        many(tmp_path, "".join(f"ä\n\n<!-- rulebook: {query} -->\n" for query, _, _ in WRONG), where="index.md")
    )
    assert done.returncode == 1
    lines = [line.strip() for line in done.stderr.splitlines() if line.startswith("  ")]
    assert lines == [
        f"docs/index.md:{3 * number}:{column}: rule-table: {message}"
        for number, (_, column, message) in enumerate(WRONG, 1)
    ]


def test_a_table_that_nobody_would_see_is_a_fault(tmp_path: Path) -> None:
    done = build(many(tmp_path, "- a\n\n    <!-- rulebook: rules -->\n", where="index.md"))
    assert done.returncode == 1
    assert "docs/index.md:3:5: rule-table: a table of rules stands on a line of its own that is not inde" in done.stderr


def test_a_rule_of_another_catalogue_that_does_not_exist_is_a_fault(tmp_path: Path) -> None:
    site = make_site(tmp_path, rule={"notes": "[a][d.brak] [b][d.bark]"})
    write(site / "rules/dog", catalogue={"owners": {"d": {"title": "D"}}}, rule={"id": "d.bark"})
    done = build(site)
    assert done.returncode == 1
    assert "rules/cat/rules.yaml:1:1: reference: there is no rule `d.brak`; nearest: `d.bark`" in done.stderr


def test_rendered_pages_have_links_that_every_generator_understands(tmp_path: Path) -> None:
    write(
        tmp_path / "cat",
        catalogue={**FACETS, "specs": {"s": {"pages": "spec"}}},
        rules=({**RULES[0], "notes": "See [x][t.second#bad]."}, *RULES[1:]),
        files={"spec/a.md": "# A\n\n[x][t.name] `[x][t.name]`\n\n<!-- rulebook: rules level=must -->\n"},
    )
    done = rulebook("render", str(tmp_path / "cat"), "--to", str(tmp_path / "out"))
    assert done.exit_code == 0, done.output
    assert "See [x](second.md#example-bad)." in (tmp_path / "out/rules/t/name.md").read_text()
    spec = (tmp_path / "out/spec/a.md").read_text()
    assert "[x](../rules/t/name.md) `[x][t.name]`" in spec
    assert "| Level |" in spec
    assert "[Name it](../rules/t/name.md)" in spec
    assert "t.third" not in spec
    page_file = tmp_path / "cat/spec/a.md"
    page_file.write_text("# A\n\n[x][t.nope]\n")
    done = rulebook("render", str(tmp_path / "cat"), "--to", str(tmp_path / "other"))
    assert done.exit_code == 1
    assert "cat/spec/a.md:3:5: reference: there is no rule `t.nope`" in done.output
    assert not (tmp_path / "other").exists()
    done = rulebook("render", str(tmp_path / "cat"), "--to", str(tmp_path / "other"), "--faults")
    assert done.exit_code == 1
    assert (tmp_path / "other/spec/a.md").is_file()


def test_a_heading_of_a_specification_is_called_what_the_site_calls_it(tmp_path: Path) -> None:
    site = make_site(
        tmp_path,
        catalogue={"specs": {"s": {"pages": "../../docs/spec"}}},
        rule={"required_by": [{"text": "A", "anchors": ["s:a#see-this-tname"]}]},
    )
    (site / "docs/spec").mkdir()
    (site / "docs/spec/a.md").write_text("# A\n\n## See [this][t.name] [`t.name`][]\n")
    done = build(site, "--strict")
    assert done.returncode == 0, done.stderr
    assert "See this t.name" in html.unescape(re.sub("<[^>]+>", "", page(site)))
    assert 'id="see-this-tname"' in page(site, "spec/a")


def test_serve_shows_a_reference_to_nothing_until_it_is_mended(tmp_path: Path) -> None:
    server = Server(many(tmp_path, "[a][t.name]"))
    try:
        server.save("docs/deep/er/page.md", "[a][t.nope]")
        assert "a (there is no rule t.nope" in server.page("deep/er/page/")
        assert "docs/deep/er/page.md:1:5: reference: there is no rule `t.nope`" in server.text
        server.save("docs/deep/er/page.md", "[a][t.third]")
        assert "there is no rule" not in server.page("deep/er/page/")
        assert server.text.count("there is no rule") == 1
        rules = json.loads((server.site / "rules/cat/rules.yaml").read_text())
        server.save("rules/cat/rules.yaml", json.dumps({"rules": rules["rules"][:2]}))
        assert "a (there is no rule t.third" in server.page("deep/er/page/")
    finally:
        server.process.kill()
        server.process.wait()


def test_a_misspelt_owner_is_a_fault(tmp_path: Path) -> None:
    site = make_site(tmp_path, rule={"id": "t.record.name"})
    (site / "docs/index.md").write_text("[a][s.record.name], [b][s.other.name], [c][s.name]\n")
    done = build(site)
    assert done.returncode == 1
    assert "docs/index.md:1:5: reference: there is no rule `s.record.name`; nearest: `t.record.name`" in done.stderr
    assert done.stderr.count("reference:") == 1
