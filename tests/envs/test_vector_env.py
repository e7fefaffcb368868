"""The vector environments: spaces, making, seeding, ends of games, self-play, threads, boards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from endeavor_env.basics.inputs import spread_seeds
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.observation import layout_for, observe
from endeavor_env.endeavor.rules.actions import NUM_ACTIONS, NUM_IDS, NUM_VARIANT_ACTIONS
from endeavor_env.engine.batch import threads
from endeavor_env.engine.batch.threads import default_threads
from endeavor_env.engine.kernels import turn as kernels
from endeavor_env.engine.kernels.turn import turn, write_ends, write_starts
from endeavor_env.engine.rewards import rank
from endeavor_env.envs.endeavor import (
    make_endeavor,
    make_endeavor_solo,
    make_endeavor_solo_vector,
    make_endeavor_vector,
)
from endeavor_env.envs.sampling import generator
from endeavor_env.envs.vector_env import GameVectorEnv
from endeavor_env.kernels.kernels import JIT_DISABLED
from tests.kits.vector import QUICK, play, random_actions


@pytest.mark.parametrize("observation", ["features", "compact"])
@pytest.mark.parametrize("variant", ["standard", "soloplay_3", "solo", "exploits"])
def test_spaces_and_shapes(variant: str, observation: str) -> None:
    solo = variant == "solo"
    actions = {"standard": NUM_ACTIONS, "exploits": NUM_IDS}.get(variant, NUM_VARIANT_ACTIONS)
    env = (
        make_endeavor_solo_vector(3, observation=observation)
        if solo
        else make_endeavor_vector(3, variant=variant, observation=observation)
    )
    single = (
        make_endeavor_solo(observation=observation) if solo else make_endeavor(variant=variant, observation=observation)
    )
    assert env.single_observation_space == single.observation_space
    assert env.single_action_space == single.action_space
    assert env.action_space == gymnasium.spaces.MultiDiscrete([actions] * 3)
    layout = layout_for(variant, observation)
    seen, _ = env.reset(seed=1)
    for _ in range(4):
        assert env.observation_space.contains(seen)
        assert (seen["observation"].shape, seen["observation"].dtype) == ((3, layout.size), layout.dtype)
        assert (seen["action_mask"].shape, seen["action_mask"].dtype) == ((3, actions), np.int8)
        seen, rewards, terminated, truncated, _ = env.step(random_actions(env.action_masks(), generator(1)))
        assert [one.shape for one in (rewards, terminated, truncated)] == [(3,)] * 3
        assert [one.dtype for one in (rewards, terminated, truncated)] == [np.float64, np.bool_, np.bool_]


@pytest.mark.parametrize(
    ("name", "make", "options"),
    [
        ("Endeavor-v0", make_endeavor_vector, {"players": 5, "autoreset_mode": "SAME_STEP"}),
        ("Endeavor-v0", make_endeavor_vector, {"exploits": "random", "options": {"value1_bonus": True}}),
        ("EndeavorSolo-v0", make_endeavor_solo_vector, {"difficulty": "harder", "reward": "ladder"}),
    ],
)
def test_gymnasium_makes_it_from_the_id(name: str, make: Callable[..., Any], options: dict[str, Any]) -> None:
    env = gymnasium.make_vec(name, num_envs=2, **options)
    assert type(env) is type(make(2, **options)) is GameVectorEnv
    assert env.num_envs == 2
    assert env.spec is not None
    assert env.spec.id == name
    seen, _ = env.reset(seed=4)
    again, _ = gymnasium.make_vec(env.spec).reset(seed=4)
    assert (seen["observation"] == again["observation"]).all()
    env.close()


def test_gymnasiums_own_vector_environments_are_still_there() -> None:
    env = gymnasium.make_vec("Endeavor-v0", num_envs=1, vectorization_mode="sync", players=3, observation="compact")
    assert isinstance(env, SyncVectorEnv)
    ours = make_endeavor_vector(1, **QUICK)
    assert (ours.reset(seed=2)[0]["observation"] == env.reset(seed=spread_seeds(2, 1).tolist())[0]["observation"]).all()
    env.close()


def test_the_mode_is_an_attribute_and_in_the_metadata() -> None:
    for mode in AutoresetMode:
        for given in (mode, mode.name, mode.value):
            assert make_endeavor_vector(1, **QUICK, autoreset_mode=given).metadata["autoreset_mode"] is mode
            assert make_endeavor_vector(1, **QUICK, autoreset_mode=given).autoreset_mode is mode
    assert make_endeavor_vector(1, **QUICK).metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert GameVectorEnv.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP


# --- seeding ---------------------------------------------------------------------------------------------------------
def test_seeds_are_those_of_the_set_ups() -> None:
    env = make_endeavor_vector(3, **QUICK, learner_seat="all")
    spread = spread_seeds(5, 3).tolist()
    for seed, wanted in ((5, spread), ([9, 2, 2**63 - 1], [9, 2, 2**63 - 1]), (np.array([4, 0, 4]), [4, 0, 4])):
        seen, infos = env.reset(seed=seed)
        assert infos["seed"].tolist() == wanted
        assert infos["_seed"].all()
        for row, one in enumerate(wanted):
            game = Game.new(3, seed=one)
            assert (seen["observation"][row] == observe(game, game.seat, "compact")).all()
            assert (seen["action_mask"][row] == game.mask()).all()


def test_the_seed_of_the_constructor_serves_the_first_reset_only() -> None:
    first, second = spread_seeds(9, 2).tolist(), spread_seeds(1, 2).tolist()
    one, other = make_endeavor_vector(2, **QUICK, seed=9), make_endeavor_vector(2, **QUICK)
    assert one.reset()[1]["seed"].tolist() == other.reset(seed=9)[1]["seed"].tolist() == first
    drawn = one.reset()[1]["seed"].tolist()
    assert drawn == other.reset()[1]["seed"].tolist()
    assert not set(first) & set(drawn)
    assert make_endeavor_vector(2, **QUICK, seed=9).reset(seed=1)[1]["seed"].tolist() == second


def test_games_without_a_seed_differ_and_can_be_repeated() -> None:
    env = make_endeavor_vector(3, **QUICK)
    _, infos = env.reset(seed=[1, None, None])
    assert infos["seed"][0] == 1
    assert len(set(infos["seed"].tolist())) == 3
    others = [make_endeavor_vector(2, **QUICK).reset()[1]["seed"].tolist() for _ in range(2)]
    assert others[0] != others[1]


@pytest.mark.parametrize("options", [{}, {"opponents": "greedy"}, {"learner_seat": "all"}], ids=str)
def test_a_row_depends_on_its_seed_alone(options: dict[str, Any]) -> None:
    many, one = (make_endeavor_vector(n, **QUICK, **options, autoreset_mode="SAME_STEP") for n in (3, 1))
    seen, _ = many.reset(seed=[7, 8, 9])
    alone, _ = one.reset(seed=[8])
    for step in range(6):
        assert (seen["observation"][1] == alone["observation"][0]).all()
        actions = seen["action_mask"].argmax(axis=1)
        actions[step % 3] = seen["action_mask"][step % 3].argmin()
        seen, rewards, *_ = many.step(actions)
        alone, rewards_alone, *_ = one.step(actions[1:2])
        assert rewards[1] == rewards_alone[0]


# --- the end of a game -----------------------------------------------------------------------------------------------


# --- self-play -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("variant", ["standard", "soloplay_2", "exploits"])
def test_in_self_play_every_seat_is_the_learners(variant: str) -> None:
    players = {"standard": 3, "soloplay_2": 2, "exploits": 3}[variant]
    env = make_endeavor_vector(
        2, players=players, variant=variant, observation="compact", learner_seat="all", reward="rank",
        autoreset_mode="SAME_STEP",
    )  # fmt: skip
    seen, infos = env.reset(seed=5)
    games = [Game.new(players, variant, seed) for seed in spread_seeds(5, 2).tolist()]
    rng, ended, ends = generator(5), np.zeros(2, bool), 0
    while not ends:
        for row, game in enumerate(games):
            assert infos["seat"][row] == game.seat
            assert (seen["observation"][row] == observe(game, game.seat, "compact")).all()
            assert (seen["action_mask"][row] == game.mask()).all()
        actions = random_actions(seen["action_mask"], rng)
        movers = [game.seat for game in games]
        for game, action in zip(games, actions.tolist(), strict=True):
            game.apply(action)
        seen, rewards, ended, _, infos = env.step(actions)
        assert not rewards[~ended].any()
        for row in np.flatnonzero(ended):
            closing, scores = infos["final_info"], games[row].scores()
            assert closing["scores"][row].tolist() == scores
            assert np.flatnonzero(closing["winners"][row]).tolist() == games[row].winners()
            assert closing["seat_rewards"][row].tolist() == rank(scores)
            assert rewards[row] == rank(scores)[movers[row]]
            assert closing["seat"][row] == -1
            assert (infos["final_obs"][row]["observation"] == observe(games[row], 0, "compact")).all()
        ends += int(ended.sum())
    assert infos["_seat"].all()
    assert all(game.over == bool(end) for game, end in zip(games, ended, strict=True))


def test_in_self_play_an_illegal_action_costs_its_seat() -> None:
    env = make_endeavor_vector(2, **QUICK, learner_seat="all")
    seen, infos = env.reset(seed=5)
    seat = int(infos["seat"][0])
    actions = seen["action_mask"].argmax(axis=1)
    actions[0] = seen["action_mask"][0].argmin()
    _, rewards, _, _, infos = env.step(actions)
    assert rewards.tolist() == [-1.0, 0.0]
    assert infos["seat_rewards"][0].tolist() == [-1.0 if other == seat else 0.0 for other in range(3)]
    assert infos["_seat_rewards"].tolist() == [True, False]


# --- threads, boards, buffers ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("opponents", ["random", ["automa", "random"], "greedy"], ids=str)
def test_the_number_of_threads_changes_nothing(opponents: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    options = {**QUICK, "opponents": opponents, "shaping": {}, "autoreset_mode": "SAME_STEP"}
    alone = make_endeavor_vector(7, **options, threads=1)
    monkeypatch.setattr(threads, "SMALL", 1)
    monkeypatch.setattr(threads, "THINKING", 1)
    shared = make_endeavor_vector(7, **options, threads=3)
    assert (alone.batch.threads, shared.batch.threads) == (1, 3)
    assert play(alone, 4) == play(shared, 4)
    assert alone.batch.states.tobytes() == shared.batch.states.tobytes()
    assert alone.batch.decisions == shared.batch.decisions > 7 * 4
    shared.close()
    shared.close()


def test_few_games_need_one_thread() -> None:
    assert make_endeavor_vector(4, **QUICK, threads=8).batch.threads == 1
    assert make_endeavor_vector(threads.SMALL * 2, **QUICK, threads=2).batch.threads == 2
    assert default_threads() >= 1


def test_each_game_can_have_its_board() -> None:
    boards = [None, Board.generate(5), Board.generate(6)]
    env = make_endeavor_vector(4, **QUICK, board=boards, learner_seat="all")
    seen, _ = env.reset(seed=[1, 1, 1, 1])
    for row in range(4):
        game = Game.new(3, seed=1, board=boards[row % 3])
        assert (seen["observation"][row] == observe(game, game.seat, "compact")).all()
        assert (seen["action_mask"][row] == game.mask()).all()
    assert (seen["observation"][0] == seen["observation"][3]).all()
    assert (seen["observation"][0] != seen["observation"][1]).any()


def test_observations_are_fresh_and_yours() -> None:
    env = make_endeavor_vector(2, **QUICK)
    seen, infos = env.reset(seed=1)
    kept = seen["observation"].copy(), seen["action_mask"].copy()
    masks = env.action_masks()
    after, *_ = env.step(masks.argmax(axis=1))
    assert (seen["observation"] == kept[0]).all()
    assert (seen["action_mask"] == kept[1]).all()
    assert (infos["action_mask"] == kept[1]).all()
    assert not np.shares_memory(seen["observation"], after["observation"])
    after["action_mask"][:] = 0
    masks[:] = False
    assert env.action_masks().any(axis=1).all()


def test_without_copies_the_buffers_last_as_long_as_documented() -> None:
    env, copying = (make_endeavor_vector(2, **QUICK, copy=copy, autoreset_mode="SAME_STEP") for copy in (False, True))
    first, _ = env.reset(seed=1)
    wanted, _ = copying.reset(seed=1)
    second, *_ = env.step(wanted["action_mask"].argmax(axis=1))
    wanted_second, *_ = copying.step(wanted["action_mask"].argmax(axis=1))
    assert (first["observation"] == wanted["observation"]).all()  # until the second call from then
    assert (second["observation"] == wanted_second["observation"]).all()
    assert (second["action_mask"] == wanted_second["action_mask"]).all()
    assert np.shares_memory(first["action_mask"], second["action_mask"])
    third, *_, infos = env.step(second["action_mask"].argmin(axis=1))
    assert np.shares_memory(first["observation"], third["observation"])
    final = infos["final_obs"][0]["observation"].copy()
    env.step(third["action_mask"].argmax(axis=1))
    assert (infos["final_obs"][0]["observation"] == final).all()


def test_a_game_takes_little_memory() -> None:
    wider = 0
    for env, more in (
        (make_endeavor_vector(1), 0),
        (make_endeavor_solo_vector(1), 0),
        (make_endeavor_vector(1, exploits="random"), wider),
    ):
        batch = env.batch
        held = batch.states.nbytes + batch.tables.nbytes + batch.words.nbytes + batch.status.nbytes
        assert held < batch.bytes_a_game < 2048 + more


def test_a_hundred_thousand_games_fit_into_one_process() -> None:
    count = 200 if JIT_DISABLED else 100_000
    env = make_endeavor_vector(count, players=5, observation="compact", learner_seat="all", copy=False)
    batch = env.batch
    assert batch.states.nbytes + batch.tables.nbytes + batch.words.nbytes <= 2048 * count
    assert batch.bytes_a_game <= 2048
    seen, infos = env.reset(seed=0)
    assert len(set(infos["seed"].tolist())) == count
    seen, _, terminated, _, _ = env.step(seen["action_mask"].argmax(axis=1))
    assert not terminated.any()
    assert seen["action_mask"].any(axis=1).all()
    assert batch.decisions == count
    env.close()


def test_every_way_to_play_shares_one_machine_code() -> None:
    for observation in ("features", "compact"):
        for games in ([{"players": 3}], [{"players": 4}, {"variant": "soloplay_3"}], [{"exploits": "random"}]):
            for mode in ("SAME_STEP", "NEXT_STEP"):
                env = make_endeavor_vector(2, games=games, observation=observation, autoreset_mode=mode, shaping={})
                play(env, 2)
                env.step(env.action_masks().argmin(axis=1).astype(np.int32))
                actions = np.repeat(env.action_masks().argmax(axis=1), 2)[::2]
                actions.flags.writeable = False
                env.step(actions)
    for kernel in (kernels.check_actions, kernels.leads, turn, write_ends, write_starts):
        assert "made" not in vars(kernel)  # Numba compiled nothing
