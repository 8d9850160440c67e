"""Words the faults that a verification comes to, each once and at the place where it has to be mended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from mkdocs_rulebook.checks.messages import spot_in_words
from mkdocs_rulebook.model import Catalogue, Claim, EngineCheck, Fault, Outcome, Place, Rule, Verdict


def check_errors(
    catalogue: Catalogue,
    errors: Mapping[str, tuple[str, Place]],
    known: Iterable[Fault],
    accepted: frozenset[str],
) -> Iterator[Fault]:
    """Yield one fault for each check that could not be run to its end, however many fixtures show it.

    An external engine that fails for all of its rules is one fault, at its command.

    Args:
        catalogue: The catalogue.
        errors: Why the check of a rule could not be run, and on which fixture that showed first, by rule id.
        known: The faults that reading the catalogue showed.
        accepted: The rules of which that is a known fault.
    """
    reported = accepted | {fault.rule for fault in known if fault.kind == Outcome.CHECK_ERROR}
    failed: dict[tuple[str, str], list[Rule]] = {}
    for rule in catalogue.rules:
        if rule.id in errors and rule.id not in reported:
            by = rule.check.engine if isinstance(rule.check, EngineCheck) else rule.id
            failed.setdefault((by, errors[rule.id][0]), []).append(rule)
    for (name, message), rules in failed.items():
        first, seen = rules[0], errors[rules[0].id][1]
        more = len(rules) - 1
        said = f"{message} (and so for {more} more rule{'s' if more > 1 else ''})" if more else message
        place = first.check.place
        engine = catalogue.engines.get(name)
        if engine is not None and engine.faulty:
            continue  # its declaration has a fault of its own
        if engine is not None and len(rules) == sum(_uses(rule, name) for rule in catalogue.rules):
            place = engine.place
        yield Fault(place, str(Outcome.CHECK_ERROR), said, first.id, related=(seen,))


def _uses(rule: Rule, engine: str) -> bool:
    return isinstance(rule.check, EngineCheck) and rule.check.engine == engine


def verdict_faults(catalogue: Catalogue, verdicts: Iterable[Verdict], unsure: frozenset[str]) -> Iterator[Fault]:
    """Yield a fault for each verdict that forbids publishing.

    Args:
        catalogue: The catalogue.
        verdicts: The verdicts on its examples.
        unsure: The rules whose check could not be run everywhere: their silence means nothing.
    """
    for verdict in verdicts:
        example = verdict.example
        if verdict.outcome == Outcome.CHECK_ERROR and example.known is None:
            continue  # reported once for the rule
        if not verdict.passes:
            yield _verdict_fault(verdict)
        yield from _breaks(catalogue, verdict, unsure)


def _breaks(catalogue: Catalogue, verdict: Verdict, unsure: frozenset[str]) -> Iterator[Fault]:
    """Yield a fault for a valid example that breaks another must-rule without saying so, or says so in vain."""
    if verdict.example.claim != Claim.VALID or verdict.outcome != Outcome.CONFIRMED:
        return
    declared = set(verdict.example.breaks)
    for other, findings in verdict.also.items():
        rule = catalogue.rule(other)
        if rule is not None and rule.level.obligatory and other not in declared:
            message = f"the valid example breaks `{other}`: {spot_in_words(findings[0])} {findings[0].message}"
            yield _fault(verdict, "breaks-other", message)
    for other in sorted(declared - verdict.also.keys() - unsure):
        yield _fault(verdict, "breaks-other", f"the example is said to break `{other}`, but does not")


def accepted_rules(verdicts: Iterable[Verdict]) -> frozenset[str]:
    """Return the rules whose check cannot be run, where each example that shows it says that this is known."""
    broken = [verdict for verdict in verdicts if verdict.outcome == Outcome.CHECK_ERROR]
    return frozenset(v.rule.id for v in broken) - {v.rule.id for v in broken if not v.known}


def _verdict_fault(verdict: Verdict) -> Fault:
    known = verdict.example.known
    if known is None:
        return _fault(verdict, str(verdict.outcome), verdict.detail)
    if verdict.outcome == Outcome.CONFIRMED:
        return _fault(verdict, "known", f"the known fault `{known.outcome}` is gone: the claim holds, so drop `known`")
    detail = f"the known fault is `{known.outcome}`, but this is another: {verdict.detail}"
    return _fault(verdict, str(verdict.outcome), detail)


def _fault(verdict: Verdict, kind: str, message: str) -> Fault:
    example = verdict.example
    return Fault(example.place, kind, message, verdict.rule.id, example.id, related=verdict.related)


def in_order(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Return the faults each once, sorted by place: those of one file stand together."""
    return tuple(sorted(set(faults), key=_order))


def _order(fault: Fault) -> tuple[object, ...]:
    return fault.place.path.as_posix(), fault.place.position, fault.kind, fault.message, fault.rule, fault.example
