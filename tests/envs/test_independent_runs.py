"""Runs with near seeds share nothing: no game of a row, and no seed of an opponent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from endeavor_env import Game
from endeavor_env.agents.registry import make_agent
from endeavor_env.envs.endeavor import make_endeavor, make_endeavor_solo_vector, make_endeavor_vector
from endeavor_env.envs.merchants import make_merchants_vector
from endeavor_env.envs.vector_env import GameVectorEnv
from tests.kits.toy_envs import TOY

ROWS, RUNS, GAMES = 32, 4, 3
FACES: dict[str, Callable[[], GameVectorEnv]] = {
    "Endeavor-v0": lambda: make_endeavor_vector(ROWS, players=3, observation="compact"),
    "EndeavorSolo-v0": lambda: make_endeavor_solo_vector(ROWS, observation="compact"),
    "Merchants-v0": lambda: make_merchants_vector(ROWS, players=3),
    "a game on the engine": lambda: GameVectorEnv(ROWS, config=TOY),
    "a mix of opponents": lambda: make_endeavor_vector(
        ROWS, players=3, observation="compact", opponents={"random": 1.0, "automa": 1.0}
    ),
    "drawn games": lambda: make_endeavor_vector(
        ROWS, games=[{"players": 3}, {"players": 4}], game_choice="draw", observation="compact"
    ),
}


@pytest.mark.parametrize("face", FACES)
def test_near_seeds_share_no_game_and_no_opponents(face: str) -> None:
    env, games, opponents = FACES[face](), list[int](), list[int]()
    for run in range(RUNS):
        env.reset(seed=7 + run)
        for _ in range(GAMES):
            games += env.batch.tables["game_seed"].tolist()
            env.reset()
        opponents += env.batch.tables["rng"].ravel().tolist()
    assert len(set(games)) == len(games) == RUNS * GAMES * ROWS
    assert len(set(opponents)) == RUNS * ROWS


def test_a_row_can_be_played_again_alone() -> None:
    options: dict[str, Any] = {"players": 3, "observation": "compact", "opponents": "greedy", "learner_seat": 1}
    env, alone = make_endeavor_vector(5, **options), make_endeavor(**options)
    seen, infos = env.reset(seed=7)
    for row in range(5):
        there, info = alone.reset(seed=int(infos["seed"][row]))
        assert seen["observation"][row].tobytes() == there["observation"].tobytes()
        assert info["seed"] == infos["seed"][row]


def test_the_set_up_of_a_drawn_kind_of_game_is_drawn_independently_of_the_kind() -> None:
    """The token of a space was one of half of the tokens in each of two kinds of games."""
    env = make_endeavor_vector(
        600, games=[{"players": 3}, {"players": 4}], game_choice="draw", observation="compact", learner_seat="all"
    )
    _, infos = env.reset(seed=1)
    tokens = env.batch.states["token"].reshape(600, -1)
    for space in np.flatnonzero((tokens >= 0).all(axis=0)):
        assert set(tokens[infos["game"] == 0, space]) == set(tokens[infos["game"] == 1, space])


def test_drawn_opponents_do_not_follow_from_the_set_up() -> None:
    env = make_endeavor_vector(
        600, players=3, observation="compact", opponents={"random": 1.0, "automa": 1.0}, learner_seat=0
    )
    env.reset(seed=1)
    tokens, first = env.batch.states["token"].reshape(600, -1), env.batch.tables["policies"][:, 1]
    one, other = sorted(set(first.tolist()))
    for space in np.flatnonzero((tokens >= 0).all(axis=0)):
        assert set(tokens[first == one, space]) == set(tokens[first == other, space])


class Noting:
    """An opponent that notes its seeds."""

    def __init__(self) -> None:
        self.seeds: list[int] = []

    def reset(self, seed: int) -> None:
        self.seeds.append(seed)

    def act(self, game: Any) -> int:
        return int(game.legal_actions()[0])


def test_no_opponent_has_the_seed_of_another_one_or_of_another_game() -> None:
    opponents = [Noting(), Noting(), Noting()]
    env = make_endeavor(players=4, opponents=opponents, observation="compact")
    for seed in (*range(50), None, None):
        env.reset(seed=seed)
    seeds = [seed for one in opponents for seed in one.seeds]
    assert len(set(seeds)) == len(seeds) == 3 * 52


def test_an_opponent_draws_other_numbers_than_the_compiled_one_beside_it() -> None:
    moves = []
    for seat in (1, 2):
        env = make_endeavor(
            players=3, opponents=[make_agent("random"), "random"], learner_seat=0, observation="compact"
        )
        setup = {**Game.new(3, seed=5).setup(), "first_player": seat}
        drawn = []
        for seed in range(30):
            env.reset(seed=seed, options={"setup": setup})
            drawn.append(next(action for mover, action in env.game().history if mover == seat))
        moves.append(drawn)
    assert moves[0] != moves[1]
