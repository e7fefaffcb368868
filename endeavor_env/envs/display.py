"""Showing the board of an environment, as its render mode says."""

from __future__ import annotations

import gymnasium

from endeavor_env.game import Game
from endeavor_env.render import ansi


def show(game: Game, render_mode: str | None, since: int | None = None) -> str | None:
    """Print the board (``human``) or return it as text (``ansi``); warn and do nothing without a mode.

    Args:
        game: The game to show.
        render_mode: None, "human" or "ansi".
        since: Number of moves the reader has seen already, as for ``ansi.render``.
    """
    if render_mode is None:
        gymnasium.logger.warn("render() was called without a render_mode: give render_mode='ansi' or 'human'.")
        return None
    text = ansi.render(game, since)
    if render_mode == "human":
        print(text, end="\n\n")
        return None
    return text
