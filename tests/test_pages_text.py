"""Text as Markdown: plain text to the letter, prose with its links."""

from __future__ import annotations

import html
import re

import markdown
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from mkdocs_rulebook.pages import text as texts

CONVERTER = markdown.Markdown(
    extensions=["attr_list", "md_in_html", "tables", "toc", "smarty", "pymdownx.magiclink", "pymdownx.emoji"],
    extension_configs={"pymdownx.magiclink": {"repo_url_shorthand": True, "user": "u", "repo": "r"}},
)
NASTY = [
    "Name {id}", "*a* _b_ __c__", "<b>bold</b> &amp;", "a | b", "`code`", "1. first", "- item", "# head", "[x](y)",
    "{: #x .y }", "{{ macro }} {% x %} {# y #}", "#42 @user", "https://example.com www.example.com", "a\\*b", ":smile:",
    "it's \"q\" -- ... (c)", "!x[", "ünï – ©", "2026-07-28", "x_y_z", "[[ref]]",
]  # fmt: skip
LINKS = {"a.b": "../a/b.md"}


def link_to(rule_id: str) -> str:
    return LINKS.get(rule_id, "")


def convert(text: str) -> str:
    return CONVERTER.reset().convert(text)


def read_back(text: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", text)).strip()


@pytest.mark.parametrize("text", NASTY)
def test_plain_text_is_shown_to_the_letter(text: str) -> None:
    heading = convert(f"## {texts.plain(text)} {{: #fixed }}")
    assert re.fullmatch(r'<h2 id="fixed">[^<]*</h2>', heading)
    assert read_back(heading) == text
    assert read_back(convert(texts.plain(text))) == text
    cell = convert(f"| a | b |\n| --- | --- |\n| {texts.plain(text)} | {texts.code(text)} |")
    assert [read_back(found) for found in re.findall(r"<td>(.*?)</td>", cell)] == [text, text]
    linked = convert(texts.link(texts.plain(text), "x.md"))
    assert re.fullmatch(r'<p><a href="x.md">[^<]*</a></p>', linked)
    assert read_back(linked) == text
    for written in (texts.plain(text), texts.code(text)):
        assert not re.search(r"\{[{%#]", written)


@settings(deadline=None, max_examples=200)
@given(st.text())
def test_any_plain_text_is_shown_to_the_letter(text: str) -> None:
    line = texts.INEXPRESSIBLE.sub("", texts.one_line(text)).strip()
    assert texts.one_line(read_back(convert(f"x {texts.plain(line)} x"))) == texts.one_line(f"x {line} x")


def test_ordinary_words_stay_readable_in_the_source() -> None:
    assert texts.plain("A Tool-result, as it is. Yes.") == "A Tool-result, as it is. Yes."


def test_inline_text_shows_backticks_as_code() -> None:
    assert read_back(convert(texts.inline("has `{x}*` and *y*"))) == "has {x}* and *y*"
    assert convert(texts.inline("has `a|b` here")) == "<p>has <code>a&#x7C;b</code> here</p>"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see `a.b`.", "see [`a.b`](../a/b.md)."),
        ("see `a.c`.", "see `a.c`."),
        ("see ``a.b``", "see ``a.b``"),
        ("see [`a.b`](x.md) and [see `a.b`][ref]", "see [`a.b`](x.md) and [see `a.b`][ref]"),
        ('<a href="x">`a.b`</a>', '<a href="x">`a.b`</a>'),
        ("```\n`a.b`\n```\n`a.b`", "```\n`a.b`\n```\n[`a.b`](../a/b.md)"),
        ("~~~~\n~~~\n`a.b`\n~~~~\n", "~~~~\n~~~\n`a.b`\n~~~~"),
        ("> ```\n> `a.b`\n> ```", "> ```\n> `a.b`\n> ```"),
        ("`x` `a.b` `a.b`", "`x` [`a.b`](../a/b.md) [`a.b`](../a/b.md)"),
    ],
)
def test_rule_ids_in_prose_become_links(text: str, expected: str) -> None:
    assert texts.prose(text, link_to) == expected


def test_prose_is_otherwise_left_alone() -> None:
    text = "A *b* {: .c }\n\n    code `a`\n\n- {{ x }}\n"
    assert texts.prose(text, link_to) == text.rstrip()


@pytest.mark.parametrize(
    "text", [*NASTY, 'a: "b" # c', "\U0001f600 \x85 \u2028 \x7f\ufeff", "---", "'", "%x", "back\\slash"]
)
def test_front_matter_is_yaml_for_a_theme_that_does_not_escape(text: str) -> None:
    value = yaml.safe_load(f"title: {texts.front_matter(text)}\n")["title"]
    assert html.unescape(value) == html.unescape(html.escape(texts.one_line(text)))
    assert not re.search(r'[<>"]', value)


def test_description_is_without_markup() -> None:
    assert texts.without_markup("A *b* `c`\nd [e](f).\n\nG") == "A b c d e."


@pytest.mark.parametrize(
    ("href", "expected"),
    [("a b(c).md", "a%20b%28c%29.md"), ("https://x.y/a?b=c&d#e", "https://x.y/a?b=c&d#e"), ("x|y{z}", "x%7Cy%7Bz%7D")],
)
def test_link_targets_cannot_break_the_link(href: str, expected: str) -> None:
    assert texts.link("t", href) == f"[t]({expected})"
    assert texts.link("t", "") == "t"
