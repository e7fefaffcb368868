"""What a value network sees besides the features: the greedy player's estimates of the position.

An observation says what lies where; how much of it a seat can still use takes counting that a small network learns
slowly. The greedy player counts it well, and its estimates are sums that are cheap to compute, so a network that is
given them begins where the greedy player is and learns what that overlooks.

The order of the estimates is (mats as in the observation: the own one first, then the others in turn order):

- for each of MAX_SEATS mats: Glory as if the game ended now, and ``seat_value`` where somebody sits;
- the parts of the own ``seat_value``: income and stock, room for cards, Glory that markers will bring, tokens, cards,
  regions, links;
- the lead over the best other mat, in Glory and in ``seat_value``;
- what the Opposition may still gain, in the solitaire game.
"""

from __future__ import annotations

import hashlib

import numpy as np

from endeavor_env.core import constants as c
from endeavor_env.core._jit import kernel
from endeavor_env.core.engine.scoring import glory_on_table, total_glory
from endeavor_env.core.policies.greedy.opposition_prospects import opposition_prospects
from endeavor_env.core.policies.greedy.position_value import (
    OPPOSITION_SET,
    SOLO_SET,
    W_LATE,
    W_PROGRESS,
    blue_tokens,
    card_chances,
    card_room,
    income_and_stock,
    link_chances,
    region_chances,
    rounds_ahead,
    seat_value,
)
from endeavor_env.core.policies.greedy.progress import promised_glory
from endeavor_env.core.policies.greedy.weights import NAMES, WEIGHTS
from endeavor_env.core.sides import is_solo, num_mats

PARTS_AT = 2 * c.MAX_SEATS
LEAD_AT = PARTS_AT + 7
OPPOSITION_AT = LEAD_AT + 2
NUM_ESTIMATES = OPPOSITION_AT + 1

SCALE = np.float32(1.0 / 16.0)  # of all estimates, in Glory: most are then 0..4
_WEIGHTS = WEIGHTS.as_array()


def estimates_hash() -> str:
    """Return the first 12 hexadecimal digits of a hash of what the estimates depend on."""
    text = f"1 {NUM_ESTIMATES} {list(zip(NAMES, _WEIGHTS.tolist(), strict=True))}"
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@kernel
def _write_own_parts(board, state, seat, weights, out):
    """Write the parts of the own ``seat_value``, (7,) float32; return its sum without the Glory now."""
    ahead = rounds_ahead(board, state)
    income, room = income_and_stock(board, state, seat, ahead, weights), card_room(board, state, seat, weights)
    promised = weights[W_PROGRESS] * promised_glory(board, state, seat)
    tokens, cards = blue_tokens(state, seat, weights), card_chances(board, state, seat, weights)
    regions, links = region_chances(board, state, seat, weights), link_chances(board, state, seat, weights)
    out[0], out[1], out[2], out[3], out[4], out[5], out[6] = income, room, promised, tokens, cards, regions, links
    chances = promised + tokens + cards + regions + links
    return income + room + (chances if ahead > 0.0 else weights[W_LATE] * chances)


@kernel
def write_estimates(board, state, seat, out):
    """Write the estimates of a position as ``seat`` sees it.

    Args:
        board: BOARD record, read only.
        state: STATE record, read only.
        seat: The seat.
        out: (NUM_ESTIMATES,) float32, overwritten.
    """
    weights = _WEIGHTS[SOLO_SET:] if is_solo(state) else _WEIGHTS
    mats, now = num_mats(state), glory_on_table(board, state)
    out[:] = 0.0
    best_glory, best_value = -np.inf, -np.inf
    for step in range(mats):
        mat = (seat + step) % mats
        glory = np.float64(total_glory(board, state, mat, now))
        if step == 0:
            value = glory + _write_own_parts(board, state, seat, weights, out[PARTS_AT:LEAD_AT])
        elif mat < state.num_seats:
            value = seat_value(board, state, mat, now, weights)
        else:
            value = glory
        out[2 * step], out[2 * step + 1] = glory, value
        if step > 0:
            best_glory, best_value = max(best_glory, glory), max(best_value, value)
    out[LEAD_AT], out[LEAD_AT + 1] = out[0] - best_glory, out[1] - best_value
    if is_solo(state):
        out[OPPOSITION_AT] = opposition_prospects(board, state, _WEIGHTS[OPPOSITION_SET:])
    for place in range(NUM_ESTIMATES):
        out[place] *= SCALE
