"""Who plays the games of a run of Merchants of Europe."""

from __future__ import annotations

from collections.abc import Sequence

from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.engine.kernels.self_play import RECORDS_POSITIONS, RECORDS_VALUES
from endeavor_env.errors import InvalidOptionError
from endeavor_env.merchants.players.value.player import value_memory
from endeavor_env.training.td.games import Seated
from endeavor_env.training.td.merchants.names import player_named
from endeavor_env.training.td.population import LEARNER_CODE, Earlier, Table
from endeavor_env.training.td.settings import GREEDY, LEARNER, SEARCHING, SNAPSHOT, Settings

WARM_UP_EPSILON = 0.04
"""Share of random moves in the warm-up: without them the network would only see moves that ``greedy`` finds good."""


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
        """Return the player of the warm-up, all of whose positions are recorded: ``greedy`` with random moves.

        Each seat plays alike, so that what it has says nothing about how well it plays.
        """
        greedy = Seated(GREEDY, None, RECORDS_POSITIONS, epsilon=WARM_UP_EPSILON)
        return Table({LEARNER_CODE: greedy}, {LEARNER_CODE: 1.0})

    def against_rival(self, network: NetworkArrays) -> Table:
        """Return the network at its best, of code LEARNER_CODE, and the rival after it."""
        rival = Seated(self._settings.rival)
        return Table({LEARNER_CODE: Seated("value", value_memory(network)), LEARNER_CODE + 1: rival}, {})

    def players(self, network: NetworkArrays, temperature: float) -> Table:
        """Return the players of an iteration; the positions of all seats are recorded, valued by ``network``."""
        memory, epsilon = value_memory(network, temperature), self._settings.epsilon
        seated = {LEARNER_CODE: Seated("value", memory, RECORDS_VALUES, epsilon=epsilon)}
        return self.shared(seated, lambda name: self._named(name, temperature))

    def _named(self, name: str, temperature: float) -> Sequence[Seated]:
        """Return the players that a name among the opponents stands for, besides the network that learns."""
        if name == LEARNER:
            return ()
        if name == SNAPSHOT:
            return [Seated("value", value_memory(past, temperature), RECORDS_POSITIONS) for past in self.past]
        return [Seated(name, None, RECORDS_POSITIONS, epsilon=self._settings.epsilon)]
