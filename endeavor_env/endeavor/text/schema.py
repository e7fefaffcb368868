"""The JSON Schema of the structures, made from the TypedDicts.

``schema.json`` holds what ``as_text`` returns; a test compares them.
"""

from __future__ import annotations

import json
import types
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from endeavor_env.endeavor.text import structures

FILE = Path(__file__).with_name("schema.json")
_PLAIN = {str: "string", int: "integer", bool: "boolean", type(None): "null"}


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a ``Message``."""
    found = [one for one in vars(structures).values() if is_typeddict(one)]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": structures.FORMAT,
        "$ref": "#/$defs/Message",
        "$defs": {one.__name__: _of_structure(one) for one in found},
    }


def _of_structure(structure: Any) -> dict[str, Any]:
    hints = get_type_hints(structure)
    return {
        "type": "object",
        "description": structure.__doc__,
        "properties": {name: _of(hint) for name, hint in hints.items()},
        "required": list(hints),
        "additionalProperties": False,
    }


def _of(hint: Any) -> dict[str, Any]:
    """Return the schema of one annotation."""
    if hint is Any:
        return {}
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if is_typeddict(hint):
        return {"$ref": f"#/$defs/{hint.__name__}"}
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"const": arguments[0]}
    if origin is list:
        return {"type": "array", "items": _of(arguments[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": _of(arguments[1])}
    assert origin in (Union, types.UnionType)
    return {"anyOf": [_of(one) for one in arguments]}


def as_text() -> str:
    """Return the schema as the text of ``schema.json``."""
    return json.dumps(schema(), indent=1) + "\n"
