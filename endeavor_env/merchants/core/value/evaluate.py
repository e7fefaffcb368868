"""What a position is worth to a seat by the network, or by the outcome when the game is over, and how it is liked."""

from __future__ import annotations

import numpy as np

from endeavor_env.machine.intrinsics import assign
from endeavor_env.machine.kernels import kernel
from endeavor_env.merchants.core import chance
from endeavor_env.merchants.core import constants as c
from endeavor_env.merchants.core.greedy.value import position_value
from endeavor_env.merchants.core.moving import carry_out
from endeavor_env.merchants.core.resampling import resample
from endeavor_env.merchants.core.value.inputs import write_inputs, write_inputs_near
from endeavor_env.merchants.core.value.layout import FACTORS, INPUTS
from endeavor_env.rails.kernels.network import add_differences, begin_sums, write_outputs
from endeavor_env.rails.kernels.outcome import outcome_of
from endeavor_env.rails.kernels.rng import reseed

MARGIN_WEIGHT = 0.04
"""What a good of lead counts beside a win, so that leads still count in games that are decided."""
MOST_MARGIN = 5.0
"""A lead above this counts as this."""
PRIOR = 0.01
"""What a point of ``greedy``'s sum counts beside the value, a share of the win, when positions are compared."""
DRAWS = 4
"""Draws of chance whose values are averaged."""
HERE, THERE, ZEROS = range(3)
"""The rows of what was seen."""


@kernel
def _divide(workspace, row):
    """Write what the network gets of what it sees."""
    seen, inputs = workspace.seen[row], workspace.inputs[row]
    for place in range(INPUTS):
        seen[place] = np.float32(inputs[place]) * FACTORS[place]


@kernel
def look_at_position(board, state, seat, workspace):
    """Compute the sums of the first layer for the position at hand, to which ``value_there`` adds differences."""
    network, scratch = workspace.networks[0], (workspace.places, workspace.amounts)
    assign(workspace.here, state)
    workspace.settings[0].sum_here = position_value(board, state, seat, workspace.weights)
    write_inputs(board, state, seat, workspace.inputs[HERE])
    _divide(workspace, HERE)
    begin_sums(network, workspace.parameters, workspace.sums[HERE])
    seen = workspace.seen
    add_differences(network, workspace.parameters, seen[ZEROS], seen[HERE], workspace.sums[HERE], *scratch)


@kernel
def liking_there(board, state, seat, value, workspace):
    """Return by what positions are compared: the value, and what ``greedy`` likes more or less than at hand."""
    settings = workspace.settings[0]
    if settings.prior == 0.0:
        return value
    return value + settings.prior * (position_value(board, state, seat, workspace.weights) - settings.sum_here)


@kernel
def value_there(board, state, seat, workspace):
    """Return the value of a position for ``seat``; ``look_at_position`` was called for it and a position near by.

    Before a draw of a card or a token it is the mean after some draws; what the seat cannot know is drawn, too.
    """
    if state.decision <= c.CHANCE_DICE:
        return _value_now(board, state, seat, workspace)
    total, drawn = 0.0, workspace.drawn
    reseed(workspace.chance, np.int64(state.rolls))
    for _ in range(DRAWS):
        assign(drawn, state)
        resample(drawn[0], seat, workspace.chance)
        action = chance.draw(board, drawn[0], workspace.chance)
        carry_out(board, drawn[0], action)
        total += _value_now(board, drawn[0], seat, workspace)
    return total / np.float64(DRAWS)


@kernel
def _value_now(board, state, seat, workspace):
    """Return the value of a position in which nothing is about to be drawn but the dice."""
    if state.decision == c.DECIDE_NOTHING:
        for other in range(state.num_seats):
            workspace.scores[other] = state.delivered[other]
        return outcome_of(workspace.scores, np.int64(state.num_seats), np.int64(seat), MARGIN_WEIGHT, MOST_MARGIN)
    network, scratch = workspace.networks[0], (workspace.places, workspace.amounts)
    inputs = workspace.inputs
    write_inputs_near(board, state, seat, workspace.here[0], inputs[HERE], inputs[THERE])
    _divide(workspace, THERE)
    for unit in range(network.first):
        workspace.sums[THERE, unit] = workspace.sums[HERE, unit]
    seen = workspace.seen
    add_differences(network, workspace.parameters, seen[HERE], seen[THERE], workspace.sums[THERE], *scratch)
    write_outputs(network, workspace.parameters, workspace.sums[THERE], workspace.second, workspace.out, *scratch)
    return np.float64(workspace.out[0])
