"""Lines of text → what an engine said, through regular expressions with named groups."""

from __future__ import annotations

import re

from mkdocs_rulebook.checks.output_json import reported
from mkdocs_rulebook.checks.reported import OutputError, Said, excerpt
from mkdocs_rulebook.model import Output


def read(text: str, output: Output) -> Said:
    """Read an output line by line.

    Each line that is not blank has to match one of the patterns, or be declared as none of a finding: what nobody
    expected may be the end of the program.

    Raises:
        OutputError: a line is neither.
    """
    patterns = [re.compile(pattern) for pattern in output.patterns]
    ignore = [re.compile(pattern) for pattern in output.ignore]
    findings = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.rstrip()
        match = next((match for pattern in patterns if (match := pattern.fullmatch(line))), None)
        if match is not None:
            findings.append(reported(match.groupdict(), output))
        elif line and not any(pattern.fullmatch(line) for pattern in ignore):
            raise OutputError(f"has a line that matches neither `pattern` nor `ignore`, line {number}: {excerpt(line)}")
    return Said(tuple(findings))
