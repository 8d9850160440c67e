"""What people type into the search of a built site leads to the rule that they mean."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from material.plugins.search.plugin import Parser  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, expect

from browsing import MARKS
from mkdocs_rulebook.pages.search import restored, searchable, words_of
from test_site import build, make_site, page

ID, PART, TITLE, WORDS = "the id", "a part of the id", "the title", "words of the page"
pytestmark = MARKS

QUERIES = (
    (ID, "mcpdesc.tool.example.error-result", ""),
    (ID, "mcp.tool.header.unique", ""),
    (ID, "outcome.retry.within-policy", ""),
    (ID, "mcpdesc.reference.cycle", ""),
    (ID, "mcp.resource.contents.base64", ""),
    (ID, "outcome.no-result.empty-list", ""),
    (ID, "mcpdesc.security.scheme-name", ""),
    (ID, "mcp.annotations.last-modified.revision", ""),
    (ID, "MCPDESC.Prompt.Example.Arguments-Form", "mcpdesc.prompt.example.arguments-form"),
    (ID, "mcpdesc.resource.example.base64", "mcp.resource.contents.base64"),  # a former id
    (PART, "resource.example.base64", "mcp.resource.contents.base64"),
    (PART, "tool.example.error-result", "mcpdesc.tool.example.error-result"),
    (PART, "example.error-result", "mcpdesc.tool.example.error-result"),
    (PART, "header.unique", "mcp.tool.header.unique"),
    (PART, "within-policy", "outcome.retry.within-policy"),
    (PART, "reference.cycle", "mcpdesc.reference.cycle"),
    (PART, "scheme-name", "mcpdesc.security.scheme-name"),
    (PART, "last-modified", "mcp.annotations.last-modified.revision"),
    (PART, "json-rpc-envelope", "mcpdesc.tool.example.json-rpc-envelope"),
    (PART, "elicitation.form.default", "mcpdesc.elicitation.form.default-in-choices"),
    (PART, "internal-details", "outcome.disclosure.internal-details"),
    (PART, "legacy-incomplete", "mcpdesc.protocol-versions.legacy-incomplete"),
    (PART, "uri-expansion", "mcpdesc.resource-template.example.uri-expansion"),
    (PART, "tool header token", "mcp.tool.header.token"),
    (TITLE, "Represent Tool execution errors as error results", "mcpdesc.tool.example.error-result"),
    (TITLE, "Give each tool an input schema", "mcp.tool.input-schema.required"),
    (TITLE, "Read a URI the template can produce", "mcpdesc.resource-template.example.uri-expansion"),
    (TITLE, "split variants of one name by revision", "mcpdesc.primitive.scope-overlap"),
    (TITLE, "stop when attempts or time are used up", "outcome.retry.within-policy"),
    (TITLE, "keep secrets out of what a model reads", "outcome.disclosure.internal-details"),
    (TITLE, "name headers with http token", "mcp.tool.header.token"),
    (TITLE, "preselect a choice", "mcpdesc.elicitation.form.default-in-choices"),
    (TITLE, "move from SSE", "mcpdesc.transport.sse.legacy"),
    (TITLE, "answer a search that finds nothing", "outcome.no-result.empty-list"),
    (TITLE, "Mark results complete in 2026-07-28", "mcp.result.result-type.revision"),
    (WORDS, "let references end at a value", "mcpdesc.reference.cycle"),  # a title, of common words alone
    (WORDS, "url of an elicitation must be a URI with a scheme", "mcpdesc.elicitation.url-form"),
    (WORDS, "expansion RFC 6570 uriTemplate", "mcpdesc.resource-template.example.uri-expansion"),
    (WORDS, "header values differ when case is ignored", "mcp.tool.header.unique"),
    (WORDS, "following references component on the way already", "mcpdesc.reference.cycle"),
    (WORDS, "connection string bearer token stack trace", "outcome.disclosure.internal-details"),
    (WORDS, "max_attempts total_seconds", "outcome.retry.within-policy"),
    (WORDS, "inputSchema also when it takes no arguments", "mcp.tool.input-schema.required"),
    (WORDS, "text block should say that the answer is partial", "outcome.search.partial-in-text"),
    (WORDS, "list of scopes http or apiKey must be empty", "mcpdesc.security.scope.non-oauth"),
    (WORDS, "entry of resource contents must have text or blob", "mcp.resource.contents.text-or-blob"),
    (WORDS, "member of the envelope jsonrpc", "mcpdesc.tool.example.json-rpc-envelope"),
    (WORDS, "structuredContent is not allowed here", "mcpdesc.tool.example.error-result"),  # a finding
    (WORDS, "is used as a header more than once", "mcp.tool.header.unique"),  # a finding
    (WORDS, "/promptExamples is empty; it needs at least 1 member", "mcpdesc.components.map.non-empty"),  # a finding
)
"""What is typed, and the rule that is meant: the one of that id, unless another is named."""

ASK = """async ([queries, boost]) => {
    const {base, search} = JSON.parse(document.querySelector("#__config").textContent);
    const worker = new Worker(new URL(search, location));
    const answer = (message) => new Promise((done) => {
        worker.onmessage = ({data}) => done(data.data);
        worker.postMessage(message);
    });
    const index = await (await fetch(new URL(`${base}/search/search_index.json`, location))).json();
    if (boost) index.config.fields.title.boost = boost;
    await answer({type: 0, data: {...index, options: {suggest: true}}});
    const found = [];
    for (const query of queries) {
        const {items} = await answer({type: 2, data: query});
        found.push(items.map((one) => one[0].location.split("#")[0]));
    }
    worker.terminate();
    return found;
}"""
"""Asks the worker that Material's search asks, with the index that it loads; gives the pages, best first."""


@pytest.fixture
def open_page(browser: Browser, repository: str) -> Iterator[Callable[[str], Page]]:
    context = browser.new_context()

    def open_it(path: str) -> Page:
        found = context.new_page()
        found.set_default_timeout(20_000)
        found.goto(repository + path)
        return found

    yield open_it
    context.close()


def address_of(rule: str) -> str:
    owner, _, rest = rule.partition(".")
    return f"rules/{owner}/{rest.replace('.', '-')}/"


def ranks(at: Page, boost: int = 0) -> Iterator[tuple[str, str, int, list[str]]]:
    """Yield each query with the place of the rule that is meant among the pages that are found, 0 for none."""
    answers = at.evaluate(ASK, [[query for _, query, _ in QUERIES], boost])
    for (kind, query, rule), found in zip(QUERIES, answers, strict=True):
        wanted = address_of(rule or query)
        rank = found.index(wanted) + 1 if wanted in found else 0
        print(f"{rank:3} of {len(found):3}  {kind}: {query}")  # noqa: T201 - `pytest -s` shows how good it is
        yield kind, query, rank, found[:3]


def test_fifty_queries_lead_to_the_rule_that_is_meant(open_page: Callable[[str], Page]) -> None:
    assert len(QUERIES) == 50
    at = open_page("guide/rule-file/")
    assert [one for one in ranks(at) if not 1 <= one[2] <= (3 if one[0] == WORDS else 1)] == []


def test_no_setting_is_needed_to_find_a_rule_by_what_it_is_called(open_page: Callable[[str], Page]) -> None:
    """1000 is what Material counts a title for where `mkdocs.yml` says nothing."""
    at = open_page("guide/rule-file/")
    assert [one for one in ranks(at, 1000) if one[0] != WORDS and not 1 <= one[2] <= (3 if one[0] == PART else 1)] == []


@pytest.mark.parametrize(
    ("query", "rule"),
    [
        ("mcp.tool.header.unique", "mcp.tool.header.unique"),
        ("mcpdesc.resource.example.base64", "mcp.resource.contents.base64"),
        ("header.unique", "mcp.tool.header.unique"),
        ("within-policy", "outcome.retry.within-policy"),
        ("preselect a choice", "mcpdesc.elicitation.form.default-in-choices"),
        ("move from sse", "mcpdesc.transport.sse.legacy"),
        ("header values differ when case is ignored", "mcp.tool.header.unique"),
        ("promptExamples is empty", "mcpdesc.components.map.non-empty"),
    ],
)
def test_enter_opens_the_rule(open_page: Callable[[str], Page], query: str, rule: str) -> None:
    at = open_page("guide/rule-file/")
    at.keyboard.press("/")
    at.keyboard.type(query)
    first = at.locator(".md-search-result__link").first
    expect(first).to_have_attribute("href", re.compile(re.escape(address_of(rule))))
    expect(first.locator("h1")).to_contain_text(rule)  # the id tells the rule from pages that speak of it
    at.keyboard.press("Enter")
    at.wait_for_url(re.compile(re.escape(address_of(rule))))
    expect(at.locator("h1")).not_to_contain_text(rule)


def article(path: Path) -> str:
    text = path.read_text("utf-8")
    return text[text.index("<article") : text.index("</article>")]


def text_of(part: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", part)).split())


def entries(site: Path) -> dict[str, list[dict[str, Any]]]:
    """Return what the search index says, by page."""
    found: dict[str, list[dict[str, Any]]] = {}
    for entry in json.loads((site / "search/search_index.json").read_text("utf-8"))["docs"]:
        found.setdefault(entry["location"].partition("#")[0], []).append(entry)
    return found


def test_the_index_has_the_words_and_not_the_fixtures(repository_site: Path) -> None:
    found = {page: own for page, own in entries(repository_site).items() if re.match(r"rules/[^/]+/[^/]+/", page)}
    assert len(found) > 130
    size, whole, words, code, shown = 0, 0, 0, 0, 0
    for address, (entry, *others) in found.items():
        assert not others, address
        size += len(json.dumps(entry))
        text = article(repository_site / address / "index.html")
        excerpts = re.findall(r'<div class="rb-excerpt.*?</div>', text, re.DOTALL)
        words += len(
            text_of(re.sub(r'<div class="rb-excerpt.*?</div>|<details.*?</details>', "", text, flags=re.DOTALL))
        )
        parser = Parser()
        parser.feed(re.sub(r'data-search-exclude(="\w+")?', "", text))
        whole += sum(len(json.dumps(["".join(one.title), "".join(one.text)])) for one in parser.data)
        lines = {line for one in excerpts for line in map(text_of, one.split("\n")) if len(line) > 30}
        indexed = text_of(entry["text"])
        shown += len(lines)
        code += sum(line in indexed for line in lines)
    print(f"rule pages in the index: {size:,} bytes; {whole:,} with all that they show; their prose is {words:,}")  # noqa: T201
    assert size < whole / 3
    assert size < words
    assert code < shown / 100


def test_lists_are_found_by_their_names_alone(repository_site: Path) -> None:
    found = entries(repository_site)
    assert not [page for page in found if page.startswith("rules/by/")]
    for name in ("rules/", "rules/traceability/", "rules/evidence/"):
        said = text_of(" ".join(f"{entry['title']} {entry['text']}" for entry in found[name]))
        assert "mcpdesc." not in said, name
    for address, own in found.items():
        if address.startswith("specification/"):
            assert not re.search(r"mcp(desc)?\.[a-z-]+\.[a-z-]+", " ".join(entry["text"] for entry in own)), address


@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs", "material"])
def test_every_search_plugin_reads_the_same(tmp_path: Path, theme: str) -> None:
    config = {
        "theme": {"name": theme, **({"font": False} if theme == "material" else {})},
        "plugins": ["search", "rulebook"],
    }
    fixtures = {"bad.json": '{"name": 1, "only-in-a-fixture": 1}'}
    examples = {"invalid": [{"id": "whole", "fixture": "bad.json"}], "valid": [{"id": "good", "fixture": "good.json"}]}
    rule = {"aliases": ["t.some.former-name"], "examples": examples}
    site = make_site(tmp_path, config=config, rule=rule, fixtures=fixtures)
    done = build(site, "--strict")
    assert done.returncode == 0, done.stderr
    said = " ".join(f"{entry['title']} {entry['text']}" for entry in entries(site / "site")["rules/t/name/"])
    for words in ("Name it", "t.name", "A name is text", "/name is a number", "t.some.former-name", "some.former-name"):
        assert words in text_of(said), words
    assert "only-in-a-fixture" not in said
    assert "only-in-a-fixture" in html.unescape(page(site))
    assert "rulebook-" not in re.sub(r"rulebook\.(css|js)|rulebook-filter\.js", "", page(site))
    assert "some.former-name" not in re.sub(r'data-search-words="[^"]*"', "", page(site))


def test_what_is_taken_out_comes_back() -> None:
    text = (
        '<h1 id="t.a" data-search-title="t.a" data-search-words="a b">One<a class="headerlink" href="#t.a">¶</a></h1>'
        '<div data-search-exclude="true"><div>code</div>more</div><h2 id="x">Examples</h2><p>words</p>'
        "<h3>This fails</h3><p data-search-exclude>small</p><div>end</div>"
    )
    said, kept = searchable(text)
    assert text_of(re.sub(r"<!--.*?-->", "", said)) == "One t.a ¶ words This fails end a b"
    assert restored(said, kept) == text
    assert restored(said.replace("<p>words", "<p>other"), kept) == text.replace("<p>words", "<p>other")
    said, kept = searchable(text, title_alone=True)
    assert text_of(re.sub(r"<!--.*?-->", "", said)) == ""
    assert restored(said, kept) == text


def test_the_words_of_an_id() -> None:
    assert words_of(["t.a-b.c", "u.c"]) == "t.a-b.c a-b.c c t a-b u.c u"
