"""Documents rule catalogues in which every example is proved while the site is built.

This front is what a catalogue's Python checks are written with; see `mkdocs_rulebook.checks.api`.
"""

from mkdocs_rulebook.checks.api import Document, Node, Result, applied, finding, inapplicable

__version__ = "0.1.0"

__all__ = ["Document", "Node", "Result", "__version__", "applied", "finding", "inapplicable"]
