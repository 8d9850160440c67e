"""A page that is no page of a rule → its Markdown twin: an overview, or a page that somebody wrote by hand."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mkdocs_rulebook.pages.layout import Page, between
from mkdocs_rulebook.pages.retarget import retargeted
from mkdocs_rulebook.pages.template import environment
from mkdocs_rulebook.pages.text import first_paragraph

if TYPE_CHECKING:
    from typing import Any

    from mkdocs_rulebook.pages.layout import Layout


@dataclass(frozen=True)
class Written:
    """A page that somebody wrote by hand: where it lies in the documentation tree, and its Markdown.

    `published` is the HTML file that it becomes, `description` what its front matter says it is about.
    """

    path: str
    published: str
    title: str
    markdown: str
    description: str = ""

    @property
    def twin(self) -> str:
        """The Markdown file beside the page."""
        return self.published.removesuffix(".html") + ".md"

    @property
    def about(self) -> str:
        """What the page is about: what it says itself, else its first paragraph."""
        return self.description or first_paragraph(self.markdown)


def overview(layout: Layout, path: str, name: str, view: Any) -> Page:
    """Return an overview page with its twin.

    Args:
        layout: where things lie in the documentation tree.
        path: where the page lies.
        name: the name of its template, without what it ends in; that of its twin has `-twin` behind it.
        view: what both templates are filled with.
    """
    templates = environment(layout.templates)
    twin = layout.twin_of(path)

    def find(target: str) -> str:
        return between(layout.readable(posixpath.normpath(posixpath.join(posixpath.dirname(path), target))), twin)

    text = templates.get_template(f"{name}.md.jinja").render(page=view)
    source = layout.source(layout.html(path))
    made = templates.get_template(f"{name}-twin.md.jinja").render(page=view, source=source)
    return Page(path, text, title=view.title, description=view.description, twin=retargeted(made, find))


def written_twin(layout: Layout, page: Written, find: Callable[[str], str | None], notes_md: str = "") -> str:
    """Return the twin of a page that somebody wrote by hand.

    Args:
        layout: where things lie in the site.
        page: the page.
        find: tells for a file of the documentation tree what it is published as, if there is such a file.
        notes_md: what the rules say about the page.
    """

    def link(target: str) -> str | None:
        found = find(posixpath.normpath(posixpath.join(posixpath.dirname(page.path), target)))
        return between(found, page.twin) if found else None

    template = environment(layout.templates).get_template("page-twin.md.jinja")
    body = retargeted(page.markdown.strip("\n"), link)
    return template.render(page=page, source=layout.source(page.published), body_md=body, notes_md=notes_md)
