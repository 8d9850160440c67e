"""Documents that are no file of a catalogue: a fixture with one change made to it, and text of a rule file.

Both are pure functions of what the rule file says and of the fixture, so that the same document can be made again
wherever it is needed: to be verified, shown, or given to a program.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from mkdocs_rulebook import pointer as pointers
from mkdocs_rulebook.checks.messages import lines_in_words
from mkdocs_rulebook.fix import PatchError, patched
from mkdocs_rulebook.model import JSON, Example, Inline, Lines, Replacement, Selection
from mkdocs_rulebook.pointer import tokens
from mkdocs_rulebook.source import Folder, Source, language_of, made, read_folder
from mkdocs_rulebook.source.node import canonical
from mkdocs_rulebook.source.text import quoted

INDENT = "  "


class DerivationError(ValueError):
    """The change that an example makes to its fixture cannot be made; the message says why."""


def derived(source: Source, example: Example) -> Source:
    """Return the document that an example makes of its fixture.

    A JSON Patch (RFC 6902) works on the value of JSON or YAML; its result is JSON, indented by two spaces, in which
    everything that the patch left alone or moved is spelled as in the fixture. A replacement works on the text, and
    nothing else in it changes.

    Args:
        source: The fixture.
        example: The example, with a patch or a replacement.

    Raises:
        DerivationError: the change cannot be made, or changes nothing.
        SourceError: what comes of it cannot be read, with the place in the document that was made.
    """
    if example.replace is not None:
        return _replaced(source, example, example.replace)
    if source.is_text:
        raise DerivationError(f"`{example.fixture}` is a text, which has no nodes to patch; change it with `replace`")
    try:
        after = _patched(source, "", example.patch)
    except DerivationError as error:
        raise DerivationError(f"the patch does not apply to `{example.fixture}`: {error}") from None
    if canonical(after.value) == canonical(source.value):
        raise DerivationError("the patch changes nothing")
    return after


def _patched(source: Source, selection: str, patch: Sequence[Mapping[str, JSON]]) -> Source:
    """Return JSON after a patch whose pointers are relative to a selection."""
    if source.is_text:
        raise DerivationError("a text has no nodes to patch; give a passage as `old` and what replaces it as `new`")
    try:
        patched(source.value, selection, patch)  # for the words, where it fails: they know nothing of spelling
        return _as_json(source, patched(_with_spelling(source), selection, patch))
    except PatchError as error:
        raise DerivationError(str(error)) from None
    except RecursionError:
        raise DerivationError("the document nests too deep afterwards") from None


def as_json(source: Source) -> Source:
    """Return JSON or YAML as a patch that changes nothing would write it: as JSON, indented by two spaces."""
    return _as_json(source, _with_spelling(source))


def _as_json(source: Source, value: JSON) -> Source:
    return made(source.path.with_suffix(".json"), spelled(value), "json")


def mended(source: Source, example: Example) -> tuple[Source, Selection]:
    """Return a document after the fix of an example, and where its selection is then.

    Args:
        source: The document as it is.
        example: The example, with a fix and with what it selects in the document.

    Raises:
        DerivationError: the fix cannot be made.
        SourceError: what comes of it cannot be read.
    """
    if example.mend is None:
        return _patched(source, example.pointer, example.fix), example.selection
    part = source.part(example.pointer) if source.is_text else source
    if part is None:
        raise DerivationError("it must say which file of the folder to change")
    lines = example.lines if source.is_text else None
    text = replaced(part.text, example.mend, part.path.name, lines)
    after = made(part.path, text, part.language)
    if isinstance(source, Folder):
        after = read_folder(source.path, {**source.parts, tokens(example.pointer)[0]: after})
    longer = example.mend.new.count("\n") - example.mend.old.count("\n")
    moved = None if lines is None else (lines[0], max(lines[0], lines[1] + longer))
    return after, Selection(example.pointer, moved)


def inline(path: Path, content: Inline, language: str) -> Source:
    """Return the document that an example brings along in the rule file, with what has to stand around it.

    Raises:
        SourceError: it cannot be read, with the place in it.
    """
    return made(path, content.before + content.content + content.after, language_of(path.name, language))


def replaced(text: str, change: Replacement, name: str, lines: Lines | None = None) -> str:
    """Return a text after one exact passage was replaced.

    Args:
        text: The text.
        change: The passage and what comes in its place.
        name: What the text is called, for the message.
        lines: The lines that the passage is looked for in; None for all.

    Raises:
        DerivationError: the passage is not there, is there more than once, or is replaced by itself.
    """
    first, last = lines or (1, text.count("\n") + 1)
    start, end = _offset(text, first), _offset(text, last + 1)
    found = [at for at in _occurrences(text, change.old) if start <= at and at + len(change.old) <= end]
    where = f"`{name}`" if lines is None else f"{lines_in_words(lines)} of `{name}`"
    if not found:
        raise DerivationError(f"the passage {quoted(change.old)} is not in {where}{_like(text, change.old)}")
    if len(found) > 1:
        numbers = ", ".join(str(text.count("\n", 0, offset) + 1) for offset in found[:4])
        count = f"{len(found)} times (on lines {numbers}{' …' if len(found) > 4 else ''})"
        message = f"the passage {quoted(change.old)} is in {where} {count}; make it longer until it is there once"
        raise DerivationError(message)
    if change.old == change.new:
        raise DerivationError("the replacement changes nothing")
    return text[: found[0]] + change.new + text[found[0] + len(change.old) :]


def _offset(text: str, line: int) -> int:
    """Return where a line begins; the end of the text where it has no such line."""
    offset = 0
    for _ in range(line - 1):
        offset = text.find("\n", offset) + 1
        if not offset:
            return len(text)
    return offset


def _replaced(source: Source, example: Example, change: Replacement) -> Source:
    if not isinstance(source, Folder):
        return made(source.path, replaced(source.text, change, example.fixture), source.language)
    part = source.parts.get(example.show_file)
    if part is None:
        raise DerivationError(f"`{example.fixture}` is a folder: `show_file` must name the file to change")
    after = made(part.path, replaced(part.text, change, example.show_file), "text")
    return read_folder(source.path, {**source.parts, example.show_file: after})


def _occurrences(text: str, passage: str) -> Iterator[int]:
    offset = text.find(passage)
    while offset >= 0:
        yield offset
        offset = text.find(passage, offset + 1)


def _like(text: str, passage: str) -> str:
    """Return the end of a message that names the line most like the first line of a passage that is not there."""
    lines = {line.strip(): number for number, line in reversed(list(enumerate(text.split("\n"), 1))) if line.strip()}
    first = next((line.strip() for line in passage.split("\n") if line.strip()), "")
    close = difflib.get_close_matches(first, list(lines), n=1, cutoff=0.5)
    return f"; nearest: line {lines[close[0]]}, {quoted(close[0])}" if close else ""


@dataclass(frozen=True, eq=False)
class Literal:
    """A scalar that remembers how it was written. It equals its value, so that a patch can test it."""

    value: JSON
    text: str

    def __eq__(self, other: object) -> bool:
        return bool(self.value == (other.value if isinstance(other, Literal) else other))

    __hash__ = None  # type: ignore[assignment]  # equal to values that have no hash


class Name(str):
    """A member name that remembers how it was written; a patch that replaces its value keeps it."""

    text: str


def _with_spelling(source: Source) -> JSON:
    """Return a value whose scalars and member names know their spelling in the file; YAML has none that JSON knows."""
    if source.language != "json":
        return source.value

    # One frame for each level, here and below: as deep as a file may be, that is as much as Python permits.
    def spell(value: JSON, pointer: str) -> JSON:
        if isinstance(value, dict):
            members: dict[str, JSON] = {}
            for key, child in value.items():
                below = pointers.append(pointer, key)
                name = Name(key)
                name.text = source.key_literal(below) or ""
                members[name] = spell(child, below)
            return members
        if isinstance(value, list):
            items: list[JSON] = []
            for index, child in enumerate(value):
                items.append(spell(child, pointers.append(pointer, index)))
            return items
        return Literal(value, source.literal(pointer))

    return spell(source.value, "")


def spelled(value: JSON) -> str:
    """Return a value as JSON text, indented by two spaces, with the spelling that its parts remember."""
    parts: list[str] = []
    _write(value, "\n", parts)
    return "".join([*parts, "\n"])


def _write(value: JSON, newline: str, parts: list[str]) -> None:
    if not isinstance(value, dict | list) or not value:
        parts.append(_scalar(value))
        return
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    parts.append(opening)
    for number, part in enumerate(value):
        parts.append(("," if number else "") + newline + INDENT)
        if isinstance(value, dict):
            parts.append((part.text if isinstance(part, Name) else json.dumps(part, ensure_ascii=False)) + ": ")
        _write(value[part] if isinstance(value, dict) else part, newline + INDENT, parts)
    parts.append(newline + closing)


def _scalar(value: JSON) -> str:
    if isinstance(value, Literal):
        return value.text
    return str(value) if isinstance(value, Decimal) else json.dumps(value, ensure_ascii=False)
