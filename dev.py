#!/usr/bin/env python3
"""Set up this repository and run one of its tasks: `python3 dev.py serve` or `python3 dev.py test`.

Everything is installed into `.venv` beside this file, once for each state of `pyproject.toml` and
`constraints.txt`; nothing else on the machine is touched.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")

USAGE = """usage: python3 dev.py TASK [ARGUMENT ...]

  serve   verify the catalogues and serve this repository's own site
  test    run all tests (arguments go to pytest)
  lint    check style and types
  build   build the site as CI does: strict
"""

TASKS: dict[str, list[list[str]]] = {
    "serve": [["-m", "mkdocs", "serve"]],
    "test": [["-m", "pytest", "-n", "auto"]],
    "lint": [["-m", "ruff", "check"], ["-m", "ruff", "format", "--check"], ["-m", "mypy"]],
    "build": [["-m", "mkdocs", "build", "--strict"]],
}


def set_up() -> None:
    """Create `.venv` with the project and what its tasks need, unless it is there and up to date."""
    files = [ROOT / "pyproject.toml", ROOT / "constraints.txt"]
    state = hashlib.sha256(b"\0".join(file.read_bytes() for file in files) + str(ROOT).encode()).hexdigest()
    stamp = VENV / "installed"
    if PYTHON.exists() and stamp.exists() and stamp.read_text() == state:
        return
    print("Setting up .venv (once) ...", flush=True)
    venv.create(VENV, with_pip=True, clear=True)
    pip = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--constraint", str(files[1]), "--editable", f"{ROOT}[dev]"], check=True, cwd=ROOT)
    stamp.write_text(state)


def main(arguments: list[str]) -> int:
    """Run the task that the first argument names; return its exit code, 2 for an unknown one."""
    if not arguments or arguments[0] not in TASKS:
        print(USAGE, end="")
        return 0 if arguments in (["-h"], ["--help"]) else 2
    if sys.version_info < (3, 11):
        print(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}.")
        return 2
    try:
        set_up()
    except subprocess.CalledProcessError as error:
        print(f"Setting up .venv failed: {' '.join(map(str, error.cmd))}")
        return 1
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1", "PATH": f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"}
    for command in TASKS[arguments[0]]:
        try:
            code = subprocess.run([PYTHON, *command, *arguments[1:]], cwd=ROOT, env=environment).returncode
        except KeyboardInterrupt:
            return 130
        if code:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
