"""The parameters of a Python check: what its function takes, against what the rule file gives.

Before anything runs, the signature is read from the text of the module, so that a wrong parameter is a fault of the
rule file where it stands, also where no code may run. What cannot be read that way (a function that is imported,
decorated or made by another) is held against the real signature when it is called.
"""

from __future__ import annotations

import ast
import difflib
import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from inspect import Parameter, Signature
from typing import Any

from mkdocs_rulebook.checks.messages import kind, names_in_words
from mkdocs_rulebook.model import JSON


@dataclass(frozen=True)
class Unfit:
    """A parameter that does not fit: its name (empty for one that is missing), and why."""

    name: str
    message: str


def written(text: str, function: str) -> Signature | None:
    """Return the signature of a function as it is written at the top level of a module, None where it is not.

    Args:
        text: The module.
        function: The name.
    """
    found = _bindings(text).get(function)
    return _signature(found.args) if found is not None and not found.decorator_list else None


@lru_cache(maxsize=256)
def _bindings(text: str) -> Mapping[str, ast.FunctionDef | None]:
    """Return the functions of a module by name; None for a name that may be something else as well."""
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError):
        return {}  # said when it is loaded
    found: dict[str, ast.FunctionDef | None] = {}
    for statement in module.body:
        if isinstance(statement, ast.FunctionDef):
            found[statement.name] = None if statement.name in found else statement
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.alias):
                found[node.asname or node.name] = None
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found[node.name] = None
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found[node.id] = None
    return found


def _signature(arguments: ast.arguments) -> Signature:
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [Parameter.empty] * (len(positional) - len(arguments.defaults)) + [None] * len(arguments.defaults)
    parameters = [
        _parameter(each, Parameter.POSITIONAL_ONLY if each in arguments.posonlyargs else _EITHER, default)
        for each, default in zip(positional, defaults, strict=True)
    ]
    if arguments.vararg:
        parameters.append(Parameter(arguments.vararg.arg, Parameter.VAR_POSITIONAL))
    for each, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        parameters.append(_parameter(each, Parameter.KEYWORD_ONLY, Parameter.empty if value is None else None))
    if arguments.kwarg:
        parameters.append(Parameter(arguments.kwarg.arg, Parameter.VAR_KEYWORD))
    return Signature(parameters)


_EITHER = Parameter.POSITIONAL_OR_KEYWORD


def _parameter(argument: ast.arg, how: Any, default: Any) -> Parameter:
    annotation = Parameter.empty if argument.annotation is None else ast.unparse(argument.annotation)
    return Parameter(argument.arg, how, default=default, annotation=annotation)


def unfit(signature: Signature, given: Mapping[str, JSON]) -> Unfit | None:
    """Return the first thing that is wrong with the parameters that a rule gives to a check, None where all fit.

    Args:
        signature: What the function takes; its first parameter is the node or the document.
        given: What the rule gives, by name.
    """
    parameters = list(signature.parameters.values())
    first = parameters[0].name if parameters else ""
    takes = {each.name: each for each in parameters[1:] if each.kind in _BY_NAME}
    anything = any(each.kind == Parameter.VAR_KEYWORD for each in parameters)
    for name, value in given.items():
        if name in takes:
            wanted = _wanted(takes[name])
            if wanted and not _is(wanted, value):
                return Unfit(name, f"the parameter `{name}` is {kind(value)}, not {_in_words(wanted)}")
        elif not anything or name == first:
            return Unfit(name, f"the check takes no parameter `{name}`{_known(name, takes)}")
    missing = [name for name, each in takes.items() if each.default is Parameter.empty and name not in given]
    return Unfit("", f"the check needs the parameter {names_in_words(missing)}") if missing else None


_BY_NAME = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)


def _known(name: str, takes: Mapping[str, Parameter]) -> str:
    close = difflib.get_close_matches(name, takes, n=1, cutoff=0.6)
    if close:
        return f"; nearest: `{close[0]}`"
    return f"; it takes {names_in_words(sorted(takes))}" if takes else "; it takes none"


_SIMPLE = {"int": "an integer", "str": "a string", "bool": "a boolean", "float": "a number"}


def _wanted(parameter: Parameter) -> tuple[str, ...]:
    """Return the simple types that an annotation names, as they are spelled; none where it says anything else."""
    annotation = parameter.annotation
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    parts = tuple(part.strip() for part in text.strip("'\"").split("|"))
    return parts if all(_simple(part) for part in parts) else ()


def _simple(part: str) -> bool:
    return part in _SIMPLE or part == "None" or (part.startswith("list[") and part[5:-1] in _SIMPLE)


def _is(wanted: tuple[str, ...], value: JSON) -> bool:
    return any(_is_one(part, value) for part in wanted)


def _is_one(part: str, value: JSON) -> bool:
    if part.startswith("list["):
        return isinstance(value, list) and all(_is_one(part[5:-1], item) for item in value)
    match part:
        case "None":
            return value is None
        case "bool":
            return isinstance(value, bool)
        case "str":
            return isinstance(value, str)
        case "int":
            return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def _in_words(wanted: tuple[str, ...]) -> str:
    words = [
        f"a list of which each item is {_SIMPLE[part[5:-1]]}" if part.startswith("list[") else _SIMPLE.get(part, "null")
        for part in wanted
    ]
    return " or ".join(words)


def converted(signature: Signature, name: str, value: JSON) -> Any:
    """Return a parameter as the function is given it: a number is a `float` where the annotation says so.

    Args:
        signature: What the function takes.
        name: The parameter.
        value: What the rule gives: it fits.
    """
    parameter = signature.parameters.get(name)
    wanted = _wanted(parameter) if parameter is not None else ()
    if isinstance(value, list) and "list[float]" in wanted:
        return [float(item) for item in value]
    number = isinstance(value, int | Decimal) and not isinstance(value, bool)
    if number and "float" in wanted and not (isinstance(value, int) and "int" in wanted):
        return float(value)
    return value
