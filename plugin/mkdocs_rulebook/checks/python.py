"""Checks written as Python functions of the catalogue's `checks` folder, run in a process of their own."""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mkdocs_rulebook
from mkdocs_rulebook.checks.base import Run, in_order
from mkdocs_rulebook.checks.protocol import Answer, Call, Request
from mkdocs_rulebook.checks.view import View, ViewError
from mkdocs_rulebook.model import JSON, Finding
from mkdocs_rulebook.source import MAX_DEPTH

ENGINE = f"Python {sys.version_info.major}.{sys.version_info.minor}"


@dataclass(frozen=True)
class Job:
    """A call of a check for a rule."""

    rule: str
    call: Call


class PythonEngine:
    """Runs Python checks; one worker process serves all of them, and is replaced when it has to be ended.

    Args:
        folder: The `checks` folder.
        time_limit: How long one check may take on one document, in seconds.
        allow_code: Whether checks may run at all.
    """

    def __init__(self, folder: Path, time_limit: float, allow_code: bool = True) -> None:
        self._folder = folder
        self._time_limit = time_limit
        self._allow_code = allow_code
        self._worker: _Worker | None = None
        self._broken: dict[str, str] = {}

    def run(self, job: Job, view: View) -> Run:
        """Run one check on one document."""
        return self.run_all([job], view)[0]

    def run_all(self, jobs: Sequence[Job], view: View, *, text: bool = False) -> list[Run]:
        """Run several checks on one document: one exchange with the worker, each check with a value of its own.

        Args:
            jobs: The checks, with the nodes to call them for.
            view: The document as the rules see it.
            text: Whether the document is a text or a folder of texts.

        Returns:
            What came of each, in their order.
        """
        if not self._allow_code:
            return [Run(ENGINE, skipped="Python checks are switched off for this run")] * len(jobs)
        known = {at: run for at, job in enumerate(jobs) if (run := self._known(job)) is not None}
        asked = [at for at in range(len(jobs)) if at not in known]
        answers = self._answers([jobs[at].call for at in asked], view, text) if asked else ()
        for at, answer in zip(asked, answers, strict=True):
            known[at] = _run(jobs[at], answer, view)
        return [known[at] for at in range(len(jobs))]

    def _known(self, job: Job) -> Run | None:
        if job.call.paths == ():
            return Run(ENGINE)
        error = self._broken.get(job.call.check)
        return Run(ENGINE, error=error) if error else None

    def close(self) -> None:
        """End the worker."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def _answers(self, calls: Sequence[Call], view: View, text: bool) -> Iterator[Answer]:
        try:
            # What references lead to is put in place here, once, and not by the worker for each check.
            document = _pickled(view.value)
        except RecursionError:
            yield from [Answer(error="was not run: the document nests too deep")] * len(calls)
            return
        except ViewError as error:
            yield from [Answer(error=f"was not run: {error}")] * len(calls)
            return
        done = 0
        while done < len(calls):
            if self._worker is None:
                self._worker = _Worker.start(self._time_limit)
            if self._worker is None:
                yield from [Answer(error="cannot be run: the process for Python checks does not start")] * (
                    len(calls) - done
                )
                return
            for answer in self._worker.ask(Request(self._folder, document, tuple(calls[done:]), text)):
                done += 1
                yield answer
            if done < len(calls):  # it ended instead of answering
                yield self._ended(self._worker, calls[done])
                done += 1

    def _ended(self, worker: _Worker, call: Call) -> Answer:
        self.close()
        why = f"did not return within {self._time_limit:g} s" if worker.timed_out else "ended the process it ran in"
        self._broken[call.check] = f"`{call.function}` {why}"
        return Answer(error=why)


def _run(job: Job, answer: Answer, view: View) -> Run:
    if answer.error:
        return Run(ENGINE, error=f"`{job.call.function}` {answer.error}")
    findings = []
    for path, message, reason, names, lines in answer.found:
        pointer, target = view.locate(path)
        findings.append(Finding(job.rule, pointer, target, message, reason=reason, names=names, lines=lines))
    applied = tuple(dict.fromkeys(view.locate(path) for path in answer.applied))
    passages = tuple(dict.fromkeys((view.locate(path)[0], lines) for path, lines in answer.passages))
    return Run(ENGINE, in_order(findings), applied, passages=passages)


class _Worker:
    """The process, and a thread that ends it where an answer takes too long."""

    def __init__(self, process: subprocess.Popen[bytes], time_limit: float) -> None:
        self._process = process
        self._time_limit = time_limit
        self._deadline = float("inf")
        self._closed = threading.Event()
        self.timed_out = False
        threading.Thread(target=self._watch, daemon=True).start()

    @classmethod
    def start(cls, time_limit: float) -> _Worker | None:
        """Start a process and wait until it is ready: its start is no check's time."""
        home = str(Path(mkdocs_rulebook.__file__).parent.parent)
        path = os.pathsep.join(filter(None, [home, os.environ.get("PYTHONPATH", "")]))
        process = subprocess.Popen(
            [sys.executable, "-m", "mkdocs_rulebook.checks.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": path, "PYTHONHASHSEED": "0"},
        )
        worker = cls(process, time_limit)
        try:
            pickle.load(process.stdout)  # type: ignore[arg-type]  # it was asked for
        except EOFError:
            worker.close()
            return None
        return worker

    def ask(self, request: Request) -> Iterator[Answer]:
        """Send a request and yield its answers; fewer than it has calls where the process ended."""
        source: Any = self._process.stdout
        sink: Any = self._process.stdin
        self._deadline = time.monotonic() + self._time_limit
        try:
            pickle.dump(request, sink)
            sink.flush()
            for _ in request.calls:
                self._deadline = time.monotonic() + self._time_limit
                yield pickle.load(source)
        except (OSError, EOFError, pickle.UnpicklingError):
            return
        finally:
            self._deadline = float("inf")

    def close(self) -> None:
        """End the process."""
        self._closed.set()
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):  # what was not written before it ended
                pipe.close()  # type: ignore[union-attr]  # both were asked for
        self._process.wait()

    def _watch(self) -> None:
        # Never asleep for longer than the limit, so that a deadline set meanwhile is seen in time.
        while not self._closed.wait(min(max(self._deadline - time.monotonic(), 0.001), self._time_limit)):
            if time.monotonic() >= self._deadline:
                self.timed_out = True
                self._process.kill()
                return


def _pickled(value: JSON) -> bytes:
    """Pickle a value that may nest as deep as a file can: each level takes two of the levels that Python permits."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + 2 * MAX_DEPTH)
    try:
        return pickle.dumps(value)
    finally:
        sys.setrecursionlimit(limit)
