"""The robber: where he goes, and whom he robs (K4.6, K4.7)."""

from __future__ import annotations

import numpy as np

from endeavor_env.engine.kernels.masks import allow
from endeavor_env.kernels.kernels import kernel
from endeavor_env.merchants.rules import actions
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules.asking import ask, ask_chance, go_back
from endeavor_env.merchants.rules.hands import hand_size, steal_card, take_gold


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
