"""Scores by round: what every seat of a game has at the end of each round."""

from __future__ import annotations

from endeavor_env import Game
from endeavor_env.engine.base_game import BaseGame


class RoundScores:
    """Notes the scores of every seat, as if the game ended now, at the end of each round of the games it is shown.

    Pass it to ``play_game`` or ``Series.play_setup`` as ``after_move``. A round is over when the first decision of the
    next one is due, or the game has ended. Games but Endeavor, which may have any number of rounds, count as one round.

    Attributes:
        games: For each game, in the order they were begun, and each of its rounds, what ``Game.scores`` returned.
    """

    def __init__(self) -> None:
        """Begin without games."""
        self.games: list[list[list[int]]] = []
        self._game: BaseGame | None = None
        self._round = 0

    def __call__(self, game: BaseGame) -> None:
        """Look at a game after one of its moves, the first of which must be shown as well."""
        if game is not self._game:
            self._game, self._round = game, 1
            self.games.append([])
        now = game.round if isinstance(game, Game) else self._round
        if now > self._round or game.over:
            self._round = now
            self.games[-1].append(game.scores())
