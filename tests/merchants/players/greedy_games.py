"""Games of the greedy player, decision by decision, so that every move is checked."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from endeavor_env.engine.game import Game
from endeavor_env.engine.game_rules import rows_of
from endeavor_env.engine.kernels import single
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.seating import SeatedPlayers
from tests.merchants.core.games import new_game


class Chooser:
    """Lets compiled players of the game choose."""

    def __init__(self, game: Game, *names: str) -> None:
        """Seat the players of these names, one for each seat or one for all."""
        players = SeatedPlayers(game.mask().size, of=game.rules.players)
        self._codes = [players.code_of(name) for name in (names * game.num_players)[: game.num_players]]
        self._players = players.seat_alone(frozenset(self._codes))
        self._rng = seeded(1)

    def action(self, game: Game) -> int:
        """Return the choice of the seat to move."""
        return self._choose(game.seat, rows_of(game.config.board_array), rows_of(game.state), game.mask())

    def _choose(self, seat: int, boards: Any, positions: Any, mask: Any) -> int:
        legal = mask.astype(np.int8)
        return int(single.choose_compiled(self._codes[seat], self._players, boards, positions, legal, self._rng))


def play(game: Game, *names: str, most: int = 10_000) -> Iterator[tuple[Game, int]]:
    """Play a game on, at most so many decisions; yield it with each move before it is made."""
    chooser = Chooser(game, *names)
    for _ in range(most):
        if game.over:
            return
        action = chooser.action(game)
        yield game, action
        game.apply(action)  # which refuses an illegal one


def digest() -> str:
    """Return what tells apart the moves of the beginning of a few games."""
    hashed = hashlib.sha256()
    for seed, (side, players, start) in enumerate((("short", 4, 0), ("short", 3, 1), ("expert", 3, 1))):
        game = new_game(side, players, start, seed=seed)
        for _, action in play(game, "greedy", most=100):
            hashed.update(action.to_bytes(2, "little"))
    return hashed.hexdigest()


if __name__ == "__main__":
    print(digest())
