"""The words of a rule catalogue as immutable values.

Nothing here reads, checks or words anything, and nothing here imports another module of the package:
every other module can be understood from the names in this one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

JSON = Any
"""A value of the JSON data model: dict, list, str, int, Decimal, bool or None."""


@dataclass(frozen=True, order=True)
class Position:
    """A place in a text: 1-based line and 1-based column, counted in code points."""

    line: int = 1
    column: int = 1


@dataclass(frozen=True)
class Span:
    """A stretch of a text, from `start` up to but not including `end`."""

    start: Position
    end: Position


@dataclass(frozen=True, order=True)
class Place:
    """A position in a file. `path` is absolute; only the one who prints it decides what it is relative to."""

    path: Path
    position: Position = Position()


Lines = tuple[int, int]
"""The first and the last line of a stretch of a text, counted from 1, both included."""


@dataclass(frozen=True)
class Selection:
    """The part of a document that an example speaks of: a node, or some lines of a text.

    `pointer` is a JSON Pointer. A text is a single node, the root, or the member of a folder that has the name of the
    file; `lines` narrows it down, None means all of it.
    """

    pointer: str = ""
    lines: Lines | None = None


class Level(StrEnum):
    """How binding a rule is, in the words of RFC 2119."""

    MUST = "must"
    MUST_NOT = "must-not"
    SHOULD = "should"
    SHOULD_NOT = "should-not"
    MAY = "may"

    @property
    def obligatory(self) -> bool:
        """Whether breaking the rule makes a document wrong, rather than questionable."""
        return self in (Level.MUST, Level.MUST_NOT)


class Severity(StrEnum):
    """Whether a fault makes a build fail."""

    ERROR = "error"
    WARNING = "warning"


class Claim(StrEnum):
    """What a catalogue says an example shows."""

    INVALID = "invalid"
    VALID = "valid"
    INAPPLICABLE = "inapplicable"


class Group(StrEnum):
    """What a catalogue promises about every file of a fixture folder."""

    CLEAN = "clean"
    FAILING = "failing"
    WARNING = "warning"


class Outcome(StrEnum):
    """What running a check said about a claim: `confirmed`, or why not.

    The order of the members is the order in which they are tried: the first that holds is the verdict.
    """

    FIXTURE_MISSING = "fixture-missing"
    FIXTURE_UNREADABLE = "fixture-unreadable"
    POINTER_MISSING = "pointer-missing"
    CHECK_ERROR = "check-error"
    NOT_RUN = "not-run"
    UNVERIFIED = "unverified"
    CONTRADICTION = "contradiction"
    ELSEWHERE = "elsewhere"
    NOT_APPLIED = "not-applied"
    NOT_FAILING = "not-failing"
    OTHER_REASON = "other-reason"
    FIX_FAILS = "fix-fails"
    FAILING = "failing"
    APPLIES = "applies"
    CONFIRMED = "confirmed"


class Proof(StrEnum):
    """What the confirmed examples of a rule prove together."""

    BOTH = "both ways"
    INVALID_ONLY = "invalid only"
    VALID_ONLY = "valid only"
    NONE = "not proved"
    UNVERIFIED = "unverified"


@dataclass(frozen=True)
class Finding:
    """One thing that a check found wrong.

    `pointer` is the deepest node that exists at the place of use; `target` is the physical node, which differs
    from it only where a local reference was followed. Both are JSON Pointers (RFC 6901). `names` holds the
    missing, extra or offending members, sorted. `keyword` is the JSON Schema keyword that failed, `reason` the
    word that a Python check gave or the code of an external engine; a finding has one or the other. `message` is
    the end of a sentence that begins with the name of the node. In a text `lines` says where: the pointer is that of
    the whole text. None means all of it.
    """

    rule: str
    pointer: str
    target: str
    message: str
    keyword: str = ""
    reason: str = ""
    names: tuple[str, ...] = ()
    lines: Lines | None = None

    @property
    def why(self) -> str:
        """The machine word for what went wrong: the keyword or the reason."""
        return self.keyword or self.reason


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


@dataclass(frozen=True)
class SchemaCheck:
    """A rule as JSON Schema: each node that `select` finds and `when` lets through must satisfy `schema`.

    `base` is where a relative `$ref` of the inline schemas starts from: the URI of the rule file. `place` and
    `pointer` say where in the rule file the check stands.
    """

    select: tuple[str, ...]
    schema: JSON
    when: JSON = True
    base: str = ""
    follow: bool = True
    message: str = ""
    unchecked: str = ""
    place: Place = Place(Path())
    pointer: str = ""


@dataclass(frozen=True)
class PythonCheck:
    """A rule as a function of the catalogue's `checks` folder, named `module:function`.

    With `select` the function is called once for each node, without it once for the document; `parameters` are its
    keyword arguments. With `text` it judges texts and nothing else: those whose names match one of these patterns,
    each with a call of its own.
    """

    function: str
    select: tuple[str, ...] = ()
    parameters: Mapping[str, JSON] = field(default_factory=dict)
    text: tuple[str, ...] = ()
    when: JSON = True
    base: str = ""
    follow: bool = True
    message: str = ""
    unchecked: str = ""
    place: Place = Place(Path())
    pointer: str = ""


@dataclass(frozen=True)
class EngineCheck:
    """A rule as a code that an external engine reports: `engine` is a key of the catalogue's `engines`.

    What the engine applied the code to is unknown, so there is nothing to select.
    """

    engine: str
    code: str
    message: str = ""
    unchecked: str = ""
    place: Place = Place(Path())
    pointer: str = ""


@dataclass(frozen=True)
class NoCheck:
    """A rule that no machine decides, and why."""

    none: str
    message: str = ""
    unchecked: str = ""
    place: Place = Place(Path())
    pointer: str = ""


Check = SchemaCheck | PythonCheck | EngineCheck | NoCheck


class Format(StrEnum):
    """What an external engine writes its findings in."""

    SARIF = "sarif"
    JSON = "json"
    LINES = "lines"


class Columns(StrEnum):
    """What an engine counts columns in."""

    UTF16 = "utf-16"
    CODE_POINTS = "code-points"
    UTF8 = "utf-8"


@dataclass(frozen=True)
class Output:
    """How to read what an engine writes.

    For JSON, `findings` and `files` are JSONPath queries (RFC 9535); without `optional` the array or object around the
    findings has to be there even if it is empty. `fields` maps the part of a finding (`code`,
    `message`, `file`, `pointer`, `line`, `column`, `end_line`, `end_column`) to the query that gives it. For lines,
    `patterns` have groups with the names of those parts, and `ignore` are patterns of lines that are no finding.
    """

    format: Format
    findings: str = ""
    files: str = ""
    optional: bool = False
    fields: Mapping[str, str] = field(default_factory=dict)
    patterns: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    stream: str = "stdout"
    lines_from: int = 1
    columns_from: int = 1
    columns: Columns | None = None


@dataclass(frozen=True)
class Engine:
    """An external program that judges fixtures.

    `command` is an argument list with placeholders, never a text for a shell; `folder` is where it runs. `each` says
    that it is run once for each fixture, not once for all. `follow` is the member that makes an object a local
    reference, where a finding at its target counts for the place of use. `not_judged` are codes by which the
    engine says that it could not judge a file, `skipped` patterns of lines that say so; `exit_codes` those with
    which it ends when nothing went wrong, None where they mean nothing. `config` are the files beside the fixtures
    that its verdicts depend on, `fixtures` patterns of the names of those that it gets; none for all. A `faulty`
    declaration cannot work, and is not tried.
    """

    name: str
    command: tuple[str, ...]
    output: Output
    title: str = ""
    folder: Path = Path()
    each: bool = False
    version: tuple[str, ...] = ()
    time_limit: float = 60.0
    config: tuple[Path, ...] = ()
    follow: str = ""
    not_judged: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    exit_codes: tuple[int, ...] | None = None
    fixtures: tuple[str, ...] = ()
    faulty: bool = False

    @property
    def label(self) -> str:
        """What it is called on pages."""
        return self.title or self.name


def judges_text(check: Check) -> bool:
    """Whether a check can judge a text; a JSON Schema cannot, and a Python check only if it says so."""
    match check:
        case SchemaCheck():
            return False
        case PythonCheck():
            return bool(check.text)
        case _:
            return True


def judges_data(check: Check) -> bool:
    """Whether a check can judge JSON and YAML."""
    return not (isinstance(check, PythonCheck) and bool(check.text))


@dataclass(frozen=True)
class Expect:
    """The reason that an invalid example pins. `pointer` is relative to the selection; None means "anywhere inside".

    `line` is the line of a text on which the finding begins, counted in the file.
    """

    pointer: str | None = None
    keyword: str = ""
    reason: str = ""
    names: tuple[str, ...] = ()
    line: int | None = None


@dataclass(frozen=True)
class Known:
    """A fault that is accepted for now: the verdict it has, why, and where it is tracked."""

    outcome: Outcome
    reason: str
    issue: str = ""


@dataclass(frozen=True)
class Replacement:
    """One exact passage of a text and what stands in its place."""

    old: str
    new: str


@dataclass(frozen=True)
class Inline:
    """A fixture that is written in the rule file. `before` and `after` stand around `content` in what is verified."""

    content: str
    before: str = ""
    after: str = ""


@dataclass(frozen=True)
class Example:
    """A fixture, a selection in it, and what the catalogue claims about that selection.

    `fixture` is a path below the catalogue's fixture root, with forward slashes; where the fixture is `inline`, the
    name that it would have as a file. `pointer` and `show` are JSON Pointers into it; in a text `lines` or `region`
    select instead, in a folder beside `show_file`. `language` says what the fixture is written in, where its name
    does not. `patch` (a JSON Patch of the whole document) or `replace` makes another document of the fixture: that
    one is meant by everything else here. `fix` is a JSON Patch (RFC 6902) relative to the selection, `mend` a
    replacement in a text. `breaks` are the other rules that a valid example is known to break. `place` is the entry
    in the rule file.
    """

    id: str
    claim: Claim
    fixture: str
    pointer: str
    place: Place
    title: str = ""
    note: str = ""
    show: tuple[str, ...] = ()
    expect: Expect | None = None
    fix: tuple[Mapping[str, JSON], ...] = ()
    breaks: tuple[str, ...] = ()
    known: Known | None = None
    lines: Lines | None = None
    region: str = ""
    show_file: str = ""
    language: str = ""
    inline: Inline | None = None
    patch: tuple[Mapping[str, JSON], ...] = ()
    replace: Replacement | None = None
    mend: Replacement | None = None

    @property
    def selection(self) -> Selection:
        """The selection as far as it is known without the fixture."""
        return Selection(self.pointer, self.lines)

    @property
    def derived(self) -> bool:
        """Whether what is verified is not the fixture itself but something made of it."""
        return bool(self.patch) or self.replace is not None


@dataclass(frozen=True)
class Rule:
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

    @property
    def owner(self) -> str:
        """The first part of the id."""
        return owner_of(self.id)

    @property
    def address(self) -> str:
        """Where the page lies, below the folder of all rules: `owner/slug`."""
        return address_of(self.id)


def owner_of(rule_id: str) -> str:
    """Return the owner of a rule id: its first part."""
    return rule_id.split(".", 1)[0]


def address_of(rule_id: str) -> str:
    """Return `owner/slug` for a rule id: it depends on the id alone, so a new title never moves a page."""
    owner, _, rest = rule_id.partition(".")
    return f"{owner}/{rest.replace('.', '-')}"


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
    files: tuple[Path, ...] = ()
    complete: bool = True

    def rule(self, rule_id: str) -> Rule | None:
        """Return the rule of that id, or None."""
        return next((rule for rule in self.rules if rule.id == rule_id), None)


@dataclass(frozen=True)
class Fault:
    """Something wrong with a catalogue, at the place where it has to be mended.

    `kind` is the verdict, or the name of the broken expectation; `related` are further places that explain it.
    """

    place: Place
    kind: str
    message: str
    rule: str = ""
    example: str = ""
    related: tuple[Place, ...] = ()
    severity: Severity = Severity.ERROR


@dataclass(frozen=True)
class Verdict:
    """What the check of a rule said about one example.

    `findings` are those of this rule inside the selection, `outside` those elsewhere in the same fixture; `also`
    maps the id of another rule to its findings inside the selection. `pinned` is the finding that `expect` names.
    `detail` is the sentence that explains an outcome other than confirmed. `engine` names what decided, with its
    version; `remarks` are sentences on what its word is worth. `fixed` is the whole document after the fix, where one
    is declared and it could be applied. `selection` is what the example selects in the fixture as it is.
    """

    rule: Rule
    example: Example
    outcome: Outcome
    detail: str = ""
    engine: str = ""
    remarks: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    outside: tuple[Finding, ...] = ()
    also: Mapping[str, tuple[Finding, ...]] = field(default_factory=dict)
    pinned: Finding | None = None
    fixed: JSON = None
    related: tuple[Place, ...] = ()
    selection: Selection = Selection()

    @property
    def known(self) -> bool:
        """Whether the fault is the one that the example declares as accepted."""
        return self.example.known is not None and self.example.known.outcome == self.outcome

    @property
    def passes(self) -> bool:
        """Whether a build may publish it."""
        if self.example.known is not None:
            return self.known
        return self.outcome in (Outcome.CONFIRMED, Outcome.UNVERIFIED)


@dataclass(frozen=True)
class Report:
    """Everything that one verification of a catalogue found, in the order of the catalogue."""

    catalogue: Catalogue
    verdicts: tuple[Verdict, ...] = ()
    faults: tuple[Fault, ...] = ()

    def of(self, rule: Rule) -> tuple[Verdict, ...]:
        """Return the verdicts on the examples of one rule."""
        return tuple(verdict for verdict in self.verdicts if verdict.rule.id == rule.id)

    def proof(self, rule: Rule) -> Proof:
        """Return what the confirmed examples of one rule prove together."""
        if isinstance(rule.check, NoCheck):
            return Proof.UNVERIFIED
        claims = {v.example.claim for v in self.of(rule) if v.outcome == Outcome.CONFIRMED}
        invalid, valid = Claim.INVALID in claims, Claim.VALID in claims
        if invalid and valid:
            return Proof.BOTH
        return Proof.INVALID_ONLY if invalid else Proof.VALID_ONLY if valid else Proof.NONE

    @property
    def failed(self) -> bool:
        """Whether anything forbids publishing."""
        return any(fault.severity == Severity.ERROR for fault in self.faults)
