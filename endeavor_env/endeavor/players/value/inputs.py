"""What a value network sees besides the features, and what the end of a game is worth."""

from __future__ import annotations

import hashlib

import numpy as np

from endeavor_env.endeavor.observe.layouts import FEATURES
from endeavor_env.endeavor.observe.write import write_features
from endeavor_env.endeavor.players.greedy.player import (
    OPPOSITION_SET,
    SOLO_SET,
    opposition_prospects,
    prospects,
    rounds_ahead,
    value_of_parts,
)
from endeavor_env.endeavor.players.greedy.weights import EXPLOIT_PREFIX, NAMES, WEIGHTS
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.sides import is_solo, num_mats
from endeavor_env.engine.layouts import row_offsets
from endeavor_env.kernels.kernels import kernel

# --- What a value network sees besides the features: the greedy player's estimates of the position -------------------
# An observation says what lies where; how much of it a seat can still use takes counting that a small network learns
# slowly. The greedy player counts it well, and its estimates are sums that are cheap to compute, so a network that is
# given them begins where the greedy player is and learns what that overlooks.
#
# The order of the estimates is (mats as in the observation: the own one first, then the others in turn order):
#
# - for each of MAX_SEATS mats: Glory as if the game ended now;
# - the parts of the own ``seat_value`` besides: income and stock, with what Exploits may bring, room for cards, Glory
#   that markers will bring, tokens, cards, regions, links;
# - the own ``seat_value``;
# - the lead over the Glory of the best other mat, in Glory and in ``seat_value``;
# - what the Opposition may still gain, in the solitaire game.
#
# The others' ``seat_value`` is not among them: it would cost more time than all else that a position is valued by.

NUM_PARTS = 7  # what `prospects` returns
PARTS_AT = c.MAX_SEATS
VALUE_AT = PARTS_AT + NUM_PARTS
LEAD_AT = VALUE_AT + 1
OPPOSITION_AT = LEAD_AT + 2
NUM_ESTIMATES = OPPOSITION_AT + 1

SCALE = np.float32(1.0 / 16.0)  # of all estimates, in Glory: most are then 0..4
_WEIGHTS = WEIGHTS.as_array()
_AT = row_offsets(FEATURES)


def estimates_hash(exploits: bool = False) -> str:
    """Return 12 hexadecimal digits of a hash of what the estimates depend on, with ``exploits`` in games of these."""
    weights = zip(NAMES, _WEIGHTS.tolist(), strict=True)
    used = [pair for pair in weights if exploits or not pair[0].startswith(EXPLOIT_PREFIX)]
    text = f"1 {NUM_ESTIMATES} {used}"
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@kernel
def write_estimates(board, state, seat, features, out):
    """Write the estimates of a position as ``seat`` sees it.

    Args:
        board: BOARD record, read only.
        state: STATE record, read only.
        seat: The seat.
        features: Float32, the features of the position as ``seat`` sees it; read only.
        out: (NUM_ESTIMATES,) float32, overwritten.
    """
    solo, best = is_solo(state), -np.inf
    for place in range(c.MAX_SEATS):
        out[place] = np.rint(np.float64(features[_AT.glory + place]) * 100.0)  # exact: Glory is a whole number
        if 0 < place < num_mats(state):
            best = max(best, np.float64(out[place]))
    weights = _WEIGHTS[SOLO_SET:] if solo else _WEIGHTS
    glory, ahead = np.float64(out[0]), rounds_ahead(board, state)
    parts = prospects(board, state, seat, ahead, weights)
    for part in range(NUM_PARTS):
        out[PARTS_AT + part] = parts[part]
    value = value_of_parts(glory, parts, ahead, weights)
    out[VALUE_AT] = value
    out[LEAD_AT], out[LEAD_AT + 1] = glory - best, value - best
    out[OPPOSITION_AT] = opposition_prospects(board, state, _WEIGHTS[OPPOSITION_SET:]) if solo else 0.0
    for place in range(NUM_ESTIMATES):
        out[place] *= SCALE


@kernel
def write_inputs(board, state, seat, estimates, out):
    """Write what a network sees of a position as ``seat``: the features and then ``estimates`` many estimates.

    ``estimates`` is NUM_ESTIMATES, or 0 for a network of features alone; ``out`` is (inputs,) float32, overwritten.
    """
    features = out.size - estimates
    write_features(board, state, seat, out[:features])
    if estimates > 0:
        write_estimates(board, state, seat, out[:features], out[features:])


# --- What the end of a game is worth to a seat: the quantity that value networks estimate ----------------------------

MARGIN_WEIGHT = 0.02
"""What a Glory of lead counts beside a win, so that leads still count in games that are decided."""
MOST_MARGIN = 30.0
"""A lead or deficit above this counts as this."""


@kernel
def outcome(state, scores, mats, seat):
    """Return the share of the win of ``seat``, 0..1, plus its lead over the best other mat times MARGIN_WEIGHT.

    Seats that share the first place get equal shares (R12.10); in the solitaire game a tie wins (S8.3).

    Args:
        state: STATE record; the position need not be the end of the game.
        scores: (MAX_SEATS,) Glory of every mat, as ``engine.scoring.write_totals`` writes it.
        mats: The number of mats.
        seat: The seat, 0 or more.
    """
    own, best, equal = np.int64(scores[seat]), np.int64(-(1 << 30)), np.int64(1)
    for other in range(mats):
        if other != seat:
            best = max(best, np.int64(scores[other]))
            equal += np.int64(scores[other]) == own
    share = 0.0
    if own >= best:
        share = 1.0 if is_solo(state) else 1.0 / np.float64(equal)
    margin = np.float64(own - best)
    return share + MARGIN_WEIGHT * min(MOST_MARGIN, max(-MOST_MARGIN, margin))
