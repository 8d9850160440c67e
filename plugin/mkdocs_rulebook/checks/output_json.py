"""Any JSON → what an engine said, through JSONPath (RFC 9535)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from mkdocs_rulebook.checks.query import compile_query
from mkdocs_rulebook.checks.reported import OutputError, Region, Reported, Said, excerpt, number
from mkdocs_rulebook.model import JSON, Columns, Output

PARTS = ("code", "message", "file", "pointer", "line", "column", "end_line", "end_column")
"""What a finding may say: the keys of the declaration, and the names of the groups in the pattern of a line."""


def read(text: str, output: Output) -> Said:
    """Read a JSON output.

    Raises:
        OutputError: it is no JSON, or a query gives something that cannot be used.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise OutputError(f"is no JSON: it begins with {excerpt(text)}") from None
    findings: list[Reported] = []
    files: list[str] = []
    for judged in _all(output.files, value) if output.files else [value]:
        file = _one(output.fields.get("file"), judged) if output.files else None
        if output.files:
            files.append(str(file))
        found = list(_all(output.findings, judged))
        holder = output.findings.removesuffix("[*]")
        holders = list(_all(holder, judged))
        if not found and not output.optional and not holders:
            raise OutputError(
                f"has nothing at `{holder}`, where its findings should be: it begins with {excerpt(text)}"
            )
        if holder != output.findings and not all(isinstance(one, list) for one in holders):
            raise OutputError(f"has something else than an array at `{holder}`: it begins with {excerpt(text)}")
        if not all(isinstance(one, dict | list) for one in found):
            raise OutputError(f"has a finding that is neither an object nor an array: it begins with {excerpt(text)}")
        findings += (_finding(one, output, file) for one in found)
    return Said(tuple(findings), tuple(files) if output.files else None)


def _finding(found: JSON, output: Output, file: JSON) -> Reported:
    said = {part: _one(query, found) for part, query in output.fields.items() if part != "file" or file is None}
    return reported({"file": file, **said}, output)


def reported(said: dict[str, Any], output: Output) -> Reported:
    """Make a finding from its parts, by the names of `PARTS`; a part that is missing or None is unknown.

    Raises:
        OutputError: a line or column is no number.
    """
    file, code, message = said.get("file"), said.get("code"), said.get("message")
    return Reported(
        "" if code is None else str(code),
        "" if message is None else str(message),
        None if file is None else str(file),
        said.get("pointer"),
        _region(said, output),
    )


def _region(said: dict[str, Any], output: Output) -> Region | None:
    def counted(part: str, first: int) -> int | None:
        value = number(said.get(part), part)
        return None if value is None else value - first + 1

    line = counted("line", output.lines_from)
    if line is None:
        return None
    column, end_column = counted("column", output.columns_from), counted("end_column", output.columns_from)
    end_line = counted("end_line", output.lines_from)
    if end_line is None and end_column is not None:
        end_line = line
    return Region(line, column, end_line, end_column, output.columns or Columns.CODE_POINTS)


def _all(query: str, value: JSON) -> Iterator[JSON]:
    try:
        yield from (match.obj for match in compile_query(query).finditer(value))
    except RecursionError:
        raise OutputError("nests too deep") from None


def _one(query: str | None, value: JSON) -> JSON:
    """Return the only node that a query finds, None for none.

    Raises:
        OutputError: it finds several.
    """
    found = [] if query is None else list(_all(query, value))
    if len(found) > 1:
        raise OutputError(f"has {len(found)} nodes for `{query}` in one finding; expected one")
    return found[0] if found else None
