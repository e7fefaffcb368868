"""The settings that runs of PPO share, whichever library trains."""

from __future__ import annotations

import math
from typing import Annotated, Any, ClassVar, Self

from pydantic import Field, model_validator

from endeavor_env.agents.games import config_of, sizes_of, table_sizes_of
from endeavor_env.agents.network_spec import ACTIVATION_NAMES, MAX_LAYERS, MAX_PARAMETERS, MAX_WIDTH, NetworkSpec
from endeavor_env.endeavor.rewards import rewards_in
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.setups import SOLO, STANDARD
from endeavor_env.errors import InvalidOptionError
from endeavor_env.training.runs.settings import (
    MOST_ROWS,
    Count,
    JsonSettings,
    LossWeight,
    Opponents,
    PositiveShare,
    Seed,
    Share,
    impossible,
    one_of,
)

PRESET_NAMES = ("smoke", "quick", "long", "refine", "refine-smoke")
VARIANTS = (STANDARD, SOLO)
TABLE_SIZES = (3, 4, 5)
Layers = Annotated[tuple[Annotated[int, Field(ge=1, le=MAX_WIDTH)], ...], Field(min_length=1, max_length=MAX_LAYERS)]


def spec_of(variant: str, trunk: tuple[int, ...], head: tuple[int, ...], activation: str) -> NetworkSpec:
    """Return the shape of a policy network for ``variant``."""
    inputs, outputs = sizes_of(variant)
    return NetworkSpec(inputs, trunk, head, outputs, activation)


class PolicySettings(JsonSettings):
    """The settings of a run of PPO that its libraries share."""

    more_rewards: ClassVar[tuple[str, ...]] = ()
    """Rewards that this trainer alone has."""
    nobody: ClassVar[Opponents] = ()
    """The opponents in the solitaire game."""

    preset: Annotated[str, one_of(PRESET_NAMES)] = "quick"
    """Name of the preset that the settings were made from."""
    steps: Count = 720_896
    """Decisions to train on, those of all learning seats."""
    seed: Seed = 0
    """Seed of weights, set-ups, opponents and samples, below 2**32."""
    variant: Annotated[str, one_of(VARIANTS)] = STANDARD
    """The variant to train on."""
    players: Annotated[tuple[int, ...], Field(min_length=1, max_length=16)] = TABLE_SIZES
    """Numbers of seats; each game draws one."""
    difficulties: Annotated[tuple[Annotated[str, one_of(c.DIFFICULTY_NAMES)], ...], Field(max_length=16)] = ()
    """Solo: difficulties of the Opposition; each game draws one."""
    opponents: Opponents
    """Players of the other seats with their weights."""
    reward: str = "margin"
    """Name of the reward at the end of a game."""
    shaping_weight: LossWeight = 1.0
    """Weight of the potential-based shaping, 0 for none."""
    batch_size: Annotated[int, Field(ge=2, le=MOST_ROWS)] = 2048
    """Decisions of one gradient step."""
    n_epochs: Annotated[int, Field(ge=1, le=1_000)] = 4
    """Passes over the decisions between two updates."""
    learning_rate: PositiveShare = 7e-4
    """Learning rate at the beginning."""
    last_learning_rate: PositiveShare = 7e-5
    """Learning rate at the end; it falls linearly."""
    gamma: PositiveShare = 0.999
    """Discount from one decision to the next."""
    gae_lambda: Share = 0.95
    """Trace decay of the advantage estimate."""
    ent_coef: LossWeight = 0.01
    """Weight of the entropy bonus."""
    trunk: Layers = (192,)
    """Layers shared by policy and value network."""
    head: Layers = (64,)
    """Layers of each of them after the shared ones."""
    activation: Annotated[str, one_of(ACTIVATION_NAMES)] = "relu"
    """The word relu or tanh."""
    checkpoint_every: Count = 65_536
    """Decisions between checkpoints; a run that is killed loses at most these."""
    evaluation_games: Count = 240
    """Evaluation games at the end for each table size and opponent, or difficulty; a multiple of 3, 4 and 5."""

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        """Check what depends on the variant, and the size of the network."""
        for name, possible, why in self._solo_rules() if self.variant == SOLO else self._table_rules():
            if not possible:
                raise impossible(name, getattr(self, name), f"it should be {why}")
        rewards = (*rewards_in(self.variant), *self.more_rewards)
        if self.reward not in rewards:
            raise impossible("reward", self.reward, f"it should be {' or '.join(rewards)}")
        if self.network.parameters > MAX_PARAMETERS:
            raise InvalidOptionError(
                f"trunk and head make a network of {self.network.parameters:,} parameters: at most "
                f"{MAX_PARAMETERS:,} are possible"
            )
        return self

    def _table_rules(self) -> list[tuple[str, Any, str]]:
        """Return settings of the base game, whether each is possible, and what it should be."""
        sizes = table_sizes_of(config_of(self.variant))
        multiple, *fewer = math.lcm(*sizes), *map(str, sizes[:-1])
        possible = f"{', '.join(fewer)} or {sizes[-1]}, or several of them" if fewer else f"a list of {sizes[-1]}"
        return [
            ("players", set(self.players) <= set(sizes), possible),
            ("difficulties", not self.difficulties, "an empty list"),
            (
                "opponents",
                any(weight > 0 for _, weight in self.opponents),
                "names with weights, one of them above 0",
            ),
            ("evaluation_games", self.evaluation_games % multiple == 0, f"a positive multiple of {multiple}"),
        ]

    def _solo_rules(self) -> list[tuple[str, Any, str]]:
        """Return settings of the solitaire game, whether each is possible, and what it should be."""
        return [
            ("players", self.players == (1,), "a list of the number 1"),
            ("difficulties", self.difficulties, f"one of {', '.join(c.DIFFICULTY_NAMES)}, or several of them"),
            ("opponents", self.opponents == self.nobody, f"the {self.nobody[0][0]} alone" if self.nobody else "empty"),
            ("evaluation_games", self.evaluation_games >= 2, "at least 2"),
        ]

    @property
    def network(self) -> NetworkSpec:
        """The shape of the policy network."""
        return spec_of(self.variant, self.trunk, self.head, self.activation)
