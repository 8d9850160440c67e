"""Writes generated files into a folder of the user's without ever touching a file of the user's."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

from mkdocs_rulebook.site import Generated

MANIFEST = ".rulebook.json"
"""The list of the files that were written last time, with the hash of each; it lies in the folder itself."""


def write(files: Iterable[Generated], folder: Path) -> list[Path]:
    """Write files below a folder, and remove those of the last time that are not generated any more.

    A file that is there and was not written by this function, or was changed since, is left as it is.

    Args:
        files: What to write.
        folder: Where to; it is created where it is missing.

    Returns:
        The files of the user's that stand where a generated one would go, and the links that lead out of the folder.
        Where there are any, nothing is written.
    """
    items = list(files)
    contents = {item.path: _content(item) for item in items}
    if astray := [*filter(None, (leading_out(folder, path) for path in (MANIFEST, *contents)))]:
        return list(dict.fromkeys(astray))
    known = _manifest(folder)
    foreign = [
        folder / path for path, content in contents.items() if not _ours(folder / path, content, known.get(path))
    ]
    for item in items:
        if item.yields and folder / item.path in foreign:
            foreign.remove(folder / item.path)
            del contents[item.path]
    if foreign:
        return foreign
    for path, content in contents.items():
        target = folder / path
        if not target.is_file() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    for path in known.keys() - contents.keys():
        stale = folder / path
        if _within(stale, folder) and stale.is_file() and _digest(stale.read_bytes()) == known[path]:
            stale.unlink()
    manifest = {path: _digest(content) for path, content in sorted(contents.items())}
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    return []


def leading_out(folder: Path, path: str) -> Path | None:
    """Return the symbolic link on the way to a file below a folder by which it would lie elsewhere, or None."""
    way = [folder / path, *(folder / above for above in Path(path).parents)]
    links = (each for each in reversed(way[:-1]) if each.is_symlink())
    return next((link for link in links if not _within(link, folder)), None)


def _within(path: Path, folder: Path) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))  # unlike `resolve` it bears circles


def _content(item: Generated) -> bytes:
    if item.copy_of is not None:
        return item.copy_of.read_bytes()
    return item.text.encode() if item.data is None else item.data


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _manifest(folder: Path) -> dict[str, str]:
    try:
        known = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(path): str(digest) for path, digest in known.items()} if isinstance(known, dict) else {}


def _ours(target: Path, content: bytes, known: str | None) -> bool:
    if not target.exists():
        return not any(parent.is_file() for parent in target.parents)
    return target.is_file() and (target.read_bytes() == content or _digest(target.read_bytes()) == known)
