"""The games MaskablePPO learns in: shapes, masks, rewards, fair seats, repeatability."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from endeavor_env.endeavor import observation
from endeavor_env.endeavor.observation import layout_for
from endeavor_env.endeavor.rewards import MARGIN_SCALE
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.errors import InvalidOptionError
from endeavor_env.training.ppo.games import OpponentPool, SampledPolicy, Snapshots, make_env, make_pool
from endeavor_env.training.ppo.model import make_model
from tests.kits.training import SETTINGS, games, play, random_actions


def pool(keep: int = 3) -> Snapshots:
    return Snapshots(SETTINGS.network, keep, torch.Generator().manual_seed(0))


def opponent_pool(*weights: tuple[str, float]) -> OpponentPool:
    return OpponentPool(weights, pool(), torch.Generator().manual_seed(0))


def weights_of_a_learner() -> dict[str, torch.Tensor]:
    return make_model(SETTINGS, games()).policy.state_dict()


@pytest.mark.parametrize("variant", ["standard", "solo"])
def test_shapes_and_types(variant: str) -> None:
    env = games(variant)
    observations = env.reset()
    layout, actions = layout_for(variant, "features"), num_actions(variant)
    assert observations.shape == (6, layout.size)
    assert observations.dtype == np.float32
    masks = env.action_masks()
    assert masks.shape == (6, actions)
    assert masks.dtype == np.bool_
    assert masks.any(axis=1).all()
    after, rewards, dones, infos = env.step(random_actions(env, np.random.default_rng(0)))
    assert after is not observations
    assert (rewards.shape, dones.dtype, len(infos)) == ((6,), np.bool_, 6)
    assert np.array_equal(np.stack(env.env_method("action_masks")), env.action_masks())
    assert env.observation_space.contains(np.asarray(after)[0])


@pytest.mark.parametrize(("variant", "ends"), [("standard", 12), ("solo", 3)])
def test_reward_and_shaping_add_up_to_the_margin_gained_when_nothing_is_discounted(variant: str, ends: int) -> None:
    env, ended = games(variant, gamma=1.0, reward="margin", shaping_weight=1.0), 0
    rng = np.random.default_rng(0)
    env.reset()
    leads = env.vector_env.batch.leads()  # at the learner's first decision
    while ended < ends:
        _, _, dones, infos = env.step(random_actions(env, rng))
        for row in np.flatnonzero(dones):
            gained = infos[row]["game"]["margin"] - leads[row]
            assert infos[row]["episode"]["r"] == pytest.approx(gained / MARGIN_SCALE, abs=1e-5)
            ended += 1
        leads[dones] = env.vector_env.batch.leads()[dones]


def test_win_reward_without_shaping_is_the_share_of_the_win() -> None:
    env = games(reward="win", shaping_weight=0.0)
    for info in play(env, 12):
        assert info["episode"]["r"] == pytest.approx(info["game"]["win"])


def test_learner_sits_everywhere_at_every_table_size() -> None:
    env = games(num_envs=128)
    env.reset()
    tables = env.vector_env.batch.tables
    seats = Counter(zip(tables["players"].tolist(), tables["learner"].tolist(), strict=True))
    assert set(seats) == {(players, seat) for players in (3, 4, 5) for seat in range(players)}


def test_finished_game_reports_its_last_observation_and_restarts() -> None:
    env = games()
    rng = np.random.default_rng(1)
    env.reset()
    while True:
        observations, _, dones, infos = env.step(random_actions(env, rng))
        if dones.any():
            break
    index = int(np.flatnonzero(dones)[0])
    last = infos[index]["terminal_observation"]
    assert last.shape == (observation.FEATURES.size,)
    assert not np.array_equal(last, np.asarray(observations)[index])
    assert env.action_masks()[index].any()


def test_same_seed_same_games() -> None:
    first, second = games(seed=3), games(seed=3)
    assert [info["game"] for info in play(first, 6)] == [info["game"] for info in play(second, 6)]


@pytest.mark.parametrize(
    "weights",
    [
        (),
        (("greedy", -1.0), ("random", 2.0)),
        (("greedy", 0.0),),
        (("grandmaster", 1.0),),
        (("code:docs/clients/code_player.py", 1.0),),
    ],
    ids=["empty", "negative", "zero", "unknown", "program"],
)
def test_impossible_opponents_are_refused(weights: tuple[tuple[str, float], ...]) -> None:
    with pytest.raises(InvalidOptionError):
        opponent_pool(*weights)


def test_pool_keeps_the_newest_copies_and_the_newest_plays_half_the_time() -> None:
    snapshots, weights = pool(keep=3), weights_of_a_learner()
    untrained = snapshots.policies[0]
    assert snapshots.shares() == {untrained: 1.0}
    kept: list[SampledPolicy] = []
    for _ in range(5):
        snapshots.add(weights)
        kept = [*kept, snapshots.policies[-1]][-3:]
        assert snapshots.policies == kept
        assert sum(snapshots.shares().values()) == pytest.approx(1.0)
    assert snapshots.shares() == {kept[2]: 0.5, kept[0]: 0.25, kept[1]: 0.25}


def test_a_pool_of_one_holds_the_newest() -> None:
    snapshots, weights = pool(keep=1), weights_of_a_learner()
    for _ in range(2):
        snapshots.add(weights)
    assert len(snapshots.policies) == 1


def test_a_pool_shares_out_the_weights() -> None:
    opponents = opponent_pool(("snapshot", 0.7), ("greedy", 0.2), ("random", 0.1), ("automa", 0.0))
    weights = weights_of_a_learner()
    for _ in range(2):
        opponents.snapshots.add(weights)
    older, newest = opponents.snapshots.policies
    assert opponents.opponents() == pytest.approx({newest: 0.35, older: 0.35, "greedy": 0.2, "random": 0.1})


def test_copies_play_in_games_that_start_after_they_are_added() -> None:
    settings = SETTINGS.replace(opponents=(("snapshot", 1.0),), players=(3,))
    opponents = make_pool(settings, 0)
    assert isinstance(opponents, OpponentPool)
    env, weights = make_env(settings, opponents), weights_of_a_learner()
    env.seed(0)
    asked: list[SampledPolicy] = []
    for policy in opponents.snapshots.policies:
        policy.network.act = lambda *_, **__: pytest.fail("the untrained network plays")  # type: ignore[method-assign]
    for _ in range(2):
        opponents.add_copy(weights, env)
    for policy in opponents.snapshots.policies:
        act = policy.network.act

        def watched(*args: Any, policy: SampledPolicy = policy, act: Any = act, **kwargs: Any) -> Any:
            asked.append(policy)
            return act(*args, **kwargs)

        policy.network.act = watched  # type: ignore[method-assign]
    env.reset()
    env.step(random_actions(env, np.random.default_rng(0)))
    assert set(asked) == set(opponents.snapshots.policies)


def test_a_checkpoint_may_be_an_opponent(checkpoint: Path) -> None:
    env = games(opponents=((f"checkpoint:{checkpoint}", 0.5), ("random", 0.5)), players=(3,))
    assert len(play(env, 2)) >= 2


def test_unknown_env_method_is_refused() -> None:
    with pytest.raises(AttributeError, match="only action_masks"):
        games().env_method("fly")
