"""Checks of which kind of error an answer is: one of the protocol, or one of the tool."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_rulebook import Node, Result, finding, inapplicable

from ._record import contract, part, text, value

CODES = (-32700, -32600, -32601, -32602)
"""What JSON-RPC 2.0 calls parse error, invalid request, method not found and invalid params."""


def protocol_error(trial: Node) -> Iterator[Result]:
    """Find an unknown tool or a malformed request that is not answered with a JSON-RPC error."""
    fault = _fault(trial)
    if not fault and text(trial, "outcome") != "protocol_error":
        yield inapplicable(trial)
        return
    error = part(trial, "error")
    if error is None:
        place = part(trial, "result") or part(trial, "no_answer") or trial
        yield finding(
            place, f"is no JSON-RPC error, but {fault or 'the outcome is a protocol error'}", reason="no-protocol-error"
        )
    elif fault and (isinstance(value(error, "code"), bool) or value(error, "code") not in CODES):
        yield finding(
            part(error, "code") or error,
            f"is none of the codes of JSON-RPC for a request that is wrong, but {fault}",
            reason="wrong-code",
            names=["code"],
        )


def _fault(trial: Node) -> str:
    """Say what is wrong with the request itself; empty where nothing is."""
    request = part(trial, "request")
    if request is None:
        return ""
    name = value(request, "name")
    arguments = part(request, "arguments")
    if not isinstance(name, str):
        return "the request does not name a tool"
    if arguments is not None and not isinstance(arguments.value, dict):
        return "the arguments of the request are no object"
    known = text(contract(trial), "tool", "name")
    return f"there is no tool `{name}`" if known is not None and name != known else ""
