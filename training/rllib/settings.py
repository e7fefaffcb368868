"""The settings of a run on RLlib."""

from __future__ import annotations

from typing import ClassVar, Self

from pydantic import model_validator

from endeavor_env.errors import InvalidOptionError
from endeavor_env.training.ppo.settings import OUTCOME, preset
from endeavor_env.training.runs.policy_settings import PolicySettings
from endeavor_env.training.runs.settings import Opponents, Rows, impossible

LEARNER = "learner"
"""In ``RLlibSettings.opponents``: the policy that learns."""
GAMES = 32
"""Games that a runner plays side by side at most."""


class RLlibSettings(PolicySettings):
    """Everything that determines what a run learns; where its processes run does not belong to it.

    Agents are looked up where they are made.
    """

    nobody: ClassVar[Opponents] = ((LEARNER, 1.0),)

    opponents: Opponents = ((LEARNER, 1.0),)
    """Who plays in a seat, with weights: "learner" or the name of an agent. One seat of each game always learns."""
    num_envs_per_env_runner: Rows
    """Games that each environment runner plays side by side."""
    train_batch_size: Rows
    """Decisions between updates."""

    @model_validator(mode="after")
    def _check_batches(self) -> Self:
        """Check what depends on the number of decisions between updates."""
        if self.batch_size > self.train_batch_size:
            most = self.train_batch_size
            raise impossible("batch_size", self.batch_size, f"it should be at most train_batch_size, {most}")
        return self

    def tables(self) -> list[tuple[int, str | None]]:
        """Return the tables that games draw from: number of seats, and the difficulty in the solitaire game."""
        return [(players, difficulty) for players in self.players for difficulty in self.difficulties or (None,)]


def rllib_preset(name: str, variant: str) -> RLlibSettings:
    """Return a preset of ``endeavor train ppo`` for RLlib; raise InvalidOptionError for an unknown name or variant.

    All seats are played by the policy that learns, so there are no copies of it.
    """
    base = preset(name, variant)
    if base.reward == OUTCOME:
        raise InvalidOptionError(f"preset {name!r} is for endeavor_env.training.ppo --from: give smoke, quick or long")
    shared = {field: getattr(base, field) for field in PolicySettings.model_fields if field != "opponents"}
    games, rows = min(GAMES, base.num_envs // 2), base.num_envs * base.n_steps
    return RLlibSettings(**shared, num_envs_per_env_runner=games, train_batch_size=rows)
