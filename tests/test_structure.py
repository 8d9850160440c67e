"""Which module may import which: data flows one way, and nothing but the adapter knows MkDocs."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import mkdocs_rulebook

FRONT = "mkdocs_rulebook"
"""The package itself: it hands on what checks are written with, and tells everybody the version."""

HOME = Path(mkdocs_rulebook.__file__).parent
ORDER = ("model", "pointer", "source", "checks", "verify", "pages", "outputs", "site", "plugin")
"""Stations on the way of the data; no module of one imports a module of a later one."""


def name_of(path: Path) -> str:
    parts = path.relative_to(HOME.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): ast.parse(path.read_text("utf-8")) for path in sorted(HOME.rglob("*.py"))}


def imports(tree: ast.Module) -> set[str]:
    """Return what a module imports, also only for its types; for a name in a package, the module if it is one."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in MODULES else node.module for name in inner}
    return found


GRAPH = {name: imports(tree) for name, tree in MODULES.items()}


def test_only_the_adapter_imports_mkdocs() -> None:
    importing = {name for name, found in GRAPH.items() if any(each.partition(".")[0] == "mkdocs" for each in found)}
    assert importing == {f"{FRONT}.plugin", f"{FRONT}.mkdocs_files"}


def test_nothing_imports_properdocs() -> None:
    assert not any(each.startswith("properdocs") for found in GRAPH.values() for each in found)


@pytest.mark.parametrize("station", ORDER)
def test_no_module_imports_a_later_station(station: str) -> None:
    own = {name for name in MODULES if name.split(".")[1:2] == [station]}
    later = ORDER[ORDER.index(station) + 1 :]
    assert own
    reached, waiting = set[str](), list(own)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += [each for each in GRAPH.get(name, ()) if each in MODULES and each != FRONT]
    assert sorted(name for name in reached if name.split(".")[1:2] and name.split(".")[1] in later) == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    left = {name: found & MODULES.keys() - {name, FRONT} for name, found in GRAPH.items() if name != FRONT}
    while ends := {name for name, found in left.items() if not found & left.keys()}:
        left = {name: found for name, found in left.items() if name not in ends}
    assert sorted(left) == []
