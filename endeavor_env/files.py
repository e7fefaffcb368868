"""JSON files: a file that cannot be read is one clear error, and no file is left half-written."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from endeavor_env.errors import EndeavorError, named


def read_json_object(path: str | Path, what: str, error: type[EndeavorError]) -> dict[str, Any]:
    """Return the object that a JSON file holds.

    Args:
        path: The file.
        what: What the file should be, for messages.
        error: The class raised for a file that cannot be read, is not JSON, or holds something other than an object.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as problem:  # ValueError: not UTF-8, or a path with a null byte
        raise error(f"{what} {named(str(path))} cannot be read: {problem}") from problem
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as problem:  # also numbers and nesting beyond Python's limits
        raise error(f"{what} {named(str(path))} is not JSON, it may be cut off: {problem}") from problem
    if not isinstance(value, dict):
        raise error(f"{what} {named(str(path))} holds a JSON {type(value).__name__}: it must be an object")
    return value


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Write ``value`` to ``path`` in one step: readers see either the old content or the new."""
    partial = path.with_name(f"{path.name}.partial")
    partial.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")
    os.replace(partial, path)
