"""Games in which all regions are open from the start: random play opens few, and each Exploit needs two."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.options import EXPLOITS, STANDARD
from endeavor_env.endeavor.rules.base.sail import sail
from endeavor_env.errors import InvalidOptionError


def open_regions(game: Game, seed: int = 0) -> Game:
    """Open all regions of a game that has not begun, in place, and return it.

    Seats drawn at random sail with discs from their supply until every track is full; they get tokens and Governors as
    the rules say (R8.1, R8.2). No moves stand for this, so that the game has no record.

    Args:
        game: A new game of the variant "standard" or "exploits".
        seed: Seed of the seats; equal arguments give equal positions.

    Raises:
        InvalidOptionError: The game has begun, or is another variant.
    """
    if game.history or game.variant not in (STANDARD, EXPLOITS):
        raise InvalidOptionError(f"regions cannot be opened in {game!r}: give a new game, with Exploits or without")
    rng, state, board = np.random.default_rng(seed), game.state[0], game.board.array[0]
    for region in np.flatnonzero(board.track_length).tolist():
        while not state.open[region]:
            seat = int(rng.choice(np.flatnonzero(state.supply)))
            state.supply[seat] -= 1
            state.harbor[seat] += 1
            sail(board, state, seat, region)
    return game
