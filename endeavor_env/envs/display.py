"""Showing the board of an environment, as its render mode says.

What draws is imported when something is shown: environments start sooner without it, and most are never shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import gymnasium

from endeavor_env.endeavor.game import Game
from endeavor_env.engine.faces import mover_name
from endeavor_env.engine.game import RailsGame

if TYPE_CHECKING:
    from endeavor_env.endeavor.drawing.scene import Scene
    from endeavor_env.endeavor.drawing.view import View

RENDER_FPS = 4
"""Pictures a second in films and in the window."""


def show(game: Game, render_mode: str | None, since: int | None = None) -> Any:
    """Show the board in a window (``human``), or return it as text (``ansi``) or pixels (``rgb_array``).

    Args:
        game: The game to show.
        render_mode: None, which warns and does nothing, "human", "ansi" or "rgb_array".
        since: Number of moves that the reader of the text has seen already, as for ``ansi.render``.

    Returns:
        The text, a (800, 1280, 3) uint8 array, or None.

    Raises:
        MissingLibraryError: pygame-ce is not installed, and the mode is "human" or "rgb_array".
        NoWindowError: The mode is "human", and this machine has no display.
    """
    from endeavor_env.endeavor.drawing import ansi, scene

    return _show_one(render_mode, lambda: ansi.render(game, since), lambda: scene.draw_game(game))


def show_rails_game(game: RailsGame, render_mode: str | None, since: int | None = None) -> Any:
    """Show a game of any rules; arguments, result and errors are those of ``show``."""
    faces = game.rules.faces
    made = [] if since is None else game.history[since:]

    def text() -> str:
        moves = [f"{mover_name(seat)}: {game.move_text(seat, action)}" for seat, action in made]
        return "\n".join([*moves, faces.text(game)])

    return _show_one(render_mode, text, lambda: faces.picture(game))


def show_views(views: Sequence[View], render_mode: str | None) -> tuple[Any, ...] | None:
    """Show several games as ``show`` does: in one window as a grid, or as a tuple with a text or picture of each."""
    if render_mode is None:
        _warn_without_mode()
        return None
    from endeavor_env.endeavor.drawing import ansi, scene

    if render_mode == "ansi":
        return tuple(ansi.draw(view) for view in views)
    return _show_scenes([scene.draw_scene(view) for view in views], render_mode)


def close_shown(render_mode: str | None) -> None:
    """Close the window of ``human``, if it is open."""
    if render_mode == "human":
        from endeavor_env.drawing.window import close_window

        close_window()


def _show_one(render_mode: str | None, text: Callable[[], str], scene: Callable[[], Scene]) -> Any:
    """Show a game, of which only what the mode needs is made."""
    if render_mode is None:
        _warn_without_mode()
        return None
    if render_mode == "ansi":
        return text()
    frames = _show_scenes([scene()], render_mode)
    return None if frames is None else frames[0]


def _show_scenes(scenes: Sequence[Scene], render_mode: str) -> tuple[Any, ...] | None:
    if render_mode == "rgb_array":
        from endeavor_env.drawing.raster import to_pixels

        return tuple(to_pixels(scene) for scene in scenes)
    from endeavor_env.drawing.window import show_window

    show_window(scenes, RENDER_FPS)
    return None


def _warn_without_mode() -> None:
    gymnasium.logger.warn("render() was called without a render_mode: give render_mode='ansi', 'rgb_array' or 'human'.")
