"""The product on data that nobody here wrote. It lies beside the repository where it is at hand, and is never in it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mkdocs_rulebook.checks.base import Run
from mkdocs_rulebook.checks.schema_engine import LIBRARIES, SchemaEngine
from mkdocs_rulebook.checks.schemas import DRAFT_2020_12, Schemas
from mkdocs_rulebook.checks.view import View
from mkdocs_rulebook.model import SchemaCheck
from mkdocs_rulebook.pointer import inside
from mkdocs_rulebook.source import read
from recall import recall

CORPORA = Path(__file__).parents[2] / "shared" / "corpora"

needs_mcpdesc = pytest.mark.skipif(
    not (CORPORA / "mcpdesc").is_dir(), reason="the upstream fixtures are not beside this checkout"
)


@needs_mcpdesc
def test_the_rules_find_all_that_is_wrong_upstream_and_nothing_that_is_right() -> None:
    result = recall(CORPORA / "mcpdesc")
    assert result.entries > 100
    assert result.missed == []
    assert result.false == []
    assert result.errors == []


OAI = CORPORA / "oai"
RULES: list[dict[str, Any]] = (
    [json.loads(line) for line in (OAI / "rules.jsonl").read_text(encoding="utf-8").splitlines()]
    if OAI.is_dir()
    else []
)


@cache
def _engine(library: str, files: tuple[str, ...]) -> SchemaEngine:
    schemas = [read(OAI / name).value for name in files]
    return SchemaEngine(Schemas({schema["$id"]: schema for schema in schemas}, DRAFT_2020_12), library)


@cache
def _check(file: str) -> SchemaCheck:
    return SchemaCheck(("$",), {"$ref": read(OAI / file).value["$id"]}, base="file:///oai/rules.yaml")


def _runs(rule: dict[str, Any], file: str) -> list[Run]:
    view = View(read(OAI / file).value)
    files = tuple(rule["x_schema_registry"])
    return [_engine(library, files).run(rule["id"], _check(rule["schema"]), view) for library in LIBRARIES]


@pytest.mark.skipif(not RULES, reason="the schemas of the OpenAPI Specification are not beside this checkout")
def test_the_corpus_of_the_openapi_specification_is_whole() -> None:
    assert len(RULES) == 72


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["id"])
def test_both_libraries_judge_openapi_documents_as_a_conforming_validator_does(rule: dict[str, Any]) -> None:
    for example in rule["invalid"]:
        one, other = _runs(rule, example["file"])
        assert (one.findings, one.applied, one.error) == (other.findings, other.applied, other.error)
        assert one.error == ""
        assert any(inside(finding.pointer, example["pointer"]) for finding in one.findings)
    for example in rule["valid"]:
        for run in _runs(rule, example["file"]):
            assert (run.findings, run.error) == ((), "")
