"""Several catalogues at once, as a site or a command line names them: loads and verifies each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from mkdocs_rulebook import cross_check
from mkdocs_rulebook.catalogue import load
from mkdocs_rulebook.checks.runner import Memory, Runner
from mkdocs_rulebook.faults import in_order
from mkdocs_rulebook.fixtures import Fixtures
from mkdocs_rulebook.model import Fault, Removed, Report, Rule, Severity, address_of
from mkdocs_rulebook.source import Reader
from mkdocs_rulebook.stack import with_deep_stack
from mkdocs_rulebook.verify import verify


@dataclass(frozen=True)
class Project:
    """What verifying several catalogues came to.

    `reports` holds one report for each catalogue that could be read; `faults` all faults of all catalogues, also of
    those that could not. `rules_of` maps each rule file to the ids in it. `read` gives
    every file as it was when it was verified.
    """

    reports: tuple[Report, ...]
    faults: tuple[Fault, ...]
    rules_of: Mapping[Path, tuple[str, ...]]
    read: Reader

    @property
    def failed(self) -> bool:
        """Whether anything forbids publishing."""
        return any(fault.severity == Severity.ERROR for fault in self.faults)


def check(
    folders: Iterable[Path], *, allow_code: bool = True, memory: Memory | None = None, both_libraries: bool = False
) -> Project:
    """Load and verify the catalogues in some folders.

    Args:
        folders: Folders that hold a catalogue.yaml each.
        allow_code: Whether Python checks and engines may run.
        memory: The outcomes of earlier verifications; a check is not run again where nothing has changed.
        both_libraries: Whether JSON Schema checks are run with each of the libraries, to see that they agree.
    """
    return with_deep_stack(lambda: _check(folders, allow_code, memory, both_libraries))


def _check(folders: Iterable[Path], allow_code: bool, memory: Memory | None, both_libraries: bool) -> Project:
    reports: list[Report] = []
    faults: list[Fault] = []
    rules_of: dict[Path, tuple[str, ...]] = {}
    read = Reader()
    for folder in folders:
        loaded = load(folder, read)
        rules_of.update(loaded.rules_of)
        if loaded.catalogue is None:
            faults.extend(loaded.faults)
            continue
        with Runner(loaded.catalogue, allow_code=allow_code, memory=memory, engine=loaded.engine) as runner:
            report = verify(loaded.catalogue, runner, loaded.faults, Fixtures(loaded.catalogue, read))
        if both_libraries:
            disagreements = cross_check.faults(loaded.catalogue, Fixtures(loaded.catalogue, read))
            report = replace(report, faults=in_order([*report.faults, *disagreements]))
        reports.append(report)
        faults.extend(report.faults)
    faults.extend(_shared_ids(reports))
    return Project(tuple(reports), in_order(faults), rules_of, read)


def _shared_ids(reports: Iterable[Report]) -> Iterator[Fault]:
    """Yield a fault for each address that two catalogues claim, also by a former id: a site has one page there."""
    seen: dict[str, tuple[Report, Rule | Removed]] = {}
    for report in reports:
        rules: tuple[Rule | Removed, ...] = (*report.catalogue.rules, *report.catalogue.removed)
        for rule in rules:
            for name in (rule.id, *rule.aliases):
                owner, first = seen.setdefault(address_of(name), (report, rule))
                if owner is not report:
                    message = f"`{name}` stands in two catalogues"
                    yield Fault(rule.place, "catalogue", message, rule.id, related=(first.place,))
