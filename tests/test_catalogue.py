"""Bad catalogues: each fault is one clear line at its place, and the other rules still run."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest

from conftest import Checked, Run, Write
from mkdocs_rulebook.catalogue import load
from mkdocs_rulebook.model import Outcome
from mkdocs_rulebook.project import check

GOOD = """\
rules:
  - id: t.name
    title: Name it
    requirement: A name is text.
    level: must
    check: {select: $.name, schema: {type: string}}
    examples:
      invalid:
        - {id: bad, fixture: bad.json, pointer: /name}
      valid:
        - {id: good, fixture: good.json, pointer: /name}
"""
CATALOGUE = """\
title: Rules for tests
edition: '1'
owners: {t: {title: Tests}}
fixtures: {root: fixtures}
"""


def rule(check: str = "{none: No machine can.}", more: str = "", name: str = "t.second") -> str:
    """Return a rule file: `check` begins at 6:5, and `more` on line 7."""
    head = f"rules:\n  - id: {name}\n    title: Second\n    requirement: Be it.\n    level: must\n    check: {check}\n"
    return head + indent(dedent(more), "    ")


def faults(checked: Checked) -> list[str]:
    return [line.removeprefix("cat/") for line in checked.lines]


RULE_FILES = [
    ("rules: [a\n", "b.yaml:2:1: catalogue: ", "expected ',' or ']'"),
    ("rules:\n\t- id: x\n", "b.yaml:2:1: catalogue: a tab is used for indentation", ""),
    ("rules: []\nrules: []\n", 'b.yaml:2:1: catalogue: the member name "rules" is repeated; it is first on line 1', ""),
    ("", "b.yaml:1:1: catalogue: the file is empty", ""),
    ("- a\n", "b.yaml:1:1: catalogue: the file is an array, not an object", ""),
    ("{}\n", "b.yaml:1:1: catalogue: the file has neither `rules` nor `removed`", ""),
    ("removed: [{id: t.old}]\n", "b.yaml:1:11: catalogue: item 1 of `removed` lacks the field `reason`", ""),
    (
        "removed: [{id: t.old, reason: x, replaced: t.name}]\n",
        "b.yaml:1:34: catalogue: unknown key `replaced`",
        "`replaced_by`?",
    ),
    ("rules: {}\n", "b.yaml:1:1: catalogue: `rules` is an object, not an array", ""),
    ("rules: [5]\n", "b.yaml:1:9: catalogue: item 1 of `rules` is a number, not an object", ""),
    ("rule: []\nrules: []\n", "b.yaml:1:1: catalogue: unknown key `rule`; did you mean `rules`?", ""),
    ("rules: []\n5: x\n", "b.yaml:2:1: catalogue: ", "member name"),
    ("rules: [{id: a, id: b}]\n", 'b.yaml:1:17: catalogue: the member name "id" is repeated', ""),
    (rule(more="titel: x\n"), "b.yaml:7:5: catalogue: unknown key `titel`; did you mean `title`?", ""),
    (rule(more="qqq: x\n"), "b.yaml:7:5: catalogue: unknown key `qqq`; known here: aliases, based_on, check", ""),
    (rule().replace("    level: must\n", ""), "b.yaml:2:5: catalogue: item 1 of `rules` lacks the field `level`", ""),
    (rule().replace("must", "shall"), 'b.yaml:5:5: catalogue: `level` is `"shall"`, not one of `"must"`', ""),
    (rule().replace("Second", "[]"), "b.yaml:3:5: catalogue: `title` is an array, not a string", ""),
    (rule().replace("Second", '"a\\nb"'), "b.yaml:3:5: catalogue: `title` is ", "does not match"),
    (rule(name="Bad Id"), 'b.yaml:2:5: catalogue: `id` is `"Bad Id"`, which does not match', "joined by dots"),
    (rule(name="alone"), 'b.yaml:2:5: catalogue: `id` is `"alone"`, which does not match', ""),
    (
        rule("{}"),
        "b.yaml:6:5: catalogue: a check has either `select` and `schema`, or `python`, or `engine`",
        "",
    ),
    (rule("{select: $, python: 'm:f', schema: {}}"), "b.yaml:6:5: catalogue: a check has either", ""),
    (rule("{none: x, select: $}"), "b.yaml:6:22: catalogue: `select` is not allowed here", ""),
    (rule("{select: 5, schema: {}}"), "b.yaml:6:13: catalogue: `select` is neither a text nor a list of texts", ""),
    (rule("{python: 'm'}"), "b.yaml:6:13: catalogue: `python` is", "module:function"),
    (rule("{python: 'm:f', when: {}}"), "b.yaml:6:5: catalogue: `check` lacks the field `select`", ""),
    (
        rule("{select: $, schema: {}, slect: 1}"),
        "b.yaml:6:36: catalogue: unknown key `slect`; did you mean `select`?",
        "",
    ),
    (
        rule(more="examples: {invalid: [{id: a}]}\n"),
        "b.yaml:7:26: catalogue: item 1 of `invalid` lacks the field `fixture`",
        "",
    ),
    (rule(more="examples: {broken: []}\n"), "b.yaml:7:16: catalogue: unknown key `broken`", "known here"),
    (
        rule(more="examples: {invalid: [{id: a, fixture: x, pointer: a/b}]}\n"),
        'b.yaml:7:46: catalogue: `pointer` is `"a/b"`, which does not match',
        "RFC 6901",
    ),
    (rule(more="examples: {invalid: [{id: a, fixture: x, pointer: /~2}]}\n"), "b.yaml:7:46: catalogue: `pointer`", ""),
    (
        rule(more="examples: {invalid: [{id: a, fixture: x, expect: {}}]}\n"),
        "b.yaml:7:46: catalogue: `expect` is empty; it needs at least 1 member",
        "",
    ),
    (
        rule(more="examples: {valid: [{id: a, fixture: x, expect: {reason: y}}]}\n"),
        "b.yaml:7:44: catalogue: `expect` is not allowed",
        "",
    ),
    (
        rule(more="examples: {valid: [{id: a, fixture: x, fix: [{op: remove, path: /a}]}]}\n"),
        "b.yaml:7:44: catalogue: `fix` is not",
        "",
    ),
    (
        rule(more="examples: {invalid: [{id: a, fixture: x, breaks: [t.name]}]}\n"),
        "b.yaml:7:46: catalogue: `breaks` is not",
        "",
    ),
    (
        rule(more="examples: {invalid: [{id: a, fixture: x, fix: [{op: mend, path: /a}]}]}\n"),
        'b.yaml:7:53: catalogue: `op` is `"mend"`, not one of',
        "",
    ),
    (
        rule(more="examples: {invalid: [{id: a, fixture: x, known: {verdict: confirmed, reason: x}}]}\n"),
        "b.yaml:7:54: catalogue: `verdict` is",
        "",
    ),
    (
        rule(more="facets: {surface: 5}\n"),
        "b.yaml:7:14: catalogue: `surface` is neither a text nor a list of texts",
        "",
    ),
    # What a rule says of other things, all of which exist or not.
    (
        rule(name="u.second"),
        "b.yaml:2:5: catalogue: u.second: `u.second` belongs to `u`, which is no owner",
        "known: `t`",
    ),
    (rule(name="t.name"), "b.yaml:2:5: catalogue: t.name: the rule id `t.name` is used twice", ""),
    (
        rule(more="aliases: [t.name]\n"),
        "b.yaml:2:5: catalogue: t.second: the alias `t.name` is the id or address of",
        "",
    ),
    (rule(more="aliases: [u.old]\n"), "b.yaml:2:5: catalogue: t.second: the alias `u.old` belongs to no owner", ""),
    (
        rule(more="replaced_by: t.nmae\n"),
        "b.yaml:2:5: catalogue: t.second: there is no rule `t.nmae`; nearest: `t.name`",
        "",
    ),
    (
        rule(more="notes: See `t.nmae`.\n"),
        "b.yaml:7:5: catalogue: the text names the rule `t.nmae`, which does not exist; nearest",
        "",
    ),
    (
        rule(more="facets: {kind: x}\n"),
        "b.yaml:2:5: catalogue: t.second: the facet `kind` is not declared in catalogue.yaml",
        "",
    ),
    (
        rule(more="based_on: [{text: x, tier: 1}]\n"),
        "b.yaml:2:5: catalogue: t.second: the tier `1` is not declared",
        "",
    ),
    (
        rule(more="required_by: [{text: x, anchors: ['spec:a#b']}]\n"),
        "b.yaml:7:39: catalogue: t.second: `spec:a#b` names the specification `spec`, ",
        "which catalogue.yaml does not declare",
    ),
    (
        rule(more="required_by: [{text: x, anchors: ['a#b']}]\n"),
        "b.yaml:7:39: catalogue: item 1 of `anchors` is",
        "spec:page#anchor",
    ),
]


@pytest.mark.parametrize(("text", "start", "part"), RULE_FILES)
def test_a_fault_in_one_rule_file_is_one_line_at_its_place_and_the_other_file_is_verified(
    run: Run, text: str, start: str, part: str
) -> None:
    checked = run(files={"catalogue.yaml": CATALOGUE, "a.yaml": GOOD, "b.yaml": text, "rules.yaml": "rules: []\n"})
    (line,) = faults(checked)
    assert line.startswith(start)
    assert part in line
    assert checked.outcome("bad") == checked.outcome("good") == Outcome.CONFIRMED


CHECKS = [
    ("{select: '$..p[?(@.in==query)]', schema: true}", "6:13", "`$..p[?(@.in==query)]` is no JSONPath (RFC 9535): "),
    ("{select: [$.a, a.b], schema: true}", "6:13", "`a.b` is no JSONPath (RFC 9535): "),
    ("{select: '', schema: true}", "6:13", "`` is no JSONPath (RFC 9535): "),
    ("{select: $, schema: {type: text}}", "6:33", "`schema`: no valid JSON Schema: "),
    ("{select: $, schema: {$ref: '#/no'}}", "6:33", "`schema`: the reference `#/no` cannot be resolved: "),
    ("{select: $, schema: no.json}", "6:24", "`schema`: the reference `no.json` cannot be resolved: "),
    ("{select: $, schema: {$ref: 'https://x.test/'}}", "6:33", "`schema`: the reference `https://x.test/` cannot be"),
    ("{select: $, schema: {pattern: '('}}", "6:33", "`schema`: `(` is not an ECMA-262 regular expression: "),
    ("{select: $, schema: true, when: {pattern: '('}}", "6:45", "`when`: `(` is not an ECMA-262 regular expression: "),
    ("{select: $, python: 'm:f', when: {type: 5}}", "6:46", "`when`: no valid JSON Schema: "),
    ("{python: 'm:f'}", "6:5", "`m:f` cannot be found: there is no file `checks/m.py`"),
]


@pytest.mark.parametrize(("text", "place", "message"), CHECKS)
def test_a_check_that_cannot_be_used_is_one_check_error_and_the_other_rules_are_verified(
    run: Run, text: str, place: str, message: str
) -> None:
    examples = "examples: {invalid: [{id: it, fixture: bad.json}], valid: [{id: too, fixture: good.json}]}\n"
    checked = run(files={"catalogue.yaml": CATALOGUE, "rules.yaml": GOOD, "b.yaml": rule(text, examples)})
    (line,) = faults(checked)
    assert line.startswith(f"b.yaml:{place}: check-error: t.second: {message}")
    assert checked.outcomes == {"bad": "confirmed", "good": "confirmed", "it": "check-error", "too": "check-error"}


CATALOGUES = [
    ("title: [\n", "catalogue.yaml:2:1: catalogue: ", "did not find expected node content"),
    ("", "catalogue.yaml:1:1: catalogue: the file is empty", ""),
    ("[]\n", "catalogue.yaml:1:1: catalogue: the file is an array, not an object", ""),
    (CATALOGUE.replace("title: R", "titel: R"), "catalogue.yaml:1:1: catalogue: the file lacks the field `title`", ""),
    (CATALOGUE + "facest: []\n", "catalogue.yaml:5:1: catalogue: unknown key `facest`; did you mean `facets`?", ""),
    (CATALOGUE.replace("'1'", "1.10"), "catalogue.yaml:2:1: catalogue: `edition` is a number, not a string", ""),
    (
        CATALOGUE.replace("{t: {title: Tests}}", "{}"),
        "catalogue.yaml:3:1: catalogue: `owners` is empty; it needs at least 1 member",
        "",
    ),
    (CATALOGUE.replace("t: {title", "T: {title"), "catalogue.yaml:3:10: catalogue: `T` is", "does not match"),
    (
        CATALOGUE.replace("{root: fixtures}", "{}"),
        "catalogue.yaml:4:1: catalogue: `fixtures` lacks the field `root`",
        "",
    ),
    (CATALOGUE + "policy: {shall: {}}\n", 'catalogue.yaml:5:10: catalogue: `shall` is `"shall"`, not one of', ""),
    (CATALOGUE + "draft: http://x/\n", "catalogue.yaml:5:1: catalogue: `draft` is", "not one of"),
    (CATALOGUE + "time_limit: 0\n", "catalogue.yaml:5:1: catalogue: `time_limit` is `0`, not more than 0", ""),
    (CATALOGUE + "time_limit: 1e400\n", "catalogue.yaml:5:1: catalogue: `time_limit` is `1E+400`, more than 3600", ""),
    (CATALOGUE + "specs: {s: {}}\n", "catalogue.yaml:5:9: catalogue: `s` has neither `pages` nor `url`", ""),
    (CATALOGUE + "source: {url: 'https://x.test/'}\n", "catalogue.yaml:5:10: catalogue: `url` is", "does not match"),
    (CATALOGUE + "title: x\n", 'catalogue.yaml:5:1: catalogue: the member name "title" is repeated', ""),
]


@pytest.mark.parametrize(("text", "start", "part"), CATALOGUES)
def test_a_fault_in_catalogue_yaml_is_at_its_place_and_the_rule_files_are_read_all_the_same(
    run: Run, text: str, start: str, part: str
) -> None:
    checked = run(files={"catalogue.yaml": text, "a.yaml": GOOD, "b.yaml": rule(more="titel: x\n")})
    lines = faults(checked)
    assert lines[0].startswith("b.yaml:7:5: catalogue: unknown key")
    assert any(line.startswith(start) and part in line for line in lines[1:])
    assert checked.project.reports == ()
    assert checked.project.failed


FOLDERS = [
    ("fixtures: {root: nowhere}\n", "4:12", "there is no folder `nowhere` for fixtures"),
    ("fixtures: {root: rules.yaml}\n", "4:12", "there is no folder `rules.yaml` for fixtures"),
    (f"fixtures: {{root: {'x' * 300}}}\n", "4:12", "there is no folder `xxx"),
    ('fixtures: {root: "a\\0b"}\n', "4:12", "there is no folder `a\\x00b` for fixtures"),
]


@pytest.mark.parametrize(("text", "place", "message"), FOLDERS)
def test_a_fixture_folder_that_is_none_is_said_where_it_is_named(run: Run, text: str, place: str, message: str) -> None:
    checked = run(files={"catalogue.yaml": CATALOGUE.replace("fixtures: {root: fixtures}\n", text)})
    assert faults(checked)[0].startswith(f"catalogue.yaml:{place}: catalogue: {message}")
    assert checked.outcome("bad") == Outcome.FIXTURE_MISSING


@pytest.mark.parametrize("pages", ["nowhere", "x" * 300, '"a\\0b"'])
def test_a_folder_of_specification_pages_that_is_none_is_said_where_it_is_named(run: Run, pages: str) -> None:
    checked = run(files={"catalogue.yaml": CATALOGUE + f"specs: {{spec: {{pages: {pages}}}}}\n"})
    assert faults(checked) == ["catalogue.yaml:5:16: catalogue: there is no folder of pages for `spec`"]


def test_a_fixture_folder_that_is_none_has_no_further_consequences_than_missing_fixtures(run: Run) -> None:
    checked = run(catalogue={"fixtures": {"root": "nowhere", "groups": {"clean": "clean"}}})
    assert [line.split(": ")[1] for line in checked.lines] == ["catalogue", "fixture-missing", "fixture-missing"]


def test_a_catalogue_file_with_the_other_suffix_is_told_its_name(run: Run, tmp_path: Path) -> None:
    checked = run(files={"catalogue.yml": "title: T\n"})
    assert checked.lines == ["cat/catalogue.yml:1:1: catalogue: the file has to be called `catalogue.yaml`"]
    (tmp_path / "cat" / "catalogue.yaml").unlink()
    assert Checked(check([tmp_path / "cat"]), tmp_path).lines == checked.lines


def test_a_catalogue_without_rules_is_a_warning(run: Run) -> None:
    checked = run(files={"rules.yaml": "rules: []\n"})
    assert [line.split(": ", 1)[1] for line in checked.lines] == [
        "warning: catalogue: the catalogue has no rule: rule files are the other YAML files of this folder"
    ]


def test_a_folder_without_catalogue_yaml_is_one_fault(tmp_path: Path) -> None:
    (fault,) = check([tmp_path / "nowhere"]).faults
    assert (fault.kind, fault.message) == ("catalogue", "the file does not exist")
    assert fault.place.path == tmp_path / "nowhere" / "catalogue.yaml"


def test_two_files_with_one_rule_id_are_a_fault_that_names_both_places(run: Run) -> None:
    checked = run(files={"catalogue.yaml": CATALOGUE, "rules.yaml": GOOD, "b.yaml": rule(name="t.name")})
    (fault,) = checked.project.faults
    assert (fault.place.path.name, fault.place.position.line) == ("rules.yaml", 2)
    assert [(place.path.name, place.position.line) for place in fault.related] == [("b.yaml", 2)]


def test_two_ids_with_one_address_are_a_fault(run: Run) -> None:
    checked = run(
        files={
            "catalogue.yaml": CATALOGUE,
            "a.yaml": rule(name="t.a-b"),
            "b.yaml": rule(name="t.a.b"),
            "rules.yaml": GOOD,
        }
    )
    assert faults(checked) == ["b.yaml:2:5: catalogue: t.a.b: `t.a.b` and `t.a-b` would have one address, `t/a-b/`"]
    assert [rule.id for rule in checked.report.catalogue.rules] == ["t.a-b", "t.name"]


@pytest.mark.parametrize(("first", "second"), [("t.old", "t.old"), ("t.old-name", "t.old.name")])
def test_an_alias_claimed_twice_is_a_fault(run: Run, first: str, second: str) -> None:
    a, b = rule(name="t.a", more=f"aliases: [{first}]\n"), rule(name="t.b", more=f"aliases: [{second}]\n")
    checked = run(files={"catalogue.yaml": CATALOGUE, "a.yaml": a, "b.yaml": b, "rules.yaml": GOOD})
    assert faults(checked) == [f"b.yaml:2:5: catalogue: t.b: the alias `{second}` is claimed by `t.a` as well"]


def test_an_alias_whose_address_is_that_of_a_live_rule_is_a_fault(run: Run) -> None:
    files = {
        "catalogue.yaml": CATALOGUE,
        "a.yaml": rule(name="t.a.b"),
        "b.yaml": rule(more="aliases: [t.a-b]\n"),
        "rules.yaml": GOOD,
    }
    assert faults(run(files=files)) == [
        "b.yaml:2:5: catalogue: t.second: the alias `t.a-b` is the id or address of a rule that exists"
    ]


def test_an_example_id_used_twice_in_a_rule_is_a_fault(run: Run) -> None:
    text = GOOD.replace("id: good", "id: bad")
    assert faults(run(files={"catalogue.yaml": CATALOGUE, "rules.yaml": text})) == [
        "rules.yaml:11:12: catalogue: t.name: the example id `bad` is used twice in one rule"
    ]


def test_a_rule_that_cannot_be_read_still_exists_for_those_that_name_it(run: Run) -> None:
    files = {
        "a.yaml": rule(name="t.first", more="titel: x\n"),
        "b.yaml": rule(more="notes: See `t.first`.\nreplaced_by: t.first\n"),
    }
    assert [line.split(": ")[2] for line in faults(run(files=files))] == ["unknown key `titel`; did you mean `title`?"]


def test_a_fault_never_hides_a_rule_on_the_same_line_of_another_file(run: Run) -> None:
    files = {"a.yaml": rule(name="t.first", more="titel: x\n"), "b.yaml": rule(more="notes: Fine.\n")}
    assert [rule.id for rule in run(files=files).report.catalogue.rules] == ["t.second", "t.name"]


@pytest.mark.parametrize("second", ["*r", "{<<: *r, id: t.other}"])
def test_a_fault_that_an_alias_of_yaml_repeats_concerns_each_rule_that_has_it(run: Run, second: str) -> None:
    text = f"rules:\n  - &r {{id: t.x, title: X, requirement: X, level: shall, check: {{none: x}}}}\n  - {second}\n"
    checked = run(files={"b.yaml": text})
    assert [line.rpartition(": ")[0] for line in faults(checked)][:1] == ["b.yaml:2:44: catalogue"]
    assert [rule.id for rule in checked.report.catalogue.rules] == ["t.name"]


def test_rules_of_knows_the_ids_of_rules_that_cannot_be_read(catalogue_dir: Write) -> None:
    folder = catalogue_dir(files={"a.yaml": rule(name="t.first", more="titel: x\n"), "b.yaml": "rules: [\n"})
    loaded = load(folder)
    assert {path.name: ids for path, ids in loaded.rules_of.items()} == {
        "a.yaml": ("t.first",),
        "rules.yaml": ("t.name",),
    }
    assert loaded.catalogue is not None
    assert not loaded.catalogue.complete


def test_a_catalogue_is_the_same_however_its_folder_is_named(
    catalogue_dir: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = catalogue_dir()
    monkeypatch.chdir(folder / "fixtures")
    for name in (folder, Path(".."), folder / "catalogue.yaml", Path("../../cat")):
        loaded = load(name)
        assert loaded.faults == ()
        assert loaded.catalogue is not None
        assert (loaded.catalogue.name, loaded.catalogue.folder) == ("cat", folder)


def test_one_address_in_two_catalogues_is_a_fault(catalogue_dir: Write) -> None:
    project = check([catalogue_dir("one"), catalogue_dir("two")])
    (fault,) = project.faults
    assert fault.message == "`t.name` stands in two catalogues"
    assert (fault.place.path.parent.name, fault.related[0].path.parent.name) == ("two", "one")


def test_a_former_id_is_an_address_that_two_catalogues_cannot_share(catalogue_dir: Write) -> None:
    folders = [catalogue_dir("one"), catalogue_dir("two", rule={"id": "t.second", "aliases": ["t.name"]})]
    (fault,) = check(folders).faults
    assert fault.message == "`t.name` stands in two catalogues"
    assert (fault.place.path.parent.name, fault.related[0].path.parent.name) == ("two", "one")


def test_an_object_schema_without_type_is_a_warning_that_fails_nothing(run: Run) -> None:
    checked = run(rule="check: {select: [$, $.name], schema: {properties: {name: {type: string}}}}")
    assert [line.split(": ", 1)[1] for line in checked.lines] == [
        "warning: untyped-schema: t.name: `schema` says what members an object has, "
        "but not `type: object`: any other value passes"
    ]
    assert not checked.project.failed


def test_yaml_1_2_is_read_and_nothing_becomes_something_by_surprise(run: Run) -> None:
    text = GOOD.replace("title: Name it", "title: on").replace(
        "requirement: A name is text.", "requirement: 2024-01-01"
    )
    checked = run(files={"rules.yaml": text})
    assert checked.lines == []
    assert checked.report.catalogue.rules[0].requirement == "2024-01-01"
    assert checked.report.catalogue.rules[0].title == "on"
