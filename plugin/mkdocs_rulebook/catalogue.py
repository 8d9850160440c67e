"""catalogue.yaml and the rule files beside it → a `Catalogue`, with every fault that reading them shows."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from mkdocs_rulebook import crossref, enginefile, rulefile, shape
from mkdocs_rulebook.checkfaults import check_faults
from mkdocs_rulebook.checks.schema_engine import SchemaEngine
from mkdocs_rulebook.checks.schemas import DRAFT_2020_12, SchemaFault, Schemas, check_schema
from mkdocs_rulebook.fixtures import Fixtures
from mkdocs_rulebook.marks import EXTENSIONS
from mkdocs_rulebook.model import (
    JSON,
    Catalogue,
    Claim,
    Facet,
    Fault,
    Group,
    Level,
    Owner,
    Place,
    Policy,
    Removed,
    Rule,
    Severity,
    SourceLink,
    Spec,
    Untestable,
    address_of,
)
from mkdocs_rulebook.pointer import append
from mkdocs_rulebook.source import LANGUAGES, Reader, Source, SourceError, is_folder, read

FILE_NAME = "catalogue.yaml"
MISNAMED = ("catalogue.yml", "catalog.yaml", "catalog.yml")
"""What somebody may call that file, and nobody looks for."""

DEFAULT_POLICY: Mapping[Level, Policy] = {
    level: Policy((Claim.INVALID, Claim.VALID)) for level in (Level.MUST, Level.MUST_NOT)
}
"""What rules must have where catalogue.yaml does not say: an obligation is shown broken and kept."""


@dataclass(frozen=True)
class Loaded:
    """A catalogue as far as it could be read. `catalogue` is None where catalogue.yaml itself is at fault.

    `rules_of` maps each rule file to the ids that stand in it, also those of rules that could not be read. `engine`
    has the schemas of the checks compiled.
    """

    catalogue: Catalogue | None
    faults: tuple[Fault, ...]
    rules_of: Mapping[Path, tuple[str, ...]]
    engine: SchemaEngine | None = None


def below(folder: Path) -> tuple[list[Path], list[Path]]:
    """Return the catalogue folders in a folder, and files there whose name is nearly that of a catalogue.

    Beside a catalogue, the folder of such a file is taken for one as well: nobody would miss it.
    """
    found = {path.parent for path in folder.glob(f"*/{FILE_NAME}")}
    misnamed = sorted(path for name in MISNAMED for path in folder.glob(f"*/{name}"))
    return sorted({*found, *(path.parent for path in misnamed)} if found else ()), misnamed


def load(folder: Path, read: Reader | None = None) -> Loaded:
    """Read the catalogue in a folder.

    Args:
        folder: The folder that holds catalogue.yaml, or that file.
        read: What reads the files.
    """
    read = read or Reader()
    folder = Path(os.path.abspath(folder.parent if folder.name == FILE_NAME else folder))  # noqa: PTH100 - no `..`
    faults: list[Fault] = []
    misshapen: dict[Path, list[str]] = {}
    misnamed = [folder / name for name in MISNAMED if (folder / name).is_file()]
    for path in misnamed:
        faults.append(Fault(Place(path), "catalogue", f"the file has to be called `{FILE_NAME}`"))
    if misnamed and not (folder / FILE_NAME).exists():
        return Loaded(None, tuple(faults), {})
    main = _read(read, folder / FILE_NAME, "catalogue", misshapen, faults)
    paths = _rule_files(folder)
    files = {path: file for path in paths if (file := _read(read, path, "rules", misshapen, faults))}
    rules = [rule for path, file in files.items() for rule in rulefile.rules(file, _uri(folder, path), misshapen[path])]
    removed = [gone for path, file in files.items() for gone in rulefile.removed(file, misshapen[path])]
    rules_of = {path: tuple(_ids(file, "rules")) for path, file in files.items()}
    if main is None or misshapen[main.path]:
        return Loaded(None, tuple(faults), rules_of)
    settings = main.value
    schemas = dict(_schemas(folder, settings.get("draft", DRAFT_2020_12), faults))
    all_read = len(files) == len(paths)
    complete = all_read and not any(misshapen.values())
    engines, engine_faults = enginefile.engines(folder, main)
    faults.extend(engine_faults)
    catalogue = replace(
        _catalogue(folder, main),
        schemas=schemas,
        engines=engines,
        rules=tuple(rules),
        removed=tuple(removed),
        files=tuple(files),
        complete=complete,
    )
    if not rules and catalogue.complete:
        message = "the catalogue has no rule: rule files are the other YAML files of this folder"
        faults.append(Fault(main.place(""), "catalogue", message, severity=Severity.WARNING))
    faults.extend(_folder_faults(catalogue, main))
    faults.extend(_document_faults(catalogue, main))
    unread = frozenset(name for file in files.values() for part in ("rules", "removed") for name in _ids(file, part))
    unread -= {gone.id for gone in removed}
    all_named = all_read and all(_has_rules(file) for file in files.values())
    faults.extend(crossref.faults(catalogue, files, unread, all_named))
    engine = SchemaEngine(Schemas(catalogue.schemas, catalogue.draft, catalogue.formats), catalogue.schema_engine)
    faults.extend(check_faults(catalogue, files, engine))
    return Loaded(_once(catalogue), tuple(faults), rules_of, engine)


def _read(read: Reader, path: Path, kind: str, misshapen: dict[Path, list[str]], faults: list[Fault]) -> Source | None:
    try:
        file = read(path, keys="strings" if kind == "rules" else "spelled")
    except SourceError as error:
        faults.append(Fault(error.place, "catalogue", error.message, related=error.related))
        return None
    found = list(shape.faults(file, kind))
    misshapen[path] = [pointer for pointer, _ in found]
    faults.extend(fault for _, fault in found)
    return file


def _rule_files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(
        path
        for path in folder.iterdir()
        if path.suffix in (".yaml", ".yml")
        and path.name not in (FILE_NAME, *MISNAMED)
        and not path.name.startswith(".")
    )


def _has_rules(file: Source) -> bool:
    return isinstance(file.value, dict) and ("rules" in file.value or "removed" in file.value)


def _ids(file: Source, part: str) -> Iterator[str]:
    entries = file.value.get(part) if isinstance(file.value, dict) else None
    for entry in entries if isinstance(entries, list) else []:
        if isinstance(entry, dict) and isinstance(entry.get("id"), str):
            yield entry["id"]


def _uri(folder: Path, path: Path) -> str:
    # Not the real address of the file: what a verdict says must not depend on where the catalogue lies.
    return f"file:///{folder.name}/{path.relative_to(folder).as_posix()}"


def _schemas(folder: Path, draft: str, faults: list[Fault]) -> Iterator[tuple[str, JSON]]:
    """Yield every local schema under the URI of its file and under its `$id`."""
    files = list(_schema_files(folder / "schemas", faults))
    ids = [file.value.get("$id") if isinstance(file.value, dict) else None for file in files]
    seen: dict[str, Source] = {}
    for file, own in zip(files, ids, strict=True):
        try:
            check_schema(file.value, draft, ids)
        except SchemaFault as fault:
            faults.append(Fault(file.place(fault.pointer), "check-error", str(fault)))
            continue
        yield _uri(folder, file.path), file.value
        if own is None:
            continue
        first = seen.setdefault(own, file)
        if first is not file:
            message = f"the schema id `{own}` is used twice"
            faults.append(Fault(file.place("/$id"), "catalogue", message, related=(first.place("/$id"),)))
            continue
        yield own, file.value


def _schema_files(home: Path, faults: list[Fault]) -> Iterator[Source]:
    for path in sorted(home.rglob("*")) if home.is_dir() else []:
        if path.suffix in LANGUAGES and path.is_file():
            try:
                yield read(path)
            except SourceError as error:
                faults.append(Fault(error.place, "catalogue", error.message, related=error.related))


def _catalogue(folder: Path, main: Source) -> Catalogue:
    settings: dict[str, JSON] = main.value
    source = settings.get("source", {})
    fixtures = settings["fixtures"]
    return Catalogue(
        name=folder.name,
        folder=folder,
        title=settings["title"],
        edition=settings["edition"],
        fixtures=_path(folder, fixtures["root"]),
        summary=settings.get("summary", "").strip(),
        owners={key: Owner(key, owner["title"], owner.get("url", "")) for key, owner in settings["owners"].items()},
        groups={name.strip("/"): Group(kind) for name, kind in fixtures.get("groups", {}).items()},
        texts=tuple(fixtures.get("texts", [])),
        source=SourceLink(source.get("url", ""), source.get("ref", ""), _path(folder, source.get("root", "."))),
        specs={name: _spec(folder, main, name, spec) for name, spec in settings.get("specs", {}).items()},
        facets=tuple(
            Facet(
                facet["key"],
                facet["label"],
                facet.get("empty", ""),
                facet.get("values", {}),
                facet.get("pages", False),
            )
            for facet in settings.get("facets", [])
        ),
        tiers=settings.get("tiers", {}),
        references=settings.get("references", ""),
        documents=settings.get("documents", True),
        policy={
            Level(level): Policy(tuple(map(Claim, policy.get("examples", []))))
            for level, policy in settings["policy"].items()
        }
        if "policy" in settings
        else DEFAULT_POLICY,
        draft=settings.get("draft", DRAFT_2020_12),
        formats=settings.get("formats", False),
        schema_engine=settings.get("schema_engine", "jsonschema"),
        time_limit=float(settings.get("time_limit", 10)),
        engines={name: enginefile.engine(folder, name, entry) for name, entry in settings.get("engines", {}).items()},
    )


def _spec(folder: Path, main: Source, name: str, spec: dict[str, JSON]) -> Spec:
    pages, anchors, uncovered = spec.get("pages"), spec.get("anchors"), spec.get("uncovered", "allowed")
    return Spec(
        name,
        _path(folder, pages) if pages else None,
        spec.get("url", ""),
        None if anchors is None else tuple(anchors),
        tuple(spec.get("extensions", EXTENSIONS)),
        spec.get("requirements", "*"),
        Level(spec["demand"]) if "demand" in spec else None,
        None if uncovered == "allowed" else Severity(uncovered),
        tuple(_untestable(main, name, spec.get("untestable", {}))),
    )


def _untestable(main: Source, name: str, declared: dict[str, str]) -> Iterator[Untestable]:
    for anchor, reason in declared.items():
        page, _, fragment = anchor.partition("#")
        place = main.place(append("/specs", name, "untestable", anchor))
        yield Untestable(page, fragment, reason.strip(), place)


def _path(folder: Path, relative: str) -> Path:
    # By its text alone: to ask the file system about a name that no file can have is an error of its own.
    return Path(os.path.normpath(folder / relative))


def _folder_faults(catalogue: Catalogue, main: Source) -> Iterator[Fault]:
    if not is_folder(catalogue.fixtures):
        message = f"there is no folder `{main.value['fixtures']['root']}` for fixtures"
        yield Fault(main.place("/fixtures/root"), "catalogue", message)
    fixtures = Fixtures(catalogue)
    for name in main.value["fixtures"].get("groups", {}):
        if is_folder(catalogue.fixtures) and not fixtures.group(name.strip("/")):
            message = f"the fixture group `{name}` has no file"
            yield Fault(main.place(append("/fixtures/groups", name)), "group", message)
    for spec in catalogue.specs.values():
        if spec.pages is not None and not is_folder(spec.pages):
            pointer = append("/specs", spec.name, "pages")
            yield Fault(main.place(pointer), "catalogue", f"there is no folder of pages for `{spec.name}`")


def _document_faults(catalogue: Catalogue, main: Source) -> Iterator[Fault]:
    try:
        Schemas(catalogue.schemas, catalogue.draft).usable(catalogue.documents)
    except SchemaFault as fault:
        yield Fault(main.place("/documents" + fault.pointer), "catalogue", f"`documents`: {fault}")


def _once(catalogue: Catalogue) -> Catalogue:
    """Drop rules whose id or address is taken: their fault is reported, and a page has room for one."""
    rules: dict[str, Rule] = {}
    for rule in catalogue.rules:
        rules.setdefault(rule.address, rule)
    taken = rules.keys() | {address_of(alias) for rule in rules.values() for alias in rule.aliases}
    removed: dict[str, Removed] = {}
    for gone in catalogue.removed:
        if gone.address not in taken:
            removed.setdefault(gone.address, gone)
    return replace(catalogue, rules=tuple(rules.values()), removed=tuple(removed.values()))
