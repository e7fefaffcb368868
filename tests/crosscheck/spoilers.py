"""Ways to spoil a position, and those that only games with Exploits have; ``test_violations`` names each of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.rules import constants as c

Spoil = Callable[[Game], None]


def put(field: str, value: int, *where: int) -> Spoil:
    """Return a spoiler that writes one entry."""

    def spoil(game: Game) -> None:
        game.state[field][(0, *where)] = value

    return spoil


def board_a_pirate(game: Game) -> None:
    """Put the pirate into a city with a disc (E2)."""
    game.state["pirate_at"] = int(np.flatnonzero(game.state["city_owner"][0] >= 0)[0])


def fortify_nobody(game: Game) -> None:
    """Fortify a city without a disc (E4)."""
    city = int(np.flatnonzero(game.state["city_owner"][0] == c.NONE)[0])
    game.state["fortified"] |= 1 << city


def crowd_a_building(game: Game) -> None:
    """Put all cannons on one building of seat 0 (E1)."""
    game.state["cannon_seat"] = 0
    game.state["cannon_building"] = int(np.flatnonzero(game.state["buildings"][0, 0])[0])


def lift_top_card(game: Game) -> None:
    """Take the top card of a pile out of its list, and leave its place as it was."""
    deck = int(np.flatnonzero(game.state["pile_head"][0] >= 0)[0])
    card = int(game.state["pile_head"][0, deck])
    game.state["pile_head"][0, deck] = game.state["pile_below"][0, card]
    entry.recount(game.board.array, game.state)


def stack_on_two_piles(game: Game) -> None:
    """Let the list of one pile go on with the cards of another."""
    heads, below = game.state["pile_head"][0], game.state["pile_below"][0]
    first, other = heads[heads >= 0][:2].tolist()
    while below[first] != c.NONE:
        first = int(below[first])
    below[first] = other


def deal_governor(game: Game) -> None:
    """Give seat 0 the Governor of a closed region, counts included."""
    governors = game.board.array["governor_card"][0]
    closed = np.flatnonzero((governors >= 0) & (game.state["open"][0] == 0))
    game.state["card_place"][0, governors[closed[0]]] = 0
    entry.recount(game.board.array, game.state)


DISCS, DERIVED = "discs of a colour do not add up", "a running count differs from a recount"
PIECE, CARD = "a pile or a piece of the Exploits is in no possible place", "a card is in no possible place"
WHERE = "round, phase, decision and seat do not go together"
LEFT = "an action that is not under way has left parts or locks"
SPOILED_EXPLOITS: list[tuple[str, str, str, Spoil]] = [
    ("cannon_of_nobody", PIECE, "turn", put("cannon_building", 3, 5)),
    ("cannons_on_one_building", PIECE, "turn", crowd_a_building),
    ("galleons", PIECE, "turn", put("galleons", 9, 0)),
    ("fortified_nobody", PIECE, "turn", fortify_nobody),
    ("pirate_in_a_taken_city", PIECE, "turn", board_a_pirate),
    ("card_in_no_list", PIECE, "turn", lift_top_card),
    ("card_in_two_lists", PIECE, "turn", stack_on_two_piles),
    ("governor_of_a_closed_region", "a closed region holds", "turn", deal_governor),
    ("retained_card", CARD, "turn", put("card_place", c.CARD_RETAINED, 25)),
    ("casualty", DISCS, "turn", put("casualty_disc", 4, 0)),
    ("manila", DISCS, "turn", put("manila", 9, 1)),
    ("sun", DISCS, "turn", put("sun", 19, 2)),
    ("spice", DISCS, "turn", put("spice_discs", 19, 2, 0)),
    ("spice_icons", DERIVED, "turn", put("spice_discs", 19, 2, 1)),
    ("nassau", DISCS, "turn", put("nassau_governor", 4)),
    ("investment", DISCS, "turn", put("invested", 3, 9)),
    ("railroad", DISCS, "turn", put("railroad", 2, 4)),
    ("pacific", DISCS, "turn", put("pacific", 1, 7)),
    ("number_of_discs", DISCS, "turn", put("fewer_discs", 1)),
    ("freedom_token", DERIVED, "turn", put("freedom_holder", 0, 4)),
    ("follow_up_left", LEFT, "turn", put("follow_up", 3)),
    ("turn_seat_left", LEFT, "turn", put("turn_seat", 0)),
    ("cannon_left", LEFT, "build", put("with_cannon", 1)),
    ("no_follow_up", LEFT, "follow_up", put("follow_up", c.NONE)),
    ("follow_up_of_a_phase", WHERE, "follow_up", put("phase", 1)),
    ("follow_up_of_nobody", WHERE, "follow_up", put("turn_seat", c.NONE)),
]
"""Name, violation, decision and spoiler; all Exploits are in play."""
