"""The lookahead player: the turn after which greedy play by all seats ends best."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.flow.dispatch import apply
from endeavor_env.endeavor.flow.scoring import write_totals
from endeavor_env.endeavor.players.greedy import player
from endeavor_env.endeavor.players.greedy.player import NUM_WEIGHTS, greedy_action, position_value
from endeavor_env.endeavor.players.greedy.weights import WEIGHTS, Weights
from endeavor_env.endeavor.players.search.tree import (
    SLOTS,
    TURN,
    difference_key,
    first_legal,
    keep_turn,
    note_position,
    same_words,
)
from endeavor_env.endeavor.players.value.inputs import outcome
from endeavor_env.endeavor.players.value.player import DEPTH, next_complete_turn, turn_goes_on
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import NUM_IDS, PASS_AT
from endeavor_env.endeavor.rules.sides import is_solo
from endeavor_env.endeavor.rules.state import STATE, board_at, state_at
from endeavor_env.engine.kernels.masks import count_legal
from endeavor_env.engine.kernels.players import Part, player_entry, taken_apart
from endeavor_env.kernels.intrinsics import bytes_at, generator_at, memory_at
from endeavor_env.kernels.kernels import kernel

# --- The memory of the lookahead player ------------------------------------------------------------------------------
# Settings, line and scratch; ``lookahead_workspace_of`` returns the parts.

LOOKAHEAD = np.dtype(
    (
        np.record,
        [
            ("width", np.int64),  # most turns that are played out, 1..WIDEST
            ("best_rival", np.float64),  # at the end of a round: share of the best rival's value that is subtracted
            ("all_rivals", np.float64),  # the same of the mean of the rivals' values
            ("weights", np.float64, (NUM_WEIGHTS,)),  # greedy's
            ("turn_search", np.uint64),  # number of the last search over a turn
            ("path", np.int64, (DEPTH,)),  # scratch: the actions to the position that is valued
            # --- the best line of play found: the actions of all seats, as far as they are worth keeping
            ("line_at", np.int64),  # index of its next action
            ("line_length", np.int64),
            ("line_value", np.float64),  # what its end is worth to the seat to move
        ],
    )
)
WIDEST = 64
LONGEST_LINE = 512
"""Actions of a line that are kept; no usual game of one seat has more."""
PLANNED, PLAYOUT = DEPTH + 1, DEPTH + 2  # indices of states


class LookaheadWorkspace(NamedTuple):
    """The parts of a lookahead player's memory, as views."""

    settings: Annotated[npt.NDArray[np.void], Part(LOOKAHEAD, (1,))]
    lines: Annotated[npt.NDArray[np.int64], Part(np.int64, (2, LONGEST_LINE))]
    """The actions of the best line, and of the line that is being played out."""
    states: Annotated[npt.NDArray[np.void], Part(STATE, (DEPTH + 3,))]
    """The position, one for each decision of a turn, that of the line, that of the playout."""
    words: Annotated[npt.NDArray[np.int64], Part(np.int64, (DEPTH + 3, STATE.itemsize // 8), shows="states")]
    """The same as integers, to compare them."""
    greedy_states: Annotated[npt.NDArray[np.void], Part(STATE, (player.DEPTH,))]
    """Scratch of the greedy player."""
    masks: Annotated[npt.NDArray[np.int8], Part(np.int8, (DEPTH, NUM_IDS))]
    greedy_masks: Annotated[npt.NDArray[np.int8], Part(np.int8, (player.DEPTH, NUM_IDS))]
    """Scratch of the greedy player."""
    cursors: Annotated[npt.NDArray[np.int64], Part(np.int64, (DEPTH,))]
    """The next action to try of each decision."""
    turns: Annotated[npt.NDArray[np.void], Part(TURN, (WIDEST,))]
    """The best by greedy's estimate first."""
    seen: Annotated[npt.NDArray[np.uint64], Part(np.uint64, (2, SLOTS))]
    """See ``turns.note_position``."""
    scores: Annotated[npt.NDArray[np.int64], Part(np.int64, (8,))]
    """Glory."""


lookahead_workspace_of, SIZE = taken_apart("lookahead_workspace_of", LookaheadWorkspace)


# --- The lookahead player: plays the turn after which greedy play by all seats leads to the best position ------------
# It needs no network. The best ways to play its own turn, by greedy's estimate, are each played on by the greedy player
# in every seat, to the end of the round, or in the solitaire game, which nobody else disturbs, to the end of the game.
# There it also remembers the best line of play it has found, and leaves it only for a better one.

WIDTH, BEST_RIVAL, ALL_RIVALS = 16, 0.3, 0.3


def lookahead_memory(num_actions: int, width: int = WIDTH, weights: Weights = WEIGHTS) -> npt.NDArray[np.uint8]:
    """Return the memory of a lookahead player.

    Args:
        num_actions: Number of action ids of its games; the memory does for any.
        width: Most turns that it plays out, 1 to 64.
        weights: The weights of the greedy player that it values positions with and plays them out with.
    """
    memory = np.zeros(SIZE, np.uint8)
    settings = lookahead_workspace_of(memory).settings
    settings["width"], settings["weights"] = width, weights.as_array()
    settings["best_rival"], settings["all_rivals"] = BEST_RIVAL, ALL_RIVALS
    return memory


@kernel
def _list_turns(board, seat, workspace):
    """Find the best different turns of ``seat`` from ``workspace.states[0]``, whose mask is ``workspace.masks[0]``.

    Write them to ``workspace.turns``; return how many there are. As for the greedy player, a pass has the value of the
    position as it is: what follows, the next round or the end, comes in any case.
    """
    settings = workspace.settings[0]
    kept, path, weights = workspace.turns[: settings.width], settings.path, settings.weights
    settings.turn_search += np.uint64(1)
    states, masks, cursors, count = workspace.states, workspace.masks, workspace.cursors, np.int64(0)
    cursors[0] = 0
    length = next_complete_turn(board, seat, 0, False, path, states, masks, cursors)
    while length > 0:
        key = difference_key(workspace.words[0], workspace.words[length])
        if path[0] == PASS_AT or not note_position(workspace.seen, key, settings.turn_search):
            count = keep_turn(kept, count, position_value(board, states[length], seat, weights), path, length)
        length = next_complete_turn(board, seat, length, False, path, states, masks, cursors)
    return count


@kernel
def _value_at_end(board, state, seat, workspace):
    """Return what the end of a playout is worth to ``seat``: the outcome, or else its lead by greedy's estimate."""
    if state.decision == c.DECIDE_NOTHING:
        return outcome(state, workspace.scores, write_totals(board, state, workspace.scores), seat)
    settings, best, total = workspace.settings[0], -np.inf, 0.0
    for other in range(state.num_seats):
        if other != seat:
            value = position_value(board, state, other, settings.weights)
            best = max(best, value)
            total += value
    own = position_value(board, state, seat, settings.weights)
    rivals = np.float64(state.num_seats - 1)
    return own - settings.best_rival * best - settings.all_rivals * total / rivals


@kernel
def _play_out(board, state, turn, workspace, rng):
    """Play a turn from the position ``state``, and then greedily to the end of the round, in solo to that of the game.

    Write the actions to the second of the lines. Return what the end is worth to the seat to move, and their number.
    """
    seat = np.int64(state.seat)
    last_round = np.int64(board.num_rounds if is_solo(state) else state.round_number)
    workspace.states[PLAYOUT] = state
    game = workspace.states[PLAYOUT]
    weights, made = workspace.settings[0].weights, np.int64(0)
    while game.decision != c.DECIDE_NOTHING and game.round_number <= last_round:
        if made < turn.length:
            action = turn.path[made]
        else:
            action = np.int64(greedy_action(board, game, weights, workspace.greedy_states, workspace.greedy_masks, rng))
        if made < LONGEST_LINE:
            workspace.lines[1, made] = action
        apply(board, game, action)
        made += 1
    return _value_at_end(board, game, seat, workspace), made


@kernel
def _search(board, workspace, rng):
    """Play out the best turns from ``workspace.states[0]``; begin the line of the best one if that is better."""
    settings, state = workspace.settings[0], workspace.states[0]
    count = _list_turns(board, np.int64(state.seat), workspace)
    for index in range(count):
        turn = workspace.turns[index]
        value, made = _play_out(board, state, turn, workspace, rng)
        if value > settings.line_value:
            length = made if is_solo(state) else turn.length
            settings.line_at, settings.line_length, settings.line_value = 0, min(length, LONGEST_LINE), value
            for place in range(settings.line_length):
                workspace.lines[0, place] = workspace.lines[1, place]


@kernel
def lookahead_action(board, state, mask, workspace, rng):
    """Return the first action of the turn with the best playout for ``state.seat``.

    Args:
        board: BOARD record, read only.
        state: STATE record, read only; a decision is asked.
        mask: Int8, the legal actions; read only.
        workspace: ``LookaheadWorkspace``, overwritten.
        rng: (1,) uint64, advanced where the greedy player finds moves equally good.
    """
    settings = workspace.settings[0]
    workspace.states[0] = state
    on_line = settings.line_at < settings.line_length and same_words(workspace.words[0], workspace.words[PLANNED])
    forced = count_legal(mask) == 1
    if not on_line or not (is_solo(state) or turn_goes_on(state, state.seat)):
        on_line, settings.line_at, settings.line_length, settings.line_value = False, 0, 0, -np.inf
    if forced and not on_line:
        return first_legal(mask)
    if not forced and not (on_line and turn_goes_on(state, state.seat)):
        workspace.masks[0] = 0
        for entry in range(mask.size):
            workspace.masks[0, entry] = mask[entry]
        _search(board, workspace, rng)
    action = workspace.lines[0, settings.line_at]
    settings.line_at += 1
    workspace.states[PLANNED] = workspace.states[0]
    apply(board, workspace.states[PLANNED], action)
    return action


@player_entry
def lookahead_entry(board, state, mask, num_actions, memory, size, rng):
    """Return the lookahead player's action; see ``engine.kernels.players.PLAYER_SIGNATURE``."""
    allowed, workspace = bytes_at(mask, num_actions), lookahead_workspace_of(memory_at(memory, size))
    return np.int64(lookahead_action(board_at(board), state_at(state), allowed, workspace, generator_at(rng, 1)))
