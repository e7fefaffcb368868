"""How fast batches of games are: by size, observation, threads, and who decides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from benchmarks.machine import usable_cores
from benchmarks.timing import SMOKE, Effort, Figure, Section, in_turns
from endeavor_env.batch.game_batch import Batch
from endeavor_env.core.rng import seeded

SEATS = 4
SIZES = (1, 64, 1024, 8192)
SMOKE_SIZES = (1, 64)
SHARED = 1024
"""Games from which a batch is measured with all cores as well; fewer are not worth handing to another thread."""
SIZE_OF_THREADS = 8192
"""Games of the figures by number of threads."""
EFFORT = Effort(5, 0.2)
"""Shorter than elsewhere, for there are many figures."""
NO_OBSERVATION = "none"
OBSERVATIONS = (NO_OBSERVATION, "compact", "features")
SELF_PLAY, LEARNER = "self-play", "learner"
LENGTHS = {SELF_PLAY: 150, LEARNER: 40}
"""About how many turns of the loop a game takes, by who decides."""


@dataclass(frozen=True)
class Setting:
    """What a figure was measured with."""

    api: str
    """``Batch`` or ``make_vec``."""
    mode: str
    """``self-play``: every decision is the caller's; ``learner``: three random opponents play in the compiled loop."""
    observation: str
    """``none``, ``compact`` or ``features``."""
    games: int
    threads: int

    @property
    def label(self) -> str:
        """The setting without interface and mode, which stand in the table's heading."""
        threads = "1 thread" if self.threads == 1 else f"{self.threads} threads"
        return f"{self.observation}, {self.games:,} {'game' if self.games == 1 else 'games'}, {threads}"


class Play:
    """Random legal moves in all games of a batch."""

    def __init__(self, batch: Batch) -> None:
        """Makes the generators of the choice."""
        self.batch = batch
        self.rngs = np.stack([seeded(row) for row in range(batch.size)])
        self.actions = np.empty(batch.size, np.int64)

    def sample(self) -> npt.NDArray[np.int64]:
        """Returns a legal action for each game, NONE for those that are over; the array is used again."""
        return self.batch.sample(self.rngs, self.actions)

    def turn(self, out: npt.NDArray[Any] | None = None) -> None:
        """Makes a move in every game and starts those anew that are over then; ``out`` gets the observations."""
        self.batch.check(self.sample(), False, True)
        self.batch.turn(True, out)

    def spread(self, length: int) -> None:
        """Plays ``length`` turns and starts some games anew after each, so that later ends do not coincide."""
        rows = np.arange(self.batch.size)
        for turn in range(length):
            self.turn()
            self.batch.restart(rows[rows % length == turn])


class Turns:
    """Random legal play of a ``Batch``, without the environment around it."""

    def __init__(self, setting: Setting, spread: bool = True) -> None:
        """Starts the games; ``spread`` brings them into different phases, as in a long run."""
        self.env = make(setting)
        self.batch: Batch = self.env.unwrapped.batch
        self.play = Play(self.batch)
        if spread:
            self.play.spread(LENGTHS[setting.mode])
        self.out: npt.NDArray[Any] | None = None
        if setting.observation != NO_OBSERVATION:
            self.out = np.zeros((setting.games, self.batch.layout.size), self.batch.layout.dtype)

    def turn(self) -> int:
        """Makes one move in every game; returns the decisions of all seats."""
        before = self.batch.decisions
        self.play.turn(self.out)
        return self.batch.decisions - before

    def close(self) -> None:
        """Ends the threads."""
        self.env.close()


class EnvTurns(Turns):
    """Random legal play through ``gymnasium.make_vec``, which resets finished games by itself."""

    def turn(self) -> int:
        """Makes one step of every game; returns the decisions of all seats."""
        before = self.batch.decisions
        self.env.step(self.play.sample())
        return self.batch.decisions - before


def make(setting: Setting, **options: Any) -> Any:
    """Returns the environment of a setting, its games begun."""
    env: Any = gymnasium.make_vec(
        "Endeavor-v0",
        num_envs=setting.games,
        players=SEATS,
        observation="compact" if setting.observation == NO_OBSERVATION else setting.observation,
        learner_seat="all" if setting.mode == SELF_PLAY else 0,
        threads=setting.threads,
        **options,
    )
    env.reset(seed=0)
    return env


APIS: dict[str, type[Turns]] = {"Batch": Turns, "make_vec": EnvTurns}
HEADINGS = {
    ("Batch", SELF_PLAY): "`Batch`, self-play: sample, step, mask, autoreset, observation",
    ("Batch", LEARNER): "`Batch`, a learner and three random opponents: all seats' decisions",
    ("make_vec", SELF_PLAY): "`gymnasium.make_vec`, self-play",
    ("make_vec", LEARNER): "`gymnasium.make_vec`, a learner and three random opponents: all seats' decisions",
}


def thread_counts(cores: int) -> list[int]:
    """Returns 1, 2, 4, ... and the number of cores."""
    return sorted({min(2**power, cores) for power in range(cores.bit_length() + 1)})


def settings(sizes: Iterable[int], cores: int) -> list[Setting]:
    """Returns everything that is measured: each size with one thread and, where it helps, with all cores."""
    found: list[Setting] = []
    for api, mode in HEADINGS:
        for observation in OBSERVATIONS:
            if api == "make_vec" and observation == NO_OBSERVATION:
                continue  # an environment always shows one
            for size in sizes:
                counts = [1, cores] if size >= SHARED else [1]
                if (api, mode, size) == ("Batch", SELF_PLAY, SIZE_OF_THREADS):
                    counts = thread_counts(cores)
                found += [Setting(api, mode, observation, size, threads) for threads in dict.fromkeys(counts)]
    return found


def measure(wanted: Sequence[Setting], effort: Effort) -> dict[Setting, list[float]]:
    """Returns the decisions a second of each setting for every repeat; the settings take turns."""
    works = {setting: APIS[setting.api](setting) for setting in wanted}
    try:
        return in_turns({setting: work.turn for setting, work in works.items()}, effort)
    finally:
        for work in works.values():
            work.close()


def vector(smoke: bool) -> tuple[list[Section], list[dict[str, Any]]]:
    """Measures everything; returns the tables, and each setting with its figures as plain JSON values."""
    everything = settings(SMOKE_SIZES if smoke else SIZES, usable_cores())
    sections, throughput = [], []
    for (api, mode), heading in HEADINGS.items():
        wanted = [setting for setting in everything if (setting.api, setting.mode) == (api, mode)]
        found = measure(wanted, SMOKE if smoke else EFFORT)
        figures = [Figure.of(setting.label, "decisions/s", speeds) for setting, speeds in found.items()]
        sections.append(Section(heading, figures))
        throughput += [{**asdict(setting), "rates": speeds} for setting, speeds in found.items()]
    return sections, throughput
