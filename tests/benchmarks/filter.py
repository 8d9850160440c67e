"""How long the list of all rules takes from a key press to the painted result.

`python tests/benchmarks/filter.py 2000` types into a list of so many rules and waits for each paint.

The same run measures a bare filter of an array with the same texts, and prints both with their ratio.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
from pathlib import Path

import markdown
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "plugin"), str(ROOT / "tests")]

from conftest import write  # noqa: E402
from mkdocs_rulebook import pages  # noqa: E402
from mkdocs_rulebook.project import check  # noqa: E402

TYPED = "rule 17 tool"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
MEASURE = """() => {
    const box = document.querySelector('[name=find]');
    window.times = [];
    let start = 0;
    document.addEventListener('keydown', () => { start = performance.now(); }, true);
    box.addEventListener('input', () => requestAnimationFrame(() => {
        const after = new MessageChannel();
        after.port1.onmessage = () => window.times.push(performance.now() - start);
        after.port2.postMessage(0);
    }));
    box.focus();
}"""
BARE = """(typed) => {
    const texts = [...document.querySelectorAll('.rb-rules [data-rb]')]
        .map((mark) => mark.closest('tr').textContent.toLowerCase());
    const times = [];
    for (let end = 1; end <= typed.length; end++) {
        const words = typed.slice(0, end).split(/\\s+/).filter(Boolean);
        const start = performance.now();
        texts.filter((text) => words.every((word) => text.includes(word)));
        times.push(performance.now() - start);
    }
    return times;
}"""


def index(number: int, folder: Path) -> str:
    """Return the list of so many rules as a page of its own."""
    facets = [{"key": key, "label": key.title()} for key in ("surface", "kind", "status")]
    rules = tuple(
        {
            "id": f"t.part-{at % 40}.rule-{at}",
            "title": f"Rule {at} about a {('tool', 'prompt', 'resource')[at % 3]}",
            "level": ("must", "must-not", "should", "may")[at % 4],
            "facets": {
                "surface": f"Surface {at % 30}",
                "kind": f"kind {at % 5}",
                "status": ["draft", "done"][: at % 3],
            },
            "check": {"none": "Not for this."},
            "examples": None,
        }
        for at in range(number)
    )
    project = check([write(folder / "cat", catalogue={"facets": facets}, rules=rules)])
    made = pages.render(project.reports, pages.Layout(), project.read, lambda *_: None)
    text = next(page.text for page in made.pages if page.path == "rules/index.md")
    body = markdown.markdown(text.split("---\n", 2)[2], extensions=list(pages.EXTENSIONS))
    style, script = pages.asset(pages.CSS), pages.asset(pages.FILTER)
    return (
        f"<!doctype html><meta charset=utf-8><style>{style}</style><article>{body}</article><script>{script}</script>"
    )


def main(number: int) -> None:
    """Measure and print; only the ratio means anything on another machine."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        path = Path(name) / "index.html"
        path.write_text(index(number, Path(name)), "utf-8")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        page = browser.new_page()
        page.goto(path.as_uri())
        bare = statistics.median(page.evaluate(BARE, TYPED))
        page.evaluate(MEASURE)
        for key in TYPED:
            before = page.evaluate("window.times.length")
            page.keyboard.press(key if key != " " else "Space")
            page.wait_for_function(f"window.times.length > {before}")
        times = page.evaluate("window.times")
        shown = page.locator(".rb-rules tr:visible").count()
        browser.close()
    median, worst = statistics.median(times), max(times)
    print(f"{number} rules, typing {TYPED!r}, {shown} rows left")
    print(f"key press to paint: median {median:.1f} ms, worst {worst:.1f} ms")
    print(f"bare array filter: median {bare:.2f} ms; ratio {median / max(bare, 0.01):.0f}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
