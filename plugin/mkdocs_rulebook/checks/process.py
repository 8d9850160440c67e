"""Runs the program of an external engine: an argument list, never a shell, with a time limit and nothing to read."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

MAX_OUTPUT = 64 * 1024 * 1024
"""An output of more bytes than this is refused, not read."""


class ProgramMissing(Exception):
    """The program does not exist on this machine; the message names it."""


class ProgramFailed(Exception):
    """The program could not be run to its end, or its output cannot be used; the message says why."""


@dataclass(frozen=True)
class Ended:
    """A program that ended by itself, and what it wrote."""

    code: int
    stdout: str
    stderr: str


def program(name: str, folder: Path) -> str:
    """Return the file to run for the first argument of a command.

    A name with a slash is a path, relative to the folder. Any other is looked for in `node_modules/.bin` of the
    folder and of those around it, beside the Python interpreter, and in the search path of the system.

    Raises:
        ProgramMissing: there is none.
    """
    if "/" in name or os.sep in name:
        found = shutil.which(str(folder / name))
    else:
        found = next(filter(None, (shutil.which(name, path=str(home)) for home in _homes(folder))), shutil.which(name))
    if found is None:
        raise ProgramMissing(f"the program `{name}` is not installed here")
    return found


def _homes(folder: Path) -> Iterator[Path]:
    for home in (folder, *folder.parents):
        yield home / "node_modules" / ".bin"
    yield Path(sys.executable).parent


def run(arguments: Sequence[str], folder: Path, time_limit: float) -> Ended:
    """Run a program and wait for its end.

    Args:
        arguments: The program, as `program` found it, and its arguments.
        folder: The working folder.
        time_limit: Seconds; after them the program and everything that it started is ended.

    Raises:
        ProgramFailed: it did not start, was ended from outside, took too long, or wrote what nobody can read.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        try:
            process = subprocess.Popen(
                arguments,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=os.name == "posix",
            )
        except OSError as error:
            raise ProgramFailed(f"does not start: {error.strerror or error}") from None
        try:
            in_time = _ends(process, time_limit)
        finally:
            code = _end(process)
        if not in_time:
            raise ProgramFailed(f"did not end within {time_limit:g} s")
        if code < 0:
            raise ProgramFailed(f"was ended by the signal {_signal(-code)}")
        return Ended(code, _read(out, "output"), _read(err, "error output", strict=False))


def _ends(process: subprocess.Popen[bytes], time_limit: float) -> bool:
    """Wait for the end of a program; return whether it came in time.

    Its number stays taken, so that `_end` cannot hit another that was given the same.
    """
    if not hasattr(os, "waitid"):  # Windows, and macOS before Python 3.13
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(time_limit)
        return process.poll() is not None
    end = time.monotonic() + time_limit
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def _end(process: subprocess.Popen[bytes]) -> int:
    """End a program with all that it started, and return its exit code: a wrapper may be gone, its program not."""
    if os.name == "posix":
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    elif process.poll() is None:
        process.kill()
    return process.wait()


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def _read(stream: IO[bytes], what: str, *, strict: bool = True) -> str:
    if stream.seek(0, os.SEEK_END) > MAX_OUTPUT:
        raise ProgramFailed(f"wrote an {what} of more than {MAX_OUTPUT // (1024 * 1024)} MB")
    stream.seek(0)
    return decoded(stream.read(), what, strict=strict)


def decoded(data: bytes, what: str, *, strict: bool = True) -> str:
    """Return output as text, without a byte order mark.

    Raises:
        ProgramFailed: it is not UTF-8.
    """
    try:
        return data.decode("utf-8-sig", "strict" if strict else "replace")
    except UnicodeDecodeError as error:
        raise ProgramFailed(f"wrote an {what} that is not UTF-8: byte 0x{data[error.start]:02x}") from None
