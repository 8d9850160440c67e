"""URI templates of the mcpdesc catalogue: the grammar of RFC 6570, and matching an expansion back."""

from urllib.parse import quote

import pytest
import uritemplate
from hypothesis import given, settings
from hypothesis import strategies as st
from rules.mcpdesc.checks.uri_templates import TemplateError, expands_to, parse, variables


@pytest.mark.parametrize(
    "template",
    ["", "a:b", "a://{x}", "a://{x,y}", "a:{+x*}{#y:12}", "a:{x_1.y%20}", "a:{.x}{/x}{;x}{?x}{&x}", "a://é'%C3%A9"],
)
def test_well_formed(template: str) -> None:
    parse(template)


@pytest.mark.parametrize(
    "template",
    [
        *(
            "{",
            "}",
            "{}",
            "{x",
            "x}",
            "{ x}",
            "{x y}",
            "{x-y}",
            "{x:0}",
            "{x:10000}",
            "{x*:3}",
            "{x:3*}",
            "{x,}",
            "{,}",
        ),
        *("{x.}", "{.}", "{x..y}", "{{x}}", "{x/{y}", "{$x}", "{é}", "a b", "a%2", "<x>", "x|y", "x\\y", "\0", "{+}"),
    ],
)
def test_malformed(template: str) -> None:
    with pytest.raises(TemplateError) as raised:
        parse(template)
    assert raised.value.reason == "malformed"


@pytest.mark.parametrize("template", ["{=x}", "{,x}", "{!x}", "{@x}", "{|x}"])
def test_reserved_operator(template: str) -> None:
    with pytest.raises(TemplateError) as raised:
        parse(template)
    assert raised.value.reason == "reserved-operator"


def test_variables_have_neither_operator_nor_modifier() -> None:
    assert variables(parse("a:{+x:3}{?y*,z}")) == {"x", "y", "z"}


@pytest.mark.parametrize(
    ("template", "uri"),
    [
        ("a:{x}", "a:"),
        ("a:{x}", "a:1,2"),
        ("a:{x}", "a:%c3%a9"),
        ("a:é/{x}", "a:%C3%A9/1"),
        ("a:{x:2}", "a:%C3%A9b"),
        ("a:{+x}", "a:b/c?d"),
        ("a{/x*}", "a/b/c"),
        ("a{/x}", "a"),
        ("a{?x,y}", "a?y=1"),
        ("a{?x}", "a?x="),
        ("a{?x*}", "a?k=1&l=2"),
        ("a{;x}", "a;x"),
        ("a{?%c3%a9}", "a?%C3%A9=1"),
        ("a{.x}", "a.tar.gz"),
        ("a{x}b{x}", "a1b1"),
    ],
)
def test_expansion(template: str, uri: str) -> None:
    assert expands_to(parse(template), uri)


@pytest.mark.parametrize(
    ("template", "uri"),
    [
        ("a", "ab"),
        ("a:{x}", "b:1"),
        ("a:{x}", "a:b/c"),
        ("a:{x}", "a:b c"),
        ("a:{x}", "a:é"),
        ("a:{x:2}", "a:bcd"),
        ("a{/x}", "a/b/c"),
        ("a{?x,y}", "a?y=1&x=1"),
        ("a{?x}", "a?y=1"),
        ("a{?x}", "a?x"),
        ("a{&x}", "a?x=1"),
        ("a{;x}", "a;xx"),
    ],
)
def test_no_expansion(template: str, uri: str) -> None:
    assert not expands_to(parse(template), uri)


def test_many_variables_in_a_row_are_matched_in_reasonable_time() -> None:
    assert not expands_to(parse("{a}{b}{c}{d}{e}{f}{g}{h}" * 4 + "!"), "x" * 3000)


VALUES = st.text(alphabet="ab é/:,=&%ß€😀", max_size=4)
VARIABLES = [("s", ""), ("s", ":1"), ("s", ":3"), ("t", ""), ("list", ""), ("list", "*"), ("map", ""), ("map", "*")]
EXPRESSIONS = st.builds(
    lambda operator, chosen: "{" + operator + ",".join(name + modifier for name, modifier in chosen) + "}",
    st.sampled_from(["", "+", "#", ".", "/", ";", "?", "&"]),
    st.lists(st.sampled_from(VARIABLES), min_size=1, max_size=3, unique_by=lambda variable: variable[0]),
)


@settings(max_examples=500, deadline=None)
@given(
    template=st.lists(st.text(alphabet="ab/:é?=&'", max_size=3) | EXPRESSIONS, max_size=4).map("".join),
    values=st.fixed_dictionaries(
        {},
        optional={
            "s": VALUES,
            "t": VALUES,
            "list": st.lists(VALUES, min_size=1, max_size=3),
            "map": st.dictionaries(VALUES, VALUES, min_size=1, max_size=2),
        },
    ),
)
def test_what_a_library_expands_is_an_expansion(template: str, values: dict[str, object]) -> None:
    expanded = uritemplate.URITemplate(template).expand(values)  # type: ignore[arg-type]
    # The library leaves literal text as it is, where RFC 6570, Section 3.1, encodes it.
    assert expands_to(parse(template), quote(expanded, safe="%:/?#[]@!$&'()*+,;=~"))
