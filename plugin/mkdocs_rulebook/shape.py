"""Holds a file that an author wrote against the published JSON Schema of its kind, and words what does not fit."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from functools import cache
from importlib import resources

import jsonschema_rs

from mkdocs_rulebook.checks.messages import names_in_words
from mkdocs_rulebook.checks.schema_engine import SchemaEngine
from mkdocs_rulebook.checks.schemas import DRAFT_2020_12, Schemas
from mkdocs_rulebook.checks.view import View
from mkdocs_rulebook.model import JSON, Fault, Finding, SchemaCheck
from mkdocs_rulebook.pointer import tokens
from mkdocs_rulebook.source import Source

_ENGINE = SchemaEngine(Schemas({}, DRAFT_2020_12))


_NO_TEXT = "holds U+0000, which no text may hold"
_NO_NAME = (
    "cannot be the name of a file: it needs a character other than dots, and has no slash, no backslash, "
    "no control character, and none that turns the direction of text"
)


@cache
def schema(kind: str) -> JSON:
    """Return the published JSON Schema of a kind of file: `catalogue` or `rules`."""
    text = resources.files("mkdocs_rulebook").joinpath(f"schemas/{kind}.schema.json").read_text(encoding="utf-8")
    return json.loads(text)


@cache
def _quick(kind: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(schema(kind))


@cache
def _check(kind: str) -> SchemaCheck:
    return SchemaCheck(select=("$",), schema=schema(kind))


def faults(source: Source, kind: str) -> Iterator[tuple[str, Fault]]:
    """Yield the pointer and a fault for each node of a file that is not of the shape that its kind has."""
    if _quick(kind).is_valid(source.value):
        return  # a yes from the fast engine is enough; the places and reasons of a no come from the other
    run = _ENGINE.run("", _check(kind), View(source.value))
    unknown = {finding.pointer for finding in run.findings if finding.keyword == "additionalProperties"}
    formless = {finding.pointer for finding in run.findings if finding.keyword == "oneOf"}
    for finding in run.findings:
        if finding.keyword == "oneOf" and any(pointer.startswith(finding.pointer + "/") for pointer in unknown):
            continue  # the misspelt key is why no form fits
        if finding.keyword == "properties" and finding.pointer.rpartition("/")[0] in formless:
            continue  # said already: the forms that a check may have
        yield finding.pointer, Fault(source.place(finding.pointer), "catalogue", _words(finding, schema(kind)))


def _words(finding: Finding, root: JSON) -> str:
    path = tokens(finding.pointer)
    where = f"`{path[-1]}`" if path else "the file"
    if path and path[-1].isdigit():
        where = f"item {int(path[-1]) + 1} of `{next((p for p in reversed(path) if not p.isdigit()), 'the list')}`"
    if finding.keyword == "additionalProperties":
        return f"unknown key `{finding.names[0]}`{_nearest(finding.names[0], _known_keys(root, path[:-1]))}"
    if finding.keyword == "oneOf" and path and path[-1] == "check":
        return "a check has either `select` and `schema`, or `python`, or `engine` and `code`, or `none`"
    if finding.keyword == "anyOf" and path[:1] == ("specs",):
        return f"{where} has neither `pages` nor `url`"
    if finding.keyword == "anyOf" and not path:
        return "the file has neither `rules` nor `removed`"
    if finding.keyword == "anyOf":
        return f"{where} is neither a text nor a list of texts"
    if finding.keyword == "enum":
        return f"{where} {finding.message}"
    if finding.keyword == "required":
        return f"{where} lacks the field {names_in_words(finding.names)}"
    if finding.message.endswith("not a string") and "a number" in finding.message:
        return f"{where} {finding.message}; put it in quotes"
    if finding.keyword == "pattern" and "u0000" in _walk(root, path).get("pattern", ""):
        return f"{where} {_NO_NAME if path[-1] == 'name' else _NO_TEXT}"
    hint = _described(root, path)
    return f"{where} {finding.message}" + (f" ({hint})" if hint and finding.keyword == "pattern" else "")


def _nearest(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    if close:
        return f"; did you mean `{close[0]}`?"
    return f"; known here: {', '.join(sorted(known))}"


def _walk(root: JSON, path: tuple[str, ...]) -> JSON:
    """Follow a path of the file through the schema; enough of JSON Schema for the schemas of this package."""
    node = _resolved(root, root)
    for part in path:
        found = node.get("properties", {}).get(part)
        if found is None and part.isdigit():
            found = node.get("items")
        if found is None:
            found = node.get("additionalProperties")
        if not isinstance(found, dict):
            return {}
        node = {**_resolved(root, found), **{k: v for k, v in found.items() if k == "description"}}
    return node


def _resolved(root: JSON, node: JSON) -> JSON:
    target = node.get("$ref")
    return root["$defs"][target.rsplit("/", 1)[1]] if target else node


def _known_keys(root: JSON, path: tuple[str, ...]) -> list[str]:
    return list(_walk(root, path).get("properties", {}))


def _described(root: JSON, path: tuple[str, ...]) -> str:
    return str(_walk(root, path).get("description", "")).rstrip(".")
