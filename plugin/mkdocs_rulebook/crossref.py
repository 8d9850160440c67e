"""What holds between the rules of a catalogue: ids, addresses, aliases, and everything that one names of another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from mkdocs_rulebook import removal, reserved
from mkdocs_rulebook.marks import RULE_ID, find
from mkdocs_rulebook.model import Catalogue, EngineCheck, Fault, Place, Removed, Rule, address_of, owner_of
from mkdocs_rulebook.nearest import known, nearest
from mkdocs_rulebook.pointer import append, tokens
from mkdocs_rulebook.source import Source, language_names

RULE_ID_IN_PROSE = re.compile(rf"(?<!`)`({RULE_ID.pattern})`(?!`)")
"""A rule id in backticks, as prose names a rule."""

MAX_NAME = 200
"""How many bytes the name of a text in a rule file may have: what it is published as has at most 255 (POSIX)."""


def unknown(label: str, rules: Mapping[str, Rule | None]) -> str:
    """Return why a label names no rule, and no example of one (`id#example`); nothing where it does.

    Args:
        label: The label of a reference.
        rules: The rules by id and former id; None for one that could not be read, or was removed.
    """
    name, _, example = label.partition("#")
    if name not in rules:
        return f"there is no rule `{name}`{nearest(name, rules)}"
    rule = rules[name]
    examples = [each.id for each in rule.examples] if rule else []
    if rule is None or not example or example in examples:
        return ""
    return f"`{name}` has no example `{example}`{nearest(example, examples) or known(examples)}"


class _Unsure(frozenset[str]):
    """Ids of rules that are not all there are: nobody can say of one that it is not among them."""

    def __contains__(self, name: object) -> bool:
        return True


def faults(
    catalogue: Catalogue, files: Mapping[Path, Source], other_ids: frozenset[str], all_named: bool = True
) -> Iterator[Fault]:
    """Yield a fault for each name that is claimed twice or leads nowhere.

    Args:
        catalogue: The catalogue, with all rules that could be read.
        files: The rule files by path.
        other_ids: Ids of rules that could not be read: they exist all the same.
        all_named: Whether the ids of all rules are known; where not, none is said to be missing.
    """
    found = {*(rule.id for rule in catalogue.rules), *other_ids}
    ids = frozenset(found) if all_named else _Unsure(found)
    removed = removal.by_name(catalogue)
    yield from _identities(catalogue.rules)
    yield from removal.faults(catalogue, ids)
    for rule in catalogue.rules:
        yield from _rule(catalogue, rule, ids, removed)
    for file in files.values():
        yield from _prose(catalogue, ids, removed, file)
        if all_named:
            yield from _references(catalogue, other_ids | removed.keys(), file)


def _identities(rules: Iterable[Rule]) -> Iterator[Fault]:
    by_id: dict[str, Rule] = {}
    by_address: dict[str, Rule] = {}
    for rule in rules:
        for message in filter(None, map(reserved.wrong, (rule.id, *rule.aliases))):
            yield _fault(rule.place, message, rule)
        first = by_id.setdefault(rule.id, rule)
        if first is not rule:
            yield _fault(rule.place, f"the rule id `{rule.id}` is used twice", rule, (first.place,))
            continue
        other = by_address.setdefault(rule.address, rule)
        if other is not rule:
            message = f"`{rule.id}` and `{other.id}` would have one address, `{rule.address}/`"
            yield _fault(rule.place, message, rule, (other.place,))
    aliases: dict[str, Rule] = {}
    for rule in by_id.values():
        for alias in rule.aliases:
            live = by_id.get(alias) or by_address.get(address_of(alias))
            claimed = aliases.setdefault(address_of(alias), rule)
            if live is not None:
                message = f"the alias `{alias}` is the id or address of a rule that exists"
                yield _fault(rule.place, message, rule, (live.place,))
            elif claimed is not rule:
                message = f"the alias `{alias}` is claimed by `{claimed.id}` as well"
                yield _fault(rule.place, message, rule, (claimed.place,))


def _rule(catalogue: Catalogue, rule: Rule, ids: frozenset[str], removed: Mapping[str, Removed]) -> Iterator[Fault]:
    if rule.owner not in catalogue.owners:
        message = f"`{rule.id}` belongs to `{rule.owner}`, which is no owner of this catalogue"
        yield _fault(rule.place, message + known(catalogue.owners), rule)
    for alias in rule.aliases:
        if owner_of(alias) not in catalogue.owners:
            yield _fault(rule.place, f"the alias `{alias}` belongs to no owner of this catalogue", rule)
    for key in rule.facets:
        if key not in {facet.key for facet in catalogue.facets}:
            message = f"the facet `{key}` is not declared in catalogue.yaml"
            yield _fault(rule.place, message + known(facet.key for facet in catalogue.facets), rule)
    for source in rule.based_on:
        if source.tier and source.tier not in catalogue.tiers:
            message = f"the tier `{source.tier}` is not declared in catalogue.yaml"
            yield _fault(rule.place, message + known(catalogue.tiers), rule)
    if rule.replaced_by in removed:
        yield removal.mention(rule.place, "`replaced_by` names", rule.replaced_by, removed, rule.id, wrong=True)
    elif rule.replaced_by and rule.replaced_by not in ids:
        yield _fault(rule.place, f"there is no rule `{rule.replaced_by}`{nearest(rule.replaced_by, ids)}", rule)
    for required in rule.required_by:
        for anchor in required.anchors:
            if anchor.spec not in catalogue.specs:
                message = f"`{anchor}` names the specification `{anchor.spec}`, which catalogue.yaml does not declare"
                yield _fault(anchor.place, message + known(catalogue.specs), rule)
    if isinstance(rule.check, EngineCheck) and rule.check.engine not in catalogue.engines:
        message = f"there is no engine `{rule.check.engine}` in catalogue.yaml"
        yield _fault(rule.check.place, message + known(catalogue.engines), rule)
    yield from _examples(rule, ids, removed)


def _examples(rule: Rule, ids: frozenset[str], removed: Mapping[str, Removed]) -> Iterator[Fault]:
    seen: dict[str, Place] = {}
    for example in rule.examples:
        first = seen.setdefault(example.id, example.place)
        if first is not example.place:
            yield _fault(example.place, f"the example id `{example.id}` is used twice in one rule", rule, (first,))
        if example.inline and (size := len(example.fixture.encode("utf-8", "replace"))) > MAX_NAME:
            message = f"the name of the text has {size} bytes in UTF-8, more than {MAX_NAME}: no file can be called so"
            yield _fault(example.place, message, rule)
        if example.language and example.language.lower() not in language_names():
            message = f"there is no language `{example.language}`{nearest(example.language, language_names())}"
            yield _fault(example.place, message, rule)
        for other in example.breaks:
            if other in removed:
                yield removal.mention(example.place, "`breaks` names", other, removed, rule.id, wrong=True)
            elif other not in ids:
                yield _fault(example.place, f"there is no rule `{other}`{nearest(other, ids)}", rule)


def _prose(catalogue: Catalogue, ids: frozenset[str], removed: Mapping[str, Removed], file: Source) -> Iterator[Fault]:
    """Yield a fault for each rule id in backticks that is none, wherever in a rule file it stands.

    What is removed may be named where history is told: in notes, and where it says why a rule is gone.
    """
    aliases = {alias for rule in catalogue.rules for alias in rule.aliases}
    for pointer, text in _strings(file.value):
        kind, _, field, *_ = *tokens(pointer), "", "", ""
        for match in RULE_ID_IN_PROSE.finditer(text):
            name = match.group(1)
            if name in removed:
                if kind == "rules" and field != "notes":
                    rule = _id_at(file, pointer)
                    yield removal.mention(file.place(pointer), "the text names", name, removed, rule, wrong=False)
            elif owner_of(name) in catalogue.owners and name not in ids and name not in aliases:
                message = f"the text names the rule `{name}`, which does not exist{nearest(name, ids)}"
                yield Fault(file.place(pointer), "catalogue", message)


def _id_at(file: Source, pointer: str) -> str:
    rule = file.value["rules"][int(tokens(pointer)[1])]
    return str(rule.get("id", "")) if isinstance(rule, dict) else ""


def _references(catalogue: Catalogue, other_ids: frozenset[str], file: Source) -> Iterator[Fault]:
    """Yield a fault for each reference to a rule or an example that there is none of."""
    named = {name: rule for rule in catalogue.rules for name in (*rule.aliases, rule.id)}
    rules = {**dict.fromkeys(other_ids), **named}
    for pointer, text in _strings(file.value):
        for mark in find(text, lambda label: owner_of(label) in catalogue.owners and "." in label):
            if RULE_ID_IN_PROSE.match(text, mark.at - 1):
                continue  # an id in backticks, which is said as such
            if mark.kind == "reference" and (message := unknown(mark.text, rules)):
                yield Fault(file.place(pointer), "catalogue", f"the text refers to a rule: {message}")


def _strings(value: object, pointer: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield pointer, value
    elif isinstance(value, dict):
        for name, item in value.items():
            if name not in ("schema", "when", "fix", "select", "expect", "content", "wrap", "patch", "replace"):
                yield from _strings(item, append(pointer, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _strings(item, append(pointer, index))


def _fault(place: Place, message: str, rule: Rule, related: tuple[Place, ...] = ()) -> Fault:
    return Fault(place, "catalogue", message, rule.id, related=related)
