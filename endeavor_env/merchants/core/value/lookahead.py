"""The search player: it plays the moves that the network likes best on for a round, many times, and compares the ends.

Each game that is played on begins with everything drawn anew that the seat cannot know. All seats move as the value
player does, until the seat has its next turn; what the network says there counts. The same draws are used for all
moves that are compared.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.machine.intrinsics import no_words
from endeavor_env.machine.kernels import kernel
from endeavor_env.machine.outside import called_outside
from endeavor_env.merchants.core import actions, chance
from endeavor_env.merchants.core import constants as c
from endeavor_env.merchants.core.resampling import resample
from endeavor_env.merchants.core.rules_entries import moves_entry
from endeavor_env.merchants.core.state import STATE
from endeavor_env.merchants.core.value.choice import end_or_offer, is_valued, value_action, value_moves
from endeavor_env.merchants.core.value.evaluate import look_at_position, value_there
from endeavor_env.rails.kernels import rules
from endeavor_env.rails.kernels.masks import new_words, write_bytes
from endeavor_env.rails.kernels.memory import Part, taken_apart
from endeavor_env.rails.kernels.rng import next_seed, reseed

MOST_MOVES = 16
"""Most moves that are compared."""
MOST_DECISIONS = 120
"""Most decisions of a game that is played on."""
LOOKAHEAD = np.dtype(
    (
        np.record,
        [
            ("samples", np.int64),  # games that are played on for each move, half of them for the worse half
            ("moves", np.int64),  # most moves that are compared
            ("width", np.float64),  # by how much the network may like them less than the best
        ],
    )
)


class Lookahead(NamedTuple):
    """The parts of a search player's memory; what a value player has follows."""

    settings: Annotated[npt.NDArray[np.void], Part(LOOKAHEAD, (1,))]
    position: Annotated[npt.NDArray[np.void], Part(STATE, (1,))]
    """That of a game that is played on."""
    moves: Annotated[npt.NDArray[np.int64], Part(np.int64, (MOST_MOVES,))]
    """Those that are compared, the one that the network likes best first."""
    sums: Annotated[npt.NDArray[np.float64], Part(np.float64, (MOST_MOVES,))]
    """The values of their ends, added up."""
    mask: Annotated[npt.NDArray[np.int8], Part(np.int8, (64 * actions.MASK_WORDS,))]
    chance: Annotated[npt.NDArray[np.uint64], Part(np.uint64, (1,))]
    """The generator of what is drawn in such a game."""


lookahead_of, LOOKAHEAD_SIZE = taken_apart("lookahead_of", Lookahead)
_moves = called_outside(moves_entry)


@kernel
def _advance(board, state, action, words):
    """Carry out a move, and write the mask of the next decision."""
    _moves(board, state, rules.ADVANCE, action, 0, words, actions.MASK_WORDS)


@kernel
def _is_next_turn(state, seat, rolls):
    """Return whether a seat is asked to roll again."""
    return state.decision == c.DECIDE_PRODUCTION and state.seat == seat and state.rolls > rolls


@kernel
def _play_on(board, seat, ahead, workspace):
    """Let all seats play until the next turn of ``seat``; return what the network finds that worth."""
    state, words, made = ahead.position[0], new_words(actions.MASK_WORDS), 0
    rolls, mask = np.int64(state.rolls), ahead.mask[: actions.NUM_ACTIONS]
    _moves(board, state, rules.LEGAL, 0, 0, words, actions.MASK_WORDS)
    while state.decision != c.DECIDE_NOTHING and made < MOST_DECISIONS and not _is_next_turn(state, seat, rolls):
        if state.seat == c.CHANCE:
            action = chance.draw(board, state, ahead.chance)
        else:
            write_bytes(words, mask)
            action = value_action(board, state, mask, workspace, ahead.chance)
            made += 1
        _advance(board, state, action, words)
    look_at_position(board, state, seat, workspace)
    return value_there(board, state, seat, workspace)


@kernel
def _sample(board, state, ahead, count, workspace, rng):
    """Play on once after each of the first ``count`` moves, with the same draws, and add what comes of it."""
    seed, seat = next_seed(rng), np.int64(state.seat)
    for index in range(count):
        reseed(ahead.chance, seed)
        ahead.position[0] = state
        resample(ahead.position[0], seat, ahead.chance)
        _moves(board, ahead.position[0], rules.APPLY, ahead.moves[index], 0, no_words(), 0)
        ahead.sums[index] += _play_on(board, seat, ahead, workspace)


@kernel
def _list_moves(ahead, values, best):
    """List the moves that the network likes nearly as well as the best, the best first; return how many."""
    settings, count = ahead.settings[0], np.int64(0)
    while count < settings.moves:
        chosen = np.int64(c.NONE)
        for action in range(actions.GIVE_AT):
            listed = False
            for index in range(count):
                listed = listed or ahead.moves[index] == action
            better = chosen == c.NONE or values[action] > values[chosen]
            if better and not listed and values[action] >= best - settings.width:
                chosen = np.int64(action)
        if chosen == c.NONE:
            break
        ahead.moves[count], ahead.sums[count] = chosen, 0.0
        count += 1
    return count


@kernel
def _sort(ahead, count):
    """Sort the first moves by what came of them, the best first."""
    for index in range(1, count):
        place = index
        while place > 0 and ahead.sums[place] > ahead.sums[place - 1]:
            sums, moves = ahead.sums[place], ahead.moves[place]
            ahead.sums[place], ahead.moves[place] = ahead.sums[place - 1], ahead.moves[place - 1]
            ahead.sums[place - 1], ahead.moves[place - 1] = sums, moves
            place -= 1


@kernel
def search_action(board, state, mask, ahead, workspace, rng):
    """Return the legal action that the search player chooses for ``state.seat``; arguments as of ``value_action``."""
    if not is_valued(state, mask):
        return value_action(board, state, mask, workspace, rng)
    chosen, best = value_moves(board, state, mask, workspace)
    if chosen == c.NONE:
        return value_action(board, state, mask, workspace, rng)
    count, samples = _list_moves(ahead, workspace.values, best), ahead.settings[0].samples
    if count > 1:
        for _ in range(samples // 2):
            _sample(board, state, ahead, count, workspace, rng)
        _sort(ahead, count)
        count = (count + 1) // 2
        for _ in range(samples - samples // 2 if count > 1 else 0):
            _sample(board, state, ahead, count, workspace, rng)
        _sort(ahead, count)
    return end_or_offer(board, state, mask, ahead.moves[0], workspace)
