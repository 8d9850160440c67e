"""A rule and what it is required by and based on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mkdocs_rulebook.model.check import Check
from mkdocs_rulebook.model.example import Example
from mkdocs_rulebook.model.place import Place
from mkdocs_rulebook.model.words import Level


@dataclass(frozen=True)
class Anchor:
    """A specification anchor as a rule names it, `spec:page#fragment`, and the place where it does so."""

    spec: str
    page: str
    fragment: str
    place: Place

    def __str__(self) -> str:
        return f"{self.spec}:{self.page}" + (f"#{self.fragment}" if self.fragment else "")


@dataclass(frozen=True)
class RequiredBy:
    """Where a specification requires what the rule says."""

    text: str
    note: str = ""
    anchors: tuple[Anchor, ...] = ()


@dataclass(frozen=True)
class Source:
    """What a rule is based on, with its tier (a key of the catalogue's `tiers`)."""

    text: str
    tier: str = ""
    url: str = ""


class _Named:
    """Whatever has the id of a rule, and with it a page."""

    id: str

    @property
    def owner(self) -> str:
        """The first part of the id."""
        return owner_of(self.id)

    @property
    def address(self) -> str:
        """Where the page lies, below the folder of all rules: `owner/slug`. A rule that is removed keeps it."""
        return address_of(self.id)


@dataclass(frozen=True)
class Rule(_Named):
    """A rule with everything that its page says. The prose fields are Markdown; `title` and `summary` are plain."""

    id: str
    title: str
    requirement: str
    level: Level
    check: Check
    place: Place
    summary: str = ""
    facets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    required_by: tuple[RequiredBy, ...] = ()
    based_on: tuple[Source, ...] = ()
    notes: str = ""
    since: str = ""
    deprecated: str = ""
    replaced_by: str = ""
    aliases: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True)
class Removed(_Named):
    """A rule that there is no more: its address says so, and what takes its place. `reason` is Markdown.

    `removed_in` is the edition that does not have it any more, empty where nobody says.
    """

    id: str
    reason: str
    place: Place
    title: str = ""
    removed_in: str = ""
    replaced_by: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()


def owner_of(rule_id: str) -> str:
    """Return the owner of a rule id: its first part."""
    return rule_id.split(".", 1)[0]


def address_of(rule_id: str) -> str:
    """Return `owner/slug` for a rule id: it depends on the id alone, so a new title never moves a page."""
    owner, _, rest = rule_id.partition(".")
    return f"{owner}/{rest.replace('.', '-')}"
