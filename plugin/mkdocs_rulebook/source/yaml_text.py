"""YAML texts as JSON data (YAML 1.2.2), with the offsets of their nodes.

Built from parser events rather than from PyYAML's constructors: no tag can run code, no depth can exhaust the
stack, and every key is seen as it is spelled.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import yaml

from mkdocs_rulebook.source.node import Node, copied
from mkdocs_rulebook.source.text import MAX_DEPTH, TOO_DEEP, SourceError, Text, quoted
from mkdocs_rulebook.source.yaml_scalar import PREFIX, ScalarError, check_tag, plain, tagged

if TYPE_CHECKING:
    from mkdocs_rulebook.model import JSON

Keys = Literal["strings", "spelled"]

MAX_ALIASED = 200_000
"""How many nodes all aliases of a file may add together. More is a fault in the file or an attack on its reader."""

LOADER: type[yaml.SafeLoader | yaml.CSafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_NOT_PERMITTED = re.compile("[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_INDENT = re.compile(r" *\t[ \t]*")


@dataclass(slots=True)
class _Name:
    text: str
    span: tuple[int, int]
    merges: bool


@dataclass(slots=True)
class _Done:
    """A finished node, as an anchor needs it. `scalar` is set where it can serve as a member name."""

    value: JSON
    node: Node
    size: int = 1
    height: int = 0
    scalar: yaml.ScalarEvent | None = None


@dataclass(slots=True)
class _Open:
    """A sequence or mapping whose end has not come yet."""

    value: list[JSON] | dict[str, JSON]
    node: Node
    anchor: str | None
    flow: bool
    size: int = 1
    height: int = 1
    name: _Name | None = None
    merged: _Done | None = None


def parse(source: Text, keys: Keys) -> tuple[JSON, Node]:
    """Return the value of a YAML text and the offsets of its nodes.

    Raises:
        SourceError: a syntax fault, several documents, a repeated or non-string name, a tag outside the core schema,
            something that JSON cannot hold, a recursive alias, aliases that add more than `MAX_ALIASED` nodes, or
            nesting deeper than `MAX_DEPTH`.
    """
    if found := _NOT_PERMITTED.search(source.text):
        message = f"character U+{ord(found[0]):04X} is not permitted in YAML; write it as an escape in double quotes"
        raise source.error(found.start(), message)
    builder = _Builder(source, keys)
    try:
        for event in yaml.parse(source.text, Loader=LOADER):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        raise builder.syntax_error(error) from None
    if builder.root is None:
        raise source.error(0, "the file is empty: it holds no YAML document")
    return builder.root.value, builder.root.node


class _Builder:
    def __init__(self, source: Text, keys: Keys) -> None:
        self.source = source
        self.keys = keys
        self.root: _Done | None = None
        self.open: list[_Open] = []
        self.anchors: dict[str, _Done | None] = {}
        self.aliased = 0

    def take(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._begin(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._end(event)
        elif isinstance(event, yaml.AliasEvent):
            self._alias(event)
        elif isinstance(event, yaml.DocumentStartEvent) and self.root is not None:
            raise self.source.error(_span(event)[0], "a second document begins here; expected one in a file")

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        start, end = _span(event)
        if event.style in ("|", ">"):
            end = start + len(self.source.text[start:end].rstrip())
        try:
            value = self._value(event)
        except ScalarError as error:
            raise self.source.error(start, str(error)) from None
        done = _Done(value, Node(start, end), scalar=event)
        if event.anchor:
            self.anchors[event.anchor] = done
        if self._expects_name():
            self._name(done, start, end)
        else:
            self._put(done)

    def _value(self, event: yaml.ScalarEvent) -> JSON:
        if event.style == '"' and _SURROGATE.search(event.value):
            raise ScalarError("an escape in this string is half of a surrogate pair")
        if event.tag is not None:
            return tagged(event.tag, event.value) if not _merges(event) else event.value
        return event.value if event.style else plain(event.value)

    def _begin(self, event: yaml.CollectionStartEvent) -> None:
        start, _ = _span(event)
        if self._expects_name():
            raise self.source.error(start, "a member name must be a string, not a sequence or a mapping")
        sequence = isinstance(event, yaml.SequenceStartEvent)
        self._check_kind(event.tag, "seq" if sequence else "map", start)
        if len(self.open) == MAX_DEPTH:
            raise self.source.error(start, TOO_DEEP)
        node = Node(start, start, [] if sequence else {})
        self.open.append(_Open([] if sequence else {}, node, event.anchor, bool(event.flow_style)))
        if event.anchor:
            self.anchors[event.anchor] = None

    def _check_kind(self, tag: str | None, expected: str, start: int) -> None:
        if tag in (None, "!"):
            return
        try:
            kind = check_tag(str(tag))
        except ScalarError as error:
            raise self.source.error(start, str(error)) from None
        if kind != expected:
            raise self.source.error(start, f"expected what the tag !!{kind} says, found a !!{expected}")

    def _end(self, event: yaml.CollectionEndEvent) -> None:
        top = self.open.pop()
        if top.flow:
            top.node.end = _span(event)[1]
        if top.merged is not None:
            self._merge(top, top.merged)
        done = _Done(top.value, top.node, top.size, top.height)
        if top.anchor:
            self.anchors[top.anchor] = done
        self._put(done)

    def _alias(self, event: yaml.AliasEvent) -> None:
        start, end = _span(event)
        anchor = event.anchor or ""
        if anchor not in self.anchors:
            raise self.source.error(start, f"no anchor {quoted(anchor)} comes before this alias")
        named = self.anchors[anchor]
        if named is None:
            raise self.source.error(start, f"the alias {quoted(anchor)} lies inside the node that it names")
        if self._expects_name():
            self._name(named, start, end)
            return
        self.aliased += named.size
        if self.aliased > MAX_ALIASED:
            raise self.source.error(start, f"the aliases of this file add more than {MAX_ALIASED} nodes")
        if len(self.open) + named.height > MAX_DEPTH:
            raise self.source.error(start, TOO_DEEP)
        self._put(_Done(copied(named.value), Node(start, end, named.node.inside), named.size, named.height))

    def _expects_name(self) -> bool:
        return bool(self.open) and isinstance(self.open[-1].value, dict) and self.open[-1].name is None

    def _name(self, done: _Done, start: int, end: int) -> None:
        """Take a scalar as the name of the member that follows."""
        top, event = self.open[-1], done.scalar
        if event is None:
            raise self.source.error(start, "a member name must be a string, not a sequence or a mapping")
        if self.keys == "strings" and not isinstance(done.value, str):
            spelled = quoted(event.value)
            raise self.source.error(start, f"a member name must be a string; quote it: {spelled}")
        top.name = _Name(event.value, (start, end), _merges(event))
        top.node.end = max(top.node.end, end)
        inside = top.node.inside
        if top.name.merges:
            first = top.merged.node if top.merged else None
        else:
            first = inside.get(event.value) if isinstance(inside, dict) else None
        if first is not None:
            raise self.source.repeated(event.value, start, first.name[0] if first.name else first.start)

    def _put(self, done: _Done) -> None:
        """Place a finished value where it belongs: in the innermost open collection, or at the root."""
        if not self.open:
            self.root = done
            return
        top = self.open[-1]
        top.size += done.size
        top.height = max(top.height, done.height + 1)
        if not top.flow:
            top.node.end = max(top.node.end, done.node.end)
        name, top.name = top.name, None
        if name is None:
            _append(top, done)
        else:
            done.node.name = name.span
            if name.merges:
                top.merged = done
            else:
                _insert(top, name.text, done)

    def _merge(self, top: _Open, done: _Done) -> None:
        """Add the members of `<<` (yaml.org/type/merge): those of the mapping itself win, then the earlier source."""
        several = isinstance(done.value, list)
        values = done.value if several else [done.value]
        nodes = done.node.inside if isinstance(done.node.inside, list) else [done.node]
        value: dict[str, JSON] = {}
        inside: dict[str, Node] = {}
        for mapping, node in zip(reversed(values), reversed(nodes), strict=True):
            if not isinstance(mapping, dict) or not isinstance(node.inside, dict):
                raise self.source.error(node.start, "'<<' must name a mapping or a sequence of mappings")
            value.update(mapping)
            inside.update(node.inside)
        if isinstance(top.value, dict) and isinstance(top.node.inside, dict):
            value.update(top.value)
            inside.update(top.node.inside)
        top.value, top.node.inside = value, inside

    def syntax_error(self, error: yaml.MarkedYAMLError) -> SourceError:
        """Word an error of the parser in one line, at its place."""
        mark, context = error.problem_mark or error.context_mark, error.context_mark
        offset = min(mark.index, len(self.source.text)) if mark else 0
        problem = " ".join(str(error.problem or error.context or "not YAML").split())
        if "nesting depth" in problem:
            return self.source.error(offset, TOO_DEEP)
        start = self.source.text.rfind("\n", 0, offset) + 1
        indent = _INDENT.match(self.source.text, start)
        if indent and not (self.open and self.open[-1].flow):
            tab = self.source.text.index("\t", start)
            return self.source.error(tab, "a tab is used for indentation; YAML permits spaces only (§6.1)")
        if "cannot start any token" in problem:
            return self.source.error(offset, f"{quoted(self.source.text[offset])} cannot begin a value; quote it")
        if "mapping values are not allowed" in problem:
            problem += "; quote a text that holds a colon and a space, or mend the indentation"
        if error.context and context and error.problem:
            line = self.source.position(context.index).line
            problem += f" {' '.join(error.context.split())} that begins on line {line}"
            return self.source.error(offset, problem, context.index)
        return self.source.error(offset, problem)


def _span(event: yaml.Event) -> tuple[int, int]:
    start, end = event.start_mark, event.end_mark
    return (start.index, end.index) if start and end else (0, 0)


def _merges(event: yaml.ScalarEvent) -> bool:
    return event.tag == PREFIX + "merge" or (event.value == "<<" and not event.style and event.tag is None)


def _append(top: _Open, done: _Done) -> None:
    if isinstance(top.value, list) and isinstance(top.node.inside, list):
        top.value.append(done.value)
        top.node.inside.append(done.node)


def _insert(top: _Open, name: str, done: _Done) -> None:
    if isinstance(top.value, dict) and isinstance(top.node.inside, dict):
        top.value[name] = done.value
        top.node.inside[name] = done.node
