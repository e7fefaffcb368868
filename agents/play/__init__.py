"""Playing in the browser: the local page of ``endeavor play`` (docs/play.md)."""

from __future__ import annotations
