"""What a verification found: findings, verdicts and faults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mkdocs_rulebook.model.catalogue import Catalogue
from mkdocs_rulebook.model.check import NoCheck
from mkdocs_rulebook.model.example import Example
from mkdocs_rulebook.model.place import JSON, Lines, Place, Selection
from mkdocs_rulebook.model.rule import Rule
from mkdocs_rulebook.model.words import Claim, Outcome, Proof, Severity


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
