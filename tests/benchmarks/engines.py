"""What proving through an engine costs: a check of a Ruff catalogue against Ruff alone on the same files.

    python tests/benchmarks/engines.py [EXAMPLES]

A catalogue of twenty rules with that many text examples (1,000 where none is given) is generated, half of them
invalid. Printed are the times of `rulebook check` and of `ruff check` of the same files, the time that a check takes to
start (that of the same rules with two examples each), and the ratio of the check to Ruff plus that start.
Each is the best of some rounds in turn. Only the ratio means anything on another machine.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import yaml

ROUNDS = 5
PAIRS = {
    "E401": ("import os, sys\n\nprint(os, sys)\n", "import os\nimport sys\n\nprint(os, sys)\n"),
    "E701": ("if True: print(1)\n", "if True:\n    print(1)\n"),
    "E702": ("a = 1; b = 2\n", "a = 1\nb = 2\n"),
    "E703": ("a = 1;\n", "a = 1\n"),
    "E711": ("a = 1\nb = a == None\n", "a = 1\nb = a is None\n"),
    "E712": ("a = 1\nif a == True:\n    print(a)\n", "a = 1\nif a:\n    print(a)\n"),
    "E713": ("a = [1]\nb = not 1 in a\n", "a = [1]\nb = 1 not in a\n"),
    "E714": ("a = 1\nb = not a is None\n", "a = 1\nb = a is not None\n"),
    "E721": ("a = 1\nb = type(a) == type(2)\n", "a = 1\nb = isinstance(a, int)\n"),
    "E722": ("try:\n    pass\nexcept:\n    pass\n", "try:\n    pass\nexcept OSError:\n    pass\n"),
    "E731": ("f = lambda: 1\n", "def f():\n    return 1\n"),
    "E741": ("l = 1\n", "a = 1\n"),
    "F401": ("import os\n", "import os\n\nprint(os.name)\n"),
    "F541": ("a = f'x'\n", "a = 'x'\n"),
    "F601": ("a = {1: 1, 1: 2}\n", "a = {1: 1, 2: 2}\n"),
    "F631": ("assert (1, 'x')\n", "assert 1, 'x'\n"),
    "F632": ("a = 1\nb = a is 1\n", "a = 1\nb = a == 1\n"),
    "F811": ("def f():\n    pass\n\n\ndef f():\n    pass\n", "def f():\n    pass\n"),
    "F821": ("print(nothing)\n", "something = 1\nprint(something)\n"),
    "F841": ("def f():\n    a = 1\n", "def f():\n    return 1\n"),
}
"""An invalid and a valid text for each code."""

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
    for code, pair in PAIRS.items():
        examples: dict[str, list[dict[str, str]]] = {"invalid": [], "valid": []}
        for index in range(count // len(PAIRS)):
            claim = ("invalid", "valid")[index % 2]
            path = folder / "fixtures" / f"{code}-{index}.py"
            path.write_text(f'"""Example {index} of {code}."""\n\n{pair[index % 2]}')
            files.append(path)
            examples[claim].append({"id": f"e{index}", "fixture": path.name})
        rules.append(
            {
                "id": f"gen.{code.lower()}",
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
        folder, small = Path(name) / "gen", Path(name) / "small"
        files = generate(folder, count)
        generate(small, 2 * len(PAIRS))
        program = Path(sys.executable).parent / "ruff"
        checks, alone, starts = [], [], []
        for _ in range(ROUNDS):
            checks.append(timed([sys.executable, "-m", "mkdocs_rulebook.cli", "check", folder]))
            alone.append(timed([program, *COMMAND[1:], *files]))
            starts.append(timed([sys.executable, "-m", "mkdocs_rulebook.cli", "check", small]))
        check, ruff, start = map(min, (checks, alone, starts))
        print(f"{count} examples: check {check:.2f} s, ruff {ruff:.2f} s, start of a check {start:.2f} s")
        print(f"ratio: {check / (ruff + start):.2f}")


if __name__ == "__main__":
    main()
