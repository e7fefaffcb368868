"""The compiled players, asked for one action at a time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from endeavor_env.core.policies.choose import CODES, choose_action, new_memory
from endeavor_env.core.rng import seeded
from endeavor_env.game import Game


def compiled_action(
    player: str, game: Game, rng: npt.NDArray[np.uint64] | None = None, mask: npt.NDArray[np.int8] | None = None
) -> int:
    """Return the action that a compiled player chooses in ``game``, -1 if none is legal.

    Args:
        player: A name of POLICIES.
        game: The game, left as it is.
        rng: The generator of what the player draws; if left out, one of seed 0.
        mask: Gets the legal actions.
    """
    seen = game.mask().astype(np.int8) if mask is None else mask
    drawn = seeded(0) if rng is None else rng
    return int(choose_action(CODES[player], game.board.array, game.state, seen, new_memory(seen.size), drawn))
