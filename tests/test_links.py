"""Every internal link and anchor of a built site resolves, at the root of a host and below it, and on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest

from links import HOST, broken, main
from mkdocs_rulebook.site import STYLE_SHEET
from test_coverage import NAMES, PAGE
from test_site import build, make_site

RULES: tuple[dict[str, Any], ...] = (
    {
        "title": "A name (of *sorts*)",
        "required_by": NAMES,
        "facets": {"surface": "A tool", "kind": ["x/y", "z"]},
        "aliases": ["t.old.name"],
        "notes": "Like `t.second`, once `t.old.name`.",
    },
    {"id": "t.second", "facets": {"surface": "A tool"}, "level": "should", "replaced_by": "t.name"},
    {"id": "u.third", "check": {"none": "See `t.name`."}, "examples": None, "required_by": NAMES},
)
CATALOGUE = {
    "summary": "See `t.name`.",
    "owners": {"t": {"title": "Tests"}, "u": {"title": "Others"}},
    "facets": [{"key": "surface", "label": "Surface", "pages": True}, {"key": "kind", "label": "Kind", "pages": True}],
    "specs": {"spec": {"pages": "../../docs/spec", "untestable": {"page#req-may": "Nobody can."}}},
}


def full_site(folder: Path, **config: Any) -> Path:
    """Build a site that has every kind of page, and return its folder."""
    (folder / "docs/spec").mkdir(parents=True, exist_ok=True)
    (folder / "docs/spec/page.md").write_text(PAGE)
    (folder / "docs/more.md").write_text("# More\n\n[Home](index.md)\n")
    site = make_site(folder, config=config, catalogue=CATALOGUE, rules=RULES)
    done = build(site, "--strict")
    assert done.returncode == 0, done.stderr
    return site / "site"


@pytest.mark.parametrize("theme", ["material", "mkdocs"])
@pytest.mark.parametrize("path", ["/", "/docs/1.0/"])
def test_every_link_leads_somewhere(tmp_path: Path, theme: str, path: str) -> None:
    url = urljoin(HOST, path)
    site = full_site(tmp_path, theme={"name": theme}, site_url=url)
    assert list(broken(site, url)) == []


def test_every_link_leads_somewhere_on_disk(tmp_path: Path) -> None:
    site = full_site(tmp_path, use_directory_urls=False, site_url="", theme={"name": "material", "font": False})
    # The page for wrong addresses is for a server alone.
    assert [line for line in broken(site) if not line.startswith("404.html")] == []
    folders = [line for page in site.rglob("*.html") for line in page.read_text().split('href="')[1:]]
    assert [link for link in folders if link.split('"')[0].endswith("/") and "://" not in link.split('"')[0]] == []


def test_what_is_broken_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site = full_site(tmp_path)
    index = site / "index.html"
    text = index.read_text()
    wrong = {
        "rules/t/nome/": "there is no such file",
        "rules/t/name/#exomples": "there is no #exomples",
        "rules/t/name": "lacks the / at its end",
        "https://elsewhere.example/": "",
    }
    links = "".join(f'<a href="{link}">x</a>' for link in wrong)
    index.write_text(text.replace("</body>", f"{links}</body>"))
    (site / STYLE_SHEET).unlink()
    lines = list(broken(site, "https://site.example/docs/"))
    for link, said in wrong.items():
        assert (f"index.html: {link}: {said}" in lines) == bool(said)
    assert f"index.html: {STYLE_SHEET}: there is no such file" in lines
    assert main([str(site), "https://site.example/docs/"]) == 1
    assert f"{len(lines)} broken" in capsys.readouterr().out
    assert main([str(tmp_path / "docs")]) == 1
