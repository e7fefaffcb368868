"""The search for weights of the greedy player: CMA-ES over all weights of a game, with a state that can be stored.

The covariance matrix adaptation evolution strategy (the library ``cmaes``) draws candidates around a mean, and moves
and shapes its distribution by the order of their results. The state is the settings and the results so far: the
strategy is brought back by telling it the same results again.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Self

import numpy as np
from pydantic import Field, model_validator

from endeavor_env.basics.files import read_json_object, write_json
from endeavor_env.errors import InvalidOptionError
from endeavor_env.training.runs.settings import JsonSettings, Seed, one_of
from endeavor_env.training.tune_greedy.trials import GAMES, TABLE, Array, trial, weight_places, weights_of_player

STEP_SHARE, STEP_LEAST = 0.25, 0.1
"""The unit of ``sigma`` for a weight: this share of its value, and this much more for weights near 0."""
FIELD_MEANS = 8
"""The others at a table have the first weights, or a mean of the distribution after one of so many last generations."""
DIGITS = 3
"""Significant digits of the weights found."""
MOST_WEIGHT = 1e6


class TuningSettings(JsonSettings):
    """The settings that determine the candidates and their games."""

    game: Annotated[str, one_of(GAMES)] = TABLE
    """TABLE for the weights of games at a table, SOLO for those of the solitaire game, EXPLOITS for the Exploits',
    MERCHANTS for those of Merchants of Europe."""
    seed: Seed = 0
    """Draws the candidates, and the set-ups of each generation."""
    population: Annotated[int, Field(ge=4, le=1_000)] = 16
    """Candidates of a generation."""
    games: Annotated[int, Field(ge=3, le=1_000_000)] = 300
    """Games of a candidate in a generation; a third of them for each table size or difficulty."""
    sigma: Annotated[float, Field(gt=0, le=10)] = 1.0
    """The first standard deviation of the candidates, in the units of the weights; less stays nearer the start."""
    start: tuple[Annotated[float, Field(ge=-MOST_WEIGHT, le=MOST_WEIGHT)], ...] = Field(
        default_factory=lambda known: _start_of_player(known.get("game", TABLE))
    )
    """The weights of the game to start from, in the order of ``weight_names``; left out, those of the player."""

    @model_validator(mode="after")
    def _check_start(self) -> Self:
        """Check that every weight has a value."""
        if len(self.start) != len(names := weight_names(self.game)):
            raise InvalidOptionError(f"the setting start is not possible: give {len(names)} weights")
        return self


def _start_of_player(game: str) -> tuple[float, ...]:
    """Return the weights of ``game`` that the player has."""
    own = weights_of_player(game)
    return tuple(own[name] for name in weight_names(game))


def weight_names(game: str) -> list[str]:
    """Return the names of the weights of ``game``, one of GAMES, in the order of the array of all weights."""
    names = list(weights_of_player(game))
    return [names[place] for place in weight_places(game)]


class WeightSearch:
    """A search in progress.

    Attributes:
        settings: What it follows from.
        values: The results of the candidates of each generation so far, a list of ``population`` numbers each.
    """

    def __init__(self, settings: TuningSettings) -> None:
        """Begin a search."""
        from cmaes import CMA  # settings are read where it is not installed

        self.settings = settings
        self.values: list[list[float]] = []
        self._places = weight_places(settings.game)
        self._start = np.array(settings.start)
        self._units = STEP_SHARE * np.abs(self._start) + STEP_LEAST
        zeros = np.zeros(len(self._start))
        self._strategy = CMA(zeros, settings.sigma, seed=settings.seed, population_size=settings.population)
        self._means = [self._all_weights(zeros)]
        self._asked: list[Array] = []

    @property
    def start(self) -> Array:
        """All weights at the start, (NUM_WEIGHTS,)."""
        return self._means[0]

    def found(self) -> dict[str, float]:
        """Return the mean of the distribution by name, rounded to DIGITS."""
        mean = self._means[-1][self._places]
        named = zip(weight_names(self.settings.game), mean, strict=True)
        return {name: float(f"{value:.{DIGITS}g}") for name, value in named}

    def run_generation(self) -> list[float]:
        """Draw candidates, play their games, and move the distribution; return the candidates' results.

        An interrupt in between leaves the search as it was before.
        """
        if not self._asked:  # else an interrupt came before their games were over
            self._asked = [self._strategy.ask() for _ in range(self.settings.population)]
        candidates = np.stack([self._all_weights(asked) for asked in self._asked])
        field = np.stack([self._means[0], *self._means[1:][-FIELD_MEANS:]])
        rng = np.random.default_rng([self.settings.seed, len(self.values)])
        results = trial(self.settings.game, candidates, field, self.settings.games, rng).tolist()
        self._tell(results)
        return results

    def _tell(self, results: list[float]) -> None:
        """Move the distribution by the results of the candidates that were asked for."""
        self._strategy.tell([(asked, -value) for asked, value in zip(self._asked, results, strict=True)])
        self._asked = []
        self.values.append(results)
        self._means.append(self._all_weights(self._strategy.mean))

    def _all_weights(self, units: Array) -> Array:
        """Return all weights, (NUM_WEIGHTS,), so many units of each weight from the start."""
        weights = np.array(list(weights_of_player(self.settings.game).values()))
        weights[self._places] = self._start + units * self._units
        return weights

    def to_dict(self) -> dict[str, Any]:
        """Return the state as plain JSON values."""
        return {"settings": self.settings.to_dict(), "values": self.values, "found": self.found()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> WeightSearch:
        """Return the search that ``to_dict`` describes; raise InvalidOptionError for anything else."""
        given, values = data.get("settings"), data.get("values")
        if not isinstance(given, dict):
            raise InvalidOptionError("it has no settings of a search")
        search = cls(TuningSettings.from_dict(given))
        if not isinstance(values, list) or not all(search._is_generation(results) for results in values):
            raise InvalidOptionError(
                f"it has no results of a search: they are a list of {search.settings.population} numbers a generation"
            )
        for results in values:
            search._asked = [search._strategy.ask() for _ in results]
            search._tell(results)
        return search

    def _is_generation(self, results: Any) -> bool:
        """Return whether a JSON value can be the results of a generation."""
        return (
            isinstance(results, list)
            and len(results) == self.settings.population
            and all(isinstance(value, float) and np.isfinite(value) for value in results)
        )


def read_search(path: Path) -> WeightSearch:
    """Return the search that a file holds; raise InvalidOptionError if it holds none."""
    data = read_json_object(path, "the search", InvalidOptionError)
    try:
        return WeightSearch.from_dict(data)
    except InvalidOptionError as error:
        raise InvalidOptionError(f"{path} cannot be resumed: {error}") from error


def write_search(search: WeightSearch, path: Path, **more: Any) -> None:
    """Write a search to a file in one step, and ``more`` values beside it."""
    write_json(path, {**search.to_dict(), **more})
