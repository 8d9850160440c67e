"""Everything that verified catalogues add to a site, whichever generator builds it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mkdocs_rulebook import pages
from mkdocs_rulebook.model import Anchor, Catalogue, Rule
from mkdocs_rulebook.project import Project
from mkdocs_rulebook.source import read
from mkdocs_rulebook.spec import ExternalSpec, SpecAnchor, SpecError, SpecPages, open_spec

MARKDOWN_EXTENSIONS = ("attr_list", "md_in_html", "tables")
"""The Python-Markdown extensions that the generated pages are written for, besides `toc`."""

TEMPLATES = Path(pages.__file__).parent / "templates"
_ASSETS = Path(pages.__file__).parent / "assets"


@dataclass(frozen=True)
class Generated:
    """A file of the site: text, or a copy of another file. `origin` is what an edit link leads to."""

    path: str
    text: str = ""
    copy_of: Path | None = None
    origin: Path | None = None
    in_nav: bool = False


@dataclass
class Remembered:
    """The rules that could be read last time, by address: a page does not vanish while its file is being mended."""

    rules: dict[str, Rule] = field(default_factory=dict)


def assets() -> list[str]:
    """Return where in the site the style sheet and the script lie."""
    return [f"assets/rulebook/{path.name}" for path in sorted(_ASSETS.iterdir())]


def render(
    project: Project, base: str, spec_folders: Mapping[str, Mapping[str, str]], remembered: Remembered
) -> list[Generated]:
    """Return all files that the catalogues add to a site.

    Args:
        project: The verified catalogues.
        base: The folder of the generated pages.
        spec_folders: For each catalogue, by name: where in the site the pages of its specifications lie.
        remembered: The rules of the render before; brought up to date.
    """
    folders = {name: folder for specs in spec_folders.values() for name, folder in specs.items()}
    rendered = pages.render(project.reports, pages.Layout(base, folders), read, _finder())
    result = [
        Generated(page.path, page.text, origin=page.origin, in_nav=page.path == f"{base}/index.md")
        for page in rendered.pages
    ]
    result += [Generated(asset.path, copy_of=asset.origin) for asset in rendered.assets]
    result += [Generated(redirect.path, redirect.text) for redirect in rendered.redirects]
    result += [Generated(path, copy_of=_ASSETS / Path(path).name) for path in assets()]
    return result + list(_broken(project, base, remembered))


def _broken(project: Project, base: str, remembered: Remembered) -> Iterator[Generated]:
    """Yield a page for each rule that was there last time and cannot be read now; it says what is wrong."""
    present = {rule.address: rule for report in project.reports for rule in report.catalogue.rules}
    remembered.rules = {**remembered.rules, **present}
    for address, rule in sorted(remembered.rules.items()):
        path = rule.place.path
        faults = [fault for fault in project.faults if fault.place.path in (path, path.parent / "catalogue.yaml")]
        if address not in present and faults:
            yield Generated(f"{base}/{address}.md", pages.broken_page(rule, faults), origin=path)


def _finder() -> Callable[[Catalogue, Anchor], SpecAnchor | None]:
    """Return a function that finds anchors and reads each specification page once."""
    specs: dict[tuple[str, str], SpecPages | ExternalSpec] = {}

    def find(catalogue: Catalogue, anchor: Anchor) -> SpecAnchor | None:
        key = (catalogue.name, anchor.spec)
        if key not in specs:
            if anchor.spec not in catalogue.specs:
                return None
            specs[key] = open_spec(catalogue.specs[anchor.spec])
        try:
            return specs[key].find(anchor.page, anchor.fragment)
        except SpecError:
            return None

    return find
