"""What the head of a generated page says to programs: its Markdown twin, and how a link to it is shown elsewhere."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from mkdocs_rulebook.pages.layout import between

if TYPE_CHECKING:
    from mkdocs_rulebook.pages.layout import Layout


def head(layout: Layout, published: str, title: str, description: str, twin: str = "") -> str:
    """Return elements for the head of a page: an alternate, and its Open Graph data (https://ogp.me/).

    Args:
        layout: where things lie in the site.
        published: the page, as it is published.
        title: its title.
        description: what it says, in a sentence or two.
        twin: its Markdown twin, where it has one.
    """
    elements = [alternate(published, title, twin)] if twin else []
    data = {
        "og:type": "article",
        "og:title": title,
        "og:description": description,
        "og:url": layout.url(published),
        "og:site_name": layout.site_name,
    }
    elements += [f'<meta property="{key}" content="{html.escape(value)}">' for key, value in data.items() if value]
    return "\n".join(elements)


def alternate(published: str, title: str, twin: str) -> str:
    """Return the element for the head of a page that links to its Markdown twin.

    Args:
        published: the page, as it is published.
        title: its title.
        twin: the twin.
    """
    href = html.escape(between(twin, published))
    link = f'<link rel="alternate" type="text/markdown" href="{href}" title="{html.escape(title)}">'
    # The script of Material for MkDocs takes each alternate for a translation and asks for a sitemap.xml beside it.
    # What reads Markdown runs no scripts; what runs them does not see into this (HTML standard, 4.12.2).
    return f"<noscript>{link}</noscript>"
