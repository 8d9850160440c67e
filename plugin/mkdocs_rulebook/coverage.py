"""Which requirement of a specification is checked by which rule, which by none, and which cannot be.

A requirement is an anchor. What it demands is read from its text, in the keywords of BCP 14 (RFC 2119, RFC 8174):
only in capitals do they mean something.
"""

from __future__ import annotations

import contextlib
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from mkdocs_rulebook.model import Catalogue, Fault, Level, NoCheck, Place, Rule
from mkdocs_rulebook.spec import ExternalSpec, SpecAnchor, SpecError, SpecPages

Specs = Mapping[str, SpecPages | ExternalSpec]

_KEYWORDS = {
    Level.MUST: re.compile(r"\b(?:MUST|SHALL|REQUIRED)\b"),
    Level.SHOULD: re.compile(r"\b(?:SHOULD|(?:NOT )?RECOMMENDED)\b"),
    Level.MAY: re.compile(r"\b(?:MAY|OPTIONAL)\b"),
}


@dataclass(frozen=True)
class Requirement:
    """An anchor of a specification and what is known about it.

    `demand` is the strongest thing that its text says; where that has no keyword, the strongest that its rules say, and
    without a rule what the catalogue assumes, if anything. `untestable` is the reason for which no rule can check it,
    where one is declared.
    """

    spec: str
    anchor: SpecAnchor
    demand: Level | None = None
    rules: tuple[Rule, ...] = ()
    untestable: str = ""

    @property
    def name(self) -> str:
        """How a rule names the anchor."""
        return f"{self.spec}:{self.anchor.page}" + (f"#{self.anchor.fragment}" if self.anchor.fragment else "")

    @property
    def covered(self) -> bool:
        """Whether a rule names it, or it is said why none can."""
        return bool(self.rules or self.untestable)


@dataclass(frozen=True)
class Coverage:
    """The requirements of the specifications of a catalogue, in their order, and the rules that name none of them."""

    requirements: tuple[Requirement, ...]
    unanchored: tuple[Rule, ...]


def demand(text: str) -> Level | None:
    """Return the strongest demand of a text: must, should or may, or None where it has no keyword."""
    return next((level for level, keyword in _KEYWORDS.items() if keyword.search(text)), None)


def coverage(catalogue: Catalogue, specs: Specs) -> Coverage:
    """Return what is covered. A page that cannot be read has no requirements; that it cannot is reported elsewhere.

    Args:
        catalogue: The catalogue.
        specs: Its specifications, opened.
    """
    rules: dict[tuple[str, str, str], list[Rule]] = defaultdict(list)
    for rule in catalogue.rules:
        for required in rule.required_by:
            for anchor in required.anchors:
                known = rules[anchor.spec, anchor.page, anchor.fragment]
                if rule not in known:
                    known.append(rule)
    found = []
    for name, spec in catalogue.specs.items():
        reasons = {(each.page, each.fragment): each.reason for each in spec.untestable}
        for place in _anchors(specs[name]):
            key = (place.page, place.fragment)
            named = tuple(rules.get((name, *key), ()))
            if named or key in reasons or fnmatchcase(place.fragment, spec.requirements):
                said = demand(place.text) or _strongest(named) or spec.demand
                found.append(Requirement(name, place, said, named, reasons.get(key, "")))
    unanchored = [rule for rule in catalogue.rules if not any(required.anchors for required in rule.required_by)]
    return Coverage(tuple(found), tuple(unanchored))


def _strongest(rules: tuple[Rule, ...]) -> Level | None:
    levels = {Level(rule.level.value.removesuffix("-not")) for rule in rules}
    return next((level for level in _KEYWORDS if level in levels), None)


def _anchors(opened: SpecPages | ExternalSpec) -> Iterator[SpecAnchor]:
    if isinstance(opened, ExternalSpec):
        for name in opened.known or ():
            page, _, fragment = name.partition("#")
            if fragment:
                yield SpecAnchor(page, fragment)
        return
    try:
        pages = list(opened.pages)
    except SpecError:
        return
    for page in pages:
        try:
            yield from opened.anchors(page)
        except SpecError:
            continue


def coverage_faults(catalogue: Catalogue, specs: Specs, sure: bool = True) -> Iterator[Fault]:
    """Yield a fault for each obligation without a rule, where its specification asks for one.

    An anchor that is declared not testable has to exist, and no rule may check it.

    Args:
        catalogue: The catalogue.
        specs: Its specifications, opened.
        sure: Whether all that rules name is known; where not, nobody knows what has no rule.
    """
    for name, spec in catalogue.specs.items():
        for each in spec.untestable:
            with contextlib.suppress(SpecError):  # said where a rule names the page
                if message := _missing(specs[name], name, each.page, each.fragment):
                    yield Fault(each.place, "anchor-missing", message)
    if not any(spec.uncovered or spec.untestable for spec in catalogue.specs.values()):
        return  # to read all pages takes time
    for requirement in coverage(catalogue, specs).requirements:
        spec = catalogue.specs[requirement.spec]
        checking = [rule for rule in requirement.rules if not isinstance(rule.check, NoCheck)]
        if requirement.untestable and checking:
            place = next(
                each.place
                for each in spec.untestable
                if (each.page, each.fragment) == (requirement.anchor.page, requirement.anchor.fragment)
            )
            message = f"`{requirement.name}` is declared not testable, but `{checking[0].id}` checks it"
            yield Fault(place, "catalogue", message, related=(checking[0].place,))
        if sure and spec.uncovered and requirement.demand == Level.MUST and not requirement.covered:
            opened = specs[requirement.spec]
            anchor = requirement.anchor
            place = Place(catalogue.folder / "catalogue.yaml")
            if isinstance(opened, SpecPages):
                place = opened.place(anchor.page, anchor.fragment)
            message = f"no rule names the obligation `{requirement.name}`, nor is it declared not testable"
            yield Fault(place, "uncovered", message, severity=spec.uncovered)


def _missing(spec: SpecPages | ExternalSpec, name: str, page: str, fragment: str) -> str:
    """Return in words that a specification has no such anchor; nothing where it has.

    Raises:
        SpecError: a page of it cannot be read.
    """
    if spec.find(page, fragment) is not None:
        return ""
    near = spec.nearest(page, fragment)
    hint = f"; nearest: {', '.join(f'`{name}:{each}`' for each in near)}" if near else ""
    return f"there is no anchor `{name}:{page}{f'#{fragment}' if fragment else ''}`{hint}"


def anchor_faults(catalogue: Catalogue, specs: Specs) -> Iterator[Fault]:
    """Yield a fault for each specification anchor that a rule names and that does not exist."""
    for rule in catalogue.rules:
        for required in rule.required_by:
            for anchor in required.anchors:
                spec = specs.get(anchor.spec)
                if spec is None:
                    continue  # an unknown specification is a fault of the catalogue
                try:
                    message = _missing(spec, anchor.spec, anchor.page, anchor.fragment)
                except SpecError as error:
                    yield Fault(error.place, "anchor-missing", error.message, rule.id)
                    continue
                if message:
                    yield Fault(anchor.place, "anchor-missing", message, rule.id)
