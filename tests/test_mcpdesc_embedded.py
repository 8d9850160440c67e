"""Schemas that an MCP Description embeds: what is certain, and what hangs on a reference that nobody follows."""

from __future__ import annotations

import importlib
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from mkdocs_rulebook.checks.api import Document
from mkdocs_rulebook.checks.view import View

sys.path.append(str(Path(__file__).parents[1]))
embedded: Any = importlib.import_module("rules.mcpdesc.checks.embedded")
vocabulary: Any = importlib.import_module("rules.mcpdesc.checks._vocabulary")

WEB = {"$ref": "https://schemas.example/a.json"}
TEXT = {"type": "string"}
NUMBER = {"type": "integer"}
DRAFT_07 = {"$schema": "http://json-schema.org/draft-07/schema#"}


@pytest.mark.parametrize(
    ("schema", "value", "reasons", "gap"),
    [
        (WEB, 1, [], True),
        ({"not": WEB}, 1, [], True),
        ({"not": {**WEB, **TEXT}}, 1, [], False),
        ({"not": {}}, 1, ["not"], False),
        ({"anyOf": [WEB, TEXT]}, 1, [], True),
        ({"anyOf": [WEB, NUMBER]}, 1, [], False),
        ({"anyOf": [{**WEB, **TEXT}, TEXT]}, 1, ["any-of"], False),
        ({"oneOf": [WEB, NUMBER]}, 1, [], True),
        ({"oneOf": [{**WEB, **TEXT}, NUMBER]}, 1, [], False),
        ({"oneOf": [WEB, NUMBER, {"type": "number"}]}, 1, ["one-of"], False),
        ({"if": WEB, "then": False, "else": False}, 1, [], True),
        ({"if": TEXT, "then": WEB, "else": {"minimum": 2}}, 1, ["minimum"], False),
        ({"contains": WEB, "maxContains": 1}, [1, 2], [], True),
        ({"contains": TEXT, "minContains": 2}, ["a", 1], ["contains"], False),
        ({**DRAFT_07, "contains": TEXT, "minContains": 2}, ["a", 1], [], False),
        ({**WEB, "unevaluatedProperties": False}, {"a": 1}, [], True),
        ({"unevaluatedProperties": False}, {"a": 1}, ["unevaluated-properties"], False),
        ({"properties": {"a": WEB}}, {"b": 1}, [], False),
        ({"$defs": {"n": {"$anchor": "n", **NUMBER}}, "$ref": "#n"}, "x", ["type"], False),
        ({"$id": "https://me.example/s", "$defs": {"n": {"$id": "n", **NUMBER}}, "$ref": "n"}, "x", ["type"], False),
        ({"multipleOf": Decimal("0.1")}, Decimal("0.3"), [], False),
        (NUMBER, Decimal("1.0"), [], False),
    ],
)
def test_judge(schema: dict[str, Any], value: Any, reasons: list[str], gap: bool) -> None:
    judgement = embedded.judge(schema, value)
    assert judgement.decided
    assert [mismatch.reason for mismatch in judgement.mismatches] == reasons
    assert bool(judgement.gaps) == gap


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"type": "text"},
        {"pattern": "("},
        {"$schema": "https://json-schema.org/draft/2019-09/schema"},
        {"$schema": 7},
    ],
)
def test_a_schema_that_cannot_be_applied_decides_nothing(schema: dict[str, Any]) -> None:
    assert embedded.judge(schema, "x") == embedded.Judgement(decided=False)


def test_mismatches_lie_at_the_deepest_node() -> None:
    closed = {"properties": {"a": {"items": NUMBER}}, "additionalProperties": False, "required": ["c"]}
    found = {
        (fault.path, fault.reason, fault.names) for fault in embedded.judge(closed, {"a": [1, "x"], "b": 1}).mismatches
    }
    assert found == {
        (("a", 1), "type", ()),
        (("b",), "additional-properties", ("b",)),
        ((), "required", ("c",)),
    }


def test_faults_lie_at_the_deepest_node() -> None:
    schema = {**DRAFT_07, "items": {"properties": {"a": {"enum": 3}}}, "properties": {"b": {"pattern": "["}}}
    assert [(fault.path, fault.reason) for fault in embedded.faults(schema)] == [
        (("items", "properties", "a", "enum"), "meta-schema"),
        (("properties", "b", "pattern"), "bad-pattern"),
    ]


def test_references() -> None:
    schema = {
        "$defs": {"a": NUMBER, "b": {"$ref": "https://schemas.example/b.json"}},
        "allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/A"}, {"$ref": "#/$defs"}, {"$ref": "#/required/0"}],
        "required": ["x"],
        "properties": {"$ref": {"const": {"$ref": "#/nothing"}}},
    }
    states = {node.pointer: state for node, state in embedded.references(Document(View(schema)).root)}
    assert states == {
        "/$defs/b/$ref": vocabulary.OUTSIDE,
        "/allOf/0/$ref": vocabulary.FOUND,
        "/allOf/1/$ref": vocabulary.MISSING,
        "/allOf/2/$ref": vocabulary.FOUND,  # an object without keywords of JSON Schema is a schema
        "/allOf/3/$ref": vocabulary.NO_SCHEMA,
    }


def test_the_common_part_keeps_what_all_drafts_mean_alike() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "integer", "minimum": 3, "exclusiveMinimum": True}, "b": {"$ref": "#", **TEXT}},
        "required": ["a"],
        "additionalProperties": False,
    }
    part = embedded.common_part(schema)
    assert embedded.judge(part, {"a": 1, "b": 2}).mismatches == ()
    assert {fault.reason for fault in embedded.judge(part, {"c": 2}).mismatches} == {
        "additional-properties",
        "required",
    }
