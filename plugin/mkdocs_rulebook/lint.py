"""The rules of a catalogue as a linter for any document."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mkdocs_rulebook.checks.runner import Document, Runner
from mkdocs_rulebook.checks.schema_engine import LIBRARIES
from mkdocs_rulebook.checks.schemas import Schemas
from mkdocs_rulebook.model import JSON, Catalogue, Finding, Level, NoCheck, Place, Rule, judges_text
from mkdocs_rulebook.source import LANGUAGES, Source, SourceError, language_of, read


@dataclass(frozen=True)
class LintFinding:
    """A finding in a document of the user's, with the place of the node."""

    rule: Rule
    finding: Finding
    place: Place

    @property
    def level(self) -> Level:
        """How binding the rule is."""
        return self.rule.level


@dataclass(frozen=True)
class Trouble:
    """A document that could not be read, or a check that could not be run on it; `rule` is empty for the former."""

    place: Place
    message: str
    rule: str = ""


def documents(paths: Iterable[Path], texts: Sequence[str] = ()) -> Iterator[Path]:
    """Yield the files to lint: those given, and below the folders given all JSON and YAML files, sorted.

    Args:
        paths: Files and folders.
        texts: Patterns of the names of text files that count as well.
    """
    for path in paths:
        if path.is_dir():
            yield from sorted(file for file in path.rglob("*") if _counts(file, texts) and file.is_file())
        else:
            yield path


def _counts(file: Path, texts: Sequence[str]) -> bool:
    return file.suffix.lower() in LANGUAGES or any(fnmatch.fnmatchcase(file.name, pattern) for pattern in texts)


def concerns(catalogue: Catalogue, value: JSON) -> bool:
    """Whether a document is one that the rules of a catalogue are about."""
    usable = Schemas(catalogue.schemas, catalogue.draft).usable(catalogue.documents)
    return LIBRARIES[catalogue.schema_engine].compile(usable).is_valid(value)


def lint(
    catalogue: Catalogue, runner: Runner, paths: Iterable[Path], *, every: bool = True
) -> Iterator[LintFinding | Trouble]:
    """Run every rule on every document.

    Args:
        catalogue: The rules.
        runner: What runs their checks.
        paths: The files.
        every: Whether a document that the rules are not about is judged all the same.

    Yields:
        What is found, file by file, in the order of the places.
    """
    files: list[tuple[Source, Document] | Trouble] = []
    reads_text = any(judges_text(rule.check) and not isinstance(rule.check, NoCheck) for rule in catalogue.rules)
    for path in paths:
        try:
            source = read(path, language=language_of(path.name) if reads_text else None)
        except SourceError as error:
            files.append(Trouble(error.place, error.message))
            continue
        if every or source.is_text or concerns(catalogue, source.value):
            files.append((source, runner.document(source.value, source=source)))
    runner.prepare(file[1] for file in files if not isinstance(file, Trouble))
    for file in files:
        if isinstance(file, Trouble):
            yield file
            continue
        source, document = file
        found: list[LintFinding] = []
        runs = runner.run_all(document)
        for rule in catalogue.rules:
            run = runs[rule.id]
            if trouble := run.error or run.skipped or (run.unjudged if run.given else ""):
                yield Trouble(Place(source.path), trouble, rule.id)
            found += [
                LintFinding(rule, finding, source.place(finding.target, finding.lines)) for finding in run.findings
            ]
        yield from sorted(found, key=lambda f: (f.place.position, f.finding.pointer, f.rule.id, f.finding.message))
