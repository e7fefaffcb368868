"""Opponents drawn game by game from a mix, and mixes that change while games are under way."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

from endeavor_env.basics.inputs import spread_seeds
from endeavor_env.endeavor.rules.actions import NUM_ACTIONS
from endeavor_env.engine.batch import threads
from endeavor_env.engine.kernels.players import SEAT_CALLABLE, SEAT_LEARNER, SEAT_RANDOM
from endeavor_env.envs.endeavor import make_endeavor_vector
from endeavor_env.envs.vector_env import GameVectorEnv
from endeavor_env.errors import InvalidOptionError
from endeavor_env.kernels.kernels import JIT_DISABLED
from tests.kits.vector import QUICK, play

MIX: dict[Any, float] = {"random": 1, "automa": 3}


class Player:
    """A function of whole batches, which can be distinguished and forgotten."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, _observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        self.asked += len(masks)
        return masks.argmax(axis=1)


def seats(env: GameVectorEnv) -> np.ndarray:
    """Return who plays the other seats, (games, seats - 1), after the learner's seat 0."""
    policies = env.batch.tables["policies"]
    assert (policies[:, 0] == SEAT_LEARNER).all()
    return policies[:, 1 : env.players].copy()


def code_of(env: GameVectorEnv, name: str) -> int:
    """Return the code of a compiled player in the games of an environment."""
    return env.batch._players.code_of(name)


def end(env: GameVectorEnv, rows: Any = slice(None)) -> None:
    """End the games of ``rows`` by illegal actions, and play on in the others."""
    masks = env.action_masks()
    actions = masks.argmax(axis=1)
    actions[rows] = masks[rows].argmin(axis=1)
    env.step(actions)


def test_each_seat_of_each_game_is_drawn_by_weight() -> None:
    count = 200 if JIT_DISABLED else 2000
    env = make_endeavor_vector(count, **QUICK, opponents={"random": 1.5, "automa": 3, Player(): 0.5})
    env.reset(seed=0)
    drawn = seats(env)
    automa = code_of(env, "automa")
    shares = [(drawn == code).mean() for code in (SEAT_RANDOM, automa, SEAT_CALLABLE)]
    assert shares == pytest.approx([0.3, 0.6, 0.1], abs=0.1 if JIT_DISABLED else 0.03)
    together = ((drawn[:, 0] == automa) & (drawn[:, 1] == automa)).mean()
    assert together == pytest.approx(0.36, abs=0.1 if JIT_DISABLED else 0.03)  # seats are drawn apart


def test_every_new_game_draws_its_opponents() -> None:
    env = make_endeavor_vector(20, **QUICK, opponents=MIX, autoreset_mode="SAME_STEP")
    env.reset(seed=0)
    first = seats(env)
    end(env, slice(0, 10))
    assert (seats(env)[10:] == first[10:]).all()
    assert (seats(env)[:10] != first[:10]).any()


def test_draws_depend_on_the_rows_seed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    options = {**QUICK, "opponents": MIX, "autoreset_mode": "SAME_STEP", "learner_seat": "rotate"}
    alone = make_endeavor_vector(7, **options, threads=1)
    out = play(alone, 6)
    monkeypatch.setattr(threads, "SMALL", 1)
    monkeypatch.setattr(threads, "THINKING", 1)
    shared = make_endeavor_vector(7, **options, threads=3)
    assert play(shared, 6) == out
    assert alone.batch.tables.tobytes() == shared.batch.tables.tobytes()
    shared.close()
    fewer = make_endeavor_vector(2, **options)
    fewer.reset(seed=spread_seeds(0, 5)[3:])
    alone.reset(seed=0)
    assert (fewer.batch.tables["policies"] == alone.batch.tables["policies"][3:5]).all()


def test_a_mix_of_one_is_that_opponent() -> None:
    assert play(make_endeavor_vector(2, **QUICK, opponents={"automa": 4}), 6) == play(
        make_endeavor_vector(2, **QUICK, opponents="automa"), 6
    )


@pytest.mark.parametrize("mode", ["SAME_STEP", "NEXT_STEP", "DISABLED"])
def test_games_under_way_keep_their_opponents(mode: str) -> None:
    env = make_endeavor_vector(6, **QUICK, opponents="random", autoreset_mode=mode)
    env.reset(seed=1)
    new = Player()
    env.set_opponents({"greedy": 1, new: 2})
    assert (seats(env) == SEAT_RANDOM).all()
    end(env, slice(0, 3))
    if mode == "NEXT_STEP":
        end(env, slice(0, 0))
    elif mode == "DISABLED":
        env.reset(options={"reset_mask": np.arange(6) < 3})
    assert (seats(env)[3:] == SEAT_RANDOM).all()
    assert set(seats(env)[:3].flat) <= {code_of(env, "greedy"), SEAT_CALLABLE}
    end(env, slice(0, 0))
    assert new.asked


def test_opponents_can_be_set_in_every_form() -> None:
    env = make_endeavor_vector(3, **QUICK, autoreset_mode="SAME_STEP")
    player = Player()
    env.set_opponents(player)  # before the first reset
    env.reset(seed=0)
    assert (seats(env) == SEAT_CALLABLE).all()
    for given, wanted in (
        (["automa", player], ["automa", SEAT_CALLABLE]),
        ("random", [SEAT_RANDOM, SEAT_RANDOM]),
        ({"automa": 1}, ["automa", "automa"]),
        (["greedy", "random"], ["greedy", SEAT_RANDOM]),
    ):
        env.set_opponents(given)
        end(env)
        assert (seats(env) == [code_of(env, one) if isinstance(one, str) else one for one in wanted]).all()


def test_a_pool_of_snapshots_that_come_and_go_reuses_slots() -> None:
    env = make_endeavor_vector(4, **QUICK, autoreset_mode="SAME_STEP")
    env.reset(seed=0)
    pool: list[Player] = []
    for _ in range(12):
        pool = [*pool[-2:], Player()]
        env.set_opponents({"random": 0.3, **dict.fromkeys(pool, 0.7 / len(pool))})
        end(env)
        seated = {code for code in seats(env).flat if code >= SEAT_CALLABLE}
        assert {id(env.batch.seats.function(code)) for code in seated} <= {id(player) for player in pool}
    assert seats(env).max() < SEAT_CALLABLE + 4  # three, and one more while games with the oldest were under way


def test_a_function_is_kept_for_as_long_as_a_game_needs_it() -> None:
    env = make_endeavor_vector(2, **QUICK, opponents=Player(), autoreset_mode="SAME_STEP")
    env.reset(seed=0)
    old = weakref.ref(env.batch.seats.function(SEAT_CALLABLE))
    env.set_opponents(Player())
    end(env, [0])
    assert seats(env).tolist() == [[SEAT_CALLABLE + 1] * 2, [SEAT_CALLABLE] * 2]
    assert env.batch.seats.function(SEAT_CALLABLE) is old()
    end(env, [1])
    env.set_opponents(Player())
    gc.collect()
    assert old() is None
    end(env)
    assert (seats(env) == SEAT_CALLABLE).all()


def test_without_functions_nobody_waits_any_more() -> None:
    env = make_endeavor_vector(2, **QUICK, opponents=Player(), autoreset_mode="SAME_STEP")
    env.reset(seed=0)
    env.set_opponents("random")
    assert env.batch.seats.functions  # the games under way
    end(env)
    env.set_opponents("random")
    assert not env.batch.seats.functions


def test_a_mix_plays_legal_moves_for_many_games() -> None:
    last = Player()
    env = make_endeavor_vector(8, players=4, observation="compact", opponents={"random": 1, "automa": 1, last: 1},
                            learner_seat="rotate", autoreset_mode="SAME_STEP", illegal_action="raise")  # fmt: skip
    env.reset(seed=3)
    ended = 0
    for _ in range(30 if JIT_DISABLED else 400):
        masks = env.action_masks()
        _, _, terminated, _, _ = env.step(masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1))
        ended += int(terminated.sum())
    assert last.asked > 30
    assert JIT_DISABLED or ended > 8
    assert masks.shape[1] == NUM_ACTIONS


REFUSED: list[tuple[Any, str]] = [
    ({}, "opponents with 0 entries are not possible: give a mapping from 1 to"),
    ({"mcts": 1}, "opponent 'mcts' is unknown: possible are 'random', 'greedy', 'automa', 'lookahead', 'value'"),
    ({"random": 0}, "the weight of opponent 'random', 0 is not possible: give a finite number above 0"),
    ({"random": 1, "automa": -1}, "the weight of opponent 'automa', -1 is not possible"),
    ({"random": float("inf")}, "inf is not possible"),
    ({"random": "1"}, "'1' is not possible"),
    ({"random": True}, "True is not possible"),
    (["random"] * 3, "opponents has 3 entries: with 3 players give one, or a list of 2"),
    (3, "opponent 3 cannot play here: possible are 'random'"),
]


@pytest.mark.parametrize(("opponents", "message"), REFUSED, ids=str)
def test_wrong_opponents_change_nothing(opponents: Any, message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        make_endeavor_vector(2, **QUICK, opponents=opponents)
    env = make_endeavor_vector(2, **QUICK, opponents=MIX, autoreset_mode="SAME_STEP")
    env.reset(seed=0)
    before = env.batch.seats.mix.copy()
    with pytest.raises(InvalidOptionError, match=message):
        env.set_opponents(opponents)
    assert (env.batch.seats.mix == before).all()
