"""Legal moves: the mask of each decision (K12)."""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.kernels.masks import allow, allow_set
from endeavor_env.kernels.kernels import kernel
from endeavor_env.merchants.rules import actions, caravans, cards, merchants, production, setup, trade
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.chance import mark_outcomes
from endeavor_env.merchants.rules.routes import count_incomes, mark_free_routes, mark_routes


@kernel
def write_mask(board, state, mask):
    """Write the mask of the decision or draw; all 0 when the game is over."""
    mask[:] = 0
    decision = state.decision
    if state.seat == c.CHANCE:
        mark_outcomes(board, state, mask)
    elif decision == c.DECIDE_ACTION:
        _mark_action(board, state, mask)
    elif decision == c.DECIDE_PRODUCTION:
        allow(mask, actions.ROLL)
        cards.mark_plays(board, state, mask)
    elif decision >= c.DECIDE_OFFER:
        _mark_bargain(state, decision, mask)
    elif decision >= c.DECIDE_LIFT_MERCHANT:
        _mark_part(board, state, decision, mask)
    elif decision != c.DECIDE_NOTHING:
        _mark_other(board, state, decision, mask)


@kernel
def _mark_action(board, state, mask):
    """Mark the moves of the action phase: each is looked for only if it can be paid."""
    seat, hand = state.mover, state.hand
    wood, wool, wheat = hand[seat, c.WOOD] > 0, hand[seat, c.WOOL] > 0, hand[seat, c.WHEAT] > 0
    ore, salt = hand[seat, c.ORE] > 0, hand[seat, c.SALT] > 0
    allow(mask, actions.END)
    cards.mark_plays(board, state, mask)
    if wool and salt and cards.can_be_bought(state):
        allow(mask, actions.CARD)
    if wool and wheat and wood:
        merchants.mark_recruits(board, state, mask)
    if ore and wood:
        if state.routes_left[seat] > 0:
            mark_routes(state, seat, mask)
        if salt:
            caravans.mark_caravans(board, state, mask)
    if wheat:
        merchants.mark_paid_walks(board, state, mask)
    if salt:
        caravans.mark_drives(board, state, mask, False)
    if caravans.free_goods(state, seat) > 0:
        caravans.mark_deliveries(board, state, mask)
    if state.trade != c.NO_TRADE:
        trade.mark_trade(state, mask)
        if state.trade == c.OFFERS and state.offers < c.MOST_OFFERS:
            trade.mark_first_gifts(state, mask)


@kernel
def _mark_bargain(state, decision, mask):
    """Mark the moves of an offer."""
    if decision == c.DECIDE_OFFER:
        trade.mark_offer(state, mask)
    elif decision == c.DECIDE_REPLY:
        trade.mark_replies(state, mask)
    else:
        trade.mark_partners(state, mask)


@kernel
def _mark_part(board, state, decision, mask):
    """Mark the moves of a part of a turn that has begun."""
    if decision == c.DECIDE_DRIVE:
        caravans.mark_drive(board, state, mask)
    elif decision == c.DECIDE_DESTINATION:
        merchants.mark_destinations(board, state, mask)
    elif decision == c.DECIDE_FREE_ROUTE:
        mark_free_routes(board, state, mask)
        allow(mask, actions.DONE)
    elif decision == c.DECIDE_TOKEN:
        merchants.mark_token_terrains(board, state, mask)
    elif decision == c.DECIDE_TAKE:
        merchants.mark_tokens(board, state, mask)
    elif decision == c.DECIDE_INCOME:
        allow_set(mask, actions.INCOME_AT, (np.int64(1) << count_incomes(board, state)) - np.int64(1))
    elif decision == c.DECIDE_TREATY:
        cards.mark_treaty(board, state, mask)
    elif decision == c.DECIDE_BRIBE:
        cards.mark_bribe(board, state, mask)
    else:  # either slot of pieces that are both out
        allow_set(mask, actions.LIFT_AT, np.int64((1 << c.SLOTS) - 1))


@kernel
def _mark_other(board, state, decision, mask):
    """Mark the moves of set-up and of a seven."""
    if decision == c.DECIDE_DISCARD:
        production.mark_discards(state, mask)
    elif decision == c.DECIDE_ROBBER:
        production.mark_robber(board, state, mask)
    elif decision == c.DECIDE_STEAL:
        production.mark_victims(board, state, mask)
    elif decision == c.DECIDE_POST:
        setup.mark_posts(board, state, mask)
    elif decision == c.DECIDE_NEUTRAL:
        setup.mark_neutrals(board, state, mask)
    else:
        setup.mark_start_routes(board, state, mask)
