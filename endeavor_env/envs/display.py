"""Showing games, as the render mode of an environment says.

What draws is imported when something is shown: environments start sooner without it, and most are never shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import gymnasium

from endeavor_env.engine.game import Game, GameConfig
from endeavor_env.engine.presenter import Presenter

if TYPE_CHECKING:
    from endeavor_env.drawing.shapes import Scene

RENDER_FPS = 4
"""Pictures a second in films and in the window."""
METADATA: dict[str, Any] = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": RENDER_FPS}
"""Attribute ``metadata`` of every environment; those of games without pictures have fewer modes."""


def show(game: Game, presenter: Presenter, render_mode: str | None, since: int | None = None) -> Any:
    """Show a game in a window (``human``), or return it as text (``ansi``) or pixels (``rgb_array``).

    Args:
        game: The game to show.
        presenter: What people see of it.
        render_mode: None, which warns and does nothing, "human", "ansi" or "rgb_array".
        since: Number of moves that the reader of the text has seen already, as for ``Presenter.news``.

    Returns:
        The text, a (800, 1280, 3) uint8 array, or None.

    Raises:
        MissingLibraryError: pygame-ce is not installed, and the mode is "human" or "rgb_array".
        NoWindowError: The mode is "human", and this machine has no display.
    """
    shown = _show(render_mode, [lambda: presenter.news(game, since)], [lambda: presenter.picture(game)])
    return None if shown is None else shown[0]


def show_positions(positions: Sequence[tuple[GameConfig, Any]], presenter: Presenter, render_mode: str | None) -> Any:
    """Show several positions: in one window as a grid, or as a tuple with a text or picture of each.

    Args:
        positions: What is played, and the position, (1,).
        presenter: What people see of the game.
        render_mode: As for ``show``.
    """
    texts = [lambda one=one: presenter.position_text(*one) for one in positions]
    return _show(render_mode, texts, [lambda one=one: presenter.position_picture(*one) for one in positions])


def metadata_for(presenter: Presenter, metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the ``metadata`` of an environment with the render modes that the game has: wrappers try out all."""
    return {**metadata, "render_modes": metadata["render_modes"] if presenter.has_pictures else ["ansi"]}


def close_shown(render_mode: str | None) -> None:
    """Close the window of ``human``, if it is open."""
    if render_mode == "human":
        from endeavor_env.drawing.window import close_window

        close_window()


def _show(
    render_mode: str | None, texts: Sequence[Callable[[], str]], scenes: Sequence[Callable[[], Scene]]
) -> tuple[Any, ...] | None:
    """Show games, of which only what the mode needs is made; return their texts or pixels."""
    if render_mode is None:
        gymnasium.logger.warn(
            "render() was called without a render_mode: give render_mode='ansi', 'rgb_array' or 'human'."
        )
        return None
    if render_mode == "ansi":
        return tuple(text() for text in texts)
    drawn = [scene() for scene in scenes]
    if render_mode == "rgb_array":
        from endeavor_env.drawing.raster import to_pixels

        return tuple(to_pixels(scene) for scene in drawn)
    from endeavor_env.drawing.window import show_window

    show_window(drawn, RENDER_FPS)
    return None
