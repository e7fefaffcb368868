"""How a game is shown to people: what a game tells the rails for text, pictures and replay pages."""

from __future__ import annotations

from typing import Any, Protocol

from endeavor_env.rails.base_game import CHANCE_NAME, BaseGame
from endeavor_env.rails.kernels.constants import CHANCE


class Faces(Protocol):
    """What people see of a game."""

    @property
    def title(self) -> str:
        """The name of the game."""
        ...

    @property
    def score(self) -> str:
        """What scores count, such as "points"."""
        ...

    @property
    def period(self) -> str:
        """What ``period_of`` numbers, such as "Round"."""
        ...

    @property
    def has_pictures(self) -> bool:
        """Whether ``picture`` draws one."""
        ...

    def period_of(self, game: Any) -> int:
        """Return the number of the round or turn in which a game stands, from 1; 0 before the first."""
        ...

    def words(self, game: Any, action: int) -> str:
        """Return a legal move in words, as what its seat does."""
        ...

    def text(self, game: Any, seat: int | None = None) -> str:
        """Return the position as lines of text: what ``seat`` may see, all of it for None."""
        ...

    def picture(self, game: Any, seat: int | None = None, theme: Any = None) -> Any:
        """Return the position as a ``render.scene.Scene``: what ``seat`` may see, all of it for None.

        ``theme`` is a ``render.scene.theme.Theme``, the light one for None.
        """
        ...


class PlainFaces:
    """Scores and the decision as text, for games that have nothing of their own to show."""

    has_pictures = False

    def __init__(self, title: str, score: str = "points", period: str = "Move") -> None:
        """Take the names of the game, of what scores count, and of what ``period_of`` numbers."""
        self.title, self.score, self.period = title, score, period

    def period_of(self, game: BaseGame) -> int:
        """Return 1: moves alone do not tell where a round begins."""
        return 1

    def words(self, game: BaseGame, action: int) -> str:
        """Return the text of a move."""
        return game.describe(action)

    def text(self, game: BaseGame, seat: int | None = None) -> str:
        """Return the scores, and what can be done now."""
        scores = (f"Seat {number}: {score} {self.score}" for number, score in enumerate(game.scores()))
        return "\n".join([self.title, *scores, decision_text(game)])

    def picture(self, game: BaseGame, seat: int | None = None, theme: Any = None) -> Any:
        """Raise NotImplementedError: there are no pictures."""
        raise NotImplementedError(f"{self.title} has no pictures")


def decision_text(game: BaseGame) -> str:
    """Return whose decision it is with the first of its legal moves, or how the game ended, as a line."""
    if game.over:
        return f"The game is over; won by {', '.join(f'seat {seat}' for seat in game.winners())}"
    return f"{mover_name(game.seat)} is to move: {game.first_moves_text()}"


def mover_name(seat: int) -> str:
    """Return the name of a seat, or of chance, at the beginning of a line."""
    return CHANCE_NAME.capitalize() if seat == CHANCE else f"Seat {seat}"
