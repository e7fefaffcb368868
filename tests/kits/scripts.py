"""Scripts of ``docs`` as modules; they are not part of any package."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parents[2] / "docs"


def load_script(path: str) -> Any:
    """Return the script at ``path`` below ``docs`` as a fresh module, which may import the scripts beside it."""
    script = DOCS / path
    spec = importlib.util.spec_from_file_location(script.stem.strip("_"), script)  # "__main__" would run
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(script.parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(script.parent))
    return module
