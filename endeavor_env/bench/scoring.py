"""Scores of tasks: what a submission wins in each field, relative to parity, floor and oracle, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from endeavor_env.agents.matches.statistics import win_shares
from endeavor_env.bench.run_file import UnitResult
from endeavor_env.bench.statistics import RESAMPLES, percentile_interval, resampled_means
from endeavor_env.bench.version import Task
from endeavor_env.errors import EndeavorError

SEED = 0
"""Draws set-ups for intervals; the same for all tasks, so that the set-ups of one seed are drawn together."""


@dataclass(frozen=True, eq=False)
class FieldGames:
    """The games of one field."""

    scores: npt.NDArray[np.int64]
    """(set-ups, seatings, positions): Glory, the submission's first."""
    lost: Mapping[tuple[int, int], str]
    """Why games are lost whatever the scores are, by set-up and seating."""

    def shares(self, task: Task) -> npt.NDArray[np.float64]:
        """Return (set-ups, seatings): the submission's share of the win in each game."""
        if task.solo:
            shares = (self.scores[..., 0] >= self.scores[..., 1]).astype(float)  # S8.3
        else:
            shares = win_shares(self.scores)[..., 0]
        for at in self.lost:
            shares[at] = 0.0
        return shares


@dataclass(frozen=True, eq=False)
class TaskScore:
    """The score of a submission in a task."""

    task: Task
    fields: Mapping[str, FieldGames]
    """The games of each field that was played."""

    @cached_property
    def odds(self) -> dict[str, npt.NDArray[np.float64]]:
        """(set-ups,) for each field: the submission's share of the wins relative to parity."""
        task = self.task
        return {name: games.shares(task).mean(axis=1) / task.parity for name, games in self.fields.items()}

    @cached_property
    def public(self) -> tuple[str, ...]:
        """Names of the public fields played."""
        return tuple(name for name in self.fields if not self.task.field(name).hidden)

    @cached_property
    def hidden(self) -> tuple[str, ...]:
        """Names of the hidden fields played."""
        return tuple(name for name in self.fields if self.task.field(name).hidden)

    def share(self, field: str) -> float:
        """Return the share of the wins in a field."""
        return float(self.odds[field].mean() * self.task.parity)

    def mean_odds(self, fields: Sequence[str]) -> float:
        """Return the mean over fields of the share of wins relative to parity."""
        return float(np.mean([self.odds[name].mean() for name in fields]))

    @property
    def score(self) -> float:
        """The score: the mean over the public fields."""
        return self.mean_odds(self.public)

    @property
    def worst(self) -> tuple[str, float]:
        """The public field in which the submission does worst, and its odds there."""
        return min(((name, float(self.odds[name].mean())) for name in self.public), key=lambda one: one[1])

    def samples(self, fields: Sequence[str], resamples: int = RESAMPLES) -> npt.NDArray[np.float64]:
        """Return (resamples,) scores over these fields, each of as many set-ups drawn again."""
        by_setup = np.stack([self.odds[name] for name in fields]).mean(axis=0)
        return resampled_means(by_setup, resamples, SEED)

    @cached_property
    def public_samples(self) -> npt.NDArray[np.float64]:
        """(RESAMPLES,) scores over the public fields."""
        return self.samples(self.public)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the score, for set-ups that were not played."""
        return percentile_interval(self.public_samples)

    def normalise(self, score: npt.NDArray[np.float64] | float) -> npt.NDArray[np.float64]:
        """Return scores on the scale on which ``random`` has 0 and the oracle 1."""
        low, high = self.task.floor.score, self.task.oracle.score
        return (np.asarray(score) - low) / (high - low)

    @property
    def normalised(self) -> float:
        """The score on the scale on which ``random`` has 0 and the oracle 1."""
        return float(self.normalise(self.score))

    @property
    def normalised_interval(self) -> tuple[float, float]:
        """The 95 % interval of ``normalised``."""
        return percentile_interval(self.normalise(self.public_samples))


def overall(scores: Sequence[TaskScore]) -> tuple[float, tuple[float, float]]:
    """Return the mean of the normalised scores of tasks, and its 95 % interval."""
    samples = np.mean([one.normalise(one.public_samples) for one in scores], axis=0)
    return float(np.mean([one.normalised for one in scores])), percentile_interval(samples)


def field_names(task: Task, play: str, hidden: bool) -> list[str]:
    """Return the fields that a track plays in a task, with the hidden ones for those who have them."""
    pace = task.pace(play)
    return [field.name for field in task.fields if field.name in pace.fields or (field.hidden and hidden)]


def games_of(task: Task, fields: Sequence[str], setups: int, units: Mapping[str, UnitResult]) -> TaskScore:
    """Return the score of a task from the units played; raise EndeavorError if one is missing."""
    found: dict[str, FieldGames] = {}
    for name in fields:
        keys = [f"{task.name}/{name}/{setup}" for setup in range(setups)]
        missing = sum(key not in units for key in keys)
        if missing:
            raise EndeavorError(
                f"{task.name} is not played to its end: {missing} of {setups} set-ups against {name} are missing; the "
                "same `endeavor bench run` goes on"
            )
        played = [units[key] for key in keys]
        lost = {(setup, seating): why for setup, one in enumerate(played) for seating, why in one.lost.items()}
        found[name] = FieldGames(np.stack([one.scores for one in played]), lost)
    return TaskScore(task, found)
