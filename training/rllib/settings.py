"""The settings of a run on RLlib."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields
from typing import Any

from agents.network import ACTIVATIONS, NetworkSpec
from endeavor_env.core.actions import num_actions
from endeavor_env.errors import InvalidOptionError
from endeavor_env.observation import layout_for
from endeavor_env.setups import STANDARD, check_players
from training.presets import preset

LEARNER = "learner"
"""In ``RLlibSettings.opponents``: the policy that learns."""
SEED_LIMIT = 2**31
"""Above the seeds that RLlib takes, which adds the numbers of runners and games to them."""


@dataclass(frozen=True)
class RLlibSettings:
    """Everything that determines what a run learns; where its processes run does not belong to it."""

    preset: str
    """Name of the preset that the settings were made from."""
    steps: int
    """Decisions to train on, those of all learning seats."""
    seed: int
    """Seed weights, set-ups, opponents and sampling."""
    variant: str
    """The variant to train on: standard or solo."""
    players: tuple[int, ...]
    """Numbers of seats; each game draws one."""
    difficulties: tuple[str, ...]
    """Solo: difficulties of the Opposition; each game draws one."""
    opponents: tuple[tuple[str, float], ...]
    """Who plays in a seat, with weights: "learner" or the name of an agent. One seat of each game always learns."""
    reward: str
    """Name of the reward at the end of a game."""
    shaping_weight: float
    """Weight of the potential-based shaping, 0 for none."""
    games: int
    """Games that each environment runner plays side by side."""
    batch: int
    """Decisions between updates."""
    minibatch: int
    """Decisions of one gradient step."""
    epochs: int
    """Passes over each batch."""
    learning_rate: float
    """Start of the linear decay to a tenth."""
    gamma: float
    """Discount from one decision to the next."""
    gae_lambda: float
    """Trace decay of the advantage estimate."""
    entropy: float
    """Weight of the entropy bonus."""
    trunk: tuple[int, ...]
    """Layers shared by policy and value network."""
    head: tuple[int, ...]
    """Layers of each of them after the shared ones."""
    activation: str
    """The word relu or tanh."""
    checkpoint_every: int
    """Decisions between checkpoints; a run that is killed loses at most these."""
    evaluation_games: int
    """Evaluation games at the end for each table size and opponent, or difficulty; a multiple of 3, 4 and 5."""

    @property
    def network(self) -> NetworkSpec:
        """The shape of the policy network."""
        size, actions = layout_for(self.variant, "features").size, num_actions(self.variant)
        return NetworkSpec(size, self.trunk, self.head, actions, self.activation)

    def tables(self) -> list[tuple[int, str | None]]:
        """Return the tables that games draw from: number of seats, and the difficulty in the solitaire game."""
        return [(players, difficulty) for players in self.players for difficulty in self.difficulties or (None,)]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> RLlibSettings:
        """Read the JSON form; raise InvalidOptionError for unknown or missing fields, or fields of another type."""
        known = {field.name for field in fields(cls)}
        if set(data) != known:
            odd = ", ".join(sorted(set(data) ^ known))
            raise InvalidOptionError(f"the run's settings do not fit this version: {odd} unknown or missing")
        template = rllib_preset("smoke", STANDARD)
        values = {key: _value(key, value, getattr(template, key)) for key, value in data.items()}
        return checked(cls(**values))


GAMES = 32
"""Games that a runner plays side by side at most."""


def rllib_preset(name: str, variant: str) -> RLlibSettings:
    """Return a preset of ``training.ppo`` for RLlib; raise InvalidOptionError for an unknown name or variant.

    All seats are played by the policy that learns, so there are no copies of it.
    """
    base = preset(name, variant)
    return RLlibSettings(
        preset=base.preset,
        steps=base.steps,
        seed=base.seed,
        variant=base.variant,
        players=base.players,
        difficulties=base.difficulties,
        opponents=((LEARNER, 1.0),),
        reward=base.reward,
        shaping_weight=base.shaping_weight,
        games=min(GAMES, base.num_envs // 2),
        batch=base.num_envs * base.rollout,
        minibatch=base.batch_size,
        epochs=base.epochs,
        learning_rate=base.learning_rate,
        gamma=base.gamma,
        gae_lambda=base.gae_lambda,
        entropy=base.entropy,
        trunk=base.trunk,
        head=base.head,
        activation=base.activation,
        checkpoint_every=base.checkpoint_every,
        evaluation_games=base.evaluation_games,
    )


_RANGES: dict[str, tuple[float, float]] = {
    **dict.fromkeys(("steps", "games", "batch", "minibatch", "epochs", "checkpoint_every"), (1, math.inf)),
    "evaluation_games": (1, math.inf),
    "learning_rate": (0.0, 1.0),
    "gamma": (0.0, 1.0),
    "gae_lambda": (0.0, 1.0),
    "entropy": (0.0, math.inf),
    "shaping_weight": (0.0, math.inf),
}
"""The least and the greatest value of each number; NaN is none of them."""


def checked(settings: RLlibSettings) -> RLlibSettings:
    """Return ``settings``; raise InvalidOptionError for values that no run can have.

    Reward, shaping and difficulties are checked by the environments, opponents where they are made.
    """
    for name, (least, most) in _RANGES.items():
        if not least <= getattr(settings, name) <= most:
            limits = f"at least {least}" if most == math.inf else f"{least} to {most}"
            raise InvalidOptionError(f"{name} {getattr(settings, name)} is not possible: it must be {limits}")
    if settings.minibatch > settings.batch:
        raise InvalidOptionError(f"minibatch {settings.minibatch} is not possible: the batch has {settings.batch}")
    widths = (*settings.trunk, *settings.head)
    if settings.activation not in ACTIVATIONS or not settings.trunk or not settings.head or min(widths) < 1:
        raise InvalidOptionError(
            f"no network has trunk {settings.trunk}, head {settings.head} and activation {settings.activation!r}: give "
            f"widths of at least 1, and one of {', '.join(ACTIVATIONS)}"
        )
    if not 0 <= settings.seed < SEED_LIMIT:
        raise InvalidOptionError(f"seed {settings.seed} is not possible: it must be 0 to {SEED_LIMIT - 1}")
    if not settings.players:
        raise InvalidOptionError("players is empty: give at least one number of seats")
    for players in settings.players:
        check_players(players, settings.variant)
    for name, share in settings.opponents:
        if not 0 <= share < math.inf:
            raise InvalidOptionError(f"opponent {name!r} has the weight {share}: it must be finite and at least 0")
    if not sum(share for _, share in settings.opponents) > 0:
        raise InvalidOptionError("the weights of the opponents are all 0: give one of them a weight above 0")
    return settings


def _value(name: str, value: Any, like: Any) -> Any:
    """Return a JSON value as the type that ``like`` has; raise InvalidOptionError if it is of another type."""
    if name == "opponents":
        if isinstance(value, list) and all(map(_is_share, value)):
            return tuple((who, float(share)) for who, share in value)
    elif isinstance(like, tuple):
        element = str if name == "difficulties" else int
        if isinstance(value, list) and all(type(entry) is element for entry in value):
            return tuple(value)
    elif type(value) is type(like) or (type(like) is float and type(value) is int):
        return value
    raise InvalidOptionError(f"the run's settings have {name} {value!r}: a value such as {like!r} belongs there")


def _is_share(pair: Any) -> bool:
    """Return whether a JSON value is a name with a weight."""
    return isinstance(pair, list) and len(pair) == 2 and type(pair[0]) is str and type(pair[1]) in (int, float)
