"""External engines: a small program that does what a test tells it to, and what comes of it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import Checked, Run, Write, example
from mkdocs_rulebook.catalogue import load
from mkdocs_rulebook.checks.runner import Memory, Runner
from mkdocs_rulebook.control import control
from mkdocs_rulebook.lint import Trouble, lint
from mkdocs_rulebook.model import Claim, Outcome
from mkdocs_rulebook.project import check

ENGINE = """
import json, os, pathlib, sys

HERE = pathlib.Path(__file__).parent

def log(name):
    with open(HERE / name, "a") as stream:
        print(len(sys.argv) - 1, file=stream)

if sys.argv[1:] == ["--version"]:
    log("versions")
    print("toy engine 1.2.3 (of today)")
    sys.exit()
log("runs")
"""
"""How every engine of these tests begins: it counts its runs and tells its version."""

NAMES = """
found = []
for name in sys.argv[1:]:
    value = json.load(open(name))
    if not isinstance(value, dict):
        found.append({"code": "parser", "message": "no object", "file": name, "path": []})
    elif isinstance(value.get("name"), int):
        found.append({"code": "name", "message": f"no text in {name}", "file": name, "path": ["name"]})
    elif "name" not in value:
        found.append({"code": "nameless", "message": "no name", "file": name, "path": ""})
print(json.dumps(found))
"""
"""An engine that works: `name` for a name that is a number, `nameless` where there is none, `parser` for no object."""

OUTPUT = {"format": "json", "findings": "$[*]", "code": "$.code", "message": "$.message", "file": "$.file"}
JSON_OUTPUT = {**OUTPUT, "pointer": "$.path"}
Engine = Callable[..., Checked]


def declared(**parts: Any) -> dict[str, Any]:
    """The declaration of the engine `toy`; a part that is None is left out."""
    whole = {
        "title": "Toy",
        "command": ["{python}", "{catalogue}/toy.py"],
        "version": ["{python}", "{catalogue}/toy.py", "--version"],
        "config": ["toy.py"],
        "output": JSON_OUTPUT,
        **parts,
    }
    return {"engines": {"toy": {key: value for key, value in whole.items() if value is not None}}}


def rule(code: str = "name", **parts: Any) -> dict[str, Any]:
    """A rule that `toy` decides."""
    return {"check": {"engine": "toy", "code": code}, **parts}


@pytest.fixture
def engine(run: Run) -> Engine:
    """Return a function that checks a catalogue whose only rule, or rules, `toy` decides."""

    def run_it(body: str = NAMES, *, parts: dict[str, Any] | None = None, **more: Any) -> Checked:
        catalogue = {**declared(**(parts or {})), "policy": more.pop("policy", None)}
        given = {"rule": rule()} | more if "rules" not in more else more
        return run(catalogue=catalogue, files={"toy.py": ENGINE + body, **given.pop("files", {})}, **given)

    return run_it


def printing(text: str) -> str:
    """The body of an engine that prints a text whatever it is given."""
    return f"sys.stdout.write({text!r})"


def saying(*findings: dict[str, Any]) -> str:
    """The body of an engine that reports the same findings for each file."""
    return f"print(json.dumps([{{**f, 'file': name}} for name in sys.argv[1:] for f in {list(findings)!r}]))"


# Verdicts


def test_both_claims_are_confirmed_and_the_page_can_say_what_that_is_worth(engine: Engine) -> None:
    checked = engine()
    assert checked.lines == []
    bad, good = checked.verdict("bad"), checked.verdict("good")
    assert (bad.outcome, good.outcome) == (Outcome.CONFIRMED, Outcome.CONFIRMED)
    assert bad.engine == good.engine == "Toy 1.2.3"
    assert [(f.pointer, f.reason, f.message) for f in bad.findings] == [
        ("/name", "name", "breaks `name`: no text in bad.json")
    ]
    assert bad.remarks == ()
    assert "“bad” in the same run" in good.remarks[0]


def test_one_process_judges_all_fixtures_and_what_fixes_make_of_them(engine: Engine, tmp_path: Path) -> None:
    fix = [{"op": "replace", "path": "", "value": "x"}]
    bad = {"id": "bad", "fixture": "bad.json", "pointer": "/name", "fix": fix}
    checked = engine(rule=rule(examples={"invalid": [bad]}), policy={})
    assert checked.lines == []
    assert (tmp_path / "cat/runs").read_text().split() == ["3"]
    assert (tmp_path / "cat/versions").read_text().split() == ["1"]


def test_one_process_for_each_fixture_where_that_is_declared(engine: Engine, tmp_path: Path) -> None:
    assert engine(parts={"input": "each", "command": ["{python}", "toy.py", "{file}"]}).lines == []
    assert (tmp_path / "cat/runs").read_text().split() == ["1", "1"]


ANY = {"it.json": {"name": 1}}


@pytest.mark.parametrize(
    ("claim", "body", "outcome", "said"),
    [
        (Claim.INVALID, NAMES, Outcome.CONFIRMED, ""),
        (Claim.INVALID, saying(), Outcome.NOT_FAILING, "finds nothing wrong with the document"),
        (Claim.INVALID, saying({"code": "other", "message": "Something else."}), Outcome.NOT_FAILING, "`other` (Som"),
        (Claim.VALID, NAMES, Outcome.FAILING, "`/name` breaks `name`"),
        (Claim.VALID, saying(), Outcome.NOT_APPLIED, "nothing shows that the engine looks for `name`"),
        (Claim.INAPPLICABLE, NAMES, Outcome.NOT_RUN, "`inapplicable` cannot be claimed"),
        (Claim.INVALID, printing("["), Outcome.CHECK_ERROR, "is no JSON: it begins with `[`"),
    ],
)
def test_verdicts(engine: Engine, claim: Claim, body: str, outcome: Outcome, said: str) -> None:
    checked = engine(body, rule=rule(**example(claim)), fixtures=ANY, policy={})
    verdict = checked.verdict("it")
    assert verdict.outcome == outcome
    assert said in verdict.detail
    assert bool(checked.lines) == (outcome != Outcome.CONFIRMED)


def one(claim: Claim, **entry: Any) -> dict[str, Any]:
    """A rule with one example named `it`."""
    return rule(**example(claim, **entry))


@pytest.mark.parametrize(
    ("entry", "outcome"),
    [
        ({"fixture": "none.json"}, Outcome.FIXTURE_MISSING),
        ({"fixture": "broken.json"}, Outcome.FIXTURE_UNREADABLE),
        ({"pointer": "/nam"}, Outcome.POINTER_MISSING),
        ({"pointer": "/other"}, Outcome.ELSEWHERE),
        ({"expect": {"reason": "name", "pointer": ""}}, Outcome.OTHER_REASON),
        ({"expect": {"reason": "name", "pointer": "/name"}}, Outcome.CONFIRMED),
        ({"fix": [{"op": "replace", "path": "/name", "value": 2}]}, Outcome.FIX_FAILS),
        ({"fix": [{"op": "replace", "path": "/name", "value": "x"}]}, Outcome.CONFIRMED),
        ({"known": {"verdict": "not-failing", "reason": "it is so"}}, Outcome.CONFIRMED),
    ],
)
def test_verdicts_on_what_the_example_says(engine: Engine, entry: dict[str, Any], outcome: Outcome) -> None:
    fixtures = {"it.json": {"name": 1, "other": 2}, "broken.json": "{"}
    checked = engine(rule=one(Claim.INVALID, **entry), fixtures=fixtures, policy={})
    assert checked.outcome("it") == outcome


def test_opposite_claims_contradict_each_other(engine: Engine) -> None:
    examples = {"invalid": [{"id": "a", "fixture": "bad.json"}], "valid": [{"id": "b", "fixture": "bad.json"}]}
    assert engine(rule=rule(examples=examples)).outcomes == {"a": "contradiction", "b": "contradiction"}


def test_a_valid_example_needs_an_invalid_one_that_is_confirmed(engine: Engine) -> None:
    """The engine is switched off for the rule: its silence about the good file says nothing."""
    checked = engine(saying())
    assert checked.outcomes == {"bad": "not-failing", "good": "not-applied"}


def test_a_rule_that_the_engine_never_reports_is_idle(engine: Engine) -> None:
    lines = engine(rule=rule(code="nowhere", examples={}), policy={}).lines
    assert [line for line in lines if "idle" in line and "`toy` reports `nowhere` for no fixture" in line]
    assert engine(rule=rule(examples={}), policy={}).lines == [], "it reports this one for a file that no rule shows"


def test_only_the_code_of_the_rule_counts(engine: Engine) -> None:
    """The engine says that the file has no name; the rule is about names that are no text."""
    checked = engine(rule=one(Claim.INVALID), fixtures={"it.json": {}}, policy={})
    verdict = checked.verdict("it")
    assert verdict.outcome == Outcome.NOT_FAILING
    assert verdict.detail.endswith("`toy` reports `nameless` (no name)")


def test_what_other_rules_find_is_told_by_their_ids(engine: Engine) -> None:
    rules = ({"id": "t.a", **one(Claim.INVALID)}, {"id": "t.b", **rule("nameless", examples={})})
    checked = engine(rules=rules, fixtures={"it.json": {}}, policy={})
    assert checked.verdict("it").detail.endswith("other rules do: `t.b`")


def test_a_file_that_the_engine_could_not_judge_is_never_valid(engine: Engine) -> None:
    examples = {
        "invalid": [{"id": "bad", "fixture": "bad.json"}, {"id": "list", "fixture": "list.json"}],
        "valid": [{"id": "good", "fixture": "list.json", "pointer": "/0"}],
    }
    checked = engine(parts={"not_judged": ["parser"]}, rule=rule(examples=examples), fixtures={"list.json": [1]})
    assert checked.outcomes == {"bad": "confirmed", "list": "not-failing", "good": "not-applied"}
    assert checked.verdict("good").detail == "`toy` could not judge the file: `parser` (no object)"
    assert checked.verdict("list").detail.endswith("`toy` reports `parser` (no object)")


def test_a_rule_about_what_cannot_be_parsed_makes_nothing_else_valid(engine: Engine) -> None:
    rules = (
        {
            "id": "t.a",
            **rule(
                examples={
                    "invalid": [{"id": "bad", "fixture": "bad.json"}],
                    "valid": [{"id": "good", "fixture": "list.json"}],
                }
            ),
        },
        {
            "id": "t.b",
            "level": "should",
            **rule("parser", examples={"invalid": [{"id": "list", "fixture": "list.json"}]}),
        },
    )
    checked = engine(parts={"not_judged": ["parser"]}, rules=rules, fixtures={"list.json": [1]})
    assert checked.outcomes == {"bad": "confirmed", "good": "not-applied", "list": "confirmed"}


def test_a_fix_that_the_engine_cannot_judge_fails(engine: Engine) -> None:
    fix = [{"op": "replace", "path": "", "value": [1]}]
    checked = engine(
        parts={"not_judged": ["parser"]}, rule=one(Claim.INVALID, fix=fix), fixtures={"it.json": {"name": 1}}
    )
    assert checked.outcome("it") == Outcome.FIX_FAILS
    assert "could not judge the file" in checked.verdict("it").detail


def test_groups_are_held_to_what_engines_find(catalogue_dir: Write, tmp_path: Path) -> None:
    groups = {"fixtures": {"root": "fixtures", "groups": {"clean": "clean", "failing": "failing"}}}
    fixtures = {"clean/a.json": {"name": 2}, "failing/b.json": {"name": "x"}}
    folder = catalogue_dir(
        catalogue={**declared(), **groups}, rule=rule(), files={"toy.py": ENGINE + NAMES}, fixtures=fixtures
    )
    lines = Checked(check([folder]), tmp_path).lines
    assert any("`clean/a.json` is in a clean group, but `/name` breaks `name`" in line for line in lines)
    assert any("`failing/b.json` is in a failing group, but breaks no must-rule" in line for line in lines)


def test_the_negative_control_turns_every_verdict(catalogue_dir: Write) -> None:
    fix = [{"op": "replace", "path": "", "value": "x"}]
    bad = {"id": "bad", "fixture": "bad.json", "pointer": "/name", "fix": fix}
    good = {"id": "good", "fixture": "good.json", "pointer": "/name"}
    part = rule(examples={"invalid": [bad], "valid": [good]})
    fixtures = {"bad.json": {"name": 1, "other": 2}}
    folder = catalogue_dir(catalogue=declared(), rule=part, files={"toy.py": ENGINE + NAMES}, fixtures=fixtures)
    catalogue = load(folder).catalogue
    assert catalogue is not None
    with Runner(catalogue) as runner:
        attempts = list(control(catalogue, runner))
    assert {one.attempt for one in attempts} == {
        "the check never fires",
        "the check always fires",
        "nothing is selected",
        "the selection lies elsewhere",
        "the fix is applied",
    }
    assert [one for one in attempts if not one.held] == []
    assert (folder / "runs").read_text().split() == ["3"], "what was judged once is not judged again"


# Engines that are broken


BROKEN = [
    ("raise SystemExit('no config')", {}, "wrote nothing to read, ended with the code 1, and says `no config`"),
    (printing("[] trailing"), {}, "is no JSON: it begins with `[] trailing`"),
    (printing('{"results": []}'), {"output": {**JSON_OUTPUT, "findings": "$.errors[*]"}}, "has nothing at `$.errors`"),
    ("sys.stdout.buffer.write(b'[\\xff]')", {}, "`toy` wrote an output that is not UTF-8: byte 0xff"),
    ("import time; time.sleep(60)", {"time_limit": 0.5}, "`toy` did not end within 0.5 s"),
    ("os.kill(os.getpid(), 9)", {}, "`toy` was ended by the signal SIGKILL"),
    (saying({"code": "name", "path": ["x", "y"]}), {}, "`toy` reports `name` at `/x/y`, which does not exist"),
    (saying({"code": "name", "path": "x/y"}), {}, "`toy` reports `name` at `x/y`, which is neither a path nor"),
    (saying({"code": "name", "path": "$.x"}), {}, "at `$.x`, which is 0 nodes, not one, of `"),
    (saying({"code": "name", "path": 7}), {}, "at `7`, which is neither a path nor a pointer"),
    (saying({"code": "name", "line": 9}), {"output": {**OUTPUT, "line": "$.line"}}, "`name` at line 9, which does not"),
    (
        saying({"code": "name", "line": 1, "column": 99}),
        {"output": {**OUTPUT, "line": "$.line", "column": "$.column"}},
        "at column 99 of line 1, which is not that long",
    ),
    (saying({"code": "name", "line": "x"}), {"output": {**OUTPUT, "line": "$.line"}}, "gives `x` where a number"),
    (printing('[{"code": "name", "file": "no.json"}]'), {}, "names the file `no.json`, which does not exist"),
    (printing('[{"code": "name"}]'), {}, "has a finding without a file, though the engine was given several"),
    (NAMES + "sys.exit(3)", {"exit_codes": [0, 1]}, "ended with the code 3, not one of its `exit_codes`"),
    (NAMES, {"version": ["{python}", "-c", "raise SystemExit(1)"]}, "`toy` does not tell its version"),
    (NAMES, {"command": ["{python}", "toy.py", "-o", "{output}"]}, "`toy` wrote no output file"),
    ("", {"output": {"format": "sarif"}}, "is no SARIF log"),
    (printing('{"version": "2.1.0"}'), {"output": {"format": "sarif"}}, "is no SARIF 2.1.0 log"),
    (printing('{"version": "2.1.0", "runs": [{}]}'), {"output": {"format": "sarif"}}, "the tool did not scan"),
    (printing('{"version": "2.1.0", "runs": [7]}'), {"output": {"format": "sarif"}}, "is no valid SARIF log"),
    (
        printing('{"version": "2.1.0", "runs": [{"results": [], "invocations": [{"executionSuccessful": false}]}]}'),
        {"output": {"format": "sarif"}},
        "says that the run was not successful",
    ),
    (
        printing("All is well\n"),
        {"output": {"format": "lines", "pattern": "(?P<code>x)"}},
        "has a line that matches neither `pattern` nor `ignore`, line 1: `All is well`",
    ),
    (
        "print('Traceback', file=sys.stderr); sys.exit(1)",
        {"output": {"format": "lines", "pattern": "(?P<code>x)"}},
        "`toy` found nothing, ended with the code 1, and says `Traceback`",
    ),
]


@pytest.mark.parametrize(("body", "parts", "said"), BROKEN)
@pytest.mark.parametrize("each", [False, True])
def test_what_a_broken_engine_says_is_never_believed(
    engine: Engine, body: str, parts: dict[str, Any], said: str, each: bool
) -> None:
    if each and "without a file" in said:
        return  # then there is only one that it can mean
    checked = engine(body, parts={**parts, "input": "each" if each else "all"})
    assert set(checked.outcomes.values()) == {"check-error"}
    assert said in checked.verdict("bad").detail
    assert len(checked.lines) == 1 + sum("policy" in line for line in checked.lines)
    assert not any("Traceback (most recent" in line for line in checked.lines)


def test_a_program_that_is_missing_is_not_run(engine: Engine) -> None:
    checked = engine(parts={"command": ["no-such-program"], "version": None})
    assert checked.outcomes == {"bad": "not-run", "good": "not-run"}
    assert checked.verdict("bad").detail == "`toy` cannot be run: the program `no-such-program` is not installed here"
    checked = engine(parts={"version": ["./no-such-program"]})
    assert checked.outcomes == {"bad": "not-run", "good": "not-run"}


def test_engines_are_refused_where_code_is(engine: Engine, tmp_path: Path) -> None:
    checked = engine(allow_code=False)
    assert checked.outcomes == {"bad": "not-run", "good": "not-run"}
    assert checked.verdict("bad").detail == "external engines are switched off for this run"
    assert not (tmp_path / "cat/versions").exists()


def test_a_program_that_hangs_is_ended_with_all_that_it_started(engine: Engine, tmp_path: Path) -> None:
    body = (
        "import subprocess\nsubprocess.run([sys.executable, '-c', 'import time; time.sleep(3); open(\"late\", \"w\")'])"
    )
    started = time.monotonic()
    engine(body, parts={"time_limit": 1, "input": "each"})
    assert time.monotonic() - started < 3, "one time-out is enough, whatever the number of fixtures"
    time.sleep(2.5)
    assert not (tmp_path / "cat/late").exists()


def test_exit_codes_mean_nothing_by_themselves(engine: Engine) -> None:
    assert engine(NAMES + "sys.exit(17)").lines == []


def test_a_file_that_the_engine_skips_is_an_error_there_and_only_there(engine: Engine) -> None:
    body = """
files = [name for name in sys.argv[1:] if not name.endswith("good.json")]
print(json.dumps([{"file": name, "found": [{"code": "name", "path": "/name"}]} for name in files]))
"""
    output = {**JSON_OUTPUT, "files": "$[*]", "findings": "$.found[*]"}
    checked = engine(body, parts={"output": output})
    assert checked.outcomes == {"bad": "confirmed", "good": "check-error"}
    assert checked.verdict("good").detail == (
        "`toy` skipped `good.json`: it is not among the files that it lists as judged"
    )


def test_a_file_that_the_engine_says_it_skips_is_an_error(engine: Engine) -> None:
    body = 'for name in sys.argv[1:]:\n    if "good" in name: print(f"skipped {name}: too good", file=sys.stderr)\n'
    checked = engine(body + NAMES, parts={"skipped": r"^skipped (?P<file>.+): .*$"})
    assert checked.outcomes == {"bad": "confirmed", "good": "check-error"}
    assert checked.verdict("good").detail == "`toy` skipped `good.json`: skipped good.json: too good"


def test_findings_in_files_of_its_own_are_nobodys(engine: Engine) -> None:
    body = 'print(json.dumps([{"code": "name", "file": str(HERE / "rules.yaml"), "path": []}]))'
    assert engine(body).outcomes == {"bad": "not-failing", "good": "not-applied"}


# Where


PLACES = {
    "deep.json": '{\n  "a": {"😀é": [10, 20]},\n  "b": {"c": 1,\n    "d": [{}]}\n}\n',
    "deep.yaml": "a:\n  😀é: [10, 20]\nb:\n  - c: 1\n    d: x\n  - 7\n",
}


@pytest.mark.parametrize(
    ("fixture", "place", "pointer"),
    [
        ("deep.json", {"line": 2}, "/a"),
        ("deep.json", {"line": 3}, "/b"),
        ("deep.json", {"line": 4}, "/b"),
        ("deep.json", {"line": 2, "column": 4}, "/a"),
        ("deep.json", {"line": 2, "column": 10}, "/a/😀é"),
        ("deep.json", {"line": 2, "column": 17}, "/a/😀é/0"),
        ("deep.json", {"line": 2, "column": 18, "columns": "utf-16"}, "/a/😀é/0"),
        ("deep.json", {"line": 2, "column": 21, "columns": "utf-8"}, "/a/😀é/0"),
        ("deep.json", {"line": 2, "column": 15, "end_column": 23}, "/a/😀é"),
        ("deep.json", {"line": 2, "column": 16, "end_column": 18}, "/a/😀é/0"),
        ("deep.json", {"line": 2, "column": 20, "end_column": 22}, "/a/😀é/1"),
        ("deep.json", {"line": 1, "column": 1, "end_line": 5, "end_column": 2}, ""),
        ("deep.json", {"line": 2, "column": 3, "end_line": 3}, ""),
        ("deep.json", {"line": 0, "column": 2, "lines_from": 0}, ""),
        ("deep.json", {"line": 1, "column": 16, "lines_from": 0, "columns_from": 0}, "/a/😀é/0"),
        ("deep.yaml", {"line": 1}, "/a"),
        ("deep.yaml", {"line": 2}, "/a/😀é"),
        ("deep.yaml", {"line": 5}, "/b/0/d"),
        ("deep.yaml", {"line": 5, "column": 5, "end_column": 9}, "/b/0/d"),
        ("deep.yaml", {"line": 4, "column": 5, "end_line": 5, "end_column": 9}, "/b/0"),
        ("deep.yaml", {"line": 1, "column": 3, "end_line": 2, "end_column": 5}, "/a"),
        ("deep.yaml", {"line": 6}, "/b/1"),
        ("deep.yaml", {"line": 6, "end_line": 7, "end_column": 1}, "/b/1"),
        ("deep.yaml", {"pointer": ["b", 0, "c"]}, "/b/0/c"),
        ("deep.yaml", {"pointer": ["b", "0", "c"]}, "/b/0/c"),
        ("deep.yaml", {"pointer": "/b/0/c"}, "/b/0/c"),
        ("deep.yaml", {"pointer": "#/a/%F0%9F%98%80%C3%A9"}, "/a/😀é"),
        ("deep.yaml", {"pointer": "$.b[0]['c']"}, "/b/0/c"),
        ("deep.yaml", {"pointer": "", "line": 2}, ""),
        ("deep.yaml", {"pointer": None, "line": 2}, "/a/😀é"),
        ("deep.yaml", {}, ""),
    ],
)
def test_places_become_pointers(engine: Engine, fixture: str, place: dict[str, Any], pointer: str) -> None:
    settings: dict[str, Any] = {key: place[key] for key in ("columns", "lines_from", "columns_from") if key in place}
    said = {key: value for key, value in place.items() if key not in settings}
    output: dict[str, Any] = {**OUTPUT, **{key: f"$.{key}" for key in said}, **settings}
    checked = engine(
        saying({"code": "name", **said}),
        parts={"output": output},
        rule=one(Claim.INVALID, fixture=fixture),
        fixtures={fixture: PLACES[fixture], "bad.json": None, "good.json": None},
        policy={},
    )
    assert checked.lines == []
    assert [finding.pointer for finding in checked.verdict("it").findings] == [pointer]


LINES = r"(?P<file>[^:]+):(?P<line>\d+):(?P<column>\d+): (?P<code>\w+) (?P<message>.*)"


def test_lines_are_read_through_patterns(engine: Engine) -> None:
    body = """
print("toy: checking")
for name in sys.argv[1:]:
    if "bad" in name: print(f"{os.path.relpath(name)}:1:2: name it is bad")
print("\\n1 fault")
"""
    output = {"format": "lines", "pattern": ["(?P<code>nothing)", LINES], "ignore": ["toy: .*", r"\d+ faults?"]}
    checked = engine(body, parts={"output": output})
    assert checked.lines == []
    assert [(f.pointer, f.message) for f in checked.verdict("bad").findings] == [("/name", "breaks `name`: it is bad")]


def test_output_may_be_read_from_the_error_stream_or_a_file(engine: Engine) -> None:
    errors = NAMES.replace("print(json.dumps(found))", "print(json.dumps(found), file=sys.stderr); sys.exit(1)")
    assert engine(errors, parts={"output": {**JSON_OUTPUT, "stream": "stderr"}}).lines == []
    to_file = "out = sys.argv.pop(1)\n" + NAMES.replace(
        "print(json.dumps(found))", "open(out, 'w').write(json.dumps(found)); print('done')"
    )
    assert engine(to_file, parts={"command": ["{python}", "toy.py", "{output}", "{files}"]}).lines == []


SARIF_RULES = {"rules": [{"id": "name", "messageStrings": {"m": {"text": "{0} is {{bad}}"}}}, {"id": "other"}]}


def sarif(*results: dict[str, Any], **run: Any) -> str:
    """The body of an engine that writes a SARIF log; a result without a location is about each file."""
    return f"""
import copy
run = {{"tool": {{"driver": {{"name": "toy", **{SARIF_RULES!r}}}}}, "results": [], **{run!r}}}
for name in sys.argv[1:]:
    for result in {list(results)!r}:
        result = copy.deepcopy(result)
        for location in result.setdefault("locations", [{{}}]):
            artifact = location.setdefault("physicalLocation", {{}}).setdefault("artifactLocation", {{}})
            artifact.setdefault("uri", pathlib.Path(name).as_uri())
        run["results"].append(result)
print(json.dumps({{"version": "2.1.0", "runs": [run]}}))
"""


def at(**region: int) -> list[dict[str, Any]]:
    """The location of a result at a region."""
    return [{"physicalLocation": {"region": region}}]


def logical(**location: Any) -> list[dict[str, Any]]:
    """The location of a result at a logical place."""
    return [{"logicalLocations": [{"kind": "type", "fullyQualifiedName": "a.b"}, location]}]


@pytest.mark.parametrize(
    ("result", "log", "found"),
    [
        ({"ruleId": "name", "locations": at(startLine=2)}, {}, [("/a", "")]),
        ({"ruleId": "name", "locations": at(startLine=2, startColumn=18, endColumn=20)}, {}, [("/a/😀é/0", "")]),
        ({"ruleId": "name", "locations": at(startLine=2, startColumn=16, endColumn=24)}, {}, [("/a/😀é", "")]),
        (
            {"ruleId": "name", "locations": at(startLine=2, startColumn=17, endColumn=19)},
            {"columnKind": "unicodeCodePoints"},
            [("/a/😀é/0", "")],
        ),
        ({"ruleId": "name", "locations": at(startLine=1, startColumn=1, endLine=5)}, {}, [("", "")]),
        ({"ruleId": "name", "locations": logical(fullyQualifiedName="/b/c")}, {}, [("/b/c", "")]),
        ({"ruleId": "name", "locations": logical(fullyQualifiedName="$.b.c")}, {}, [("/b/c", "")]),
        (
            {"ruleId": "name", "locations": logical(index=0)},
            {"logicalLocations": [{"fullyQualifiedName": "/b"}]},
            [("/b", "")],
        ),
        ({"ruleIndex": 0}, {}, [("", "")]),
        ({"rule": {"id": "name"}}, {}, [("", "")]),
        ({"ruleId": "name/sub", "ruleIndex": 0}, {}, [("", "")]),
        ({"ruleId": "name", "message": {"text": "Hello."}}, {}, [("", "Hello.")]),
        ({"ruleId": "name", "message": {"id": "m", "arguments": ["It"]}}, {}, [("", "It is {bad}")]),
        ({"ruleId": "name", "message": {"text": "{0}!", "arguments": ["It"]}}, {}, [("", "It!")]),
        ({"ruleId": "name", "suppressions": [{"kind": "inSource"}]}, {}, []),
        ({"ruleId": "name", "suppressions": [{"kind": "external", "status": "rejected"}]}, {}, [("", "")]),
        ({"ruleId": "name", "kind": "pass"}, {}, []),
        ({"ruleId": "name", "baselineState": "absent"}, {}, []),
        ({"ruleId": "other", "ruleIndex": 1}, {}, []),
        ({"ruleId": "undescribed"}, {}, []),
    ],
)
def test_sarif(engine: Engine, result: dict[str, Any], log: dict[str, Any], found: list[tuple[str, str]]) -> None:
    fixtures = {"deep.json": PLACES["deep.json"], "bad.json": None, "good.json": None}
    checked = engine(
        sarif(result, **log),
        parts={"output": {"format": "sarif"}},
        rule=one(Claim.INVALID, fixture="deep.json"),
        fixtures=fixtures,
        policy={},
    )
    messages = [
        (f.pointer, f.message.removeprefix("breaks `name`").removeprefix(": ")) for f in checked_findings(checked)
    ]
    assert messages == found
    assert checked.outcome("it") == (Outcome.CONFIRMED if found else Outcome.NOT_FAILING)


def checked_findings(checked: Checked) -> Any:
    """The findings of the example `it`."""
    return checked.verdict("it").findings


def test_a_sarif_rule_without_a_descriptor_is_read(engine: Engine) -> None:
    body = sarif({"ruleId": "bare"})
    checked = engine(
        body, parts={"output": {"format": "sarif"}}, rule=rule("bare", **example(Claim.INVALID)), fixtures=ANY
    )
    assert checked.outcome("it") == Outcome.CONFIRMED


def test_sarif_names_files_in_several_ways(engine: Engine) -> None:
    for location, run in (
        ({"uri": "fixtures/it.json"}, {}),
        ({"uri": "it.json", "uriBaseId": "F"}, {"originalUriBaseIds": {"F": {"uri": "fixtures/"}}}),
        ({"uri": "fixtures/%69t.json"}, {}),
    ):
        result = {"ruleId": "name", "locations": [{"physicalLocation": {"artifactLocation": location}}]}
        checked = engine(
            sarif(result, **run),
            parts={"output": {"format": "sarif"}},
            rule=one(Claim.INVALID),
            fixtures=ANY,
            policy={},
        )
        assert checked.outcome("it") == Outcome.CONFIRMED, location


def test_a_sarif_notification_about_a_file_says_that_it_was_not_judged(engine: Engine) -> None:
    body = """
def note(name):
    place = {"physicalLocation": {"artifactLocation": {"uri": pathlib.Path(name).as_uri()}}}
    return {"level": "error", "message": {"text": "too good"}, "locations": [place]}
notes = [note(name) for name in sys.argv[1:] if "good" in name]
region = {"startLine": 1, "startColumn": 3, "endColumn": 3}
places = [{"physicalLocation": {"artifactLocation": {"uri": "fixtures/bad.json"}, "region": region}}]
results = [{"ruleId": "name", "locations": places}]
invocations = [{"executionSuccessful": False, "toolExecutionNotifications": notes}]
print(json.dumps({"version": "2.1.0", "runs": [{"results": results, "invocations": invocations}]}))
"""
    checked = engine(body, parts={"output": {"format": "sarif"}})
    assert checked.outcomes == {"bad": "confirmed", "good": "check-error"}
    assert checked.verdict("good").detail == "`toy` skipped `good.json`: too good"


REFERENCES = {
    "use": {"a": {"$ref": "#/parts/p"}},
    "again": {"$ref": "#/parts/q"},
    "parts": {"p": {"name": 1}, "q": {"inner": {"$ref": "#/parts/p"}}, "r": {"$ref": "#/parts/r"}},
}


def test_what_lies_behind_a_reference_counts_for_the_place_of_use_where_that_is_declared(engine: Engine) -> None:
    body = saying({"code": "name", "path": "/parts/p/name"})
    part = one(Claim.INVALID, pointer="/use/a")
    fixtures = {"it.json": REFERENCES, "bad.json": None, "good.json": None}
    without = engine(body, rule=part, fixtures=fixtures, policy={})
    assert without.outcome("it") == Outcome.ELSEWHERE
    followed = engine(body, rule=part, fixtures=fixtures, policy={}, parts={"follow": "$ref"})
    verdict = followed.verdict("it")
    assert verdict.outcome == Outcome.CONFIRMED
    assert [(f.pointer, f.target) for f in verdict.findings] == [("/use/a", "/parts/p/name")]
    assert sorted(f.pointer for f in verdict.outside) == ["/again", "/parts/q/inner"]
    assert verdict.remarks == ("What it finds behind a $ref counts for the place of use.",)


# Memory


def test_what_an_engine_said_is_remembered_until_something_changes(
    catalogue_dir: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory: Memory = {}
    parts: dict[str, Any] = {"catalogue": declared(), "rule": rule(), "files": {"toy.py": ENGINE + NAMES}}

    def runs(**more: Any) -> list[str]:
        folder = catalogue_dir(**{**parts, **more})
        (folder / "runs").write_text("")
        assert check([folder], memory=memory).reports[0].verdicts[0].outcome == Outcome.CONFIRMED
        return (folder / "runs").read_text().split()

    assert runs() == ["2"]
    assert runs() == [], "nothing has changed"
    assert runs(fixtures={"good.json": '{"name": "y"}\n'}) == ["1"], "one fixture has another content"
    assert runs(files={"toy.py": ENGINE + NAMES + "# new"}) == ["2"], "a file that the verdicts depend on"
    newer = {"toy.py": ENGINE.replace("1.2.3", "1.2.4") + NAMES}
    assert runs(files=newer, catalogue=declared(config=[])) == ["2"], "the version"
    assert runs(files=newer, catalogue=declared(config=[])) == []
    slower = declared(config=[], command=["{python}", "-E", "{catalogue}/toy.py"])
    assert runs(files=newer, catalogue=slower) == ["2"], "the command"
    assert runs(files=newer, catalogue=slower, fixtures={"more.json": '{"name": "z"}\n'}) == ["1"], "a new fixture"


def test_what_a_broken_engine_said_is_forgotten(catalogue_dir: Write) -> None:
    memory: Memory = {}
    folder = catalogue_dir(catalogue=declared(config=[]), rule=rule(), files={"toy.py": ENGINE + "print('[')"})
    assert check([folder], memory=memory).failed
    (folder / "toy.py").write_text(ENGINE + NAMES)
    assert not check([folder], memory=memory).failed


# Lint, and what is wrong with a declaration


def test_documents_of_users_are_judged_in_one_process(catalogue_dir: Write, tmp_path: Path) -> None:
    folder = catalogue_dir(catalogue=declared(not_judged=["parser"]), rule=rule(), files={"toy.py": ENGINE + NAMES})
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    for name, text in {"a.json": '{"name": 1}', "b.json": '{"name": "x"}', "c.json": "[1]"}.items():
        (theirs / name).write_text(text)
    catalogue = load(folder).catalogue
    assert catalogue is not None
    with Runner(catalogue) as runner:
        found = list(lint(catalogue, runner, sorted(theirs.iterdir()), every=True))
    assert (folder / "runs").read_text().split() == ["3"]
    assert [(one.place.path.name, isinstance(one, Trouble)) for one in found] == [("a.json", False), ("c.json", True)]


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"command": "spectral lint"}, "`command` is a string, not an array"),
        ({"comand": ["x"]}, "unknown key `comand`; did you mean `command`?"),
        ({"output": {"format": "xml"}}, '`format` is `"xml"`, not one of'),
        ({"output": {"format": "json"}}, "`output` lacks the field `code` and `findings`"),
        ({"output": {"format": "lines"}}, "`output` lacks the field `pattern`"),
        ({"output": {"format": "sarif", "code": "$.x"}}, "`code` is not allowed here"),
        ({"output": {**JSON_OUTPUT, "code": "$.["}}, "the engine `toy` has `$.[`, which is no JSONPath"),
        ({"output": {"format": "lines", "pattern": "("}}, "the engine `toy` has `(`, which is no regular expression"),
        ({"output": {"format": "lines", "pattern": "x"}}, "has `x`, which lacks a group `(?P<code>…)`"),
        (
            {"output": {"format": "lines", "pattern": "(?P<code>x)(?P<path>y)"}},
            "with the group `path`; known are `code`",
        ),
        ({"skipped": "x"}, "has `x`, which lacks a group `(?P<file>…)`"),
        ({"folder": "nowhere"}, "runs in the folder `nowhere`, which does not exist"),
        ({"config": ["toy.py", "none.cfg"]}, "depends on the file `none.cfg`, which does not exist"),
        ({"command": ["{python}", "toy.py", "{file}"]}, "for `{file}` say `input: each`"),
        ({"command": ["{python}", "toy.py", "--in={files}"]}, "it has to be one of its own"),
    ],
)
def test_a_faulty_declaration_is_named_at_its_place(engine: Engine, parts: dict[str, Any], said: str) -> None:
    lines = engine(parts=parts).lines
    assert [line for line in lines if line.startswith("cat/catalogue.yaml:") and said in line], lines


def test_an_engine_that_is_not_declared_is_named(engine: Engine) -> None:
    lines = engine(rule={"check": {"engine": "tow", "code": "x"}}).lines
    assert any("there is no engine `tow` in catalogue.yaml; known: `toy`" in line for line in lines)
    lines = engine(rule={"check": {"engine": "toy"}}).lines
    assert any("a check has either `select` and `schema`" in line for line in lines)


def test_no_shell_reads_the_command(engine: Engine, tmp_path: Path) -> None:
    body = "assert sys.argv[1:3] == ['$HOME; touch x', '*'], sys.argv\nsys.argv[1:3] = []\n" + NAMES
    assert engine(body, parts={"command": ["{python}", "toy.py", "$HOME; touch x", "*", "{files}"]}).lines == []
    assert not (tmp_path / "cat/x").exists()


@pytest.mark.skipif(os.name != "posix", reason="scripts without a suffix run where the system knows `#!`")
def test_programs_are_found_where_package_managers_put_them(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "node_modules/.bin/toy-engine"
    path.parent.mkdir(parents=True)
    path.write_text(f"#!{sys.executable}\n" + ENGINE + NAMES)
    path.chmod(0o755)
    assert engine(parts={"command": ["toy-engine"], "version": ["toy-engine", "--version"]}).lines == []
    assert (path.parent / "runs").exists()


# Texts and folders

WORDS = """
def texts(path):
    return sorted(path.rglob("*.txt")) if path.is_dir() else [path]

for given in sys.argv[1:]:
    for file in texts(pathlib.Path(given)):
        for number, line in enumerate(file.read_text().splitlines(), 1):
            for word in ("very", "quite"):
                if word in line:
                    print(f"{file}:{number}:{line.index(word) + 1}: {word} a weak word")
"""
TEXT = {
    "output": {
        "format": "lines",
        "pattern": r"(?P<file>.+):(?P<line>\d+):(?P<column>\d+): (?P<code>\w+) (?P<message>.*)",
    }
}


def test_an_engine_gets_the_fixtures_that_are_for_it(engine: Engine, tmp_path: Path) -> None:
    examples = {
        "invalid": [{"id": "bad", "fixture": "a.txt"}, {"id": "data", "fixture": "bad.json"}],
        "valid": [{"id": "good", "fixture": "good.json"}],
    }
    part = rule("very", examples=examples)
    checked = engine(WORDS, parts={**TEXT, "fixtures": ["*.txt"]}, rule=part, fixtures={"a.txt": "very\n"})
    assert checked.outcomes == {"bad": "confirmed", "data": "not-failing", "good": "not-applied"}
    assert checked.verdict("good").detail == "`toy` does not get `good.json`: its `fixtures` are `*.txt`"
    assert (tmp_path / "cat/runs").read_text().split() == ["1"]


@pytest.mark.parametrize(
    ("entry", "outcome", "lines"),
    [
        ({"fixture": "a.txt"}, Outcome.CONFIRMED, [(2, 2)]),
        ({"fixture": "a.txt", "lines": "2-3"}, Outcome.CONFIRMED, [(2, 2)]),
        ({"fixture": "a.txt", "lines": "3-3"}, Outcome.ELSEWHERE, []),
        ({"fixture": "b.txt"}, Outcome.NOT_FAILING, []),
        ({"content": "one\nvery two\n", "language": "text"}, Outcome.CONFIRMED, [(2, 2)]),
        ({"fixture": "b.txt", "replace": {"old": "small", "new": "very small"}}, Outcome.CONFIRMED, [(1, 1)]),
        ({"fixture": "a.txt", "fix": {"old": "very ", "new": ""}}, Outcome.CONFIRMED, [(2, 2)]),
        ({"fixture": "a.txt", "fix": {"old": "very", "new": "very very"}}, Outcome.FIX_FAILS, [(2, 2)]),
        ({"fixture": "many/", "show_file": "in/two.txt"}, Outcome.CONFIRMED, [(1, 1)]),
        ({"fixture": "many/", "show_file": "one.txt"}, Outcome.ELSEWHERE, []),
    ],
)
def test_texts_are_judged_by_engines(
    engine: Engine, entry: dict[str, Any], outcome: Outcome, lines: list[tuple[int, int]]
) -> None:
    fixtures = {
        "a.txt": "one\ntwo is very small\nthree\n",
        "b.txt": "a small one\n",
        "many/one.txt": "fine\n",
        "many/in/two.txt": "very\n",
        "bad.json": None,
        "good.json": None,
    }
    examples = {"invalid": [{"id": "it", **entry}]}
    checked = engine(WORDS, parts=TEXT, rule=rule("very", examples=examples), fixtures=fixtures, policy={})
    verdict = checked.verdict("it")
    assert (verdict.outcome, verdict.detail if verdict.outcome == Outcome.CONFIRMED else "") == (outcome, "")
    assert [finding.lines for finding in verdict.findings] == lines
