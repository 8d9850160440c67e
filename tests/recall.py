"""Do the rules of `rules/mcpdesc` find what a list of requirements says is wrong, and nothing that it says is right?

    python tests/recall.py FOLDER

FOLDER holds `fixtures/` (with the groups `expected-valid`, `expected-warning` and `expected-invalid`) and
`requirements.yaml`: a list of entries with `id`, and `fixtures`, a list of `file` and `pointer`. For each of these the
rule must report something at or below the pointer (recall). No must-rule may report anything in `expected-valid` or
`expected-warning`, and no rule at all anything in `expected-valid` (false findings). The exit code is 1 unless both
are as they should be.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path

from mkdocs_rulebook.catalogue import load
from mkdocs_rulebook.checks.base import Run
from mkdocs_rulebook.checks.runner import Runner
from mkdocs_rulebook.lint import documents
from mkdocs_rulebook.model import Catalogue, Selection
from mkdocs_rulebook.selections import touches
from mkdocs_rulebook.source import read

CATALOGUE = Path(__file__).parent.parent / "rules" / "mcpdesc"


@dataclass
class Result:
    """What came of it: how many entries there are, which are missed, what was found that is right, what went wrong."""

    entries: int = 0
    missed: list[str] = field(default_factory=list)
    false: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Whether everything was found and nothing else."""
        return self.entries > 0 and not (self.missed or self.false or self.errors)


def recall(folder: Path) -> Result:
    """Run the catalogue on all fixtures of a folder and compare with its list of requirements."""
    catalogue = load(CATALOGUE).catalogue
    assert catalogue is not None
    result = Result()
    runs: dict[str, dict[str, Run]] = {}
    with Runner(catalogue) as runner:
        for path in documents([folder / "fixtures"]):
            name = path.relative_to(folder / "fixtures").as_posix()
            runs[name] = runner.run_all(runner.document(read(path).value))
            result.errors += [f"{name}: {rule}: {run.error}" for rule, run in runs[name].items() if run.error]
            result.false += _false(catalogue, name, runs[name])
    for entry in read(folder / "requirements.yaml").value:
        for fixture in entry["fixtures"]:
            result.entries += 1
            run = runs.get(fixture["file"], {}).get(entry["id"])
            if run is None or not any(touches(finding, Selection(fixture["pointer"])) for finding in run.findings):
                result.missed.append(f"{entry['id']}: {fixture['file']} {fixture['pointer']}")
    return result


def _false(catalogue: Catalogue, name: str, runs: dict[str, Run]) -> list[str]:
    group = name.split("/")[0]
    return [
        f"{name}: {rule.id}: {finding.pointer} {finding.message}"
        for rule in catalogue.rules
        for finding in runs[rule.id].findings
        if group == "expected-valid" or (group == "expected-warning" and rule.level.obligatory)
    ]


def main() -> int:
    """Print the result for the folder that the command line names."""
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    result = recall(Path(sys.argv[1]))
    for title, lines in (("missed", result.missed), ("false", result.false), ("error", result.errors)):
        for line in lines:
            print(f"{title}: {line}")
    found = result.entries - len(result.missed)
    print(f"recall {found} of {result.entries}; {len(result.false)} false findings; {len(result.errors)} errors")
    return 0 if result.good else 1


if __name__ == "__main__":
    sys.exit(main())
