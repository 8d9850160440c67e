"""Follows every internal link of a built site, over its HTML: `python tests/links.py FOLDER [SITE_URL]`."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

HOST = "https://here.example"
"""Where a site lies that does not say so."""

_LINKS = {
    "a": "href",
    "link": "href",
    "img": "src",
    "script": "src",
    "source": "src",
    "iframe": "src",
    "object": "data",
}


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.base = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids |= {given.get("id", ""), given.get("name", "") if tag == "a" else ""} - {""}
        if tag == "base":
            self.base = given.get("href", "")
        # An edit link leads to the repository, even one that is made up.
        if given.get(_LINKS.get(tag, "")) and given.get("rel") != "edit":
            self.links.append(given[_LINKS[tag]])
        if tag == "meta" and given.get("http-equiv") == "refresh":
            self.links += re.findall(r"url=(.*)", given.get("content", ""))


@functools.cache
def _page(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text("utf-8"))
    return page


def broken(site: Path, url: str = f"{HOST}/") -> Iterator[str]:
    """Yield a line for each link that leads nowhere in the site; links to other sites are not followed.

    Args:
        site: the folder of the built site.
        url: the address that it is published at.
    """
    for path in sorted(site.rglob("*.html")):
        page = _page(path)
        # A page for wrong addresses is shown anywhere, so that its links start from the root of the host.
        own = urljoin(url, path.relative_to(site).as_posix())
        for link in page.links:
            target = urljoin(urljoin(own, page.base), link)
            if urlsplit(target)[:2] == urlsplit(url)[:2] and (wrong := _wrong(site, url, target)):
                yield f"{path.relative_to(site)}: {link}: {wrong}"


def _wrong(site: Path, url: str, target: str) -> str:
    if not target.startswith(url):
        return "leads out of the site"
    parts = urlsplit(target[len(url) :])
    path = site / unquote(parts.path)
    if path.is_dir():
        if parts.path and not parts.path.endswith("/"):
            return "lacks the / at its end"
        path /= "index.html"
    if not path.is_file():
        return "there is no such file"
    fragment = unquote(parts.fragment)
    if fragment and path.suffix == ".html" and fragment not in _page(path).ids:
        return f"there is no #{fragment}"
    return ""


def main(arguments: list[str]) -> int:
    """Print what is broken; return 1 where anything is, or where there is nothing to look at."""
    site = Path(arguments[0])
    lines = list(broken(site, *arguments[1:2]))
    links = sum(len(_page(path).links) for path in site.rglob("*.html"))
    print(*lines, f"{links} links, {len(lines)} broken", sep="\n")  # noqa: T201
    return 1 if lines or not links else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
