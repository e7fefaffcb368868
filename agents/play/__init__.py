"""Playing in the browser: the local page of ``python -m agents.play`` (docs/play.md)."""

from __future__ import annotations
