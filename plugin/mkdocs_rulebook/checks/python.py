"""Checks written as Python functions of the catalogue's `checks` folder, run in a process of their own."""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import mkdocs_rulebook
from mkdocs_rulebook.checks.base import Run, in_order
from mkdocs_rulebook.checks.protocol import Answer, Request
from mkdocs_rulebook.checks.view import View
from mkdocs_rulebook.model import JSON, Finding, PythonCheck
from mkdocs_rulebook.pointer import Path as NodePath
from mkdocs_rulebook.source import MAX_DEPTH

ENGINE = f"Python {sys.version_info.major}.{sys.version_info.minor}"


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
        self._worker: subprocess.Popen[bytes] | None = None
        self._sent: View | None = None
        self._broken: dict[str, str] = {}

    def run(
        self, rule: str, check: PythonCheck, view: View, paths: tuple[NodePath, ...] | None, *, text: bool = False
    ) -> Run:
        """Run one check on one document.

        Args:
            rule: The id of the rule, for its findings.
            check: The check.
            view: The document as the rule sees it.
            paths: The nodes to call it for; None to call it once for the document.
            text: Whether the document is a text or a folder of texts.
        """
        if not self._allow_code:
            return Run(ENGINE, skipped="Python checks are switched off for this run")
        if paths == ():
            return Run(ENGINE)
        if check.function in self._broken:
            return Run(ENGINE, error=self._broken[check.function])
        answer = self._ask(check.function, view, paths, text)
        if answer.error:
            error = f"`{check.function}` {answer.error}"
            return Run(ENGINE, error=error)
        findings = []
        for path, message, reason, names, lines in answer.found:
            pointer, target = view.locate(path)
            findings.append(Finding(rule, pointer, target, message, reason=reason, names=names, lines=lines))
        applied = tuple(dict.fromkeys(view.locate(path) for path in answer.applied))
        passages = tuple(dict.fromkeys((view.locate(path)[0], lines) for path, lines in answer.passages))
        return Run(ENGINE, in_order(findings), applied, passages=passages)

    def close(self) -> None:
        """End the worker."""
        if self._worker is not None:
            self._worker.kill()
            for pipe in (self._worker.stdin, self._worker.stdout):
                with contextlib.suppress(OSError):  # what was not written before it ended
                    pipe.close()  # type: ignore[union-attr]  # both were asked for
            self._worker.wait()
            self._worker = None
        self._sent = None

    def _ask(self, function: str, view: View, paths: tuple[NodePath, ...] | None, text: bool) -> Answer:
        same = self._worker is not None and self._sent is view
        try:
            document = None if same else _pickled(view.raw)
        except RecursionError:
            return Answer(error="was not run: the document nests too deep")
        request = Request(self._folder, function, view.references, paths, document, text)
        worker = self._worker or self._start()
        if worker is None:
            return Answer(error="cannot be run: the process for Python checks does not start")
        ended = threading.Event()
        timer = threading.Timer(self._time_limit, _end, (worker, ended))
        timer.daemon = True
        timer.start()
        try:
            answer = _exchange(worker, request)
        finally:
            timer.cancel()
        if answer is not None:
            self._sent = view
            return answer
        self.close()
        why = f"did not return within {self._time_limit:g} s" if ended.is_set() else "ended the process it ran in"
        self._broken[function] = f"`{function}` {why}"
        return Answer(error=why)

    def _start(self) -> subprocess.Popen[bytes] | None:
        home = str(Path(mkdocs_rulebook.__file__).parent.parent)
        path = os.pathsep.join(filter(None, [home, os.environ.get("PYTHONPATH", "")]))
        self._worker = subprocess.Popen(
            [sys.executable, "-m", "mkdocs_rulebook.checks.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": path, "PYTHONHASHSEED": "0"},
        )
        try:
            pickle.load(self._worker.stdout)  # type: ignore[arg-type]  # it is ready: its start is no check's time
        except EOFError:
            self.close()
        return self._worker


def _pickled(value: JSON) -> bytes:
    """Pickle a value that may nest as deep as a file can: each level takes two of the levels that Python permits."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + 2 * MAX_DEPTH)
    try:
        return pickle.dumps(value)
    finally:
        sys.setrecursionlimit(limit)


def _end(worker: subprocess.Popen[bytes], ended: threading.Event) -> None:
    ended.set()
    worker.kill()


def _exchange(worker: Any, request: Request) -> Answer | None:
    """Send a request and wait for its answer; None where the worker ended instead of answering."""
    try:
        pickle.dump(request, worker.stdin)
        worker.stdin.flush()
        answer: Answer = pickle.load(worker.stdout)
    except (OSError, EOFError, pickle.UnpicklingError):
        return None
    return answer
