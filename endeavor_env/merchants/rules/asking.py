"""Requests for the next decision or draw, and the beginning of a turn (K4.1)."""

from __future__ import annotations

from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.rules import constants as c


@inlined
def ask(state, decision):
    """Ask the mover."""
    state.decision = decision
    state.seat = state.mover


@inlined
def ask_seat(state, decision, seat):
    """Ask a seat."""
    state.decision = decision
    state.seat = seat


@inlined
def ask_chance(state, decision):
    """Let chance decide."""
    state.decision = decision
    state.seat = c.CHANCE


@kernel
def end_game(state, ending):
    """End the game."""
    state.decision = c.DECIDE_NOTHING
    state.seat = c.NONE
    state.ending = ending


@kernel
def go_back(state):
    """Ask the decision from which a part of a turn was started (K12.2)."""
    state.card = c.NONE
    state.slot = c.NONE
    ask(state, c.DECIDE_ACTION if state.rolled else c.DECIDE_PRODUCTION)


@kernel
def place_or_ask(state, places, where, decision):
    """Put a new piece of the mover into the lowest slot that is free; if none is, ask which one is lifted (K6.3)."""
    for slot in range(c.SLOTS):
        if places[slot] == c.NONE:
            places[slot] = where
            go_back(state)
            return
    state.place = where
    ask(state, decision)


@kernel
def begin_turn(state, seat):
    """Begin the turn of a seat."""
    state.mover = seat
    state.rolled = state.card_played = state.buys = state.offers = 0
    state.bought = c.NONE
    state.tolls[0] = state.tolls[1] = 0
    go_back(state)
