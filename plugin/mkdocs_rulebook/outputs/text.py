"""A report as lines of text, grouped by file: `path:line:column: verdict: message`."""

from __future__ import annotations

import itertools
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from mkdocs_rulebook.model import Fault, NoCheck, Outcome, Place, Report, Severity


def lines(faults: Iterable[Fault], base: Path) -> Iterator[str]:
    """Yield the lines that describe faults, in the order in which they are given.

    Args:
        faults: The faults.
        base: The folder that paths are shown relative to.
    """
    for path, group in itertools.groupby(faults, key=lambda fault: fault.place.path):
        yield shown_path(path, base)
        for fault in group:
            yield f"  {fault_line(fault, base)}"
            yield from (f"      see {shown_place(place, base)}" for place in fault.related)


def fault_line(fault: Fault, base: Path) -> str:
    """Return a fault as one line."""
    warning = "warning: " if fault.severity == Severity.WARNING else ""
    return f"{shown_place(fault.place, base)}: {warning}{fault.kind}: {subject(fault)}{one_line(fault.message)}"


def subject(fault: Fault) -> str:
    """Return what a fault is about, as the beginning of a message: the rule and the example."""
    if not fault.rule:
        return ""
    return f"{fault.rule}" + (f", example {fault.example}" if fault.example else "") + ": "


def one_line(text: str) -> str:
    """Return a text with every run of white space as one space, and what cannot be printed as an escape."""
    return printable(" ".join(text.split()))


def printable(text: str) -> str:
    """Return a text in which each character that cannot be printed is an escape."""
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def shown_place(place: Place, base: Path) -> str:
    """Return a place as `path:line:column`."""
    return f"{shown_path(place.path, base)}:{place.position.line}:{place.position.column}"


def shown_path(path: Path, base: Path) -> str:
    """Return a path relative to a folder, with forward slashes."""
    try:
        return printable(Path(os.path.relpath(path, base)).as_posix())
    except ValueError:  # another drive
        return printable(path.as_posix())


def summary(reports: Sequence[Report], faults: Sequence[Fault]) -> str:
    """Return the line that sums up a run: rules, examples, confirmed, unverified, known, faults."""
    verdicts = [verdict for report in reports for verdict in report.verdicts]
    rules = [rule for report in reports for rule in report.catalogue.rules]
    outcomes = Counter(verdict.outcome for verdict in verdicts)
    unverified = f"{sum(isinstance(rule.check, NoCheck) for rule in rules)} unverified"
    partly = sum(bool(rule.check.unchecked) for rule in rules)
    unverified += f", {partly} checked in part" if partly else ""
    known = sum(verdict.known for verdict in verdicts)
    errors = sum(fault.severity == Severity.ERROR for fault in faults)
    warnings = len(faults) - errors
    text = (
        f"{plural(len(rules), 'rule')} ({unverified}), {plural(len(verdicts), 'example')}: "
        f"{outcomes[Outcome.CONFIRMED]} confirmed, {outcomes[Outcome.UNVERIFIED]} unverified, {known} known; "
        f"{plural(errors, 'fault')}"
    )
    return text + (f", {plural(warnings, 'warning')}" if warnings else "")


def plural(count: int, noun: str) -> str:
    """Return a count with its noun."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")
