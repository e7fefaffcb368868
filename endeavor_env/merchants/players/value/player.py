"""The value and search players: memory, evaluation, choice, lookahead, offers and entries."""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.engine.kernels.endings import outcome_of
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
from endeavor_env.engine.kernels.players import VALUED, Part, leaf_entry, player_entry, taken_apart
from endeavor_env.engine.kernels.rng import gumbel, reseed
from endeavor_env.engine.kernels.rules import MAX_SEATS
from endeavor_env.kernels.intrinsics import array_of, assign, bytes_at, generator_at, memory_at
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.players.greedy.player import (
    DEPTH,
    best_move,
    best_partner,
    first_gift,
    go_on_offering,
    is_better,
    is_worth_it,
    move_value,
    position_value,
)
from endeavor_env.merchants.players.greedy.weights import NUM_WEIGHTS, WEIGHTS
from endeavor_env.merchants.players.value.inputs import FACTORS, INPUTS, write_inputs, write_inputs_near
from endeavor_env.merchants.rules import actions
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.board_record import board_at
from endeavor_env.merchants.rules.decisions import draw_outcome
from endeavor_env.merchants.rules.resampling import resample
from endeavor_env.merchants.rules.rules_entries import carry_out, write_legal
from endeavor_env.merchants.rules.state import STATE, state_at
from endeavor_env.merchants.rules.trade import held

# --- The memory of a value player ------------------------------------------------------------------------------------
# Its settings and network, what it found, and scratch arrays, as one array of bytes.

MOST_MOVES = 16
"""Most moves that are listed."""
SETTINGS = np.dtype(
    (
        np.record,
        [
            *((name, VALUED[name]) for name in VALUED.names or ()),
            ("temperature", np.float64),  # above 0: likings get Gumbel noise of this scale before the best is chosen
            ("prior", np.float64),  # what a point of greedy's sum counts beside the value when positions are compared
            ("sum_here", np.float64),  # greedy's sum of the position at hand
            ("turns", np.int64),  # most moves after which the turn is played to its end
        ],
    )
)
_ROOM = -(-INPUTS // STRIDE) * STRIDE
_LISTED = max(_ROOM, MAX_FIRST, MAX_SECOND) + 1


class Workspace(NamedTuple):
    """The parts of a value player's memory, as views."""

    settings: Annotated[npt.NDArray[np.void], Part(SETTINGS, (1,))]
    networks: Annotated[npt.NDArray[np.void], Part(NETWORK, (1,))]
    weights: Annotated[npt.NDArray[np.float64], Part(np.float64, (NUM_WEIGHTS,))]
    """Of ``greedy``, who lists moves, plays turns to their ends and makes offers."""
    drawn: Annotated[npt.NDArray[np.void], Part(STATE, (1,))]
    """A position after a draw of chance."""
    chance: Annotated[npt.NDArray[np.uint64], Part(np.uint64, (1,))]
    """The generator of such draws, the same for all moves that are compared."""
    values: Annotated[npt.NDArray[np.float64], Part(np.float64, (actions.NUM_ACTIONS,))]
    """How the end of the turn after each listed move is liked (``evaluate.liking_there``); -inf for others."""
    moves: Annotated[npt.NDArray[np.int64], Part(np.int64, (MOST_MOVES,))]
    """The listed moves, the one that ``greedy`` likes best first."""
    turn: Annotated[npt.NDArray[np.void], Part(STATE, (1,))]
    """The position at the end of a turn."""
    copies: Annotated[npt.NDArray[np.void], Part(STATE, (DEPTH,))]
    """Scratch of ``greedy``."""
    mask: Annotated[npt.NDArray[np.int8], Part(np.int8, (64 * actions.MASK_WORDS,))]
    """The legal actions in a turn that is played to its end."""
    here: Annotated[npt.NDArray[np.void], Part(STATE, (1,))]
    """The position at hand."""
    inputs: Annotated[npt.NDArray[np.int8], Part(np.int8, (2, INPUTS))]
    """What the network sees of the position at hand, and of another one, before it is divided."""
    seen: Annotated[npt.NDArray[np.float32], Part(np.float32, (3, _ROOM))]
    """What the network sees of the position at hand, and of another one; zeros."""
    sums: Annotated[npt.NDArray[np.float32], Part(np.float32, (2, MAX_FIRST))]
    """Sums of the first layer for both."""
    second: Annotated[npt.NDArray[np.float32], Part(np.float32, (MAX_SECOND,))]
    """The second hidden layer."""
    out: Annotated[npt.NDArray[np.float32], Part(np.float32, (1,))]
    """The output of the network."""
    places: Annotated[npt.NDArray[np.int64], Part(np.int64, (_LISTED,))]
    """Scratch of the network: inputs of a layer that count."""
    amounts: Annotated[npt.NDArray[np.float32], Part(np.float32, (_LISTED,))]
    """Scratch of the network: by how much each of them counts."""
    scores: Annotated[npt.NDArray[np.int64], Part(np.int64, (c.MAX_SEATS,))]
    """Goods delivered."""
    parameters: Annotated[npt.NDArray[np.float32], Part(np.float32, ())]
    """Those of the network."""


workspace_of, PARAMETERS_AT = taken_apart("workspace_of", Workspace)


# --- What a position is worth to a seat, and how it is liked ---------------------------------------------------------
# By the network, or by the outcome when the game is over.

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
        action = draw_outcome(board, drawn[0], workspace.chance)
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


# --- The moves that are worth a closer look: those that a first comparison likes best --------------------------------


@kernel
def list_moves(liked, most, moves):
    """Write the actions that are liked best to ``moves``, the best first; return how many.

    Args:
        liked: (actions,) float64, how each is liked; -inf for those that are not looked at.
        most: Most moves; room for so many is in ``moves``.
        moves: Int64, written.
    """
    count = np.int64(0)
    while count < most:
        chosen = np.int64(c.NONE)
        for action in range(actions.GIVE_AT):
            if liked[action] == -np.inf:
                continue
            listed = False
            for index in range(count):
                listed = listed or moves[index] == action
            if not listed and (chosen == c.NONE or liked[action] > liked[chosen]):
                chosen = np.int64(action)
        if chosen == c.NONE:
            break
        moves[count] = chosen
        count += 1
    return count


# --- The value player's choice: the legal action after which its turn comes to the end that it likes best ------------
# ``greedy`` lists the moves that are worth a look, and plays the turn to its end after each of them; the network says
# what the ends are worth. It could compare the positions right after the moves, too. But then to build now or in the
# next turn is the same but for a little, less than the network errs by, and a player that trusts it puts everything
# off, again in every turn. At the end of a turn what could be done is done, whatever came before.
#
# Offers are made by the rule of ``greedy``; whether one is accepted, the network says.

SAME = 1e-6
MOST_OF_TURN = 40
"""Most moves of a turn that is played to its end."""


@kernel
def _list_by_greedy(board, state, mask, workspace):
    """List the moves that ``greedy`` finds best, offers left out; return how many."""
    seat, values = np.int64(state.seat), workspace.values
    values[:] = -np.inf
    for action in range(actions.GIVE_AT):
        if mask[action] and is_worth_it(board, state, np.int64(action)):
            values[action] = move_value(board, state, np.int64(action), seat, workspace.weights, workspace.copies)
    return list_moves(values, workspace.settings[0].turns, workspace.moves)


@inlined
def goes_on_with_turn(state, seat):
    """Return whether the seat moves on in a turn of its own, after the dice."""
    return state.seat == seat and state.mover == seat and state.decision != c.DECIDE_PRODUCTION


@kernel
def _finish_turn(board, seat, workspace):
    """Play the turn on ``turn`` as ``greedy`` does, without offers, until it is over or something is drawn."""
    state, mask = workspace.turn[0], workspace.mask[: actions.NUM_ACTIONS]
    for _ in range(MOST_OF_TURN):
        if not goes_on_with_turn(state, seat):
            break
        write_legal(board, state, mask)
        action = best_move(board, state, mask, workspace.weights, workspace.copies)
        if action == actions.END or action == c.NONE:
            break
        carry_out(board, state, action)


@kernel
def compare_turns(board, state, mask, workspace, rng):
    """Write how the ends of turns after the listed moves are liked to ``values``, -inf for all other moves.

    Returns:
        The move that is liked best, NONE if there is none, and what the end of its turn is worth.
    """
    settings, seat, chosen, best, worth = workspace.settings[0], np.int64(state.seat), np.int64(c.NONE), -np.inf, np.nan
    look_at_position(board, state, seat, workspace)
    count = _list_by_greedy(board, state, mask, workspace)
    workspace.values[:] = -np.inf
    for index in range(count):
        action = workspace.moves[index]
        assign(workspace.turn, state)
        carry_out(board, workspace.turn[0], action)
        if action != actions.END:
            _finish_turn(board, seat, workspace)
        value = value_there(board, workspace.turn[0], seat, workspace)
        liked = liking_there(board, workspace.turn[0], seat, value, workspace)
        if settings.temperature > 0.0:
            liked += settings.temperature * gumbel(rng)
        workspace.values[action] = liked
        if is_better(action, liked, best, SAME):
            chosen, best, worth = action, liked, value
    return chosen, worth


@kernel
def _after_reply(board, state, accepts, workspace):
    """Carry an offer out to its end on ``turn``, where all who are asked after this seat refuse."""
    after = workspace.turn[0]
    assign(workspace.turn, state)
    after.accepted = 0
    carry_out(board, after, actions.ACCEPT if accepts else actions.REFUSE)
    while after.decision == c.DECIDE_REPLY:
        carry_out(board, after, actions.REFUSE)


@kernel
def answer_offer(board, state, workspace):
    """Return whether the seat that is asked accepts an offer, as an action, and write the value of that."""
    seat, settings = np.int64(state.seat), workspace.settings[0]
    look_at_position(board, state, seat, workspace)
    _after_reply(board, state, False, workspace)
    refused = value_there(board, workspace.turn[0], seat, workspace)
    liked = liking_there(board, workspace.turn[0], seat, refused, workspace)
    _after_reply(board, state, True, workspace)
    accepted = value_there(board, workspace.turn[0], seat, workspace)
    if liking_there(board, workspace.turn[0], seat, accepted, workspace) > liked:
        settings.value = accepted
        return np.int64(actions.ACCEPT)
    settings.value = refused
    return np.int64(actions.REFUSE)


@kernel
def end_or_offer(board, state, mask, chosen, workspace):
    """Return a chosen move; in the place of the end of a turn an offer, if one helps."""
    if chosen == actions.END:
        gift = first_gift(board, state, workspace.weights)
        if gift != c.NONE and mask[gift]:
            return np.int64(gift)
    return np.int64(chosen)


@inlined
def is_compared(state, mask):
    """Return whether ends of turns are compared at a decision: it is a choice, and not about an offer."""
    if state.decision in (c.DECIDE_OFFER, c.DECIDE_PARTNER, c.DECIDE_REPLY):
        return False
    return count_legal(mask) > 1


@kernel
def value_action(board, state, mask, workspace, rng):
    """Return the legal action that the value player chooses for ``state.seat``.

    Args:
        board: BOARD record, read only.
        state: STATE record, read only; a decision is asked.
        mask: Int8, the legal actions; read only.
        workspace: ``Workspace``, overwritten.
        rng: (1,) uint64, advanced with a temperature, or if nothing can be compared.
    """
    settings, decision = workspace.settings[0], state.decision
    settings.value = np.nan
    if decision == c.DECIDE_OFFER:
        return go_on_offering(board, state, workspace.weights)
    if decision == c.DECIDE_PARTNER:
        return best_partner(state, mask)
    if count_legal(mask) == 1 and not mask[actions.END]:
        return choose(mask, rng)
    if decision == c.DECIDE_REPLY:
        return answer_offer(board, state, workspace)
    chosen, settings.value = compare_turns(board, state, mask, workspace, rng)
    if chosen == c.NONE:
        return choose(mask, rng)
    return end_or_offer(board, state, mask, chosen, workspace)


# --- Offers of the search player -------------------------------------------------------------------------------------
# Exchanges are played out on a drawn position, and the best of those that help is made.
# The value player leaves offers to the rule of ``greedy``: one a turn, for one card, at the end of the turn. Here each
# exchange of an item for another is offered on a copy whose hidden cards are drawn anew, the network answers for the
# seats that are asked, and the turn goes on as after any other move.

LEAST_GAIN = 0.003
"""What an offer must bring: one that is refused is used up, and shows a card."""
MOST_GIVEN = 2
"""Most of an item that are given for one of another."""


@inlined
def liking_of_best(chosen, workspace):
    """Return how the end of a turn that was compared is liked, so that it can be compared after other moves."""
    return workspace.values[chosen] + workspace.settings[0].prior * workspace.settings[0].sum_here


@kernel
def _answer_all(board, state, workspace, mask):
    """Answer for each seat that is asked what the network says, and choose a partner; the offer is then over."""
    while state.decision == c.DECIDE_REPLY:
        able = True
        for item in range(c.NUM_ITEMS):
            able = able and held(state, state.seat, item) >= state.wants[item]
        action = answer_offer(board, state, workspace) if able else np.int64(actions.REFUSE)
        carry_out(board, state, action)
    if state.decision == c.DECIDE_PARTNER:
        write_legal(board, state, mask)
        carry_out(board, state, best_partner(state, mask))


@kernel
def _liking_after(board, given, item, number, wanted, ahead, workspace, rng):
    """Return how the turn is liked after ``number`` of an item were exchanged for one of another; -inf if they are not.

    Args:
        board: BOARD record, read only.
        given: STATE record, read only; of ``item`` the offer has as many already as its ``gives`` say.
        item: What is given.
        number: How many of it.
        wanted: What is wanted.
        ahead: ``Lookahead``, whose ``offered`` and ``mask`` are overwritten.
        workspace: ``Workspace``, overwritten.
        rng: (1,) uint64.
    """
    state, mask, seat = ahead.offered[0], ahead.mask[: actions.NUM_ACTIONS], np.int64(given.mover)
    before = held(given, seat, wanted)
    ahead.offered[0] = given
    begun = np.int64(given.gives[item]) if given.decision == c.DECIDE_OFFER else np.int64(0)
    for _ in range(number - begun):
        carry_out(board, state, np.int64(actions.GIVE_AT) + item)
    carry_out(board, state, np.int64(actions.WANT_AT) + wanted)
    carry_out(board, state, np.int64(actions.PROPOSE))
    _answer_all(board, state, workspace, mask)
    if held(state, seat, wanted) == before:
        return -np.inf
    write_legal(board, state, mask)
    chosen, _ = compare_turns(board, state, mask, workspace, rng)
    return -np.inf if chosen == c.NONE else liking_of_best(chosen, workspace)


@kernel
def _somebody_holds(state, seat, item):
    """Return whether another seat holds an item."""
    for other in range(state.num_seats):
        if other != seat and held(state, other, item) > 0:
            return True
    return False


@kernel
def _best_offer(board, state, only, least, ahead, workspace, rng):
    """Return the offer after which the turn is liked best, and better than ``least``: what, how many, for what.

    ``only`` is the item that is given, NONE for any. The first is NONE if there is no such offer.
    """
    drawn, seat = ahead.drawn[0], np.int64(state.mover)
    assign(ahead.drawn, state)
    reseed(ahead.chance, np.int64(state.rolls) * np.int64(4) + np.int64(state.offers))  # the same within an offer
    resample(drawn, seat, ahead.chance)
    best, gift, count, chosen = least, np.int64(c.NONE), np.int64(0), np.int64(c.NONE)
    for item in range(c.NUM_ITEMS):
        if only != c.NONE and item != only:
            continue
        for number in range(1, MOST_GIVEN + 1):
            if held(state, seat, item) < number or (only != c.NONE and number < state.gives[item]):
                continue
            for wanted in range(c.NUM_ITEMS):
                if wanted == item or not _somebody_holds(drawn, seat, wanted):
                    continue
                liked = _liking_after(
                    board, drawn, np.int64(item), np.int64(number), np.int64(wanted), ahead, workspace, rng
                )
                if liked > best:
                    best, gift, count, chosen = liked, np.int64(item), np.int64(number), np.int64(wanted)
    return gift, count, chosen


@kernel
def gift_that_helps(board, state, mask, liked, ahead, workspace, rng):
    """Return the move that begins an offer after which the turn is liked better than ``liked``; NONE without one."""
    able = False
    for item in range(c.NUM_ITEMS):
        able = able or mask[actions.GIVE_AT + item] != 0
    if not able:
        return np.int64(c.NONE)
    item, _, _ = _best_offer(board, state, np.int64(c.NONE), liked + LEAST_GAIN, ahead, workspace, rng)
    return item if item == c.NONE else np.int64(actions.GIVE_AT) + item


@kernel
def go_on_with_offer(board, state, ahead, workspace, rng):
    """Return the next move of an offer that was begun: more of the item, what is wanted, and then ``propose``."""
    item = np.int64(c.NONE)
    for kind in range(c.NUM_ITEMS):
        if state.wants[kind] > 0:
            return np.int64(actions.PROPOSE)
        if state.gives[kind] > 0:
            item = np.int64(kind)
    _, number, wanted = _best_offer(board, state, item, -np.inf, ahead, workspace, rng)
    if wanted == c.NONE:
        return np.int64(actions.CANCEL)
    if number > state.gives[item]:
        return np.int64(actions.GIVE_AT) + item
    return np.int64(actions.WANT_AT) + wanted


# --- The search player -----------------------------------------------------------------------------------------------
# After each move it plays its turn to the end as the value player does, and compares the ends.
# The value player has ``greedy`` play the turn on, so a move whose use only a good next move shows looks like nothing.
# Here every later move of the turn is one that the value player would choose.


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


# --- The value player as a compiled player, and the memory it is given -----------------------------------------------

TURNS = 4
"""Most moves after which a value player plays the turn to its end."""
SEARCHED_TURNS = 8
"""The same of a search player, at each of the decisions of the turn."""
_reals_at = array_of(np.float64)


def value_memory(
    network: NetworkArrays, temperature: float = 0.0, prior: float = PRIOR, turns: int = TURNS
) -> npt.NDArray[np.uint8]:
    """Return the memory of a value player.

    Args:
        network: What it values positions by.
        temperature: Scale of the Gumbel noise in what is compared, which makes the choice a draw from its softmax.
        prior: What a point of ``greedy``'s sum counts beside the value when positions are compared.
        turns: Most moves after which the turn is played to its end, 1 to MOST_MOVES: those that ``greedy`` finds best.
    """
    flat, (inputs, first), (second, outputs) = network.flat(), network.first.shape, network.last.shape
    memory = np.zeros(PARAMETERS_AT + flat.nbytes, np.uint8)
    workspace = workspace_of(memory)
    for name, value in (("temperature", temperature), ("prior", prior), ("turns", turns)):
        workspace.settings[name] = value
    workspace.networks[:1] = np.array([(inputs, 0, first, second, outputs, 0)], NETWORK)
    workspace.weights[:] = WEIGHTS.as_array()
    workspace.parameters[: flat.size] = flat
    return memory


def network_in(memory: npt.NDArray[np.uint8]) -> NetworkArrays:
    """Return a copy of the network in the memory of a value player."""
    workspace = workspace_of(memory)
    inputs, first, second, outputs = (
        int(workspace.networks[0][name]) for name in ("inputs", "first", "second", "outputs")
    )
    shapes = ((inputs, first), (first,), (first, second), (second,), (second, outputs), (outputs,))
    ends = np.cumsum([math.prod(shape) for shape in shapes])
    parts = np.split(workspace.parameters[: ends[-1]].copy(), ends[:-1])
    return NetworkArrays(*(part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)))


@player_entry
def value_entry(board, place, mask, num_actions, memory, size, rng):
    """Return the value player's action (``PLAYER_SIGNATURE``)."""
    workspace = workspace_of(memory_at(memory, size))
    allowed = bytes_at(mask, num_actions)
    return np.int64(value_action(board_at(board), state_at(place), allowed, workspace, generator_at(rng, 1)))


@leaf_entry
def leaves_entry(board, place, memory, size, out):
    """Write what a position is worth to each seat, by what this seat sees (``LEAF_SIGNATURE``)."""
    workspace, geometry, state = workspace_of(memory_at(memory, size)), board_at(board), state_at(place)
    values = _reals_at(out, MAX_SEATS)
    for seat in range(state.num_seats):
        look_at_position(geometry, state, np.int64(seat), workspace)
        values[seat] = value_there(geometry, state, np.int64(seat), workspace)
    return np.int64(0)


def search_memory(network: NetworkArrays) -> npt.NDArray[np.uint8]:
    """Return the memory of a search player with a network."""
    return np.concatenate([np.zeros(LOOKAHEAD_SIZE, np.uint8), value_memory(network, turns=SEARCHED_TURNS)])


@player_entry
def search_entry(board, place, mask, num_actions, memory, size, rng):
    """Return the search player's action (``PLAYER_SIGNATURE``)."""
    own = memory_at(memory, size)
    ahead, workspace = lookahead_of(own[:LOOKAHEAD_SIZE]), workspace_of(own[LOOKAHEAD_SIZE:])
    allowed, state = bytes_at(mask, num_actions), state_at(place)
    return np.int64(search_action(board_at(board), state, allowed, ahead, workspace, generator_at(rng, 1)))
