"""The metaschemas of the dialects, ready to judge schemas."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import Any

import jsonschema
from jsonschema_specifications import REGISTRY as METASCHEMAS

from mkdocs_rulebook.model import JSON

from ._vocabulary import DRAFT_07


@lru_cache(maxsize=4)
def metaschema(uri: str) -> Any:
    """Return what judges the schemas of a dialect."""
    draft: Any = jsonschema.Draft7Validator if uri == DRAFT_07 else jsonschema.Draft202012Validator
    return draft(draft.META_SCHEMA, registry=METASCHEMAS)


def binary(value: JSON) -> JSON:
    """Return a value with binary numbers: the library's metaschemas come with its own idea of an integer."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, dict):
        return {name: binary(item) for name, item in value.items()}
    return [binary(item) for item in value] if isinstance(value, list) else value
