"""What a person does with the built site in a real browser."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browsing import MARKS, served
from test_coverage import PAGE as SPECIFICATION
from test_site import build, make_site

LONG = "a-rule-whose-id-is-so-long-that-no-telephone-can-show-it-on-one-line"

pytestmark = MARKS


def rule(name: str, **parts: Any) -> dict[str, Any]:
    return {"id": f"t.{name}", "title": f"Rule {name}", **parts}


FIX = {"op": "replace", "path": "", "value": "x"}
WIDE = {"name": [f"{number}-{'a-very-long-value-without-any-space' * 4}" for number in range(40)]}
RULES = (
    rule(
        "alpha",
        facets={"surface": "Tool", "kind": "x"},
        aliases=["t.former"],
        summary="The first.",
        required_by=[{"text": "The text", "anchors": ["spec:page#req-must"]}],
        based_on=[{"tier": "1", "text": "A standard", "url": "https://standard.example/"}],
        notes="See `t.beta`.",
        check={"select": "$.name", "schema": {"type": "string"}, "unchecked": "Whether it is good."},
        examples={
            "invalid": [
                {"id": "bad", "fixture": "bad.json", "pointer": "/name", "fix": [FIX]},
                {"id": "wide", "fixture": "wide.json"},
            ],
            "valid": [{"id": "good", "fixture": "good.json", "pointer": "/name", "note": "As it should be."}],
        },
    ),
    rule("beta", facets={"surface": "Tool", "kind": ["x", "y"]}, level="should"),
    rule("gamma", facets={"surface": "Prompt"}, level="may"),
    rule(LONG, facets={"surface": "Prompt", "kind": "y"}, check={"none": "No machine can."}, examples=None),
    {**rule("one", facets={"surface": "Tool"}), "id": "u.one"},
)
CATALOGUE: dict[str, Any] = {
    "summary": "Rules for people.",
    "owners": {"t": {"title": "Tests"}, "u": {"title": "Others"}},
    "facets": [{"key": "surface", "label": "Surface"}, {"key": "kind", "label": "Kind", "pages": True}],
    "tiers": {"1": "A standard"},
    "specs": {
        "spec": {"pages": "../../docs/spec", "requirements": "req-*", "untestable": {"page#req-may": "No machine."}}
    },
}
REMOVED = """\
removed:
  - id: t.gone
    title: Rule that is gone
    removed_in: "2"
    replaced_by: [t.alpha, t.lost]
    reason: It said too much. See `t.alpha`.
    aliases: [t.long-gone]
  - {id: t.lost, replaced_by: t.beta, reason: Nobody used it.}
"""
PAGES = {
    "home": "",
    "index": "rules/",
    "rule": "rules/t/alpha/",
    "unverified": f"rules/t/{LONG}/",
    "removed": "rules/t/gone/",
    "list": "rules/by/kind/y/",
    "specification": "spec/page/",
    "traceability": "rules/traceability/",
    "evidence": "rules/evidence/",
}
"""A page of each kind."""
THEME = {
    "name": "material",
    "font": False,
    "palette": [
        {"scheme": "default", "toggle": {"icon": "material/weather-night", "name": "Dark"}},
        {"scheme": "slate", "toggle": {"icon": "material/weather-sunny", "name": "Light"}},
    ],
}


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a built site below `/docs/`, served from this machine."""
    folder = tmp_path_factory.mktemp("browser")
    (folder / "docs/spec").mkdir(parents=True)
    (folder / "docs/spec/page.md").write_text(SPECIFICATION)
    site = make_site(
        folder,
        config={"theme": THEME},
        catalogue=CATALOGUE,
        rules=RULES,
        fixtures={"wide.json": WIDE},
        files={"gone.yaml": REMOVED},
    )
    done = build(site, "--strict", "-d", str(folder / "www/docs"))
    assert done.returncode == 0, done.stderr
    with served(folder / "www") as root:
        yield f"{root}docs/"


Open = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[Open]:
    """Return a function that opens a page: no script may fail on it, nobody else be asked, and nothing be missing."""
    contexts, wrong = [], []

    def asked(url: str) -> None:
        if not url.startswith((address, "data:", "blob:")):
            wrong.append(f"asks for {url}")

    def answered(status: int, url: str) -> None:
        if status >= 400:
            wrong.append(f"{status} for {url}")

    def open_it(path: str, **options: Any) -> Page:
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: asked(request.url))
        page.on("response", lambda response: answered(response.status, response.url))
        page.goto(address + path)
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert wrong == []


def shown(page: Page) -> list[str]:
    """The ids of the rules that the list shows."""
    return page.locator(".rb-rules code:visible").all_text_contents()


def query(page: Page) -> str:
    return page.url.partition("?")[2]


def select(page: Page, label: str) -> Locator:
    return page.get_by_label(label, exact=True)


def test_filters_combine_and_count(open_page: Open) -> None:
    page = open_page("rules/")
    expect(page.get_by_role("status")).to_have_text("5 rules")
    select(page, "Surface").select_option("Tool")
    assert shown(page) == ["t.alpha", "t.beta", "u.one"]
    select(page, "Level").select_option("must")
    assert shown(page) == ["t.alpha", "u.one"]
    expect(page.get_by_role("status")).to_have_text("2 of 5 rules")
    expect(select(page, "Owner").locator("option")).to_have_text(["any", "Tests (1)", "Others (1)"])
    expect(select(page, "Surface").locator("option")).to_have_text(["any", "Prompt (1)", "Tool (2)"])
    assert query(page) == "level=must&surface=Tool"
    page.get_by_role("button", name="Show all rules").click()
    expect(page.get_by_role("status")).to_have_text("5 rules")
    assert query(page) == ""


def test_rules_without_a_value_can_be_found(open_page: Open) -> None:
    page = open_page("rules/")
    select(page, "Kind").select_option("-")
    assert shown(page) == ["t.gamma", "u.one"]


def test_a_link_reproduces_the_view(open_page: Open) -> None:
    page = open_page("rules/?find=RULE+bet&kind=y&level=nonsense")
    assert shown(page) == ["t.beta"]
    expect(select(page, "Kind")).to_have_value("y")
    expect(select(page, "Level")).to_have_value("")
    expect(page.get_by_role("searchbox", name="Find a rule")).to_have_value("RULE bet")


def test_back_and_forward_go_through_the_steps(open_page: Open) -> None:
    page = open_page("rules/")
    select(page, "Level").select_option("must")
    page.get_by_label("Find a rule").press_sequentially("alpha")
    assert query(page) == "find=alpha&level=must"
    assert shown(page) == ["t.alpha"]
    page.go_back()
    assert query(page) == "level=must"
    assert shown(page) == ["t.alpha", f"t.{LONG}", "u.one"]
    page.go_back()
    assert len(shown(page)) == 5
    expect(select(page, "Level")).to_have_value("")
    page.go_forward()
    page.go_forward()
    assert shown(page) == ["t.alpha"]
    expect(page.get_by_label("Find a rule")).to_have_value("alpha")


def test_no_rule_matches_and_there_is_a_way_out(open_page: Open) -> None:
    page = open_page("rules/?find=alpha&level=may")
    assert shown(page) == []
    expect(page.get_by_text("No rule matches.")).to_be_visible()
    expect(page.get_by_role("heading", name="Rules for tests")).to_be_hidden()
    page.get_by_role("button", name="Without May: 1 rule").click()
    assert shown(page) == ["t.alpha"]
    expect(page.get_by_text("No rule matches.")).to_be_hidden()


@pytest.mark.parametrize("name", ["t.alpha", " T.ALPHA ", "t.former"])
def test_an_exact_id_or_alias_leads_to_the_page(open_page: Open, address: str, name: str) -> None:
    page = open_page("rules/")
    page.get_by_label("Find a rule").fill(name)
    expect(page.get_by_role("status")).to_contain_text("Enter opens “Rule alpha”")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}rules/t/alpha/")


@pytest.mark.parametrize("name", ["T.gone", "t.long-gone"])
def test_the_exact_id_of_a_removed_rule_leads_to_what_became_of_it(open_page: Open, address: str, name: str) -> None:
    page = open_page("rules/")
    expect(page.get_by_role("status")).to_have_text("5 rules")
    page.get_by_label("Find a rule").fill(name)
    expect(page.get_by_role("status")).to_contain_text("Enter opens “Rule that is gone”")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}rules/t/gone/")
    page.get_by_role("link", name="Rule alpha").first.click()
    page.wait_for_url(f"{address}rules/t/alpha/")


def test_the_list_is_used_by_keyboard(open_page: Open, address: str) -> None:
    page = open_page("rules/")
    page.get_by_label("Find a rule").focus()
    page.keyboard.type("Tool")
    for key in ("ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp"):
        page.keyboard.press(key)
    expect(page.get_by_label("Find a rule")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}rules/t/beta/")
    page.go_back()
    assert query(page) == "find=Tool"
    assert shown(page) == ["t.alpha", "t.beta", "u.one"]


def test_without_script_there_is_a_plain_table_and_pages(open_page: Open) -> None:
    page = open_page("rules/", java_script_enabled=False)
    assert len(shown(page)) == 5
    expect(page.locator(".rb-filter")).to_be_hidden()
    page.get_by_text("By Kind").click()
    page.locator(".rb-browse[open]").get_by_role("link", name="Y", exact=True).click()
    assert shown(page) == ["t.beta", f"t.{LONG}"]


def test_the_scripts_are_small() -> None:
    assets = Path(__file__).parent.parent / "plugin/mkdocs_rulebook/pages/assets"
    assert sum(path.stat().st_size for path in assets.glob("*.js")) < 15_000


@pytest.mark.parametrize("path", PAGES.values(), ids=PAGES)
def test_nothing_scrolls_sideways_on_a_telephone(open_page: Open, path: str) -> None:
    page = open_page(path, viewport={"width": 360, "height": 740}, has_touch=True)
    wide = page.evaluate(
        """() => [...document.querySelectorAll('article *, main *')]
            .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0
                && ['auto', 'scroll'].includes(getComputedStyle(one).overflowX)
                && one.closest('.md-content, main'))
            .map((one) => one.outerHTML.slice(0, 100))"""
    )
    assert wide == []
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_what_is_shown_can_be_copied(open_page: Open) -> None:
    page = open_page("rules/t/alpha/", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy rule id").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "t.alpha"
    page.get_by_role("button", name="Copy excerpt").first.click()
    page.wait_for_function("async () => (await navigator.clipboard.readText()).includes('name')")
    assert page.evaluate("navigator.clipboard.readText()") == '"name": 1'


def test_the_theme_can_be_switched(open_page: Open) -> None:
    page = open_page("rules/t/alpha/")
    colour = "getComputedStyle(document.querySelector('.rb-excerpt .nt')).color"
    before = page.evaluate(colour)
    page.locator("label[for='__palette_1']").click()
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
    assert page.evaluate(colour) != before


@pytest.mark.parametrize("path", PAGES.values(), ids=PAGES)
def test_no_request_of_a_page_fails(open_page: Open, path: str) -> None:
    page = open_page(path)
    page.wait_for_load_state("networkidle")  # the fixture sees what is missing


def test_the_twin_is_an_alternate_for_whoever_runs_no_script(open_page: Open, address: str) -> None:
    page = open_page("rules/t/alpha/", java_script_enabled=False)
    [link] = page.locator("head link[rel=alternate][type='text/markdown']").all()
    found = page.request.get(f"{address}rules/t/alpha/{link.get_attribute('href')}")
    assert "# Rule alpha" in found.text()


@pytest.fixture(scope="session")
def axe() -> str:
    path = os.environ.get("RULEBOOK_AXE", "")
    if not path:
        pytest.skip("RULEBOOK_AXE names no axe.min.js")
    return Path(path).read_text("utf-8")


@pytest.mark.parametrize("scheme", ["default", "slate"])
@pytest.mark.parametrize("path", PAGES.values(), ids=PAGES)
def test_nobody_is_shut_out(open_page: Open, axe: str, path: str, scheme: str) -> None:
    page = open_page(path)
    if scheme == "slate":
        page.locator("label[for='__palette_1']").click()
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.evaluate(axe)
    # The footer is the theme's own: what it says is a shade too pale.
    found = page.evaluate("axe.run({exclude: ['.md-footer']}, {resultTypes: ['violations']})")
    assert [
        (each["id"], node["target"], node["failureSummary"])
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ] == []
    assert found["passes"]


def test_the_scripts_move_nothing(open_page: Open) -> None:
    page = open_page("rules/t/alpha/", viewport={"width": 1280, "height": 900})
    page.wait_for_load_state("networkidle")
    moved = page.evaluate(
        """() => new Promise((done) => {
            let sum = 0;
            new PerformanceObserver((list) => list.getEntries().forEach((one) => { sum += one.value; }))
                .observe({type: 'layout-shift', buffered: true});
            setTimeout(() => done(sum), 300);
        })"""
    )
    assert moved < 0.01
