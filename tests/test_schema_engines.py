"""Two JSON Schema libraries, one set of findings: what is normalised, what is refused, and that they agree."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from conftest import Run, Write
from mkdocs_rulebook.checks.formats import FORMATS
from mkdocs_rulebook.checks.patterns import PatternError, compile_pattern, is_universal, matches
from mkdocs_rulebook.checks.schema_engine import LIBRARIES, SchemaEngine
from mkdocs_rulebook.checks.schemas import DRAFT_2020_12, Schemas
from mkdocs_rulebook.checks.view import View
from mkdocs_rulebook.model import JSON, Finding, SchemaCheck
from mkdocs_rulebook.project import check

RS, PY = "jsonschema-rs", "jsonschema"
DRAFTS = {
    "2020-12": DRAFT_2020_12,
    "2019-09": "https://json-schema.org/draft/2019-09/schema",
    "7": "http://json-schema.org/draft-07/schema",
    "6": "http://json-schema.org/draft-06/schema",
    "4": "http://json-schema.org/draft-04/schema",
}


def outcome(
    library: str, schema: JSON, value: JSON, draft: str = DRAFT_2020_12, formats: bool = False, **local: JSON
) -> tuple[list[Finding], str]:
    schemas = Schemas({f"file:///cat/schemas/{name}.json": each for name, each in local.items()}, draft, formats)
    check = SchemaCheck(("$",), schema, base="file:///cat/rules.yaml")
    run = SchemaEngine(schemas, library).run("t.name", check, View(value))
    return list(run.findings), run.error


def found(schema: JSON, value: JSON, **options: Any) -> list[tuple[str, str, tuple[str, ...]]]:
    """What both libraries find, which has to be the same."""
    one, other = (outcome(library, schema, value, **options) for library in LIBRARIES)
    assert one == other
    assert one[1] == ""
    return [(finding.pointer, finding.keyword, finding.names) for finding in one[0]]


def error(schema: JSON, value: JSON, **options: Any) -> str:
    """Why jsonschema-rs does not judge; the other library does."""
    assert outcome(PY, schema, value, **options)[1] == ""
    return outcome(RS, schema, value, **options)[1]


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_library_and_its_version_are_evidence(run: Run, library: str) -> None:
    checked = run(catalogue={"schema_engine": library})
    assert checked.lines == []
    name, _, version = checked.verdict("bad").engine.partition(" ")
    assert name == library
    assert version[0].isdigit()


def test_a_catalogue_that_names_no_library_has_the_first(run: Run) -> None:
    assert run().verdict("bad").engine.startswith("jsonschema 4.")


def test_a_library_that_does_not_exist_is_a_fault_that_names_those_that_do(run: Run) -> None:
    (line,) = [line for line in run(catalogue={"schema_engine": "jsonschema_rs"}).lines if "schema_engine" in line]
    assert line.endswith('`schema_engine` is `"jsonschema_rs"`, not one of `"jsonschema"`, `"jsonschema-rs"`')


def test_an_outcome_of_one_library_is_not_taken_for_one_of_the_other(catalogue_dir: Write) -> None:
    memory: Any = {}
    for library in LIBRARIES:
        project = check([catalogue_dir(catalogue={"schema_engine": library})], memory=memory)
        assert {verdict.engine.split()[0] for verdict in project.reports[0].verdicts} == {library}


@pytest.fixture
def listener() -> Iterator[tuple[str, list[Any]]]:
    """A server on this machine, and the connections that were made to it."""
    connections: list[Any] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            while True:
                try:
                    connection, address = server.accept()
                except OSError:
                    return
                connections.append(address)
                connection.recv(10_000)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\ntrue")
                connection.close()

        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/schema", connections
        server.shutdown(socket.SHUT_RDWR)


def test_nothing_is_ever_fetched(listener: tuple[str, list[Any]]) -> None:
    url, connections = listener
    jsonschema_rs.validator_for({"$ref": url})  # without what keeps it from it, the library does
    assert len(connections) == 1
    connections.clear()
    schemas: list[tuple[JSON, dict[str, JSON]]] = [
        ({"$ref": url}, {}),
        ({"$dynamicRef": url}, {}),
        ({"$id": "https://example.com/", "$ref": f"{url}#/x"}, {}),
        ({"properties": {"a": {"$id": url, "$ref": "other"}}}, {}),
        ({"$ref": "schemas/far.json"}, {"far": {"$ref": url}}),
        ({"$ref": "schemas/far.json"}, {"far": {"items": {"$ref": url}}}),
        ({"$schema": url}, {}),
        ({"$ref": "file:///etc/hostname"}, {}),
    ]
    for schema, local in schemas:
        message = outcome(RS, schema, {"a": [1]}, **local)[1]
        assert any(said in message for said in ("cannot be resolved", "cannot use it", "dialect")), schema
    assert connections == []


def test_what_jsonschema_rs_says_of_the_object_is_said_of_the_members() -> None:
    assert found({"unevaluatedProperties": {"type": "string", "maxLength": 1}}, {"a": 1, "b": "xy", "c": "x"}) == [
        ("/a", "type", ()),
        ("/b", "maxLength", ()),
    ]
    assert found({"properties": {"x": True}, "unevaluatedProperties": {"required": ["z"]}}, {"a": {}}) == [
        ("/a", "required", ("z",))
    ]
    assert found({"propertyNames": {"$ref": "#/$defs/n"}, "$defs": {"n": {"maxLength": 1}}}, {"ab": 1}) == [
        ("/ab", "maxLength", ("ab",))
    ]
    assert found({"items": [{}], "additionalItems": False}, [1, 2, 3], draft=DRAFTS["7"]) == [
        ("/1", "additionalItems", ()),
        ("/2", "additionalItems", ()),
    ]


@pytest.mark.parametrize(
    ("schema", "value", "indexes"),
    [
        ({"prefixItems": [{}]}, [1, 1, Decimal("1.0"), True], [1, 2, 3]),
        ({"contains": {"const": 1}}, [2, 1, 2, Decimal("1.0"), True], [0, 2, 4]),
        ({"prefixItems": [{}], "contains": {"const": "a"}}, ["b", "b", "a", {"x": 1}, {"x": True}], [1, 3, 4]),
        ({"anyOf": [{"prefixItems": [{}, {}]}, {"prefixItems": [{}, {}, False]}]}, [0, 0, 0, 0], [2, 3]),
    ],
)
def test_the_items_that_are_unevaluated_are_found_among_equal_ones(
    schema: dict[str, JSON], value: JSON, indexes: list[int]
) -> None:
    assert found({**schema, "unevaluatedItems": False}, value) == [
        (f"/{index}", "unevaluatedItems", ()) for index in indexes
    ]


def test_a_member_with_a_number_for_a_name_is_found() -> None:
    schema = {"properties": dict.fromkeys(("1", "01", "18446744073709551616"), False)}
    assert found(schema, {"01": 1, "18446744073709551616": 1}) == [
        ("/01", "properties", ("01",)),
        ("/18446744073709551616", "properties", ("18446744073709551616",)),
    ]


def test_a_member_without_a_name_is_found_where_the_value_tells() -> None:
    assert found({"additionalProperties": {"type": "string"}}, {"": 1, "a": 2}) == [
        ("/", "type", ()),
        ("/a", "type", ()),
    ]


@pytest.mark.parametrize(
    ("schema", "value", "message"),
    [
        ({"patternProperties": {r"\bx": False}}, {}, "names cannot be held against it by jsonschema-rs"),
        ({"properties": {"": False}}, {}, "it has a member without a name"),
        ({"maximum": Decimal("1e1000001")}, 1, "it has a number beyond 1e1000000"),
        ({"maximum": 5}, Decimal("1e-1000001"), "the document has a number beyond 1e1000000"),
        ({"additionalProperties": False}, {"1": 1, "01": 1}, ""),
        ({"additionalProperties": {"type": "string"}}, {"1": 1, "01": 1}, "which of the members of `[1]` fails"),
    ],
)
def test_what_jsonschema_rs_cannot_judge_exactly_it_does_not_judge(schema: JSON, value: JSON, message: str) -> None:
    assert message in error(schema, value)
    assert bool(message) == bool(error(schema, value))


def test_a_document_that_nests_deeper_than_jsonschema_rs_reads_is_a_check_error() -> None:
    value: JSON = []
    for _ in range(300):
        value = [value]
    assert "nests too deep" in outcome(RS, {"type": "string"}, value)[1]


def test_a_pattern_that_runs_away_is_no_verdict() -> None:
    message = outcome(RS, {"patternProperties": {"^(a|a)*b$": False}}, {"a" * 40: 1})
    assert message == ([], "") or "gave up" in message[1]


def test_an_annotation_of_content_is_no_assertion() -> None:
    schema = {"contentMediaType": "application/json", "contentEncoding": "base64"}
    assert found(schema, "{", draft=DRAFTS["7"]) == []


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_means_the_same_in_both_libraries_and_every_draft(name: str) -> None:
    wrong = {"regex": "(", "json-pointer": "a", "iri-reference": "\\", "uri-reference": "\\"}.get(name, "a b:/@ {")
    for draft in DRAFTS.values():
        assert found({"format": name}, wrong, draft=draft, formats=True) == [("", "format", ())]
        assert found({"format": name}, wrong, draft=draft) == []
        assert found({"format": name}, 5, draft=draft, formats=True) == []
        assert found({"format": "no-such"}, wrong, draft=draft, formats=True) == []


def test_a_reference_to_a_dynamic_anchor_is_dynamic_only_where_it_says_so() -> None:
    schema = {
        "$id": "https://example.com/outer",
        "$defs": {
            "here": {"$dynamicAnchor": "node", "type": "string"},
            "inner": {
                "$id": "inner",
                "properties": {"plain": {"$ref": "#node"}, "dynamic": {"$dynamicRef": "#node"}},
                "$defs": {"there": {"$dynamicAnchor": "node", "type": "boolean"}},
            },
        },
        "$ref": "inner",
    }
    assert outcome(PY, schema, {"plain": True, "dynamic": "x"}) == ([], "")
    assert [f.pointer for f in outcome(PY, schema, {"plain": "x", "dynamic": True})[0]] == ["/dynamic", "/plain"]
    assert "leads to a dynamic anchor" in error(schema, {})
    del schema["$defs"]["inner"]["properties"]["plain"]  # type: ignore[index]
    assert found(schema, {"dynamic": "x"}) == []
    assert found(schema, {"dynamic": True}) == [("/dynamic", "type", ())]


def test_a_list_of_names_among_schemas_is_no_schema() -> None:
    schema = {"dependencies": {"a": {"required": ["b"]}, "c": ["d"]}}
    assert found(schema, {"a": 1, "c": 1}, draft=DRAFTS["7"]) == [
        ("", "dependencies", ("d",)),
        ("", "required", ("b",)),
    ]


def test_the_names_of_unevaluated_members_are_matched_as_ecma_262_says() -> None:
    schema = {"patternProperties": {r"^\p{L}$": True}, "unevaluatedProperties": False}
    assert found(schema, {"é": 1, "1": 1}) == [("/1", "unevaluatedProperties", ("1",))]


@pytest.mark.parametrize("draft", DRAFTS)
def test_a_number_is_an_integer_as_its_draft_says(draft: str) -> None:
    expected = [("", "type", ())] if draft == "4" else []
    assert found({"type": "integer"}, Decimal("1.0"), draft=DRAFTS[draft]) == expected
    assert found({"type": "integer"}, Decimal("1e400"), draft=DRAFTS[draft]) == expected
    assert found({"type": "integer"}, 10**30, draft=DRAFTS[draft]) == []


PIECES = [
    *("a", "b", "é", "-", ".", "^", "$", "|", "(", "(?:", "(?=", "(?!", ")", "*", "+", "?", "{2}", "{1,}", "1", " "),
    *("[ab]", "[^a]", "[a-c]", r"[\d]", r"[^\s-]", "[^]"),
    *(r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", r"\.", r"\n", r"\u00e9", r"\x61", r"\u{61}", r"\b", "(?<n>a)"),
    *(r"\p{L}", r"\P{N}", r"\p{Lu}"),
]


@settings(max_examples=400, deadline=None)
@given(
    st.lists(st.sampled_from(PIECES), max_size=6), st.lists(st.text("abAé1 -.\n\r\u2028\u0661", max_size=4), max_size=6)
)
def test_a_universal_pattern_means_the_same_to_the_engine_of_jsonschema_rs(parts: list[str], texts: list[str]) -> None:
    pattern = "".join(parts)
    try:
        compile_pattern(pattern)
    except PatternError:
        assume(False)
    assume(is_universal(pattern))
    native = jsonschema_rs.Draft202012Validator({"patternProperties": {pattern: False}}, offline=True)
    assert [not native.is_valid({text: 1}) for text in texts] == [matches(pattern, text) for text in texts]


NAMES = ["a", "b", "ab", "1", "x/y", "~", "é"]
PATTERNS = ["^a", "b$", "^[a-z]+$", ".", "^\\d$", "é", "^$"]
NUMBERS: st.SearchStrategy[JSON] = st.sampled_from(
    [0, 1, 2, 3, -1, 10**30, *map(Decimal, ["1.0", "1.5", "0.1", "1.2", "1e400", "1E+2"])]
)
SCALARS = NUMBERS | st.sampled_from(["", "a", "ab", "1", "é", "😀a"]) | st.booleans() | st.none()
VALUES: st.SearchStrategy[JSON] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
    max_leaves=8,
)
SIZES = st.integers(0, 2)
NAME_LISTS = st.lists(st.sampled_from(NAMES), min_size=1, max_size=2, unique=True)


def _dictionaries(names: list[str], inner: st.SearchStrategy[JSON]) -> st.SearchStrategy[JSON]:
    return st.dictionaries(st.sampled_from(names), inner, min_size=1, max_size=3)


def _keywords(draft: str, inner: st.SearchStrategy[JSON]) -> dict[str, st.SearchStrategy[JSON]]:
    several = st.lists(inner, min_size=1, max_size=2)
    kinds = st.sampled_from(["object", "array", "string", "integer", "number", "boolean", "null"])
    words: dict[str, st.SearchStrategy[JSON]] = {
        "type": kinds | st.lists(kinds, min_size=1, max_size=2, unique=True),
        "enum": st.lists(st.sampled_from(["a", "b", None]), min_size=1, max_size=2, unique=True)
        | st.tuples(NUMBERS).map(list),
        "multipleOf": st.sampled_from([1, 2, 3, Decimal("0.1"), Decimal("0.5")]),
        **dict.fromkeys(("minimum", "maximum"), NUMBERS),
        **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), SIZES),
        "pattern": st.sampled_from(PATTERNS),
        "uniqueItems": st.booleans(),
        "required": NAME_LISTS,
        **dict.fromkeys(("items", "additionalProperties", "not"), inner),
        **dict.fromkeys(("allOf", "anyOf", "oneOf"), several),
        "properties": _dictionaries(NAMES, inner),
        "patternProperties": _dictionaries(PATTERNS, inner),
    }
    if draft == "4":
        return words
    words |= {"const": VALUES, "exclusiveMinimum": NUMBERS, "contains": inner, "propertyNames": inner}
    if draft != "6":
        words |= {"if": inner, "then": inner, "else": inner}
    if draft in ("6", "7"):
        return words | {
            "items": inner | several,
            "additionalItems": inner,
            "dependencies": _dictionaries(NAMES, inner | NAME_LISTS),
        }
    words |= {"unevaluatedItems": inner, "unevaluatedProperties": inner, "minContains": SIZES, "maxContains": SIZES}
    words |= {"dependentRequired": _dictionaries(NAMES, NAME_LISTS), "dependentSchemas": _dictionaries(NAMES, inner)}
    if draft == "2019-09":
        return words | {"items": inner | several, "additionalItems": inner}
    return words | {"prefixItems": several}


def _schemas(draft: str) -> st.SearchStrategy[JSON]:
    defs = "$defs" if draft in ("2019-09", "2020-12") else "definitions"
    leaf: st.SearchStrategy[JSON] = st.just({}) | st.just({"$ref": f"#/{defs}/x"})
    leaf = leaf if draft == "4" else leaf | st.booleans()

    def wider(inner: st.SearchStrategy[JSON]) -> st.SearchStrategy[JSON]:
        return st.lists(st.sampled_from(sorted(_keywords(draft, inner))), max_size=4, unique=True).flatmap(
            lambda names: st.fixed_dictionaries({name: _keywords(draft, inner)[name] for name in names})
        )

    schema = wider(st.recursive(leaf, wider, max_leaves=4))
    return st.tuples(schema, SCALARS).map(
        lambda pair: {**pair[0], defs: {"x": {"enum": [pair[1], "a"][: 1 + (pair[1] != "a")]}}}
    )


@pytest.mark.parametrize("draft", DRAFTS)
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_both_libraries_say_the_same_of_any_schema_and_any_document(draft: str, data: st.DataObject) -> None:
    schema = data.draw(_schemas(draft), label="schema")
    for value in data.draw(st.lists(VALUES, min_size=1, max_size=4), label="values"):
        found(schema, value, draft=DRAFTS[draft])
