"""What proving costs: a build with the plugin against plain MkDocs on the same ready-made Markdown.

    python tests/benchmarks/build.py [RULES ...] [--theme THEME]

For each number of rules (300 and 1,000 where none is given) a catalogue with two examples for each rule is generated.
Printed are the ratio of the two builds, run in turn, and the share of the build with the plugin that loading and
verifying take. Times are processor seconds of whole processes; only the ratios mean anything on another machine.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import yaml

from mkdocs_rulebook.project import check
from mkdocs_rulebook.site import render_alone
from mkdocs_rulebook.write import write

ENVIRONMENT = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
ROUNDS = 3


def generate(folder: Path, count: int) -> None:
    """Write a catalogue of `count` rules: ten rules judge each kind of document, and share its two fixtures."""
    catalogue = {
        "title": "Generated",
        "edition": "1",
        "owners": {"gen": {"title": "Generated"}},
        "fixtures": {"root": "fixtures", "groups": {"clean": "clean", "failing": "failing"}},
        "facets": [{"key": "surface", "label": "Surface"}],
    }
    _write(folder / "catalogue.yaml", yaml.safe_dump(catalogue, sort_keys=False))
    for first in range(0, count, 10):
        rules = [_rule(number) for number in range(first, min(first + 10, count))]
        _write(folder / f"kind-{first // 10}.yaml", yaml.safe_dump({"rules": rules}, sort_keys=False))
        for group, value in (("clean", "fine"), ("failing", 1)):
            members = {
                f"m{number}": {"name": value, "size": 3, "tags": ["a", "b"]} for number in range(first, first + 10)
            }
            _write(folder / f"fixtures/{group}/kind-{first // 10}.json", json.dumps({f"k{first}": members}, indent=2))


def _rule(number: int) -> dict[str, Any]:
    first = number // 10 * 10
    kind, pointer = first // 10, f"/k{first}/m{number}"
    return {
        "id": f"gen.kind-{kind}.rule-{number}",
        "title": f"Write member {number} as text",
        "summary": f"The name of member {number} is text, so that everything that reads it can print it.",
        "requirement": f"The `name` of member {number} **must** be a string of at most {number + 10} characters.",
        "level": "must",
        "facets": {"surface": f"Kind {kind}"},
        "required_by": [{"text": f"Section {number}"}],
        "notes": f"See also `gen.kind-{kind}.rule-{first}`.",
        "check": {
            "select": f"$.k{first}.m{number}",
            "schema": {
                "type": "object",
                "required": ["name"],
                "properties": {"name": {"type": "string", "maxLength": number + 10}},
            },
        },
        "examples": {
            "invalid": [
                {
                    "id": "number",
                    "fixture": f"failing/kind-{kind}.json",
                    "pointer": pointer,
                    "expect": {"pointer": "/name", "keyword": "type"},
                    "fix": [{"op": "replace", "path": "/name", "value": "one"}],
                }
            ],
            "valid": [{"id": "text", "fixture": f"clean/kind-{kind}.json", "pointer": pointer}],
        },
    }


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def _sites(home: Path, theme: str) -> tuple[Path, Path]:
    """Write the site with the plugin, and the one with the Markdown that it would generate."""
    proved, plain = home / "proved", home / "plain"
    common: dict[str, Any] = {"site_name": "Benchmark", "theme": {"name": theme, "font": False}}
    extensions = ["attr_list", "md_in_html", "tables", "toc"]
    for site, plugins in ((proved, ["search", "rulebook"]), (plain, ["search"])):
        _write(site / "docs/index.md", "# Home\n")
        settings = {**common, "plugins": plugins, "markdown_extensions": extensions, "nav": [{"Home": "index.md"}]}
        settings["not_in_nav"] = "/rules/**"
        _write(site / "mkdocs.yml", yaml.safe_dump(settings))
    project = check([proved / "rules/gen"])
    assert not project.failed, project.faults[:3]
    write(render_alone(project, plain / "docs", "rules").files, plain / "docs")
    return proved, plain


def _build(site: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet"]
    subprocess.run(command, cwd=site, env=ENVIRONMENT, check=True, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(count: int, theme: str) -> None:
    """Print the two ratios for a catalogue of `count` rules."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        generate(home / "proved/rules/gen", count)
        proved, plain = _sites(home, theme)
        pairs = [(_build(proved), _build(plain)) for _ in range(ROUNDS)]
        checks = []
        for _ in range(ROUNDS):
            start = time.process_time()
            check([proved / "rules/gen"])
            checks.append(time.process_time() - start)
        ratio = statistics.median(a / b for a, b in pairs)
        built = statistics.median(a for a, _ in pairs)
        share = statistics.median(checks) / built
        print(f"{count:>6} rules, {theme}: with the plugin / plain = {ratio:.2f} (aim: at most 1.15); ", end="")
        print(f"verification / build = {share:.1%} (aim: at most 10 %); the build took {built:.1f} s of CPU")


def main() -> None:
    """Measure each size that the command line names."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rules", nargs="*", type=int, default=[300, 1000])
    parser.add_argument("--theme", default="material")
    arguments = parser.parse_args()
    for count in arguments.rules:
        measure(count, arguments.theme)


if __name__ == "__main__":
    main()
