"""JSON Schema checks: the same findings whatever the engine, in every draft, with no network."""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NoReturn

import pytest

import conftest
from conftest import Checked, Run
from mkdocs_rulebook.checks.keywords import MAX_EXPONENT
from mkdocs_rulebook.checks.patterns import is_universal
from mkdocs_rulebook.checks.schema_engine import SchemaEngine
from mkdocs_rulebook.checks.schemas import DRAFT_2020_12, SchemaFault, Schemas
from mkdocs_rulebook.checks.subschemas import untyped_objects
from mkdocs_rulebook.checks.view import View
from mkdocs_rulebook.model import JSON, Finding, SchemaCheck
from mkdocs_rulebook.source import read

DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema"
DRAFT_7 = "http://json-schema.org/draft-07/schema"
DRAFT_6 = "http://json-schema.org/draft-06/schema"
DRAFT_4 = "http://json-schema.org/draft-04/schema"


@pytest.fixture(params=["jsonschema", "jsonschema-rs"], autouse=True)
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let each test be decided by one library, then by the other; a catalogue that names none gets it too."""
    monkeypatch.setattr(sys.modules[__name__], "LIBRARY", request.param)
    monkeypatch.setattr(conftest, "CATALOGUE", {**conftest.CATALOGUE, "schema_engine": request.param})
    return str(request.param)


LIBRARY = ""


def engine(local: Mapping[str, JSON] = {}, draft: str = DRAFT_2020_12, formats: bool = False) -> SchemaEngine:
    return SchemaEngine(Schemas(local, draft, formats), LIBRARY)


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail at any attempt to connect."""

    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def run_schema(
    schema: JSON, value: JSON, *, local: Mapping[str, JSON] = {}, draft: str = DRAFT_2020_12, formats: bool = False
) -> tuple[Finding, ...]:
    check = SchemaCheck(("$",), schema, base="file:///cat/rules.yaml")
    run = engine(local, draft, formats).run("t.name", check, View(value))
    assert run.error == ""
    return run.findings


def found(schema: JSON, value: JSON, **options: Any) -> list[tuple[str, str, tuple[str, ...], str]]:
    return [(f.pointer, f.keyword, f.names, f.message) for f in run_schema(schema, value, **options)]


def refused(schema: JSON, **options: Any) -> SchemaFault:
    with pytest.raises(SchemaFault) as caught:
        Schemas(options.pop("local", {}), options.pop("draft", DRAFT_2020_12)).usable(schema, "file:///cat/r.yaml")
    return caught.value


def numbers(text: str) -> JSON:
    """Read JSON as fixtures are read: with decimal numbers."""
    return json.loads(text, parse_float=Decimal)


FORBIDDEN = "is not allowed here"


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"properties": {"a": False}}, {"a": 1}, ("/a", "properties", ("a",), FORBIDDEN)),
        ({"patternProperties": {"^a": False}}, {"ab": 1}, ("/ab", "patternProperties", ("ab",), FORBIDDEN)),
        ({"additionalProperties": False}, {"a": 1}, ("/a", "additionalProperties", ("a",), FORBIDDEN)),
        ({"unevaluatedProperties": False}, {"a": 1}, ("/a", "unevaluatedProperties", ("a",), FORBIDDEN)),
        ({"propertyNames": False}, {"a": 1}, ("/a", "propertyNames", ("a",), FORBIDDEN)),
        ({"prefixItems": [True, False]}, [1, 2], ("/1", "prefixItems", (), FORBIDDEN)),
        ({"prefixItems": [True], "items": False}, [1, 2], ("/1", "items", (), FORBIDDEN)),
        ({"prefixItems": [True], "unevaluatedItems": False}, [1, 2], ("/1", "unevaluatedItems", (), FORBIDDEN)),
        ({"$schema": DRAFT_2019, "items": False}, [1], ("/0", "items", (), FORBIDDEN)),
        ({"$schema": DRAFT_2019, "items": [True], "unevaluatedItems": False}, [1, 2], ("/1", "unevaluatedItems")),
        ({"$schema": DRAFT_7, "items": [True, False]}, [1, 2], ("/1", "items", (), FORBIDDEN)),
        ({"$schema": DRAFT_6, "items": False}, [1], ("/0", "items", (), FORBIDDEN)),
        ({"$schema": DRAFT_4, "items": [{}], "additionalItems": False}, [1, 2], ("/1", "additionalItems")),
        ({"$defs": {"no": False}, "properties": {"a": {"$ref": "#/$defs/no"}}}, {"a": 1}, ("/a", "properties")),
        ({"if": True, "then": False}, 1, ("", "then", (), FORBIDDEN)),
        ({"if": False, "else": {"type": "string"}}, 1, ("", "type", (), "is a number, not a string")),
        (False, 1, ("", "false", (), FORBIDDEN)),
        ({"allOf": [False]}, 1, ("", "allOf", (), FORBIDDEN)),
    ],
)
def test_a_schema_of_false_fails_at_the_node_that_it_forbids(schema: JSON, value: JSON, expected: Any) -> None:
    (only,) = found(schema, value)
    assert only[: len(expected)] == expected


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"required": ["b", "a"]}, {}, ("", "required", ("a", "b"), "lacks `a` and `b`")),
        ({"required": ["a", "b", "c"]}, {"b": 1}, ("", "required", ("a", "c"), "lacks `a` and `c`")),
        (
            {"dependentRequired": {"a": ["b", "c"], "x": ["y"]}},
            {"a": 1, "c": 2},
            ("", "dependentRequired", ("b",), "lacks `b`"),
        ),
        (
            {"propertyNames": {"maxLength": 1}},
            {"ab": 1},
            ("/ab", "maxLength", ("ab",), "has 2 characters, more than 1"),
        ),
        ({"type": ["integer", "null"]}, "x", ("", "type", (), "is a string, not an integer or null")),
        ({"const": False}, True, ("", "const", (), "is `true`, not `false`")),
        ({"enum": [False]}, 0, ("", "enum", (), "is `0`, not one of `false`")),
        (
            {"enum": list("abcdefghijk")},
            "z",
            ("", "enum", (), f'is `"z"`, not one of {", ".join(f"`{json.dumps(c)}`" for c in "abcdefgh")} …'),
        ),
        ({"not": {"type": "number"}}, 1, ("", "not", (), "is `1`, which is ruled out here")),
        ({"anyOf": [{"type": "string"}, False]}, 1, ("", "anyOf", (), "fits none of the 2 forms that it may have")),
        ({"oneOf": [True, True]}, 1, ("", "oneOf", (), "does not fit exactly one of the 2 forms that it may have")),
        ({"not": {"minItems": 1}}, [1], ("", "not", (), "is what the rule forbids")),
        ({"contains": {"const": "x"}}, [1], ("", "contains", (), 'does not contain `"x"`')),
        ({"contains": {"type": "string"}}, [1], ("", "contains", (), "has no item of the kind that it must contain")),
        ({"contains": True, "maxContains": 2}, [1, 2, 3], ("", "maxContains")),
        ({"contains": True, "minContains": 4}, [1, 2, 3], ("", "minContains")),
        ({"uniqueItems": True}, [1, 2, 1], ("", "uniqueItems", (), "has two equal items")),
        ({"minItems": 2}, [1], ("", "minItems", (), "has 1 item, fewer than 2")),
        ({"maxProperties": 0}, {"a": 1}, ("", "maxProperties", (), "has 1 member, more than 0")),
        ({"minLength": 2}, "😀", ("", "minLength", (), "has 1 character, fewer than 2")),
        ({"minimum": 2}, 1, ("", "minimum", (), "is `1`, less than 2")),
        ({"exclusiveMaximum": 1}, 1, ("", "exclusiveMaximum", (), "is `1`, not less than 1")),
        ({"multipleOf": 2}, 3, ("", "multipleOf", (), "is `3`, not a multiple of 2")),
        ({"pattern": "^a"}, "b", ("", "pattern", (), 'is `"b"`, which does not match the pattern `^a`')),
        ({"properties": {"properties": {"required": ["a"]}}}, {"properties": {}}, ("/properties", "required", ("a",))),
        ({"properties": {"if": {"type": "string"}}}, {"if": 1}, ("/if", "type")),
    ],
)
def test_a_finding_is_worded_here_and_named_by_the_last_keyword(schema: JSON, value: JSON, expected: Any) -> None:
    (only,) = found(schema, value)
    assert only[: len(expected)] == expected


@pytest.mark.parametrize(
    ("dependencies", "value", "expected"),
    [
        ({"a": ["b"], "c": True}, {"a": 1, "c": 1}, [("", "dependencies", ("b",))]),
        (
            {"a": ["b"], "c": {"required": ["d"]}},
            {"a": 1, "c": 1},
            [("", "dependencies", ("b",)), ("", "required", ("d",))],
        ),
        ({"a": False}, {"a": 1}, [("", "dependencies", ())]),
    ],
)
def test_the_old_dependencies_may_be_names_schemas_or_booleans(dependencies: JSON, value: JSON, expected: Any) -> None:
    assert [one[:3] for one in found({"$schema": DRAFT_7, "dependencies": dependencies}, value)] == expected


def test_one_keyword_that_fails_for_several_names_is_one_finding() -> None:
    assert len(run_schema({"required": ["a", "b", "c"]}, {})) == 1


def test_findings_come_sorted_by_place_and_keyword() -> None:
    schema = {"properties": {"b": {"type": "string", "minimum": 5}, "a": {"type": "string"}}, "required": ["c"]}
    assert [one[:2] for one in found(schema, {"b": 1, "a": 1})] == [
        ("", "required"),
        ("/a", "type"),
        ("/b", "minimum"),
        ("/b", "type"),
    ]


@pytest.mark.parametrize(
    ("pattern", "matching", "other"),
    [
        (r"^\p{L}+$", "Ærø", "a1"),
        (r"^(?<year>\d{4})-\k<year>$", "2024-2024", "2024-2025"),
        (r"^\d$", "1", "١"),  # unlike Python's, ECMA's \d is ASCII
        (r"^.$", "😀", "ab"),  # the flag u: one character, not two halves
        (r"^a$", "a", "a\n"),  # unlike Python's, $ is the end and no line feed before it
        (r"^[^]$", "\n", ""),
        (r"^\u{1F600}$", "😀", "u"),
        (r"b", "abc", "ac"),  # not anchored
    ],
)
def test_patterns_are_ecma_262(pattern: str, matching: str, other: str) -> None:
    assert found({"pattern": pattern}, matching) == []
    assert [one[1] for one in found({"pattern": pattern}, other)] == ["pattern"]
    if LIBRARY == "jsonschema-rs" and not is_universal(pattern):
        return  # names cannot be held against it by this library, which says so: see test_schema_engines.py
    assert [one[0] for one in found({"patternProperties": {pattern: False}}, {matching: 1, other: 1})] == [
        f"/{matching}"
    ]
    additional = {"patternProperties": {pattern: True}, "additionalProperties": False}
    assert [one[0] for one in found(additional, {matching: 1, other: 1})] == [f"/{other}"]


@pytest.mark.parametrize("pattern", ["(", "[z-a]", r"\p{Nope}", "(?P<n>a)", r"\1(?<a", "a{2,1}", "(?i)a"])
def test_a_pattern_that_does_not_compile_is_a_fault_of_the_schema(pattern: str) -> None:
    fault = refused({"properties": {"a": {"pattern": pattern}}})
    assert str(fault).startswith(f"`{pattern}` is not an ECMA-262 regular expression")
    assert fault.pointer == "/properties/a/pattern"


def test_a_pattern_that_does_not_compile_is_found_among_names_too() -> None:
    assert refused({"patternProperties": {"a/(": True}}).pointer == "/patternProperties/a~1("


def test_what_stands_under_const_is_data_and_no_schema() -> None:
    data = {"pattern": "(", "$ref": "https://example.com/", "$schema": "no", "type": 5}
    assert found({"const": data, "enum": [data], "default": data, "examples": [data]}, data) == []


def test_a_member_that_is_named_like_a_keyword_is_none() -> None:
    assert found({"properties": {"pattern": {"type": "string"}, "$ref": {"type": "string"}}}, {"$ref": "x"}) == []


@pytest.mark.parametrize(
    ("schema", "value", "keywords"),
    [
        ('{"multipleOf": 0.1}', "1.1", []),
        ('{"multipleOf": 0.1}', "1.15", ["multipleOf"]),
        ('{"multipleOf": 0.01}', "4.35", []),
        ('{"minimum": 0.1}', "0.1", []),
        ('{"exclusiveMinimum": 0.3}', "0.30000000000000001", []),
        ('{"maximum": 1e400}', "1e399", []),
        ('{"maximum": 1e399}', "1e400", ["maximum"]),
        ('{"type": "integer"}', "1.0", []),
        ('{"type": "integer"}', "1e3", []),
        ('{"type": "integer"}', "1.5", ["type"]),
        ('{"type": "integer"}', "true", ["type"]),
        ('{"type": "number"}', "true", ["type"]),
        ('{"const": 1}', "1.0", []),
        ('{"const": 1}', "true", ["const"]),
        ('{"const": [1.10]}', "[1.1]", []),
        ('{"uniqueItems": true}', "[1, 1.0]", ["uniqueItems"]),
        ('{"uniqueItems": true}', "[1, true]", []),
        ('{"maximum": 123456789012345678901234567890}', "123456789012345678901234567891", ["maximum"]),
    ],
)
def test_numbers_are_decimal(schema: str, value: str, keywords: list[str]) -> None:
    assert [one[1] for one in found(numbers(schema), numbers(value))] == keywords


def test_a_number_too_large_to_divide_stops_the_check_and_not_the_program() -> None:
    run = engine().run("t.name", SchemaCheck(("$",), {"multipleOf": 3}), View(numbers("1e999999999")))
    assert (
        run.error
        == {
            "jsonschema": f"a number of more than {MAX_EXPONENT} digits cannot be divided",
            "jsonschema-rs": "the document has a number beyond 1e1000000, which jsonschema-rs does not compare exactly",
        }[LIBRARY]
    )


def test_formats_are_asserted_only_where_the_catalogue_says_so() -> None:
    assert found({"format": "ipv4"}, "x") == []
    assert [one[1] for one in found({"format": "ipv4"}, "x", formats=True)] == ["format"]


LOCAL: dict[str, JSON] = {
    "file:///cat/schemas/part.json": {"$defs": {"text": {"type": "string"}}, "type": "object"},
    "https://example.com/own": {"$id": "https://example.com/own", "type": "boolean"},
}


@pytest.mark.parametrize(
    "reference",
    [
        "#/$defs/here",
        "schemas/part.json",
        "schemas/part.json#/$defs/text",
        "./schemas/../schemas/part.json",
        "https://example.com/own",
    ],
)
def test_a_reference_leads_to_the_schema_itself_a_file_or_an_id(reference: str) -> None:
    schema = {"$ref": reference, "$defs": {"here": {"type": "null"}}}
    assert [one[1] for one in found(schema, 5, local=LOCAL)] == ["type"]


@pytest.mark.parametrize(
    ("reference", "reason"),
    [
        ("https://example.com/other", "nothing is fetched from the network"),
        ("http://json-schema.org/nope", "nothing is fetched from the network"),
        ("schemas/none.json", "the catalogue has no such schema"),
        ("schemas/part.json#/$defs/none", "the catalogue has no such schema"),
        ("#/$defs/none", "the catalogue has no such schema"),
        ("#nowhere", "the catalogue has no such schema"),
        ("#/allOf/x", "the catalogue has no such schema"),
        ("#/title", "leads to a string, which is no JSON Schema"),
        ("http://[", "is no URI"),
        ("file:///etc/passwd", "nothing is fetched from the network"),
    ],
)
def test_a_reference_that_leads_nowhere_is_a_fault_of_the_schema(reference: str, reason: str) -> None:
    fault = refused({"title": "x", "allOf": [{"properties": {"a": {"$ref": reference}}}]}, local=LOCAL)
    assert f"`{reference}`" in str(fault)
    assert reason in str(fault)
    assert fault.pointer == "/allOf/0/properties/a/$ref"


def test_a_reference_of_a_referenced_file_that_leads_nowhere_stops_the_check(run: Run) -> None:
    checked = run(
        rule={"check": {"select": "$.name", "schema": "schemas/a.json"}},
        files={"schemas/a.json": '{"$ref": "https://example.com/far"}'},
    )
    assert checked.outcomes == {"bad": "check-error", "good": "check-error"}
    assert len(checked.lines) == 1
    assert "nothing is fetched from the network" in checked.lines[0]


def test_an_embedded_id_hides_only_what_lies_below_it() -> None:
    schema = {
        "properties": {
            "a": {"$id": "https://example.com/in", "$ref": "#/$defs/x", "$defs": {"x": True}},
            "b": {"$ref": "#/$defs/nope"},
        }
    }
    assert refused(schema).pointer == "/properties/b/$ref"


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"type": "text"}, "/type"),
        ({"properties": {"a": {"required": "b"}}}, "/properties/a/required"),
        ({"minimum": "1"}, "/minimum"),
        ({"$schema": "urn:unknown"}, "/$schema"),
        ({"$schema": 5}, "/$schema"),
        ({"$id": "http://["}, "/$id"),
        ({"$anchor": "a b"}, "/$anchor"),
        ({"multipleOf": 0}, "/multipleOf"),
    ],
)
def test_an_invalid_schema_is_a_fault_at_its_place(schema: JSON, pointer: str) -> None:
    assert refused(schema).pointer == pointer


def deep(levels: int) -> JSON:
    schema: JSON = True
    for _ in range(levels):
        schema = {"not": schema}
    return schema


@pytest.mark.parametrize("levels", [50, 400, 490, 2000])
def test_a_schema_that_nests_deep_never_ends_in_an_exception(levels: int) -> None:
    check = SchemaCheck(("$",), deep(levels))
    run = engine().run("t.name", check, View(1))
    assert run.error == "" or "nests too deep" in run.error
    assert (run.error == "") == (levels == 50)


def test_a_schema_that_refers_to_itself_without_end_is_a_check_error() -> None:
    run = engine().run("t.name", SchemaCheck(("$",), {"$ref": "#"}, base="file:///c/r"), View(1))
    assert "a reference leads back to itself" in run.error


def test_a_recursive_schema_judges_a_recursive_document() -> None:
    schema = {"type": "object", "properties": {"child": {"$ref": "#"}, "name": {"type": "string"}}}
    document = {"child": {"child": {"child": {"name": 1}}}}
    assert [one[:2] for one in found(schema, document)] == [("/child/child/child/name", "type")]


def test_in_draft_7_siblings_of_a_reference_are_ignored_and_a_hint_says_so() -> None:
    schema = {"$schema": DRAFT_7, "definitions": {"x": {}}, "$ref": "#/definitions/x", "required": ["e"]}
    run = engine().run("t.name", SchemaCheck(("$",), schema, base="file:///c/r"), View({}))
    assert run.findings == ()
    assert run.hint == "in this draft of JSON Schema what stands beside `$ref` is ignored: `required`"


def test_from_2019_on_siblings_of_a_reference_count() -> None:
    schema = {"$defs": {"x": {}}, "$ref": "#/$defs/x", "required": ["e"]}
    assert [one[1] for one in found(schema, {})] == ["required"]


@pytest.mark.parametrize(
    ("dialect", "schema", "value", "keywords"),
    [
        (DRAFT_7, {"definitions": {"x": {}}, "$ref": "#/definitions/x", "required": ["e"]}, {}, []),
        (DRAFT_7, {"items": [{"type": "string"}]}, [1], ["type"]),
        (DRAFT_4, {"minimum": 1, "exclusiveMinimum": True}, 1, ["exclusiveMinimum"]),
        (DRAFT_4, {"const": 1}, 2, []),
        (DRAFT_6, {"if": True, "then": False}, 2, []),
        (DRAFT_2020_12, {"prefixItems": [{"type": "string"}]}, [1], ["type"]),
        (DRAFT_7 + "#", {"items": [{"type": "string"}]}, [1], ["type"]),
    ],
)
def test_a_file_is_read_in_its_own_dialect_whatever_refers_to_it(
    dialect: str, schema: dict[str, JSON], value: JSON, keywords: list[str]
) -> None:
    local = {"file:///cat/schemas/old.json": {"$schema": dialect, **schema}}
    for draft in (DRAFT_2020_12, DRAFT_7):
        assert [one[1] for one in found({"$ref": "schemas/old.json"}, value, local=local, draft=draft)] == keywords


def test_a_file_without_dialect_is_read_in_that_of_the_catalogue_whatever_refers_to_it() -> None:
    local = {"file:///cat/schemas/plain.json": {"items": [{"type": "string"}]}}
    schema = {"$schema": DRAFT_2020_12, "$ref": "schemas/plain.json"}
    assert [one[1] for one in found(schema, [1], local=local, draft=DRAFT_7)] == ["type"]


def test_a_dialect_that_the_catalogue_brings_along_is_read_as_2020_12(run: Run) -> None:
    files = {
        "schemas/name.json": '{"$schema": "https://example.com/dialect", "type": "string"}',
        "schemas/dialect.json": '{"$id": "https://example.com/dialect", "$schema": "' + DRAFT_2020_12 + '"}',
    }
    rule = {"check": {"select": "$.name", "schema": "schemas/name.json"}}
    assert run(rule=rule, files=files).lines == []
    assert _messages(run(name="second", rule=rule, files={**files, "schemas/dialect.json": "{}"})) == [
        "`schema`: the reference `schemas/name.json` cannot be resolved: "
        "the catalogue has no such schema that could be read",
        "the dialect `https://example.com/dialect` is not known",
    ]


def test_a_schema_file_with_a_fault_is_reported_once_at_its_place(run: Run) -> None:
    checked = run(files={"schemas/broken.json": '{\n  "type": "text"\n}', "schemas/cut.json": "{"})
    assert [line.split(": ")[0] for line in checked.lines] == [
        "cat/schemas/broken.json:2:3",
        "cat/schemas/cut.json:1:2",
    ]
    assert checked.outcome("bad") == "confirmed"


def test_two_schema_files_with_one_id_are_a_fault_that_names_both(run: Run) -> None:
    text = '{\n  "$id": "https://example.com/x"\n}'
    (fault,) = run(files={"schemas/a.json": text, "schemas/b.json": text}).project.faults
    assert (fault.place.path.name, fault.place.position.line) == ("b.json", 2)
    assert [(place.path.name, place.position.line) for place in fault.related] == [("a.json", 2)]


def _messages(checked: Checked) -> list[str]:
    return [fault.message for fault in checked.project.faults]


@pytest.mark.parametrize(
    ("schema", "places"),
    [
        ({"required": ["a"]}, [""]),
        ({"type": "object", "properties": {"a": {"required": ["b"]}, "b": {"type": "object"}}}, ["/properties/a"]),
        ({"type": "array", "items": {"properties": {}}}, ["/items"]),
        ({"anyOf": [{"required": ["a"]}]}, []),
        ({"const": {"required": 1}}, []),
        ({"type": "string"}, []),
        (True, []),
    ],
)
def test_members_without_type_object_are_pointed_out(schema: JSON, places: list[str]) -> None:
    assert untyped_objects(schema) == places


def test_the_draft_of_the_catalogue_holds_for_a_schema_that_names_none(run: Run) -> None:
    old = run(
        catalogue={"draft": DRAFT_7},
        rule={
            "check": {
                "select": "$.name",
                "schema": {"definitions": {"x": {}}, "$ref": "#/definitions/x", "type": "string"},
            }
        },
    )
    assert old.outcome("bad") == "not-failing"
    assert "what stands beside `$ref` is ignored: `type`" in old.verdict("bad").detail


def test_a_fixture_keeps_the_digits_that_decide(run: Run) -> None:
    checked = run(
        rule="check: {select: $.name, schema: {multipleOf: 0.01}}",
        fixtures={"bad.json": '{"name": 4.355}', "good.json": '{"name": 4.35}'},
    )
    assert checked.lines == []
    path = checked.base / "cat/fixtures/good.json"
    assert str(read(path).value["name"]) == "4.35"
