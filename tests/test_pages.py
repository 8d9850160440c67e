"""Pages: what a report becomes, in which order, under which names and addresses."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import jinja2
import markdown
import pytest
import yaml

from mkdocs_rulebook import pages as module
from mkdocs_rulebook.model import (
    Anchor,
    Catalogue,
    Claim,
    Example,
    Facet,
    Fault,
    Finding,
    Known,
    Level,
    NoCheck,
    Outcome,
    Owner,
    Place,
    Position,
    Report,
    RequiredBy,
    Rule,
    SchemaCheck,
    Severity,
    Source,
    SourceLink,
    Spec,
    Verdict,
)
from mkdocs_rulebook.pages import CSS, EXTENSIONS, JAVASCRIPT, Layout, Pages, asset, render
from mkdocs_rulebook.source import read
from mkdocs_rulebook.spec import Heading, SpecAnchor

FIXTURE = {"tools": [{"name": "a", "result": {"isError": True, "structuredContent": {"x": 1.5}}}, {"name": "b"}]}
RESULT = "/tools/0/result"
CONVERTER = markdown.Markdown(extensions=list(EXTENSIONS))


class Book:
    """A catalogue on disk with one fixture, and reports about it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "rules" / "demo"
        self.fixtures = folder / "fixtures"
        self.folder.mkdir(parents=True)
        self.fixtures.mkdir()
        self.root = folder
        (self.fixtures / "bad.json").write_text(json.dumps(FIXTURE), "utf-8")
        (self.folder / "tool.yaml").write_text(
            "rules:\n  - id: demo.tool.result\n    title: T\n    check:\n      select: $.tools[*]\n      schema: {}\n",
            "utf-8",
        )
        self.place = Place(self.folder / "tool.yaml", Position(2, 9))

    def rule(self, rule_id: str = "demo.tool.result", **fields: Any) -> Rule:
        given: dict[str, Any] = {
            "title": "Keep results plain",
            "requirement": "A result **must** be plain.",
            "level": Level.MUST,
            "check": SchemaCheck(("$.tools[*]",), {}),
            "place": self.place,
        }
        return Rule(rule_id, **(given | fields))

    def example(self, claim: Claim = Claim.INVALID, **fields: Any) -> Example:
        given: dict[str, Any] = {"id": f"an-{claim}-one", "fixture": "bad.json", "pointer": RESULT, "place": self.place}
        return Example(claim=claim, **(given | fields))

    def catalogue(self, *rules: Rule, **fields: Any) -> Catalogue:
        given: dict[str, Any] = {
            "title": "Demo rules",
            "edition": "1.0",
            "owners": {"demo": Owner("demo", "The Demo Format", "https://demo.example/")},
            "specs": {"spec": Spec("spec", Path("spec"))},
            "facets": (Facet("surface", "Surface"), Facet("versions", "Versions", "independent of the version")),
            "tiers": {"1": "The schema itself"},
            "references": "$ref",
        }
        return Catalogue("demo", self.folder, fixtures=self.fixtures, rules=rules, **(given | fields))

    def report(self, *rules: Rule, faults: tuple[Fault, ...] = (), **outcome: Any) -> Report:
        """Return a report in which each example has the verdict that is given, or is confirmed."""
        verdicts = [
            Verdict(rule, example, **self._verdict(example, outcome)) for rule in rules for example in rule.examples
        ]
        return Report(self.catalogue(*rules), tuple(verdicts), faults)

    @staticmethod
    def _verdict(example: Example, outcome: dict[str, Any]) -> dict[str, Any]:
        found = (finding(f"{example.pointer}/structuredContent"),) if example.claim == Claim.INVALID else ()
        return {"outcome": Outcome.CONFIRMED, "engine": "engine 1", "findings": found} | outcome


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return Book(tmp_path)


def finding(pointer: str, message: str = "is not allowed here", **fields: Any) -> Finding:
    return Finding("demo.tool.result", pointer, fields.pop("target", pointer), message, "properties", **fields)


def find(catalogue: Catalogue, anchor: Anchor) -> SpecAnchor | None:
    heading = Heading(2, f"About {anchor.fragment} *x*", "h") if catalogue.specs[anchor.spec].pages else None
    return None if anchor.fragment == "gone" else SpecAnchor(anchor.page, anchor.fragment, heading)


def rendered(report: Report, *more: Report, layout: Layout | None = None) -> Pages:
    return render([report, *more], layout or Layout(specs={"spec": "specification"}), read, find)


def text(report: Report, path: str = "rules/demo/tool-result.md", **options: Any) -> str:
    return next(page.text for page in rendered(report, **options).pages if page.path == path)


def as_html(page: str) -> str:
    return str(CONVERTER.reset().convert(page.split("---\n", 2)[2]))


def words(markup: str) -> str:
    inline = r"</?(a|bdi|code|em|small|span|strong|wbr)\b[^>]*>"
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", re.sub(inline, "", markup))).split())


def said(report: Report, **options: Any) -> str:
    return words(as_html(text(report, **options)))


def headings(page: str) -> list[tuple[str, str]]:
    found = re.findall(r'<h[1-6] [^>]*?\bid="([^"]*)"[^>]*>(.*?)</h[1-6]>', as_html(page))
    return [(anchor, html.unescape(title)) for anchor, title in found]


def full(book: Book) -> Rule:
    return book.rule(
        summary="Plain results are `easy`.",
        facets={"surface": ("Tool",)},
        required_by=(RequiredBy("Demo 1.0, Section 2", "A *note*.", (Anchor("spec", "tools", "req", book.place),)),),
        based_on=(Source("Schema, Result", "1", "https://x.example/s"),),
        notes="See `demo.other`.",
        since="0.9",
        aliases=("demo.old.name",),
        examples=(book.example(), book.example(Claim.VALID, id="fine", title="A plain one", pointer="/tools/1")),
    )


def test_sections_come_in_their_order_with_fixed_anchors(book: Book) -> None:
    rule = full(book)
    other = book.rule("demo.other", facets={"surface": ("Tool",)})
    assert headings(text(book.report(rule, other))) == [
        ("demo.tool.result", "Keep results plain"),
        ("requirement", "Requirement"),
        ("details", "Details"),
        ("required-by", "Required by"),
        ("based-on", "Based on"),
        ("notes", "Notes"),
        ("examples", "Examples"),
        ("example-an-invalid-one", "Invalid: an invalid one"),
        ("example-fine", "Valid: A plain one"),
        ("related-rules", "Related rules"),
        ("rule-source", "Rule source"),
    ]


def test_sections_without_content_are_left_out(book: Book) -> None:
    page = text(book.report(book.rule()))
    assert [anchor for anchor, _ in headings(page)] == [
        "demo.tool.result", "requirement", "details", "examples", "rule-source",
    ]  # fmt: skip
    assert "This rule has no example." in page


def test_as_many_valid_as_invalid_examples_stand_beside_each_other(book: Book) -> None:
    claims = {"a": Claim.VALID, "b": Claim.INVALID, "c": Claim.INVALID, "d": Claim.INAPPLICABLE, "e": Claim.INVALID}
    examples = [book.example(claim, id=name) for name, claim in claims.items()]
    page = text(book.report(book.rule(examples=(*examples, book.example(Claim.VALID, id="e", title="Other")))))
    found = [anchor.removeprefix("example-") for anchor, _ in headings(page) if anchor.startswith("example-")]
    assert found == ["b", "c", "a", "valid-e", "e", "d"]
    shown = as_html(page)
    first, second, rest = shown.split('class="rb-column"')[1], shown.split('class="rb-column"')[2], "example-d"
    assert "example-c" in first
    assert "example-a" not in first
    assert "example-valid-e" in second
    assert second.index("</div>\n</div>") < second.index(rest)


def test_a_rule_without_a_counterpart_has_nothing_beside_it(book: Book) -> None:
    assert "rb-beside" not in text(book.report(book.rule(examples=(book.example(),))))


def test_address_and_anchors_come_from_ids_alone(book: Book) -> None:
    before, after = book.report(full(book)), book.report(replace(full(book), title="Quite another title"))
    assert [page.path for page in rendered(before).pages] == [page.path for page in rendered(after).pages]
    assert [anchor for anchor, _ in headings(text(before))] == [anchor for anchor, _ in headings(text(after))]
    assert rendered(before).pages[0].path == "rules/demo/tool-result.md"


@pytest.mark.parametrize("title", ["Name {id}", "*a* _b_ <b>c</b>", "a | b `c`", "{{ x }} {: .y }", "[[x]] #42 \\*"])
def test_titles_are_shown_to_the_letter(book: Book, title: str) -> None:
    rule = book.rule(title=title, facets={"surface": (title,)}, examples=(book.example(title=title),))
    report = book.report(rule, book.rule("demo.b", title=title, facets={"surface": (title,)}))
    shown = headings(text(report))
    assert shown[0] == ("demo.tool.result", title)
    assert ("example-an-invalid-one", f"Invalid: {title}") in shown
    assert said(report).count(title) >= 4
    assert words(as_html(text(report, "rules/index.md"))).count(title) == 4


def test_pages_hold_nothing_for_macros(book: Book) -> None:
    (book.fixtures / "bad.json").write_text('{"tools": [{"{{ a }}": "{% b %} {# c #}"}]}')
    rule = book.rule(title="{{ t }}", examples=(book.example(title="{# x #}", pointer="/tools/0/{{ a }}"),))
    report = book.report(
        rule, findings=(finding("/tools/0/{{ a }}", "is `{{ m }}`"),), faults=(fault(book, "{% f %}"),)
    )
    for page in rendered(report).pages:
        body = page.text.split("---\n", 2)[2]
        assert jinja2.Environment(keep_trailing_newline=True).from_string(body).render() == body


def fault(book: Book, message: str = "Something is `wrong`", **fields: Any) -> Fault:
    return Fault(book.place, "policy", message, **({"rule": "demo.tool.result"} | fields))


def test_front_matter(book: Book) -> None:
    meta = yaml.safe_load(text(book.report(full(book))).split("---\n")[1])
    assert meta == {"title": "Keep results plain", "description": "Plain results are `easy`.", "search": {"boost": 2}}
    meta = yaml.safe_load(text(book.report(book.rule())).split("---\n")[1])
    assert meta["description"] == "A result must be plain."


def test_head_of_the_page(book: Book) -> None:
    page = text(book.report(full(book)))
    assert "[Demo rules](../index.md#demo) › [Tool](../index.md#demo-tool)" in page
    assert '<code class="rb-id">demo&#x2E;tool&#x2E;result</code> · <span class="rb-level">must</span>' in page
    assert "proved both ways" in page
    assert '<p class="rb-lead">Plain results are <code>easy</code>.</p>' in as_html(page)


def test_details_show_every_facet_and_what_an_empty_one_means(book: Book) -> None:
    shown = as_html(text(book.report(full(book))))
    rows = dict(re.findall(r"<tr>\s*<td>(.*?)</td>\s*<td>(.*?)</td>\s*</tr>", shown))
    assert {key: words(value) for key, value in rows.items()} == {
        "Rule id": "demo.tool.result",
        "Owner": "The Demo Format",
        "Level": "must",
        "Surface": "Tool",
        "Versions": "independent of the version",
        "Edition": "1.0",
        "Since": "0.9",
        "Former ids": "demo.old.name",
    }
    assert 'href="https://demo.example/"' in rows["Owner"]
    assert "Surface — none" in said(book.report(book.rule()))


def test_details_say_what_the_values_of_a_facet_mean(book: Book) -> None:
    kinds = Facet("kind", "Kind", values={"x-y": "in `a|b` | or *c*", "unused": "never"})
    report = book.report(book.rule(facets={"kind": ("x-y", "plain")}))
    report = replace(report, catalogue=replace(report.catalogue, facets=(kinds,)))
    rows = dict(re.findall(r"<tr>\s*<td>(.*?)</td>\s*<td>(.*?)</td>\s*</tr>", as_html(text(report))))
    assert words(rows["Kind"]) == "x-y: in a|b | or *c* plain"
    assert "<code>a|b</code>" in html.unescape(rows["Kind"])


def test_anchors_are_named_by_their_heading(book: Book) -> None:
    page = text(book.report(full(book)))
    assert "[About req &#x2A;x&#x2A;](../../specification/tools.md#req)" in page
    assert "spec:tools#req" in words(as_html(page))
    assert "A <em>note</em>." in as_html(page)


def test_anchors_of_other_specifications(book: Book) -> None:
    anchors = tuple(Anchor(spec, "a/b", "c", book.place) for spec in ("web", "unlinked"))
    rule = book.rule(required_by=(RequiredBy("x", anchors=(*anchors, Anchor("spec", "tools", "gone", book.place))),))
    report = book.report(rule)
    specs = {"web": Spec("web", url="https://w.example/s/"), "unlinked": Spec("unlinked"), "spec": Spec("spec", Path())}
    page = text(replace(report, catalogue=replace(report.catalogue, specs=specs)))
    assert "</code>](https://w.example/s/a/b#c)" in page
    assert "-   <code>unlinked&#x3A;a&#x2F;b&#x23;c</code>\n" in page
    assert "<code>spec&#x3A;tools&#x23;gone</code> **This anchor does not exist.**" in page


def test_based_on_names_the_tier_in_words(book: Book) -> None:
    page = text(book.report(full(book)))
    assert "[Schema, Result](https://x.example/s)" in page
    assert "Tier 1: The schema itself" in said(book.report(full(book)))


def test_rule_ids_in_prose_link_also_to_other_catalogues_and_former_ids(book: Book) -> None:
    rule = book.rule(notes="`demo.other`, `demo.old`, `far.away`, `no.rule`")
    one = book.report(rule, book.rule("demo.other", aliases=("demo.old",)))
    two = Report(replace(book.catalogue(book.rule("far.away")), name="far", folder=book.root / "far"))
    page = next(page.text for page in rendered(one, two).pages if page.path == "rules/demo/tool-result.md")
    assert "[`demo.other`](other.md), [`demo.old`](other.md), [`far.away`](../far/away.md), `no.rule`" in page


def test_example_shows_fixture_selection_failing_lines_and_the_finding(book: Book) -> None:
    page = text(book.report(full(book)))
    example = page.split("{: #example-an-invalid-one }")[1].split("### ")[0]
    assert "](../files/demo/fixtures/bad.json)" in example
    assert "Selected: tools › item 1 › result <small" in example
    assert example.count('"rb-line rb-bad"') == 1
    assert example.count('"rb-line rb-bad-on"') == 2
    order = [example.index(part) for part in ("rb-where", "rb-excerpt", "rb-bad", "rb-findings", "rb-evidence")]
    assert order == sorted(order)
    assert "/structuredContent is not allowed here." in words(as_html(page))
    assert "The check looks at this and finds nothing." in words(as_html(page))


def test_finding_at_the_selection_itself_and_the_words_of_the_author(book: Book) -> None:
    rule = book.rule(check=SchemaCheck((), {}, message="Be *plain*."), examples=(book.example(),))
    shown = as_html(text(book.report(rule, findings=(finding(RESULT, "lacks `content`", names=("content",)),))))
    assert "The selection lacks <code>content</code>." in shown
    assert "<p>Be <em>plain</em>.</p>" in shown


def test_many_findings_are_counted(book: Book) -> None:
    many = tuple(finding(RESULT, f"is wrong {number}") for number in range(20))
    shown = said(book.report(book.rule(examples=(book.example(),)), findings=many))
    assert "is wrong 7." in shown
    assert "is wrong 8." not in shown
    assert "12 more findings" in shown


def test_also_breaks(book: Book) -> None:
    report = book.report(full(book), also={"demo.other": (finding(f"{RESULT}/isError", "is odd"),)})
    other = book.rule("demo.other")
    report = replace(report, catalogue=replace(report.catalogue, rules=(*report.catalogue.rules, other)))
    assert "Also breaks [<code>demo&#x2E;other</code>](other.md): <code>&#x2F;isError</code> is odd." in text(report)


def test_shown_pointers_and_followed_references(book: Book) -> None:
    value = {"use": {"$ref": "#/components/c"}, "components": {"c": {"deep": {"bad": 1}}}, "extra": [True]}
    (book.fixtures / "bad.json").write_text(json.dumps(value))
    rule = book.rule(examples=(book.example(pointer="/use", show=("/extra", "/none")),))
    page = text(book.report(rule, findings=(finding("/use", target="/components/c/deep/bad"),)))
    shown = words(as_html(page))
    assert "Shown for context: /extra" in shown
    assert "Shown for context, but not in the fixture: /none" in shown
    assert "Where the reference leads: /components/c" in shown
    assert "/components/c/deep/bad, to which the selection refers, is not allowed here." in shown
    assert page.count('rb-line rb-bad"') == 2


def test_reference_that_is_shown_already_is_not_shown_again(book: Book) -> None:
    (book.fixtures / "bad.json").write_text('{"use": {"$ref": "#/c"}, "c": {"bad": 1}}')
    rule = book.rule(examples=(book.example(pointer="/use", show=("/c",)),))
    page = text(book.report(rule, findings=(finding("/use", target="/c/bad"),)))
    assert "Where the reference leads" not in page


def test_fix_is_shown_as_a_diff(book: Book) -> None:
    fix: tuple[dict[str, Any], ...] = ({"op": "remove", "path": "/structuredContent"},)
    fixed = {"tools": [{"name": "a", "result": {"isError": True}}, {"name": "b"}]}
    rule = book.rule(examples=(book.example(fix=fix),))
    assert "Fix that makes the check silent:" in said(book.report(rule, fixed=fixed))
    assert text(book.report(rule, fixed=fixed)).count("rb-remove") == 3
    failed = book.report(rule, fixed=fixed, outcome=Outcome.FIX_FAILS, detail="it still fails")
    assert "Fix, not confirmed:" in said(failed)
    assert "Not proved: the fix does not mend it. It still fails." in said(failed)
    assert "rb-diff" not in text(book.report(rule))


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome != Outcome.CONFIRMED])
def test_other_outcomes_are_said_at_the_example(book: Book, outcome: Outcome) -> None:
    report = book.report(full(book), outcome=outcome, detail="because `x` is {y}", findings=())
    shown = said(report)
    assert "Because x is {y}." in shown
    assert ("Not machine-checked." if outcome == Outcome.UNVERIFIED else "Not proved") in shown
    assert "finds nothing. Evidence" not in shown
    assert f"Outcome: {module.words.OUTCOME[outcome]}" in shown


@pytest.mark.parametrize("outcome", [Outcome.NOT_FAILING, Outcome.CHECK_ERROR])
def test_what_is_wrong_is_said_once_and_where_it_is_written(book: Book, outcome: Outcome) -> None:
    place = Place(book.folder / "tool.yaml", Position(4, 5))
    rule = book.rule(examples=(book.example(place=place),))
    report = book.report(rule, outcome=outcome, detail="the rule finds nothing wrong with `/x`", findings=())
    title = "Not proved." if outcome == Outcome.NOT_FAILING else "Not proved: the check could not be carried out."
    written = "The example is written in tool.yaml, line 4."
    assert f"{title} The rule finds nothing wrong with /x. {written}" in said(report)
    assert str(book.root) not in text(report)


def test_an_example_that_does_not_hold_is_said_wherever_the_proof_is(book: Book) -> None:
    examples = (book.example(), book.example(Claim.VALID, id="fine"), book.example(id="known"))
    rule = book.rule(examples=(*examples[:2], replace(examples[2], known=Known(Outcome.ELSEWHERE, "Later."))))
    whole = book.report(rule)
    verdicts = [replace(verdict, outcome=Outcome.ELSEWHERE) for verdict in whole.verdicts]
    known = replace(whole, verdicts=(*whole.verdicts[:2], verdicts[2]))
    one = replace(whole, verdicts=(verdicts[0], whole.verdicts[1], verdicts[2]))
    for path in ("rules/demo/tool-result.md", "rules/index.md"):
        assert "✗" not in text(known, path)
        assert '<span class="rb-proof rb-proof-both">proved both ways</span>' in text(known, path)
        assert '<span class="rb-proof rb-proof-wrong">1 example does not hold</span>' in text(one, path)
        assert "2 examples do not hold" in text(replace(one, verdicts=tuple(verdicts)), path)
        assert "rb-proof-none" in text(book.report(rule, outcome=Outcome.NOT_RUN), path)


def test_a_filter_finds_the_rules_at_fault(book: Book) -> None:
    good, bad = full(book), book.rule("demo.bad", examples=(book.example(id="other"),))
    report = book.report(good, bad)
    verdicts = [replace(v, outcome=Outcome.FAILING) if v.rule is bad else v for v in report.verdicts]
    index = as_html(text(replace(report, verdicts=tuple(verdicts)), "rules/index.md"))
    assert "An example does not hold (1)" in words(index)
    assert re.search(r'value="wrong"', index)
    assert words(index).count("Proved on") == 0
    assert "does not hold" not in as_html(text(report, "rules/index.md"))


def test_the_head_leads_to_the_first_example_of_each_claim_and_to_the_first_fix(book: Book) -> None:
    fix = {"op": "remove", "path": "/structuredContent"}
    fixed = {"tools": [{"name": "a", "result": {"isError": True}}, {"name": "b"}]}
    rule = book.rule(
        examples=(
            book.example(id="first"),
            book.example(id="second", fix=(fix,)),
            book.example(Claim.VALID, id="fine"),
            book.example(Claim.INAPPLICABLE, id="else"),
        )
    )
    report = book.report(rule, fixed=fixed)
    assert "Examples: 2 invalid · 1 valid · 1 inapplicable · fix" in said(report)
    page = as_html(text(report))
    line = re.search(r"<p [^>]*rb-jumps.*?</p>", page, re.DOTALL)
    assert line
    assert 'data-search-exclude="true"' in line[0]
    links = re.findall('href="#([^"]*)"', line[0])
    assert links == ["examples", "example-first", "example-fine", "example-else", "fix-example-second"]
    assert all(f'id="{link}"' in page for link in links)
    assert page.index("rb-jumps") < page.index('id="requirement"')
    assert "rb-jumps" not in as_html(text(book.report(book.rule())))


def test_known_fault_is_said_with_its_reason(book: Book) -> None:
    known = Known(Outcome.NOT_FAILING, "Waits for `demo.other`.", "https://i.example/1")
    rule = book.rule(examples=(book.example(known=known),))
    shown = as_html(text(book.report(rule, outcome=Outcome.NOT_FAILING, findings=())))
    assert "Known fault: the check finds nothing wrong." in words(shown)
    assert "Waits for <code>demo.other</code>." in shown
    assert '<a href="https://i.example/1">the issue about it</a>' in shown
    assert "No longer the known fault: the check finds nothing wrong." in said(book.report(rule))


def test_fixture_that_cannot_be_read_is_named_and_not_linked(book: Book) -> None:
    for outcome in (Outcome.FIXTURE_MISSING, Outcome.FIXTURE_UNREADABLE, Outcome.NOT_RUN):
        rule = book.rule(examples=(book.example(fixture="../no.json"),))
        made = rendered(book.report(rule, outcome=outcome, findings=()))
        page = next(page.text for page in made.pages if page.path == "rules/demo/tool-result.md")
        assert "Fixture <code>&#x2E;&#x2E;&#x2F;no&#x2E;json</code><br>" in page
        assert [found.path for found in made.assets] == ["rules/files/demo/rules/tool.yaml"]


def test_missing_selection_has_no_excerpt(book: Book) -> None:
    rule = book.rule(examples=(book.example(pointer="/tools/9/x"),))
    page = text(book.report(rule, outcome=Outcome.POINTER_MISSING, findings=(), detail="`/tools` has 2 items"))
    assert "Selected: tools › 9 › x" in page
    assert "rb-excerpt" not in page.split("## Rule source")[0]


def test_example_without_verdict_is_not_passed_off_as_proved(book: Book) -> None:
    report = replace(book.report(full(book)), verdicts=())
    assert "Not proved: the check was not run." in said(report)
    assert "not proved" in text(report, "rules/index.md")


def test_rule_without_check_says_why(book: Book) -> None:
    rule = book.rule(check=NoCheck("Only *people* can tell."))
    assert "Not machine-checked. Only people can tell." in said(book.report(rule))


def test_what_the_check_leaves_open_stands_under_the_requirement(book: Book) -> None:
    rule = book.rule(check=SchemaCheck((), {}, unchecked="Whether it is *true*."))
    page = said(book.report(rule))
    assert (
        page.index("must be plain.")
        < page.index("Not decided by the check: Whether it is true.")
        < page.index("Details")
    )


def test_deprecated_rule_says_so_and_links_the_replacement(book: Book) -> None:
    report = book.report(book.rule(deprecated="2.0", replaced_by="demo.other"), book.rule("demo.other"))
    assert "**Deprecated.** Since 2&#x2E;0. Replaced by [demo&#x2E;other](other.md)." in text(report)
    assert "(deprecated)" in text(report, "rules/index.md")


def test_faults_are_said_on_the_page_and_in_the_list(book: Book) -> None:
    faults = (
        fault(book),
        fault(book, "this example too", example="an-invalid-one"),
        fault(book, "the verdict", example="an-invalid-one", severity=Severity.WARNING),
        Fault(Place(book.fixtures / "x.json", Position(3, 4)), "group", "not cited", related=()),
    )
    report = book.report(full(book), faults=faults)
    shown = said(report)
    assert shown.index("Wrong. Something is wrong.") < shown.index("Requirement")
    assert shown.index("Wrong. This example too.") > shown.index("Examples")
    assert "Warning. The verdict." in shown
    index = words(as_html(text(report, "rules/index.md")))
    assert "tool.yaml:2:9 policy, rule demo.tool.result: Something is wrong." in index
    assert "x.json:3:4 group: not cited." in index
    assert "3 faults" in index
    assert str(book.root) not in text(report, "rules/index.md")


def test_headings_and_anchors_are_unique(book: Book) -> None:
    examples = (
        book.example(id="same"),
        book.example(id="other", title="same"),
        book.example(Claim.VALID, id="same"),
        book.example(Claim.INAPPLICABLE, id="third"),
    )
    found = headings(text(book.report(book.rule(examples=examples))))
    assert len({anchor for anchor, _ in found}) == len({title for _, title in found}) == len(found)
    assert ("example-third", "Does not apply: third") in found


def test_repository_links_carry_ref_and_line_and_publish_nothing(book: Book) -> None:
    link = SourceLink("https://git.example/o/r/blob/{ref}/{path}", "v1.0", book.root)
    report = book.report(full(book))
    report = replace(report, catalogue=replace(report.catalogue, source=link))
    page = text(report)
    assert "](https://git.example/o/r/blob/v1.0/fixtures/bad.json#L1)" in page
    assert "](https://git.example/o/r/blob/v1.0/rules/demo/tool.yaml#L2)" in page
    assert "[rules&#x2F;demo&#x2F;tool&#x2E;yaml, line 2]" in page
    assert rendered(report).assets == ()
    unpinned = replace(report, catalogue=replace(report.catalogue, source=replace(link, ref="")))
    assert len(rendered(unpinned).assets) == 2


def test_files_are_published_where_the_links_lead(book: Book) -> None:
    made = rendered(book.report(full(book)))
    assert [(found.path, found.origin) for found in made.assets] == [
        ("rules/files/demo/fixtures/bad.json", book.fixtures / "bad.json"),
        ("rules/files/demo/rules/tool.yaml", book.folder / "tool.yaml"),
    ]


def test_rule_source_shows_the_check_as_written(book: Book) -> None:
    page = text(book.report(full(book)))
    assert "select: $.tools[*] schema: {}" in words(as_html(page).split("The check, as it is written there")[1])


def test_related_rules_share_an_anchor_or_the_surface(book: Book) -> None:
    anchored = (RequiredBy("x", anchors=(Anchor("spec", "tools", "req", book.place),)),)
    rules = [
        book.rule("demo.surface", title="S", facets={"surface": ("Tool",)}),
        book.rule("demo.gone", title="G", facets={"surface": ("Tool",)}, deprecated="1"),
        book.rule("demo.far", title="F", facets={"surface": ("Other",)}),
        book.rule("demo.anchor", title="A", required_by=anchored),
        *(book.rule(f"demo.n{number}", facets={"surface": ("Tool",)}) for number in range(20)),
    ]
    related = related_part(text(book.report(full(book), *rules)))
    found = re.findall(r"\]\(([a-z0-9]+)\.md\)", related)
    assert found == ["anchor", "surface", "n0", "n1", "n2", "n3", "n4", "n5"]
    assert "same requirement: About req *x*" in words(as_html("---\n---\n" + related))
    assert "[All 23 rules with Surface&#x3A; Tool](../index.md?surface=Tool)" in related


def related_part(page: str) -> str:
    return page.split("## Related rules")[1].split("## ")[0]


def test_rules_are_related_that_break_together(book: Book) -> None:
    rule, other = full(book), book.rule("demo.other", title="O")
    also = {"demo.other": (finding("/tools/0"),), "elsewhere.rule": (finding("/tools/0"),)}
    pages = {page.path: page.text for page in rendered(book.report(rule, other, also=also)).pages}
    assert "an example of this rule breaks it as well" in related_part(pages["rules/demo/tool-result.md"])
    assert "an example of it breaks this rule as well" in related_part(pages["rules/demo/other.md"])
    assert "elsewhere" not in related_part(pages["rules/demo/tool-result.md"])


def test_each_way_in_which_a_rule_is_related_is_said(book: Book) -> None:
    anchored = (RequiredBy("x", anchors=(Anchor("spec", "tools", "req", book.place),)),)
    other = book.rule("demo.other", title="O", required_by=anchored, facets={"surface": ("Tool",)})
    related = related_part(text(book.report(full(book), other)))
    assert "same requirement: About req *x*; Surface: Tool" in html.unescape(related)
    assert "All " not in related


@pytest.mark.parametrize(
    ("facets", "label"),
    [
        ((Facet("kind", "Kind"), Facet("part", "Part", pages=True), Facet("surface", "Surface")), "Surface"),
        ((Facet("kind", "Kind"), Facet("part", "Part", pages=True)), "Part"),
        ((Facet("kind", "Kind"), Facet("part", "Part")), "Kind"),
        ((Facet("none", "None", pages=True), Facet("part", "Part")), "Part"),
    ],
)
def test_the_facet_that_relates_rules_is_the_one_that_says_most(
    book: Book, facets: tuple[Facet, ...], label: str
) -> None:
    given = {"kind": ("k",), "part": ("p",), "surface": ("s",)}
    rules = [book.rule("demo.tool.result", facets=given), book.rule("demo.other", facets=given)]
    report = Report(book.catalogue(*rules, facets=facets))
    assert f"{label}: {label[0].lower()}" in html.unescape(related_part(text(report)))


def test_the_nearest_rules_of_a_surface_are_shown(book: Book) -> None:
    rules = [book.rule(f"demo.n{number}", facets={"surface": ("Tool",)}) for number in range(30)]
    related = related_part(text(book.report(*rules), "rules/demo/n20.md"))
    assert re.findall(r"\]\((n\d+)\.md\)", related) == ["n16", "n17", "n18", "n19", "n21", "n22", "n23", "n24"]


def test_the_foot_leads_to_the_rules_before_and_after(book: Book) -> None:
    report = book.report(*(book.rule(f"demo.n{number}", title=f"N*{number}*") for number in range(3)))
    found = {
        number: re.findall(
            r'>(Previous|Next) rule</span><br\s*/?>\s*<a href="(n\d).md">N\*(\d)\*</a>',
            html.unescape(as_html(text(report, f"rules/demo/n{number}.md"))).partition("<nav")[2],
        )
        for number in range(3)
    }
    assert found == {
        0: [("Next", "n1", "1")],
        1: [("Previous", "n0", "0"), ("Next", "n2", "2")],
        2: [("Previous", "n1", "1")],
    }


def test_a_single_rule_has_no_foot(book: Book) -> None:
    assert "rb-neighbours" not in text(book.report(full(book)))


def test_index_lists_all_rules_of_all_catalogues(book: Book) -> None:
    one = book.report(full(book), book.rule("demo.other", level=Level.SHOULD_NOT, check=NoCheck("x")))
    two = Report(replace(book.catalogue(book.rule("far.away")), folder=book.root / "far", title="Far rules"))
    page = next(page for page in rendered(one, two).pages if page.path == "rules/index.md")
    assert headings(page.text) == [("rules", "Rules"), ("demo", "Demo rules"), ("demo-2", "Far rules")]
    assert "Edition 1.0 · 2 rules · 2 examples · 2 confirmed · 0 not machine-checked" in words(as_html(page.text))
    rows = [words(row) for row in re.findall(r"<tr>(.*?)</tr>", as_html(page.text), re.DOTALL)]
    assert rows == [
        "Rule Surface Level Proof",
        "Keep results plain demo.tool.result Tool must proved both ways",
        "Keep results plain demo.other — none should not not machine-checked",
        "Rule Surface Level Proof",
        "Keep results plain far.away — none must not proved",
    ]
    assert '<a id="demo-tool"></a>' in page.text


def test_former_ids_redirect(book: Book) -> None:
    report = book.report(full(book), book.rule("demo.b", aliases=("old.b.c",)))
    made = rendered(report).redirects
    assert [found.path for found in made] == [
        "rules/demo.b/index.html",
        "rules/demo.old.name/index.html",
        "rules/demo.tool.result/index.html",
        "rules/demo/old-name/index.html",
        "rules/old.b.c/index.html",
        "rules/old/b-c/index.html",
    ]
    assert '<link rel="canonical" href="../tool-result/">' in made[3].text
    assert 'content="0; url=../../demo/b/"' in made[5].text
    assert '<a href="../../demo/b/"><code>demo.b</code></a>' in made[5].text
    flat = rendered(report, layout=Layout(directory_urls=False)).redirects
    assert flat[5].path == "rules/old/b-c.html"
    assert 'href="../demo/b.html"' in flat[5].text


def test_redirect_never_takes_a_live_address(book: Book) -> None:
    report = book.report(full(book), book.rule("demo.b", aliases=("demo.tool-result",)))
    made = [found.path for found in rendered(report).redirects]
    assert [path for path in made if "." not in path.split("/")[1]] == ["rules/demo/old-name/index.html"]


def test_base_may_lie_anywhere(book: Book) -> None:
    made = rendered(book.report(full(book)), layout=Layout("a/b", {"spec": "a/spec"}))
    assert [page.path for page in made.pages] == ["a/b/demo/tool-result.md", "a/b/index.md"]
    assert "](../../spec/tools.md#req)" in made.pages[0].text
    assert "](../files/demo/fixtures/bad.json)" in made.pages[0].text


def test_pages_know_their_yaml_file(book: Book) -> None:
    made = rendered(book.report(full(book)))
    assert [page.origin for page in made.pages] == [book.folder / "tool.yaml", book.folder / "catalogue.yaml"]


def test_nothing_depends_on_where_the_checkout_is(tmp_path: Path) -> None:
    pages = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        book = Book(tmp_path / name)
        pages.append([page.text for page in rendered(book.report(full(book), faults=(fault(book),))).pages])
    assert pages[0] == pages[1]
    assert str(tmp_path) not in "".join(pages[0])


def test_crlf_files_give_the_same_pages(book: Book) -> None:
    before = rendered(book.report(full(book))).pages
    for file in (book.fixtures / "bad.json", book.folder / "tool.yaml"):
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert rendered(book.report(full(book))).pages == before


def test_templates_can_be_replaced_in_part(book: Book) -> None:
    (book.root / "rule.md.jinja").write_text(
        '{% extends "base/rule.md.jinja" %}{% block notes %}## Ours {: #ours }\n\n{% endblock %}'
    )
    page = text(book.report(full(book)), layout=Layout(templates=book.root))
    assert ("ours", "Ours") in headings(page)
    assert "notes" not in [anchor for anchor, _ in headings(page)]


def test_no_reports_give_an_empty_list() -> None:
    made = render([], Layout(), read, find)
    assert [page.path for page in made.pages] == ["rules/index.md"]


def test_style_and_script_are_part_of_the_package() -> None:
    assert ".rb-excerpt" in asset(CSS)
    assert "http" not in asset(CSS)
    script = asset(JAVASCRIPT)
    assert len(script.encode()) < 2048
    assert "http" not in script
