"""Rule files → rules: each well-formed entry becomes a `Rule` whose parts know their places."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from mkdocs_rulebook.model import (
    JSON,
    Anchor,
    Check,
    Claim,
    EngineCheck,
    Example,
    Expect,
    Inline,
    Known,
    Level,
    Lines,
    NoCheck,
    Outcome,
    PythonCheck,
    Removed,
    Replacement,
    RequiredBy,
    Rule,
    SchemaCheck,
    Source,
)
from mkdocs_rulebook.pointer import append, inside
from mkdocs_rulebook.source import Source as File
from mkdocs_rulebook.source import suffix_of


def rules(file: File, base: str, misshapen: Collection[str]) -> Iterator[Rule]:
    """Yield a rule for each entry of a rule file that is of the right shape.

    Args:
        file: The rule file.
        base: The URI that the relative references of its schemas start from.
        misshapen: The pointers of the nodes that are not of the shape they should have.
    """
    entries = file.value.get("rules") if isinstance(file.value, dict) else None
    for index, entry in enumerate(entries if isinstance(entries, list) else []):
        pointer = append("/rules", index)
        if isinstance(entry, dict) and not any(inside(bad, pointer) for bad in misshapen):
            yield _rule(file, pointer, entry, base)


def removed(file: File, misshapen: Collection[str]) -> Iterator[Removed]:
    """Yield a removed rule for each entry of a rule file on one that is of the right shape.

    Args:
        file: The rule file.
        misshapen: The pointers of the nodes that are not of the shape they should have.
    """
    entries = file.value.get("removed") if isinstance(file.value, dict) else None
    for index, entry in enumerate(entries if isinstance(entries, list) else []):
        pointer = append("/removed", index)
        if isinstance(entry, dict) and not any(inside(bad, pointer) for bad in misshapen):
            yield Removed(
                id=entry["id"],
                reason=entry["reason"].strip(),
                place=file.place(append(pointer, "id")),
                title=entry.get("title", ""),
                removed_in=entry.get("removed_in", ""),
                replaced_by=tuple(dict.fromkeys(_texts(entry.get("replaced_by", [])))),
                aliases=tuple(entry.get("aliases", [])),
            )


def _rule(file: File, pointer: str, entry: dict[str, JSON], base: str) -> Rule:
    return Rule(
        id=entry["id"],
        title=entry["title"],
        requirement=entry["requirement"].strip(),
        level=Level(entry["level"]),
        check=_check(file, append(pointer, "check"), entry["check"], base),
        place=file.place(append(pointer, "id")),
        summary=" ".join(entry.get("summary", "").split()),
        facets={key: _texts(value) for key, value in entry.get("facets", {}).items()},
        required_by=tuple(_required_by(file, append(pointer, "required_by"), entry.get("required_by", []))),
        based_on=tuple(
            Source(source["text"], str(source.get("tier", "")), source.get("url", ""))
            for source in entry.get("based_on", [])
        ),
        notes=entry.get("notes", "").strip(),
        since=entry.get("since", ""),
        deprecated=entry.get("deprecated", ""),
        replaced_by=entry.get("replaced_by", ""),
        aliases=tuple(entry.get("aliases", [])),
        examples=tuple(
            _example(file, append(pointer, "examples", claim, index), claim, example)
            for claim in Claim
            for index, example in enumerate(entry.get("examples", {}).get(claim, []))
        ),
    )


def _texts(value: JSON) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _required_by(file: File, pointer: str, entries: list[JSON]) -> Iterator[RequiredBy]:
    for index, entry in enumerate(entries):
        anchors = []
        for number, anchor in enumerate(entry.get("anchors", [])):
            spec, _, rest = anchor.partition(":")
            page, _, fragment = rest.partition("#")
            anchors.append(Anchor(spec, page, fragment, file.place(append(pointer, index, "anchors", number))))
        yield RequiredBy(entry["text"], entry.get("note", "").strip(), tuple(anchors))


def _check(file: File, pointer: str, entry: dict[str, JSON], base: str) -> Check:
    place = file.place(pointer)
    if "none" in entry:
        return NoCheck(entry["none"].strip(), place=place, pointer=pointer)
    common: dict[str, Any] = {
        "when": entry.get("when", True),
        "base": base,
        "follow": entry.get("follow", True),
        "message": entry.get("message", "").strip(),
        "unchecked": entry.get("unchecked", "").strip(),
        "place": place,
        "pointer": pointer,
    }
    if "engine" in entry:
        said = {key: common[key] for key in ("message", "unchecked", "place", "pointer")}
        return EngineCheck(entry["engine"], entry["code"], **said)
    select = _texts(entry.get("select", []))
    if "python" in entry:
        text = _patterns(entry.get("text", False))
        return PythonCheck(entry["python"], select, entry.get("with", {}), text=text, **common)
    schema = entry["schema"]
    return SchemaCheck(select, {"$ref": schema} if isinstance(schema, str) else schema, **common)


def _patterns(value: JSON) -> tuple[str, ...]:
    if isinstance(value, bool):
        return ("*",) if value else ()
    return _texts(value)


def _example(file: File, pointer: str, claim: Claim, entry: dict[str, JSON]) -> Example:
    fix = entry.get("fix", [])
    return Example(
        id=entry["id"],
        claim=claim,
        fixture=entry.get("fixture") or _inline_name(entry),
        pointer=entry.get("pointer", ""),
        place=file.place(append(pointer, "id")),
        title=entry.get("title", ""),
        note=entry.get("note", "").strip(),
        show=tuple(entry.get("show", [])),
        expect=_expect(entry["expect"]) if "expect" in entry else None,
        fix=tuple(fix) if isinstance(fix, list) else (),
        breaks=tuple(entry.get("breaks", [])),
        known=_known(entry["known"]) if "known" in entry else None,
        lines=_lines(entry["lines"]) if "lines" in entry else None,
        region=entry.get("region", ""),
        show_file=entry.get("show_file", ""),
        language=entry.get("language", ""),
        inline=_inline(entry),
        patch=tuple(entry.get("patch", [])),
        replace=_replacement(entry["replace"]) if "replace" in entry else None,
        mend=None if isinstance(fix, list) else _replacement(fix),
    )


def _expect(entry: dict[str, JSON]) -> Expect:
    return Expect(
        entry.get("pointer"),
        entry.get("keyword", ""),
        entry.get("reason", ""),
        tuple(entry.get("names", [])),
        entry.get("line"),
    )


def _known(entry: dict[str, JSON]) -> Known:
    return Known(Outcome(entry["verdict"]), entry["reason"].strip(), entry.get("issue", ""))


def _lines(value: JSON) -> Lines:
    first, _, last = str(value).partition("-")
    return int(first), int(last or first)


def _replacement(entry: dict[str, JSON]) -> Replacement:
    return Replacement(entry["old"], entry["new"])


def _inline(entry: dict[str, JSON]) -> Inline | None:
    wrap = entry.get("wrap", {})
    return Inline(entry["content"], wrap.get("before", ""), wrap.get("after", "")) if "content" in entry else None


def _inline_name(entry: dict[str, JSON]) -> str:
    return str(entry.get("name") or entry["id"] + suffix_of(entry.get("language", "")))
