"""The files that lie in the folder of all generated pages itself: no address of a rule may be one of them.

What writes these files says their names; a test holds this list against what is really written.
"""

from __future__ import annotations

from mkdocs_rulebook.model import address_of

_PAGES = ("index", "evidence", "traceability")

FILES = frozenset(
    {
        *(f"{page}.{kind}" for page in _PAGES for kind in ("html", "md")),
        "evidence.json",
        "evidence.svg",
        "llms-full.txt",
        "llms.txt",
        "objects.inv",
        "rules.json",
        "rules.sarif",
        "site.schema.json",
    }
)
"""Names of files, relative to the folder of all generated pages; some exist only without directory URLs."""

ADDRESSES = frozenset(f"{page}/index" for page in _PAGES)
"""Addresses of rules that are published as the same file as a page of the site."""


def taken(name: str) -> str:
    """Return the file of the site that an id would lie at, or an empty string where there is none.

    Args:
        name: The id of a rule, also a former one.
    """
    address = address_of(name)
    return name if name in FILES else f"{address}.html" if address in ADDRESSES else ""


def wrong(name: str) -> str:
    """Return in words that an id lies at the address of a file of the site; nothing where it does not."""
    file = taken(name)
    return f"`{name}` would lie at the address of a file of the site, `{file}`: give it another id" if file else ""
