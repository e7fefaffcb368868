"""The choice of a policy network: the legal action of the highest logit, or one drawn from the probabilities."""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.players.value.turn_search import look_at_position
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.kernels.network import write_outputs
from endeavor_env.engine.kernels.rng import next_below
from endeavor_env.engine.kernels.uniform import choose, count_legal
from endeavor_env.kernels.kernels import kernel

_FRACTION = 1 << 30


@kernel
def write_logits(board, state, network, workspace):
    """Write the logits of all actions for the seat to move into ``workspace.out``."""
    look_at_position(board, state, np.int64(state.seat), network, workspace)
    scratch = workspace.places, workspace.amounts
    write_outputs(network, workspace.parameters, workspace.sums[0], workspace.second, workspace.out, *scratch)


@kernel
def best_action(logits, mask):
    """Return the legal action of the highest logit, or other number, the first of equals; any if one is no number."""
    chosen, best = np.int64(c.NONE), -np.inf
    for action in range(mask.size):
        if mask[action] and (logits[action] > best or chosen == c.NONE):  # the first, even if it compares with nothing
            chosen, best = np.int64(action), logits[action]
    return chosen


@kernel
def log_of_total(logits, mask):
    """Return the highest logit of the legal actions, at least one, and the logarithm of the sum of exp(logit - it)."""
    highest, total = np.float64(logits[best_action(logits, mask)]), 0.0
    for action in range(mask.size):
        if mask[action]:
            total += np.exp(np.float64(logits[action]) - highest)
    return highest, np.log(total)


@kernel
def draw_action(logits, mask, temperature, rng):
    """Draw a legal action from the softmax of logits / temperature.

    Args:
        logits: (n,) float32, n at least the number of actions.
        mask: (actions,) int8, the legal actions, at least one.
        temperature: Above 0.
        rng: (1,) uint64, advanced in place.

    Returns:
        The action, legal even if logits are no numbers, and the logarithm of its probability, float64.
    """
    chosen = best_action(logits, mask)
    highest, total = np.float64(logits[chosen]), 0.0
    for action in range(mask.size):
        if mask[action]:
            total += np.exp((np.float64(logits[action]) - highest) / temperature)
    left = total * (np.float64(next_below(rng, _FRACTION)) + 0.5) / np.float64(_FRACTION)
    for action in range(mask.size):
        if mask[action] and left > 0.0:
            chosen = np.int64(action)
            left -= np.exp((np.float64(logits[action]) - highest) / temperature)
    return chosen, (np.float64(logits[chosen]) - highest) / temperature - np.log(total)


@kernel
def policy_action(board, state, mask, workspace, rng):
    """Return the policy player's action.

    Args:
        board: BOARD record, read only.
        state: STATE record, read only; a decision is asked, in a variant that the player has a network for.
        mask: Int8, the legal actions; read only.
        workspace: ``Workspace``, overwritten.
        rng: (1,) uint64, advanced only with a temperature.
    """
    if count_legal(mask) == 1:
        return choose(mask, rng)
    settings = workspace.settings[0]
    write_logits(board, state, workspace.networks[settings.network_of[state.variant]], workspace)
    if settings.temperature > 0.0:
        return draw_action(workspace.out, mask, settings.temperature, rng)[0]
    return best_action(workspace.out, mask)
