"""The value player: the search over its own turn, its memory and its entry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.exploits.tiles import belongs_to_turn
from endeavor_env.endeavor.flow.dispatch import apply, legal_bytes
from endeavor_env.endeavor.flow.scoring import write_totals
from endeavor_env.endeavor.observe.layouts import EXPLOIT_FEATURES_SIZE, FEATURES_SIZE, VARIANT_FEATURES_SIZE
from endeavor_env.endeavor.players.value.inputs import NUM_ESTIMATES, outcome, write_inputs
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import NUM_IDS, PASS_AT
from endeavor_env.endeavor.rules.state import STATE, board_at, state_at
from endeavor_env.engine.kernels.masks import choose, count_legal
from endeavor_env.engine.kernels.network import (
    MAX_FIRST,
    MAX_SECOND,
    NETWORK,
    STRIDE,
    NetworkArrays,
    add_differences,
    begin_sums,
    write_outputs,
)
from endeavor_env.engine.kernels.players import Part, player_entry, taken_apart
from endeavor_env.engine.kernels.rng import gumbel, next_below
from endeavor_env.kernels.intrinsics import bytes_at, generator_at, memory_at
from endeavor_env.kernels.kernels import kernel

# --- The memory of a value player: its settings and networks, what it found out, its plan, and scratch arrays --------
# All of it is one array of bytes, so that it can be handed to a compiled player; ``workspace_of`` returns the parts.

DEPTH = 5
"""Most decisions of a turn that are looked ahead at: an action, two targets, and two neutral discs."""
EXPLORE_ALL = 1 << 20
"""The setting ``explore`` with which every move is random."""

SETTINGS = np.dtype(
    (
        np.record,
        [
            ("temperature", np.float64),  # above 0: values get Gumbel noise of this scale before the best is chosen
            ("explore", np.int64),  # a move is random in this many of EXPLORE_ALL cases
            ("values_all", np.int64),  # 0/1: a decision with one legal action is valued, too
            ("network_of", np.int64, (c.NUM_VARIANTS,)),  # index of the network by variant, NONE if there is none
            ("policy_of", np.int64, (c.NUM_VARIANTS,)),  # the same of the policy that advises
            ("policy_weight", np.float64),  # what the logarithm of its probability counts beside a value
            # --- what the player writes at each decision
            ("value", np.float64),  # of the best turn found; NaN if the decision was not valued
            ("explored", np.int64),  # 0/1: the move was random
            # --- the rest of the turn that was chosen: the actions to come, if the game gets to the planned position
            ("plan_length", np.int64),
            ("plan_at", np.int64),
            ("plan", np.int64, (DEPTH,)),
            ("path", np.int64, (DEPTH,)),  # scratch: the actions to the position that is valued
        ],
    )
)

_FEATURES = max(FEATURES_SIZE, VARIANT_FEATURES_SIZE, EXPLOIT_FEATURES_SIZE)
_INPUTS = -(-(_FEATURES + NUM_ESTIMATES) // STRIDE) * STRIDE
_LISTED = max(_INPUTS, MAX_FIRST, MAX_SECOND) + 1


class Workspace(NamedTuple):
    """The parts of a value player's memory, as views."""

    settings: Annotated[npt.NDArray[np.void], Part(SETTINGS, (1,))]
    networks: Annotated[npt.NDArray[np.void], Part(NETWORK, (2 * c.NUM_VARIANTS,))]
    """Those that value positions, and behind them policies, that advise or make priors of a search."""
    states: Annotated[npt.NDArray[np.void], Part(STATE, (DEPTH + 2,))]
    """The position, one for each decision looked ahead at, and the planned position."""
    words: Annotated[npt.NDArray[np.int64], Part(np.int64, (DEPTH + 2, STATE.itemsize // 8), shows="states")]
    """The same as integers, to compare them."""
    masks: Annotated[npt.NDArray[np.int8], Part(np.int8, (DEPTH, NUM_IDS))]
    cursors: Annotated[npt.NDArray[np.int64], Part(np.int64, (DEPTH,))]
    """The next action to try of each decision."""
    values: Annotated[npt.NDArray[np.float64], Part(np.float64, (NUM_IDS,))]
    """The value of each legal action, that of the best turn it begins."""
    merits: Annotated[npt.NDArray[np.float64], Part(np.float64, (NUM_IDS,))]
    """That value with what the policy adds, of an advised player."""
    seen: Annotated[npt.NDArray[np.float32], Part(np.float32, (3, _INPUTS))]
    """Zeros, the observation of the position, and that of another one."""
    sums: Annotated[npt.NDArray[np.float32], Part(np.float32, (2, MAX_FIRST))]
    """Sums of the first layer for both observations."""
    second: Annotated[npt.NDArray[np.float32], Part(np.float32, (MAX_SECOND,))]
    """The second hidden layer."""
    out: Annotated[npt.NDArray[np.float32], Part(np.float32, (NUM_IDS,))]
    """The outputs of a network."""
    places: Annotated[npt.NDArray[np.int64], Part(np.int64, (_LISTED,))]
    """Scratch of the network: inputs of a layer that count."""
    amounts: Annotated[npt.NDArray[np.float32], Part(np.float32, (_LISTED,))]
    """Scratch of the network: by how much each of them counts."""
    scores: Annotated[npt.NDArray[np.int64], Part(np.int64, (c.MAX_SEATS,))]
    """Glory."""
    parameters: Annotated[npt.NDArray[np.float32], Part(np.float32, ())]
    """Those of all networks."""


workspace_of, PARAMETERS_AT = taken_apart("workspace_of", Workspace)


# --- The value player's choice ---------------------------------------------------------------------------------------
# The legal action that begins the turn after which its network likes the position best.
# It tries every way to play its own turn to the end: an action, its targets, neutral discs, cards to discard. It
# remembers the rest of the turn it chose, and plays that without a further search if the game gets to that position.

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


# --- The value player as a compiled player, and the memory it is given -----------------------------------------------


class Exploration(NamedTuple):
    """How far a value player departs from the best turn, to see what else there is."""

    temperature: float = 0.0
    """Scale of the Gumbel noise in the values, which makes the choice a draw from their softmax."""
    share: float = 0.0
    """Share of random moves, 0..1."""


BEST_TURN = Exploration()


def value_memory(
    networks: Mapping[int, NetworkArrays],
    exploration: Exploration = BEST_TURN,
    *,
    values_all: bool = False,
    estimates: int = NUM_ESTIMATES,
) -> npt.NDArray[np.uint8]:
    """Return the memory of a value player.

    Args:
        networks: The network for each VARIANT_* that it can play; a network may stand for several.
        exploration: How it explores; if left out, it plays the best turn.
        values_all: Whether it also values decisions with a single legal action, which takes time.
        estimates: How many inputs of the networks follow the features: NUM_ESTIMATES, or 0 for networks of features.
    """
    distinct = list({id(network): network for network in networks.values()}.values())
    sizes = [4 * network.flat().size for network in distinct]
    memory = np.zeros(PARAMETERS_AT + sum(sizes), np.uint8)
    workspace, at = workspace_of(memory), 0
    workspace.settings["network_of"] = workspace.settings["policy_of"] = c.NONE
    workspace.settings["temperature"], workspace.settings["values_all"] = exploration.temperature, values_all
    workspace.settings["explore"] = round(exploration.share * EXPLORE_ALL)
    for index, network in enumerate(distinct):
        inputs, first = network.first.shape
        second, outputs = network.last.shape
        workspace.networks[index : index + 1] = np.array([(inputs, estimates, first, second, outputs, at)], NETWORK)
        flat = network.flat()
        workspace.parameters[at : at + flat.size] = flat
        at += flat.size
        for variant, used in networks.items():
            if used is network:
                workspace.settings["network_of"][0, variant] = index
    return memory


def memory_with_policies(
    values: Mapping[int, NetworkArrays], policies: Mapping[int, NetworkArrays]
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Return the memory of a value player in which policy networks stand behind its own, and their places.

    Args:
        values: The network for each VARIANT_* that it can play.
        policies: The policy network for each VARIANT_* that has one, of features alone.

    Returns:
        The memory, and by variant the index of the policy among the networks, NONE if there is none.
    """
    memory, places = value_memory(values), np.full(c.NUM_VARIANTS, c.NONE)
    count, at = len({id(network) for network in values.values()}), (memory.size - PARAMETERS_AT) // 4
    distinct = {id(network): network for network in policies.values()}
    more = [network.flat() for network in distinct.values()]
    memory = np.concatenate([memory, *(flat.view(np.uint8) for flat in more)])
    workspace = workspace_of(memory)
    for index, network in enumerate(distinct.values()):
        inputs, first = network.first.shape
        row = np.array([(inputs, 0, first, *network.last.shape, at)], NETWORK)
        workspace.networks[count + index : count + index + 1] = row
        at += more[index].size
        for variant, used in policies.items():
            if used is network:
                places[variant] = count + index
    return memory, places


@player_entry
def value_entry(board, state, mask, num_actions, memory, size, rng):
    """Return the value player's action; see ``engine.kernels.players.PLAYER_SIGNATURE``."""
    allowed, workspace = bytes_at(mask, num_actions), workspace_of(memory_at(memory, size))
    return np.int64(value_action(board_at(board), state_at(state), allowed, workspace, generator_at(rng, 1)))
