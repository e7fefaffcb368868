"""Decisions (K12) and draws of chance (K13): the mask of each, and what carries out a move."""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.kernels.masks import allow, allow_set
from endeavor_env.engine.kernels.rng import next_below
from endeavor_env.kernels.intrinsics import words_on_stack
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.rules import actions, caravans, cards, merchants, production, routes, setup, trade
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.asking import begin_turn, end_game
from endeavor_env.merchants.rules.cards import show_drawn
from endeavor_env.merchants.rules.merchants import show_value
from endeavor_env.merchants.rules.production import show_dice, show_stolen, ways_of_sum
from endeavor_env.merchants.rules.routes import count_incomes, mark_free_routes, mark_routes
from endeavor_env.merchants.rules.setup import show_first

# --- Chance: what it may show, with which weights, and a draw (K13) --------------------------------------------------

_MOST = c.DICE_SUMS
_new_weights = words_on_stack(_MOST)


@inlined
def _first_outcome(state):
    """Return the action id of the first outcome of the draw."""
    decision = state.decision
    if decision == c.CHANCE_DICE:
        return np.int64(actions.DICE_AT)
    if decision == c.CHANCE_STOLEN:
        return np.int64(actions.STOLEN_AT)
    if decision == c.CHANCE_DRAWN:
        return np.int64(actions.DRAWN_AT)
    if decision == c.CHANCE_VALUE:
        return np.int64(actions.VALUE_AT)
    return np.int64(actions.FIRST_AT)


@kernel
def _write_weights(board, state, weights):
    """Write the weights of the outcomes of the draw; return how many outcomes there are, those of weight 0 too."""
    decision = state.decision
    if decision == c.CHANCE_DICE:
        for index in range(c.DICE_SUMS):
            weights[index] = ways_of_sum(c.LEAST_DICE + index)
        return np.int64(c.DICE_SUMS)
    if decision == c.CHANCE_STOLEN:
        for kind in range(c.NUM_RESOURCES):
            weights[kind] = state.hand[state.victim, kind]
        return np.int64(c.NUM_RESOURCES)
    if decision == c.CHANCE_DRAWN:
        for kind in range(c.NUM_CARDS):
            weights[kind] = state.pile[kind]
        return np.int64(c.NUM_CARDS)
    if decision == c.CHANCE_VALUE:
        for index in range(c.NUM_VALUES):
            weights[index] = state.sea[board.kinds[state.terrain], index]
        return np.int64(c.NUM_VALUES)
    for seat in range(state.num_seats):
        weights[seat] = 1 if state.first == c.NONE or state.first == seat else 0
    return np.int64(state.num_seats)


@kernel
def mark_outcomes(board, state, mask):
    """Mark the outcomes that are possible."""
    weights = _new_weights(_MOST)
    number, first = _write_weights(board, state, weights), _first_outcome(state)
    for index in range(number):
        if weights[index] > 0:
            allow(mask, first + index)


@kernel
def draw_outcome(board, state, rng):
    """Return the action id of an outcome, drawn by the weights."""
    weights = _new_weights(_MOST)
    number, total = _write_weights(board, state, weights), np.int64(0)
    for index in range(number):
        total += weights[index]
    left, index = next_below(rng, total), np.int64(0)
    while left >= weights[index]:
        left -= weights[index]
        index += 1
    return _first_outcome(state) + index


@kernel
def show_outcome(board, state, action):
    """Let an outcome take effect."""
    decision = state.decision
    if decision == c.CHANCE_DICE:
        show_dice(board, state, action - actions.DICE_AT + c.LEAST_DICE)
    elif decision == c.CHANCE_STOLEN:
        show_stolen(state, action - actions.STOLEN_AT)
    elif decision == c.CHANCE_DRAWN:
        show_drawn(state, action - actions.DRAWN_AT)
    elif decision == c.CHANCE_VALUE:
        show_value(board, state, action - actions.VALUE_AT)
    else:
        show_first(board, state, action - actions.FIRST_AT)


# --- Legal moves: the mask of each decision (K12) --------------------------------------------------------------------


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


# --- Decisions: what carries out a move in each of them and runs on to the next decision or draw (K12) ---------------


@kernel
def apply(board, state, action):
    """Carry out a legal action, of a seat or of chance."""
    decision = state.decision
    if state.seat == c.CHANCE:
        show_outcome(board, state, action)
    elif decision == c.DECIDE_ACTION:
        _act(board, state, action)
    elif decision == c.DECIDE_PRODUCTION:
        if action == actions.ROLL:
            production.roll(state)
        else:
            cards.play(state, action - actions.PLAY_AT)
    elif decision >= c.DECIDE_OFFER:
        _bargain(state, decision, action)
    elif decision >= c.DECIDE_LIFT_MERCHANT:
        _go_on(board, state, decision, action)
    else:
        _carry_out_other(board, state, decision, action)


@kernel
def _act(board, state, action):
    """Carry out a move of the action phase; the blocks are compared in the order of their ids."""
    if action == actions.END:
        _end_turn(state)
    elif action < actions.CARD:
        cards.play(state, action - actions.PLAY_AT)
    elif action == actions.CARD:
        cards.buy_card(state)
    elif action < actions.BANK_AT:
        trade.buy(state, action - actions.BUY_AT)
    elif action < actions.MERCHANT_AT:
        trade.exchange(state, action - actions.BANK_AT)
    elif action < actions.CARAVAN_AT:
        merchants.recruit(board, state, action - actions.MERCHANT_AT)
    elif action < actions.ROUTE_AT:
        caravans.form(state, action - actions.CARAVAN_AT)
    elif action < actions.LIFT_AT:
        routes.buy_route(board, state, action - actions.ROUTE_AT)
    elif action < actions.TO_AT:
        merchants.begin_walk(board, state, action - actions.WALK_AT)
    elif action < actions.STEP_AT:
        caravans.begin_drive(board, state, action - actions.DRIVE_AT)
    elif action < actions.DISCARD_AT:
        caravans.deliver(board, state, action - actions.DELIVER_AT)
    else:
        trade.begin_offer(state, action - actions.GIVE_AT)


@kernel
def _end_turn(state):
    """Hand the turn on, unless all rolls were made (K10.3)."""
    if state.rolls >= state.most_rolls:
        end_game(state, c.OUT_OF_ROLLS)
    else:
        begin_turn(state, (state.mover + 1) % state.num_seats)


@kernel
def _bargain(state, decision, action):
    """Carry out a move of an offer."""
    if decision == c.DECIDE_REPLY:
        trade.reply(state, action == actions.ACCEPT)
    elif decision == c.DECIDE_PARTNER:
        trade.choose_partner(state, action - actions.PARTNER_AT)
    elif action < actions.WANT_AT:
        trade.give(state, action - actions.GIVE_AT)
    elif action < actions.PROPOSE:
        trade.want(state, action - actions.WANT_AT)
    elif action == actions.PROPOSE:
        trade.propose(state)
    else:
        trade.close_offer(state)


@kernel
def _go_on(board, state, decision, action):
    """Carry out a move of a part of a turn that has begun."""
    if decision == c.DECIDE_DRIVE:
        _drive(board, state, action)
    elif decision == c.DECIDE_DESTINATION:
        merchants.walk(board, state, action - actions.TO_AT)
    elif decision == c.DECIDE_FREE_ROUTE:
        if action == actions.DONE:
            routes.decline_free_route(state)
        else:
            routes.take_free_route(board, state, action - actions.ROUTE_AT)
    elif decision == c.DECIDE_TOKEN:
        if action == actions.DONE:
            merchants.end_founding(state)
        else:
            merchants.choose_token_terrain(board, state, action - actions.TOKEN_AT)
    elif decision == c.DECIDE_TAKE:
        merchants.move_token(state, action - actions.TAKE_AT)
    elif decision == c.DECIDE_INCOME:
        routes.choose_income(board, state, action - actions.INCOME_AT)
    elif decision == c.DECIDE_LIFT_MERCHANT:
        merchants.lift_merchant(state, action - actions.LIFT_AT)
    elif decision == c.DECIDE_LIFT_CARAVAN:
        caravans.lift_caravan(state, action - actions.LIFT_AT)
    else:
        _use_card(board, state, action)


@kernel
def _drive(board, state, action):
    """Carry out a move of a drive."""
    if action < actions.STOP:
        caravans.step(board, state, action - actions.STEP_AT)
    elif action == actions.STOP:
        caravans.stop(state)
    else:
        caravans.deliver(board, state, action - actions.DELIVER_AT)


@kernel
def _use_card(board, state, action):
    """Carry out what a trade treaty or a bribe begins with."""
    if action == actions.TAKE_GOLD:
        cards.take_treaty_gold(state)
    elif action < actions.TO_AT:
        merchants.begin_walk(board, state, action - actions.WALK_AT)
    else:
        caravans.begin_drive(board, state, action - actions.DRIVE_AT)


@kernel
def _carry_out_other(board, state, decision, action):
    """Carry out a move of set-up or of a seven."""
    if decision == c.DECIDE_DISCARD:
        production.discard(state, action - actions.DISCARD_AT)
    elif decision == c.DECIDE_ROBBER:
        production.move_robber(board, state, action - actions.ROBBER_AT)
    elif decision == c.DECIDE_STEAL:
        production.rob(state, action - actions.STEAL_AT)
    elif decision == c.DECIDE_POST:
        setup.place_post(board, state, action - actions.POST_AT)
    elif decision == c.DECIDE_NEUTRAL:
        setup.place_neutral(board, state, action - actions.NEUTRAL_AT)
    else:
        setup.place_first_route(board, state, action - actions.ROUTE_AT)
