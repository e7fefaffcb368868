"""Who plays the games of a run of Merchants of Europe."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from endeavor_env.errors import InvalidOptionError
from endeavor_env.merchants.core.actions import NUM_ACTIONS
from endeavor_env.merchants.core.greedy.player import greedy_memory
from endeavor_env.merchants.core.greedy.weights import WEIGHTS, Weights
from endeavor_env.merchants.core.value.player import value_memory
from endeavor_env.rails.kernels.network import NetworkArrays
from endeavor_env.rails.kernels.self_play import RECORDS_POSITIONS, RECORDS_VALUES
from endeavor_env.training.td.games import Seated
from endeavor_env.training.td.merchants.names import player_named
from endeavor_env.training.td.population import LEARNER_CODE, WIDEST, Earlier, Table
from endeavor_env.training.td.settings import GREEDY, LEARNER, SEARCHING, SNAPSHOT, Settings

PLANNER = "planner"
VARIED, PLANNERS = 24, 12
"""Sets of weights of ``greedy`` in the warm-up, and the same share of planners."""
WARM_UP_EPSILON = 0.05
"""Share of random moves in the warm-up: without them the network would only see moves that heuristics find good."""


class MerchantsPopulation(Earlier):
    """The players of a run."""

    def __init__(self, settings: Settings) -> None:
        """Look up the players that the settings name; raise InvalidOptionError for a name that no player has."""
        super().__init__(settings)
        names = {name for name, _ in settings.opponents} - {LEARNER, SNAPSHOT}
        if SEARCHING in names:
            raise InvalidOptionError(f"opponents={SEARCHING!r} is not possible in Merchants of Europe")
        for name in (settings.rival, *sorted(names)):
            for variant in settings.variants:
                player_named(name).check_plays(variant)

    def heuristics(self) -> Table:
        """Return the players of the warm-up, all of whose positions are recorded: heuristics with random moves."""
        rng, base = np.random.default_rng(self._settings.seed), WEIGHTS.as_array()
        seated = {}
        for index in range(VARIED):
            weights = Weights(*(base * np.exp(rng.normal(0.0, WIDEST * index / VARIED, base.size))).tolist())
            memory = greedy_memory(weights, NUM_ACTIONS)
            seated[LEARNER_CODE + index] = Seated(GREEDY, memory, RECORDS_POSITIONS, epsilon=WARM_UP_EPSILON)
        for index in range(PLANNERS):
            planner = Seated(PLANNER, None, RECORDS_POSITIONS, epsilon=WARM_UP_EPSILON)
            seated[LEARNER_CODE + VARIED + index] = planner
        return Table(seated, dict.fromkeys(seated, 1.0 / len(seated)))

    def against_rival(self, network: NetworkArrays) -> Table:
        """Return the network at its best, of code LEARNER_CODE, and the rival after it."""
        rival = Seated(self._settings.rival)
        return Table({LEARNER_CODE: Seated("value", value_memory(network)), LEARNER_CODE + 1: rival}, {})

    def players(self, network: NetworkArrays, temperature: float) -> Table:
        """Return the players of an iteration; only moves of ``network`` are recorded."""
        memory, epsilon = value_memory(network, temperature), self._settings.epsilon
        seated = {LEARNER_CODE: Seated("value", memory, RECORDS_VALUES, epsilon=epsilon)}
        return self.shared(seated, lambda name: self._named(name, temperature))

    def _named(self, name: str, temperature: float) -> Sequence[Seated]:
        """Return the players that a name among the opponents stands for, besides the network that learns."""
        if name == LEARNER:
            return ()
        if name == SNAPSHOT:
            return [Seated("value", value_memory(past, temperature)) for past in self.past]
        return [Seated(name, epsilon=self._settings.epsilon)]
