"""Round structure (section 3), also over whole games."""

from __future__ import annotations

import random
from collections import Counter
from typing import NamedTuple

import pytest

from endeavor_env import Game
from tests.kits.position import Position, See, assert_sound, play

GAMES = [(3, 11), (4, 12), (5, 13), (3, 14), (4, 15), (5, 16)]


class Decision(NamedTuple):
    """What was asked, and what was answered."""

    round: int
    phase: str
    kind: str
    seat: int
    move: str


def whole_game(players: int, seed: int) -> tuple[Game, list[Decision]]:
    """Play a game at random to its end, and return it with all its decisions."""
    game, chance, seen = Game.new(players=players, seed=seed), random.Random(seed), []
    while not game.over:
        moves = game.legal_moves()
        if len(moves) > 1 and chance.random() < 0.8:
            moves = [move for move in moves if move not in ("pass", "done")]
        move = chance.choice(moves)
        seen.append(Decision(game.round, game.phase, game.decision, game.seat, move))
        play(game, move)
    return game, seen


@pytest.fixture(scope="module", params=GAMES, ids=lambda game: f"{game[0]} players, seed {game[1]}")
def played(request: pytest.FixtureRequest) -> tuple[Game, list[Decision]]:
    """One whole game and its decisions."""
    return whole_game(*request.param)


def test_R3_1_seven_rounds_of_build_growth_salary_action(played: tuple[Game, list[Decision]]) -> None:
    _, seen = played
    assert sorted({decision.round for decision in seen}) == [1, 2, 3, 4, 5, 6, 7]
    order = {"build": 0, "salary": 1, "action": 2}
    keys = [(decision.round, order[decision.phase]) for decision in seen]
    assert keys == sorted(keys)


def test_R3_2_everybody_builds_once_a_round_from_the_first_player_on(played: tuple[Game, list[Decision]]) -> None:
    game, seen = played
    first, players = game.setup()["first_player"], game.num_players
    for number in range(1, 8):
        builders = [d.seat for d in seen if d.round == number and d.phase == "build"]
        assert builders == [(first + number - 1 + turn) % players for turn in range(players)]


def test_R3_2_salaries_are_asked_once_round_the_table(played: tuple[Game, list[Decision]]) -> None:
    game, seen = played
    first, players = game.setup()["first_player"], game.num_players
    for number in range(1, 8):
        seats = [d.seat for d in seen if d.round == number and d.phase == "salary"]
        places = [(seat - first - number + 1) % players for seat in seats]
        assert places == sorted(places)


def test_R7_1_actions_go_round_until_everybody_has_passed(played: tuple[Game, list[Decision]]) -> None:
    game, seen = played
    first, players = game.setup()["first_player"], game.num_players
    for number in range(1, 8):
        turns = [d for d in seen if d.round == number and d.kind == "turn"]
        waiting, expected = set(range(players)), (first + number - 1) % players
        for turn in turns:
            assert turn.seat == expected
            if turn.move == "pass":
                waiting.discard(turn.seat)
            while waiting and (expected := (expected + 1) % players) not in waiting:
                pass
        assert not waiting


def test_R7_1_each_player_passes_once_a_round(played: tuple[Game, list[Decision]]) -> None:
    game, seen = played
    passes = Counter((d.round, d.seat) for d in seen if d.move == "pass")
    assert passes == {(number, seat): 1 for number in range(1, 8) for seat in range(game.num_players)}


def test_R6_3_no_salary_is_asked_in_round_1(played: tuple[Game, list[Decision]]) -> None:
    _, seen = played
    assert not [d for d in seen if d.round == 1 and d.phase == "salary"]


def test_R4_1_seven_buildings_each_at_the_end(played: tuple[Game, list[Decision]]) -> None:
    game, _ = played
    for seat in range(game.num_players):
        assert See(game).own(seat).total() == 1 + 7


def test_R11_3_after_round_7_nothing_is_asked(played: tuple[Game, list[Decision]]) -> None:
    game, _ = played
    assert game.over
    assert game.phase == "over"
    assert game.legal_moves() == []
    assert game.legal_actions() == []
    assert not game.mask().any()


def test_R12_the_breakdown_sums_to_the_score(played: tuple[Game, list[Decision]]) -> None:
    game, _ = played
    scores = game.scores()
    assert scores == [sum(game.breakdown(seat).values()) for seat in range(game.num_players)]
    assert game.winners() == [seat for seat, score in enumerate(scores) if score == max(scores)]


def test_R9_1_R11_1_every_holding_is_legal_at_the_end(played: tuple[Game, list[Decision]]) -> None:
    game, _ = played
    see = See(game)
    for seat in range(game.num_players):
        cards = see.cards(seat)
        normal = len(cards) - any(card.endswith("governor") for card in cards)
        politics = min(15, see.status(seat, "politics"))
        limit = sum(politics >= threshold for threshold in (0, 2, 4, 7, 10))
        assert normal <= 5
        assert normal - any(card.startswith("slavery") for card in cards) <= limit


def test_R3_1_first_round_by_hand() -> None:
    setup = Game.new(players=3, seed=2).setup() | {"first_player": 1}
    game = Game.new(players=3, setup=setup)
    play(game, "build:market", "build:shipyard")
    assert See(game).harbor(1) == 0  # Growth only starts when everybody has built
    play(game, "build:workshop")
    assert (game.round, game.phase, game.decision, game.seat) == (1, "action", "turn", 1)
    assert [See(game).harbor(seat) for seat in range(3)] == [2, 2, 2]


def test_R3_2_the_first_player_starts_every_phase() -> None:
    position = Position(3).round(4, first=2).build(1)
    for seat in range(3):
        position.status(seat, culture=1).own(seat, "market", "shipyard").workers(seat, "market", "shipyard")
    game = play(position.game(), "build:market")
    assert (game.phase, game.seat) == ("salary", 2)
    play(game, "pay:market")
    assert (game.phase, game.seat) == ("salary", 0)
    play(game, "pay:shipyard")
    assert (game.phase, game.seat) == ("salary", 1)
    play(game, "pay:market")
    assert (game.phase, game.seat) == ("action", 2)


def test_games_are_sound_from_the_start() -> None:
    for players in (3, 4, 5):
        assert_sound(Game.new(players=players, seed=0))
