"""Files and pages as MkDocs knows them, and as the core does: from the one to the other."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

from mkdocs_rulebook.marks import find
from mkdocs_rulebook.model import Spec
from mkdocs_rulebook.pages.by_hand import Finder
from mkdocs_rulebook.pages.page_twin import Written
from mkdocs_rulebook.site import Generated


def finder(config: MkDocsConfig) -> Finder:
    """Return what finds in a page what was written about rules by hand."""
    # An extension that another plugin made may count what it sees; one that is named does not.
    names = [name for name in config.markdown_extensions if isinstance(name, str)]
    configs = {name: config.mdx_configs[name] for name in names if name in config.mdx_configs}
    return partial(find, extensions=names, configs=configs)


def home(config: MkDocsConfig) -> Path:
    """Return the folder of the configuration."""
    return Path(config.config_file_path).parent if config.config_file_path else Path.cwd()


def source_of(file: File, config: MkDocsConfig) -> Path:
    """Return the file on disk; for one that a plugin made, where it would lie."""
    return Path(file.abs_src_path or Path(config.docs_dir, file.src_uri))


def written(page: Page | None) -> Written | None:
    """Return a page as what somebody wrote; None for one that is to have no twin."""
    # What another plugin hides from readers must not stand beside the page: its author can say so.
    if page is None or page.markdown is None or page.meta.get("twin") is False:
        return None
    description = str(page.meta.get("description") or "")
    return Written(page.file.src_uri, page.file.dest_uri, str(page.title or ""), page.markdown, description)


def published(files: Files, path: str) -> str | None:
    """Return what a file of the documentation tree is published as; None where there is no such file."""
    file = files.get_file_from_path(path)
    return file.dest_uri if file else None


class Occupied:
    """Where in the built site something lies already: a file, or a folder on the way to one."""

    def __init__(self, files: Iterable[File]) -> None:
        every = list(files)
        self._sources = {file.src_uri: file for file in every}  # MkDocs knows one file by a source, published or not
        here = [file for file in every if file.inclusion != InclusionLevel.EXCLUDED]
        self._files = {file.dest_uri: file for file in here}
        self._folders = {folder: file for file in here for folder in _above(file.dest_uri)}

    def by(self, published: str, source: str = "") -> File | None:
        """Return a file that stands in the way of another one, or None.

        Args:
            published: Where in the site the other one would lie.
            source: Its path in the documentation tree, where it has one.
        """
        found = self._sources.get(source) or self._files.get(published) or self._folders.get(published)
        return found or next((self._files[folder] for folder in _above(published) if folder in self._files), None)


def _above(path: str) -> Iterator[str]:
    while path := path.rpartition("/")[0]:
        yield path


def spec_folders(specs: Iterable[Spec], docs: Path) -> Iterator[tuple[str, str]]:
    """Yield the specifications whose pages lie in the documentation tree, with their folders there."""
    for spec in specs:
        if spec.pages is not None and spec.pages.is_relative_to(docs.resolve()):
            yield spec.name, spec.pages.relative_to(docs.resolve()).as_posix()


def file_of(item: Generated, config: MkDocsConfig) -> File:
    """Return a generated file as MkDocs knows files."""
    inclusion = InclusionLevel.INCLUDED if item.in_nav else InclusionLevel.NOT_IN_NAV
    # The name of a source that MkDocs takes for no page; what it is published as is set below.
    name = f"{item.path}.published" if item.published else item.path
    if item.copy_of is not None:
        file = File.generated(config, name, abs_src_path=str(item.copy_of), inclusion=inclusion)
    else:
        content = item.text if item.data is None else item.data
        file = File.generated(config, name, content=content, inclusion=inclusion)
    if item.published:
        file.dest_uri = item.path
    if item.origin is not None:
        file.edit_uri = Path(os.path.relpath(item.origin, config.docs_dir)).as_posix()
    return file
