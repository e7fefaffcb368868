"""The model that learns: SB3's MaskablePPO with the policy network of the checkpoints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.utils import LinearSchedule

from agents.network import ACTIVATIONS, NetworkSpec, dense
from endeavor_env.core.actions import num_actions
from endeavor_env.observation import layout_for
from endeavor_env.sb3 import EndeavorVecEnv
from training.presets import Settings


class Trunk(BaseFeaturesExtractor):
    """The layers that policy and value network share, as a features extractor of SB3."""

    def __init__(self, observation_space: spaces.Box, widths: tuple[int, ...], activation: str) -> None:
        """Build the layers of ``agents.network`` for the observations of ``observation_space``."""
        super().__init__(observation_space, features_dim=widths[-1])
        self.layers = dense(observation_space.shape[0], widths, activation)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return the features, (batch, features_dim)."""
        return self.layers(observations)


def network_spec(settings: Settings) -> NetworkSpec:
    """Return the shape of the policy network of a run."""
    size, actions = layout_for(settings.variant, "features").size, num_actions(settings.variant)
    return NetworkSpec(size, settings.trunk, settings.head, actions, settings.activation)


def make_model(settings: Settings, env: EndeavorVecEnv, tensorboard: Path | None = None) -> MaskablePPO:
    """Return an untrained model."""
    return MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=LinearSchedule(settings.learning_rate, settings.learning_rate / 10, 1.0),
        n_steps=settings.rollout,
        batch_size=settings.batch_size,
        n_epochs=settings.epochs,
        gamma=settings.gamma,
        gae_lambda=settings.gae_lambda,
        ent_coef=settings.entropy,
        policy_kwargs=_policy_options(settings),
        tensorboard_log=None if tensorboard is None else str(tensorboard),
        seed=settings.seed,
        device="cpu",
    )


def load_model(checkpoint: Path, settings: Settings, env: EndeavorVecEnv, tensorboard: Path) -> MaskablePPO:
    """Return the model of a checkpoint of a run with these settings, to go on training.

    SB3 unpickles what the checkpoint holds, except the options of the policy: those name the class ``Trunk`` by the
    module it was in when the checkpoint was written, and are made from the settings instead.
    """
    return MaskablePPO.load(
        checkpoint,
        env=env,
        device="cpu",
        custom_objects={"policy_kwargs": _policy_options(settings)},
        tensorboard_log=str(tensorboard),
    )


def _policy_options(settings: Settings) -> dict[str, Any]:
    """Return the options of SB3's ``MlpPolicy`` that give it the network of ``network_spec``."""
    return {
        "features_extractor_class": Trunk,
        "features_extractor_kwargs": {"widths": settings.trunk, "activation": settings.activation},
        "net_arch": list(settings.head),
        "activation_fn": ACTIVATIONS[settings.activation],
    }
