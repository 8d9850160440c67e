"""Checks that an external engine decides: runs it once for all fixtures, and gives each rule what has its own code.

What an engine applied a code to is unknown, so a run of this kind says so, and `claims` and `verify` ask for more.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from mkdocs_rulebook.checks import output_json, output_lines, output_sarif, process
from mkdocs_rulebook.checks.base import Run, in_order
from mkdocs_rulebook.checks.messages import names_in_words
from mkdocs_rulebook.checks.places import Placed, placed, uses
from mkdocs_rulebook.checks.process import Ended, ProgramFailed, ProgramMissing
from mkdocs_rulebook.checks.reported import OutputError, Said, complaint
from mkdocs_rulebook.checks.targets import Target, Targets
from mkdocs_rulebook.model import Catalogue, Engine, EngineCheck, Finding, Format
from mkdocs_rulebook.source import Folder, Source

MAX_ARGUMENTS = 20_000 if os.name == "nt" else 100_000
"""Files whose names take more characters than this together are given to several processes: systems have a limit."""

MAX_FOREIGN = 4
"""So many codes of nobody are named where a rule stayed silent."""

_READ = {Format.SARIF: output_sarif.read, Format.JSON: output_json.read, Format.LINES: output_lines.read}
_VERSION = re.compile(r"\d+(?:\.\d+)+\S*")


@dataclass(frozen=True)
class Judged:
    """What an engine said about one document; with `error` or `skipped`, why it said nothing to rely on."""

    found: tuple[Placed, ...] = ()
    error: str = ""
    skipped: str = ""


@dataclass(frozen=True)
class _Heard:
    """What an engine says about a document: what each code was found for, and what any other rule may conclude."""

    source: Source
    silence: Run
    found: Mapping[str, Sequence[Placed]] = field(default_factory=dict)


class Engines:
    """The engines of a catalogue; to be closed, since documents that are no file lie in a temporary folder.

    Args:
        catalogue: The catalogue.
        allow_code: Whether programs may be run at all.
        memory: What engines said earlier, brought up to date.
    """

    def __init__(self, catalogue: Catalogue, allow_code: bool, memory: dict[tuple[str, str], Any] | None) -> None:
        self._allow_code = allow_code
        used = {rule.check.engine for rule in catalogue.rules if isinstance(rule.check, EngineCheck)}
        memory = {} if memory is None else memory
        self._engines = {
            name: _Engine(engine, catalogue, memory) for name, engine in catalogue.engines.items() if name in used
        }
        self._codes = {
            (rule.check.engine, rule.check.code) for rule in catalogue.rules if isinstance(rule.check, EngineCheck)
        }
        self._targets = Targets(catalogue.fixtures)
        # By identity, which is quick: there is an answer for each rule and document. The source is kept with it.
        self._heard: dict[tuple[str, int], _Heard] = {}

    def __bool__(self) -> bool:
        return bool(self._engines) and self._allow_code

    def close(self) -> None:
        """Remove what was written for the engines."""
        self._targets.close()
        self._heard.clear()

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

    def run(self, rule: str, check: EngineCheck, source: Source) -> Run:
        """Return what the engine of a rule says about a document, as far as it has the code of the rule."""
        heard = self._heard.get((check.engine, id(source)))
        if heard is None or heard.source is not source:
            heard = self._heard[check.engine, id(source)] = self._listen(check.engine, source)
        own = heard.found.get(check.code)
        if own is None:
            return heard.silence
        engine = self._engines[check.engine]
        wrong = next((found.fault for found in own if found.fault), "")
        if wrong:
            return replace(heard.silence, error=f"`{engine.name}` {wrong}")
        findings = in_order([finding for found in own for finding in engine.findings(rule, found, source)])
        return replace(heard.silence, findings=findings, hint="")

    def _listen(self, name: str, source: Source) -> _Heard:
        """Return what an engine says about a document, sorted by code."""
        engine = self._engines.get(name)
        if engine is None:
            return _Heard(source, Run("", error=f"there is no engine `{name}`", unknown=True))
        if not self._allow_code:
            why = "external engines are switched off for this run"
            return _Heard(source, Run(engine.label, skipped=why, unknown=True))
        target = self._target(source)
        if isinstance(target, str):
            return _Heard(source, Run(engine.label, error=target, unknown=True))
        if not engine.takes(target):
            why = f"`{name}` does not get `{target.name}`: its `fixtures` are {names_in_words(engine.fixtures)}"
            return _Heard(source, Run(engine.label, unknown=True, given=False, unjudged=why, hint=why))
        judged = engine.judged(target)
        found: dict[str, list[Placed]] = {}
        for one in judged.found:
            found.setdefault(one.code, []).append(one)
        foreign = [one for one in judged.found if (name, one.code) not in self._codes]
        unread = next((one for one in judged.found if one.code in engine.not_judged), None)
        silence = Run(
            engine.label,
            error=judged.error,
            skipped=judged.skipped,
            unknown=True,
            hint=_hint(name, foreign),
            unjudged="" if unread is None else f"`{name}` could not judge the file: {_said(unread)}",
        )
        return _Heard(source, silence, found)


def _hint(name: str, foreign: Sequence[Placed]) -> str:
    """Word what an engine said instead of the code of the rule."""
    codes = {found.code: found for found in reversed(foreign)}
    words = [_said(codes[code]) for code in sorted(codes)]
    more = f" and {len(words) - MAX_FOREIGN} more" if len(words) > MAX_FOREIGN else ""
    return f"`{name}` reports {', '.join(words[:MAX_FOREIGN])}{more}" if words else ""


def _said(found: Placed) -> str:
    return (f"`{found.code}`" if found.code else "something without a code") + f" ({found.message.rstrip('.')})"


class _Engine:
    """One engine: its version, its process, and what it said so far."""

    def __init__(self, engine: Engine, catalogue: Catalogue, memory: dict[tuple[str, str], Any]) -> None:
        self.name = engine.name
        self.not_judged = engine.not_judged
        self.fixtures = engine.fixtures
        self.label = engine.label
        self._engine = engine
        self._catalogue = catalogue
        self._memory = memory
        self._state = ""
        self._program = ""
        self._missing = ""
        self._broken = ""
        self._said: dict[str, Judged] = {}

    def takes(self, target: Target) -> bool:
        """Whether a document is for this engine."""
        return not self.fixtures or any(fnmatchcase(Path(target.name).name, one) for one in self.fixtures)

    def judged(self, target: Target) -> Judged:
        """Return what the engine says about a document."""
        if target.key not in self._said:
            self.prepare([target])
        return self._said[target.key]

    def findings(self, rule: str, found: Placed, source: Source) -> Iterator[Finding]:
        """Yield a finding for each place of use of a node, where that is asked for, else for the node itself."""
        message = f"breaks `{found.code}`: {found.message}" if found.message else f"breaks `{found.code}`"
        places = uses(source.value, self._engine.follow, found.pointer) if self._engine.follow else []
        for place in places or [found.pointer]:
            yield Finding(rule, place, found.pointer, message, reason=found.code, lines=found.lines)

    def prepare(self, targets: Sequence[Target]) -> None:
        """Judge the documents that were not judged before."""
        new = {target.key: target for target in targets if target.key not in self._said}
        if not new:
            return
        self._start()
        if self._missing or self._broken:
            judged = Judged(error=self._broken, skipped=self._missing)
            self._said.update(dict.fromkeys(new, judged))
            return
        for key in [key for key in new if (self._state, key) in self._memory]:
            self._said[key] = self._memory[self._state, key]
            del new[key]
        for key, judged in self._judge(sorted(new.values(), key=lambda target: target.key)):
            self._said[key] = judged
            if not judged.error and not judged.skipped:
                self._memory[self._state, key] = judged

    def _start(self) -> None:
        """Find the program, ask for its version, and know with that what its word depends on."""
        if self._state or self._missing or self._broken:
            return
        engine = self._engine
        if engine.faulty:
            self._broken = f"`{engine.name}` is not declared as it should be: see its faults in catalogue.yaml"
            return
        try:
            self._program = self._find(engine.command[0])
            version = self._version()
        except ProgramMissing as error:
            self._missing = f"`{engine.name}` cannot be run: {error}"
            return
        except (ProgramFailed, OutputError) as error:
            self._broken = f"`{engine.name}` {error}"
            return
        self.label = f"{engine.label} {version}".strip()
        digest = hashlib.sha256(repr((engine, version, _stamp(Path(self._program)))).encode())
        for path in engine.config:
            digest.update(path.as_posix().encode() + b"\0" + (path.read_bytes() if path.is_file() else b"") + b"\0")
        self._state = "engine " + digest.hexdigest()

    def _find(self, name: str) -> str:
        return sys.executable if name == "{python}" else process.program(name, self._engine.folder)

    def _version(self) -> str:
        if not self._engine.version:
            return ""
        name, *arguments = self._engine.version
        ended = process.run([self._find(name), *self._filled(arguments, {})], self._engine.folder, self._limit)
        text = ended.stdout.strip() or ended.stderr.strip()
        if ended.code or not text:
            raise OutputError(f"does not tell its version: {complaint(ended.stderr, ended.stdout)}")
        found = _VERSION.search(text)
        return found[0] if found else text.splitlines()[0]

    @property
    def _limit(self) -> float:
        return self._engine.time_limit

    def _judge(self, targets: Sequence[Target]) -> Iterator[tuple[str, Judged]]:
        batches = [[target] for target in targets] if self._engine.each else list(_batches(targets))
        with ThreadPoolExecutor(max_workers=min(4, os.cpu_count() or 1)) as pool:
            for batch, judged in zip(batches, pool.map(self._one_process, batches), strict=True):
                yield from zip((target.key for target in batch), judged, strict=True)

    def _one_process(self, batch: Sequence[Target]) -> list[Judged]:
        """Run the program on some documents; return what it said about each."""
        if self._broken:
            return [Judged(error=self._broken) for _ in batch]
        try:
            ended, text = self._run(batch)
            self._check_end(ended)
            said = _READ[self._engine.output.format](text, self._engine.output)
            self._check_silence(ended, said)
            return self._sorted(batch, said, ended)
        except ProgramFailed as error:
            if "did not end" in str(error):
                self._broken = f"`{self.name}` {error}"  # one is enough: each further one costs the same time
            return [Judged(error=f"`{self.name}` {error}")] * len(batch)
        except OutputError as error:
            return [Judged(error=f"the output of `{self.name}` {error}")] * len(batch)

    def _run(self, batch: Sequence[Target]) -> tuple[Ended, str]:
        with tempfile.TemporaryDirectory(prefix="rulebook-") as folder:
            output = Path(folder) / "output"
            files = [str(target.path) for target in batch]
            arguments = self._filled(self._engine.command[1:], {"files": files, "file": files, "output": [str(output)]})
            ended = process.run([self._program, *arguments], self._engine.folder, self._limit)
            if not any("{output}" in argument for argument in self._engine.command):
                return ended, ended.stderr if self._engine.output.stream == "stderr" else ended.stdout
            try:
                return ended, process.decoded(output.read_bytes(), "output")
            except OSError:
                raise ProgramFailed(f"wrote no output file; it says {complaint(ended.stderr, ended.stdout)}") from None

    def _filled(self, arguments: Sequence[str], values: Mapping[str, Sequence[str]]) -> Iterator[str]:
        """Put values in place of placeholders; one that is a whole argument may become several arguments."""
        fixed = {"catalogue": [str(self._catalogue.folder)], "python": [sys.executable], **values}
        for argument in arguments:
            if argument.startswith("{") and argument[1:-1] in fixed and argument.endswith("}"):
                yield from fixed[argument[1:-1]]
                continue
            for name, value in fixed.items():
                if len(value) == 1:
                    argument = argument.replace(f"{{{name}}}", value[0])
            yield argument

    def _check_end(self, ended: Ended) -> None:
        allowed = self._engine.exit_codes
        if allowed is not None and ended.code not in allowed:
            says = complaint(ended.stderr, ended.stdout)
            raise ProgramFailed(f"ended with the code {ended.code}, not one of its `exit_codes`; it says {says}")

    def _check_silence(self, ended: Ended, said: Said) -> None:
        """Refuse the silence of a program that ended with an error and has nothing to say but to complain of it."""
        if ended.code and ended.stderr.strip() and not said.findings and self._engine.output.stream != "stderr":
            raise ProgramFailed(
                f"found nothing, ended with the code {ended.code}, and says {complaint(ended.stderr, '')}"
            )

    def _sorted(self, batch: Sequence[Target], said: Said, ended: Ended) -> list[Judged]:
        """Give each document what was said about it."""
        where = _Where(self._engine, batch)
        found: list[list[Placed]] = [[] for _ in batch]
        errors = [""] * len(batch)
        for finding in said.findings:
            for at, pointer, source in where.find(finding.file):
                text = self._without_paths(finding.message, batch)
                one = placed(replace(finding, message=text), source, where.name(at, pointer))
                found[at].append(replace(one, pointer=pointer + one.pointer))
        for file, why in (*said.refused.items(), *self._skipped(ended)):
            for at, pointer, _ in where.find(file):
                name = where.name(at, pointer)
                errors[at] = f"`{self.name}` skipped `{name}`: {self._without_paths(why, batch)}"
        if said.files is not None:
            listed = {(at, pointer) for file in said.files for at, pointer, _ in where.find(file)}
            for at, pointer in where.expected():
                if (at, pointer) not in listed and not errors[at]:
                    why = "it is not among the files that it lists as judged"
                    errors[at] = f"`{self.name}` skipped `{where.name(at, pointer)}`: {why}"
        return [Judged(tuple(dict.fromkeys(one)), error) for one, error in zip(found, errors, strict=True)]

    def _skipped(self, ended: Ended) -> Iterator[tuple[str, str]]:
        """Yield the files that the program says it skipped, with its words."""
        for pattern in self._engine.skipped:
            for match in re.finditer(pattern, f"{ended.stdout}\n{ended.stderr}", re.MULTILINE):
                yield match["file"], match[0]

    def _without_paths(self, text: str, batch: Sequence[Target]) -> str:
        """Return a message on one line, with names in place of paths: it must not depend on the machine."""
        for target in batch:
            text = text.replace(str(target.path), target.name)
        return " ".join(text.split())


class _Where:
    """Finds what a file is that an engine names: which document, and which part of it where that is a folder."""

    def __init__(self, engine: Engine, batch: Sequence[Target]) -> None:
        self._folder = engine.folder
        self._batch = batch
        self._known = {
            path: (at, pointer, source) for at, target in enumerate(batch) for path, pointer, source in target.files()
        }

    def name(self, at: int, pointer: str) -> str:
        """Return what messages call a file."""
        return self._batch[at].name + pointer

    def expected(self) -> list[tuple[int, str]]:
        """Return all files that the engine was given, by document and pointer."""
        return [(at, pointer) for at, pointer, source in self._known.values() if not isinstance(source, Folder)]

    def find(self, file: str | None) -> list[tuple[int, str, Source]]:
        """Return the document, the pointer and the text of a file; nothing for one that the engine was not given.

        Raises:
            OutputError: there is no such file, or none is named and several are possible.
        """
        if not file:
            if len(self._batch) > 1:
                raise OutputError("has a finding without a file, though the engine was given several")
            return [(0, "", self._batch[0].source)]
        path = str(self._folder / file)
        if not os.path.lexists(path):  # not Path.exists, which raises for a name that no file can have
            names = _names([target.name for target in self._batch])
            raise OutputError(f"names the file `{file}`, which does not exist; it was given {names}")
        known = self._known.get(os.path.realpath(path))
        return [known] if known else []


def _batches(targets: Sequence[Target]) -> Iterator[list[Target]]:
    batch: list[Target] = []
    length = 0
    for target in targets:
        length += len(str(target.path)) + 1
        if batch and length > MAX_ARGUMENTS:
            yield batch
            batch, length = [], len(str(target.path)) + 1
        batch.append(target)
    if batch:
        yield batch


def _names(names: Sequence[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return names_in_words(names[:3]) + more


def _stamp(path: Path) -> tuple[str, int, int]:
    """Return what changes when a program is replaced by another."""
    found = path.resolve()
    state = found.stat()
    return str(found), state.st_size, state.st_mtime_ns
