"""What several checks ask of an outcome record: its parts, what a caller can read, and words in a text.

Nothing here takes the shape of a record for granted: a part that is missing or of the wrong type is answered with
None or with nothing, so that a check says nothing about it instead of failing. That it is missing is what
`outcome.record.shape` reports.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from mkdocs_rulebook import Node

NEGATIONS = ("not", "never", "no", "cannot", "nothing", "without", "whether", "if")
"""Words that turn the meaning of a phrase, beside those that end in n't."""


def part(node: Node | None, *names: str) -> Node | None:
    """Return the node that member names lead to from another one; None where one of them is not there."""
    for name in names:
        node = node.child(name) if node is not None and isinstance(node.value, dict) else None
    return node


def value(node: Node | None, *names: str) -> Any:
    """Return the value that member names lead to; None where one of them is not there."""
    found = part(node, *names)
    return found.value if found is not None else None


def text(node: Node | None, *names: str) -> str | None:
    """Return a value that is a string; None where it is anything else or not there."""
    found = value(node, *names)
    return found if isinstance(found, str) else None


def number(node: Node | None, *names: str) -> Decimal | None:
    """Return a value that is a number; None where it is anything else or not there."""
    found = value(node, *names)
    if isinstance(found, bool) or not isinstance(found, int | float | Decimal):
        return None
    return Decimal(str(found))


def items(node: Node | None, *names: str) -> list[Node]:
    """Return the items of an array; none where it is anything else or not there."""
    found = part(node, *names)
    return list(found.children()) if found is not None and isinstance(found.value, list) else []


def contract(node: Node) -> Node | None:
    """Return the contract of the record that a node lies in."""
    return part(node.document.root, "contract")


def scenario(node: Node) -> Node | None:
    """Return the scenario that a node lies in or is."""
    if len(node.path) < 2 or node.path[0] != "scenarios":
        return None
    around = part(node.document.root, "scenarios")
    return around.child(node.path[1]) if around is not None else None


def is_error(result: Node | None) -> bool:
    """Whether a tool result says that the tool failed."""
    return value(result, "isError") is True


def texts(result: Node | None) -> list[Node]:
    """Return the texts of the text blocks of a tool result."""
    blocks = [part(block, "text") for block in items(result, "content") if value(block, "type") == "text"]
    return [block for block in blocks if block is not None and isinstance(block.value, str)]


def visible(answer: Node) -> Iterator[Node]:
    """Yield each string that a model can read in an answer.

    These are the text blocks and the strings of the structured content of a result, and the message and the data of a
    JSON-RPC error.
    """
    if answer.key == "error":
        places = [part(answer, "message"), part(answer, "data")]
    else:
        yield from texts(answer)
        places = [part(answer, "structuredContent")]
    for place in places:
        if place is not None:
            yield from (node for node in place.walk() if isinstance(node.value, str))


def codes(node: Node) -> dict[str, str]:
    """Return the error codes of the contract, each with the outcome it stands for."""
    entries = ((text(entry, "code"), text(entry, "outcome")) for entry in items(contract(node), "errors"))
    return {code: outcome or "" for code, outcome in entries if code is not None}


def mentions(within: str, word: str) -> bool:
    """Whether a text has a word or phrase: whole words, case ignored, any white space between them."""
    return phrase(within, [word]) is not None


def phrase(within: str, phrases: Iterable[str], *, negated: bool = True) -> str | None:
    """Return the first of some phrases that a text has, or None.

    Args:
        within: The text.
        phrases: The phrases: whole words, case ignored, any white space between them.
        negated: Whether a phrase counts that has a negation among the three words before it in its sentence.

    """
    for wanted in phrases:
        words = r"\s+".join(re.escape(word) for word in wanted.split())
        for match in re.finditer(rf"(?<!\w){words}(?!\w)", within, re.IGNORECASE):
            if negated or not _negated(within[: match.start()]):
                return wanted
    return None


def _negated(before: str) -> bool:
    sentence = re.split(r"[.!?;:\n]", before)[-1]
    words = re.findall(r"[\w'’]+", sentence.lower())[-3:]
    return any(word in NEGATIONS or word.endswith(("n't", "n’t")) for word in words)


def listed(names: Iterable[str]) -> str:
    """Return names as words for a message."""
    words = [f"`{name}`" for name in names]
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
