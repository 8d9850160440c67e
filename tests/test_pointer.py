"""JSON Pointers to the letter of RFC 6901."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mkdocs_rulebook.pointer import PointerError, append, inside, join, near, resolve, tokens

RFC = {
    "foo": ["bar", "baz"],
    "": 0,
    "a/b": 1,
    "c%d": 2,
    "e^f": 3,
    "g|h": 4,
    "i\\j": 5,
    'k"l': 6,
    " ": 7,
    "m~n": 8,
}
"""The document of RFC 6901 §5."""


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("", RFC),
        ("/foo", ["bar", "baz"]),
        ("/foo/0", "bar"),
        ("/", 0),
        ("/a~1b", 1),
        ("/c%d", 2),
        ("/e^f", 3),
        ("/g|h", 4),
        ("/i\\j", 5),
        ('/k"l', 6),
        ("/ ", 7),
        ("/m~0n", 8),
    ],
)
def test_the_examples_of_the_rfc_lead_where_it_says(pointer: str, value: Any) -> None:
    assert resolve(RFC, pointer) == (True, pointer, value)


@pytest.mark.parametrize("text", ["a", "a/b", "#/a", "/~", "/~2", "/a~", "/~~1"])
def test_a_text_that_is_no_pointer_is_refused(text: str) -> None:
    with pytest.raises(PointerError, match="JSON Pointer"):
        tokens(text)


def test_escapes_are_undone_in_the_right_order() -> None:
    assert tokens("/~01") == ("~1",)
    assert join(["~1", "foo/bar~", "{x}", "é"]) == "/~01/foo~1bar~0/{x}/é"


@given(st.lists(st.text()))
def test_what_is_joined_is_split_again(path: list[str]) -> None:
    assert list(tokens(join(path))) == path


@pytest.mark.parametrize("index", ["-", "01", "-1", "+1", "1 ", "2", "²", "one", ""])
def test_an_index_is_decimal_digits_without_leading_zero_and_below_the_length(index: str) -> None:
    assert resolve(["a", "b"], f"/{index}") == (False, "", ["a", "b"])


def test_an_empty_member_can_be_followed_further() -> None:
    assert resolve({"": {"": 1}}, "//") == (True, "//", 1)


def test_a_scalar_holds_nothing() -> None:
    assert resolve({"a": "text"}, "/a/0") == (False, "/a", "text")


def test_inside_goes_by_whole_names() -> None:
    assert inside("/a/b", "/a")
    assert inside("/a", "/a")
    assert inside("/a", "")
    assert not inside("/ab", "/a")
    assert not inside("/a", "/a/b")
    assert inside("/a/", "/a")


def test_append_encodes_what_it_appends() -> None:
    assert append("/a", "b/c", 0) == "/a/b~1c/0"


@pytest.mark.parametrize(
    ("pointer", "deepest", "names"),
    [
        ("/tools/0/exmples", "/tools/0", ["/tools/0/examples"]),
        ("/tools/7", "/tools", ["/tools/1"]),
        ("/tools/0/examples/x", "/tools/0/examples", []),
        ("/zzz", "", ["/a~1b", "/empty", "/tools"]),
        ("/a/b", "", ["/a~1b"]),
        ("/empty/0", "/empty", []),
    ],
)
def test_for_a_missing_node_the_deepest_part_and_the_nearest_are_named(
    pointer: str, deepest: str, names: list[str]
) -> None:
    document = {"tools": [{"examples": 1, "name": 2}, {}], "a/b": 1, "empty": []}
    assert near(document, pointer) == (deepest, names)
