"""The speed of batches of games, by ``Batch`` alone and through ``gymnasium.make_vec``: random legal play."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from endeavor_env.basics.hardware import usable_cores
from endeavor_env.basics.version import ENVIRONMENT
from endeavor_env.benchmarks.report import Section, speeds
from endeavor_env.benchmarks.timing import Effort, in_turns
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


# --- the section -----------------------------------------------------------------------------------------------------

SIZES = (1, 64, 1024, 8192)
SMOKE_SIZES = (1, 64)
SHARED = 1024
"""Size from which a batch is measured with all cores as well; smaller ones gain nothing by another thread."""
SIZE_OF_THREADS = 8192
"""Size of the batches in the figures by number of threads."""
HEADINGS = {
    ("Batch", SELF_PLAY): "`Batch`, self-play: sample, step, mask, autoreset, observation",
    ("Batch", LEARNER): "`Batch`, a learner and three random opponents: all seats' decisions",
    ("make_vec", SELF_PLAY): "`gymnasium.make_vec`, self-play",
    ("make_vec", LEARNER): "`gymnasium.make_vec`, a learner and three random opponents: all seats' decisions",
}


def thread_counts(cores: int) -> list[int]:
    """Return 1, 2, 4, ... and the number of cores."""
    return sorted({min(2**power, cores) for power in range(cores.bit_length() + 1)})


def settings(sizes: Iterable[int], cores: int) -> list[BatchSetting]:
    """Return all settings to measure: each size with one thread and, from ``SHARED`` games on, with all cores."""
    found: list[BatchSetting] = []
    for api, mode in HEADINGS:
        for observation in OBSERVATIONS:
            if api == "make_vec" and observation == NO_OBSERVATION:
                continue  # an environment always has an observation
            for size in sizes:
                counts = [1, cores] if size >= SHARED else [1]
                if (api, mode, size) == ("Batch", SELF_PLAY, SIZE_OF_THREADS):
                    counts = thread_counts(cores)
                found += [BatchSetting(api, mode, observation, size, threads) for threads in dict.fromkeys(counts)]
    return found


def measure(wanted: Iterable[BatchSetting], effort: Effort, game: str = ENVIRONMENT) -> dict[BatchSetting, list[float]]:
    """Return the decisions per second of each setting, one for every repeat; the settings take turns."""
    works = {setting: APIS[setting.api](setting, game=game) for setting in wanted}
    try:
        return in_turns({setting: work.turn for setting, work in works.items()}, effort)
    finally:
        for work in works.values():
            work.close()


def batches(effort: Effort) -> list[Section]:
    """Measure batches of all sizes, in both modes."""
    everything = settings(SMOKE_SIZES if effort.smoke else SIZES, usable_cores())
    found: dict[BatchSetting, list[float]] = {}
    for mode in (SELF_PLAY, LEARNER):  # both interfaces in turns, so that they can be compared
        found |= measure([setting for setting in everything if setting.mode == mode], effort)
    sections = []
    for (api, mode), heading in HEADINGS.items():
        wanted = [setting for setting in everything if (setting.api, setting.mode) == (api, mode)]
        figures = speeds({setting.label: found[setting] for setting in wanted})
        sections.append(Section(heading, figures, settings=tuple(wanted)))
    return sections
