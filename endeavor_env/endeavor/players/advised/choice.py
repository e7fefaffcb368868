"""The advised player's choice: the action whose best turn has the highest value, plus what a policy thinks of it.

The best of many turns by one network's values is often one that this network overrates. A policy network errs
elsewhere: the logarithm of its probability, times a small weight, is added to the value of each action.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.endeavor.players.policy.choice import best_action, log_of_total, write_logits
from endeavor_env.endeavor.players.value.turn_search import value_action, value_actions
from endeavor_env.engine.kernels.uniform import count_legal
from endeavor_env.kernels.kernels import kernel


@kernel
def _write_advice(board, state, mask, network, weight, workspace):
    """Write ``weight`` times the logarithm of the policy's probability of each legal action into ``workspace.merits``.

    Other entries stay as they are.
    """
    write_logits(board, state, network, workspace)
    highest, total = log_of_total(workspace.out, mask)
    for action in range(mask.size):
        if mask[action]:
            workspace.merits[action] = weight * (np.float64(workspace.out[action]) - highest - total)


@kernel
def advised_action(board, state, mask, workspace, rng):
    """Return the legal action of the highest merit: the value of the best turn it begins, and the advice.

    The rest of a turn is not planned: each of its decisions is advised.

    Args:
        board: BOARD record, read only.
        state: STATE record, read only; a decision is asked, in a variant that the player has both networks for.
        mask: Int8, the legal actions; read only.
        workspace: ``Workspace``, overwritten.
        rng: (1,) uint64, for ``value_action`` where one action is legal; not advanced without exploration.
    """
    settings = workspace.settings[0]
    if count_legal(mask) == 1:
        return value_action(board, state, mask, workspace, rng)
    workspace.states[0] = state
    policy = workspace.networks[settings.policy_of[state.variant]]
    _write_advice(board, state, mask, policy, settings.policy_weight, workspace)
    value_actions(board, state, mask, workspace)
    settings.plan_at = settings.plan_length  # only to be read: it is not followed
    for action in range(mask.size):
        if mask[action]:
            workspace.merits[action] += workspace.values[action]
    return best_action(workspace.merits, mask)
