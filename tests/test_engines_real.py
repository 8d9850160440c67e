"""Real engines: Spectral and Ruff through SARIF and JSON, check-jsonschema through lines."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from conftest import Run, Write
from engines import NODE, RUFF_JSON, SPECTRAL_JSON, needs, ruff, spectral
from mkdocs_rulebook.catalogue import load
from mkdocs_rulebook.checks.runner import Runner
from mkdocs_rulebook.control import control
from mkdocs_rulebook.model import Outcome, Proof
from mkdocs_rulebook.project import check

RULESET = """
extends: [[spectral:oas, all]]
rules:
  operation-id-short:
    given: $.paths[*][get,post]
    message: "{{path}} is too long"
    severity: warn
    then: {field: operationId, function: length, functionOptions: {max: 12}}
"""

PETS = """\
openapi: 3.0.3
info: {title: "Zoölogy 😀", version: "1", contact: {name: Keeper}}
paths:
  /animals/:
    get:
      operationId: allOfTheAnimals
      responses:
        "200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Animal"}}}}
components:
  schemas:
    Animal: {type: object, example: 3}
"""
GOOD = """\
openapi: 3.0.3
info: {title: Zoo, version: "1", contact: {name: K, url: "https://example.com", email: k@example.com}}
paths:
  /animals:
    get:
      operationId: animals
      responses:
        "200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Animal"}}}}
components:
  schemas:
    Animal: {type: object, example: {}}
"""


def of_spectral(id_: str, code: str, bad: str, good: str, **more: Any) -> dict[str, Any]:
    """A rule that Spectral decides, with an example of each kind."""
    return {
        "id": f"t.{id_}",
        "check": {"engine": "spectral", "code": code},
        "examples": {
            "invalid": [{"id": f"{id_}-bad", "fixture": "pets.yaml", "pointer": bad, **more}],
            "valid": [{"id": f"{id_}-good", "fixture": "good.yaml", "pointer": good}],
        },
    }


CONTACT = [
    {"op": "add", "path": "/url", "value": "https://example.com"},
    {"op": "add", "path": "/email", "value": "k@example.com"},
]
SPECTRAL_RULES = (
    of_spectral("contact", "contact-properties", "/info/contact", "/info/contact", fix=CONTACT),
    of_spectral("slash", "path-keys-no-trailing-slash", "/paths/~1animals~1", "/paths/~1animals"),
    of_spectral("short", "operation-id-short", "/paths/~1animals~1/get/operationId", "/paths"),
    of_spectral("example", "oas3-valid-schema-example", "/paths/~1animals~1", "/paths/~1animals"),
)
SPECTRAL_FIXTURES = {"pets.yaml": PETS, "good.yaml": GOOD, "bad.json": None, "good.json": None}


@needs("spectral")
@pytest.mark.parametrize("output", [SPECTRAL_JSON, {"format": "sarif"}], ids=["json", "sarif"])
def test_spectral(run: Run, output: dict[str, Any]) -> None:
    checked = run(
        catalogue={"engines": {"spectral": spectral(output)}},
        rules=SPECTRAL_RULES,
        fixtures=SPECTRAL_FIXTURES,
        files={"engine/ruleset.yaml": RULESET},
    )
    assert checked.lines == []
    assert checked.verdict("contact-bad").engine.startswith("Spectral 6.")
    places = {v.example.id: [f.pointer for f in v.findings] for v in checked.report.verdicts if v.findings}
    schema = "/paths/~1animals~1/get/responses/200/content/application~1json/schema"
    assert places == {
        "contact-bad": ["/info/contact"],
        "slash-bad": ["/paths/~1animals~1"],
        "short-bad": ["/paths/~1animals~1/get/operationId"],
        "example-bad": [schema],
    }
    assert checked.verdict("example-bad").findings[0].target == "/components/schemas/Animal/example"


@needs("spectral")
def test_spectral_tells_what_it_found_instead(run: Run) -> None:
    """A document that is no OpenAPI breaks no rule of OpenAPI, whatever its exit code says (field note 8)."""
    rule = {
        "check": {"engine": "spectral", "code": "info-contact"},
        "examples": {
            "invalid": [
                {"id": "real", "fixture": "real.yaml"},
                {"id": "none", "fixture": "none.yaml"},
            ],
            "valid": [{"id": "nothing", "fixture": "other.yaml"}],
        },
    }
    fixtures = {
        "real.yaml": "openapi: 3.0.3\ninfo: {title: x, version: '1'}\npaths: {}\n",
        "none.yaml": "info: {title: x, version: '1'}\n",
        "other.yaml": "a: 1\n",
        "bad.json": None,
        "good.json": None,
    }
    checked = run(
        catalogue={"engines": {"spectral": spectral(SPECTRAL_JSON)}},
        rule=rule,
        fixtures=fixtures,
        files={"engine/ruleset.yaml": RULESET},
    )
    assert checked.outcomes == {"real": "confirmed", "none": "not-failing", "nothing": "not-applied"}
    assert "`spectral` reports `unrecognized-format`" in checked.verdict("none").detail
    assert "`spectral` could not judge the file: `unrecognized-format`" in checked.verdict("nothing").detail


@needs("spectral")
def test_spectral_without_its_ruleset_confirms_nothing(run: Run) -> None:
    engine = {**spectral(SPECTRAL_JSON), "config": []}
    checked = run(catalogue={"engines": {"spectral": engine}}, rules=SPECTRAL_RULES, fixtures=SPECTRAL_FIXTURES)
    assert {verdict.outcome for verdict in checked.report.verdicts} == {Outcome.CHECK_ERROR}


@needs("spectral")
def test_the_negative_control_holds_for_spectral(catalogue_dir: Write) -> None:
    folder = catalogue_dir(
        catalogue={"engines": {"spectral": spectral(SPECTRAL_JSON)}},
        rules=SPECTRAL_RULES,
        fixtures=SPECTRAL_FIXTURES,
        files={"engine/ruleset.yaml": RULESET},
    )
    catalogue = load(folder).catalogue
    assert catalogue is not None
    with Runner(catalogue) as runner:
        attempts = list(control(catalogue, runner))
    assert len(attempts) >= len(SPECTRAL_RULES) * 4
    assert [one for one in attempts if not one.held] == []


UNUSED = 'name = "Zoë 😀"; import os\n\n\ndef add(item, to=[]):\n    to.append(item)\n    return to\n'


@needs("ruff")
@pytest.mark.parametrize("output", [RUFF_JSON, {"format": "sarif", "columns": "code-points"}], ids=["json", "sarif"])
def test_ruff(run: Run, output: dict[str, Any]) -> None:
    rules = (
        {
            "id": "t.unused-import",
            "check": {"engine": "ruff", "code": "F401"},
            "examples": {
                "invalid": [
                    {"id": "unused", "fixture": "a.py", "lines": "1", "fix": {"old": "; import os", "new": ""}},
                    {"id": "snippet", "content": "import os\n", "language": "python"},
                ],
                "valid": [{"id": "used", "fixture": "b.py"}],
            },
        },
        {
            "id": "t.mutable-default",
            "check": {"engine": "ruff", "code": "B006"},
            "examples": {
                "invalid": [{"id": "default", "fixture": "a.py", "lines": "4-6"}],
                "valid": [{"id": "none", "fixture": "a.py", "replace": {"old": "to=[]", "new": "to=()"}}],
            },
        },
        {
            "id": "t.unparsable",
            "check": {"engine": "ruff", "code": "F841"},
            "examples": {
                "invalid": [
                    {"id": "unparsable", "content": "def (:\n", "language": "python"},
                    {"id": "variable", "content": "def f():\n    x = 1\n", "language": "python"},
                ],
                "valid": [{"id": "no-python", "content": "def (:\n    pass\n", "language": "python"}],
            },
        },
    )
    fixtures = {"a.py": UNUSED, "b.py": "import os\n\nprint(os.name)\n", "bad.json": None, "good.json": None}
    engines = {"engines": {"ruff": ruff(output)}}
    checked = run(catalogue=engines, rules=rules, fixtures=fixtures)
    assert checked.outcomes == {
        "unused": "confirmed",
        "snippet": "confirmed",
        "used": "confirmed",
        "default": "confirmed",
        "none": "confirmed",
        "unparsable": "not-failing",
        "variable": "confirmed",
        "no-python": "not-applied",
    }
    assert "`ruff` reports `invalid-syntax`" in checked.verdict("unparsable").detail
    assert checked.verdict("unused").findings[0].lines == (1, 1)
    assert checked.verdict("default").findings[0].lines == (4, 4)


PERSON = """{
  "type": "object", "required": ["name"], "properties": {"age": {"type": "integer"}, "name": {"type": "string"}}
}"""


@needs("check-jsonschema")
def test_check_jsonschema_through_lines(run: Run) -> None:
    place = r" +(?P<file>.+?)::(?P<pointer>\$\S*): (?P<message>.* "
    engine = {
        "title": "check-jsonschema",
        "command": ["check-jsonschema", "--schemafile", "schemas/person.json", "--color=never", "{files}"],
        "version": ["check-jsonschema", "--version"],
        "config": ["schemas/person.json"],
        "output": {
            "format": "lines",
            "pattern": [
                rf"{place}(?P<code>is a required property).*)",
                rf"{place}(?P<code>is not of type) .*)",
            ],
            "ignore": ["Schema validation errors were encountered.", "ok -- validation done", " +Underlying .*"],
        },
    }
    rules = (
        {
            "id": "t.required",
            "check": {"engine": "schema", "code": "is a required property"},
            "examples": {
                "invalid": [{"id": "nameless", "fixture": "nameless.json"}],
                "valid": [{"id": "named", "fixture": "good.json"}],
            },
        },
        {
            "id": "t.type",
            "check": {"engine": "schema", "code": "is not of type"},
            "examples": {
                "invalid": [{"id": "old", "fixture": "nameless.json", "pointer": "/age", "expect": {"pointer": ""}}],
                "valid": [{"id": "young", "fixture": "good.json"}],
            },
        },
    )
    fixtures = {"nameless.json": {"age": "old"}, "bad.json": None}
    checked = run(
        catalogue={"engines": {"schema": engine}}, rules=rules, fixtures=fixtures, files={"schemas/person.json": PERSON}
    )
    assert checked.lines == []
    assert checked.verdict("old").findings[0].message == "breaks `is not of type`: 'old' is not of type 'integer'"


CATALOGUES = Path(__file__).parent / "catalogues"


@pytest.mark.parametrize(
    "name", [pytest.param("spectral", marks=needs("spectral")), pytest.param("ruff", marks=needs("ruff"))]
)
def test_the_demonstration_catalogues_are_proved_both_ways(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{NODE}{os.pathsep}{os.environ.get('PATH', '')}")
    project = check([CATALOGUES / name])
    assert project.faults == ()
    report = project.reports[0]
    assert len(report.catalogue.rules) >= 15
    assert {report.proof(rule) for rule in report.catalogue.rules} == {Proof.BOTH}


@pytest.mark.parametrize(
    "name", [pytest.param("spectral", marks=needs("spectral")), pytest.param("ruff", marks=needs("ruff"))]
)
def test_the_negative_control_holds_for_the_demonstration_catalogues(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{NODE}{os.pathsep}{os.environ.get('PATH', '')}")
    catalogue = load(CATALOGUES / name).catalogue
    assert catalogue is not None
    with Runner(catalogue) as runner:
        attempts = list(control(catalogue, runner))
    assert len(attempts) > 100
    assert [one for one in attempts if not one.held] == []
