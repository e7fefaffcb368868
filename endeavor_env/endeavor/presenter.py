"""Text and pictures of Endeavor for everything that shows any game.

What draws is imported when something is shown: environments start sooner without it, and most are never shown.
"""

from __future__ import annotations

from typing import Any

from endeavor_env.engine.presenter import Presenter


class EndeavorPresenter(Presenter):
    """Text and pictures of games and of bare positions (``engine.presenter.Presenter``)."""

    has_pictures = shows_positions = True

    def __init__(self) -> None:
        """Name the game, its points and its rounds."""
        super().__init__("Endeavor", "Glory", "Round")

    def period_of(self, game: Any) -> int:
        """Return the round, 1 to 7; 0 while decisions of the set-up are made."""
        return int(game.state["round_number"][0])

    def text(self, game: Any, seat: int | None = None) -> str:
        """Return the whole table with the last move: nothing is hidden."""
        return self.news(game, None)

    def picture(self, game: Any, seat: int | None = None, theme: Any = None) -> Any:
        """Return the picture of the game with its last moves."""
        from endeavor_env.endeavor.drawing import scene

        return scene.draw_game(game) if theme is None else scene.draw_game(game, theme)

    def news(self, game: Any, since: int | None) -> str:
        """Return the whole table with the new moves, the last one for None, and what the Opposition did after them."""
        from endeavor_env.endeavor.drawing import ansi

        return ansi.render(game, since)

    def position_text(self, config: Any, state: Any) -> str:
        """Return a bare position as text."""
        from endeavor_env.endeavor.drawing import ansi

        return ansi.render_position(config.board, state)

    def position_picture(self, config: Any, state: Any) -> Any:
        """Return the picture of a bare position."""
        from endeavor_env.endeavor.drawing import scene
        from endeavor_env.endeavor.drawing.view import view_position

        return scene.draw_scene(view_position(config.board, state))
