"""A document seen through its local references, and where each of its nodes really lies."""

from __future__ import annotations

import time
from typing import Any

import pytest

from mkdocs_rulebook.checks import view as view_module
from mkdocs_rulebook.checks.view import View, ViewError, reference

DOCUMENT: dict[str, Any] = {
    "components": {
        "results": {"error": {"isError": True, "content": [1, 2]}, "alias": {"$ref": "#/components/results/error"}},
        "a/b": {"deep": 1},
    },
    "use": {"$ref": "#/components/results/error"},
    "chain": {"$ref": "#/components/results/alias"},
    "part": {"$ref": "#/components/results/alias/content"},
    "escaped": {"$ref": "#/components/a~1b"},
    "list": [{"$ref": "#/components/results/error"}],
    "dangling": {"$ref": "#/nowhere"},
    "remote": {"$ref": "https://example.com/#/a"},
    "number": {"$ref": 5},
    "bad": {"$ref": "#/~2"},
    "fragment": {"$ref": "#name"},
}
ERROR = {"isError": True, "content": [1, 2]}


@pytest.fixture
def view() -> View:
    return View(DOCUMENT, "$ref")


def test_the_target_stands_in_place_of_the_reference(view: View) -> None:
    assert view.value["use"] == ERROR
    assert view.value["list"] == [ERROR]
    assert view.value["escaped"] == {"deep": 1}


def test_a_chain_is_followed_to_its_end(view: View) -> None:
    assert view.value["chain"] == ERROR


@pytest.mark.parametrize("name", ["dangling", "remote", "number", "bad", "fragment"])
def test_what_is_no_reference_with_a_target_stays_as_it_is(view: View, name: str) -> None:
    assert view.value[name] == DOCUMENT[name]


def test_without_a_reference_member_nothing_is_followed() -> None:
    assert View(DOCUMENT).value is DOCUMENT
    assert View(DOCUMENT, "$other").value is DOCUMENT


def test_the_file_is_left_as_it_was(view: View) -> None:
    before = repr(DOCUMENT)
    assert view.value != DOCUMENT
    assert repr(DOCUMENT) == before


@pytest.mark.parametrize(
    ("path", "use", "target"),
    [
        ((), "", ""),
        (("use",), "/use", "/use"),
        (("use", "isError"), "/use", "/components/results/error/isError"),
        (("list", 0, "content", 1), "/list/0", "/components/results/error/content/1"),
        (("chain", "content"), "/chain", "/components/results/error/content"),
        (("escaped", "deep"), "/escaped", "/components/a~1b/deep"),
        (("components", "results", "error", "isError"), *["/components/results/error/isError"] * 2),
        (("dangling", "$ref"), *["/dangling/$ref"] * 2),
        (("use", "missing"), "/use", "/components/results/error"),
        (("missing", "too"), "", ""),
    ],
)
def test_each_node_is_known_by_its_use_and_by_its_target(
    view: View, path: tuple[str | int, ...], use: str, target: str
) -> None:
    assert view.locate(path) == (use, target)


@pytest.mark.parametrize(
    "document",
    [
        {"a": {"$ref": "#/a"}},
        {"a": {"$ref": "#/b"}, "b": {"$ref": "#/a"}},
        {"a": {"x": {"$ref": "#/a"}}},
        {"a": [{"$ref": "#/b"}], "b": {"c": {"$ref": "#/a"}}},
    ],
)
def test_a_circle_ends(document: Any) -> None:
    view = View(document, "$ref")
    assert view.select(["$..x", "$..c", "$.a"])
    assert view.locate(("a", "x", "x", "x"))


def test_a_self_reference_is_seen_once_and_then_left_standing() -> None:
    assert View({"a": {"x": {"$ref": "#/a"}}}, "$ref").value == {"a": {"x": {"x": {"$ref": "#/a"}}}}


def test_what_a_circle_left_standing_in_one_place_is_followed_in_another() -> None:
    circle = {"a": {"x": {"$ref": "#/b"}}, "b": {"y": {"$ref": "#/a"}}, "u": {"$ref": "#/a"}, "v": {"$ref": "#/b"}}
    value = View(circle, "$ref").value
    assert value["u"]["x"]["y"]
    assert value["v"] == {"y": {"x": {"$ref": "#/b"}}}


def test_a_target_that_is_used_often_is_one_value_in_memory() -> None:
    value = View({"t": [1, 2], "u": [{"$ref": "#/t"}] * 2}, "$ref").value
    assert value["u"][0] is value["u"][1]


def bomb(levels: int) -> dict[str, Any]:
    return {**{f"x{n}": [{"$ref": f"#/x{n + 1}"}] * 10 for n in range(levels)}, f"x{levels}": 1}


def test_references_that_multiply_are_refused_before_they_fill_the_memory() -> None:
    started = time.monotonic()
    view = View(bomb(12), "$ref")
    for _ in range(5):  # as many rules ask; the answer is worked out once
        with pytest.raises(ViewError, match="add more than 200,000 nodes"):
            view.select(["$"])
    assert time.monotonic() - started < 30


def test_references_in_all_directions_are_refused_as_well() -> None:
    tangle = {f"n{i}": {f"m{j}": {"$ref": f"#/n{j}"} for j in range(12)} for i in range(12)}
    with pytest.raises(ViewError, match="add more than"):
        assert View(tangle, "$ref").value


def test_the_limit_counts_what_references_add_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view_module, "MAX_ADDED", 30)
    shared = {"long": list(range(100)), "t": list(range(9))}
    assert View({**shared, "u": [{"$ref": "#/t"}] * 3}, "$ref").value["u"] == [list(range(9))] * 3
    with pytest.raises(ViewError, match="add more than 30 nodes"):
        assert View({**shared, "u": [{"$ref": "#/t"}] * 4}, "$ref").value


def test_a_node_that_two_queries_find_counts_once(view: View) -> None:
    found = view.select(["$.use.isError", "$.use['isError']", "$['use']['isError']"])
    assert found == [(("use", "isError"), True)]


@pytest.mark.parametrize(
    ("node", "target"),
    [
        ({"$ref": "#/a"}, "/a"),
        ({"$ref": "#/a", "also": 1}, "/a"),
        ({"$ref": "#"}, None),
        ({"$ref": "/a"}, None),
        ("#/a", None),
        ([], None),
    ],
)
def test_a_reference_is_an_object_whose_member_holds_a_local_pointer(node: Any, target: str | None) -> None:
    assert reference(node, "$ref") == target
