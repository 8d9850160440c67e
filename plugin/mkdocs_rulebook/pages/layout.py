"""What rendering hands out, and where it lies in the documentation tree."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

from mkdocs_rulebook.model import address_of


@dataclass(frozen=True)
class Layout:
    """Where things lie in the documentation tree; all paths count from its root, with forward slashes.

    `base` is the folder of all generated pages. `specs` maps the name of a specification to the folder of its
    Markdown pages; an anchor of one that is not there and has no URL either is named but not linked.
    `directory_urls` says whether a page is published as `page/index.html` or as `page.html`: a file that no site
    generator converts has to know. `site_url` is the address of the site, empty where nobody knows it. Templates in
    `templates` replace those of the same name here, and extend them as `base/NAME`.
    """

    base: str = "rules"
    specs: Mapping[str, str] = field(default_factory=dict)
    directory_urls: bool = True
    templates: Path | None = None
    site_url: str = ""
    site_name: str = ""

    @property
    def index(self) -> str:
        """The page that lists all rules."""
        return posixpath.join(self.base, "index.md")

    def page(self, rule_id: str) -> str:
        """Return the page of a rule: it depends on the id alone."""
        return posixpath.join(self.base, f"{address_of(rule_id)}.md")

    def published(self, rule_id: str) -> str:
        """Return the HTML file that the page of a rule is published as."""
        return self.html(self.page(rule_id))

    def html(self, page: str) -> str:
        """Return the HTML file that a Markdown page is published as."""
        stem = page.removesuffix(".md")
        if not self.directory_urls or posixpath.basename(stem) == "index":
            return stem + ".html"
        return stem + "/index.html"

    def twin(self, rule_id: str) -> str:
        """Return the Markdown file that is published beside the page of a rule."""
        return self.twin_of(self.page(rule_id))

    def twin_of(self, page: str) -> str:
        """Return the Markdown file that is published beside a page."""
        return self.html(page).removesuffix(".html") + ".md"

    def readable(self, path: str) -> str:
        """Return what a program is sent to for a file of the tree: for a page of ours its twin.

        A page of a specification need not have one: it is the page itself, as it is published.
        """
        if not path.endswith(".md"):
            return path
        of_spec = any(path.startswith(posixpath.join(folder, "")) for folder in self.specs.values())
        return self.html(path) if of_spec else self.twin_of(path)

    def source(self, published: str) -> str:
        """Return the address of a published page as its twin names it: absolute if the address of the site is known."""
        return self.url(published) or posixpath.basename(published)

    def short(self, rule_id: str) -> str:
        """Return the file that leads to the page of a rule: `BASE/FULL.RULE.ID/`, however pages are published."""
        return posixpath.join(self.base, rule_id, "index.html")

    def below(self, name: str) -> str:
        """Return a file in the folder of all generated pages."""
        return posixpath.join(self.base, name)

    def url(self, published: str) -> str:
        """Return the absolute address of a published file, or nothing where the address of the site is unknown."""
        return f"{self.site_url.rstrip('/')}/{quote(without_index(published), safe='/')}" if self.site_url else ""

    def link(self, published: str, origin: str) -> str:
        """Return the link to a published file from another: absolute if the address of the site is known."""
        return self.url(published) or between(published, origin)


@dataclass(frozen=True)
class Page:
    """A Markdown page. `origin` is the YAML file that an edit link leads to.

    An overview has its `twin`, whose link in the head of the page needs a title and a description.
    """

    path: str
    text: str
    origin: Path | None = None
    title: str = ""
    description: str = ""
    twin: str = ""


@dataclass(frozen=True)
class Asset:
    """A file that the pages link to: one of the catalogue, published as it is, or a text that an example made."""

    path: str
    origin: Path | None = None
    text: str = ""


@dataclass(frozen=True)
class Redirect:
    """A complete HTML page at a former address of a rule."""

    path: str
    text: str


@dataclass(frozen=True)
class Pages:
    """Everything that is added to the site, each sorted by path."""

    pages: tuple[Page, ...] = ()
    assets: tuple[Asset, ...] = ()
    redirects: tuple[Redirect, ...] = ()


@lru_cache(maxsize=8_192)
def relative(target: str, page: str) -> str:
    """Return a link from a page to a file of the documentation tree."""
    return quote(posixpath.relpath(target, posixpath.dirname(page)), safe="/")


def without_index(published: str) -> str:
    """Return a published file without the `index.html` that an address does not need."""
    folder, _, name = published.rpartition("/")
    return published if name != "index.html" else f"{folder}/" if folder else ""


def between(target: str, origin: str) -> str:
    """Return the relative link from one published file to another; a folder stands for its `index.html`."""
    link = relative(target, origin)
    if posixpath.basename(target) != "index.html":
        return link
    return link.removesuffix("index.html") or "./"
