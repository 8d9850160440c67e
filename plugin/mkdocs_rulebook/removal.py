"""Rules that there are no more: what they may be called, what replaces them, and who still names them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from mkdocs_rulebook import reserved
from mkdocs_rulebook.model import Catalogue, Fault, Place, Removed, Severity, address_of, owner_of
from mkdocs_rulebook.nearest import known, nearest


def by_name(catalogue: Catalogue) -> dict[str, Removed]:
    """Return the removed rules of a catalogue by their ids and former ids."""
    return {name: gone for gone in catalogue.removed for name in (*gone.aliases, gone.id)}


def living(gone: Removed, removed: Mapping[str, Removed]) -> tuple[str, ...]:
    """Return the ids of the rules that replace one today: what replaced a replacement that is gone itself counts.

    Args:
        gone: The removed rule.
        removed: All removed rules by name.
    """
    found: dict[str, None] = {}
    seen = {gone.id}
    waiting = list(gone.replaced_by)
    while waiting:
        name = waiting.pop(0)
        if name not in removed:
            found[name] = None
        elif removed[name].id not in seen:
            seen.add(removed[name].id)
            waiting = [*removed[name].replaced_by, *waiting]
    return tuple(found)


def obituary(name: str, removed: Mapping[str, Removed]) -> str:
    """Return the end of a sentence on a removed rule: since when it is gone, and what replaces it."""
    gone = removed[name]
    since = f" in {gone.removed_in}" if gone.removed_in else ""
    today = living(gone, removed)
    instead = f"; replaced by {', '.join(f'`{each}`' for each in today)}" if today else "; nothing replaces it"
    return f"was removed{since}{instead}"


def faults(catalogue: Catalogue, ids: Collection[str]) -> Iterator[Fault]:
    """Yield a fault for each removed rule whose name is taken, or that is replaced by what does not exist.

    Args:
        catalogue: The catalogue, with all rules that could be read.
        ids: The ids of all rules, also of those that could not be read.
    """
    yield from _names(catalogue)
    removed = by_name(catalogue)
    aliases = {alias: rule.id for rule in catalogue.rules for alias in rule.aliases}
    aliases |= {alias: gone.id for gone in catalogue.removed for alias in gone.aliases}
    for gone in catalogue.removed:
        for name in (gone.id, *gone.aliases):
            if message := reserved.wrong(name):
                yield _fault(gone.place, message, gone)
            if owner_of(name) not in catalogue.owners:
                message = f"`{name}` belongs to `{owner_of(name)}`, which is no owner of this catalogue"
                yield _fault(gone.place, message + known(catalogue.owners), gone)
        for other in gone.replaced_by:
            if other in aliases:
                yield _fault(gone.place, f"`{other}` is a former id: write `{aliases[other]}`", gone)
            elif other not in ids and other not in removed:
                near = nearest(other, {*ids, *removed} - {gone.id})
                yield _fault(gone.place, f"there is no rule `{other}`{near}", gone)
        yield from _circle(gone, removed)


def _names(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield a fault for each address that something else has as well: what a name once meant it means for ever."""
    taken: dict[str, tuple[str, Removed]] = {}
    for gone in catalogue.removed:
        for alias in gone.aliases:
            if address_of(alias) == address_of(gone.id):
                yield _fault(gone.place, f"the alias `{alias}` has the id or address of `{gone.id}` itself", gone)
        for name in (gone.id, *gone.aliases):
            first, other = taken.setdefault(address_of(name), (name, gone))
            if other is not gone:
                message = f"the removed rule `{name}` has the id or address of `{first}`, which is removed as well"
                yield _fault(gone.place, message, gone, (other.place,))
    for rule in catalogue.rules:
        for name in (rule.id, *rule.aliases):
            what = "the rule id" if name == rule.id else "the alias"
            if address_of(name) in taken:
                first, gone = taken[address_of(name)]
                if first == name == rule.id:
                    message = f"`{name}` is said to be removed, but there is a rule of that id"
                else:
                    message = f"`{first}` is said to be removed, but {what} `{name}` has its id or address"
                yield _fault(gone.place, message, gone, (rule.place,))


def _circle(gone: Removed, removed: Mapping[str, Removed]) -> Iterator[Fault]:
    """Yield a fault where the replacements of a rule lead back to it; once for each circle."""
    ways: list[tuple[str, ...]] = [(gone.id, name) for name in gone.replaced_by]
    seen = set[str]()
    while ways:
        way = ways.pop()
        name = way[-1]
        if name == gone.id:
            if gone.id == min(way):
                shown = " → ".join(f"`{each}`" for each in way)
                yield _fault(gone.place, f"the replacements lead in a circle: {shown}", gone)
            return
        if name in removed and name not in seen:
            seen.add(name)
            ways += [(*way, each) for each in removed[name].replaced_by]


def mention(place: Place, said: str, name: str, removed: Mapping[str, Removed], rule: str, *, wrong: bool) -> Fault:
    """Return the fault of naming a removed rule where a rule is meant that exists.

    Args:
        place: Where it is named.
        said: The beginning of the sentence.
        name: The id or former id of the removed rule.
        removed: All removed rules by name.
        rule: The rule that names it.
        wrong: Whether it is an error, and not only a warning.
    """
    severity = Severity.ERROR if wrong else Severity.WARNING
    message = f"{said} `{name}`, which {obituary(name, removed)}"
    return Fault(place, "removed", message, rule, related=(removed[name].place,), severity=severity)


def _fault(place: Place, message: str, gone: Removed, related: tuple[Place, ...] = ()) -> Fault:
    return Fault(place, "catalogue", message, gone.id, related=related)
