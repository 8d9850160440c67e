"""Python checks: whatever one does, its rule gets a verdict, the others are unharmed, and nothing is written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conftest import Checked, Run, Write, write
from mkdocs_rulebook.checks.api import Document, Found, Node, finding
from mkdocs_rulebook.checks.view import View
from mkdocs_rulebook.project import check

IMPORT = "from mkdocs_rulebook import applied, finding, inapplicable\n"
GOOD = (
    IMPORT
    + "def f(node):\n    if not isinstance(node.value, str):\n"
    + "        yield finding(node, 'is no text', reason='no-text')\n"
)
FINE = "def f(node):\n    return []\n"
OTHER = {"id": "t.other", "examples": {"valid": [{"id": "kind", "fixture": "good.json"}]}, "level": "may"}


def run_check(run: Run, code: str, *, limit: float = 10) -> Checked:
    """Check a catalogue with a rule whose check is a document function, and a second rule beside it."""
    return run(
        catalogue={"time_limit": limit},
        rules=({"check": {"python": "m:f"}}, {**OTHER, "check": {"select": "$", "python": "good:f"}}),
        checks={"m.py": code, "good.py": FINE},
    )


def error(checked: Checked) -> str:
    """The only fault, which is that the check of the first rule could not be run; the second rule was."""
    assert checked.outcomes == {"bad": "check-error", "good": "check-error", "kind": "confirmed"}
    (line,) = checked.lines
    where, _, message = line.partition(": check-error: t.name: ")
    assert re.fullmatch(r"cat/rules.yaml:\d+:\d+", where)
    return message


BROKEN = [
    ("def f(:\n", "`m:f` cannot be read: invalid syntax (checks/m.py:1)"),
    ("def f(d):\n    '\0'\n", "`m:f` cannot be read: source code string cannot contain null bytes (checks/m.py:1)"),
    ("x = 1\n", "`m:f` cannot be found: there is no function `f` in `checks/m.py`"),
    (
        "fg = 1\ndef ff(d): ...\n",
        "`m:f` cannot be found: there is no function `f` in `checks/m.py`; did you mean `ff`?",
    ),
    ("f = 1\n", "`m:f` cannot be found: there is no function `f` in `checks/m.py`"),
    (
        "import no_such_module\n",
        "`m:f` raised ModuleNotFoundError: No module named 'no_such_module' (checks/m.py:1)",
    ),
    ("\n\nraise OSError('at import')\n", "`m:f` raised OSError: at import (checks/m.py:3)"),
    ("def f(d):\n    raise ValueError('one\\ntwo')\n", "`m:f` raised ValueError: one (checks/m.py:2)"),
    ("def f(d):\n    yield\n    1 / 0\n", "`m:f` yielded nothing, where a finding is expected"),
    ("import sys\ndef f(d):\n    sys.exit(0)\n", "`m:f` raised SystemExit: 0 (checks/m.py:3)"),
    ("def f(d):\n    raise KeyboardInterrupt\n", "`m:f` raised KeyboardInterrupt (checks/m.py:2)"),
    ("def f(d):\n    raise type('Own', (BaseException,), {})('x')\n", "`m:f` raised Own: x (checks/m.py:2)"),
    ("import os\ndef f(d):\n    os._exit(0)\n", "`m:f` ended the process it ran in"),
    ("import os\ndef f(d):\n    os.closerange(3, 50)\n", "`m:f` ended the process it ran in"),
    (
        "def f(d):\n    return f(d)\n",
        "`m:f` ran out of stack: the document nests too deep for it, or it calls itself without end (checks/m.py:2)",
    ),
    ("def f(d):\n    return None\n", "`m:f` returned nothing, where findings are expected: is a `yield` missing?"),
    (
        "def f(d):\n    return True\n",
        "`m:f` returned a value of type `bool`, where findings are expected: is a `yield` missing?",
    ),
    (
        "def f(d):\n    return 'text'\n",
        "`m:f` returned a value of type `str`, where findings are expected: is a `yield` missing?",
    ),
    ("def f(d):\n    yield 'text'\n", "`m:f` yielded a value of type `str`, where a finding is expected"),
    ("def f(d):\n    return [1]\n", "`m:f` yielded a value of type `int`, where a finding is expected"),
    (
        IMPORT + "def f(d):\n    yield finding(d.at('/none'), 'x')\n",
        "`m:f` spoke of nothing, where a node is expected",
    ),
    (
        IMPORT + "def f(d):\n    yield applied(d.value)\n",
        "`m:f` spoke of a value of type `dict`, where a node is expected",
    ),
    (
        IMPORT + "def f(d):\n    while True:\n        yield applied(d.root)\n",
        "`m:f` yields more than 100,000 results",
    ),
    ("def f(d):\n    input()\n", "`m:f` raised EOFError: EOF when reading a line (checks/m.py:2)"),
    ("def f(a, b):\n    yield\n", "`m:f`: the check needs the parameter `b`"),
    (
        "def f(d):\n    d.at('no pointer')\n",
        "`m:f` raised PointerError: a JSON Pointer is empty or begins with '/': 'no pointer' (checks/m.py:2)",
    ),
]


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Checked:
    """One catalogue in which every check fails in another way, with one that does not fail after each of them."""
    base = tmp_path_factory.mktemp("broken")
    failing = [{"id": f"t.r{n}", "check": {"python": f"m{n}:f"}, "examples": None} for n in range(len(BROKEN))]
    kind = {**OTHER, "check": {"select": "$", "python": "good:f"}}
    fine = [
        {**kind, "id": f"t.s{n}", "examples": {"valid": [{"id": f"s{n}", "fixture": "good.json"}]}}
        for n in range(len(BROKEN))
    ]
    write(
        base / "cat",
        catalogue={"policy": {}},
        rules=tuple(rule for pair in zip(failing, fine, strict=True) for rule in pair),
        checks={f"m{n}.py": code for n, (code, _) in enumerate(BROKEN)} | {"good.py": FINE},
    )
    return Checked(check([base / "cat"]), base)


@pytest.mark.parametrize("number", range(len(BROKEN)))
def test_a_check_that_fails_is_one_check_error_that_names_its_line(broken: Checked, number: int) -> None:
    (fault,) = [fault for fault in broken.project.faults if fault.rule == f"t.r{number}"]
    assert fault.kind == "check-error"
    assert fault.message == BROKEN[number][1].replace("m:f", f"m{number}:f").replace("m.py", f"m{number}.py")


def test_a_check_that_fails_harms_no_other_rule(broken: Checked) -> None:
    assert set(broken.outcomes.values()) == {"confirmed"}
    assert len(broken.outcomes) == len(BROKEN)
    assert len(broken.project.faults) == len(BROKEN)


def test_a_module_that_is_missing_is_named(run: Run) -> None:
    (line,) = run(rule={"check": {"python": "none.such:f"}}).lines
    assert line.endswith(": check-error: t.name: `none.such:f` cannot be found: there is no file `checks/none/such.py`")


@pytest.mark.parametrize("code", ["def f(d):\n    while True:\n        pass\n", "while True:\n    pass\n"])
def test_a_check_that_never_returns_is_ended(run: Run, code: str) -> None:
    assert error(run_check(run, code, limit=0.2)) == "`m:f` did not return within 0.2 s"


def test_a_check_that_never_returns_is_waited_for_once_only(run: Run, tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    code = f"def f(d):\n    open({str(calls)!r}, 'a').write('x')\n    while True:\n        pass\n"
    run_check(run, code, limit=0.2)
    assert calls.read_text() == "x"


def test_the_start_of_the_process_is_not_the_time_of_a_check(run: Run) -> None:
    checked = run(
        rule={"check": {"select": "$.name", "python": "m:f"}}, catalogue={"time_limit": 0.1}, checks={"m.py": GOOD}
    )
    assert checked.lines == []


def test_nothing_that_a_check_prints_is_taken_for_an_answer(run: Run, capfd: pytest.CaptureFixture[str]) -> None:
    code = (
        GOOD
        + "    print('printed')\n    import os, sys\n    os.write(1, b'raw')\n"
        + "    os.system('echo; echo child')\n    sys.stdout.flush()\n"
    )
    assert run(rule={"check": {"select": "$.name", "python": "m:f"}}, checks={"m.py": code}).lines == []
    captured = capfd.readouterr()
    assert captured.out == ""
    assert {"printed", "child"} <= set(re.findall("[a-z]{5,}", captured.err))


def test_a_failing_check_prints_no_traceback(run: Run, capfd: pytest.CaptureFixture[str]) -> None:
    run_check(run, "def f(d):\n    raise KeyboardInterrupt\n")
    assert capfd.readouterr() == ("", "")


def test_no_byte_code_is_written(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    checked = run(
        rule={"check": {"select": "$.name", "python": "m:f"}},
        checks={"m.py": "from .common import *\n", "common.py": GOOD},
    )
    assert checked.lines == []
    assert [path for path in checked.base.rglob("*") if "pycache" in path.name] == []


def test_modules_import_their_neighbours(run: Run) -> None:
    checks = {
        "a/b.py": IMPORT + "from ..common import LIMIT\nfrom .c import kind\n"
        "def f(node):\n    if type(node.value) is kind and node.value >= LIMIT:\n"
        "        yield finding(node, 'is large')\n",
        "a/c.py": "kind = int\n",
        "common.py": "LIMIT = 1\n",
    }
    assert run(rule={"check": {"select": "$.name", "python": "a.b:f"}}, checks=checks).lines == []


def test_two_catalogues_may_have_modules_of_one_name(catalogue_dir: Write) -> None:
    code = IMPORT + "def f(node):\n    if node.value == 1:\n        yield finding(node, '{}')\n"
    folders = [
        catalogue_dir(
            name,
            rule={"id": f"t.{name}", "check": {"select": "$.name", "python": "m:f"}},
            checks={"m.py": code.format(name)},
        )
        for name in ("one", "two")
    ]
    project = check(folders)
    assert project.faults == ()
    assert [report.verdicts[0].findings[0].message for report in project.reports] == ["one", "two"]


def test_a_standard_module_is_not_hidden_by_one_of_the_same_name(run: Run) -> None:
    code = "import json\n" + GOOD + "    json.dumps(1)\n"
    assert run(rule={"check": {"select": "$.name", "python": "json:f"}}, checks={"json.py": code}).lines == []


def test_without_leave_to_run_code_python_rules_are_not_run_and_the_others_are(run: Run) -> None:
    checked = run(
        allow_code=False,
        rules=({"check": {"python": "m:f"}}, {**OTHER, "check": {"select": "$", "schema": True}}),
        checks={"m.py": "open('ran', 'w')\n"},
    )
    assert checked.outcomes == {"bad": "not-run", "good": "not-run", "kind": "confirmed"}
    assert {fault.kind for fault in checked.project.faults} == {"not-run"}
    assert not Path("ran").exists()


def test_a_node_check_applies_to_every_node_that_it_does_not_excuse(run: Run) -> None:
    code = GOOD.replace("    if not", "    if node.value is None:\n        yield inapplicable(node)\n    elif not")
    examples = {
        "invalid": [{"id": "number", "fixture": "x.json", "pointer": "/0", "expect": {"reason": "no-text"}}],
        "valid": [{"id": "text", "fixture": "x.json", "pointer": "/1"}],
        "inapplicable": [{"id": "null", "fixture": "x.json", "pointer": "/2"}],
    }
    rule = {"check": {"select": "$[*]", "python": "m:f"}, "examples": examples}
    assert run(rule=rule, checks={"m.py": code}, fixtures={"x.json": '[1, "a", null]'}).lines == []


def test_a_document_check_applies_to_what_it_says_and_to_nothing_else(run: Run) -> None:
    code = IMPORT + "def f(document):\n    for node in document.select('$.judged[*]'):\n        yield applied(node)\n"
    examples = {
        "valid": [
            {"id": "judged", "fixture": "x.json", "pointer": "/judged/0"},
            {"id": "not", "fixture": "x.json", "pointer": "/other"},
        ]
    }
    checked = run(
        rule={"level": "may", "check": {"python": "m:f"}, "examples": examples},
        checks={"m.py": code},
        fixtures={"x.json": '{"judged": [1], "other": 1}'},
    )
    assert checked.outcomes == {"judged": "confirmed", "not": "not-applied"}


def test_what_one_check_does_to_a_document_does_not_show_in_another(run: Run) -> None:
    checked = run(
        rules=(
            {"id": "t.a", "check": {"select": "$", "python": "m:spoil"}, "level": "may", "examples": None},
            {"check": {"select": "$.name", "python": "m:f"}},
        ),
        checks={"m.py": GOOD + "def spoil(node):\n    node.value['name'] = []\n    return []\n"},
    )
    assert checked.lines == []


def test_a_check_sees_references_followed_and_its_findings_lie_at_both_places(run: Run) -> None:
    checked = run(
        catalogue={"references": "$ref"},
        rule={
            "check": {"select": "$.use.name", "python": "m:f"},
            "examples": {"invalid": [{"id": "it", "fixture": "x.json", "pointer": "/use"}]},
            "level": "may",
        },
        checks={"m.py": GOOD},
        fixtures={"x.json": '{"use": {"$ref": "#/parts/a"}, "parts": {"a": {"name": 1}}}'},
    )
    (only,) = checked.verdict("it").findings
    assert (only.pointer, only.target, only.reason) == ("/use", "/parts/a/name", "no-text")


def test_when_is_decided_before_the_function_is_called(run: Run) -> None:
    code = IMPORT + "def f(node):\n    yield finding(node, 'is ' + node.value)\n"
    rule = {"check": {"select": "$.name", "when": {"const": "x"}, "python": "m:f"}, "level": "may"}
    examples = {
        "invalid": [{"id": "it", "fixture": "good.json"}],
        "inapplicable": [{"id": "no", "fixture": "bad.json"}],
    }
    assert run(rule={**rule, "examples": examples}, checks={"m.py": code}).lines == []


def test_what_decided_when_is_part_of_the_evidence(run: Run) -> None:
    conditional = {"select": "$.name", "when": {"type": "string"}, "python": "good:f"}
    alone = {"id": "t.other", "check": {"select": "$.name", "python": "good:f"}, "level": "may"}
    parts = ({"check": conditional, "level": "may"}, alone)
    checked = run(catalogue={"schema_engine": "jsonschema-rs"}, rules=parts, checks={"good.py": GOOD})
    engines = [re.sub(r"\d[\d.]*", "N", verdict.engine) for verdict in checked.report.verdicts]
    assert engines == ["Python N (condition: jsonschema-rs N)"] * 2 + ["Python N"] * 2


def test_a_text_of_a_class_of_its_own_comes_through_as_text(run: Run) -> None:
    code = (
        IMPORT
        + "class S(str):\n    def __str__(self):\n        return self\n"
        + GOOD[len(IMPORT) :].replace("'is no text'", "S('is S')")
    )
    checked = run(rule={"check": {"select": "$.name", "python": "m:f"}}, checks={"m.py": code})
    assert checked.verdict("bad").findings[0].message == "is S"


WITH = (
    IMPORT
    + "def f(node, limit: int, *, words: list[str] = (), share: 'float | None' = None,\n"
    + "      strict: bool = False, other=1):\n"
    + "    if node.value == 1:\n"
    + "        yield finding(node, f'{limit!r} {words!r} {share!r} {strict!r} {other!r}')\n"
)


def run_with(run: Run, parameters: str, code: str = WITH, **options: bool) -> Checked:
    check = f"check: {{select: $.name, python: 'm:f', with: {parameters}}}"
    return run(rule=check, checks={"m.py": code}, **options)


def test_parameters_are_keyword_arguments(run: Run) -> None:
    checked = run_with(run, "{limit: 3, words: [a, b], share: 0.5, strict: true, other: {x: 1}}")
    assert checked.lines == []
    assert checked.verdict("bad").findings[0].message == "3 ['a', 'b'] 0.5 True {'x': 1}"


def test_a_number_is_a_float_only_where_the_annotation_says_so(run: Run) -> None:
    checked = run_with(run, "{limit: 3, share: 1, other: 1.5}")
    assert checked.verdict("bad").findings[0].message == "3 () 1.0 False Decimal('1.5')"


@pytest.mark.parametrize(
    ("parameters", "message", "below"),
    [
        ("{}", "the check needs the parameter `limit`", "python"),
        ("{limit: 1, wrods: []}", "the check takes no parameter `wrods`; nearest: `words`", "wrods"),
        ("{limit: 1, node: 1}", "takes no parameter `node`; it takes `limit`, `other`, `share`, `strict` and", "node"),
        ("{limit: x}", "the parameter `limit` is a string, not an integer", "limit"),
        ("{limit: true}", "the parameter `limit` is a boolean, not an integer", "limit"),
        ("{limit: 1.0}", "the parameter `limit` is a number, not an integer", "limit"),
        (
            "{limit: 1, words: [1]}",
            "the parameter `words` is an array, not a list of which each item is a",
            "words",
        ),
        ("{limit: 1, share: x}", "the parameter `share` is a string, not a number or null", "share"),
        ("{limit: 1, strict: 1}", "the parameter `strict` is a number, not a boolean", "strict"),
    ],
)
@pytest.mark.parametrize("allow_code", [True, False])
def test_parameters_that_do_not_fit_are_a_fault_of_the_rule_file_before_anything_runs(
    run: Run, parameters: str, message: str, below: str, allow_code: bool
) -> None:
    checked = run_with(run, parameters, "open('ran', 'w')\n" * (not allow_code) + WITH, allow_code=allow_code)
    (fault,) = [fault for fault in checked.project.faults if fault.kind == "check-error"]
    assert fault.message.startswith("`m:f`: ")
    assert message in fault.message
    text = (checked.base / "cat/rules.yaml").read_text().splitlines()
    assert text[fault.place.position.line - 1].strip().startswith(f'"{below}"')
    assert not Path("ran").exists()


@pytest.mark.parametrize(
    "code",
    [
        "from .real import f\n",
        WITH.replace("def f(", "def g(") + "f = g\n",
        "def same(g):\n    return g\n" + WITH.replace("def f(", "@same\ndef f("),
    ],
)
def test_a_signature_that_cannot_be_read_is_asked_for_when_the_check_runs(run: Run, code: str) -> None:
    rule = "check: {select: $.name, python: 'm:f', with: {limt: 1}}"
    (line,) = run(rule=rule, checks={"m.py": code, "real.py": WITH}).lines
    assert line.endswith(": check-error: t.name: `m:f` the check takes no parameter `limt`; nearest: `limit`")
    fine = run(name="fine", rule=rule.replace("limt", "limit"), checks={"m.py": code, "real.py": WITH})
    assert fine.lines == []


def test_a_check_that_takes_any_parameter_gets_it(run: Run) -> None:
    code = IMPORT + "def f(node, **given):\n    if node.value == 1:\n        yield finding(node, str(given))\n"
    checked = run_with(run, "{a: 1, b: [2]}", code)
    assert checked.verdict("bad").findings[0].message == "{'a': 1, 'b': [2]}"


def test_what_a_check_does_to_its_parameters_does_not_show_in_the_next_call(run: Run) -> None:
    code = IMPORT + (
        "def f(node, names: list[str]):\n    names.append('x')\n"
        "    if node.value == 1 or len(names) > 1:\n        yield finding(node, str(names))\n"
    )
    assert run_with(run, "{names: []}", code).lines == []


def test_rules_with_other_parameters_are_other_checks(run: Run) -> None:
    code = IMPORT + "def f(node, limit: int):\n    while node.value == limit:\n        pass\n    return []\n"
    rules = tuple(
        {
            "id": f"t.{name}",
            "level": "may",
            "check": {"select": "$.name", "python": "m:f", "with": {"limit": limit}},
            "examples": {"valid": [{"id": name, "fixture": "bad.json"}]},
        }
        for name, limit in (("a", 1), ("b", 2))
    )
    checked = run(catalogue={"time_limit": 0.3}, rules=rules, checks={"m.py": code})
    assert checked.outcomes == {"a": "check-error", "b": "confirmed"}


def test_parameters_without_a_python_check_are_a_fault(run: Run) -> None:
    lines = run(rule="check: {select: $.name, schema: {type: string}, with: {a: 1}}").lines
    assert any("`check` lacks the field `python`" in line for line in lines)


def test_each_check_of_a_document_has_its_own_time(run: Run) -> None:
    """All are asked for at once; together they may take longer than one may."""
    code = "import time\ndef f(node):\n    time.sleep(0.25)\n    return []\n"
    check_it = {"level": "may", "check": {"select": "$.name", "python": "m:f"}}
    rules = tuple(
        {**check_it, "id": f"t.r{n}", "examples": {"valid": [{"id": f"r{n}", "fixture": "bad.json"}]}} for n in range(4)
    )
    checked = run(catalogue={"time_limit": 0.6}, rules=rules, checks={"m.py": code})
    assert set(checked.outcomes.values()) == {"confirmed"}


DOCUMENT = Document(View({"a": [{"b": 1}, 2], "c/d": None}))


def test_nodes_know_their_way() -> None:
    node = DOCUMENT.at("/a/0/b")
    assert node is not None
    assert (node.pointer, node.key, node.value) == ("/a/0/b", "b", 1)
    assert node.parent == DOCUMENT.at("/a/0")
    assert node.parent is not None
    assert (node.parent.key, DOCUMENT.root.key, DOCUMENT.root.parent) == (0, None, None)
    assert DOCUMENT.at("/a/2") is None
    assert DOCUMENT.at("/a/0/b/c") is None


def test_nodes_are_walked_in_the_order_of_the_document() -> None:
    assert [node.pointer for node in DOCUMENT.root.walk()] == ["", "/a", "/a/0", "/a/0/b", "/a/1", "/c~1d"]
    assert [node.pointer for node in DOCUMENT.select("$.a[*]", "$.a[0]")] == ["/a/0", "/a/1"]


def test_the_names_of_a_finding_are_sorted() -> None:
    node = Node(DOCUMENT, (), None)
    assert finding(node, "m", names=["b", "a"]) == Found(node, "m", "", ("a", "b"))
