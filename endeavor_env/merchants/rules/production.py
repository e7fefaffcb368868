"""A roll of the dice: production, discards after a seven, and the robber (K4)."""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.kernels.masks import allow
from endeavor_env.kernels.intrinsics import where_equal, words_on_stack
from endeavor_env.kernels.kernels import inlined, kernel
from endeavor_env.merchants.rules import actions, sets
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.asking import ask, ask_chance, ask_seat, go_back
from endeavor_env.merchants.rules.hands import hand_size, pay_cards, steal_card, take_cards, take_gold

# --- Production: what a roll of the dice brings, and discards after a seven (K4.2 to K4.5) ---------------------------

_with_number = where_equal(sets.TERRAIN_BITS)
_new_dues = words_on_stack(c.NUM_RESOURCES)
_BYTE, _LOW = 8, 255


@inlined
def ways_of_sum(number):
    """Return how many of the 36 ways of two dice show a sum (K4.2)."""
    return 6 - abs(c.SEVEN - number)


@inlined
def ways_of(state, terrain):
    """Return how many of the 36 ways of two dice roll the number of a terrain."""
    number = np.int64(state.numbers[terrain])
    return ways_of_sum(number) if number > 0 else np.int64(0)


@kernel
def roll(state):
    """Roll the dice."""
    state.rolled = 1
    state.rolls += 1
    ask_chance(state, c.CHANCE_DICE)


@kernel
def show_dice(board, state, number):
    """Let the mover's roll take effect."""
    if number == c.SEVEN:
        for seat in range(state.num_seats):
            size = hand_size(state, seat)
            state.discards[seat] = size // 2 if size > c.HAND_LIMIT else 0
        ask_next_discard(state)
        return
    _produce(board, state, number)
    ask(state, c.DECIDE_ACTION)


@kernel
def _produce(board, state, number):
    """Give what the terrains with a number yield, and gold to those who have nothing beside them (K4.4)."""
    dues = _new_dues(c.NUM_RESOURCES)  # of each kind, a byte for each seat
    dues[:] = 0
    touching = _count_dues(board, state, number, dues)
    for kind in range(c.NUM_RESOURCES):
        due = dues[kind]
        if due != 0 and _sum_of_bytes(due) <= state.reserve[kind]:
            for seat in range(state.num_seats):
                amount = (due >> np.int64(_BYTE * seat)) & np.int64(_LOW)
                if amount > 0:
                    take_cards(state, seat, kind, amount)
    for distance in range(state.num_seats):
        seat = (state.mover + distance) % state.num_seats
        if not sets.has(touching, seat):
            take_gold(state, seat, 1)


@kernel
def _count_dues(board, state, number, dues):
    """Add up what is due; return the seats with a post beside a terrain with the number, as bits."""
    touching = np.int64(0)
    for part in range(sets.TERRAIN_WORDS):
        first = part * sets.TERRAIN_BITS
        found = _with_number(state.numbers[first : first + sets.TERRAIN_BITS], number)
        while found != 0:
            terrain = first + sets.lowest(found)
            found = sets.without_lowest(found)
            for seat in range(c.MAX_SEATS):
                posts = sets.count(board.terrain_cities[terrain] & state.posts[seat])
                touching |= np.int64(posts > 0) << np.int64(seat)
                if terrain != state.robber:
                    dues[board.kinds[terrain]] += posts << np.int64(_BYTE * seat)
    return touching


@kernel
def _sum_of_bytes(due):
    """Return the sum of the bytes of a number."""
    total = np.int64(0)
    while due != 0:
        total += due & np.int64(_LOW)
        due >>= np.int64(_BYTE)
    return total


# --- after a seven ---------------------------------------------------------------------------------------------------
@kernel
def ask_next_discard(state):
    """Ask the next seat that has to discard, clockwise from the mover; without one, where the robber goes (K4.3)."""
    for distance in range(state.num_seats):
        seat = (state.mover + distance) % state.num_seats
        if state.discards[seat] > 0:
            ask_seat(state, c.DECIDE_DISCARD, seat)
            return
    ask(state, c.DECIDE_ROBBER)


@kernel
def mark_discards(state, mask):
    """Mark the kinds that the seat to move holds."""
    for kind in range(c.NUM_RESOURCES):
        if state.hand[state.seat, kind] > 0:
            allow(mask, actions.DISCARD_AT + kind)


@kernel
def discard(state, kind):
    """Discard a card."""
    pay_cards(state, state.seat, kind, 1)
    state.discards[state.seat] -= 1
    ask_next_discard(state)


# --- The robber: where he goes, and whom he robs (K4.6, K4.7) --------------------------------------------------------


@kernel
def mark_robber(board, state, mask):
    """Mark every numbered terrain but the present one."""
    for terrain in range(board.num_terrains):
        if state.numbers[terrain] > 0 and terrain != state.robber:
            allow(mask, actions.ROBBER_AT + terrain)


@kernel
def move_robber(board, state, terrain):
    """Move the robber; a lancer then takes gold (K9.1); ask who is robbed if anybody can be."""
    state.robber = terrain
    if state.card == c.LANCER:
        take_gold(state, state.mover, c.LANCER_GOLD)
    for distance in range(1, state.num_seats):
        if can_be_robbed(board, state, distance):
            ask(state, c.DECIDE_STEAL)
            return
    go_back(state)


@kernel
def can_be_robbed(board, state, distance):
    """Return whether the seat so far clockwise from the mover has a post beside the robber, and a card."""
    seat = (state.mover + distance) % state.num_seats
    return board.terrain_cities[state.robber] & state.posts[seat] != 0 and hand_size(state, seat) > 0


@kernel
def mark_victims(board, state, mask):
    """Mark the seats that can be robbed."""
    for distance in range(1, state.num_seats):
        if can_be_robbed(board, state, distance):
            allow(mask, actions.STEAL_AT + distance - 1)


@kernel
def rob(state, index):
    """Choose who is robbed; chance decides of what."""
    state.victim = (state.mover + index + 1) % state.num_seats
    ask_chance(state, c.CHANCE_STOLEN)


@kernel
def show_stolen(state, kind):
    """Let the mover have the card."""
    steal_card(state, np.int64(state.mover), np.int64(state.victim), kind)
    state.victim = c.NONE
    go_back(state)
