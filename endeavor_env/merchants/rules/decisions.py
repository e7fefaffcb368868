"""Decisions: what carries out a move in each of them and runs on to the next decision or draw (K12)."""

from __future__ import annotations

from endeavor_env.kernels.kernels import kernel
from endeavor_env.merchants.rules import actions, caravans, cards, chance, merchants, production, routes, setup, trade
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.asking import begin_turn, end_game


@kernel
def apply(board, state, action):
    """Carry out a legal action, of a seat or of chance."""
    decision = state.decision
    if state.seat == c.CHANCE:
        chance.show(board, state, action)
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
