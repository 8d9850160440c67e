"""The process in which Python checks run, so that one that never returns can be ended.

It reads pickled `Request`s from standard input and answers each with a pickled `Answer` on standard output. What
a check prints goes to standard error. No byte code is written: a catalogue's folder is never written to.
"""

from __future__ import annotations

import importlib
import os
import pickle
import sys
import traceback
import types
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from mkdocs_rulebook.checks.api import Applied, Document, Found, Inapplicable, Node
from mkdocs_rulebook.checks.protocol import Answer, Request
from mkdocs_rulebook.checks.view import View
from mkdocs_rulebook.model import JSON

MAX_RESULTS = 100_000
"""A check that yields more than this is stopped: it would yield for ever."""


class CheckFault(Exception):
    """A check is missing or does not keep to its contract."""


def main() -> None:
    """Answer requests until standard input ends."""
    sys.dont_write_bytecode = True
    source = sys.stdin.buffer
    sink = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115, PTH123 - open for the life of the process
    for answer in _answers(source):
        pickle.dump(answer, sink)
        sink.flush()


def _answers(source: BinaryIO) -> Iterator[Answer]:
    raw: JSON = None
    while True:
        try:
            request: Request = pickle.load(source)
        except EOFError:
            return
        raw = raw if request.same else request.document
        try:
            yield _run(request, raw)
        except CheckFault as fault:
            yield Answer(error=str(fault))
        except RecursionError:
            yield Answer(error="the document nests too deep for this check")
        except (Exception, SystemExit) as error:
            yield Answer(error=f"raised {_in_words(error)}{_where(error, request.folder)}")


def _run(request: Request, raw: JSON) -> Answer:
    check = _load(request.folder, request.function)
    document = Document(View(raw, request.references))
    if request.paths is None:
        return _collect(check(document), None)
    answers = []
    for path in request.paths:
        node = document.root
        for part in path:
            child = node.child(part)
            assert child is not None  # the path was selected in the same view
            node = child
        answers.append(_collect(check(node), node))
    return Answer(
        found=tuple(found for answer in answers for found in answer.found),
        applied=tuple(path for answer in answers for path in answer.applied),
    )


def _collect(results: Any, node: Node | None) -> Answer:
    if not isinstance(results, Iterable) or isinstance(results, str | bytes | dict):
        raise CheckFault(f"returned {_kind(results)}, where findings are expected: is a `yield` missing?")
    found, applied = [], [] if node is None else [node.path]
    for count, result in enumerate(results):
        if count >= MAX_RESULTS:
            raise CheckFault(f"yields more than {MAX_RESULTS:,} results")
        match result:
            case Found(place, message, reason, names):
                found.append((place.path, str(message), str(reason), tuple(map(str, names))))
            case Applied(place):
                applied.append(place.path)
            case Inapplicable(place):
                applied = [path for path in applied if path != place.path]
            case _:
                raise CheckFault(f"yielded {_kind(result)}, where a finding is expected")
    return Answer(tuple(found), tuple(applied))


def _load(folder: Path, function: str) -> Callable[[Any], Any]:
    """Import `module:function` from a folder, under a name that no other catalogue has."""
    module_name, _, name = function.partition(":")
    package = f"_rulebook_checks_{abs(hash(str(folder)))}"
    if package not in sys.modules:
        module = types.ModuleType(package)
        module.__path__ = [str(folder)]
        sys.modules[package] = module
    if not (folder / f"{module_name.replace('.', '/')}.py").is_file():
        raise CheckFault(f"there is no file `{folder.name}/{module_name.replace('.', '/')}.py`")
    try:
        loaded = importlib.import_module(f"{package}.{module_name}")
    except SyntaxError as error:
        raise CheckFault(
            f"cannot be read: {error.msg} ({folder.name}/{Path(str(error.filename)).name}:{error.lineno})"
        ) from None
    check = getattr(loaded, name, None)
    if not callable(check):
        raise CheckFault(f"there is no function `{name}` in `{folder.name}/{module_name}.py`")
    return check  # type: ignore[no-any-return]  # what a catalogue's module holds has no known type


def _kind(value: Any) -> str:
    return "nothing" if value is None else f"a value of type `{type(value).__name__}`"


def _in_words(error: BaseException) -> str:
    text = str(error).splitlines()
    return type(error).__name__ + (f": {text[0]}" if text else "")


def _where(error: BaseException, folder: Path) -> str:
    frames = [
        frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(folder)
    ]
    return (
        f" ({folder.name}/{Path(frames[-1].filename).relative_to(folder).as_posix()}:{frames[-1].lineno})"
        if frames
        else ""
    )


if __name__ == "__main__":
    main()
