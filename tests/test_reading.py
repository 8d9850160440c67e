"""How a rule page reads: side by side or one under the other, on paper, from a disk, and what it costs to open."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, FloatRect, Page, expect

from browsing import MARKS
from test_browser import CATALOGUE, PAGES, REMOVED, RULES, WIDE
from test_coverage import PAGE as SPECIFICATION
from test_site import build, make_site

pytestmark = MARKS

THEMES: dict[str, dict[str, Any]] = {
    "material": {"name": "material", "font": False},
    "mkdocs": {"name": "mkdocs", "highlightjs": False},
    "readthedocs": {"name": "readthedocs", "highlightjs": False},
}
RULE_PAGE = "rules/mcpdesc/tool-example-error-result/"
OURS = re.compile(r"/assets/rulebook/")

Open = Callable[..., Page]


@pytest.fixture(scope="module", params=THEMES)
def on_disk(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a site in each theme, built to be opened from a disk."""
    folder = tmp_path_factory.mktemp("disk")
    (folder / "docs/spec").mkdir(parents=True)
    (folder / "docs/spec/page.md").write_text(SPECIFICATION)
    config = {
        "theme": THEMES[request.param],
        "plugins": ["search", "rulebook"],  # without a search the script of a theme ends before it stripes tables
        "use_directory_urls": False,
        "site_url": "",
    }
    site = make_site(
        folder,
        config=config,
        catalogue=CATALOGUE,
        rules=RULES,
        fixtures={"wide.json": WIDE},
        files={"gone.yaml": REMOVED},
    )
    done = build(site, "--strict")
    assert done.returncode == 0, done.stderr
    return (site / "site").as_uri() + "/"


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Open]:
    """Return a function that opens a page; no script of ours may fail on it."""
    contexts, wrong = [], []

    def open_it(url: str, **options: Any) -> Page:
        contexts.append(browser.new_context(**options))
        page = contexts[-1].new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: wrong.append(error.stack) if OURS.search(error.stack or "") else None)
        page.goto(url)
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert wrong == []


def box(page: Page, name: str) -> FloatRect:
    found = page.locator(f"#example-{name}").bounding_box()
    assert found is not None
    return found


@pytest.mark.parametrize("script", [True, False])
def test_valid_stands_beside_invalid_where_there_is_room(open_page: Open, on_disk: str, *, script: bool) -> None:
    page = open_page(
        f"{on_disk}rules/t/alpha.html", viewport={"width": 1280, "height": 900}, java_script_enabled=script
    )
    bad, good, wide = (box(page, name) for name in ("bad", "good", "wide"))
    assert good["x"] > bad["x"] + bad["width"]
    assert abs(good["y"] - bad["y"]) < 5
    assert wide["y"] > max(bad["y"], good["y"]) + 100
    assert abs(wide["x"] - bad["x"]) < 5


def test_valid_stands_under_invalid_on_a_telephone(open_page: Open, on_disk: str) -> None:
    page = open_page(f"{on_disk}rules/t/alpha.html", viewport={"width": 360, "height": 740})
    bad, good = box(page, "bad"), box(page, "good")
    assert good["y"] > bad["y"] + 100
    assert abs(good["x"] - bad["x"]) < 5
    order = page.locator("[id^='example-']").evaluate_all("(all) => all.map((one) => one.id)")
    assert order == ["example-bad", "example-good", "example-wide"]


def file_name(path: str) -> str:
    """The address of a page on a disk."""
    return f"{path}index.html" if path in ("", "rules/") else f"{path.rstrip('/')}.html"


def test_no_page_scrolls_sideways_on_a_telephone(open_page: Open, on_disk: str) -> None:
    page = open_page(on_disk + "index.html", viewport={"width": 360, "height": 740}, has_touch=True)
    wide = {}
    for name, path in PAGES.items():
        page.goto(on_disk + file_name(path))
        found = page.evaluate(
            """() => [...document.querySelectorAll("html, .md-content *, [role=main] *")]
                .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0
                    && (one.tagName === "HTML" || ["auto", "scroll"].includes(getComputedStyle(one).overflowX)))
                .map((one) => one.outerHTML.slice(0, 100))"""
        )
        if found:
            wide[name] = found
    assert wide == {}


@pytest.mark.parametrize("path", ["rules/index.html", "rules/traceability.html"])
def test_a_list_on_a_telephone_is_not_striped_in_patches(open_page: Open, on_disk: str, path: str) -> None:
    page = open_page(on_disk + path, viewport={"width": 360, "height": 740})
    grounds = page.locator(":is(.rb-rules, .rb-trace) td").evaluate_all(
        """(all) => all.map((one) => getComputedStyle(one)).map((one) => [one.boxShadow, one.backgroundColor])"""
    )
    assert {tuple(one) for one in grounds} == {("none", "rgba(0, 0, 0, 0)")}


def test_what_is_set_apart_has_the_same_space_above_and_below(open_page: Open, on_disk: str) -> None:
    for path in ("rules/t/alpha.html", file_name(PAGES["unverified"]), "rules/t/gone.html"):
        page = open_page(on_disk + path, viewport={"width": 1280, "height": 900})
        spaces = page.locator(":is(.rb-requirement, .rb-notice)").evaluate_all(
            """(all) => all.map((one) => {
                const box = one.getBoundingClientRect();
                const first = one.firstElementChild.getBoundingClientRect();
                return [first.top - box.top, box.bottom - one.lastElementChild.getBoundingClientRect().bottom];
            })"""
        )
        assert spaces
        assert all(abs(above - below) < 1 and above > 8 for above, below in spaces)


@pytest.mark.parametrize(
    ("path", "name"), [("rules/t/beta.html", "Requirement"), ("rules/index.html", "Rules for tests")]
)
def test_a_heading_keeps_away_from_what_is_above(open_page: Open, on_disk: str, path: str, name: str) -> None:
    page = open_page(on_disk + path, viewport={"width": 1280, "height": 900})
    heading = page.get_by_role("heading", name=name).bounding_box()
    above = page.locator("p.rb-jumps, details.rb-browse").last.bounding_box()
    assert heading is not None
    assert above is not None
    assert heading["y"] - above["y"] - above["height"] > 20


def test_the_fix_is_one_step_from_the_head(open_page: Open, on_disk: str) -> None:
    page = open_page(f"{on_disk}rules/t/alpha.html", viewport={"width": 360, "height": 740}, java_script_enabled=False)
    jumps = page.locator(".rb-jumps")
    line = jumps.bounding_box()
    assert line is not None
    assert line["height"] < 32
    assert line["y"] + line["height"] < 740
    jumps.get_by_role("link", name="fix").click()
    page.wait_for_url(re.compile("#fix-example-bad$"))
    expect(page.get_by_text("Fix that makes the check silent").first).to_be_in_viewport()
    page.emulate_media(media="print")
    expect(jumps).to_be_hidden()


def test_that_an_example_does_not_hold_is_red(open_page: Open, on_disk: str) -> None:
    page = open_page(f"{on_disk}rules/t/alpha.html")
    proof = page.locator(".rb-proof")
    proof.evaluate("(one) => { one.className = 'rb-proof rb-proof-wrong'; }")
    assert proof.evaluate("(one) => getComputedStyle(one).color") == "rgb(168, 32, 26)"
    assert "✗" in proof.evaluate("(one) => getComputedStyle(one, '::before').content")


def test_each_example_can_be_linked_to(open_page: Open, on_disk: str) -> None:
    page = open_page(f"{on_disk}rules/t/alpha.html", viewport={"width": 1280, "height": 900})
    page.get_by_role("link", name="Link to this example").nth(1).click()
    page.wait_for_url(re.compile("#example-good$"))


def test_a_theme_with_permalinks_needs_no_second_link(open_page: Open, repository: str) -> None:
    page = open_page(repository + RULE_PAGE)
    assert page.locator("h3 > .headerlink").count() > 1
    expect(page.get_by_text("Link to this example")).to_have_count(page.locator("h3").count())
    for link in page.get_by_text("Link to this example").all():
        expect(link).to_be_hidden()


def test_a_long_excerpt_is_folded_and_what_fails_is_in_view(open_page: Open, on_disk: str) -> None:
    page = open_page(f"{on_disk}rules/t/alpha.html", viewport={"width": 1280, "height": 900})
    fold = page.locator(".rb-fold")
    expect(fold.locator("pre")).to_be_hidden()
    failing = page.locator(".rb-bad").last
    expect(failing).to_be_visible()
    assert "Fails here" in failing.inner_text()
    fold.locator("summary").click()
    expect(fold.locator("pre")).to_be_visible()
    for excerpt in page.locator(".rb-excerpt pre").all():
        assert excerpt.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    whole = page.locator("#example-wide ~ .rb-where a").first
    assert whole.inner_text() == "wide.json"


def test_what_is_shown_is_copied_in_every_theme(open_page: Open, on_disk: str) -> None:
    page = open_page(f"{on_disk}rules/t/alpha.html")
    page.evaluate("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }")
    for at, text in enumerate(['"name": 1', '"name": "x"']):
        page.locator(".rb-excerpt > .rb-copy").nth(at).click()
        assert page.evaluate("copied") == text
    page.locator(".rb-excerpt > .rb-copy").nth(2).click()
    assert page.evaluate("copied") == json.dumps(WIDE, indent=2)


def test_on_paper_there_is_all_of_it_and_nothing_to_click(open_page: Open, on_disk: str) -> None:
    page = open_page(f"{on_disk}rules/t/alpha.html", viewport={"width": 718, "height": 1000})
    page.emulate_media(media="print")
    for one in page.locator("button, nav, input, select, .rb-permalink").all():
        expect(one).to_be_hidden()
    for one in page.locator(".rb-fold pre, .rb-evidence li, .rb-details-box .rb-excerpt, .rb-id").all():
        expect(one).to_be_visible()
    standard = page.get_by_role("link", name="A standard")
    assert "https://standard.example/" in standard.evaluate("(one) => getComputedStyle(one, '::after').content")
    cut_off = page.evaluate(
        """() => [...document.querySelectorAll(".rb-breadcrumb ~ *, .rb-breadcrumb ~ * *")]
            .filter((one) => !one.closest(".rb-sr, .rb-copy") && one.getBoundingClientRect().right > 718.5)
            .map((one) => one.outerHTML.slice(0, 100))"""
    )
    assert cut_off == []


def test_on_paper_a_dark_scheme_is_a_light_one(open_page: Open, repository: str) -> None:
    page = open_page(repository + RULE_PAGE, color_scheme="dark")
    colour = "getComputedStyle(document.querySelector('.rb-proof')).color"
    dark = page.evaluate(colour)
    page.emulate_media(media="print")
    assert page.evaluate(colour) != dark
    page = open_page(repository + RULE_PAGE, color_scheme="light")
    light = page.evaluate(colour)
    assert light != dark
    page.emulate_media(media="print")
    assert page.evaluate(colour) == light


def test_the_list_on_paper_is_a_list(open_page: Open, on_disk: str) -> None:
    page = open_page(f"{on_disk}rules/index.html")
    page.emulate_media(media="print")
    expect(page.locator(".rb-filter")).to_be_hidden()
    expect(page.locator(".rb-browse").first).to_be_hidden()
    assert page.locator(".rb-rules code:visible").count() == len(RULES)


def test_a_site_is_read_from_a_disk(open_page: Open, on_disk: str) -> None:
    page = open_page(f"{on_disk}rules/index.html", viewport={"width": 1280, "height": 900})
    page.get_by_label("Find a rule").press_sequentially("beta")
    assert page.locator(".rb-rules code:visible").all_text_contents() == ["t.beta"]
    page.get_by_label("Find a rule").fill("")
    page.locator(".rb-rules").get_by_role("link", name="Rule alpha").click()
    page.wait_for_url(f"{on_disk}rules/t/alpha.html")
    expect(page.locator(".rb-copy").first).to_be_visible()
    page.locator(".rb-breadcrumb ~ p").get_by_role("link", name="t.beta").first.click()
    page.wait_for_url(f"{on_disk}rules/t/beta.html")
    page.go_back()
    page.get_by_role("link", name="One", exact=True).click()
    page.wait_for_url(f"{on_disk}spec/page.html#req-must")
    page.locator(".rb-checked").get_by_role("link", name="Rule alpha").first.click()
    page.wait_for_url(f"{on_disk}rules/t/alpha.html")
    page.get_by_role("link", name="wide.json").click()
    page.wait_for_url(re.compile(r"/rules/files/cat/fixtures/wide\.json$"))


def test_a_rule_page_is_small_and_asks_nobody_else(browser: Browser, repository: str) -> None:
    context = browser.new_context()
    page, sizes, others = context.new_page(), {}, []

    def noted(response: Any) -> None:
        if not response.url.startswith((repository, "data:", "blob:")):
            others.append(response.url)
        else:
            sizes[response.url.removeprefix(repository)] = len(response.body())

    page.on("response", noted)
    page.goto(repository + RULE_PAGE, wait_until="networkidle")
    context.close()
    own = {name: size for name, size in sizes.items() if name == RULE_PAGE or OURS.search(f"/{name}")}
    print(sizes)  # noqa: T201 - `pytest -s` shows what is asked for
    assert others == []
    assert len(own) == 4
    # What the theme asks for: its own files, the index of its search, and whether there are several versions.
    assert {name for name in sizes if not re.match(r"assets/|search/|.*sitemap\.xml$", name)} == {RULE_PAGE}
    assert sum(own.values()) < 150_000


def shift(browser: Browser, url: str, *, ours: bool) -> float:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    if not ours:
        page.route(re.compile(r"/assets/rulebook/.*\.js$"), lambda route: route.abort())
    page.goto(url, wait_until="networkidle")
    moved: float = page.evaluate(
        """() => new Promise((done) => {
            let sum = 0;
            new PerformanceObserver((list) => list.getEntries().forEach((one) => { sum += one.value; }))
                .observe({type: "layout-shift", buffered: true});
            setTimeout(() => done(sum), 500);
        })"""
    )
    assert (page.locator(".rb-copy").count() > 0) == ours
    context.close()
    return moved


def test_the_scripts_move_nothing_that_the_theme_does_not_move(browser: Browser, repository: str) -> None:
    with_ours = shift(browser, repository + RULE_PAGE, ours=True)
    without = shift(browser, repository + RULE_PAGE, ours=False)
    assert with_ours <= without + 0.001
