"""Showing the board of an environment, as its render mode says."""

from __future__ import annotations

import gymnasium
import numpy as np
import numpy.typing as npt

from endeavor_env.game import Game
from endeavor_env.render import ansi
from endeavor_env.render.raster import to_pixels
from endeavor_env.render.scene import draw_scene
from endeavor_env.render.view import view_game
from endeavor_env.render.window import show_window

RENDER_FPS = 4
"""Pictures a second in films and in the window."""
Shown = str | npt.NDArray[np.uint8] | None


def show(game: Game, render_mode: str | None, since: int | None = None) -> Shown:
    """Show the board in a window (``human``), or return it as text (``ansi``) or pixels (``rgb_array``).

    Args:
        game: The game to show.
        render_mode: None, which warns and does nothing, "human", "ansi" or "rgb_array".
        since: Number of moves the reader has seen already, as for ``ansi.render``.

    Returns:
        The text, a (800, 1280, 3) uint8 array, or None.

    Raises:
        MissingLibraryError: pygame-ce is not installed, and the mode is "human" or "rgb_array".
        NoWindowError: The mode is "human", and this machine has no display.
    """
    if render_mode is None:
        gymnasium.logger.warn(
            "render() was called without a render_mode: give render_mode='ansi', 'rgb_array' or 'human'."
        )
        return None
    if render_mode == "ansi":
        return ansi.render(game, since)
    scene = draw_scene(view_game(game, since))
    if render_mode == "rgb_array":
        return to_pixels(scene)
    show_window(scene, RENDER_FPS)
    return None
