"""The four kinds of a check, as a rule file declares them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mkdocs_rulebook.model.place import JSON, Place


@dataclass(frozen=True, kw_only=True)
class _Declared:
    """What every check has: the author's words, and where in the rule file it stands.

    `message` is said beside a finding; `unchecked` is the part of the requirement that the check does not decide.
    """

    message: str = ""
    unchecked: str = ""
    place: Place = Place(Path())
    pointer: str = ""


@dataclass(frozen=True)
class SchemaCheck(_Declared):
    """A rule as JSON Schema: each node that `select` finds and `when` lets through must satisfy `schema`.

    `base` is where a relative `$ref` of the inline schemas starts from: the URI of the rule file.
    """

    select: tuple[str, ...]
    schema: JSON
    when: JSON = True
    base: str = ""
    follow: bool = True


@dataclass(frozen=True)
class PythonCheck(_Declared):
    """A rule as a function of the catalogue's `checks` folder, named `module:function`.

    With `select` the function is called once for each node, without it once for the document; `parameters` are its
    keyword arguments. With `text` it judges texts and nothing else: those whose names match one of these patterns,
    each with a call of its own.
    """

    function: str
    select: tuple[str, ...] = ()
    parameters: Mapping[str, JSON] = field(default_factory=dict)
    text: tuple[str, ...] = ()
    when: JSON = True
    base: str = ""
    follow: bool = True


@dataclass(frozen=True)
class EngineCheck(_Declared):
    """A rule as a code that an external engine reports: `engine` is a key of the catalogue's `engines`.

    What the engine applied the code to is unknown, so there is nothing to select.
    """

    engine: str
    code: str


@dataclass(frozen=True)
class NoCheck(_Declared):
    """A rule that no machine decides, and why."""

    none: str


Check = SchemaCheck | PythonCheck | EngineCheck | NoCheck


def judges_text(check: Check) -> bool:
    """Whether a check can judge a text; a JSON Schema cannot, and a Python check only if it says so."""
    match check:
        case SchemaCheck():
            return False
        case PythonCheck():
            return bool(check.text)
        case _:
            return True


def judges_data(check: Check) -> bool:
    """Whether a check can judge JSON and YAML."""
    return not (isinstance(check, PythonCheck) and bool(check.text))
