"""One external engine: its program, its version, its processes, and what it said so far."""

from __future__ import annotations

import hashlib
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from mkdocs_rulebook.checks import output_json, output_lines, output_sarif, process
from mkdocs_rulebook.checks.answers import Judged, by_document
from mkdocs_rulebook.checks.places import Placed, uses
from mkdocs_rulebook.checks.process import Ended, ProgramFailed, ProgramMissing
from mkdocs_rulebook.checks.reported import OutputError, Said, complaint, visible
from mkdocs_rulebook.checks.targets import Target
from mkdocs_rulebook.model import JSON, Catalogue, Engine, Finding, Format

MAX_ARGUMENTS = 20_000 if os.name == "nt" else 100_000
"""Files whose names take more characters than this together are given to several processes: systems have a limit."""

MAX_VERSION = 100
"""So many characters of a version are shown."""

_READ = {Format.SARIF: output_sarif.read, Format.JSON: output_json.read, Format.LINES: output_lines.read}
_VERSION = re.compile(r"\d+(?:\.\d+)+\S*")


class Command:
    """The program of one engine.

    Args:
        engine: The engine, as it is declared.
        catalogue: The catalogue.
        memory: What it said earlier, brought up to date.
    """

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

    def findings(self, rule: str, found: Placed, value: JSON) -> Iterator[Finding]:
        """Yield a finding for each place of use of a node, where that is asked for, else for the node itself.

        Args:
            rule: The id of the rule.
            found: What the engine said.
            value: The document about which it said it.
        """
        message = f"breaks `{found.code}`: {found.message}" if found.message else f"breaks `{found.code}`"
        places = uses(value, self._engine.follow, found.pointer) if self._engine.follow else []
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
        return visible(found[0] if found else text.splitlines()[0])[:MAX_VERSION]

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
            before = [_state(target) for target in batch]
            ended, text = self._run(batch)
            self._check_end(ended, text)
            self._check_state(batch, before)
            said = _READ[self._engine.output.format](text, self._engine.output)
            self._check_silence(ended, said)
            return by_document(self._engine, batch, said, ended)
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

    def _check_state(self, batch: Sequence[Target], before: Sequence[Sequence[os.stat_result | None]]) -> None:
        """Refuse the word of a program that wrote into what it was to judge."""
        for target, states in zip(batch, before, strict=True):
            for was, now in zip(states, _state(target), strict=True):
                if was is None or now is None or (was.st_size, was.st_mtime_ns) != (now.st_size, now.st_mtime_ns):
                    raise ProgramFailed(f"changed `{target.name}` while it ran")

    def _check_end(self, ended: Ended, text: str) -> None:
        """Refuse the end of a program that has only a complaint to give, or a code that it should not have."""
        allowed = self._engine.exit_codes
        if allowed is not None and ended.code not in allowed:
            says = complaint(ended.stderr, ended.stdout)
            raise ProgramFailed(f"ended with the code {ended.code}, not one of its `exit_codes`; it says {says}")
        lines = self._engine.output.format == Format.LINES
        if ended.code and ended.stderr.strip() and not text.strip() and not lines:
            says = complaint(ended.stderr, "")
            raise ProgramFailed(f"wrote nothing to read, ended with the code {ended.code}, and says {says}")

    def _check_silence(self, ended: Ended, said: Said) -> None:
        """Refuse the silence of a program that ended with an error and has nothing to say but to complain of it."""
        if ended.code and re.search("^Traceback \\(most recent call last\\)", ended.stderr, re.MULTILINE):
            raise ProgramFailed(f"broke off with the code {ended.code}, and says {complaint(ended.stderr, '')}")
        if ended.code and ended.stderr.strip() and not said.findings and self._engine.output.stream != "stderr":
            raise ProgramFailed(
                f"found nothing, ended with the code {ended.code}, and says {complaint(ended.stderr, '')}"
            )


def _state(target: Target) -> list[os.stat_result | None]:
    """Return what changes when somebody writes into a document; None for a file that is gone."""
    found: list[os.stat_result | None] = []
    for path, _, _ in target.files():
        try:
            found.append(Path(path).stat())
        except OSError:
            found.append(None)
    return found


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


def _stamp(path: Path) -> tuple[str, int, int]:
    """Return what changes when a program is replaced by another."""
    found = path.resolve()
    state = found.stat()
    return str(found), state.st_size, state.st_mtime_ns
