"""What seats cannot see: stolen cards and development cards (K14), and what is drawn anew of it."""

from __future__ import annotations

import random
from collections import Counter
from typing import TypeVar

import numpy as np
import pytest

from endeavor_env.engine.game import Game
from endeavor_env.engine.kernels import rules as calls
from endeavor_env.engine.kernels.rng import GENERATOR, seeded
from endeavor_env.engine.kernels.rules import BOARDS, CHANCE, POSITIONS, RULES
from endeavor_env.kernels.entries import entry
from endeavor_env.kernels.kinds import INTEGER
from endeavor_env.merchants.observe.layout import LAYOUTS
from endeavor_env.merchants.rules import actions
from endeavor_env.merchants.rules import constants as c
from tests.merchants.core.games import give_cards, new_game, put_post, quiet_game, random_play
from tests.merchants.core.test_random_games import check_position

AnyGame = TypeVar("AnyGame", bound=Game)


@entry(RULES, BOARDS, POSITIONS, INTEGER, GENERATOR)
def resample(rules, boards, positions, seat, rng):  # type: ignore[no-untyped-def]
    """Draw anew what a seat cannot know of a position."""
    calls.resample(rules, boards[0], positions[0], seat, rng)


def drawn_anew(game: AnyGame, seat: int, rng: np.ndarray) -> AnyGame:
    """Return a game at a position that agrees with what a seat has seen."""
    copy = game.clone()
    resample(*copy.given, seat, rng)
    return copy


def observed(game: Game, seat: int) -> list[bytes]:
    """Return both observations of a seat."""
    return [game.observe(seat, name).tobytes() for name in LAYOUTS]


@pytest.mark.parametrize(("side", "players"), [("short", 3), ("short", 4), ("expert", 3), ("expert", 4)])
def test_K14_1_what_is_drawn_anew_changes_nothing_that_a_seat_has_seen(side: str, players: int) -> None:
    changed, rng, chooser = Counter[str](), seeded(1), random.Random(2)
    game = new_game(side, players, c.FREE, rolls=160, seed=players)
    for position in random_play(game, seed=8):
        if chooser.random() < 0.8:
            continue
        for seat in range(players):
            other = drawn_anew(position, seat, rng)
            assert observed(other, seat) == observed(position, seat)
            if position.seat == seat:
                assert other.legal_actions() == position.legal_actions()
            assert len(other.legal_actions()) > 0
            check_position(other)
            for name in ("hand", "cards", "pile"):
                changed[name] += not np.array_equal(other.state[name], position.state[name])
            assert drawn_anew(position, c.NONE, rng).state.tobytes() == position.state.tobytes()
    assert min(changed.values()) > 10


def test_positions_drawn_anew_can_be_played_to_the_end() -> None:
    rng, game = seeded(5), new_game("short", 4, rolls=30, seed=2)
    for number, position in enumerate(random_play(game, seed=1)):
        if number % 40 == 0:
            other = drawn_anew(position, number % 4, rng)
            for later in random_play(other, seed=number):
                assert later.legal_actions()


def test_what_is_drawn_anew_before_a_draw_leaves_it_possible() -> None:
    game, rng, met = new_game("expert", 4, rolls=60, seed=11), seeded(2), Counter[int]()
    for _ in random_play(game, seed=6):
        pass
    for number, (seat, _) in enumerate(game.history):
        if seat != CHANCE or number % 3:
            continue
        before = game.at_move(number)
        for observer in range(4):
            other = drawn_anew(before, observer, rng)
            assert observed(other, observer) == observed(before, observer)
            assert other.legal_actions()
            check_position(other)
            met[int(before.state["decision"][0])] += 1
    assert min(met[c.CHANCE_DICE], met[c.CHANCE_STOLEN], met[c.CHANCE_DRAWN]) > 0


def robbed_game() -> Game:
    """Return a game in which seat 0 is about to rob seat 1, which holds wood and ore."""
    game = quiet_game("short", 3)
    city = int(game.board[0]["crossroads_city"].max())
    put_post(game, 1, city)
    terrain = next(t for t in range(72) if int(game.board[0]["terrain_cities"][t]) >> city & 1)
    game.state[0]["robber"] = next(t for t in range(40) if t != terrain and game.state[0]["numbers"][t])
    game.state[0]["numbers"][terrain] = 9
    give_cards(game, 1, wood=2, ore=1)
    game.state["decision"] = c.DECIDE_ROBBER
    game.apply(actions.ROBBER_AT + terrain, draws=False)
    game.apply(actions.STEAL_AT, draws=False)
    return game


def test_only_thief_and_victim_know_what_was_stolen() -> None:
    seen = {}
    for kind in (c.WOOD, c.ORE):
        game = robbed_game()
        game.apply(actions.STOLEN_AT + kind, draws=False)
        seen[kind] = [observed(game, seat) for seat in range(3)]
        known = [game.rules.layout_for("short", "compact").view(game.observe(s, "compact"), "known") for s in range(3)]
        unknown = [
            game.rules.layout_for("short", "compact").view(game.observe(s, "compact"), "unknown") for s in range(3)
        ]
        assert unknown[0].tolist() == unknown[1].tolist() == [0, 0, 0, 0]
        assert unknown[2].tolist() == [0, 1, 1, 0]  # of itself, seat 0, seat 1
        assert known[2].tolist() == [[0] * 5, [0] * 5, [1, 0, 0, 0, 0], [0] * 5]
    assert seen[c.WOOD][2] == seen[c.ORE][2]
    assert seen[c.WOOD][0] != seen[c.ORE][0]
    assert seen[c.WOOD][1] != seen[c.ORE][1]


def test_stolen_cards_are_dealt_as_the_third_seat_may_think() -> None:
    game, rng, hands = robbed_game(), seeded(3), Counter[tuple[int, int]]()
    game.apply(actions.STOLEN_AT + c.WOOD, draws=False)
    for _ in range(300):
        hand = drawn_anew(game, 2, rng).state[0]["hand"]
        hands[int(hand[0, c.WOOD]), int(hand[0, c.ORE])] += 1
        assert hand[:2, [c.WOOD, c.ORE]].sum(axis=0).tolist() == [2, 1]
    assert set(hands) == {(1, 0), (0, 1)}
    assert 160 < hands[1, 0] < 240  # two of three cards were wood


def test_an_open_payment_shows_what_was_stolen() -> None:
    game = robbed_game()
    game.apply(actions.STOLEN_AT + c.ORE, draws=False)
    state = game.state[0]
    assert state["unseen"][0, c.ORE, 2] == 1
    give_cards(game, 0, ore=2)
    game.apply(actions.BANK_AT + 6 * c.ORE + c.GOLD)
    assert not state["unseen"][0].any()
    for _ in range(20):  # so seat 2 can tell that both cards of seat 1 are wood
        assert (drawn_anew(game, 2, seeded(_)).state["hand"] == game.state["hand"]).all()


def test_what_a_seat_gives_in_an_offer_it_holds() -> None:
    game = robbed_game()
    game.apply(actions.STOLEN_AT + c.ORE, draws=False)
    game.apply(actions.GIVE_AT + c.ORE)
    assert not game.state[0]["unseen"][0].any()


def test_a_development_card_shows_its_kind_to_its_owner_alone() -> None:
    seen = []
    for kind in (c.BRIBE, c.LANCER):
        game = quiet_game("short", 4, mover=2)
        give_cards(game, 2, wool=1, salt=1)
        game.apply(actions.CARD, draws=False)
        game.apply(actions.DRAWN_AT + kind, draws=False)
        seen.append([observed(game, seat) for seat in range(4)])
        assert {int(drawn_anew(game, 1, seeded(n)).state[0]["bought"]) for n in range(60)} == {0, 1, 2, 3}
        assert {int(drawn_anew(game, 2, seeded(n)).state[0]["bought"]) for n in range(9)} == {kind}
    assert [one == other for one, other in zip(*seen, strict=True)] == [True, True, False, True]
