"""The model that learns, SB3's MaskablePPO with the policy network of the checkpoints, and its callback."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.utils import LinearSchedule

from endeavor_env.agents.checkpoint import WEIGHTS, most_bytes
from endeavor_env.agents.games import environment_of
from endeavor_env.agents.network import ACTIVATIONS, check_weights, dense
from endeavor_env.agents.network_spec import NetworkSpec
from endeavor_env.agents.weights import read_member
from endeavor_env.errors import CheckpointError
from endeavor_env.sb3 import EndeavorVecEnv
from endeavor_env.training.ppo.games import KernelOpponentPool, OpponentPool
from endeavor_env.training.ppo.rollouts import KernelRolloutBuffer, KernelRolloutPPO
from endeavor_env.training.ppo.settings import PPOSettings, RunFolder, preset
from endeavor_env.training.runs.first_policy import (
    check_tensors,
    sb3_shapes,
)
from endeavor_env.training.runs.layers import DivergedError

OPTIMIZER = "policy.optimizer.pth"
"""The member of SB3's zip with the state of the optimizer."""


class Trunk(BaseFeaturesExtractor):
    """The layers that policy and value network share, as a features extractor of SB3."""

    def __init__(self, observation_space: spaces.Box, widths: tuple[int, ...], activation: str) -> None:
        """Build the layers of ``endeavor_env.agents.network`` for the observations of ``observation_space``."""
        super().__init__(observation_space, features_dim=widths[-1])
        self.layers = dense(observation_space.shape[0], widths, activation)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return the features, (batch, features_dim)."""
        return self.layers(observations)


def make_model(settings: PPOSettings, env: EndeavorVecEnv, tensorboard: Path | None = None) -> MaskablePPO:
    """Return an untrained model."""
    kind = KernelRolloutPPO if settings.in_kernels else MaskablePPO
    return kind(
        "MlpPolicy",
        env,
        learning_rate=LinearSchedule(settings.learning_rate, settings.last_learning_rate, 1.0),
        n_steps=settings.n_steps,
        batch_size=settings.batch_size,
        n_epochs=settings.n_epochs,
        gamma=settings.gamma,
        gae_lambda=settings.gae_lambda,
        ent_coef=settings.ent_coef,
        rollout_buffer_class=KernelRolloutBuffer if settings.in_kernels else None,
        policy_kwargs=_policy_options(settings),
        tensorboard_log=None if tensorboard is None else str(tensorboard),
        seed=settings.seed,
        device="cpu",
    )


def bare_model(variant: str, trunk: tuple[int, ...], head: tuple[int, ...], seed: int) -> MaskablePPO:
    """Return an untrained model whose network something other than PPO trains; it plays no games."""
    settings = preset("smoke", variant).replace(trunk=trunk, head=head, seed=seed)
    return make_model(settings, EndeavorVecEnv(environment_of(variant), settings.num_envs))


def load_model(
    checkpoint: Path, done: int, settings: PPOSettings, env: EndeavorVecEnv, tensorboard: Path
) -> MaskablePPO:
    """Return the model of a checkpoint, after ``done`` decisions of a run with these settings, to go on training.

    Weights and the state of the optimizer come from the checkpoint, everything else from the settings. SB3's own loader
    is not used: it unpickles objects, and with them runs code from the file.

    Raises:
        CheckpointError: The checkpoint does not hold the weights and the optimizer of such a model.
    """
    most = most_bytes(settings.network)
    weights, optimizer = (read_member(checkpoint, member, most) for member in (WEIGHTS, OPTIMIZER))
    model = make_model(settings, env, tensorboard)
    policy = model.policy
    try:
        check_tensors(sb3_shapes(settings.network), weights)
        parameters = [parameter for group in policy.optimizer.param_groups for parameter in group["params"]]
        state = _optimizer_state(optimizer, parameters)
    except CheckpointError as error:
        raise CheckpointError(f"checkpoint {checkpoint} cannot be resumed: {error}") from error
    policy.load_state_dict(weights)
    policy.optimizer.load_state_dict({**policy.optimizer.state_dict(), "state": state})
    model.num_timesteps = done
    return model


def sharpen(model: MaskablePPO, factor: float) -> None:
    """Multiply the logits of a model: the most likely actions stay, and above 1 they become more likely."""
    with torch.no_grad():
        for parameter in model.policy.action_net.parameters():
            parameter.mul_(factor)


def check_usable(model: MaskablePPO, spec: NetworkSpec) -> None:
    """Raise DivergedError if an update left weights that no checkpoint may have: not finite, or far too large."""
    weights = model.policy.state_dict()
    try:
        check_weights(spec, weights)
        usable = all(bool(tensor.isfinite().all()) for tensor in weights.values())  # those of the value network, too
    except CheckpointError:
        usable = False
    if not usable:
        raise DivergedError(
            f"training ends after {model.num_timesteps:,} decisions, for weights are no longer finite, or far too "
            "large: what was saved before is as it was, go on with --resume, or begin a new run with a smaller "
            "learning_rate"
        )


def _optimizer_state(stored: Mapping[Any, Any], parameters: Sequence[torch.Tensor]) -> dict[int, Any]:
    """Return the state of an optimizer, by number of parameter.

    Raises:
        CheckpointError: It is not that of Adam for these parameters, or not finite.
    """
    state = stored.get("state")
    if state == {}:  # saved before the first update
        return {}
    if not isinstance(state, dict) or list(state) != list(range(len(parameters))):
        raise CheckpointError(f"the optimizer does not have a state for each of {len(parameters)} parameters")
    for number, parameter in enumerate(parameters):
        check_tensors({"step": (), "exp_avg": parameter.shape, "exp_avg_sq": parameter.shape}, state[number])
        if state[number]["step"] < 1 or (state[number]["exp_avg_sq"] < 0).any():
            raise CheckpointError("the optimizer counts no steps, or has a negative mean of squares")
    return state


def _policy_options(settings: PPOSettings) -> dict[str, Any]:
    """Return the options of SB3's ``MlpPolicy`` that give it the network of the settings."""
    return {
        "features_extractor_class": Trunk,
        "features_extractor_kwargs": {"widths": settings.trunk, "activation": settings.activation},
        "net_arch": list(settings.head),
        "activation_fn": ACTIVATIONS[settings.activation],
    }


# --- The callback of a run: checkpoints, new opponents, curves --------------------------------------------------------


WINDOW = 200  # finished games the curves are averaged over


class SelfPlayCallback(BaseCallback):
    """Saves checkpoints, adds copies of the learner to the opponents, and logs the results of the games.

    Training ends with CheckpointError if an update leaves weights that nobody can play with.
    """

    def __init__(
        self,
        run: RunFolder,
        spec: NetworkSpec,
        settings: PPOSettings,
        env: EndeavorVecEnv,
        pool: OpponentPool | KernelOpponentPool | None,
    ) -> None:
        """Make the callback of a run.

        Args:
            run: The folder for the checkpoints.
            spec: The shape of the policy network.
            settings: The settings of the run.
            env: The games of the run.
            pool: The opponents in these games; None in the solitaire game, which has none.
        """
        super().__init__()
        self._run = run
        self._spec = spec
        self._settings = settings
        self._env = env
        self._pool = pool
        self._games: deque[dict[str, Any]] = deque(maxlen=WINDOW)
        self._saved = 0
        self._copied = 0

    def _on_training_start(self) -> None:
        self._saved = self._copied = self.num_timesteps

    def _on_rollout_start(self) -> None:
        check_usable(self.model, self._spec)  # type: ignore[arg-type]

    def _on_training_end(self) -> None:
        check_usable(self.model, self._spec)  # type: ignore[arg-type]

    def _on_step(self) -> bool:
        self._games.extend(info["game"] for info in self.locals["infos"] if "game" in info)
        if self.num_timesteps - self._saved >= self._settings.checkpoint_every:
            self._run.save(self.model, self._spec, self.num_timesteps)  # type: ignore[arg-type]
            self._saved = self.num_timesteps
        if self._pool is not None and self.num_timesteps - self._copied >= self._settings.snapshot_every:
            self._pool.add_copy(self.model.policy.state_dict(), self._env)
            self._copied = self.num_timesteps
        return True

    def _on_rollout_end(self) -> None:
        if not self._games:
            return
        for key in ("win", "score", "margin"):
            self.logger.record(f"games/{key}", float(np.mean([game[key] for game in self._games])))
        if self._pool is not None:
            self.logger.record("games/opponent_copies", self._pool.copies)
