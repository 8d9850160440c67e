"""What every page has to know about the others: where rules, files and specification pages are."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from mkdocs_rulebook.fixtures import Fixture, Fixtures
from mkdocs_rulebook.pages.layout import Asset, Layout, relative
from mkdocs_rulebook.pages.view import Link
from mkdocs_rulebook.source import LANGUAGES, SourceError

if TYPE_CHECKING:
    from mkdocs_rulebook.model import Anchor, Catalogue, Example, Place, Report, Rule
    from mkdocs_rulebook.pages.text import Links
    from mkdocs_rulebook.source import Source
    from mkdocs_rulebook.spec import SpecAnchor

SURFACE = "surface"
"""The facet that rules are grouped by, where a catalogue declares it."""


@dataclass
class Site:
    """All reports of a site, and the files that their pages turn out to need."""

    reports: Sequence[Report]
    layout: Layout
    read_file: Callable[..., Source]
    find_anchor: Callable[[Catalogue, Anchor], SpecAnchor | None]
    unread: frozenset[str] = frozenset()
    assets: dict[str, Asset] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rules = {rule.id: rule for report in self.reports for rule in report.catalogue.rules}
        self.aliases = {alias: rule for rule in self.rules.values() for alias in rule.aliases}
        self.removed = {
            name: gone
            for report in self.reports
            for gone in report.catalogue.removed
            for name in (*gone.aliases, gone.id)
        }
        self.known: dict[str, Rule | None] = {
            **dict.fromkeys((*self.unread, *self.removed)),
            **self.aliases,
            **self.rules,
        }
        self._fixtures = {
            report.catalogue.folder: Fixtures(report.catalogue, self.read_file) for report in self.reports
        }
        self._names = _unique([report.catalogue.name for report in self.reports])

    def name(self, catalogue: Catalogue) -> str:
        """Return the name of a catalogue, which no other catalogue of the site has."""
        folders = [report.catalogue.folder for report in self.reports]
        return self._names[folders.index(catalogue.folder)]

    def links(self, page: str) -> Links:
        """Return what tells for a rule id the link from a page."""
        return lambda rule_id: self.rule_link(rule_id, page)

    def rule_link(self, rule_id: str, page: str) -> str:
        """Return the link from a page to a rule, whose id may be a former one, or to an example of it, `id#example`.

        There is nothing to link to where there is no such rule or example. A rule that was removed, or cannot be read,
        has a page that says so.
        """
        name, _, example = rule_id.partition("#")
        rule, gone = self.named(rule_id), self.removed.get(name)
        if rule is None:
            target = gone.id if gone and name not in self.rules else name if name in self.unread else ""
            return relative(self.layout.page(target), page) if target else ""
        return relative(self.layout.page(rule.id), page) + (f"#example-{example}" if example else "")

    def named(self, label: str) -> Rule | None:
        """Return the rule that `id` or `id#example` names, if it and the example exist."""
        rule, example = self.known.get(label.partition("#")[0]), label.partition("#")[2]
        exists = rule is not None and (not example or any(each.id == example for each in rule.examples))
        return rule if exists else None

    def rule_index_link(self, page: str) -> str:
        """Return the link from a page to the list of all rules."""
        return relative(self.layout.index, page)

    def read(self, path: Path) -> Source | None:
        """Return a file, or None if it cannot be read: the verdict says why."""
        try:
            return self.read_file(path)
        except SourceError:
            return None

    def fixture(self, catalogue: Catalogue, rule: Rule, example: Example) -> Fixture | None:
        """Return the document of an example, or None if it cannot be read: the verdict says why."""
        found = self._fixtures[catalogue.folder].of(rule, example)
        return found if isinstance(found, Fixture) else None

    def base_fixture(self, catalogue: Catalogue, example: Example) -> Fixture | None:
        """Return the fixture that an example makes another document of."""
        found = self._fixtures[catalogue.folder].get(example.fixture, example.language)
        return found if isinstance(found, Fixture) else None

    def made_link(self, catalogue: Catalogue, fixture: Fixture, page: str, name: str = "") -> str:
        """Return the link to a document that an example made, and put it into the site.

        Args:
            catalogue: The catalogue.
            fixture: The document.
            page: The page that has the link.
            name: The file of a folder that is meant.
        """
        folder = posixpath.join(self.layout.base, "files", self.name(catalogue), "derived")
        files = {fixture.name: fixture.source.text}
        if fixture.source.language == "folder":
            files = {f"{fixture.name}/{each}": text for each, text in fixture.source.files.items()}
        for path, text in files.items():
            target = posixpath.join(folder, published_name(path))
            self.assets[target] = Asset(target, text=text)
        wanted = f"{fixture.name}/{name}" if name else fixture.name
        return relative(posixpath.join(folder, published_name(wanted)), page)

    def file_link(self, catalogue: Catalogue, path: Path, page: str, line: int) -> str:
        """Return the link to a file of the catalogue: in its repository, else to a copy in the site.

        Asking for a copy is what puts it into the site.
        """
        link = catalogue.source
        within = _below(path, link.root)
        if link.url and (link.ref or "{ref}" not in link.url) and within:
            url = link.url.replace("{ref}", quote(link.ref, safe="/")).replace("{path}", quote(within, safe="/"))
            return f"{url}#L{line}"
        for part, root in (("fixtures", catalogue.fixtures), ("rules", catalogue.folder)):
            if within := _below(path, root):
                published = published_name(within)
                target = posixpath.join(self.layout.base, "files", self.name(catalogue), part, published)
                self.assets.setdefault(target, Asset(target, _absolute(path)))
                return relative(target, page)
        return ""

    def shown_path(self, catalogue: Catalogue, path: Path) -> str:
        """Return how a page names a file: never where it lies on this machine."""
        roots = [catalogue.source.root] if catalogue.source.url else []
        for root in (*roots, catalogue.folder, catalogue.fixtures):
            if within := _below(path, root):
                return within
        return path.name

    def place_link(self, catalogue: Catalogue, place: Place, page: str) -> Link:
        """Return the link from a page to a line of a file of the catalogue, named by both."""
        line = place.position.line
        shown = f"{self.shown_path(catalogue, place.path)}, line {line}"
        return Link(shown, self.file_link(catalogue, place.path, page, line))

    def spec_link(self, catalogue: Catalogue, anchor: Anchor, page: str) -> tuple[str, SpecAnchor | None]:
        """Return the link to a specification anchor, and what is known about it; nothing if it does not exist."""
        try:
            found = self.find_anchor(catalogue, anchor)
        except SourceError:
            found = None
        fragment = f"#{quote(anchor.fragment)}" if anchor.fragment else ""
        spec = catalogue.specs.get(anchor.spec)
        if found is None:
            return "", None
        if anchor.spec in self.layout.specs:
            return relative(f"{self.layout.specs[anchor.spec]}/{anchor.page}.md", page) + fragment, found
        return (f"{spec.url.rstrip('/')}/{quote(anchor.page)}{fragment}" if spec and spec.url else ""), found

    def published_spec_link(self, catalogue: Catalogue, anchor: Anchor, origin: str) -> tuple[str, SpecAnchor | None]:
        """Return the same for a file that no site generator converts, as `origin` is published."""
        href, found = self.spec_link(catalogue, anchor, origin)
        if not href or anchor.spec not in self.layout.specs:
            return href, found
        page = self.layout.html(f"{self.layout.specs[anchor.spec]}/{anchor.page}.md")
        return self.layout.link(page, origin) + (f"#{quote(anchor.fragment)}" if anchor.fragment else ""), found


def published_name(name: str) -> str:
    """Return the name under which a file is published.

    What is no JSON or YAML gets a suffix: a browser then shows it, in place of offering it for download or carrying it
    out, and no site generator takes it for a page.
    """
    return name if posixpath.splitext(name)[1].lower() in LANGUAGES else f"{name}.txt"


def surface_anchor(name: str, rule: Rule) -> str:
    """Return the anchor in the list of all rules where the rules of the same surface begin."""
    values = rule.facets.get(SURFACE, ())
    return f"{name}-{re.sub('[^a-z0-9]+', '-', values[0].lower()).strip('-')}" if values else ""


def _unique(names: Sequence[str]) -> list[str]:
    """Number the names that occur before."""
    return [
        name if (before := names[:at].count(name)) == 0 else f"{name}-{before + 1}" for at, name in enumerate(names)
    ]


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100  `resolve` would follow the links of a checkout


@lru_cache(maxsize=8_192)
def _below(path: Path, root: Path) -> str:
    path, root = _absolute(path), _absolute(root)
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else ""
