"""The score: one table of its parts, and one sum (R12, S8, V2S.14).

``PARTS`` names the parts in the order of ``score_parts``. A ruleset that adds a part appends a row to the one and a
term to the other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from endeavor_env.endeavor.exploits.dispatch import exploit_glory, exploits_glory
from endeavor_env.endeavor.exploits.imperialism import lost_glory
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.base.glory import (
    buildings_glory,
    cards_glory,
    governor_slot_glory,
    harbor_glory,
    map_glory,
    share_of,
    slavery_glory,
    status_glory,
)
from endeavor_env.endeavor.rules.sides import has_exploits, num_mats
from endeavor_env.kernels.kernels import inlined, kernel


class ScorePart(NamedTuple):
    """One part of the score, a key of the breakdown."""

    key: str
    variants: tuple[str, ...]
    """Variants whose breakdown has the key."""


_SOLOPLAY = ("soloplay_2", "soloplay_3")
PARTS = (
    ScorePart("cities", c.VARIANT_NAMES),
    ScorePart("connections", c.VARIANT_NAMES),
    ScorePart("industry", c.VARIANT_NAMES),
    ScorePart("culture", c.VARIANT_NAMES),
    ScorePart("finance", c.VARIANT_NAMES),
    ScorePart("politics", c.VARIANT_NAMES),
    ScorePart("cards", c.VARIANT_NAMES),
    ScorePart("governor_slot", c.VARIANT_NAMES),
    ScorePart("university", c.VARIANT_NAMES),
    ScorePart("harbor", c.VARIANT_NAMES),
    ScorePart("slavery", c.VARIANT_NAMES),
    ScorePart("neutral", _SOLOPLAY),
    *(ScorePart(name, ("exploits",)) for name in c.EXPLOIT_NAMES),
)
NUM_PARTS = len(PARTS)
FIRST_EXPLOIT = NUM_PARTS - c.NUM_EXPLOITS


@inlined
def glory_on_table(board, state):
    """Return the Glory of cities, connections and cards, each a packed count that serves all mats."""
    cities, connections = map_glory(board, state)
    if has_exploits(state):
        connections -= lost_glory(board, state)
    return cities, connections, cards_glory(board, state)


@inlined
def score_parts(board, state, mat, on_table):
    """Return the Glory of ``mat`` part by part, a tuple in the order of PARTS, without the Exploits.

    ``on_table`` is ``glory_on_table`` of the position.
    """
    cities, connections, cards = on_table
    return (
        share_of(cities, mat),
        share_of(connections, mat),
        status_glory(board, state, mat, c.INDUSTRY),
        status_glory(board, state, mat, c.CULTURE),
        status_glory(board, state, mat, c.FINANCE),
        status_glory(board, state, mat, c.POLITICS),
        share_of(cards, mat),
        governor_slot_glory(board, state, mat),
        buildings_glory(board, state, mat),
        harbor_glory(board, state, mat),
        slavery_glory(board, state, mat),
        np.int64(state.neutral_reserve[mat]),  # V2S.14
    )


@inlined
def total_glory(board, state, mat, on_table):
    """Return the total Glory of ``mat`` as if the game ended now; ``on_table`` is ``glory_on_table``."""
    glory = np.int64(0)
    for part in score_parts(board, state, mat, on_table):
        glory += part
    if state.exploits != 0:
        glory += exploits_glory(board, state, mat)
    return glory


@kernel
def write_breakdowns(board, state, out):
    """Write the parts of every mat's score to ``out`` (MAX_SEATS, NUM_PARTS) int16; rows without a mat get zeros.

    In the solitaire game row 0 is the player's and row 1 the Opposition's.
    """
    out[:] = 0
    on_table = glory_on_table(board, state)
    for mat in range(num_mats(state)):
        parts = score_parts(board, state, mat, on_table)
        for index in range(FIRST_EXPLOIT):
            out[mat, index] = parts[index]
        for exploit in range(c.NUM_EXPLOITS if state.exploits != 0 else 0):
            out[mat, FIRST_EXPLOIT + exploit] = exploit_glory(board, state, mat, exploit)


@kernel
def write_totals(board, state, out):
    """Write every mat's total Glory as if the game ended now to ``out`` (MAX_SEATS,); return how many mats there are.

    Entries without a mat get 0. In the solitaire game entry 1 is the Opposition's.
    """
    out[:] = 0
    mats, on_table = num_mats(state), glory_on_table(board, state)
    for mat in range(mats):
        out[mat] = total_glory(board, state, mat, on_table)
    return mats
