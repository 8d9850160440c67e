"""SARIF 2.1.0 (OASIS) → what an engine said."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit
from urllib.request import url2pathname

from mkdocs_rulebook.checks.reported import OutputError, Region, Reported, Said, excerpt, number
from mkdocs_rulebook.model import JSON, Columns, Output

_PLACEHOLDER = re.compile(r"\{(\d+)\}")
_COLUMNS = {"utf16CodeUnits": Columns.UTF16, "unicodeCodePoints": Columns.CODE_POINTS}


def read(text: str, output: Output) -> Said:
    """Read a SARIF log.

    Results of another kind than `fail`, suppressed ones and those that are absent from the run (sections 3.27.9,
    3.27.23 and 3.27.24 of the standard) are no findings.

    Raises:
        OutputError: it is no SARIF log, or says that the run was not successful.
    """
    try:
        log = json.loads(text)
    except (ValueError, RecursionError):
        raise OutputError(f"is no SARIF log, for it is no JSON: it begins with {excerpt(text)}") from None
    runs = log.get("runs") if isinstance(log, dict) else None
    if not isinstance(runs, list) or not str(log.get("version", "")).startswith("2.1"):
        raise OutputError(f"is no SARIF 2.1.0 log: it begins with {excerpt(text)}")
    if not runs:
        raise OutputError("has no run: the tool did not scan")
    findings: list[Reported] = []
    refused: dict[str, str] = {}
    try:
        for run in runs:
            one = _Run(run, output.columns)
            findings += one.findings()
            refused |= one.refused()
    except OutputError:
        raise
    except (AttributeError, TypeError, KeyError, IndexError, ValueError) as error:
        raise OutputError(f"is no valid SARIF log: {type(error).__name__} while reading its runs") from None
    return Said(tuple(findings), None, refused)


class _Run:
    def __init__(self, run: dict[str, Any], columns: Columns | None) -> None:
        self._run = run
        self._columns = columns or _COLUMNS.get(run.get("columnKind", ""), Columns.UTF16)

    def findings(self) -> Iterator[Reported]:
        if self._run.get("results") is None:  # not the same as none: section 3.14.23
            raise OutputError("has a run without results: the tool did not scan")
        for result in self._run["results"]:
            kind, state = result.get("kind") or "fail", result.get("baselineState")
            if kind != "fail" or state == "absent" or _suppressed(result):
                continue
            descriptor = self._descriptor(result)
            code, message = _code(result, descriptor), self._message(result, descriptor)
            locations: list[dict[str, Any]] = result.get("locations") or [{}]
            for location in locations:
                yield Reported(code, message, *self._place(location))

    def refused(self) -> dict[str, str]:
        """Return the files that the tool says it could not judge (section 3.58, notifications of level `error`)."""
        refused: dict[str, str] = {}
        for invocation in self._run.get("invocations") or ():
            notes = [
                note
                for key in ("toolConfigurationNotifications", "toolExecutionNotifications")
                for note in invocation.get(key) or ()
                if note.get("level", "warning") == "error"
            ]
            for note in notes:
                text = str((note.get("message") or {}).get("text") or "an error without a message")
                files = [self._place(location)[0] for location in note.get("locations") or ()]
                if not any(files):
                    raise OutputError(f"reports an error of the engine: {excerpt(text)}")
                refused |= {file: text for file in files if file}
            if invocation.get("executionSuccessful") is False and not notes:
                raise OutputError("says that the run was not successful")
        return refused

    def _descriptor(self, result: dict[str, Any]) -> dict[str, Any]:
        """Return the descriptor of the rule, empty where there is none (sections 3.27.7 and 3.52)."""
        reference = result.get("rule") or {}
        index = reference.get("index", result.get("ruleIndex", -1))
        tool = self._run.get("tool") or {}
        component = tool.get("driver") or {}
        extension = (reference.get("toolComponent") or {}).get("index", -1)
        if 0 <= extension < len(tool.get("extensions") or ()):
            component = tool["extensions"][extension]
        rules = component.get("rules") or ()
        if 0 <= index < len(rules):
            return dict(rules[index])
        name = _name(result)
        return next((dict(rule) for rule in rules if rule.get("id") == name), {})

    def _message(self, result: dict[str, Any], descriptor: dict[str, Any]) -> str:
        """Return the text of a message, looked up in the descriptor where it is given by id (section 3.11)."""
        message = result.get("message") or {}
        strings = descriptor.get("messageStrings") or {}
        text = message.get("text") or (strings.get(message.get("id", "")) or {}).get("text") or ""
        arguments = message.get("arguments") or ()

        def argument(match: re.Match[str]) -> str:
            index = int(match[1])
            return str(arguments[index]) if index < len(arguments) else match[0]

        return _PLACEHOLDER.sub(argument, text).replace("{{", "{").replace("}}", "}") if arguments else str(text)

    def _place(self, location: dict[str, Any]) -> tuple[str | None, JSON, Region | None]:
        physical = location.get("physicalLocation") or {}
        pointer = next(
            (
                name
                for logical in location.get("logicalLocations") or ()
                if _is_pointer(name := self._logical(logical).get("fullyQualifiedName"))
            ),
            None,
        )
        return self._file(physical.get("artifactLocation") or {}), pointer, self._region(physical.get("region"))

    def _logical(self, logical: dict[str, Any]) -> dict[str, Any]:
        known = self._run.get("logicalLocations") or ()
        index = logical.get("index", -1)
        return {**known[index], **logical} if 0 <= index < len(known) else logical

    def _file(self, artifact: dict[str, Any]) -> str | None:
        """Return the path of an artifact, resolved against its base where it has one (section 3.4)."""
        artifacts = self._run.get("artifacts") or ()
        index = artifact.get("index", -1)
        if "uri" not in artifact and 0 <= index < len(artifacts):
            artifact = artifacts[index].get("location") or {}
        uri = artifact.get("uri")
        base, seen = str(artifact.get("uriBaseId")), set[str]()
        bases = self._run.get("originalUriBaseIds") or {}
        while uri is not None and base in bases and base not in seen:
            seen.add(base)
            uri = urljoin(bases[base].get("uri", ""), uri)
            base = str(bases[base].get("uriBaseId"))
        return None if uri is None else path_of(uri)

    def _region(self, region: dict[str, Any] | None) -> Region | None:
        """Return a region with the defaults of section 3.30."""
        if not region or region.get("startLine") in (None, ""):
            return None
        start, end = number(region["startLine"], "startLine"), number(region.get("endLine"), "endLine")
        assert start is not None
        column, last = region.get("startColumn"), region.get("endColumn")
        first = 1 if column is None else number(column, "startColumn")
        return Region(start, first, end or start, number(last, "endColumn"), self._columns)


def path_of(uri: str) -> str:
    """Return the path that a URI reference names: a `file` URI as a path of this machine, any other decoded."""
    parts = urlsplit(uri)
    return url2pathname(parts.path) if parts.scheme == "file" else unquote(uri)


def _name(result: dict[str, Any]) -> str:
    return str(result.get("ruleId") or (result.get("rule") or {}).get("id") or "")


def _code(result: dict[str, Any], descriptor: dict[str, Any]) -> str:
    """Return the code of a result: that of its rule where its own id is a part of one (section 3.27.5)."""
    name, rule = _name(result), str(descriptor.get("id") or "")
    return rule if not name or (rule and name.startswith(rule + "/")) else name


def _suppressed(result: dict[str, Any]) -> bool:
    suppressions = result.get("suppressions") or ()
    return bool(suppressions) and all(one.get("status", "accepted") == "accepted" for one in suppressions)


def _is_pointer(name: object) -> bool:
    return isinstance(name, str) and (name.startswith(("/", "#/", "$")) or name in ("", "#"))
