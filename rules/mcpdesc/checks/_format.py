"""Which members the objects of an MCP Description have, as data: the shape of every object that the format closes.

A shape is a text of words. A word is a member, or a member and the shape below it::

    name              a member; what it holds is not described here
    info:info         a member that holds an object of that shape
    tags:[tag]        a member that holds a list of them
    examples:{example}  a member that holds a map of them under names of the author's choice
    content:+content  a member that holds one or a list of them

Words of their own:

    x-*       the object may have extensions
    !x-*      extensions are refused here, by `mcpdesc.extension.native-payload`
    @ref      a reference may stand in place of the object
    *         the object is open; only what lies below its members is described
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

ROOT = "document"
"""The shape of a whole document."""

FORM, DECLARED_FORM = "form", "declaredForm"
"""The shapes of the form that an elicitation asks for: shown in an interaction, and declared."""

_FORM = "$schema type required properties:{field}"
_PRIMITIVE = (
    "x-* _meta clientRequirements deprecated description elicitations:[elicitation] icons:[icon] name "
    "protocolVersions security tags title"
)
_TRANSPORT = "x-* type protocolVersions security"
_SCHEME = "x-* type description"
_STEP = "x-* type"
_FIELD = "type title description default"
_BLOCK = "!x-* type _meta annotations"

_SHAPES = {
    "document": (
        "x-* $schema mcpdesc info:info protocolVersions instructions tags:[tag] transports:[transport] security "
        "securitySchemes:{securityScheme} capabilities:[capability] tools:[tool] resources:[resource] "
        "resourceTemplates:[resourceTemplate] prompts:[prompt] components:components"
    ),
    "info": "x-* id name title version description websiteUrl icons:[icon] contact:contact license:license",
    "icon": "x-* src mimeType sizes theme",
    "contact": "x-* name url email",
    "license": "x-* name url",
    "tag": "x-* name description",
    # Security
    "flows": "x-* implicit:flow password:flow clientCredentials:flow authorizationCode:flow",
    "flow": "x-* authorizationUrl tokenUrl refreshUrl scopes",
    # Capabilities
    "capability": (
        "x-* protocolVersions completions experimental extensions logging prompts:listed resources:subscribed "
        "tools:listed tasks:tasks"
    ),
    "listed": "x-* listChanged",
    "subscribed": "x-* listChanged subscribe",
    "tasks": "list cancel requests:taskRequests",
    "taskRequests": "tools:taskTools",
    "taskTools": "call",
    # Primitives
    "tool": (
        f"{_PRIMITIVE} inputSchema outputSchema annotations execution:execution examples:{{toolExample}} "
        "interactionExamples:{interactionExample}"
    ),
    "execution": "taskSupport",
    "resource": f"{_PRIMITIVE} uri mimeType size annotations examples:{{resourceExample}}",
    "resourceTemplate": (
        f"{_PRIMITIVE} uriTemplate mimeType annotations examples:{{resourceTemplateExample}} "
        "completionExamples:{completionExample}"
    ),
    "prompt": (
        f"{_PRIMITIVE} arguments:[argument] examples:{{promptExample}} completionExamples:{{completionExample}}"
    ),
    "argument": "x-* name title description required",
    "elicitation": "x-* name mode message requestedSchema:declaredForm url when onDecline onCancel protocolVersions",
    DECLARED_FORM: f"@ref {_FORM}",
    FORM: _FORM,
    "choices": "type enum anyOf:[option]",
    "option": "const title",
    # Examples
    "components": (
        "x-* schemas toolExamples:{toolExample} resourceExamples:{resourceExample} "
        "resourceTemplateExamples:{resourceTemplateExample} promptExamples:{promptExample}"
    ),
    "toolExample": "@ref x-* input result:toolResult",
    "interactionExample": "x-* input steps:[step] result:toolResult",
    "resourceExample": "@ref x-* result:readResult",
    "resourceTemplateExample": "@ref x-* uri result:readResult",
    "promptExample": "@ref x-* arguments result:promptResult",
    "completionExample": "x-* argument:completionArgument context:completionContext result",
    "completionArgument": "x-* name value",
    "completionContext": "x-* arguments",
    # Values of MCP
    "toolResult": "* content:[content]",
    "readResult": "* contents:[contents]",
    "promptResult": "* messages:[promptMessage]",
    "promptMessage": "!x-* role content:content",
    "contents": "!x-* _meta uri mimeType text blob",
    # Interactions
    "elicitRequest": "mode message requestedSchema:form url",
    "elicitResponse": "action content",
    "samplingRequest": (
        "includeContext maxTokens messages:[samplingMessage] metadata modelPreferences:modelPreferences stopSequences "
        "systemPrompt temperature toolChoice:toolChoice tools:[samplingTool]"
    ),
    "samplingResponse": "role content:+content model stopReason",
    "samplingMessage": "!x-* role content:+content",
    "modelPreferences": "costPriority speedPriority intelligencePriority hints:[modelHint]",
    "modelHint": "name",
    "toolChoice": "mode",
    "samplingTool": "x-* name title description inputSchema annotations",
    "rootsRequest": "",
    "rootsResponse": "roots:[root]",
    "root": "uri name",
}
"""The shapes that have one form."""

_VARIANTS = {
    "transport": (
        "type",
        {
            "streamable-http": f"{_TRANSPORT} url",
            "sse": f"{_TRANSPORT} url",
            "stdio": f"{_TRANSPORT} command args env",
        },
    ),
    "securityScheme": (
        "type",
        {
            "http": f"{_SCHEME} scheme bearerFormat",
            "apiKey": f"{_SCHEME} name in",
            "oauth2": f"{_SCHEME} flows:flows",
            "openIdConnect": f"{_SCHEME} openIdConnectUrl",
        },
    ),
    "field": (
        "type",
        {
            "string": f"{_FIELD} minLength maxLength format",
            "string+enum": f"{_FIELD} enum enumNames",
            "string+oneOf": f"{_FIELD} oneOf:[option]",
            "number": f"{_FIELD} minimum maximum",
            "integer": f"{_FIELD} minimum maximum",
            "boolean": _FIELD,
            "array": f"{_FIELD} minItems maxItems items:choices",
            "object": "*",  # refused as a whole, by `mcp.elicitation.form.flat`
        },
    ),
    "step": (
        "type",
        {
            "elicitation": f"{_STEP} declaration request:elicitRequest response:elicitResponse",
            "sampling": f"{_STEP} request:samplingRequest response:samplingResponse",
            "roots": f"{_STEP} request:rootsRequest response:rootsResponse",
        },
    ),
    "content": (
        "type",
        {
            "text": f"{_BLOCK} text",
            "image": f"{_BLOCK} data mimeType",
            "audio": f"{_BLOCK} data mimeType",
            "resource": f"{_BLOCK} resource:contents",
            "resource_link": f"{_BLOCK} uri name title description mimeType size icons:[icon]",
            "tool_use": "!x-* type id name input",
            "tool_result": "!x-* type toolUseId isError content:+content",
        },
    ),
}
"""The shapes whose form depends on a member: that member, and the form for each of its values.

A form under `value+member` comes first where that member is there.
"""


@dataclass(frozen=True)
class Below:
    """The shape of what a member holds, and how: itself, in a list, in a map, or itself or in a list."""

    shape: str
    how: str = ""


@dataclass(frozen=True)
class Shape:
    """The members of an object."""

    members: frozenset[str] = frozenset()
    below: dict[str, Below] = field(default_factory=dict)
    is_open: bool = False
    extensible: bool = False
    native: bool = False
    referable: bool = False


def shape(name: str, value: dict[str, object]) -> Shape:
    """Return the shape of that name, in the form that suits an object.

    Where the object does not say which form it has, all members of all forms are its members.
    """
    if name in _SHAPES:
        return _parsed(_SHAPES[name])
    selector, forms = _VARIANTS[name]
    chosen = value.get(selector)
    if isinstance(chosen, str):
        for key, text in forms.items():
            kind, _, member = key.partition("+")
            if member and kind == chosen and member in value:
                return _parsed(text)
        if chosen in forms:
            return _parsed(forms[chosen])
    return _parsed(" ".join(text for text in forms.values() if text != "*"))


@cache
def _parsed(text: str) -> Shape:
    words = text.split()
    members, below = set[str](), dict[str, Below]()
    for word in words:
        if word in ("x-*", "!x-*", "@ref", "*"):
            continue
        member, _, inner = word.partition(":")
        members.add(member)
        if inner:
            how = inner[0] if inner[0] in "[{+" else ""
            below[member] = Below(inner.strip("[]{}+"), how)
    return Shape(frozenset(members), below, "*" in words, "x-*" in words, "!x-*" in words, "@ref" in words)
