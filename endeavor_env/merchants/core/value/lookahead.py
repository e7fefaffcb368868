"""The search player: after each move it plays its turn to the end as the value player does, and compares the ends.

The value player has ``greedy`` play the turn on, so a move whose use only a good next move shows looks like nothing.
Here every later move of the turn is one that the value player would choose.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.machine.intrinsics import assign
from endeavor_env.machine.kernels import kernel
from endeavor_env.merchants.core import actions
from endeavor_env.merchants.core import constants as c
from endeavor_env.merchants.core.greedy.player import is_better
from endeavor_env.merchants.core.moving import carry_out, write_legal
from endeavor_env.merchants.core.state import STATE
from endeavor_env.merchants.core.value.choice import (
    MOST_OF_TURN,
    SAME,
    compare_turns,
    goes_on_with_turn,
    is_compared,
    value_action,
)
from endeavor_env.merchants.core.value.evaluate import liking_there, look_at_position, value_there
from endeavor_env.merchants.core.value.listing import list_moves
from endeavor_env.merchants.core.value.offers import gift_that_helps, go_on_with_offer, liking_of_best
from endeavor_env.merchants.core.value.workspace import MOST_MOVES
from endeavor_env.rails.kernels.memory import Part, taken_apart


class Lookahead(NamedTuple):
    """The parts of a search player's memory; what a value player has follows."""

    position: Annotated[npt.NDArray[np.void], Part(STATE, (1,))]
    """That of a turn that is played on."""
    moves: Annotated[npt.NDArray[np.int64], Part(np.int64, (MOST_MOVES,))]
    """Those that are compared, the one that the value player likes best first."""
    mask: Annotated[npt.NDArray[np.int8], Part(np.int8, (64 * actions.MASK_WORDS,))]
    drawn: Annotated[npt.NDArray[np.void], Part(STATE, (1,))]
    """The position at hand with the hidden cards drawn anew."""
    offered: Annotated[npt.NDArray[np.void], Part(STATE, (1,))]
    """That after an offer."""
    chance: Annotated[npt.NDArray[np.uint64], Part(np.uint64, (1,))]
    """The generator of hidden cards."""


lookahead_of, LOOKAHEAD_SIZE = taken_apart("lookahead_of", Lookahead)


@kernel
def _end_of_turn(board, state, action, ahead, workspace, rng):
    """Play the turn to its end after a move; return how the end is liked, and what it is worth."""
    seat, turn, mask = np.int64(state.seat), ahead.position[0], ahead.mask[: actions.NUM_ACTIONS]
    assign(ahead.position, state)
    carry_out(board, turn, action)
    for _ in range(MOST_OF_TURN):
        if action == actions.END or not goes_on_with_turn(turn, seat):
            break
        write_legal(board, turn, mask)
        action, _ = compare_turns(board, turn, mask, workspace, rng)
        if action == actions.END or action == c.NONE:
            break
        carry_out(board, turn, action)
    look_at_position(board, state, seat, workspace)
    worth = value_there(board, turn, seat, workspace)
    return liking_there(board, turn, seat, worth, workspace), worth


@kernel
def _best_of_listed(board, state, count, ahead, workspace, rng):
    """Return the listed move after which the turn ends best, and what its end is worth."""
    chosen, best, worth = np.int64(c.NONE), -np.inf, np.nan
    for index in range(count):
        action = ahead.moves[index]
        liked, value = _end_of_turn(board, state, action, ahead, workspace, rng)
        if is_better(action, liked, best, SAME):
            chosen, best, worth = action, liked, value
    return chosen, worth


@kernel
def search_action(board, state, mask, ahead, workspace, rng):
    """Return the legal action that the search player chooses for ``state.seat``; arguments as of ``value_action``."""
    if state.decision == c.DECIDE_OFFER:
        return go_on_with_offer(board, state, ahead, workspace, rng)
    if not is_compared(state, mask):
        return value_action(board, state, mask, workspace, rng)
    settings = workspace.settings[0]
    chosen, settings.value = compare_turns(board, state, mask, workspace, rng)
    if chosen == c.NONE:
        return value_action(board, state, mask, workspace, rng)
    count, liked = list_moves(workspace.values, settings.turns, ahead.moves), liking_of_best(chosen, workspace)
    gift = gift_that_helps(board, state, mask, liked, ahead, workspace, rng)
    if gift != c.NONE:
        return gift
    if count > 1:
        chosen, settings.value = _best_of_listed(board, state, count, ahead, workspace, rng)
    return np.int64(chosen)
