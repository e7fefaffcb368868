"""The adapter in the hands of Stable-Baselines3 and sb3-contrib: learning, buffers, wrappers, evaluation."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor, VecNormalize

from endeavor_env.envs.sampling import generator
from endeavor_env.sb3 import EndeavorVecEnv
from tests.kits.sb3 import MIXED, solo
from tests.kits.vector import random_actions

ROOT = Path(__file__).resolve().parents[2]


def small_model(env: Any, **options: Any) -> MaskablePPO:
    return MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=16,
        batch_size=32,
        n_epochs=2,
        policy_kwargs={"net_arch": [16]},
        device="cpu",
        **options,
    )


@pytest.mark.parametrize(
    "make", [lambda: EndeavorVecEnv("Endeavor-v0", 4, **MIXED), lambda: solo(4)], ids=["mixed", "solo"]
)
def test_maskable_ppo_learns_and_only_legal_actions_are_played(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    added: list[tuple[np.ndarray, np.ndarray]] = []
    add = MaskableRolloutBuffer.add

    def watched(self: Any, observation: Any, action: Any, *args: Any, action_masks: Any, **kwargs: Any) -> None:
        added.append((action.reshape(-1).copy(), action_masks.copy()))
        add(self, observation, action, *args, action_masks=action_masks, **kwargs)

    monkeypatch.setattr(MaskableRolloutBuffer, "add", watched)
    model = small_model(make(), seed=0).learn(256)
    assert model.num_timesteps == 256
    assert len(added) == 64
    assert all(masks[np.arange(4), actions].all() for actions, masks in added)
    assert len(model.ep_info_buffer or ()) > 0


@pytest.mark.parametrize(
    ("file", "steps", "fewer"),
    [("training.md", "10_000", "2_000"), ("merchants/players.md", "max_rolls=60", "max_rolls=5")],
    ids=["training", "merchants"],
)
def test_the_examples_of_the_pages_run(file: str, steps: str, fewer: str, capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / file).read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(from sb3_contrib.*?)```", page, re.DOTALL)
    assert steps in program
    program = program.replace(steps, fewer).replace("30_000", "2_048").replace("seed=0", "n_epochs=1, seed=0")
    exec(compile(program, file, "exec"), {})
    assert re.fullmatch(r"\d+ decisions in the games that ended\n", capsys.readouterr().out)


def test_the_rollout_buffer_holds_copies() -> None:
    """What the policy saw at each step, kept apart from the two buffers it was read from."""
    env = EndeavorVecEnv("Endeavor-v0", 4, players=3)
    model = small_model(env, seed=0)
    model.learn(64)
    replay = EndeavorVecEnv("Endeavor-v0", 4, players=3)
    replay.seed(0)
    seen = replay.reset()
    observations, actions = (np.asarray(model.rollout_buffer.__dict__[name]) for name in ("observations", "actions"))
    observations, actions = observations.reshape(4, 16, -1), actions.reshape(4, 16)  # SB3 has put games first
    for step in range(16):
        assert np.array_equal(observations[:, step], seen)
        seen, *_ = replay.step(actions[:, step].astype(np.int64))


def test_learning_is_repeatable() -> None:
    weights = []
    for _ in range(2):
        model = small_model(EndeavorVecEnv("Endeavor-v0", 4, **MIXED), seed=5).learn(128)
        weights.append({name: value.numpy().tobytes() for name, value in model.policy.state_dict().items()})
    assert weights[0] == weights[1]


def test_vec_monitor_counts_the_same_and_masks_reach_through_wrappers() -> None:
    env = EndeavorVecEnv("Endeavor-v0", 3, players=3, reward="margin", shaping={}, seed=1)
    monitored, rng, ended = VecMonitor(env), generator(0), 0
    assert is_masking_supported(monitored)
    monitored.reset()
    returns, lengths = np.zeros(3), np.zeros(3, int)
    while ended < 5:
        masks = get_action_masks(monitored)
        assert np.array_equal(masks, env.action_masks())
        _, rewards, dones, infos = monitored.step(random_actions(masks, rng))
        returns += rewards
        lengths += 1
        for row in np.flatnonzero(dones):
            assert infos[row]["episode"]["r"] == pytest.approx(returns[row], abs=1e-5)
            assert infos[row]["episode"]["l"] == lengths[row]
            assert "game" in infos[row]
            returns[row] = lengths[row] = 0
            ended += 1


def test_vec_normalize_may_write_into_what_it_gets() -> None:
    env = VecNormalize(EndeavorVecEnv("Endeavor-v0", 3, players=3))
    model = small_model(env, seed=0).learn(192)
    assert model.num_timesteps == 192


def test_evaluate_policy_plays_the_episodes_asked_for() -> None:
    env = VecMonitor(EndeavorVecEnv("Endeavor-v0", 3, players=3, reward="win"))
    model = small_model(env, seed=0)
    rewards, lengths = evaluate_policy(model, env, n_eval_episodes=7, return_episode_rewards=True)
    assert len(rewards) == len(lengths) == 7  # type: ignore[arg-type]
    assert all(0.0 <= reward <= 1.0 for reward in rewards)  # type: ignore[union-attr]
