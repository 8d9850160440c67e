"""Everything that verified catalogues add to a site, whichever generator builds it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from mkdocs_rulebook import pages
from mkdocs_rulebook.model import Anchor, Catalogue, Rule
from mkdocs_rulebook.pages.broken import broken_page
from mkdocs_rulebook.project import Project
from mkdocs_rulebook.spec import ExternalSpec, SpecAnchor, SpecError, SpecPages, open_spec

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


STYLE_SHEET = f"assets/rulebook/{pages.CSS}"
SCRIPT = f"assets/rulebook/{pages.JAVASCRIPT}"
"""Where in the site the style sheet and the script of the generated pages lie."""


def render(project: Project, layout: pages.Layout, remembered: Remembered) -> list[Generated]:
    """Return all files that the catalogues add to a site.

    Args:
        project: The verified catalogues.
        layout: Where things lie in the documentation tree.
        remembered: The rules of the render before; brought up to date.
    """
    rendered = pages.render(project.reports, layout, project.read, _finder())
    result = [
        Generated(page.path, page.text, origin=page.origin, in_nav=page.path == layout.index) for page in rendered.pages
    ]
    result += [Generated(asset.path, asset.text, copy_of=asset.origin) for asset in rendered.assets]
    result += [Generated(redirect.path, redirect.text) for redirect in rendered.redirects]
    result += [Generated(path, copy_of=_ASSETS / Path(path).name) for path in (STYLE_SHEET, SCRIPT)]
    return result + list(_broken(project, layout, remembered))


def render_alone(project: Project, folder: Path, base: str, templates: Path | None = None) -> list[Generated]:
    """Return the same files for a folder that another site generator reads, specification pages included.

    Args:
        project: The verified catalogues.
        folder: The folder that the files are for.
        base: Where below it the pages of the rules go.
        templates: A folder of templates that replace or extend those of the package.
    """
    specs: dict[str, str] = {}
    copies: list[Generated] = []
    for report in project.reports:
        for spec in report.catalogue.specs.values():
            if spec.pages is None:
                continue
            if spec.pages.is_relative_to(folder.resolve()):
                specs[spec.name] = spec.pages.relative_to(folder.resolve()).as_posix()
                continue
            specs[spec.name] = spec.pages.name
            copies += [
                Generated(f"{spec.pages.name}/{path.relative_to(spec.pages).as_posix()}", copy_of=path)
                for path in sorted(spec.pages.rglob("*.md"))
            ]
    return render(project, pages.Layout(base.strip("/"), specs, templates=templates), Remembered()) + copies


def _broken(project: Project, layout: pages.Layout, remembered: Remembered) -> Iterator[Generated]:
    """Yield a page for each rule that was there last time and cannot be read now; it says what is wrong."""
    present = {rule.address: rule for report in project.reports for rule in report.catalogue.rules}
    remembered.rules = {**remembered.rules, **present}
    for address, rule in sorted(remembered.rules.items()):
        path = rule.place.path
        faults = [fault for fault in project.faults if fault.place.path in (path, path.parent / "catalogue.yaml")]
        if address not in present and faults:
            yield Generated(layout.page(rule.id), broken_page(rule, faults, layout.templates), origin=path)


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
