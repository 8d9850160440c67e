"""The process in which Python checks run, so that one that never returns can be ended.

It answers once when it is ready, then reads pickled `Request`s from standard input and answers each with a pickled
`Answer` on standard output. What a check prints goes to standard error. No byte code is written: a catalogue's folder
is never written to.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
import os
import pickle
import signal
import sys
import traceback
import types
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

from mkdocs_rulebook.checks.api import Applied, Document, Found, Inapplicable, Node
from mkdocs_rulebook.checks.protocol import Answer, Call, Request
from mkdocs_rulebook.checks.signature import converted, unfit
from mkdocs_rulebook.checks.view import View
from mkdocs_rulebook.model import JSON, Lines
from mkdocs_rulebook.source.node import copied

MAX_RESULTS = 100_000
"""A check that yields more than this is stopped: it would yield for ever."""


class CheckFault(Exception):
    """A check is missing or does not keep to its contract."""


def main() -> None:
    """Answer requests until standard input ends."""
    sys.dont_write_bytecode = True
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever is interrupted ends this process, without its traceback
    source = sys.stdin.buffer
    sink = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115, PTH123 - open for the life of the process
    try:
        pickle.dump(Answer(), sink)
        sink.flush()
        _serve(source, sink)
    except OSError:
        os._exit(1)  # a check closed the way that answers take


def _serve(source: BinaryIO, sink: BinaryIO) -> None:
    while True:
        try:
            request: Request = pickle.load(source)
        except EOFError:
            return
        for call in request.calls:
            pickle.dump(_answer(request, call), sink)
            sink.flush()  # whoever waits must not take one check for another


def _answer(request: Request, call: Call) -> Answer:
    try:
        return _run(request, call)
    except CheckFault as fault:
        return Answer(error=str(fault))
    except RecursionError as error:
        why = "the document nests too deep for it, or it calls itself without end"
        return Answer(error=f"ran out of stack: {why}{_where(error, request.folder)}")
    except BaseException as error:
        return Answer(error=f"raised {_in_words(error)}{_where(error, request.folder)}")


def _run(request: Request, call: Call) -> Answer:
    check = _load(request.folder, call.function)
    # A value of its own for each check: what one does to it must not show in the verdict of another.
    document = Document(View(pickle.loads(request.document)))
    given = _arguments(check, call.parameters)
    if call.paths is None:
        return _collect(check(document, **given), None, request.text)
    answers = []
    for path in call.paths:
        node = document.root
        for part in path:
            child = node.child(part)
            assert child is not None  # the path was selected in the same view
            node = child
        answers.append(_collect(check(node, **given), node, request.text))
    return Answer(
        found=tuple(found for answer in answers for found in answer.found),
        applied=tuple(path for answer in answers for path in answer.applied),
        passages=tuple(passage for answer in answers for passage in answer.passages),
    )


def _arguments(check: Callable[..., Any], parameters: Mapping[str, JSON]) -> dict[str, Any]:
    """Return copies of the parameters, with numbers as `float` where the function says that it takes one."""
    if not parameters:
        return {}
    fault = unfit(inspect.signature(check), parameters)
    if fault is not None:
        raise CheckFault(fault.message)
    return {name: converted(inspect.signature(check), name, copied(value)) for name, value in parameters.items()}


def _collect(results: Any, node: Node | None, text: bool) -> Answer:
    if not isinstance(results, Iterable) or isinstance(results, str | bytes | dict):
        raise CheckFault(f"returned {_kind(results)}, where findings are expected: is a `yield` missing?")
    found, passages, applied = [], [], [] if node is None else [node.path]
    for count, result in enumerate(results):
        if count >= MAX_RESULTS:
            raise CheckFault(f"yields more than {MAX_RESULTS:,} results")
        match result:
            case Found(Node() as place, message, reason, names, lines):
                where = _checked(lines, place, text)
                found.append((place.path, _plain(message), _plain(reason), tuple(map(_plain, names)), where))
            case Applied(Node() as place, lines) if (passage := _checked(lines, place, text)) is not None:
                passages.append((place.path, passage))
                applied = [path for path in applied if path != place.path]
            case Applied(Node() as place):
                applied.append(place.path)
            case Inapplicable(Node() as place):
                applied = [path for path in applied if path != place.path]
            case Found(other) | Applied(other) | Inapplicable(other):
                raise CheckFault(f"spoke of {_kind(other)}, where a node is expected")
            case _:
                raise CheckFault(f"yielded {_kind(result)}, where a finding is expected")
    return Answer(tuple(found), tuple(applied), tuple(passages))


def _checked(lines: Any, node: Node, text: bool) -> Lines | None:
    """Return the lines of a result as the text has them."""
    if lines is None:
        return None
    if not text or not isinstance(node.value, str):
        raise CheckFault("spoke of a line, but only a text has lines: the rule needs `text: true`")
    last = sum(1 for _ in node.lines())
    match lines:
        case (int() as first, int() as final) if 1 <= first <= final:
            if final <= max(last, 1):
                return int(first), int(final)
    raise CheckFault(f"spoke of line {_plain(lines)} of a text that has {last} lines")


def _plain(text: object) -> str:
    """Return a text as one that the other process can read, whatever class a check gave it."""
    return "".join(str(text))


@cache
def _load(folder: Path, function: str) -> Callable[..., Any]:
    """Import `module:function` from a folder, under a name that no other catalogue has."""
    module_name, _, name = function.partition(":")
    package = f"_rulebook_checks_{abs(hash(str(folder)))}"
    if package not in sys.modules:
        module = types.ModuleType(package)
        module.__path__ = [str(folder)]
        sys.modules[package] = module
    file = f"{module_name.replace('.', '/')}.py"
    if not (folder / file).is_file():
        raise CheckFault(f"cannot be found: there is no file `{folder.name}/{file}`")
    if b"\0" in (folder / file).read_bytes():  # some versions of Python raise what they raise for a wrong value
        raise CheckFault(f"cannot be read: source code string cannot contain null bytes ({folder.name}/{file}:1)")
    try:
        loaded = importlib.import_module(f"{package}.{module_name}")
    except SyntaxError as error:
        name = Path(error.filename).name if error.filename else file
        raise CheckFault(f"cannot be read: {error.msg} ({folder.name}/{name}:{error.lineno or 1})") from None
    check = getattr(loaded, name, None)
    if not callable(check):
        near = difflib.get_close_matches(name, [other for other, value in vars(loaded).items() if callable(value)], n=1)
        hint = f"; did you mean `{near[0]}`?" if near else ""
        raise CheckFault(f"cannot be found: there is no function `{name}` in `{folder.name}/{file}`{hint}")
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
