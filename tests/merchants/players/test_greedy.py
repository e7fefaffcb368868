"""The greedy player: its moves are legal, its games end, and it uses nothing that is hidden from it."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.envs.merchants import make_merchants
from endeavor_env.errors import InvalidOptionError
from endeavor_env.merchants.board.generator import generate_board
from endeavor_env.merchants.game import MerchantsGame
from endeavor_env.merchants.players import PLAYERS
from endeavor_env.merchants.players.greedy.weights import NAMES, NUM_WEIGHTS, WEIGHTS
from endeavor_env.merchants.rules import actions
from endeavor_env.merchants.rules import constants as c
from endeavor_env.search import Positions, rollout
from tests.merchants.core.games import CASES, new_game, put_post, put_route, quiet_game
from tests.merchants.core.test_hidden import drawn_anew
from tests.merchants.players import greedy_games
from tests.merchants.players.greedy_games import Chooser, play

MOST_DECISIONS = 3_000
"""No game that is played to its end by delivery comes near."""


@pytest.mark.parametrize(("side", "players", "start", "trade"), CASES)
def test_games_end_by_delivery_with_legal_moves(side: str, players: int, start: int, trade: int) -> None:
    for seed, names in enumerate((("greedy",), ("greedy", "random"))):
        game = new_game(side, players, start, trade, seed=seed)
        decisions = sum(1 for _ in play(game, *names, most=MOST_DECISIONS))
        assert game.over
        assert 100 < decisions < MOST_DECISIONS
        if trade != c.NO_TRADE:  # without any, a kind of resource may be lacking for the whole game
            assert game.state[0]["ending"] == c.ALL_DELIVERED


@pytest.mark.parametrize("side", c.SIDE_NAMES)
@pytest.mark.parametrize("seed", range(3))
def test_it_plays_on_generated_boards(side: str, seed: int) -> None:
    game = MerchantsGame.new(3 + seed % 2, generate_board(seed, side), seed)
    for _ in play(game, "greedy", most=MOST_DECISIONS):
        pass
    assert game.over


@pytest.mark.parametrize(
    ("side", "players", "start"), [("short", 4, c.FIXED), ("short", 3, c.FREE), ("expert", 3, c.FREE)]
)
def test_K14_1_its_choice_does_not_depend_on_what_it_cannot_know(side: str, players: int, start: int) -> None:
    game, rng, changed = new_game(side, players, start, seed=5), seeded(1), 0
    buyer = "greedy:development=6"  # which holds many hidden cards
    again = Chooser(game, buyer)
    for position, action in play(game, buyer):
        for _ in range(2):
            other = drawn_anew(position, position.seat, rng)
            changed += other.state.tobytes() != position.state.tobytes()
            assert again.action(other) == action
    assert changed > 100


def test_it_beats_random_players() -> None:
    for seat in range(4):
        names = ["random"] * 4
        names[seat] = "greedy"
        scores = rollout(Positions.of([new_game("short", 4, seed=s) for s in range(10)]), names, 1).scores[:, 0]
        assert (scores.argmax(axis=1) == seat).sum() >= 9


def test_it_ends_its_turn_when_nothing_is_worth_it_and_delivers_what_it_can() -> None:
    game = quiet_game("short", 3)
    chooser = Chooser(game, "greedy")
    assert chooser.action(game) == actions.END
    city = 3
    path = int(game.board[0]["crossroads_paths"][game.board[0]["city_crossroads"][city], 0])
    put_post(game, 1, city)
    put_route(game, 1, path)
    game.state[0]["caravans"][0, 0] = path
    assert chooser.action(game) == actions.DELIVER_AT + city


def test_weights_have_names_and_limits() -> None:
    assert len(NAMES) == NUM_WEIGHTS == WEIGHTS.as_array().size
    player = PLAYERS.find("greedy:gold=2.5,offer=0")
    assert player is not None
    memory = player.memory(actions.NUM_ACTIONS)[: 8 * NUM_WEIGHTS].view(np.float64)
    assert memory.tolist() == list(WEIGHTS._replace(gold=2.5, offer=0.0))
    assert pickle.loads(pickle.dumps(player)).memory(1).tobytes() == player.memory(1).tobytes()
    for name, words in (
        ("greedy:iron=1", "player 'greedy:iron=1' has no weight 'iron': they are delivered, free_good"),
        ("greedy:gold=much", "sets gold to 'much': it must be a finite number"),
        ("greedy:gold=inf", "sets gold to 'inf'"),
    ):
        with pytest.raises(InvalidOptionError, match=words):
            make_merchants(opponents=name)
    with pytest.raises(
        InvalidOptionError, match="possible are 'random', 'greedy', 'planner', 'value', 'search', 'greedy:<"
    ):
        make_merchants(opponents="automa")


@pytest.mark.machine_code
def test_uncompiled_it_chooses_the_same_without_warnings() -> None:
    """Runs the kernels as plain Python; an overflow of a small integer would be a RuntimeWarning."""
    plain = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-m", greedy_games.__name__],
        cwd=Path(greedy_games.__file__).parents[3],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout.strip() == greedy_games.digest()
