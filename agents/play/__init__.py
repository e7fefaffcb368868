"""Playing in the browser: ``endeavor play``."""

from __future__ import annotations
