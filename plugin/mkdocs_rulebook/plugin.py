"""The MkDocs adapter: verifies before a build, adds the generated pages, and says what to do on failure.

It decides nothing about rules: everything that a page says comes from the catalogue. Only this module and
`mkdocs_files` import `mkdocs`, and never `properdocs`, so that the same wheel runs under both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal, cast

from jinja2 import Environment
from mkdocs.config import base
from mkdocs.config import config_options as opt
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import BasePlugin, CombinedEvent, event_priority, get_plugin_logger
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from mkdocs_rulebook import pages, site
from mkdocs_rulebook.catalogue import FILE_NAME, below
from mkdocs_rulebook.checks.runner import Memory
from mkdocs_rulebook.faults import in_order
from mkdocs_rulebook.marks import Marks
from mkdocs_rulebook.mkdocs_files import Occupied, file_of, finder, home, published, source_of, spec_folders, written
from mkdocs_rulebook.model import Fault, Place
from mkdocs_rulebook.outputs import text
from mkdocs_rulebook.pages.annotate import annotated
from mkdocs_rulebook.pages.by_hand import PageAnswers, placed
from mkdocs_rulebook.pages.search import restored, searchable
from mkdocs_rulebook.project import Project, check
from mkdocs_rulebook.source.text import Text

log = get_plugin_logger(__name__)

Failure = Literal["error", "warning", "page"]


class RulebookConfig(base.Config):  # type: ignore[no-untyped-call]  # untyped in MkDocs
    """What a site says about its catalogues; what a catalogue says about itself stands in its `catalogue.yaml`."""

    catalogues = opt.ListOfItems(opt.Dir(exists=True), default=[])
    """Folders with a `catalogue.yaml`, relative to the configuration; without any, all in `rules/`."""

    base = opt.Type(str, default="rules")
    """Where the generated pages lie in the site."""

    on_failure = opt.Optional(opt.Choice(("error", "warning", "page")))
    """What a fault does: `error` stops the build, `warning` is logged (and counts under `strict`), `page` is shown on
    the page it belongs to. Without a value: `error` for a build, `page` under `mkdocs serve`."""

    templates = opt.Optional(opt.Dir(exists=True))
    """A folder of templates that replace or extend those of the generated pages, relative to the configuration."""

    allow_code = opt.Type(bool, default=True)
    """Whether Python checks and engines may run: switch it off for catalogues from strangers."""

    page_twins = opt.Type(bool, default=True)
    """Whether the pages that you write yourself have Markdown twins, as the generated ones do."""


class RulebookPlugin(BasePlugin[RulebookConfig]):  # type: ignore[no-untyped-call]  # untyped in MkDocs
    """Proves the examples of rule catalogues and adds their pages to the site."""

    def __init__(self) -> None:
        self._serving = False
        self._project: Project | None = None
        self._remembered = site.Remembered()
        self._memory: Memory = {}
        self._heads: dict[str, str] = {}
        self._kept: dict[str, list[str]] = {}
        self._marks = Marks()
        self._answers: PageAnswers | None = None
        self._origins: dict[str, Path | None] = {}
        self._wrong: list[Fault] = []
        self._rendered: site.Rendered | None = None
        self._server: LiveReloadServer | None = None
        self._watched: set[Path] = set()

    def on_startup(self, *, command: str, dirty: bool) -> None:  # noqa: ARG002 - the names are MkDocs' own
        """Note whether this is `mkdocs serve`; that the hook exists keeps the plugin alive between rebuilds."""
        self._serving = command == "serve"

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Add what the generated pages need: attribute lists for their anchors, a style sheet and a script.

        What authors write about rules by hand needs an extension in all pages.
        """
        config.markdown_extensions.extend(name for name in pages.EXTENSIONS if name not in config.markdown_extensions)
        config.markdown_extensions.append(self._marks)  # type: ignore[arg-type]  # Python-Markdown takes both
        config.extra_css.insert(0, site.STYLE_SHEET)  # before those of the user, which then have the last word
        config.extra_javascript.extend(site.SCRIPTS)
        return config

    def on_pre_build(self, *, config: MkDocsConfig) -> None:
        """Verify the catalogues; on failure stop here, before MkDocs touches the site of the last build."""
        self._wrong = []
        self._project = check(self._folders(config), allow_code=self.config.allow_code, memory=self._memory)
        self._watch(config)
        faults = self._project.faults
        summary = text.summary(self._project.reports, faults)
        if self._project.failed and self._failure == "error":
            details = "\n".join(text.lines(faults, home(config)))
            raise PluginError(f"the rule catalogues are not proved\n{details}\n{summary}")
        self._say(faults, config)
        log.info("%s", summary)

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Add the generated pages; a file of the user's is never replaced."""
        assert self._project is not None
        specs = [spec for report in self._project.reports for spec in report.catalogue.specs.values()]
        layout = pages.Layout(
            base=self.config.base.strip("/"),
            specs=dict(spec_folders(specs, Path(config.docs_dir))),
            directory_urls=config.use_directory_urls,
            site_url=config.site_url or "",
            site_name=config.site_name,
            templates=self._templates,
        )
        self._rendered = site.render(self._project, layout, self._remembered)
        generated = self._rendered.files
        occupied = Occupied(files)
        taken, in_the_way = set[str](), list[str]()
        for item in generated:
            file = file_of(item, config)
            blocking = occupied.by(file.dest_uri, file.src_uri)
            if blocking is None:
                files.append(file)
                continue
            taken.add(item.path)
            if not item.yields:
                in_the_way.append(text.shown_path(source_of(blocking, config), home(config)))
        if in_the_way:
            self._taken(in_the_way)
        self._heads = {item.path: item.head for item in generated if item.head and item.path not in taken}
        self._origins = {item.path: item.origin for item in generated if item.path not in taken}
        return files

    def on_page_markdown(self, markdown: str, /, *, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG002 - MkDocs' own
        """Note which page is converted next: it is what its links start from."""
        assert self._rendered is not None
        self._marks.answers = self._answers = self._rendered.by_hand.of(page.file.src_uri)
        return markdown

    def on_page_content(self, html: str, /, *, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG002 - MkDocs' own
        """Put at each anchor of a specification what the core has to say there; note what is wrong on the page."""
        if self._answers is not None and self._answers.wrong:
            self._wrong += self._faults(page.file, self._answers, config)
        notes = self._rendered.notes.get(page.file.src_uri) if self._rendered else None
        return annotated(html, notes) if notes else html

    def on_env(self, env: Environment, /, *, config: MkDocsConfig, files: Files) -> Environment:
        """On failure stop here, before anything of the site is written: all pages have been read.

        Add the twins of the pages that the user wrote, as they are now that all plugins have had their say.
        """
        faults = in_order(self._wrong)
        if faults and self._failure == "error":
            details = "\n".join(text.lines(faults, home(config)))
            summary = text.plural(len(faults), "fault")
            raise PluginError(f"pages are wrong about rules\n{details}\n{summary}")
        self._say(faults, config)
        if self.config.page_twins:
            self._add_twins(config, files)
        return env

    def _add_twins(self, config: MkDocsConfig, files: Files) -> None:
        assert self._rendered is not None
        occupied = Occupied(files)
        by_hand = (file.page for file in files.documentation_pages() if file.src_uri not in self._origins)
        found = [page for page in map(written, by_hand) if page and occupied.by(page.twin) is None]
        twins, heads = site.written(self._rendered, found, lambda path: published(files, path), finder(config))
        for item in twins:
            files.append(file_of(item, config))
        self._heads |= heads
        for path, listed in self._rendered.lists(found).items():
            file = files.get_file_from_path(path)
            if file is not None and path in self._origins:
                file.content_string = listed

    @event_priority(100)
    def _before_search(self, context: Any, /, *, page: Page, config: MkDocsConfig, nav: Any) -> None:  # noqa: ARG002 - MkDocs' own
        """Take out of a page what is not to be found: it is now that a search plugin reads it."""
        path = page.file.src_uri
        if page.content and (path in self._origins or (self._rendered and path in self._rendered.notes)):
            alone = bool((page.meta.get("search") or {}).get("exclude"))
            page.content, self._kept[path] = searchable(page.content, title_alone=alone)

    @event_priority(-100)
    def _after_search(self, context: Any, /, *, page: Page, config: MkDocsConfig, nav: Any) -> None:  # noqa: ARG002 - MkDocs' own
        """Put back what was taken out of a page."""
        if kept := self._kept.pop(page.file.src_uri, None):
            page.content = restored(page.content or "", kept)

    on_page_context = CombinedEvent(_before_search, _after_search)

    def on_post_page(self, output: str, /, *, page: Page, config: MkDocsConfig) -> str:  # noqa: ARG002 - MkDocs' own
        """Put into the head of a generated page what the core has to say there."""
        head = self._heads.get(page.file.src_uri)
        return output.replace("</head>", f"{head}\n</head>", 1) if head else output

    def on_serve(self, server: LiveReloadServer, /, *, config: MkDocsConfig, builder: Callable[..., Any]) -> None:  # noqa: ARG002 - MkDocs' own
        """Watch everything that a page depends on, also what a later state of a catalogue brings in."""
        self._server = server
        self._watch(config)

    def _faults(self, file: File, answers: PageAnswers, config: MkDocsConfig) -> list[Fault]:
        """Return what is wrong on a page, at the places in the file as its author wrote it."""
        assert self._project is not None
        assert self._rendered is not None
        if file.src_uri in self._origins:
            said = [fault.message for fault in self._project.faults]
            path = self._origins[file.src_uri] or Path(config.docs_dir, file.src_uri)
            return [
                Fault(Place(path), kind, message)
                for kind, message in answers.wrong
                if not any(each.endswith(message) for each in said)
            ]
        path = source_of(file, config)
        source = Text(path, file.content_string.removeprefix("\ufeff"))
        seen = self._rendered.by_hand.faults(source, finder(config))
        return list(placed(path, answers.wrong, seen))

    def _say(self, faults: Iterable[Fault], config: MkDocsConfig) -> None:
        # Under `page` the faults are seen where they are: a warning would end `mkdocs serve --strict`.
        say: Callable[..., Any] = log.info if self._failure == "page" else log.warning
        for fault in faults:
            say("%s", text.fault_line(fault, home(config)))

    def _watch(self, config: MkDocsConfig) -> None:
        if self._server is None or self._project is None:
            return
        folders = {*self._folders(config), self._templates or site.TEMPLATES}
        for report in self._project.reports:
            folders.add(report.catalogue.fixtures)
            folders.update(spec.pages for spec in report.catalogue.specs.values() if spec.pages is not None)
        for folder in sorted(folders - self._watched):
            if folder.is_dir():
                self._server.watch(str(folder))
                self._watched.add(folder)

    @property
    def _failure(self) -> Failure:
        return cast("Failure | None", self.config.on_failure) or ("page" if self._serving else "error")

    @property
    def _templates(self) -> Path | None:
        return Path(self.config.templates) if self.config.templates else None

    def _taken(self, paths: list[str]) -> None:
        message = "; ".join(f"{path} stands where a generated page would go" for path in dict.fromkeys(paths))
        if self._failure == "error":
            raise PluginError(f"{message}: move it, or set the option `base`")
        say: Callable[..., Any] = log.info if self._failure == "page" else log.warning
        say("%s; it was left as it is", message)

    def _folders(self, config: MkDocsConfig) -> list[Path]:
        if self.config.catalogues:
            return [Path(folder) for folder in self.config.catalogues]
        found, misnamed = below(home(config) / "rules")
        if not found:
            mend = f"rename {misnamed[0]}" if misnamed else "set the option `catalogues`"
            raise PluginError(f"there is no rules/*/{FILE_NAME} beside your configuration; {mend}")
        return found
