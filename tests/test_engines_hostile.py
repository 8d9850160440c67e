"""Engines that are wrong in ways that could pass for a proof, or that could break the run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conftest import Checked, Run
from mkdocs_rulebook.fix import PatchError, patched
from mkdocs_rulebook.model import Outcome
from test_engines import JSON_OUTPUT, NAMES, OUTPUT, Engine, declared, engine, printing, rule, saying

__all__ = ["engine"]  # the fixture of that module

LINES = {"output": {**OUTPUT, "line": "$.line"}}
SARIF = {"output": {"format": "sarif"}}
FOR_EACH = {"input": "each", "command": ["{python}", "toy.py", "{file}"]}
ABOUT_BAD = "\nif 'bad' in sys.argv[1]: print(json.dumps([{'code': 'name', 'path': ['name']}])); sys.exit()\n"


def sarif_of(result: dict[str, Any]) -> str:
    """The body of an engine that reports a result for each file as SARIF."""
    return f"""
def located(name):
    result = json.loads({json.dumps(json.dumps(result))})
    place = result.setdefault("locations", [{{"physicalLocation": {{}}}}])[0]["physicalLocation"]
    place.setdefault("artifactLocation", {{"uri": pathlib.Path(name).as_uri()}})
    return result
print(json.dumps({{"version": "2.1.0", "runs": [{{"results": [located(name) for name in sys.argv[1:]]}}]}}))
"""


# What could pass for a proof


def test_a_finding_counts_for_each_document_that_the_file_is(engine: Engine) -> None:
    body = (
        "print(json.dumps([{'code': 'name', 'line': 1, 'file': [n for n in sys.argv[1:] if n.endswith('a.sh')][0]}]))"
    )
    examples = {
        "invalid": [{"id": "file", "fixture": "night/a.sh", "lines": 1}],
        "valid": [{"id": "folder", "fixture": "night", "show_file": "a.sh", "lines": 1}],
    }
    fixtures = {"bad.json": None, "good.json": None, "night/a.sh": "x\ny\n", "night/b.sh": "x\n"}
    checked = engine(body, parts=LINES, rule=rule(examples=examples), fixtures=fixtures)
    assert checked.outcomes == {"file": "confirmed", "folder": "failing"}


def test_a_link_to_a_fixture_is_found_wrong_with_it(engine: Engine, tmp_path: Path) -> None:
    body = "real = {os.path.realpath(n) for n in sys.argv[1:]}\n"
    body += "print(json.dumps([{'code': 'name', 'path': ['name'], 'file': n} for n in real if 'bad' in n]))"
    (tmp_path / "cat/fixtures").mkdir(parents=True)
    (tmp_path / "cat/fixtures/link.json").symlink_to("bad.json")
    examples = {
        "invalid": [{"id": "bad", "fixture": "bad.json", "pointer": "/name"}],
        "valid": [{"id": "link", "fixture": "link.json"}],
    }
    checked = engine(body, rule=rule(examples=examples))
    assert checked.outcomes == {"bad": "confirmed", "link": "failing"}


MIXED = """
def mixed(name):
    data = open(name, "rb").read()
    return 0 < data.count(b"\\r\\n") < data.count(b"\\n")
print(json.dumps([{"code": "name", "line": 1, "file": n} for n in sys.argv[1:] if mixed(n)]))
"""


@pytest.mark.parametrize(
    ("replaced", "claim", "outcome"),
    [
        ({"old": "a\r\nb\n", "new": "a\nb\r\n"}, "valid", "failing"),
        ({"old": "a\r\nb\n", "new": "a\nb\n"}, "valid", "confirmed"),
        ({"old": "a\r\nb\n", "new": "a\nb\r\n"}, "invalid", "confirmed"),
    ],
)
def test_an_engine_gets_the_line_ends_that_a_change_makes(
    engine: Engine, replaced: dict[str, str], claim: str, outcome: str
) -> None:
    examples: dict[str, Any] = {"invalid": [{"id": "mixed", "fixture": "mix.txt"}]}
    examples.setdefault(claim, []).append({"id": "it", "fixture": "mix.txt", "replace": replaced})
    fixtures = {"bad.json": None, "good.json": None, "mix.txt": b"a\r\nb\n"}
    checked = engine(MIXED, parts=LINES, rule=rule(examples=examples), fixtures=fixtures)
    assert checked.outcomes["it"] == outcome


@pytest.mark.parametrize("output", ["{}", "null", "5", '"fatal"', '{"error": "crashed"}', "[null]", "[7]"])
def test_json_that_is_no_list_of_findings_is_not_silence(engine: Engine, output: str) -> None:
    parts = {**FOR_EACH, "output": {key: query for key, query in JSON_OUTPUT.items() if key != "file"}}
    checked = engine(ABOUT_BAD + printing(output), parts=parts)
    assert checked.outcomes == {"bad": "confirmed", "good": "check-error"}


def test_a_finding_without_a_code_is_not_silence(engine: Engine) -> None:
    parts = {**FOR_EACH, "output": {key: query for key, query in JSON_OUTPUT.items() if key != "file"}}
    checked = engine(ABOUT_BAD + printing('[{"message": "config is broken"}]'), parts=parts)
    assert checked.outcomes == {"bad": "confirmed", "good": "not-applied"}
    assert "could not judge the file: something without a code (config is broken)" in checked.verdict("good").detail


GOOD_SARIF = [
    ('{"version": "2.1.0", "runs": []}', "has no run"),
    (
        '{"version": "2.1.0", "runs": [{"results": [], "invocations": [{"executionSuccessful": false,'
        ' "toolExecutionNotifications": [{"level": "error", "message": {"text": "bad config"}, "locations":'
        ' [{"physicalLocation": {"artifactLocation": {"uri": "catalogue.yaml"}}}]}]}]}]}',
        "reports an error about `catalogue.yaml`, which is no fixture: `bad config`",
    ),
]


@pytest.mark.parametrize(("output", "said"), GOOD_SARIF)
def test_a_sarif_log_of_a_failure_is_not_silence(engine: Engine, output: str, said: str) -> None:
    about_bad = (
        "\nif 'bad' in sys.argv[1]:" + sarif_of({"ruleId": "name"}).replace("\n", "\n    ") + "\n    sys.exit()\n"
    )
    checked = engine(about_bad + printing(output), parts={**FOR_EACH, **SARIF})
    assert checked.outcomes["good"] == "check-error"
    assert said in checked.verdict("good").detail


def test_a_sarif_result_without_a_kind_is_a_finding(engine: Engine) -> None:
    checked = engine(sarif_of({"ruleId": "name", "kind": None}), parts=SARIF)
    assert checked.outcomes["good"] == "failing"


def test_a_program_that_breaks_off_after_its_first_finding_is_not_believed(engine: Engine) -> None:
    body = "print(sys.argv[1] + ': name'); sys.stdout.flush(); raise KeyError('x')"
    checked = engine(body, parts={"output": {"format": "lines", "pattern": "(?P<file>.+): (?P<code>name)"}})
    assert set(checked.outcomes.values()) == {"check-error"}
    assert "`toy` broke off with the code 1, and says `KeyError: 'x'`" in checked.verdict("bad").detail


@pytest.mark.parametrize("change", ["open(name, 'w').write('{\"name\": \"changed\"}')", "os.remove(name)"])
def test_a_program_that_changes_a_fixture_is_not_believed(engine: Engine, change: str) -> None:
    body = NAMES + f"\nfor name in sys.argv[1:]:\n    if 'bad' in name: {change}\n"
    checked = engine(body)
    assert set(checked.outcomes.values()) == {"check-error"}
    assert "`toy` changed `bad.json` while it ran" in checked.verdict("bad").detail


def wrapped(run: Run, content: str, before: str, **more: Any) -> Checked:
    entry = {"id": "it", "content": content, "wrap": {"before": before, **more.pop("wrap", {})}, **more}
    examples = {"invalid": [entry], "valid": [{"id": "good", "fixture": "good.json"}]}
    return run(rule={"examples": examples}, fixtures={"bad.json": None})


def test_what_is_wrapped_around_an_example_proves_nothing(run: Run) -> None:
    around = {"wrap": {"after": "}"}, "name": "x.json"}
    assert wrapped(run, '"other": "x"', '{"name": 1, ', **around).outcome("it") == Outcome.NOT_FAILING
    checked = wrapped(run, '"other": "x"', '{"name": 1, ', pointer="/name", **around)
    assert checked.outcome("it") == Outcome.POINTER_MISSING
    assert "`/name` is not in the text of the example, but wrapped around it" in checked.verdict("it").detail
    assert wrapped(run, '"name": 1', '{"other": "x", ', **around).outcome("it") == Outcome.CONFIRMED


def test_lines_of_the_wrapping_cannot_be_selected(engine: Engine) -> None:
    body = "print(json.dumps([{'code': 'name', 'line': 1, 'file': name} for name in sys.argv[1:]]))"
    entry = {"id": "it", "name": "x.txt", "content": "ok\n", "wrap": {"before": "BAD\n"}}
    examples = {"invalid": [{**entry, "lines": 1}, {**entry, "id": "whole"}]}
    checked = engine(body, parts=LINES, rule=rule(examples=examples), fixtures={"bad.json": None, "good.json": None})
    assert checked.outcomes == {"it": "pointer-missing", "whole": "not-failing"}


# What could break the run


BAD_SARIF = [
    {"locations": [{"physicalLocation": {"region": {"startLine": None}}}]},
    {"locations": [{"physicalLocation": {"region": {"startLine": ""}}}]},
    {"locations": [{"physicalLocation": {"artifactLocation": {"uri": "http://["}}}]},
    {"locations": [{"physicalLocation": {"artifactLocation": {"uri": "file://[x"}}}]},
    {"message": {"text": "{" + "9" * 5000 + "}", "arguments": ["x"]}},
    {"message": {"text": "a\ud800b\u202ec\u0007"}},
]


@pytest.mark.parametrize("result", BAD_SARIF)
def test_no_sarif_log_ends_the_run(engine: Engine, result: dict[str, Any]) -> None:
    checked = engine(sarif_of({"ruleId": "name", **result}), parts=SARIF)
    assert set(checked.outcomes) == {"bad", "good"}
    said = " ".join([*checked.lines, *(f.message for verdict in checked.report.verdicts for f in verdict.findings)])
    assert said.isprintable()


def test_a_region_that_ends_before_it_begins_is_no_place(engine: Engine) -> None:
    region = {"startLine": 1, "startColumn": 9, "endColumn": 2}
    checked = engine(sarif_of({"ruleId": "name", "locations": [{"physicalLocation": {"region": region}}]}), parts=SARIF)
    assert "at a region that ends before it begins, on line 1, of" in checked.verdict("bad").detail


def test_what_an_engine_says_is_short_and_does_not_tell_where_it_ran(engine: Engine) -> None:
    said = "'in ' + name + ' or ' + os.path.relpath(name) + ' of ' + os.path.dirname(name) + ' ' + 'x' * 5000"
    body = f"print(json.dumps([{{'code': 'name', 'file': name, 'message': {said}}} for name in sys.argv[1:]]))"
    patch = [{"op": "replace", "path": "/name", "value": 1}]
    examples = {"invalid": [{"id": "it", "fixture": "good.json", "patch": patch}]}
    [finding] = engine(body, rule=rule(examples=examples), policy={}).verdict("it").findings
    assert finding.message.startswith("breaks `name`: in good.json or good.json of the folder of the fixtures xxx")
    assert len(finding.message) < 2_100


def test_a_placeholder_that_is_none_is_a_fault_of_the_declaration_alone(run: Run) -> None:
    parts = declared(command=["{python}", "toy.py", "{fils}"])
    checked = run(catalogue=parts, rule=rule(), files={"toy.py": ""})
    assert [line.split(": ", 1)[1] for line in checked.lines] == [
        "catalogue: the engine `toy` has `{fils}` in its command, which is no placeholder; nearest: `{files}`, `{file}`"
    ]


def test_an_engine_that_fails_is_one_fault_at_its_command_and_quotes_the_error(engine: Engine) -> None:
    body = "print('error: no such option\\n\\nFor more, try --help', file=sys.stderr); sys.exit(2)"
    rules = (rule(), rule("other", id="t.other"))
    checked = engine(body, rules=rules)
    [line] = [line for line in checked.lines if "check-error" in line]
    assert line.startswith("cat/catalogue.yaml:")
    assert "ended with the code 2, and says `error: no such option` (and so for 1 more rule)" in line


def test_a_patch_that_grows_without_end_is_refused() -> None:
    patch = [{"op": "copy", "from": "/x", "path": "/x/-"}] * 40
    with pytest.raises(PatchError, match="the document grows to more than 1,000,000 nodes"):
        patched({"x": [1]}, "", patch)


def test_a_finding_for_each_use_still_counts(engine: Engine) -> None:
    assert engine(saying({"code": "name", "path": ""})).outcomes == {"bad": "elsewhere", "good": "failing"}
