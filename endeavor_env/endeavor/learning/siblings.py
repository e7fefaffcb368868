"""The siblings among which a seat chooses: the ends of its own turns from one position, each with a label of its worth.

Positions of played games show what came of the turn that was chosen, and nothing about those it was chosen among. A
value network that learns the *order* of siblings learns what it is asked when it plays. All siblings of a position are
labelled by the same yardstick: playouts with common random numbers, or the compiled search.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.flow.dispatch import apply, legal_bytes
from endeavor_env.endeavor.flow.scoring import write_totals
from endeavor_env.endeavor.players.search.player import begin_search, simulate
from endeavor_env.endeavor.players.search.tree import (
    TURN,
    difference_key,
    first_legal,
    keep_turn,
    note_position,
    tree_of,
)
from endeavor_env.endeavor.players.value.inputs import outcome
from endeavor_env.endeavor.players.value.player import (
    look_at_position,
    next_complete_turn,
    turn_goes_on,
    value_action,
    value_there,
    workspace_of,
)
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import BOARDS, STATES
from endeavor_env.engine.kernels.masks import count_legal
from endeavor_env.engine.kernels.rng import GENERATOR, next_below, reseed
from endeavor_env.engine.kernels.rules import BYTES, MEMORY, NUMBERS, REAL_ROWS
from endeavor_env.kernels.entries import entry
from endeavor_env.kernels.kernels import kernel
from endeavor_env.kernels.kinds import INTEGER, array


@kernel
def _copy_turn(turns, place, turn):
    """Set the turn at ``place`` of ``turns``, (n,) TURN, to another one."""
    turns[place].value, turns[place].length = turn.value, turn.length
    for step in range(turn.length):
        turns[place].path[step] = turn.path[step]


@kernel
def _draw_rest(turns, best, passed_over, turn, rng):
    """Give a turn that is not among the ``best`` first ones a place among the others, all with equal chances.

    Args:
        turns: (n,) TURN: the best ones, then those drawn.
        best: How many of them are the best ones.
        passed_over: How many turns were given before.
        turn: TURN record.
        rng: (1,) uint64.
    """
    drawn = turns.size - best
    place = passed_over if passed_over < drawn else next_below(rng, passed_over + 1)
    if place < drawn:
        _copy_turn(turns, best + place, turn)


@kernel
def _list_turns(board, seat, workspace, best, turns, seen, search_number, rng):
    """Find the best different turns from ``workspace.states[0]``, and some of the others; return how many of each.

    Args:
        board: BOARD record, read only.
        seat: The seat to move, whose mask is ``workspace.masks[0]``.
        workspace: ``Workspace``, overwritten.
        best: Most turns that are kept because the network likes them.
        turns: (n + 1,) TURN: the best ones, then those drawn from the others; the last entry is scratch.
        seen: (2, SLOTS) uint64, see ``note_position``.
        search_number: As for ``note_position``.
        rng: (1,) uint64, advanced.
    """
    network = workspace.networks[workspace.settings[0].network_of[workspace.states[0].variant]]
    states, masks, cursors, path = workspace.states, workspace.masks, workspace.cursors, workspace.settings[0].path
    kept, spare, count, others = turns[: turns.size - 1], turns[turns.size - 1], np.int64(0), np.int64(0)
    look_at_position(board, states[0], seat, network, workspace)
    cursors[0] = 0
    length = next_complete_turn(board, seat, 0, True, path, states, masks, cursors)
    while length > 0:
        key = difference_key(workspace.words[0], workspace.words[length])
        over = states[length].decision == c.DECIDE_NOTHING  # no network is asked when the game is over
        if not (over or note_position(seen, key, search_number)):
            value = value_there(board, states[length], seat, network, workspace)
            if count == best:
                if value > turns[best - 1].value:
                    _copy_turn(turns, turns.size - 1, turns[best - 1])
                else:
                    spare.value, spare.length = value, length
                    for step in range(length):
                        spare.path[step] = path[step]
                _draw_rest(kept, best, others, spare, rng)
                others += 1
            count = keep_turn(turns[:best], count, value, path, length)
        length = next_complete_turn(board, seat, length, True, path, states, masks, cursors)
    return count, min(others, kept.size - best)


@entry(
    BOARDS, STATES, MEMORY, INTEGER, array(TURN), array(np.uint64, 2), GENERATOR,
    STATES, REAL_ROWS, NUMBERS, INTEGER, INTEGER, counts_references=True,
)  # fmt: skip
def list_siblings(boards, roots, memory, best, turns, seen, rng, ends, guesses, counts, low, high):
    """Write the ends of the turns from ``roots[low:high]``: the best different ones, and some others drawn at random.

    Ends at which the game is over are left out: no network is asked about them.

    Args:
        boards: (1,) BOARD, read only.
        roots: (n,) STATE, read only: positions in which a decision is asked, or the game is over.
        memory: Uint8, of a value player.
        best: Most ends that are kept because its network likes them, at least 1.
        turns: (width + 1,) TURN, scratch.
        seen: (2, SLOTS) uint64, zeros, scratch.
        rng: (1,) uint64, advanced.
        ends: (n * width,) STATE, written: those of root i begin at i * width, the best first.
        guesses: (n, width) float64, written: what the network says to them.
        counts: (n,) int64, written: their numbers; 0 where there is nothing to choose, or in the middle of a turn.
        low: First root.
        high: One past the last.
    """
    workspace, board, width = workspace_of(memory), boards[0], turns.size - 1
    for index in range(low, high):
        counts[index], seat = 0, np.int64(roots[index].seat)
        workspace.states[0] = roots[index]
        if roots[index].decision == c.DECIDE_NOTHING or turn_goes_on(roots[index], seat):
            continue
        workspace.masks[0] = 0
        legal_bytes(board, workspace.states[0], workspace.masks[0])
        if count_legal(workspace.masks[0]) == 1:
            continue
        number = np.uint64(index - low + 1)
        first, others = _list_turns(board, seat, workspace, best, turns, seen, number, rng)
        if first < 2:
            continue
        counts[index] = first + others
        for place in range(first + others):
            end, turn = ends[index * width + place], turns[place]
            guesses[index, place] = turn.value
            ends[index * width + place] = roots[index]
            for step in range(turn.length):
                apply(board, end, turn.path[step])


@kernel
def _play_on(board, game, seat, last_round, workspace, mask, rng):
    """Play on until ``seat`` begins a turn after ``last_round``; return its best turn's value, or the game's outcome.

    Args:
        board: BOARD record, read only.
        game: STATE record, overwritten.
        seat: The seat.
        last_round: The number of the last round that is played.
        workspace: ``Workspace`` of the value player in all seats.
        mask: (number of actions,) int8, scratch.
        rng: (1,) uint64, advanced.
    """
    settings = workspace.settings[0]
    settings.plan_length = 0
    while game.decision != c.DECIDE_NOTHING:
        legal_bytes(board, game, mask)
        ends = game.round_number > last_round and game.seat == seat and not turn_goes_on(game, seat)
        if ends:
            settings.plan_length = 0
        elif count_legal(mask) == 1:
            apply(board, game, first_legal(mask))
            continue
        action = value_action(board, game, mask, workspace, rng)
        if ends:
            return settings.value
        apply(board, game, action)
    return outcome(game, workspace.scores, write_totals(board, game, workspace.scores), seat)


@entry(
    BOARDS, STATES, MEMORY, INTEGER, INTEGER, NUMBERS, STATES, BYTES, GENERATOR, STATES, NUMBERS, REAL_ROWS,
    INTEGER, INTEGER, counts_references=True,
)  # fmt: skip
def play_out_siblings(
    boards, roots, memory, playouts, rounds, seeds, games, mask, rng, ends, counts, labels, low, high
):  # fmt: skip
    """Label the ends of the turns from ``roots[low:high]`` by the mean of playouts with common random numbers.

    The value player plays all seats, to the end of a round and on to the next turn of the seat whose choice it was,
    whose best turn tells the value; or to the end of the game, whose outcome tells it.

    Args:
        boards: (1,) BOARD, read only.
        roots: (n,) STATE, read only.
        memory: Uint8, of a value player that values all decisions; it explores by its temperature.
        playouts: Of each end, at least 1.
        rounds: How many rounds after that of the root are played.
        seeds: (n,) int64: playout k of every end of root i draws from the seed ``seeds[i] + k``.
        games: (1,) STATE, scratch.
        mask: (number of actions,) int8, scratch.
        rng: (1,) uint64, scratch.
        ends: (n * width,) STATE, read only, as ``list_siblings`` writes them.
        counts: (n,) int64, read only.
        labels: (n, width) float64, written.
        low: First root.
        high: One past the last.
    """
    workspace, board, width = workspace_of(memory), boards[0], labels.shape[1]
    for index in range(low, high):
        seat, last_round = np.int64(roots[index].seat), np.int64(roots[index].round_number) + rounds
        for place in range(counts[index]):
            total = 0.0
            for playout in range(playouts):
                reseed(rng, seeds[index] + playout)
                games[0] = ends[index * width + place]
                total += _play_on(board, games[0], seat, last_round, workspace, mask, rng)
            labels[index, place] = total / np.float64(playouts)


@kernel
def _search_value(board, seat, workspace, tree):
    """Return what a search from ``workspace.states[0]`` finds the position worth to ``seat``, which need not move."""
    begin_search(board, tree, workspace)
    root = tree.nodes[0]
    if root.branches == 0:
        return root.values[seat]
    while root.visits < tree.search[0].simulations and simulate(board, tree, workspace, np.int64(c.NONE)):
        continue
    return root.sums[seat] / np.float64(max(root.visits, 1))


@entry(BOARDS, STATES, MEMORY, STATES, NUMBERS, REAL_ROWS, INTEGER, INTEGER, counts_references=True)
def search_siblings(boards, roots, memory, ends, counts, labels, low, high):
    """Label the ends of the turns from ``roots[low:high]`` by searches from them.

    Args:
        boards: (1,) BOARD, read only.
        roots: (n,) STATE, read only.
        memory: Uint8, of a search player that keeps nothing, overwritten.
        ends: (n * width,) STATE, read only, as ``list_siblings`` writes them.
        counts: (n,) int64, read only.
        labels: (n, width) float64, written.
        low: First root.
        high: One past the last.
    """
    workspace, tree, width = workspace_of(memory), tree_of(memory), labels.shape[1]
    for index in range(low, high):
        for place in range(counts[index]):
            workspace.states[0] = ends[index * width + place]
            labels[index, place] = _search_value(boards[0], np.int64(roots[index].seat), workspace, tree)
