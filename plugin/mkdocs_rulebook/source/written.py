"""Values as JSON text, with every number as it was spelled."""

from __future__ import annotations

import json
from decimal import Decimal

from mkdocs_rulebook.model import JSON


def as_json(value: JSON, margin: str = "") -> str:
    """Return a value as JSON (RFC 8259), one member or item on a line; it is YAML as well."""
    if isinstance(value, Decimal):
        return str(value)
    if not isinstance(value, dict | list) or not value:
        return json.dumps(value, ensure_ascii=False)
    inner = margin + " "
    if isinstance(value, dict):
        lines = [f"{json.dumps(name, ensure_ascii=False)}: {as_json(item, inner)}" for name, item in value.items()]
    else:
        lines = [as_json(item, inner) for item in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}\n{inner}" + f",\n{inner}".join(lines) + f"\n{margin}{closing}"
