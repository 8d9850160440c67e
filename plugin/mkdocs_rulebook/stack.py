"""Room for documents that nest deep.

How deep a recursive check can go would otherwise depend on who calls it: a verdict must not differ between the command
and a site generator that is already thirty calls down.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")

RECURSION_LIMIT = 12_000
"""Calls that may be open at once: enough for a document as deep as a file may be, under a recursive schema."""

STACK_SIZE = 256 * 1024 * 1024
"""Bytes of stack for that many; only what is used is ever taken from the machine."""


def with_deep_stack(work: Callable[[], T]) -> T:
    """Run something in a thread that has room to recurse, and return what it returns or raise what it raises."""
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    limit, size = sys.getrecursionlimit(), threading.stack_size(STACK_SIZE)
    sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    try:
        thread = threading.Thread(target=run, name="rulebook", daemon=True)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
    return future.result()
