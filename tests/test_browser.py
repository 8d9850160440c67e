"""What a person does with the built site in a real browser: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import functools
import http.server
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from test_site import build, make_site

CHROMIUM = shutil.which("chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
LONG = "a-rule-whose-id-is-so-long-that-no-telephone-can-show-it-on-one-line"

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


def rule(name: str, **parts: Any) -> dict[str, Any]:
    return {"id": f"t.{name}", "title": f"Rule {name}", **parts}


RULES = (
    rule("alpha", facets={"surface": "Tool", "kind": "x"}, aliases=["t.former"], summary="The first."),
    rule("beta", facets={"surface": "Tool", "kind": ["x", "y"]}, level="should"),
    rule("gamma", facets={"surface": "Prompt"}, level="may"),
    rule(LONG, facets={"surface": "Prompt", "kind": "y"}, check={"none": "No machine can."}, examples=None),
    {**rule("one", facets={"surface": "Tool"}), "id": "u.one"},
)
CATALOGUE: dict[str, Any] = {
    "summary": "Rules for people.",
    "owners": {"t": {"title": "Tests"}, "u": {"title": "Others"}},
    "facets": [{"key": "surface", "label": "Surface"}, {"key": "kind", "label": "Kind", "pages": True}],
}
THEME = {
    "name": "material",
    "font": False,
    "palette": [
        {"scheme": "default", "toggle": {"icon": "material/weather-night", "name": "Dark"}},
        {"scheme": "slate", "toggle": {"icon": "material/weather-sunny", "name": "Light"}},
    ],
}


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a built site below `/docs/`, served from this machine."""
    folder = tmp_path_factory.mktemp("browser")
    site = make_site(folder, config={"theme": THEME}, catalogue=CATALOGUE, rules=RULES)
    done = build(site, "--strict", "-d", str(folder / "www/docs"))
    assert done.returncode == 0, done.stderr
    handler = functools.partial(Quiet, directory=str(folder / "www"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/docs/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield found
        found.close()


Open = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[Open]:
    """Return a function that opens a page; no script may fail on it, and nobody else may be asked for anything."""
    contexts, wrong = [], []

    def asked(url: str) -> None:
        if not url.startswith((address, "data:", "blob:")):
            wrong.append(f"asks for {url}")

    def open_it(path: str, **options: Any) -> Page:
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: asked(request.url))
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
