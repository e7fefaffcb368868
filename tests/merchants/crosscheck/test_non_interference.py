"""Non-interference: of two positions that differ only in what a seat may not know, it gets the same in all bytes (K14).

Pairs come from all stages of games: one position is of a game, the other has what the seat cannot know drawn anew.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from endeavor_env.engine.game_rules import rows_of
from endeavor_env.engine.kernels import single
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.seating import Roster
from endeavor_env.merchants.game import MerchantsGame
from endeavor_env.merchants.observe.layout import LAYOUTS
from endeavor_env.merchants.players import PLAYERS
from endeavor_env.search import tree_search
from tests.merchants.core.test_hidden import drawn_anew

NAMES = PLAYERS.names()
HIDDEN = ("hand", "cards", "pile", "bought", "unseen")
ROSTER, SIMULATIONS = Roster(PLAYERS), 12
KINDS: list[dict[str, Any]] = [
    {"players": 3, "board": "short", "start": "fixed", "trade": "offers"},
    {"players": 4, "board": "short", "start": "free", "trade": "offers"},
    {"players": 3, "board": "expert", "start": "free", "trade": "bank"},
    {"players": 4, "board": "expert", "start": "free", "trade": "offers"},
]


def move_of(name: str, game: MerchantsGame, seed: int) -> tuple[int, int]:
    """Return what a player chooses for the seat to move, and its generator after it."""
    code, mask, rng = ROSTER.code_of(name), game.mask().view(np.int8), seeded(seed)
    seated = ROSTER.seated([code], mask.size)
    action = single.choose_compiled(code, seated, rows_of(game.config.board_array), rows_of(game.state), mask, rng)
    return int(action), int(rng[0])


def got_by(game: MerchantsGame, seat: int, seed: int) -> dict[str, Any]:
    """Return all that a seat can get of a position: what it sees, and what players choose for it."""
    found: dict[str, Any] = {name: game.observe(seat, name).tobytes() for name in LAYOUTS}
    found |= {"view": game.view(seat), "text": game.rules.presenter.text(game, seat)}
    found["drawn anew"] = drawn_anew(game, seat, seeded(seed)).state.tobytes()
    if game.seat == seat:
        found |= {"mask": game.mask().tobytes(), "legal": game.legal_actions()}
        found |= {name: move_of(name, game, seed) for name in NAMES}
        leaves = "value" if game.variant == "short" else None  # for which the network was made
        found["tree"] = tree_search(game, SIMULATIONS, seed, limit=20, leaves=leaves).visits.tolist()
    return found


def pairs(kind: dict[str, Any], seed: int, count: int) -> Iterator[tuple[MerchantsGame, MerchantsGame, int]]:
    """Yield positions that differ only in what a seat may not know, with the seat."""
    chooser, rng, made = random.Random(seed), seeded(seed), 0
    while made < count:
        seed += 1
        game = MerchantsGame.new(seed=seed, max_rolls=chooser.choice([40, 120]), **kind)
        players = chooser.choices(["random", "greedy", "planner"], k=kind["players"])
        while not game.over and made < count:
            if chooser.random() < 0.1:
                seat = game.seat if chooser.random() < 0.8 else chooser.randrange(kind["players"])
                other = drawn_anew(game, seat, rng)
                if any(not np.array_equal(game.state[name], other.state[name]) for name in HIDDEN):
                    made += 1
                    yield game, other, seat
            game.apply(move_of(players[game.seat], game, chooser.getrandbits(30))[0])


@pytest.mark.parametrize("kind", KINDS)
def test_K14_a_seat_gets_nothing_that_depends_on_what_it_may_not_know(kind: dict[str, Any]) -> None:
    differ, decisions = Counter[str](), Counter[int]()
    for number, (game, other, seat) in enumerate(pairs(kind, 7, 60)):
        mine, its = got_by(game, seat, number), got_by(other, seat, number)
        assert [name for name in mine if mine[name] != its[name]] == []
        decisions[int(game.state["decision"][0])] += 1
        for name in HIDDEN:
            differ[name] += not np.array_equal(game.state[name], other.state[name])
    assert len(decisions) > 4
    assert min(differ["hand"], differ["cards"]) > 5
