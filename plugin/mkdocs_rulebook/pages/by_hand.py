"""What the authors of pages write about rules by hand: where a reference leads, what is in a table, what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from mkdocs_rulebook.crossref import unknown
from mkdocs_rulebook.marks import Mark, Target
from mkdocs_rulebook.model import Fault, Place, owner_of
from mkdocs_rulebook.pages.dimension import dimensions
from mkdocs_rulebook.pages.rows import TableView, rows, surface_label
from mkdocs_rulebook.pages.table_query import QueryError, select
from mkdocs_rulebook.pages.template import environment
from mkdocs_rulebook.pages.text import referring

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from mkdocs_rulebook.pages.dimension import Dimension
    from mkdocs_rulebook.pages.entry import Entry
    from mkdocs_rulebook.pages.site import Site
    from mkdocs_rulebook.source.text import Text

Finder = Callable[[str, Callable[[str], bool]], list[Mark]]
"""Finds the marks of a page, as `marks.find`, given what tells which labels could be about a rule."""

MISPLACED = "a table of rules stands on a line of its own that is not indented"


@dataclass(frozen=True)
class ByHand:
    """Answers for all pages of a site."""

    site: Site
    entries: Sequence[Entry]

    @cached_property
    def _dimensions(self) -> Sequence[Dimension]:
        return dimensions(self.site.reports, self.entries)

    @cached_property
    def _owners(self) -> frozenset[str]:
        return frozenset(owner for report in self.site.reports for owner in report.catalogue.owners)

    def wanted(self, label: str) -> bool:
        """Whether a label is to be the id of a rule: it begins with an owner, or is an id but for its owner."""
        return "." in label and (
            owner_of(label) in self._owners or label.partition("#")[0].partition(".")[2] in self._rests
        )

    @cached_property
    def _rests(self) -> frozenset[str]:
        """What follows the owner in the ids of rules: whoever writes that after another word misspelt the owner."""
        return frozenset(rest for name in self.site.known if "." in (rest := name.partition(".")[2]))

    def of(self, page: str) -> PageAnswers:
        """Return what answers for one page."""
        return PageAnswers(self, page)

    def faults(self, text: Text, find: Finder) -> Iterator[Fault]:
        """Yield what is wrong with the marks in the file of a page, where it stands.

        Args:
            text: The file.
            find: Finds the marks in it, as `marks.find`.
        """
        for mark in find(text.text, self.wanted):
            if mark.kind == "reference" and (message := unknown(mark.text, self.site.known)):
                yield Fault(text.place(mark.at), "reference", message)
            elif mark.kind == "misplaced":
                yield Fault(text.place(mark.start), "rule-table", MISPLACED)
            elif mark.kind == "table":
                try:
                    self.select(mark.text)
                except QueryError as error:
                    yield Fault(text.place(mark.at + error.offset), "rule-table", error.message)

    def select(self, query: str) -> list[Entry]:
        """Return the rules of a table.

        Raises:
            QueryError: there is something wrong with it.
        """
        return select(query, self.site, self.entries, self._dimensions)

    def table(self, found: Sequence[Entry], page: str) -> str:
        """Return a table of rules as Markdown for a page, one for each catalogue that has some of them."""
        tables = []
        for report in self.site.reports:
            own = [entry for entry in found if entry.catalogue is report.catalogue]
            # The anchors are those of the list of all rules: another page may have a heading of that name.
            shown = tuple(replace(row, anchor="") for row in rows(self.site, own, self._dimensions, page))
            if own:
                tables.append(TableView(report.catalogue.title, shown, surface_label(own[0])))
        return environment(self.site.layout.templates).get_template("table.md.jinja").render(tables=tables, wrong="")

    def resolved(self, text: str, page: str, find: Finder) -> str:
        """Return the text of a page with what its marks stand for: Markdown for whatever converts it."""
        answers, parts, end = self.of(page), [], 0
        for mark in find(text, self.wanted):
            if mark.kind == "table":
                line = text.rfind("\n", 0, mark.start) + 1
                parts += [text[end:line], f"\n\n{answers.table(mark.text).strip()}\n\n"]
                end = mark.end
        return referring("".join([*parts, text[end:]]), self.site.links(page))


class PageAnswers:
    """Answers for one page, and remembers what was wrong: `wrong` has a message and a kind for each."""

    def __init__(self, by_hand: ByHand, page: str) -> None:
        self._all = by_hand
        self._page = page
        self.wrong: list[tuple[str, str]] = []

    def reference(self, label: str) -> Target | None:
        """Return what a label leads to; None for one that is not about a rule."""
        if not self._all.wanted(label):
            return None
        href = self._all.site.rule_link(label, self._page)
        if href:
            return Target(href)
        message = unknown(label, self._all.site.known)
        self.wrong.append(("reference", message))
        return Target(wrong=message)

    def table(self, query: str) -> str:
        """Return the Markdown of a table, or of a notice that says why there is none."""
        try:
            return self._all.table(self._all.select(query), self._page)
        except QueryError as error:
            self.wrong.append(("rule-table", error.message))
            template = environment(self._all.site.layout.templates).get_template("table.md.jinja")
            return template.render(tables=(), wrong=error.message)

    def misplaced(self, query: str) -> None:  # noqa: ARG002 - what it asks for does not matter there
        """Take note of a table where there can be none."""
        self.wrong.append(("rule-table", MISPLACED))


def placed(path: Path, wrong: Sequence[tuple[str, str]], seen: Iterable[Fault]) -> Iterator[Fault]:
    """Yield what is wrong on a page where it stands in its file, and at the beginning what does not stand there.

    Another plugin may make marks, and take away what looked like one.

    Args:
        path: The file of the page.
        wrong: What was wrong when the page was converted.
        seen: The faults in the file as it stands.
    """
    found = [fault for fault in seen if (fault.kind, fault.message) in wrong]
    yield from found
    for kind, message in dict.fromkeys(wrong):
        if not any((kind, message) == (fault.kind, fault.message) for fault in found):
            yield Fault(Place(path), kind, f"{message} (it is not in this file as it stands: a plugin puts it there)")
