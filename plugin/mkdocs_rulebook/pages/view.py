"""What the templates are filled with: everything a page says, in the order and the words in which it says it.

A field whose name ends in `_md` is Markdown and one that ends in `_html` is a finished block; the template writes both
as they are. Every other text is plain, and the template says how it is protected.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Link:
    """A text and where it leads: a link from the page, or nothing."""

    text: str
    href: str = ""


@dataclass(frozen=True)
class Value(Link):
    """A value in the details. `meaning` says in words what it stands for, if that is known."""

    meaning: str = ""


@dataclass(frozen=True)
class Notice:
    """Something that a reader must not miss. `kind` is `wrong`, `known`, `unverified` or `deprecated`."""

    kind: str
    title: str
    text_md: str = ""
    link: Link | None = None


@dataclass(frozen=True)
class AnchorView:
    """A place in a specification: the heading it lies under, the link to it, and its own name."""

    name: str
    heading: str = ""
    href: str = ""
    exists: bool = True


@dataclass(frozen=True)
class RequirementView:
    """Where a specification requires the rule."""

    text: str
    note_md: str = ""
    anchors: tuple[AnchorView, ...] = ()


@dataclass(frozen=True)
class BasisView:
    """What the rule is based on."""

    text_md: str
    tier: str = ""


@dataclass(frozen=True)
class Detail:
    """A row of the details: what it is called and its values, each shown as text, as code or as a link."""

    label: str
    values: tuple[Value, ...] = ()
    is_code: bool = False
    empty: str = ""


@dataclass(frozen=True)
class FindingView:
    """A finding as a sentence: the node that it is about, relative to the selection, and what is said of it.

    `target` is set where the node refers to another one, outside the selection, that is at fault. In a text `spot`
    says where, in words.
    """

    node: str
    message: str
    target: str = ""
    spot: str = ""


@dataclass(frozen=True)
class AlsoView:
    """What another rule finds inside the selection."""

    rule: Link
    findings: tuple[FindingView, ...]


@dataclass(frozen=True)
class ExcerptView:
    """A part of a fixture. `caption` says why it is shown, where it is not the selection itself."""

    html: str
    pointer: str
    caption: str = ""


@dataclass(frozen=True)
class Spot:
    """Where something was found, from the root of the fixture or in words, and why in one machine word."""

    pointer: str
    why: str = ""
    words: str = ""


@dataclass(frozen=True)
class Evidence:
    """One thing that the verification of an example saw."""

    label: str
    text: str
    spots: tuple[Spot, ...] = ()


@dataclass(frozen=True)
class ExampleView:
    """An example with its verdict. `path` is the selection in words, from the outside in.

    `origin` is what the fixture was made of by the change that `change_html` shows. `kind` says what the fixture is:
    `file`, `folder`, `derived` or `inline`. `around_html` is the fixture with all that has to stand around what is
    shown.
    """

    anchor: str
    heading: str
    fixture: Link
    pointer: str
    path: tuple[str, ...]
    outcome: str
    note_md: str = ""
    notices: tuple[Notice, ...] = ()
    excerpts: tuple[ExcerptView, ...] = ()
    findings: tuple[FindingView, ...] = ()
    more: str = ""
    silent: str = ""
    message_md: str = ""
    fix_html: str = ""
    fix_title: str = ""
    fix_anchor: str = ""
    kind: str = "file"
    origin: Link | None = None
    change_html: str = ""
    change_size: str = ""
    around_html: str = ""
    also: tuple[AlsoView, ...] = ()
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True)
class RelatedView:
    """Another rule that a reader may want, and why."""

    rule: Link
    id: str
    level: str
    why: tuple[str, ...] = ()


@dataclass(frozen=True)
class NeighboursView:
    """The rules before and after a rule in its catalogue, where there are any."""

    before: Link | None = None
    after: Link | None = None


@dataclass(frozen=True)
class SourceView:
    """The file that the rule is written in, and the part of it that is the check."""

    file: Link
    check_html: str = ""


@dataclass(frozen=True)
class RuleView:
    """The page of a rule.

    `examples` begin with as many invalid as valid ones, `beside` of each, that stand beside each other. `jumps`
    lead to the first of each claim and to the first fix. `search_words` is what the page is found by, apart from what
    it says.
    """

    id: str
    title: str
    description: str
    catalogue: Link
    surface: Link | None
    level: str
    proof: str
    proof_kind: str
    requirement_md: str
    details: tuple[Detail, ...]
    summary: str = ""
    notices: tuple[Notice, ...] = ()
    unchecked_md: str = ""
    required_by: tuple[RequirementView, ...] = ()
    based_on: tuple[BasisView, ...] = ()
    notes_md: str = ""
    examples: tuple[ExampleView, ...] = ()
    jumps: tuple[Link, ...] = ()
    beside: int = 0
    related: tuple[RelatedView, ...] = ()
    more: tuple[Link, ...] = ()
    neighbours: NeighboursView = NeighboursView()
    source: SourceView | None = None
    search_words: str = ""


@dataclass(frozen=True)
class RowView:
    """A rule in a list of rules. `anchor` is set on the first rule of its surface.

    `data` is everything that the list can be filtered by, in the form of a query.
    """

    rule: Link
    id: str
    level: str
    proof: str
    proof_kind: str
    surface: tuple[str, ...] = ()
    anchor: str = ""
    deprecated: bool = False
    data: str = ""
