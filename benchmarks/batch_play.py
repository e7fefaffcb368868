"""Random legal play in batches of games, by ``Batch`` alone and through ``gymnasium.make_vec``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from endeavor_env.basics.version import ENVIRONMENT
from endeavor_env.engine.batch.game_batch import Batch
from endeavor_env.engine.kernels.rng import seeded

SEATS = 4
NO_OBSERVATION = "none"
OBSERVATIONS = (NO_OBSERVATION, "compact", "features")
SELF_PLAY, LEARNER = "self-play", "learner"
LENGTHS = {SELF_PLAY: 150, LEARNER: 40}
"""About how many turns of the loop a game takes, by mode."""


@dataclass(frozen=True)
class BatchSetting:
    """The interface, mode, observation and size of a batch that is measured."""

    api: str
    """``Batch`` or ``make_vec``."""
    mode: str
    """``self-play``: the caller makes every decision; ``learner``: three random opponents play in the compiled loop."""
    observation: str
    """``none``, ``compact`` or ``features``."""
    games: int
    threads: int

    @property
    def label(self) -> str:
        """The setting without interface and mode, which the heading of the table names."""
        threads = "1 thread" if self.threads == 1 else f"{self.threads} threads"
        return f"{self.observation}, {self.games:,} {'game' if self.games == 1 else 'games'}, {threads}"


class Play:
    """Random legal play in all games of a batch."""

    def __init__(self, batch: Batch) -> None:
        """Seed a random generator for each game."""
        self.batch = batch
        self.rngs = np.stack([seeded(row) for row in range(batch.size)])
        self.actions = np.empty(batch.size, np.int64)

    def sample(self) -> npt.NDArray[np.int64]:
        """Return a legal action for each game, NONE for games that are over; the next call overwrites the array."""
        return self.batch.sample(self.rngs, self.actions)

    def turn(self, out: npt.NDArray[Any] | None = None) -> None:
        """Make a move in every game, restart games that end, and write the observations into ``out``."""
        self.batch.check(self.sample(), False, True)
        self.batch.turn(True, out)

    def spread(self, length: int) -> None:
        """Play ``length`` turns and restart some games after each, so that the games end at different times."""
        rows = np.arange(self.batch.size)
        for turn in range(length):
            self.turn()
            self.batch.restart(rows[rows % length == turn])


class BatchTurns:
    """Random legal play of a ``Batch``, without the environment around it."""

    def __init__(self, setting: BatchSetting, spread: bool = True, game: str = ENVIRONMENT) -> None:
        """Start the games; ``spread`` brings them into different phases, as they are in a long run."""
        self.env = make(setting, game)
        self.batch: Batch = self.env.unwrapped.batch
        self.play = Play(self.batch)
        if spread:
            self.play.spread(LENGTHS[setting.mode])
        self.out: npt.NDArray[Any] | None = None
        if setting.observation != NO_OBSERVATION:
            self.out = np.zeros((setting.games, self.batch.layout.size), self.batch.layout.dtype)

    def turn(self) -> int:
        """Make a move in every game; return the number of decisions of all seats."""
        before = self.batch.decisions
        self.play.turn(self.out)
        return self.batch.decisions - before

    def close(self) -> None:
        """Close the environment."""
        self.env.close()


class EnvTurns(BatchTurns):
    """Random legal play through ``gymnasium.make_vec``, which resets finished games."""

    def turn(self) -> int:
        """Make a step in every game; return the number of decisions of all seats."""
        before = self.batch.decisions
        self.env.step(self.play.sample())
        return self.batch.decisions - before


def make(setting: BatchSetting, game: str = ENVIRONMENT, **options: Any) -> Any:
    """Return the environment of a setting, after its first reset; ``game`` is its id."""
    env: Any = gymnasium.make_vec(
        game,
        num_envs=setting.games,
        players=SEATS,
        observation="compact" if setting.observation == NO_OBSERVATION else setting.observation,
        learner_seat="all" if setting.mode == SELF_PLAY else 0,
        threads=setting.threads,
        **options,
    )
    env.reset(seed=0)
    return env


APIS: dict[str, type[BatchTurns]] = {"Batch": BatchTurns, "make_vec": EnvTurns}
