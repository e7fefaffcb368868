"""The model that learns, and its first network: random, stored, or the clone of a stronger player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from gymnasium import spaces
from rich.console import Console
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.utils import LinearSchedule

from endeavor_env.agents.checkpoint import WEIGHTS, most_bytes
from endeavor_env.agents.games import environment_of
from endeavor_env.agents.network import ACTIVATIONS, check_weights, dense
from endeavor_env.agents.network_spec import NetworkSpec
from endeavor_env.agents.terminal import print_line
from endeavor_env.agents.weights import read_member
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.setups import STANDARD
from endeavor_env.errors import CheckpointError, InvalidOptionError
from endeavor_env.sb3 import EndeavorVecEnv
from endeavor_env.training.clone.run import Clone, followed
from endeavor_env.training.clone.settings import ACTIVATION, CloneFolder, first_variant
from endeavor_env.training.clone.settings import CloneSettings as CloneSettings
from endeavor_env.training.clone.settings import preset as clone_preset
from endeavor_env.training.ppo.rollouts import KernelRolloutBuffer, KernelRolloutPPO
from endeavor_env.training.ppo.settings import PPOSettings, preset
from endeavor_env.training.runs.first_policy import (
    FirstPolicy,
    check_tensors,
    is_stored,
    read_first_policy,
    sb3_shapes,
    take_weights,
)
from endeavor_env.training.runs.layers import DivergedError
from endeavor_env.training.runs.settings import impossible

# --- The model that learns: SB3's MaskablePPO with the policy network of the checkpoints -----------------------------

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


# --- The first network of a run of MaskablePPO: a stored one, or the clone of a stronger player ----------------------

OR_CLONE = "a player to clone"
"""Description of a start other than a stored policy, for errors."""
SHARPENED = 2.0
"""Factor of the logits of clones. Measured: what a clone draws then wins 17 % of games instead of 11 % when PPO begins
with it, since it is nearer to the most likely moves; PPO improves what is drawn."""


def sharpening(first: FirstPolicy) -> float:
    """Return the factor of the logits of a stored policy: SHARPENED for a clone that PPO has not improved yet."""
    return SHARPENED if first.training.get("trainer") == CloneFolder.trainer else 1.0


def settings_after(begins_with: str, preset_name: str, variant: str | None) -> PPOSettings:
    """Return the settings of a preset for a run that begins with a stored policy or with the clone of a player.

    Raises:
        InvalidOptionError: Another variant than that of the policy or player.
        CheckpointError: The policy, or the file of the player, cannot be used.
    """
    if not is_stored(begins_with):
        settings = preset(preset_name, variant or first_variant(begins_with))
        return settings.replace(begin_with=begins_with, sharpen=SHARPENED)
    first = read_first_policy(begins_with, variant or STANDARD, OR_CLONE)
    if variant not in (None, first.variant):
        raise InvalidOptionError(f"policy {first.name} plays {first.variant!r}: leave out --variant {variant}")
    shape = {"trunk": first.spec.trunk, "head": first.spec.head, "activation": first.spec.activation}
    return preset(preset_name, first.variant).replace(begin_with=first.name, sharpen=sharpening(first), **shape)


def check_beginning(settings: PPOSettings) -> None:
    """Raise InvalidOptionError or CheckpointError unless a run can begin with what its settings say."""
    if not settings.begin_with:
        return
    if is_stored(settings.begin_with):
        _first_policy(settings)
    else:
        _cloning(settings).check_named_players()


def _first_policy(settings: PPOSettings) -> FirstPolicy:
    """Return the stored policy that a run begins with; raise InvalidOptionError if it does not fit the run."""
    first = read_first_policy(settings.begin_with, settings.variant, OR_CLONE)
    first.check_fits(settings.variant, settings.network)
    return first


def _cloning(settings: PPOSettings) -> CloneSettings:
    """Return the settings of the clone that a run begins with; raise InvalidOptionError if no clone fits the run."""
    if settings.activation != ACTIVATION:
        raise impossible(
            "activation", settings.activation, f"it should be {ACTIVATION} for a run that begins with a clone"
        )
    shape = {"trunk": settings.trunk, "head": settings.head, "seed": settings.seed}
    size = "smoke" if settings.preset in ("smoke", "refine-smoke") else "quick"
    return clone_preset(size, settings.variant, settings.begin_with).replace(**shape)


def begin_with(model: MaskablePPO, settings: PPOSettings, console: Console, *, progress: bool) -> None:
    """Give a model the weights that its run begins with: those of a stored policy, or of a clone that is made here.

    Raises:
        InvalidOptionError: The policy does not fit the run, or the player cannot be cloned.
        CheckpointError: The policy, or the file of the player, cannot be used.
    """
    if is_stored(settings.begin_with):
        take_weights(model.policy, _first_policy(settings).weights)
    else:
        clone = Clone(_cloning(settings), model, Board.default())
        with followed(console, clone.reports, progress) as show:
            clone.learn(lambda _, fit: show(fit))
        print_line(f"Cloned {settings.begin_with} from {clone.choices:,} choices.", console)
    sharpen(model, settings.sharpen)
