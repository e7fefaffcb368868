"""Watching agents play on a page in the browser that follows the game."""

from __future__ import annotations
