"""What is drawn anew for a seat is a possible world, and each comes as often as chance has it (K14.1)."""

from __future__ import annotations

import random
from collections import Counter
from math import sqrt

import numpy as np
import pytest

from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.merchants.rules.constants import NONE
from tests.merchants.core.test_hidden import drawn_anew
from tests.merchants.crosscheck.boards import board_named
from tests.merchants.crosscheck.choosers import CHOOSERS
from tests.merchants.crosscheck.kernels import KernelGame
from tests.merchants.crosscheck.twins import Twins
from tests.merchants.crosscheck.worlds import CardsSeen, Hands, HandsSeen
from tests.merchants.reference.agenda import CHANCE

MOST_WORLDS, DRAWS, FAR = 60, 150, 6.0


def next_move(game: Twins, rng: random.Random, chooser: str) -> str:
    """Return a move of a seat or of chance."""
    legal = game.legal()
    return rng.choices(legal, game.plain.weights())[0] if game.seat == CHANCE else CHOOSERS[chooser](rng, game.plain)


def hands_drawn(game: Twins, seat: int, draws: int, seed: int) -> Counter[Hands]:
    """Return how often which hands are drawn anew for a seat."""
    rng, found = seeded(seed), Counter[Hands]()
    for _ in range(draws):
        hands = drawn_anew(game.fast.game, seat, rng).state[0]["hand"].tolist()
        found[tuple(map(tuple, hands[: game.plain.players]))] += 1
    return found


@pytest.mark.parametrize(
    ("chooser", "players", "board", "seed"),
    [
        ("uniform", 3, "short", 1), ("uniform", 4, "short", 2), ("uniform", 4, "expert", 3), ("eager", 4, "short", 4),
        ("patient", 3, "expert", 8), ("wild", 4, "short_arrows", 6), ("hoarder", 3, "short", 7),
    ],
)  # fmt: skip
def test_K14_1_hands_that_are_drawn_anew_are_possible_and_as_likely_as_chance_has_them(
    chooser: str, players: int, board: str, seed: int
) -> None:
    rng, game, several = random.Random(seed), Twins(board_named(board), players, max_rolls=90), 0
    seen = [HandsSeen(game.plain, seat) for seat in range(players)]
    while game.seat is not None:
        move = next_move(game, rng, chooser)
        game.play(move)
        for one in seen:
            one.see(move, game.plain)
        if any(len(one.games) > MOST_WORLDS for one in seen):
            break
        for one in seen:
            if len(one.games) > 1 and rng.random() < 0.1:
                check_frequencies(one.weights(), hands_drawn(game, one.seat, DRAWS, rng.getrandbits(30)))
                several += 1
    assert several > 5


def check_frequencies(weights: dict[Hands, float], found: Counter[Hands]) -> None:
    """Assert that only possible worlds were drawn, and each about as often as expected."""
    assert set(found) <= set(weights), (set(found) - set(weights), weights)
    for world, weight in weights.items():
        spread = sqrt(DRAWS * weight * (1 - weight)) + 1
        assert abs(found[world] - DRAWS * weight) < FAR * spread, (world, weight, found)


@pytest.mark.parametrize(("players", "seed"), [(3, 2), (3, 3), (3, 7), (4, 2), (4, 3)])
def test_K14_1_what_is_drawn_anew_is_a_position_of_a_possible_game_and_depends_on_what_the_seat_knows(
    players: int, seed: int
) -> None:
    rng, game, several = random.Random(seed), Twins(board_named("short"), players, max_rolls=70), 0
    seen = [HandsSeen(game.plain, seat, merges=False) for seat in range(players)]
    while game.seat is not None and all(len(one.games) <= MOST_WORLDS for one in seen):
        move = next_move(game, rng, "uniform")
        while move == "card":  # those who hold development cards may hold others in each of these games
            move = next_move(game, rng, "uniform")
        game.play(move)
        for one in seen:
            one.see(move, game.plain)
            if len(one.games) > 1 and rng.random() < 0.06:
                check_positions(game, one, rng.getrandbits(30))
                several += 1
    assert several > 3


def check_positions(game: Twins, seen: HandsSeen, seed: int) -> None:
    """Assert that what is drawn from each possible game is the same position of one of them, in all bytes."""
    games = [played_by_kernels(game, one.moves) for one, _ in seen.games]
    positions, first = {remembered(one.game.state).tobytes() for one in games}, seeded(seed)
    for _ in range(10):
        drawn = {drawn_anew(one.game, seen.seat, first.copy()).state.tobytes() for one in games}
        assert len(drawn) == 1
        assert drawn <= positions
        first = seeded(seed := seed + 1)


def remembered(state: np.ndarray) -> np.ndarray:
    """Return the position without thefts if everybody knows all hands: the next theft forgets those before."""
    state = state.copy()
    if not state["unseen"].any():
        state["thefts"], state["latest"], state["num_thefts"] = 0, NONE, 0
    return state


def played_by_kernels(game: Twins, moves: list[tuple[int | str, str]]) -> KernelGame:
    """Return the game of the kernels with these moves."""
    played = KernelGame(game.map, game.plain.players, game.plain.start, game.plain.trade, game.plain.max_rolls)
    for _, move in moves:
        played.play(move)
    return played


@pytest.mark.parametrize(
    ("chooser", "players", "seed"), [("wild", 3, 1), ("wild", 4, 2), ("builder", 3, 3), ("uniform", 3, 4)]
)
def test_K14_1_development_cards_that_are_drawn_anew_are_possible(chooser: str, players: int, seed: int) -> None:
    rng, game, piles, several, reached = random.Random(seed), Twins(board_named("short"), players), 1, Counter[int](), 0
    seen = [CardsSeen(players, seat, game.table.pile) for seat in range(players)]
    while game.seat is not None:
        move, mover, left = next_move(game, rng, chooser), game.table.mover, sum(game.table.pile.values())
        game.play(move)
        for one in seen:
            see_card(one, move, mover, left)
        piles += move == "card" and left == 0
        if any(len(one.worlds) > 3000 for one in seen):
            break
        if rng.random() < 0.04:
            for one in seen:
                reached += check_cards(game, one, rng.getrandbits(30))
                several[piles] += 1
    assert several.total() - several[1] > 20
    assert reached > 10


def see_card(seen: CardsSeen, move: str, mover: int, left: int) -> None:
    """Let a seat see what a move does to development cards."""
    verb, _, what = move.partition(":")
    if verb == "card" and left == 0:
        seen.make_pile()
    elif verb == "drawn":
        seen.draw(mover, what)
    elif verb == "play":
        seen.play(mover, what)
    elif verb == "end":
        seen.end_turn()


def check_cards(game: Twins, seen: CardsSeen, seed: int) -> bool:
    """Assert that only possible cards are drawn anew, and the likely ones; return whether there were several."""
    rng, found = seeded(seed), set()
    for _ in range(60):
        state = drawn_anew(game.fast.game, seen.seat, rng).state[0]
        hands = tuple(map(tuple, state["cards"].tolist()[: game.plain.players]))
        bought = int(state["bought"])
        found.add((hands, tuple(state["pile"].tolist()), None if bought < 0 else bought))
    assert found <= set(seen.worlds), (found - set(seen.worlds), len(seen.worlds))
    likely = {world for world, weight in seen.worlds.items() if weight * 8 > sum(seen.worlds.values())}
    assert likely <= found
    return len(found) > 1
