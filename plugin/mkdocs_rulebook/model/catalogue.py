"""A catalogue and what its `catalogue.yaml` declares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mkdocs_rulebook.model.engine import Engine
from mkdocs_rulebook.model.place import JSON, Place
from mkdocs_rulebook.model.rule import Removed, Rule
from mkdocs_rulebook.model.words import Claim, Group, Level, Severity


@dataclass(frozen=True)
class Owner:
    """Who a rule id belongs to: the first part of the id."""

    id: str
    title: str
    url: str = ""


@dataclass(frozen=True)
class Facet:
    """A dimension that rules are sorted by.

    `empty` says in words what it means that a rule has no value for it, and `values` what its values mean.
    With `pages` the site has a page for each value, which lists its rules.
    """

    key: str
    label: str
    empty: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    pages: bool = False


@dataclass(frozen=True)
class Untestable:
    """An anchor of a specification that is declared not testable, why, and the place where that is declared."""

    page: str
    fragment: str
    reason: str
    place: Place


@dataclass(frozen=True)
class Spec:
    """A specification that rules point to: a folder of Markdown pages, or a base URL with known anchors.

    `anchors` is None where an external specification gave no list, so that its anchors cannot be checked.
    `requirements` is a pattern for the fragments of those anchors that demand something; `demand` is what one demands
    whose text has no keyword of BCP 14. `uncovered` says what it is that an obligation has no rule, None for nothing
    wrong. `untestable` holds the anchors that no rule can check.
    """

    name: str
    pages: Path | None = None
    url: str = ""
    anchors: tuple[str, ...] | None = None
    extensions: tuple[str, ...] = ()
    requirements: str = "*"
    demand: Level | None = None
    uncovered: Severity | None = None
    untestable: tuple[Untestable, ...] = ()


@dataclass(frozen=True)
class SourceLink:
    """How to link a file of the repository: `url` has `{ref}` and `{path}`; `root` is what `{path}` counts from."""

    url: str = ""
    ref: str = ""
    root: Path = Path()


@dataclass(frozen=True)
class Policy:
    """Which claims a rule of one level needs a confirmed example for."""

    examples: tuple[Claim, ...] = ()


@dataclass(frozen=True)
class Catalogue:
    """A set of rules about one kind of document, with its fixtures.

    `folder` holds `catalogue.yaml`, the rule files and `checks/`; `name` is the name of that folder. `groups`
    maps a folder below `fixtures` to what is promised about its files; `texts` are the patterns of the names of text
    files that are fixtures even where no example names them. `schemas` maps a URI to a JSON Schema.
    `documents` is the JSON Schema of the documents that the rules are about.
    `removed` holds the rules that there are no more.
    `complete` says whether every rule could be read: where not, nobody knows which fixtures the others would fail.
    """

    name: str
    folder: Path
    title: str
    edition: str
    fixtures: Path
    summary: str = ""
    owners: Mapping[str, Owner] = field(default_factory=dict)
    groups: Mapping[str, Group] = field(default_factory=dict)
    texts: tuple[str, ...] = ()
    source: SourceLink = SourceLink()
    specs: Mapping[str, Spec] = field(default_factory=dict)
    facets: tuple[Facet, ...] = ()
    tiers: Mapping[str, str] = field(default_factory=dict)
    references: str = ""
    documents: JSON = True
    policy: Mapping[Level, Policy] = field(default_factory=dict)
    draft: str = "https://json-schema.org/draft/2020-12/schema"
    formats: bool = False
    schema_engine: str = "jsonschema"
    time_limit: float = 10.0
    schemas: Mapping[str, JSON] = field(default_factory=dict)
    engines: Mapping[str, Engine] = field(default_factory=dict)
    rules: tuple[Rule, ...] = ()
    removed: tuple[Removed, ...] = ()
    files: tuple[Path, ...] = ()
    complete: bool = True

    def rule(self, rule_id: str) -> Rule | None:
        """Return the rule of that id, or None."""
        return next((rule for rule in self.rules if rule.id == rule_id), None)
