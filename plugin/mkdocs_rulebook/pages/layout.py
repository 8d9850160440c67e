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
    `directory_urls` says whether a page is published as `page/index.html` or as `page.html`; only redirects need to
    know. Templates in `templates` replace those of the same name here, and extend them as `base/NAME`.
    """

    base: str = "rules"
    specs: Mapping[str, str] = field(default_factory=dict)
    directory_urls: bool = True
    templates: Path | None = None

    @property
    def index(self) -> str:
        """The page that lists all rules."""
        return posixpath.join(self.base, "index.md")

    def page(self, rule_id: str) -> str:
        """Return the page of a rule: it depends on the id alone."""
        return posixpath.join(self.base, f"{address_of(rule_id)}.md")

    def published(self, rule_id: str) -> str:
        """Return the HTML file that the page of a rule is published as."""
        end = "/index.html" if self.directory_urls else ".html"
        return posixpath.join(self.base, address_of(rule_id) + end)


@dataclass(frozen=True)
class Page:
    """A Markdown page. `origin` is the YAML file that an edit link leads to."""

    path: str
    text: str
    origin: Path | None = None


@dataclass(frozen=True)
class Asset:
    """A file of the catalogue that is published as it is."""

    path: str
    origin: Path


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
