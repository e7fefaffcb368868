"""Set-up of a game: the random outcomes of any variant, and the state they lead to (R2, S1, V2S, V2F)."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.exploits.dispatch import set_up_exploits
from endeavor_env.endeavor.exploits.tiles import draw_exploits
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.base.components import deal_tokens, lay_out
from endeavor_env.endeavor.rules.sides import has_exploits, has_neutral_discs, is_solo
from endeavor_env.endeavor.rules.state import EMPTY_SETUP, EMPTY_STATE
from endeavor_env.endeavor.variants.neutral import set_up_neutral
from endeavor_env.endeavor.variants.solo.deal import draw_solo, europe_shows_all, set_up_solo
from endeavor_env.engine.kernels.rng import next_below
from endeavor_env.kernels.kernels import kernel

TILES = 3  # Exploits in a game by the printed rules (X1.1)


@kernel
def random_setup(board, rng, num_seats, variant, setups, index):
    """Draw every random outcome into ``setups[index]``, SETUP: tokens (R2.1), first player (R2.5), solo's (S1).

    In the solitaire game tokens are dealt again until Europe shows what S1.4 asks for; the board must be able to.
    """
    setups[index] = EMPTY_SETUP[0]
    setup = setups[index]
    deal_tokens(board, rng, setup.tokens)
    setup.first_player = next_below(rng, num_seats)
    if variant == c.VARIANT_SOLO:
        while not europe_shows_all(board, setup.tokens):
            deal_tokens(board, rng, setup.tokens)
        draw_solo(board, rng, setup)
    elif variant == c.VARIANT_EXPLOITS:
        setup.exploits = draw_exploits(board, rng, TILES)


@kernel
def set_up(board, states, index, num_seats, variant, options, setup):
    """Fill ``states[index]`` with the position after everything that nobody decides (R2.1-R2.5, S1, V2S.1-V2S.3).

    ``options`` (NUM_OPTIONS,) int16 is indexed by OPTION_*; ``setup`` is a SETUP record.
    """
    states[index] = EMPTY_STATE[0]
    state = states[index]
    state.num_seats = num_seats
    state.variant = variant
    state.ties_first = options[c.OPTION_TIES]
    state.difficulty = options[c.OPTION_DIFFICULTY]
    state.ignore_industry = options[c.OPTION_IGNORE_INDUSTRY]
    state.removed_stay = options[c.OPTION_REMOVED_STAY]
    state.first_player = setup.first_player
    state.fewer_discs = options[c.OPTION_EXPLOIT_DISCS]
    state.value1_bonus = options[c.OPTION_VALUE1_BONUS]
    lay_out(board, state, setup.tokens)
    if is_solo(state):
        set_up_solo(board, state, setup)
    elif has_neutral_discs(state):
        set_up_neutral(board, state)
    elif has_exploits(state):
        chosen = np.int64(options[c.OPTION_EXPLOITS])
        set_up_exploits(board, state, setup.exploits if chosen < 0 else chosen)
