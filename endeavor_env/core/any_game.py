"""What players, observations and checks ask in a game of any variant: the rule of the base game, or that with Exploits.

The rules themselves do not ask: the engine calls those of the game at hand.
"""

from __future__ import annotations

from endeavor_env.core.exploits import cities, normal_targets, piles, south_sea, tiles
from endeavor_env.core.rules import attack, draw, occupy, statuses
from endeavor_env.core.rules import piles as sorted_piles
from endeavor_env.core.sides import has_exploits
from endeavor_env.machine.kernels import kernel


@kernel
def top_card(state, deck):
    """Return the top card of the pile ``deck``, NONE if it is empty."""
    return piles.top_card(state, deck) if has_exploits(state) else sorted_piles.top_card(state, deck)


@kernel
def card_below(state, card):
    """Return the card under ``card`` in its pile, NONE if it is the lowest."""
    return piles.card_below(state, card) if has_exploits(state) else sorted_piles.card_below(card)


@kernel
def refresh_pile(state, deck):
    """Find the cards of a pile again after some were taken: ``card_place`` says which are there."""
    if has_exploits(state):
        piles.refresh_pile(state, deck)
    else:
        sorted_piles.refresh_pile(state, deck)


@kernel
def free_cities(board, state, regions):
    """Return the cities in ``regions`` that can be occupied, both as bits."""
    free = occupy.free_cities(board, state, regions)
    return free & ~cities.closed_cities(state) if has_exploits(state) else free


@kernel
def controls(board, state, side, connection):
    """Return whether ``side`` controls a connection (R8.4.1)."""
    both = occupy.controls(board, state, side, connection)
    return both and not (has_exploits(state) and cities.is_blocked(state, connection))


@kernel
def attack_targets(board, state, seat, lock):
    """Return the cities of the board that ``seat`` may attack, as bits; ``lock`` allows one region, NONE all."""
    if has_exploits(state):
        return normal_targets.attack_targets(board, state, seat, lock)
    return attack.attack_targets(board, state, seat, lock)


@kernel
def draw_targets(board, state, seat, lock_deck, lock_region):
    """Return the piles that ``seat`` may draw from, as bits, within locks that are not NONE."""
    if has_exploits(state):
        return normal_targets.draw_targets(board, state, seat, lock_deck, lock_region)
    return draw.draw_targets(board, state, seat, lock_deck, lock_region)


@kernel
def build_level(board, state, seat):
    """Return the highest building level that ``seat`` may build (R1.8)."""
    if has_exploits(state):
        return south_sea.build_level(board, state, seat)
    return statuses.build_level(board, state, seat)


@kernel
def discs_of_player(board, state):
    """Return the number of discs of one colour (R1.7)."""
    return tiles.discs_of_player(board, state) if has_exploits(state) else board.discs_per_player
