"""Rollouts are the games that ``Game`` plays with the same choices, whatever the threads and the order."""

from __future__ import annotations

import threading
import tracemalloc
from typing import Any

import numpy as np
import pytest

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rewards import REWARDS, SOLO_REWARDS
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.engine.kernels.rng import next_seed, seeded
from endeavor_env.engine.search import rollouts
from endeavor_env.envs.sampling import generator
from endeavor_env.errors import IllegalActionError, InvalidOptionError
from endeavor_env.search import Policy, Positions, Rollouts, rollout
from tests.kits.games import on_the_way, random_walk
from tests.kits.ids import readable
from tests.kits.search import KINDS, lowest, odd, play_again

FOREVER = 10**6


def as_bytes(results: Rollouts) -> list[bytes]:
    """Return everything that came out."""
    return [results.scores.tobytes(), results.decisions.tobytes(), results.over.tobytes()]


def assert_played_again(
    games: list[Game], policy: Policy | list[Policy], seeds: list[int], repeats: int, limit: int = FOREVER
) -> None:
    """Compare every rollout with the same game played by ``Game``."""
    positions = Positions.of(games)
    results = rollout(positions, policy, seeds, repeats=repeats, limit=limit, observation="compact")
    players = games[0].num_players
    policies = list(policy) if isinstance(policy, list) else [policy] * players
    sides = 2 if positions.variant == "solo" else players
    assert results.scores.shape == (len(games), repeats, sides)
    assert results.decisions.shape == results.over.shape == (len(games), repeats)
    for row, game in enumerate(games):
        for repeat in range(repeats):
            found = results.scores[row, repeat].tolist(), results.decisions[row, repeat], results.over[row, repeat]
            assert found == play_again(game, policies, seeds[row], repeat, limit)
    assert positions.states.tobytes() == b"".join(game.state.tobytes() for game in games)


@pytest.mark.parametrize("policy", ["random", "automa", lowest, odd], ids=readable)
@pytest.mark.parametrize("kind", KINDS, ids=readable)
def test_rollouts_are_games(kind: dict[str, Any], policy: Policy) -> None:
    games = [Game.new(seed=1, **kind), on_the_way(30, seed=2, **kind), on_the_way(FOREVER, seed=3, **kind)]
    assert_played_again(games, policy, [5, 2**62, 0], repeats=2)


@pytest.mark.parametrize("kind", KINDS, ids=readable)
def test_greedy_rollouts_are_games(kind: dict[str, Any]) -> None:
    assert_played_again([on_the_way(20, seed=1, **kind)], "greedy", [8], repeats=2, limit=15)


@pytest.mark.parametrize(
    "policies",
    [
        ["random", "automa", "greedy"],
        ["automa", "random", "random"],
        ["random", lowest, "automa"],
        [odd, "greedy", lowest],
        [lowest, odd, lowest],
    ],
    ids=readable,
)
@pytest.mark.parametrize("exploits", [None, ["south_sea", "galleons", "sun"]], ids=["none", "three"])
def test_every_seat_has_its_own_policy(policies: list[Policy], exploits: list[str] | None) -> None:
    games = [on_the_way(decisions, seed=4, players=3, exploits=exploits) for decisions in (3, 50)]
    assert_played_again(games, policies, [1, 2], repeats=2, limit=40)


@pytest.mark.parametrize("limit", [1, 2, 7, 60])
def test_a_limit_ends_rollouts_as_if_the_game_ended_there(limit: int) -> None:
    games = [Game.new(players=3, seed=0), on_the_way(95, players=3)]
    assert_played_again(games, "random", [3, 4], repeats=3, limit=limit)
    over = rollout(Positions.of(games), "random", [3, 4], repeats=3, limit=limit).over
    assert not over[0].any()
    assert over[1].all() == (limit == 60)


def test_a_seed_gives_each_row_its_own() -> None:
    positions = Positions.of(Game.new(seed=0), copies=4)
    rng = seeded(9)
    seeds = [int(next_seed(rng)) for _ in range(4)]
    wanted = as_bytes(rollout(positions, "random", seeds, repeats=2))
    assert as_bytes(rollout(positions, "random", 9, repeats=2)) == wanted
    assert as_bytes(rollout(positions, "random", np.int64(9), repeats=2)) == wanted
    assert as_bytes(rollout(positions, "random", np.array(seeds), repeats=2)) == wanted
    given = generator(9)
    assert as_bytes(rollout(positions, "random", given, repeats=2)) == wanted
    assert given == rng  # advanced as far
    assert as_bytes(rollout(positions, "random", given, repeats=2)) != wanted
    assert as_bytes(rollout(positions, "random", 10, repeats=2)) != wanted


def test_no_two_rollouts_are_the_same() -> None:
    position = Positions.of(Game.new(seed=0))
    for results in (
        rollout(position.repeat(40), "random", 0),
        rollout(position, "random", 0, repeats=40),
        rollout(position.repeat(10), "random", range(10), repeats=4),
    ):
        ends = set(map(tuple, np.column_stack([results.scores.reshape(40, 4), results.decisions.flat]).tolist()))
        assert len(ends) == 40


@pytest.mark.parametrize(
    "policy", ["random", ["greedy", "automa", "random"], odd, ["random", odd, "automa"]], ids=readable
)
def test_results_depend_on_neither_threads_nor_company(policy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    games = [game.clone() for game in random_walk(6, players=3)][::16]
    seeds = np.arange(len(games)) * 7 + 3

    def play(rows: Any, repeats: int = 5, threads: int | None = None) -> Rollouts:
        some = Positions.of(games)[rows]
        options: dict[str, Any] = {"limit": 30, "observation": "compact", "threads": threads}
        return rollout(some, policy, seeds[rows], repeats=repeats, **options)

    wanted = play(np.arange(len(games)), threads=1)
    assert as_bytes(play(np.arange(len(games)), threads=1)) == as_bytes(wanted)
    for threads in (2, 5):
        assert as_bytes(play(np.arange(len(games)), threads=threads)) == as_bytes(wanted)
    order = np.random.default_rng(0).permutation(len(games))
    assert (play(order).scores == wanted.scores[order]).all()
    assert (play(order).decisions == wanted.decisions[order]).all()
    assert (play([2]).scores == wanted.scores[2]).all()
    assert (play(order, repeats=2).scores == wanted.scores[order, :2]).all()
    monkeypatch.setattr(rollouts, "CHUNK", 7)
    assert as_bytes(play(np.arange(len(games)))) == as_bytes(wanted)


@pytest.mark.parametrize("policy", ["random", "automa", lowest], ids=readable)
def test_memory_does_not_grow_with_repeats(policy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rollouts, "CHUNK", 16)
    position, beside = Positions.of(Game.new(seed=0)), []
    rollout(position, policy, 0, limit=1)  # what is made once is there
    for repeats in (16, 400):
        tracemalloc.start()
        results = rollout(position, policy, 0, repeats=repeats, limit=1, threads=1)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        bytes_a_rollout = c.MAX_SEATS * 2 + results.decisions.itemsize + results.over.itemsize
        beside.append(peak - bytes_a_rollout * repeats)
    assert beside[1] < beside[0] + 100 * STATE.itemsize


def test_functions_are_shown_the_seat_to_move_and_only_theirs() -> None:
    positions = Positions.of([on_the_way(decisions, players=3) for decisions in (0, 20, 41)])
    shown: list[tuple[np.ndarray, np.ndarray]] = []

    def watch(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        shown.append((observations.copy(), masks.copy()))
        actions = masks.argmax(axis=1)
        observations[:], masks[:] = 0, 0  # what it does to its own arrays does not matter
        return actions

    kept = rollout(positions, lowest, 0, limit=2)
    for observation in ("features", "compact"):
        shown.clear()
        assert as_bytes(rollout(positions, watch, 0, limit=2, observation=observation)) == as_bytes(kept)
        seen, masks = shown[0]
        wanted = positions.observe(observation)
        assert (seen.dtype, seen.tobytes()) == (wanted.dtype, wanted.tobytes())
        assert (masks == positions.masks()).all()
        assert len(shown) == 2
    shown.clear()
    rollout(positions, ["random", watch, "random"], 0, limit=1)
    assert [len(masks) for _, masks in shown] == [n for n in [(positions.seats() == 1).sum()] if n]


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda observations, masks: masks.argmin(axis=1), "chose .* in row 0 of what it was shown, .* legal are"),
        (lambda observations, masks: np.full(len(masks), 10**6), "chose 1000000 in row 0"),
        (lambda observations, masks: np.full(len(masks), -1), "chose -1 in row 0"),
        (lambda observations, masks: masks.argmax(axis=1)[1:], r"shape \(1,\) .* must return 2 whole numbers"),
        (lambda observations, masks: masks.argmax(axis=1) * 1.0, "type float64"),
        (lambda observations, masks: None, "type object"),
        (lambda observations, masks: [[1], [2, 3]], "must return 2 whole numbers"),
    ],
)
def test_functions_that_choose_what_is_illegal(function: Any, message: str) -> None:
    positions = Positions.of(on_the_way(30, players=4), copies=2)
    before = positions.states.tobytes()
    with pytest.raises(IllegalActionError, match=message):
        rollout(positions, function, 0)
    assert positions.states.tobytes() == before


@pytest.mark.parametrize("policy", ["random", "greedy", lowest], ids=["random", "greedy", "function"])
def test_a_rollout_without_a_limit_of_its_own_stops_at_the_environments(
    policy: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rollouts, "MAX_CYCLES", 12)
    positions = Positions.of([on_the_way(20, players=3), on_the_way(10**6, players=3)])
    found, wanted = (rollout(positions, policy, 3, limit=limit) for limit in (None, 12))
    assert found.decisions.tolist() == [[12], [0]]
    assert found.over.tolist() == [[False], [True]]
    assert as_bytes(found) == as_bytes(wanted)


def test_many_threads_are_possible_and_not_all_are_started() -> None:
    positions = Positions.of(Game.new(players=3, seed=0), copies=600, threads=10**9)
    before = threading.active_count()
    assert as_bytes(rollout(positions, "random", 0, limit=2)) == as_bytes(
        rollout(positions, "random", 0, limit=2, threads=1)
    )
    assert threading.active_count() - before < 600 // rollouts.LEAST_RANDOM


def test_rollouts_start_from_positions() -> None:
    with pytest.raises(InvalidOptionError, match="positions=5 is not possible: give Positions"):
        rollout(5, "random", 0)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"policy": "best"},
            "policy 'best' is unknown: possible are 'random', 'greedy', 'automa', 'lookahead', 'value'",
        ),
        ({"policy": None}, "policy None cannot play"),
        ({"policy": dict}, "policy <class 'dict'> cannot play"),
        ({"policy": ["random"]}, "policy has 1 entries: give one for all seats, or a list of 3"),
        ({"policy": ["random", "random", 7]}, "policy 7 cannot play"),
        ({"rng": -1}, "rng=-1 is not possible: give a non-negative whole number, a generator"),
        ({"rng": None}, "rng=None is not possible"),
        ({"rng": 0.5}, "rng=0.5 is not possible"),
        ({"rng": "01"}, "rng='01' is not possible"),
        ({"rng": [1]}, "rng is not possible: seed has 1 entries: give one seed, or a list of 2"),
        ({"rng": [1, None]}, "each of the 2 rows needs a seed"),
        ({"rng": [1, 2**63]}, r"give seeds below 2\*\*63"),
        ({"rng": [[1], [2, 3]]}, "seed="),
        ({"rng": np.array(1.5)}, "rng="),
        ({"rng": range(10**30)}, "too many entries"),
        ({"policy": 10**400}, "cannot play"),
        ({"repeats": 10**12}, "repeats=1000000000000 is not possible: at .* give at most"),
        ({"repeats": 10**400}, "repeats="),
        ({"limit": 10**400}, "limit="),
        ({"threads": 10**400}, "threads="),
        ({"rng": [1, -1]}, "seed=-1 is not possible"),
        ({"repeats": 0}, "repeats=0 is not possible: give a positive whole number"),
        ({"limit": 0}, "limit=0 is not possible"),
        ({"limit": 1.5}, "limit=1.5 is not possible"),
        ({"observation": "pixels"}, "observation='pixels' is not possible"),
        ({"threads": -1}, "threads=-1 is not possible"),
    ],
    ids=readable,
)
def test_refused_arguments(options: dict[str, Any], message: str) -> None:
    positions = Positions.of(Game.new(players=3, seed=0), copies=2)
    with pytest.raises(InvalidOptionError, match=message):
        rollout(positions, **{"policy": "random", "rng": 0, **options})


@pytest.mark.parametrize("kind", KINDS, ids=readable)
def test_returns_are_the_rewards_of_each_rollout(kind: dict[str, Any]) -> None:
    results = rollout(Positions.of(Game.new(seed=0, **kind), copies=3), "random", 0, repeats=4)
    flat = results.scores.reshape(12, -1).tolist()
    for name, reward in (SOLO_REWARDS if results.variant == "solo" else REWARDS).items():
        returns = results.returns(name)
        assert returns.shape == (3, 4, results.players)
        np.testing.assert_allclose(returns.reshape(12, -1), [reward(row) for row in flat], rtol=0, atol=1e-12)
    if results.variant == "solo":
        assert (results.returns(SOLO_REWARDS["ladder"]) == results.returns("ladder")).all()
    with pytest.raises(InvalidOptionError, match="is not known"):
        results.returns("best")
