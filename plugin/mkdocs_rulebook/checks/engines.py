"""Checks that external engines decide: each runs once for all fixtures, and each rule gets what has its own code.

What an engine applied a code to is unknown, so a run of this kind says so, and `claims` and `verify` ask for more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from mkdocs_rulebook.checks.base import Run, in_order
from mkdocs_rulebook.checks.command import Command
from mkdocs_rulebook.checks.messages import names_in_words
from mkdocs_rulebook.checks.places import Placed
from mkdocs_rulebook.checks.targets import Target, Targets
from mkdocs_rulebook.model import JSON, Catalogue, EngineCheck
from mkdocs_rulebook.source import Source

MAX_FOREIGN = 4
"""So many codes of nobody are named where a rule stayed silent."""


@dataclass(frozen=True)
class _Heard:
    """What an engine says about a document: what each code was found for, and what any other rule may conclude."""

    silence: Run
    found: Mapping[str, Sequence[Placed]] = field(default_factory=dict)
    value: JSON = None


class Engines:
    """The engines of a catalogue; to be closed, since documents that are no file lie in a temporary folder.

    Args:
        catalogue: The catalogue.
        allow_code: Whether programs may be run at all.
        memory: What engines said earlier, brought up to date.
    """

    def __init__(self, catalogue: Catalogue, allow_code: bool, memory: dict[tuple[str, str], Any] | None) -> None:
        self._allow_code = allow_code
        self._rules: dict[str, dict[str, list[str]]] = {}
        for rule in catalogue.rules:
            if isinstance(rule.check, EngineCheck):
                self._rules.setdefault(rule.check.engine, {}).setdefault(rule.check.code, []).append(rule.id)
        memory = {} if memory is None else memory
        self._engines = {
            name: Command(engine, catalogue, memory)
            for name, engine in catalogue.engines.items()
            if name in self._rules
        }
        self._targets = Targets(catalogue.fixtures)

    def __bool__(self) -> bool:
        return bool(self._engines) and self._allow_code

    def close(self) -> None:
        """Remove what was written for the engines."""
        self._targets.close()

    def prepare(self, sources: Iterable[Source]) -> None:
        """Let every engine judge documents, all in one go."""
        if not self:
            return
        known = [target for source in sources if isinstance(target := self._target(source), Target)]
        for engine in self._engines.values():
            engine.prepare([target for target in known if engine.takes(target)])

    def _target(self, source: Source) -> Target | str:
        """Return what engines get for a document, or why they cannot get it."""
        try:
            return self._targets.of(source)
        except (OSError, ValueError) as error:
            return f"the document cannot be written to a file: {error}"

    def run_all(self, source: Source | None) -> dict[str, Run]:
        """Return for each rule that an engine decides what that says about a document, by rule id.

        Args:
            source: The document; None for one that could never be a file.
        """
        runs: dict[str, Run] = {}
        for name, codes in self._rules.items():
            heard = self._listen(name, source)
            runs.update(dict.fromkeys((rule for rules in codes.values() for rule in rules), heard.silence))
            for code, found in heard.found.items():
                for rule in codes.get(code, ()):
                    runs[rule] = self._run(rule, self._engines[name], found, heard)
        return runs

    def _run(self, rule: str, engine: Command, found: Sequence[Placed], heard: _Heard) -> Run:
        wrong = next((one.fault for one in found if one.fault), "")
        if wrong:
            return replace(heard.silence, error=f"`{engine.name}` {wrong}")
        findings = in_order([finding for one in found for finding in engine.findings(rule, one, heard.value)])
        return replace(heard.silence, findings=findings, hint="")

    def _listen(self, name: str, source: Source | None) -> _Heard:
        """Return what an engine says about a document, sorted by code."""
        engine = self._engines.get(name)
        if engine is None:
            return _Heard(Run("", error=f"there is no engine `{name}`", unknown=True))
        if source is None:
            return _Heard(Run("", error="an engine judges files, and this document is none", unknown=True))
        if not self._allow_code:
            why = "external engines are switched off for this run"
            return _Heard(Run(engine.label, skipped=why, unknown=True))
        target = self._target(source)
        if isinstance(target, str):
            return _Heard(Run(engine.label, error=target, unknown=True))
        if not engine.takes(target):
            why = f"`{name}` does not get `{target.name}`: its `fixtures` are {names_in_words(engine.fixtures)}"
            return _Heard(Run(engine.label, unknown=True, given=False, unjudged=why, hint=why))
        judged = engine.judged(target)
        found: dict[str, list[Placed]] = {}
        for one in judged.found:
            found.setdefault(one.code, []).append(one)
        foreign = [one for one in judged.found if one.code not in self._rules[name]]
        # What has no code may be the word of an engine that could not do its work.
        unread = next((one for one in judged.found if not one.code or one.code in engine.not_judged), None)
        silence = Run(
            engine.label,
            error=judged.error,
            skipped=judged.skipped,
            unknown=True,
            hint=_hint(name, foreign),
            unjudged="" if unread is None else f"`{name}` could not judge the file: {_said(unread)}",
        )
        return _Heard(silence, found, source.value)


def _hint(name: str, foreign: Sequence[Placed]) -> str:
    """Word what an engine said instead of the code of the rule."""
    codes = {found.code: found for found in reversed(foreign)}
    words = [_said(codes[code]) for code in sorted(codes)]
    more = f" and {len(words) - MAX_FOREIGN} more" if len(words) > MAX_FOREIGN else ""
    return f"`{name}` reports {', '.join(words[:MAX_FOREIGN])}{more}" if words else ""


def _said(found: Placed) -> str:
    return (f"`{found.code}`" if found.code else "something without a code") + f" ({found.message.rstrip('.')})"
