"""The compiled players, asked for one action at a time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.players import PLAYERS as ENDEAVOR_PLAYERS
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.kernels.single import choose_action
from endeavor_env.engine.seating import Roster


def compiled_action(
    player: str, game: Game, rng: npt.NDArray[np.uint64] | None = None, mask: npt.NDArray[np.int8] | None = None
) -> int:
    """Return the action that a compiled player chooses in ``game``, -1 if none is legal.

    Args:
        player: A name of ``endeavor_env.endeavor.players``.
        game: The game, left as it is.
        rng: The generator of what the player draws; if left out, one of seed 0.
        mask: Gets the legal actions.
    """
    seen = game.mask().astype(np.int8) if mask is None else mask
    drawn = seeded(0) if rng is None else rng
    roster = Roster(ENDEAVOR_PLAYERS)
    code = roster.code_of(player)
    players = roster.seated([code], seen.size)
    return int(choose_action(code, players, *game.given, seen, drawn))
