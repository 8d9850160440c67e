"""What proving through an engine costs: a check of a Ruff catalogue against Ruff alone on the same files.

    python tests/benchmarks/engines.py [EXAMPLES]

A catalogue with that many text examples (1,000 where none is given) is generated, half of them invalid. Printed are the
times of `rulebook check` and of `ruff check`, in turn, the start of an interpreter that imports the package, and the
ratio of the check without that start to Ruff with it. Only the ratio means anything on another machine.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import yaml

ROUNDS = 5
CODES = {"F401": ("import os\n", "import os\n\nprint(os.name)\n"), "E711": ("a = 1\nb = a == None\n", "a = 1\nb = a\n")}
COMMAND = ["ruff", "check", "--isolated", "--no-cache", "--select=F,E", "--output-format=json"]


def generate(folder: Path, count: int) -> list[Path]:
    """Write a catalogue with `count` examples, each a file of its own; return the files."""
    output = {"format": "json", "findings": "$[*]", "code": "$.code", "message": "$.message", "file": "$.filename"}
    output |= {"line": "$.location.row", "end_line": "$.end_location.row"}
    engine = {"command": [*COMMAND, "{files}"], "not_judged": ["invalid-syntax"], "output": output}
    catalogue = {
        "title": "Generated",
        "edition": "1",
        "owners": {"gen": {"title": "Generated"}},
        "fixtures": {"root": "fixtures", "texts": ["*.py"]},
        "engines": {"ruff": engine},
    }
    files: list[Path] = []
    rules = []
    (folder / "fixtures").mkdir(parents=True)
    for number in range(count // 20):
        code = list(CODES)[number % 2]
        examples: dict[str, list[dict[str, str]]] = {"invalid": [], "valid": []}
        for index in range(20):
            claim = ("invalid", "valid")[index % 2]
            path = folder / "fixtures" / f"f{number}-{index}.py"
            path.write_text(f'"""Example {number}, {index}."""\n\n{CODES[code][index % 2]}')
            files.append(path)
            examples[claim].append({"id": f"e{index}", "fixture": path.name})
        rules.append(
            {
                "id": f"gen.rule-{number}",
                "title": "A rule",
                "requirement": "Keep it.",
                "level": "should",
                "check": {"engine": "ruff", "code": code},
                "examples": examples,
            }
        )
    (folder / "catalogue.yaml").write_text(yaml.safe_dump(catalogue))
    (folder / "rules.yaml").write_text(yaml.safe_dump({"rules": rules}))
    return files


def timed(command: Sequence[str | Path]) -> float:
    """Return the seconds that a command takes."""
    start = time.perf_counter()
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    """Generate, measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("examples", nargs="?", type=int, default=1000)
    count = parser.parse_args().examples
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "gen"
        files = generate(folder, count)
        program = Path(sys.executable).parent / "ruff"
        checks, alone, starts = [], [], []
        for _ in range(ROUNDS):
            checks.append(timed([sys.executable, "-m", "mkdocs_rulebook.cli", "check", folder]))
            alone.append(timed([program, *COMMAND[1:], *files]))
            starts.append(timed([sys.executable, "-c", "import mkdocs_rulebook.cli"]))
        check, ruff, start = map(statistics.median, (checks, alone, starts))
        print(f"{count} examples: check {check:.2f} s, ruff {ruff:.2f} s, start of the package {start:.2f} s")
        print(f"ratio: {check / (ruff + start):.2f}")


if __name__ == "__main__":
    main()
