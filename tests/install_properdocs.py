"""Install this project, without MkDocs, beside ProperDocs into the environment of the interpreter that runs this."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


def main() -> None:
    """Build the wheel, and install it with all that it needs except `mkdocs`."""
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    others = [each for each in needed if not re.match(r"mkdocs\b(?!-)", each)]
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "properdocs", "properdocs-theme-mkdocs", *others], check=True)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", folder, str(ROOT)], check=True)
        wheel = next(Path(folder).glob("*.whl"))
        subprocess.run([*pip, "install", "--no-deps", str(wheel)], check=True)


if __name__ == "__main__":
    main()
