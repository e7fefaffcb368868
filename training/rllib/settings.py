"""The settings of a run on RLlib."""

from __future__ import annotations

from dataclasses import dataclass, fields

from agents.network_spec import NetworkSpec
from endeavor_env.errors import InvalidOptionError
from endeavor_env.setups import SOLO
from training.ppo.settings import preset
from training.runs.json_settings import JsonSettings
from training.runs.setting_checks import (
    MOST_ROWS,
    OUTCOME,
    RULES,
    RULES_OF,
    Rule,
    check_network,
    check_rules,
    spec_of,
    whole,
)

LEARNER = "learner"
"""In ``RLlibSettings.opponents``: the policy that learns."""
_SOLO_OPPONENTS = ((LEARNER, 1.0),)
_RULES: dict[str, Rule] = {**RULES, "games": whole(1, MOST_ROWS), "batch": whole(1, MOST_ROWS)}


@dataclass(frozen=True)
class RLlibSettings(JsonSettings):
    """Everything that determines what a run learns; where its processes run does not belong to it.

    Values that are not possible (``training.runs.setting_checks``) raise InvalidOptionError. Agents are looked up where
    they are made.
    """

    preset: str
    """Name of the preset that the settings were made from."""
    steps: int
    """Decisions to train on, those of all learning seats."""
    seed: int
    """Seed of weights, set-ups, opponents and samples, below 2**32."""
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

    def __post_init__(self) -> None:
        """Check the values."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        check_rules(values, {name: rule for name, rule in _RULES.items() if name in values})
        rules = dict(RULES_OF[self.variant])
        if self.variant == SOLO:
            rules["opponents"] = Rule(lambda value: value == _SOLO_OPPONENTS, f"the {LEARNER} alone")
        check_rules(values, rules | {"minibatch": whole(1, self.batch)})
        check_network(values)
        if not sum(share for _, share in self.opponents) > 0:
            raise InvalidOptionError("the weights of the opponents are all 0: give one of them a weight above 0")

    @property
    def network(self) -> NetworkSpec:
        """The shape of the policy network."""
        return spec_of(self.variant, self.trunk, self.head, self.activation)

    def tables(self) -> list[tuple[int, str | None]]:
        """Return the tables that games draw from: number of seats, and the difficulty in the solitaire game."""
        return [(players, difficulty) for players in self.players for difficulty in self.difficulties or (None,)]


GAMES = 32
"""Games that a runner plays side by side at most."""


def rllib_preset(name: str, variant: str) -> RLlibSettings:
    """Return a preset of ``training.ppo`` for RLlib; raise InvalidOptionError for an unknown name or variant.

    All seats are played by the policy that learns, so there are no copies of it.
    """
    base = preset(name, variant)
    if base.reward == OUTCOME:
        raise InvalidOptionError(f"preset {name!r} is for training.ppo --from: give smoke, quick or long")
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
