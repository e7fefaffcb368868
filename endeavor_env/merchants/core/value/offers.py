"""Offers of the search player: exchanges are played out on a drawn position, and the best of those that help is made.

The value player leaves offers to the rule of ``greedy``: one a turn, for one card, at the end of the turn. Here each
exchange of an item for another is offered on a copy whose hidden cards are drawn anew, the network answers for the
seats that are asked, and the turn goes on as after any other move.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.machine.intrinsics import assign
from endeavor_env.machine.kernels import inlined, kernel
from endeavor_env.merchants.core import actions
from endeavor_env.merchants.core import constants as c
from endeavor_env.merchants.core.greedy.offers import best_partner
from endeavor_env.merchants.core.moving import carry_out, write_legal
from endeavor_env.merchants.core.offers import held
from endeavor_env.merchants.core.resampling import resample
from endeavor_env.merchants.core.value.choice import answer_offer, compare_turns
from endeavor_env.rails.kernels.rng import reseed

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
