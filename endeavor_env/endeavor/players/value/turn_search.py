"""The value player's choice: the legal action that begins the turn after which its network likes the position best.

It tries every way to play its own turn to the end: an action, its targets, neutral discs, cards to discard. It
remembers the rest of the turn it chose, and plays that without a further search if the game gets to that position.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.exploits.follow_ups import belongs_to_turn
from endeavor_env.endeavor.flow.late_rules import apply, legal_bytes
from endeavor_env.endeavor.flow.scoring import write_totals
from endeavor_env.endeavor.players.value.estimates import write_inputs
from endeavor_env.endeavor.players.value.outcome import outcome
from endeavor_env.endeavor.players.value.workspace import DEPTH, EXPLORE_ALL
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import PASS_AT
from endeavor_env.engine.kernels.network import STRIDE, add_differences, begin_sums, write_outputs
from endeavor_env.engine.kernels.rng import gumbel, next_below
from endeavor_env.engine.kernels.uniform import choose, count_legal
from endeavor_env.kernels.kernels import kernel

PLANNED = DEPTH + 1  # index of the planned position in the states
ZEROS, HERE, THERE = 0, 1, 2  # observations


@kernel
def observe_into(board, state, seat, network, seen):
    """Write the observation of ``seat`` into ``seen``, with zeros behind its end up to a whole stride."""
    inputs = network.inputs
    write_inputs(board, state, seat, network.estimates, seen[:inputs])
    for place in range(inputs, -(-inputs // STRIDE) * STRIDE):
        seen[place] = 0.0


@kernel
def look_at_position(board, state, seat, network, workspace):
    """Compute the sums of the first layer for the position at hand, to which ``value_there`` adds differences."""
    seen = workspace.seen
    observe_into(board, state, seat, network, seen[HERE])
    begin_sums(network, workspace.parameters, workspace.sums[0])
    scratch = workspace.places, workspace.amounts
    add_differences(network, workspace.parameters, seen[ZEROS], seen[HERE], workspace.sums[0], *scratch)


@kernel
def value_there(board, state, seat, network, workspace):
    """Return the value of a position for ``seat``: that of the network, or the outcome if the game is over.

    ``look_at_position`` has been called for ``seat`` and a position that is best near this one.
    """
    if state.decision == c.DECIDE_NOTHING:
        return outcome(state, workspace.scores, write_totals(board, state, workspace.scores), seat)
    seen = workspace.seen
    observe_into(board, state, seat, network, seen[THERE])
    for unit in range(network.first):
        workspace.sums[1, unit] = workspace.sums[0, unit]
    scratch = workspace.places, workspace.amounts
    add_differences(network, workspace.parameters, seen[HERE], seen[THERE], workspace.sums[1], *scratch)
    write_outputs(network, workspace.parameters, workspace.sums[1], workspace.second, workspace.out, *scratch)
    return np.float64(workspace.out[0])


@kernel
def turn_goes_on(state, seat):
    """Return whether ``seat`` is still in the middle of its turn."""
    going_on = (
        state.decision == c.DECIDE_TARGET or state.decision == c.DECIDE_DISCARD or state.decision == c.DECIDE_NEUTRAL
    )
    return (going_on and state.seat == seat) or belongs_to_turn(state, seat)


@kernel
def next_complete_turn(board, seat, last, carries_out_pass, path, states, masks, cursors):
    """Find the next way to play the turn of ``seat`` to its end; return the number of its decisions, 0 if none is left.

    Args:
        board: BOARD record, read only.
        seat: The seat to move in ``states[0]``, whose mask is ``masks[0]``.
        last: What the last call returned; 0 for the first, before which ``cursors[0]`` must be 0.
        carries_out_pass: Whether a pass is carried out; if not, the position after it is the one before it.
        path: (DEPTH,) int64, written: the actions of the turn.
        states: STATE, at least DEPTH + 1, a stack: entry d is the position after d decisions of the turn.
        masks: (DEPTH, n) int8: the masks of these positions.
        cursors: (DEPTH,) int64: the next action to try at each of them.
    """
    depth, num_actions = max(last - 1, 0), masks.shape[1]
    while depth >= 0:
        action = cursors[depth]
        while action < num_actions and masks[depth, action] == 0:
            action += 1
        if action == num_actions:
            depth -= 1
            continue
        cursors[depth] = action + 1
        path[depth] = action
        states[depth + 1] = states[depth]
        child = states[depth + 1]
        if action != PASS_AT or carries_out_pass:
            apply(board, child, action)
            if depth + 1 < DEPTH and turn_goes_on(child, seat):
                depth += 1
                legal_bytes(board, child, masks[depth])
                cursors[depth] = 0
                continue
        return depth + 1
    return 0


@kernel
def _search_turn(board, seat, network, workspace):
    """Value every legal action at ``workspace.states[0]`` with ``workspace.masks[0]``; keep the best turn as plan."""
    settings, states, masks, cursors = workspace.settings[0], workspace.states, workspace.masks, workspace.cursors
    settings.plan_length = 0
    workspace.values[:] = -np.inf
    cursors[0] = 0
    best, path = -np.inf, settings.path
    length = next_complete_turn(board, seat, 0, True, path, states, masks, cursors)
    while length > 0:
        value = value_there(board, states[length], seat, network, workspace)
        workspace.values[path[0]] = max(workspace.values[path[0]], value)
        if value > best or settings.plan_length == 0:  # a turn is found even if values are no numbers
            best = value
            settings.plan_length = length
            for decision in range(length):
                settings.plan[decision] = path[decision]
        length = next_complete_turn(board, seat, length, True, path, states, masks, cursors)
    return best


@kernel
def _advance_plan(board, workspace):
    """Note the next planned action as made, and the position in which the one after it is to be made."""
    settings = workspace.settings[0]
    settings.plan_at += 1
    if settings.plan_at < settings.plan_length:
        apply(board, workspace.states[PLANNED], settings.plan[settings.plan_at - 1])


@kernel
def _planned_action(board, workspace):
    """Return the planned action if ``workspace.states[0]`` is the planned position, else NONE."""
    settings = workspace.settings[0]
    if settings.plan_at >= settings.plan_length:
        return np.int64(c.NONE)
    for word in range(workspace.words.shape[1]):
        if workspace.words[0, word] != workspace.words[PLANNED, word]:
            return np.int64(c.NONE)
    action = settings.plan[settings.plan_at]
    _advance_plan(board, workspace)
    return action


@kernel
def _noisy_best(values, mask, temperature, rng):
    """Return the legal action of the highest value plus Gumbel noise: a draw from a softmax of the values."""
    chosen, best = np.int64(c.NONE), -np.inf
    for action in range(mask.size):
        if mask[action]:
            noisy = values[action] + temperature * gumbel(rng)
            if noisy > best or chosen == c.NONE:
                chosen, best = np.int64(action), noisy
    return chosen


@kernel
def _choose(board, state, mask, workspace, rng):
    """Return the chosen action after the search, and begin its plan if it is the best one."""
    settings = workspace.settings[0]
    if settings.explore > 0 and next_below(rng, EXPLORE_ALL) < settings.explore:
        settings.plan_length = 0
        settings.explored = 1
        return choose(mask, rng)
    best = settings.plan[0]
    chosen = best
    if settings.temperature > 0.0:
        chosen = _noisy_best(workspace.values, mask, settings.temperature, rng)
    if chosen != best:
        settings.plan_length = 0
        return chosen
    settings.plan_at = 0
    workspace.states[PLANNED] = workspace.states[0]
    _advance_plan(board, workspace)
    return chosen


@kernel
def value_actions(board, state, mask, workspace):
    """Value every legal action of ``state``, which is ``workspace.states[0]``, too; keep the best turn as plan."""
    settings, seat = workspace.settings[0], np.int64(state.seat)
    network = workspace.networks[settings.network_of[state.variant]]
    look_at_position(board, state, seat, network, workspace)
    workspace.masks[0] = 0
    for entry in range(mask.size):
        workspace.masks[0, entry] = mask[entry]
    settings.value = _search_turn(board, seat, network, workspace)


@kernel
def value_action(board, state, mask, workspace, rng):
    """Return the legal action that begins the best turn of ``state.seat``.

    Args:
        board: BOARD record, read only.
        state: STATE record, read only; a decision is asked, in a variant that the player has a network for.
        mask: Int8, the legal actions; read only.
        workspace: ``Workspace``, overwritten.
        rng: (1,) uint64, advanced only with a temperature, or with a share of random moves.
    """
    settings = workspace.settings[0]
    workspace.states[0] = state
    settings.explored = 0
    action = _planned_action(board, workspace)
    if action != c.NONE:
        return action
    if settings.values_all == 0 and count_legal(mask) == 1:
        settings.value = np.nan
        return choose(mask, rng)
    value_actions(board, state, mask, workspace)
    return _choose(board, state, mask, workspace, rng)
