"""The engines that catalogue.yaml declares → `Engine`s, with every fault of their declarations."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import jsonpath

from mkdocs_rulebook.checks.output_json import PARTS
from mkdocs_rulebook.checks.query import compile_query, query_error
from mkdocs_rulebook.model import JSON, Columns, Engine, Fault, Format, Output
from mkdocs_rulebook.nearest import known, nearest
from mkdocs_rulebook.pointer import append
from mkdocs_rulebook.source import Source, is_folder

FILES = ("{files}", "{file}")
PLACEHOLDERS = (*FILES, "{output}", "{catalogue}", "{python}")
"""What may stand in a command and is filled in there."""

_PLACEHOLDER = re.compile(r"\{[a-z]+\}")


def engine(folder: Path, name: str, entry: dict[str, JSON]) -> Engine:
    """Return an engine from its declaration, which has the right shape.

    Args:
        folder: The folder of catalogue.yaml, from which paths count.
        name: What rules call the engine.
        entry: The declaration.
    """
    command = tuple(entry["command"])
    each = entry.get("input", "all") == "each"
    if not any(place in argument for place in FILES for argument in command):
        command = (*command, "{files}")
    return Engine(
        name=name,
        command=command,
        output=_output(entry["output"]),
        title=entry.get("title", ""),
        folder=_path(folder, entry.get("folder", ".")),
        each=each,
        version=tuple(entry.get("version", [])),
        time_limit=float(entry.get("time_limit", 60)),
        config=tuple(_path(folder, path) for path in entry.get("config", [])),
        follow=entry.get("follow", ""),
        not_judged=tuple(entry.get("not_judged", [])),
        skipped=_list(entry.get("skipped", [])),
        fixtures=_list(entry.get("fixtures", [])),
        exit_codes=tuple(entry["exit_codes"]) if "exit_codes" in entry else None,
    )


def _output(entry: dict[str, JSON]) -> Output:
    return Output(
        format=Format(entry["format"]),
        findings=entry.get("findings", ""),
        files=entry.get("files", ""),
        optional=entry.get("optional", False),
        fields={part: entry[part] for part in PARTS if part in entry},
        patterns=_list(entry.get("pattern", [])),
        ignore=_list(entry.get("ignore", [])),
        stream=entry.get("stream", "stdout"),
        lines_from=entry.get("lines_from", 1),
        columns_from=entry.get("columns_from", 1),
        columns=Columns(entry["columns"]) if "columns" in entry else None,
    )


def _list(value: JSON) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _path(folder: Path, relative: str) -> Path:
    return Path(os.path.normpath(folder / relative))


def engines(folder: Path, main: Source) -> tuple[dict[str, Engine], list[Fault]]:
    """Return the engines of a catalogue, and a fault for each part of a declaration that cannot work.

    Args:
        folder: The folder of catalogue.yaml, from which paths count.
        main: That file, which has the right shape.
    """
    found: dict[str, Engine] = {}
    faults: list[Fault] = []
    for name, entry in main.value.get("engines", {}).items():
        one = engine(folder, name, entry)
        wrong = [*_command(one), *_files(one, entry), *_output_faults(one.output, entry["output"])]
        found[name] = replace(one, faulty=bool(wrong), place=main.place(append("/engines", name, "command")))
        for below, message in wrong:
            place = main.place(append("/engines", name) + below)
            faults.append(Fault(place, "catalogue", f"the engine `{name}` {message}"))
    return found, faults


def _command(engine: Engine) -> Iterator[tuple[str, str]]:
    if "{files}" in engine.command and "{file}" in "".join(engine.command):
        yield "/command", "has both `{files}` and `{file}` in its command"
    if not engine.each and any("{file}" in argument for argument in engine.command):
        yield "/command", "is given all files in one run, so its command has `{files}`; for `{file}` say `input: each`"
    for argument in (*engine.command, *engine.version):
        if _PLACEHOLDER.fullmatch(argument) and argument not in PLACEHOLDERS:
            near = nearest(argument, PLACEHOLDERS) or known(PLACEHOLDERS)
            yield "/command", f"has `{argument}` in its command, which is no placeholder{near}"
    for argument in engine.command:
        if "{files}" in argument and argument != "{files}":
            yield "/command", f"has `{{files}}` as a part of the argument `{argument}`; it has to be one of its own"


def _files(engine: Engine, entry: dict[str, JSON]) -> Iterator[tuple[str, str]]:
    if not is_folder(engine.folder):
        yield "/folder", f"runs in the folder `{entry.get('folder')}`, which does not exist"
    for number, path in enumerate(engine.config):
        if not path.is_file():
            yield append("/config", number), f"depends on the file `{entry['config'][number]}`, which does not exist"
    for pattern in engine.skipped:
        yield from _pattern(pattern, "/skipped", needs=("file",), known=("file",))


def _output_faults(output: Output, entry: dict[str, JSON]) -> Iterator[tuple[str, str]]:
    queries = {"findings": output.findings, "files": output.files, **output.fields}
    for key, query in queries.items():
        if query:
            try:
                compile_query(query)
            except (jsonpath.JSONPathError, RecursionError) as error:
                yield f"/output/{key}", f"has `{query}`, which is no JSONPath (RFC 9535): {query_error(error)}"
    if output.files and "file" not in output.fields:
        yield "/output/files", "has `files`, but no `file` that says what each of them is called"
    for pattern in output.patterns:
        yield from _pattern(pattern, "/output/pattern", needs=("code",), known=PARTS)
    for pattern in output.ignore:
        yield from _pattern(pattern, "/output/ignore")
    if output.format == Format.LINES and "columns" in entry and not any("column" in p for p in output.patterns):
        yield "/output/columns", "says what columns are counted in, but no pattern has a group `column`"


def _pattern(
    pattern: str, pointer: str, needs: tuple[str, ...] = (), known: tuple[str, ...] | None = None
) -> Iterator[tuple[str, str]]:
    try:
        groups = re.compile(pattern).groupindex
    except re.error as error:
        yield pointer, f"has `{pattern}`, which is no regular expression: {error}"
        return
    for name in needs:
        if name not in groups:
            yield pointer, f"has `{pattern}`, which lacks a group `(?P<{name}>…)`"
    for name in groups:
        if known is not None and name not in known:
            yield pointer, f"has `{pattern}` with the group `{name}`; known are {', '.join(f'`{k}`' for k in known)}"
