"""Rollouts inside the kernels: what they hand to MaskablePPO, and runs that begin with a network."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from rich.console import Console
from stable_baselines3.common.callbacks import BaseCallback

from endeavor_env.agents.checkpoint import read_card
from endeavor_env.agents.players.learned import LearnedAgent
from endeavor_env.agents.weights import read_member
from endeavor_env.errors import CheckpointError, InvalidOptionError
from endeavor_env.training.ppo.__main__ import new_run, train
from endeavor_env.training.ppo.games import KernelOpponentPool, make_env, make_pool
from endeavor_env.training.ppo.model import make_model, sharpen
from endeavor_env.training.ppo.rollouts import KernelRolloutBuffer, KernelRolloutPPO, KernelRollouts
from endeavor_env.training.ppo.settings import PPOSettings, RunFolder, preset
from tests.kits.checkpoints import untrained_checkpoint
from tests.kits.players import position
from tests.kits.training import untrained_checkpoint_of_sb3

SMALL = preset("refine-smoke").replace(steps=1_024, evaluation_games=60)


class Listener(BaseCallback):
    """Keeps the infos of all steps."""

    def __init__(self) -> None:
        super().__init__()
        self.games: list[dict[str, Any]] = []

    def _on_step(self) -> bool:
        self.games += [info["game"] for info in self.locals["infos"]]
        return True


def learner(settings: PPOSettings, threads: int = 1) -> KernelRolloutPPO:
    """Return a model at the beginning of a run."""
    settings = settings.replace(threads=threads)
    pool = make_pool(settings, 0)
    assert isinstance(pool, KernelOpponentPool)
    env = make_env(settings, pool)
    model = make_model(settings, env)
    assert isinstance(model, KernelRolloutPPO)
    pool.add_copy(model.policy.state_dict(), env)
    model.rollouts = KernelRollouts(settings, pool, 7)
    return model


def rollout(model: KernelRolloutPPO) -> tuple[KernelRolloutBuffer, Listener]:
    """Fill the model's buffer once more."""
    listener, buffer = Listener(), model.rollout_buffer
    assert isinstance(buffer, KernelRolloutBuffer)
    listener.init_callback(model)
    assert model.collect_rollouts(model.env, listener, buffer, model.n_steps)  # type: ignore[arg-type]
    return buffer, listener


@pytest.mark.parametrize("variant", ["standard", "solo"])
def test_log_probabilities_and_values_are_those_that_torch_computes(variant: str) -> None:
    settings = preset("refine-smoke", variant).replace(num_envs=4)
    model = learner(settings)
    with torch.no_grad():
        for parameter in model.policy.parameters():
            parameter.mul_(2.0)  # fresh networks prefer no action
    buffer, _ = rollout(model)
    samples = next(buffer.get())
    with torch.no_grad():
        values, log_probs, _ = model.policy.evaluate_actions(
            samples.observations, samples.actions.long().flatten(), action_masks=samples.action_masks
        )
    assert torch.allclose(values.flatten(), samples.old_values, atol=1e-4)
    assert torch.allclose(log_probs, samples.old_log_prob, atol=1e-4)
    assert float(log_probs.std()) > 0.1
    assert int(samples.action_masks.sum(dim=1).min()) > 1


def test_rewards_are_the_outcomes_of_the_games_that_ended() -> None:
    model = learner(SMALL.replace(n_steps=256))
    buffer, listener = rollout(model)
    ends = buffer.by_game["rewards"] != 0
    starts = buffer.by_game["episode_starts"]
    assert len(listener.games) >= ends.sum() > 4
    assert np.array_equal(starts[:, 1:] == 1, ends[:, :-1])
    assert (starts[:, 0] == 1).all()
    expected = sorted(game["win"] + 0.02 * max(-30, min(30, game["margin"])) for game in listener.games)
    paid = sorted(buffer.by_game["rewards"][ends].tolist() + [0.0] * (len(expected) - int(ends.sum())))
    assert paid == pytest.approx(expected, abs=1e-5)
    again, _ = rollout(model)
    assert not (again.by_game["episode_starts"][:, 0] == 1).all()  # games go on from one rollout to the next


def test_rollouts_do_not_depend_on_the_number_of_threads() -> None:
    settings = SMALL.replace(num_envs=256, n_steps=4)
    buffers = [rollout(learner(settings, threads))[0] for threads in (1, 2)]
    for name, array in buffers[0].by_game.items():
        assert np.array_equal(array, buffers[1].by_game[name]), name


def test_the_buffer_hands_out_the_same_samples_as_that_of_sb3() -> None:
    model = learner(SMALL)
    buffer, _ = rollout(model)
    rows = buffer.by_game["observations"].reshape(-1, 1971).copy()
    rewards = buffer.by_game["log_probs"].reshape(-1).copy()
    np.random.seed(0)  # noqa: NPY002 (SB3 draws from it)
    order = np.random.permutation(len(rows))  # noqa: NPY002
    np.random.seed(0)  # noqa: NPY002
    batch = next(buffer.get(64))
    assert np.array_equal(batch.observations.numpy(), rows[order[:64]])
    assert np.array_equal(batch.old_log_prob.numpy(), rewards[order[:64]])


def test_a_copy_makes_room_for_a_newer_one() -> None:
    pool, weights = KernelOpponentPool(SMALL.replace(snapshots=2)), learner(SMALL).policy.state_dict()
    env = make_env(SMALL, pool)
    shares = []
    for _ in range(3):
        pool.add_copy(weights, env)
        shares.append(np.diff(pool.opponents()["until"], prepend=0) / pool.opponents()["until"][-1])
    assert pool.copies == 2
    assert [len(found) for found in shares] == [2, 3, 3]
    assert shares[2].tolist() == pytest.approx([0.25, 0.25, 0.5], abs=1e-6)


def test_sharper_logits_leave_the_most_likely_actions() -> None:
    model = learner(SMALL)
    before = {name: value.clone() for name, value in model.policy.state_dict().items()}
    sharpen(model, 2.0)
    after = model.policy.state_dict()
    assert torch.equal(after["action_net.weight"], 2 * before["action_net.weight"])
    assert torch.equal(after["value_net.weight"], before["value_net.weight"])


def test_a_run_from_a_checkpoint_begins_with_its_play_and_goes_on(tmp_path: Path) -> None:
    begins = untrained_checkpoint_of_sb3(tmp_path / "before")
    run = new_run("refine-smoke", tmp_path / "run", None, None, 512, str(begins))
    final = train(run, Console(quiet=True), progress=False)
    first, agent, end = (LearnedAgent(path) for path in (run.path / "step_000000000000.zip", begins, final))
    for decisions in range(10, 60, 5):
        assert first.act(position(decisions)) == agent.act(position(decisions))
    assert not torch.equal(end.network.state_dict()["trunk.0.weight"], agent.network.state_dict()["trunk.0.weight"])
    assert read_card(final)["training"]["settings"]["begin_with"] == str(begins)
    assert run.settings.sharpen == 1.0  # the checkpoint is no clone
    resumed = RunFolder.reopen(run.path)
    assert resumed.settings == run.settings


def test_a_run_with_rollouts_inside_the_kernels_is_resumed(tmp_path: Path) -> None:
    settings = SMALL.replace(checkpoint_every=512)
    train(RunFolder.create(tmp_path / "run", settings, ""), Console(quiet=True), progress=False)
    stored = json.loads((tmp_path / "run" / "run.json").read_text())
    stored["settings"]["steps"] = 1_536
    (tmp_path / "run" / "run.json").write_text(json.dumps(stored))
    printed = Console(record=True, file=io.StringIO(), width=300)
    final = train(RunFolder.reopen(tmp_path / "run"), printed, progress=False)
    assert "1,024 of 1,536 decisions done" in printed.export_text()
    assert read_card(final)["training"]["steps"] == 1_536


def test_the_precision_of_a_run_holds_for_its_gradients_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    learn = KernelRolloutPPO.train

    def noting(model: KernelRolloutPPO) -> None:
        seen.append(torch.get_float32_matmul_precision())
        learn(model)

    monkeypatch.setattr(KernelRolloutPPO, "train", noting)
    run = RunFolder.create(tmp_path / "run", SMALL.replace(steps=512), "")
    assert run.settings.precision == "medium"
    train(run, Console(quiet=True), progress=False)
    assert set(seen) == {"medium"}
    assert torch.get_float32_matmul_precision() == "highest"


def test_a_run_from_a_player_begins_with_a_clone_of_it(tmp_path: Path) -> None:
    run = new_run("refine-smoke", tmp_path / "run", None, 3, 512, "greedy")
    assert run.settings.sharpen > 1
    train(run, Console(quiet=True), progress=False)
    weights = read_member(run.path / "step_000000000000.zip", "policy.pth", 1 << 22)
    fresh = make_model(run.settings, make_env(run.settings, make_pool(run.settings, 0))).policy.state_dict()
    assert not torch.equal(weights["action_net.weight"], fresh["action_net.weight"])


def test_a_checkpoint_without_a_value_network_is_refused(tmp_path: Path) -> None:
    path = untrained_checkpoint(tmp_path, "standard", activation="relu")
    with pytest.raises(CheckpointError, match="cannot be used: the names of its tensors"):
        new_run("refine-smoke", tmp_path / "run", None, None, 512, str(path))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"shaping_weight": 1.0}, "shaping_weight=1.0 is not possible: the reward outcome is not shaped: give 0"),
        ({"trunk": (32, 32)}, "one width of at most"),
        ({"activation": "tanh"}, "activation='tanh' is not possible: it should be relu"),
        ({"last_learning_rate": 0.0}, "last_learning_rate=0.0 is not possible"),
    ],
)
def test_settings_that_the_kernels_cannot_play_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message.replace("(", r"\(")):
        SMALL.replace(**changes)


def test_a_player_that_does_not_exist_is_refused() -> None:
    with pytest.raises(InvalidOptionError, match="player 'nobody' is unknown"):
        KernelOpponentPool(SMALL.replace(opponents=(("nobody", 1.0),)))
