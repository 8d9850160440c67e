"""The README and the guide: what they show is what is really printed, and what they list is complete.

A block with a title is a file. `title="FILE, from KEY on"` replaces the end of that file, from the line of the key.
A `console` block is run in the folder of these files; a line `...` stands for lines left out, and `echo $?` for the
exit code. `UPDATE_DOCS=1 pytest tests/test_docs.py` writes what is printed into the pages: read the difference.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import jsonschema
import pytest
import yaml
from click.testing import CliRunner

from engines import NODE, find
from mkdocs_rulebook.checks import api
from mkdocs_rulebook.cli import main
from mkdocs_rulebook.model import Outcome
from mkdocs_rulebook.plugin import RulebookConfig

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "plugin" / "mkdocs_rulebook"
GUIDE = ROOT / "docs" / "guide"
PAGES = [ROOT / "README.md", ROOT / "docs" / "index.md", *sorted(GUIDE.glob("*.md"))]
BLOCK = re.compile(r'^```(?P<kind>\w+)(?: title="(?P<title>[^"]+)")?\n(?P<body>.*?)^```$', re.MULTILINE | re.DOTALL)
ENVIRONMENT = os.environ | {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true", "COLUMNS": "80"}
PATH = os.pathsep.join(filter(None, [str(ROOT / "plugin"), os.environ.get("PYTHONPATH", "")]))


def text(name: str) -> str:
    return (GUIDE / name).read_text(encoding="utf-8")


def execute(command: str, code: int) -> tuple[str, int]:
    """Run a command of a page in the current folder; return what it prints and its exit code."""
    program, *arguments = shlex.split(command)
    if program == "echo":
        return f"{code}\n", 0
    if program == "rulebook":
        done = CliRunner(env={"COLUMNS": "80"}).invoke(main, arguments, prog_name="rulebook")
        return done.output, done.exit_code
    python = [sys.executable, *(["-m", "mkdocs"] if program == "mkdocs" else [])]
    environment = ENVIRONMENT | {"PYTHONPATH": PATH}
    run = subprocess.run([*python, *arguments], env=environment, capture_output=True, text=True, timeout=60)
    return run.stdout + run.stderr, run.returncode


def matches(shown: str, printed: str) -> bool:
    pattern = "".join("(?:.*\n)*?" if line == "...\n" else re.escape(line) for line in shown.splitlines(keepends=True))
    return re.fullmatch(pattern, printed) is not None


def replayed(page: str) -> str:
    """Do what a page says in the current folder; return the page with what was really printed."""
    code = 0

    def console(body: str) -> Iterator[str]:
        nonlocal code
        for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", body, re.MULTILINE):
            printed, code = execute(command, code)
            yield f"$ {command}\n{shown if matches(shown, printed) else printed}"

    def block(match: re.Match[str]) -> str:
        kind, title, body = match["kind"], match["title"], match["body"]
        if kind == "console":
            return f"```console\n{''.join(console(body))}```"
        if title:
            name, _, key = title.removesuffix(" on").partition(", from ")
            path = Path(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            before = re.split(rf"^ *{key}:", path.read_text(), maxsplit=1, flags=re.MULTILINE)[0] if key else ""
            path.write_text(before + body)
        return match[0]

    return BLOCK.sub(block, page)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_what_a_page_shows_is_what_is_printed(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if page.stem == "engines" and find("spectral") is None:
        pytest.skip("`spectral` is not installed; .ci/run installs it")
    monkeypatch.setenv("PATH", f"{NODE}{os.pathsep}{os.environ.get('PATH', '')}")
    monkeypatch.chdir(tmp_path)
    shown = page.read_text(encoding="utf-8")
    printed = replayed(shown)
    if os.environ.get("UPDATE_DOCS"):
        page.write_text(printed, encoding="utf-8")
    assert printed == shown


def schema_keys(schema: Any, root: Any, prefix: str = "") -> Iterator[str]:
    """Yield the path of each key that a JSON Schema of the package names: `owners.*.title`, `facets[].key`."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield from schema_keys(root["$defs"][schema["$ref"].rpartition("/")[2]], root, prefix)
        for name, below in schema.get("properties", {}).items():
            name = re.sub(r"^(invalid|valid|inapplicable)$", "*", name) if prefix == "examples." else name
            yield prefix + name
            yield from schema_keys(below, root, prefix + name + ".")
        yield from schema_keys(schema.get("additionalProperties"), root, prefix + "*.")
        yield from schema_keys(schema.get("items"), root, prefix[:-1] + "[].")


def used_keys(value: Any, known: set[str], prefix: str = "") -> Iterator[str]:
    """Yield the path of each key in an example that the schema knows."""
    if isinstance(value, list):
        for item in value:
            yield from used_keys(item, known, prefix[:-1] + "[].")
    elif isinstance(value, dict):
        for name, below in value.items():
            path = f"{prefix}{name}" if f"{prefix}{name}" in known else f"{prefix}*"
            yield from {path} & known
            yield from used_keys(below, known, path + ".")


def described(page: str) -> set[str]:
    """Return the keys that the definition lists of a page describe, with the path in the heading before them."""
    found, prefix = set[str](), ""
    for line, following in zip(page.splitlines(), [*page.splitlines()[1:], ""], strict=True):
        if re.match("##+ ", line):
            prefix = f"{match[1]}." if (match := re.search("`(.+)`", line)) else ""
        elif following.startswith(":   "):
            found.update(prefix + key for key in re.findall("`([^`]+)`", line.partition(" · ")[0]))
    return found


@pytest.mark.parametrize(("page", "kind", "part"), [("catalogue", "catalogue", ""), ("rule", "rules", "rule")])
def test_a_reference_describes_each_key_and_shows_it(page: str, kind: str, part: str) -> None:
    schema = json.loads((PACKAGE / "schemas" / f"{kind}.schema.json").read_text())
    whole = schema["$defs"][part] if part else schema
    keys = set(schema_keys(whole, schema)) - {"examples.*"}
    if kind == "rules":
        keys |= {key for key in schema_keys(schema, schema) if key.startswith("removed")}
    shown = set[str]()
    engines = "## Reference" + text("engines.md").partition("## Reference")[2]
    reference = text(f"{page}-file.md") + (engines if page == "catalogue" else "")
    for block in BLOCK.finditer(reference):
        example = yaml.safe_load(block["body"]) if block["kind"] == "yaml" else {}
        if {"$schema", "rules", "removed"} & example.keys():
            jsonschema.validate(example, schema)
        if "removed" in example:
            shown.update(used_keys(example, keys))
            continue
        for each in example.get("rules", [example]) if part else [example]:
            shown.update(used_keys(each, keys))
            errors = jsonschema.Draft202012Validator(whole | {"$defs": schema["$defs"]}).iter_errors(each)
            assert [error.message for error in errors if error.absolute_path or error.validator != "required"] == []
    assert described(reference) - {"$schema", "rules"} == keys - {"$schema"}
    assert keys - shown == {"$schema"} & keys


def test_each_verdict_and_each_kind_of_fault_has_a_section() -> None:
    kinds = {
        call.args[1].value
        for file in PACKAGE.rglob("*.py")
        for call in ast.walk(ast.parse(file.read_text()))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "").lower().endswith("fault") and len(call.args) > 1
        if isinstance(call.args[1], ast.Constant) and re.fullmatch("[a-z-]+", str(call.args[1].value))
    }
    assert set(re.findall("^### `(.+?)`", text("verdicts.md"), re.MULTILINE)) == kinds | set(Outcome)


def test_each_option_is_described_and_no_other() -> None:
    known = {"--version", "--help", "--strict", "--constraint"}  # the last two are of MkDocs and pip
    for name, command in main.commands.items():
        section = text("command.md").partition(f"\n## `rulebook {name} ")[2].partition("\n## ")[0]
        options = {param.opts[0] for param in command.params if isinstance(param, click.Option)}
        assert set(re.findall("^`(--[a-z-]+)", section, re.MULTILINE)) == options
        known |= options
    for page in PAGES:
        if page.stem != "engines":  # it shows the commands of other programs
            assert set(re.findall(r"(?<![\w-])--(?!rb-)[a-z][a-z-]+", page.read_text())) <= known, page.name
    section = text("site.md").partition("## Options")[2].partition("\n## ")[0]
    assert described(section) == set(dict(RulebookConfig._schema))


def test_each_name_that_checks_and_templates_use_is_described() -> None:
    members = {f"{cls.__name__.lower()}.{name}" for cls in (api.Node, api.Document) for name in vars(cls)}
    public = {name for name in members if "._" not in name}
    assert public <= {name.partition("(")[0] for name in re.findall(r"`([\w.]+(?:\(.*?\))?)`", text("checks.md"))}
    for template in (PACKAGE / "pages" / "templates").glob("*.jinja"):
        blocks = set(re.findall(r"{% block (\w+)", template.read_text()))
        if blocks:
            section = text("templates.md").partition(f"`{template.name}`\n")[2].split("\n\n")[0]
            assert blocks <= set(re.findall("`([^`]+)`", section)), template.name


def test_all_links_and_anchors_of_the_site_hold(tmp_path: Path) -> None:
    """The strict build without what takes long and changes no link: Python checks, search, the larger theme."""
    plugin = {"catalogues": [str(path.parent) for path in sorted(ROOT.glob("rules/*/catalogue.yaml"))]}
    config = {"INHERIT": str(ROOT / "mkdocs.yml"), "docs_dir": str(ROOT / "docs"), "theme": {"name": "mkdocs"}}
    plugins = [{"rulebook": plugin | {"allow_code": False, "on_failure": "page"}}]
    (tmp_path / "mkdocs.yml").write_text(yaml.safe_dump(config | {"plugins": plugins}))
    command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    environment = ENVIRONMENT | {"PYTHONPATH": PATH}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, re.findall("(?:WARNING|ERROR).*(?:\n  .*)*", done.stderr)
