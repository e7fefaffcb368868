"""Games of random legal moves, with a check of every state where asked for."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from endeavor_env.board import Board
from endeavor_env.core import entry
from endeavor_env.core.actions import num_actions
from endeavor_env.core.checks import audit, audited_play
from endeavor_env.core.rng import seeded
from endeavor_env.game import Game
from endeavor_env.testing.soundness import UnsoundStateError, check_state

MAX_DECISIONS = 2000
"""More decisions than any game has; the longest games have five seats.

A seat activates each of its buildings once per round: 35 activations with one more building each round, and 7 more if
its one level-5 building pays. The 16 blue tokens add at most 16. That makes 226 activations for five seats, with three
decisions each, and at most two cards each, which are discarded once. With 35 builds and passes, 226 payments and 35
declined discards the sum stays below 1,600.
"""


def random_game(
    players: int | None = None,
    seed: int = 0,
    *,
    variant: str = "standard",
    options: Mapping[str, Any] | None = None,
    board: Board | str | Path | None = None,
    decisions: int = MAX_DECISIONS,
    redraws: int = 0,
    check: bool = False,
) -> Game:
    """Return a game played with random legal moves, to its end or for a number of decisions.

    Args:
        players: As for ``Game.new``: 3 to 5 in the standard game, 4 if left out.
        seed: Seed of the set-up and of the moves; equal arguments give equal games.
        variant: As for ``Game.new``.
        options: As for ``Game.new``.
        board: As for ``Game.new``.
        decisions: Most decisions to make.
        redraws: 0 is uniform play; 1 to 4 make long games that crowd the first regions, -1 to -4 the last, with higher
            buildings (``core.checks.audited_play.choose_eager``).
        check: Whether to check the state at every decision (``check_state``).

    Raises:
        UnsoundStateError: With ``check``: a state is unsound, or the game does not end within MAX_DECISIONS.
    """
    game = Game.new(players, variant, seed, board=board, options=options)
    rng = seeded(-1 - seed)
    mask = np.empty(num_actions(variant), np.int8)
    for _ in range(decisions):
        if check:
            check_state(game)
        if entry.legal(game.board.array, game.state, mask) == 0:
            break
        game.apply(int(audited_play.choose_eager(mask, rng, redraws)))
    if check:
        check_state(game)
        if not game.over and decisions >= MAX_DECISIONS:
            raise UnsoundStateError(game, [audit.FLAG_NAMES[audit.ENDLESS]])
    return game
