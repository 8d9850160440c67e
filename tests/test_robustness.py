"""Whatever stands in a catalogue, checking it ends in faults or in success, and never in an exception."""

from __future__ import annotations

import copy
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import write
from mkdocs_rulebook.outputs import github, text
from mkdocs_rulebook.project import check

CATALOGUE = """
title: Rules
edition: '1'
summary: Some.
owners: {t: {title: Tests, url: 'https://example.com/'}}
fixtures: {root: fixtures, groups: {ok: clean, bad: failing, warn: warning}}
source: {url: 'https://example.com/{ref}/{path}', ref: v1, root: ..}
specs:
  spec: {pages: spec, extensions: [toc, attr_list]}
  far: {url: 'https://example.com/', anchors: ['a#b']}
facets: [{key: surface, label: Surface, empty: any}]
tiers: {'1': Best}
references: $ref
policy: {must: {examples: [invalid, valid]}}
draft: https://json-schema.org/draft/2020-12/schema
formats: true
time_limit: 5
"""
RULES = """
rules:
  - id: t.name
    title: Name it
    summary: A summary.
    requirement: A name is text, see `t.other`.
    level: must
    facets: {surface: [a, b]}
    required_by:
      - {text: Section 1, note: Yes., anchors: ['spec:page#one', 'far:a#b']}
    based_on: [{tier: 1, text: A source, url: 'https://example.com/'}]
    notes: Some.
    since: '1'
    deprecated: '2'
    replaced_by: t.other
    aliases: [t.old]
    check:
      select: [$.name, '$.list[*].name']
      when: {not: {const: null}}
      schema:
        type: string
        pattern: '^\\p{L}+$'
        allOf: [{$ref: '#/$defs/x'}, {$ref: 'schemas/part.json#/$defs/y'}]
        $defs: {x: {minLength: 1}}
      follow: true
      message: Name it.
      unchecked: The meaning.
    examples:
      invalid:
        - id: bad
          title: Bad
          note: Yes.
          fixture: bad/a.json
          pointer: /name
          show: [/list]
          expect: {pointer: '', keyword: type, names: []}
          fix: [{op: replace, path: '', value: x}]
        - id: ref
          fixture: bad/a.json
          pointer: /list/0
          known: {verdict: elsewhere, reason: Later., issue: 'https://example.com/'}
      valid:
        - {id: good, fixture: ok/a.json, pointer: /name, breaks: []}
      inapplicable:
        - {id: none, fixture: ok/b.yaml}
  - id: t.other
    title: Other
    requirement: Be it.
    level: should
    check: {select: $.note, schema: {type: string, maxLength: 3}}
    examples: {invalid: [{id: long, fixture: warn/a.json, pointer: /note}]}
  - {id: t.unverified, title: U, requirement: U, level: may, check: {none: Nobody can tell.}}
"""
FILES = {
    "schemas/part.json": '{"$id": "https://example.com/part", "$defs": {"y": {"type": "string"}}}',
    "spec/page.md": "# Page\n\n## One {#one}\n",
}
FIXTURES = {
    "bad/a.json": '{"name": 1, "list": [{"$ref": "#/part"}], "part": {"name": "x"}}',
    "ok/a.json": '{"name": "x"}',
    "ok/b.yaml": "other: 1\n",
    "warn/a.json": '{"note": "long"}',
    "bad.json": None,
    "good.json": None,
}

GOOD_CATALOGUE: Any = yaml.safe_load(CATALOGUE)
GOOD_RULES: Any = yaml.safe_load(RULES)
GOOD_VALUES: list[tuple[str, Any]] = [
    *((f"fixtures/{name}", yaml.safe_load(source)) for name, source in FIXTURES.items() if source),
    ("schemas/part.json", json.loads(FILES["schemas/part.json"])),
]

Path_ = tuple[str | int, ...]


def paths(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    yield path
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in members:
        yield from paths(item, (*path, key))


ODD: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    1.5,
    10**400,
    "",
    " ",
    "x",
    "\0",
    "\n",
    "a/b",
    "/",
    "/~2",
    "../..",
    "x" * 300,
    "é☃😀",
    "$",
    "$..*",
    "$[?(@.a==b)]",
    "$[?match(@.a, '(')]",
    "(",
    "\\p{L}",
    "#",
    "#/",
    "#/rules",
    "http://[",
    "https://example.com/x",
    "file:///etc/passwd",
    "urn:x",
    "{}",
    "{{ x }}",
    "t.name",
    "t.nope",
    "spec:none#x",
    "spec:page#none",
    "m:f",
    [],
    [[]],
    {},
    {"": {}},
    {"$ref": "#"},
    {"$ref": "#/x"},
    {"$ref": 5},
    {"$id": "x"},
    {"type": "nope"},
    {"pattern": "("},
    {"const": {"$ref": "x"}},
    {"not": {}},
    {"items": [1]},
    {"$schema": "urn:x"},
    ["invalid", "valid"],
    [{"op": "remove", "path": ""}],
    {"a": [{"b": None}]},
]
"""Values that are wrong almost everywhere, and right somewhere."""


def mutate(data: st.DataObject, document: Any) -> Any:
    """Delete, replace, rename, wrap, repeat or swap a node, up to three times."""
    document = copy.deepcopy(document)
    for _ in range(data.draw(st.integers(1, 3))):
        places = [path for path in paths(document) if path]
        if not places:
            return document
        *around, last = data.draw(st.sampled_from(places))
        holder: Any = _at(document, tuple(around))
        action = data.draw(st.sampled_from(["delete", "replace", "other", "rename", "wrap", "repeat"]))
        if action == "delete":
            del holder[last]
        elif action == "replace":
            holder[last] = copy.deepcopy(data.draw(st.sampled_from(ODD)))
        elif action == "other":
            holder[last] = copy.deepcopy(_at(document, data.draw(st.sampled_from(places))))
        elif action == "rename" and isinstance(holder, dict):
            holder[data.draw(st.sampled_from(["", "x", "$ref", "$schema", "id", "check", "é"]))] = holder.pop(last)
        elif action == "wrap":
            holder[last] = [holder[last]] if data.draw(st.booleans()) else {"x": holder[last]}
        elif isinstance(holder, list):
            holder.append(copy.deepcopy(holder[-1]))
    return document


def _at(value: Any, path: Path_) -> Any:
    for part in path:
        value = value[part]
    return value


def check_it(catalogue: Any, rules: Any, files: Any = None) -> None:
    base = Path(tempfile.mkdtemp())
    try:
        folder = write(
            base / "cat",
            fixtures=FIXTURES,
            files={
                **FILES,
                "catalogue.yaml": json.dumps(catalogue, indent=1),
                "rules.yaml": json.dumps(rules, indent=1),
                **(files or {}),
            },
        )
        project = check([folder], allow_code=False)
        assert all(fault.message and fault.kind for fault in project.faults)
        lines = [*text.lines(project.faults, base), *github.lines(project.faults, base)]
        assert all("\n" not in line for line in lines)
        assert all(line.encode() for line in lines)
        assert text.summary(project.reports, project.faults)
    finally:
        shutil.rmtree(base)


TRIES = int(os.environ.get("RULEBOOK_FUZZ", "40"))
"""How many catalogues each test spoils; set RULEBOOK_FUZZ to 5000 for a thorough search."""

QUICK = settings(max_examples=TRIES, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def test_the_catalogue_that_is_going_to_be_spoilt_has_no_fault_of_its_own(tmp_path: Path) -> None:
    files = {**FILES, "catalogue.yaml": CATALOGUE, "rules.yaml": RULES}
    project = check([write(tmp_path / "cat", fixtures=FIXTURES, files=files)])
    assert [text.fault_line(fault, tmp_path) for fault in project.faults] == []


@given(st.data())
@QUICK
def test_no_rule_file_leads_to_an_exception(data: st.DataObject) -> None:
    check_it(GOOD_CATALOGUE, mutate(data, GOOD_RULES))


@given(st.data())
@QUICK
def test_no_catalogue_file_leads_to_an_exception(data: st.DataObject) -> None:
    check_it(mutate(data, GOOD_CATALOGUE), GOOD_RULES)


@given(st.data())
@QUICK
def test_no_fixture_or_schema_leads_to_an_exception(data: st.DataObject) -> None:
    name, value = data.draw(st.sampled_from(GOOD_VALUES))
    check_it(GOOD_CATALOGUE, GOOD_RULES, files={name: json.dumps(mutate(data, value))})


@given(st.data(), st.sampled_from(["catalogue.yaml", "rules.yaml", "fixtures/ok/b.yaml", "schemas/part.json"]))
@QUICK
def test_no_text_leads_to_an_exception(data: st.DataObject, name: str) -> None:
    source = {"catalogue.yaml": CATALOGUE, "rules.yaml": RULES, **FILES}.get(name, "other: 1\n")
    at = data.draw(st.integers(0, len(source)))
    drop = data.draw(st.integers(0, 30))
    put = data.draw(
        st.one_of(
            st.text(max_size=5),
            st.sampled_from(["\t", "&a ", "*a", "<<: *a", "- ", ": ", "!!str ", "|", "'", '"', "{", "]", "\r"]),
        )
    )
    spoilt = (source[:at] + put + source[at + drop :]).encode("utf-8", "surrogatepass")
    check_it(GOOD_CATALOGUE, GOOD_RULES, files={name: spoilt})


@given(
    st.binary(max_size=200),
    st.sampled_from(["catalogue.yaml", "rules.yaml", "fixtures/ok/b.yaml", "fixtures/ok/a.json", "spec/page.md"]),
)
@QUICK
def test_no_bytes_lead_to_an_exception(content: bytes, name: str) -> None:
    check_it(GOOD_CATALOGUE, GOOD_RULES, files={name: content})


@given(st.text(alphabet="$.[]?@*'\"():,0123456789-abé \\&|!=<>matchlengthvalue", max_size=25))
@settings(QUICK, max_examples=2 * TRIES)
def test_no_jsonpath_leads_to_an_exception(query: str) -> None:
    rules = {
        "rules": [
            {
                "id": "t.x",
                "title": "X",
                "requirement": "X",
                "level": "may",
                "check": {"select": "$" + query, "schema": True},
            }
        ]
    }
    check_it({**GOOD_CATALOGUE, "specs": {}}, rules)


POINTER = st.sampled_from(
    ["", "/name", "/list", "/list/0", "/list/-", "/list/7", "/part/name", "/none/x", "/", "/name/x"]
)
OPERATION: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"op": st.sampled_from(["add", "remove", "replace", "move", "copy", "test"]), "path": POINTER},
    optional={"from": POINTER, "value": st.sampled_from([None, 1, "x", [], {"name": "x"}])},
)


@given(st.lists(OPERATION, min_size=1, max_size=4), st.sampled_from(["", "/list", "/part", "/name"]))
@QUICK
def test_no_patch_leads_to_an_exception(patch: Any, pointer: str) -> None:
    rules = copy.deepcopy(GOOD_RULES)
    rules["rules"][0]["check"] = {"select": "$", "schema": False}
    rules["rules"][0]["examples"] = {
        "invalid": [{"id": "x", "fixture": "bad/a.json", "pointer": pointer, "fix": patch}]
    }
    check_it(GOOD_CATALOGUE, rules)


@pytest.mark.parametrize("depth", [100, 300, 480])
@pytest.mark.parametrize("place", ["schema", "when", "fix", "const"])
def test_nothing_that_nests_deep_leads_to_an_exception(depth: int, place: str) -> None:
    deep: Any = True
    for _ in range(depth):
        deep = {"not": deep}
    rules = copy.deepcopy(GOOD_RULES)
    first = rules["rules"][0]
    if place == "fix":
        first["examples"]["invalid"][0]["fix"] = [
            {"op": "add", "path": "", "value": deep},
            {"op": "copy", "from": "", "path": "/x"},
        ]
    else:
        first["check"] = {
            "select": "$",
            "schema": True,
            **({"schema": {"const": deep}} if place == "const" else {place: deep}),
        }
    check_it(GOOD_CATALOGUE, rules)
