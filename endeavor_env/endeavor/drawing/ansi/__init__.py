"""The board as plain text: nothing but ASCII, so that it reads the same in a terminal, a log and a test."""

from __future__ import annotations

from endeavor_env.endeavor.drawing.ansi.board_text import draw, render, render_position
from endeavor_env.endeavor.drawing.ansi.lines import WIDTH

__all__ = ["WIDTH", "draw", "render", "render_position"]
