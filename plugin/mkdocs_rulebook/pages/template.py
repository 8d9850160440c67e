"""The Jinja environment that pages are filled with."""

from __future__ import annotations

import html
from functools import lru_cache
from pathlib import Path

from jinja2 import BaseLoader, ChoiceLoader, Environment, FileSystemLoader, PackageLoader, PrefixLoader, StrictUndefined

from mkdocs_rulebook.pages import readable, text


@lru_cache(maxsize=8)
def environment(overrides: Path | None = None) -> Environment:
    """Return the templates of the package; those in a folder of the user go first and may extend `base/NAME`.

    What is written into a page is Markdown, so there is nothing to escape by default: each expression names its
    filter, and only what ends in `_md` or `_html` has none.
    """
    own = PackageLoader("mkdocs_rulebook.pages")
    users: list[BaseLoader] = [FileSystemLoader(overrides)] if overrides else []
    found = Environment(
        loader=ChoiceLoader([*users, own, PrefixLoader({"base": own})]),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    found.filters |= {
        "code": text.code,
        "decoded": text.decoded,
        "encoded": text.encoded,
        "escaped": readable.escaped,
        "front_matter": text.front_matter,
        "html": html.escape,
        "inline": text.inline,
        "link": text.link,
        "plain": text.plain,
        "scalar": readable.scalar,
        "sentence": text.sentence,
    }
    return found
