"""Lint findings as text for people and as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from mkdocs_rulebook.checks.messages import spot_in_words
from mkdocs_rulebook.lint import LintFinding, Trouble
from mkdocs_rulebook.outputs.text import one_line, plural, shown_path, shown_place


def as_text(results: Sequence[LintFinding | Trouble], base: Path) -> Iterable[str]:
    """Yield a line for each result, `path:line:column: level: rule: message`, and one that sums up."""
    findings = [result for result in results if isinstance(result, LintFinding)]
    for result in results:
        where = shown_place(result.place, base)
        if isinstance(result, Trouble):
            yield f"{where}: error: {result.rule + ': ' if result.rule else ''}{one_line(result.message)}"
        else:
            spot = spot_in_words(result.finding)
            yield f"{where}: {result.level}: {result.rule.id}: {one_line(f'{spot} {result.finding.message}')}"
    binding = sum(finding.level.obligatory for finding in findings)
    yield f"{plural(len(findings), 'finding')}, {binding} of them against a must-rule"


def as_json(results: Sequence[LintFinding | Trouble], base: Path) -> Iterable[str]:
    """Yield one JSON document: `{"findings": [...], "errors": [...]}`; lines and columns count from 1."""
    findings = [_finding(result, base) for result in results if isinstance(result, LintFinding)]
    errors = [
        {"file": shown_path(result.place.path, base), "line": result.place.position.line, "rule": result.rule}
        | {"message": one_line(result.message)}
        for result in results
        if isinstance(result, Trouble)
    ]
    yield json.dumps({"findings": findings, "errors": errors}, indent=2, ensure_ascii=False)


def _finding(result: LintFinding, base: Path) -> dict[str, object]:
    finding, position = result.finding, result.place.position
    return {
        "rule": result.rule.id,
        "level": str(result.level),
        "file": shown_path(result.place.path, base),
        "pointer": finding.pointer,
        "target": finding.target,
        "line": position.line,
        "column": position.column,
        "reason": finding.why,
        "names": list(finding.names),
        "message": one_line(finding.message),
    }
