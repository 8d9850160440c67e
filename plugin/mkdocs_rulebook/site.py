"""Everything that verified catalogues add to a site, whichever generator builds it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from mkdocs_rulebook import __version__, pages
from mkdocs_rulebook.coverage import coverage
from mkdocs_rulebook.marks import EXTENSIONS, RULE_ID, find
from mkdocs_rulebook.model import Anchor, Catalogue, Fault, Rule, address_of, owner_of
from mkdocs_rulebook.outputs import inventory, llms, rules_json, sarif
from mkdocs_rulebook.outputs.encode import encode
from mkdocs_rulebook.pages import evidence_view
from mkdocs_rulebook.pages.broken import BrokenRule, broken_page
from mkdocs_rulebook.pages.by_hand import ByHand, Finder
from mkdocs_rulebook.pages.entry import Entry, entries
from mkdocs_rulebook.pages.head import alternate, head
from mkdocs_rulebook.pages.overviews import overview_pages
from mkdocs_rulebook.pages.page_twin import Written, written_twin
from mkdocs_rulebook.pages.site import Site
from mkdocs_rulebook.pages.tombstone_view import description, tombstones, twin_text
from mkdocs_rulebook.pages.traceability_view import notes, twin_notes
from mkdocs_rulebook.pages.twin_view import twins
from mkdocs_rulebook.project import Project
from mkdocs_rulebook.source import SourceError
from mkdocs_rulebook.source.text import load
from mkdocs_rulebook.spec import ExternalSpec, SpecAnchor, SpecError, SpecPages, open_spec

TEMPLATES = Path(pages.__file__).parent / "templates"
SCHEMAS = Path(pages.__file__).parent.parent / "schemas"
_ASSETS = Path(pages.__file__).parent / "assets"


@dataclass(frozen=True)
class Generated:
    """A file of the site: text, data, or a copy of another file. `origin` is what an edit link leads to.

    `head` holds elements for the head of a page. A `published` file lies where the site is built: a generator would
    take it for a page. One that `yields` gives way to a file of the user's.
    """

    path: str
    text: str = ""
    data: bytes | None = None
    copy_of: Path | None = None
    origin: Path | None = None
    in_nav: bool = False
    head: str = ""
    published: bool = False
    yields: bool = False


@dataclass
class Remembered:
    """The rules that could be read last time, by address: a page does not vanish while its file is being mended."""

    rules: dict[str, Rule] = field(default_factory=dict)


STYLE_SHEET = f"assets/rulebook/{pages.CSS}"
SCRIPTS = tuple(f"assets/rulebook/{name}" for name in (pages.JAVASCRIPT, pages.FILTER))
"""Where in the site the style sheet and the scripts of the generated pages lie."""


@dataclass(frozen=True)
class Rendered:
    """All files that the catalogues add to a site, and what they add to other pages.

    `notes` is by page what they say at the anchors of a specification, `by_hand` answers for what authors wrote into
    pages. `twins` maps each page to its Markdown twin, `twin_notes` a page of a specification to what its twin says of
    the rules. `lists` gives the files that list all twins, with those of the pages that somebody wrote by hand.
    `faults` is what is wrong with what authors wrote in pages that are part of `files`.
    """

    files: list[Generated]
    notes: Mapping[str, Mapping[str, str]]
    by_hand: ByHand
    layout: pages.Layout
    twins: Mapping[str, str]
    twin_notes: Mapping[str, str]
    lists: Callable[[Sequence[Written]], dict[str, str]]
    faults: tuple[Fault, ...] = ()


def render(project: Project, layout: pages.Layout, remembered: Remembered) -> Rendered:
    """Return all that the catalogues add to a site.

    Args:
        project: The verified catalogues.
        layout: Where things lie in the documentation tree.
        remembered: The rules of the render before; brought up to date.
    """
    specs = _OpenSpecs()
    unread = _unread(project)
    world = Site(project.reports, layout, project.read, specs.find, frozenset(unread))
    rendered = pages.render_site(world)
    rules = entries(project.reports)
    coverages = [(report, coverage(report.catalogue, specs.of(report.catalogue))) for report in project.reports]
    heads = {layout.page(entry.rule.id): _head(layout, entry) for entry in rules}
    for gone in tombstones(project.reports):
        path = layout.page(gone.rule.id)
        heads[path] = head(layout, layout.html(path), gone.title, description(world, gone), layout.twin(gone.rule.id))
    made = (*rendered.pages, *overview_pages(world, rules, coverages))
    overviews = [page for page in made if page.twin]
    for page in overviews:
        heads[page.path] = head(layout, layout.html(page.path), page.title, page.description, layout.twin_of(page.path))
    result = [
        Generated(
            page.path, page.text, origin=page.origin, in_nav=page.path == layout.index, head=heads.get(page.path, "")
        )
        for page in made
    ]
    result += [Generated(layout.twin_of(page.path), page.twin, published=True) for page in overviews]
    result += list(_data(world, rules))
    result += [Generated(asset.path, asset.text, copy_of=asset.origin) for asset in rendered.assets]
    result += [Generated(redirect.path, redirect.text) for redirect in rendered.redirects]
    result += [Generated(path, copy_of=_ASSETS / Path(path).name) for path in (STYLE_SHEET, *SCRIPTS)]
    result += _broken(project, layout, remembered, unread)
    return Rendered(
        result,
        notes(world, coverages),
        ByHand(world, rules),
        layout,
        {path: layout.twin_of(path) for path in heads},
        twin_notes(world, coverages),
        lambda written: _lists(world, rules, written),
    )


def written(
    rendered: Rendered, found: Sequence[Written], published: Callable[[str], str | None], finder: Finder
) -> tuple[list[Generated], dict[str, str]]:
    """Return what is added for the pages that somebody wrote by hand: their twins, and by page an element for its head.

    Args:
        rendered: What the catalogues add.
        found: The pages.
        published: Tells for a file of the documentation tree, also for one that was generated, what it is published
            as.
        finder: Finds in a page what was written about rules by hand.
    """
    found = [replace(page, markdown=rendered.by_hand.resolved(page.markdown, page.path, finder)) for page in found]
    own = {page.path: page.twin for page in found}
    twins = {**rendered.twins, **own}
    files = [
        Generated(
            page.twin,
            written_twin(
                rendered.layout,
                page,
                lambda path: twins.get(path) or published(path),
                rendered.twin_notes.get(page.path, ""),
            ),
            published=True,
        )
        for page in found
    ]
    return files, {page.path: alternate(page.published, page.title, page.twin) for page in found}


def render_alone(
    project: Project, folder: Path, base: str, templates: Path | None = None, site_url: str = ""
) -> Rendered:
    """Return the same for a folder that another site generator reads, specification pages included.

    What authors wrote about rules by hand is put into the copies of their pages as Markdown.

    Args:
        project: The verified catalogues.
        folder: The folder that the files are for.
        base: Where below it the pages of the rules go.
        templates: A folder of templates that replace or extend those of the package.
        site_url: The address of the site, where it is known.
    """
    specs: dict[str, str] = {}
    copied: dict[str, tuple[Path, Sequence[str]]] = {}
    for report in project.reports:
        for spec in report.catalogue.specs.values():
            if spec.pages is None:
                continue
            if spec.pages.is_relative_to(folder.resolve()):
                specs[spec.name] = spec.pages.relative_to(folder.resolve()).as_posix()
                continue
            specs[spec.name] = spec.pages.name
            for path in sorted(spec.pages.rglob("*.md")):
                name = f"{spec.pages.name}/{path.relative_to(spec.pages).as_posix()}"
                copied[name] = path, spec.extensions or EXTENSIONS
    layout = pages.Layout(base.strip("/"), specs, templates=templates, site_url=site_url)
    rendered = render(project, layout, Remembered())
    faults: list[Fault] = []
    for name, (path, extensions) in copied.items():
        finder = partial(find, extensions=extensions)
        try:
            text = load(path, may_be_empty=True)
            resolved = rendered.by_hand.resolved(text.text, name, finder)
        except SourceError:
            rendered.files.append(Generated(name, copy_of=path))  # what it is good for is not for us to say
            continue
        faults += rendered.by_hand.faults(text, finder)
        same = resolved == text.text
        rendered.files.append(Generated(name, "" if same else resolved, copy_of=path if same else None))
    return replace(rendered, faults=tuple(faults))


def _head(layout: pages.Layout, entry: Entry) -> str:
    rule = entry.rule
    return head(layout, layout.published(rule.id), rule.title, entry.description, layout.twin(rule.id))


def _data(world: Site, rules: Sequence[Entry]) -> Iterator[Generated]:
    """Yield what programs read: the rules as data, and their pages as text."""
    layout = world.layout
    texts = twins(world, rules)
    for entry in rules:
        yield Generated(layout.twin(entry.rule.id), texts[entry.rule.id], published=True)
    for gone in tombstones(world.reports):
        yield Generated(layout.twin(gone.rule.id), twin_text(world, gone), published=True)
    yield Generated(layout.below(rules_json.FILE), rules_json.rules_json(world, rules, __version__))
    yield Generated(layout.below(rules_json.SCHEMA), copy_of=SCHEMAS / rules_json.SCHEMA)
    yield Generated(layout.below(sarif.FILE), sarif.rules_sarif(world, rules))
    yield Generated(layout.below(inventory.FILE), data=inventory.inventory(world, rules))
    yield Generated(layout.below(evidence_view.BADGE), evidence_view.badge(rules))
    yield Generated(layout.below(evidence_view.ENDPOINT), encode(evidence_view.endpoint(rules)))
    full = llms.llms_full_txt(world, rules, texts)
    # Such files are looked for at the root of a site; where somebody has their own, ours can be linked to.
    for name, listed in _lists(world, rules).items():
        yield Generated(name, listed, yields=name == llms.LIST)
    for name, yields in ((layout.below(llms.FULL), False), (llms.FULL, True)):
        yield Generated(name, full, yields=yields)


def _lists(world: Site, rules: Sequence[Entry], found: Sequence[Written] = ()) -> dict[str, str]:
    return {name: llms.llms_txt(world, rules, name, found) for name in (world.layout.below(llms.LIST), llms.LIST)}


def _broken(
    project: Project, layout: pages.Layout, remembered: Remembered, unread: Mapping[str, Path]
) -> Iterator[Generated]:
    """Yield a page for each rule that cannot be read, or was there last time; it says what is wrong."""
    present = {rule.address: rule for report in project.reports for rule in report.catalogue.rules}
    gone = {rule.address for report in project.reports for rule in report.catalogue.removed}
    remembered.rules = {**remembered.rules, **present}
    absent = {address_of(name): BrokenRule(name, name, path) for name, path in unread.items()}
    absent |= {address: BrokenRule(rule.id, rule.title, rule.place.path) for address, rule in remembered.rules.items()}
    for address, rule in sorted(absent.items()):
        files = (rule.path, rule.path.parent / "catalogue.yaml")
        faults = [each for each in project.faults if each.place.path in files and each.rule in ("", rule.id)]
        if address not in present.keys() | gone and faults:
            yield Generated(layout.page(rule.id), broken_page(rule, faults, layout.templates), origin=rule.path)


def _unread(project: Project) -> dict[str, Path]:
    """Return the ids of the rules that could not be read, with their files."""
    read = {rule.id for report in project.reports for rule in report.catalogue.rules}
    read |= {gone.id for report in project.reports for gone in report.catalogue.removed}
    owners = {owner for report in project.reports for owner in report.catalogue.owners}
    return {
        name: path
        for path, names in project.rules_of.items()
        for name in names
        if name not in read and RULE_ID.fullmatch(name) and owner_of(name) in owners
    }


class _OpenSpecs:
    """The specifications of all catalogues; each page of them is read once."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], SpecPages | ExternalSpec] = {}

    def of(self, catalogue: Catalogue) -> dict[str, SpecPages | ExternalSpec]:
        """Return the specifications of a catalogue by name."""
        for name, spec in catalogue.specs.items():
            if (catalogue.name, name) not in self._open:
                self._open[catalogue.name, name] = open_spec(spec)
        return {name: self._open[catalogue.name, name] for name in catalogue.specs}

    def find(self, catalogue: Catalogue, anchor: Anchor) -> SpecAnchor | None:
        """Return an anchor, or None where there is none or its page cannot be read."""
        opened = self.of(catalogue).get(anchor.spec)
        try:
            return opened.find(anchor.page, anchor.fragment) if opened else None
        except SpecError:
            return None
