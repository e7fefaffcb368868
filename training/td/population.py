"""The players of a run's games: the network that learns, its earlier selves, heuristics, and other networks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.learning.self_play import RECORDS_POSITIONS, RECORDS_SEARCHED, RECORDS_VALUES
from endeavor_env.endeavor.players import check_plays, player_of
from endeavor_env.endeavor.players.greedy.player import greedy_memory
from endeavor_env.endeavor.players.greedy.weights import WEIGHTS, Weights
from endeavor_env.endeavor.players.search.player import SearchSettings, search_memory
from endeavor_env.endeavor.players.value.player import BEST_TURN, Exploration, NetworkArrays, value_memory
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.training.td.games import SeatedPlayer
from endeavor_env.training.td.settings import GREEDY, LEARNER, SEARCHING, SNAPSHOT, TDSettings
from endeavor_env.training.td.siblings import SEARCHES, Labelling

LEARNER_CODE = 2
VARIED = 32
"""Sets of weights of ``greedy`` in the warm-up; the first is its own."""
SEARCH_TEMPERATURE = 0.5
"""Turns of searches in training are drawn with probabilities in proportion to the square of their visits."""
WIDEST = 0.7
"""Standard deviation of the logarithm of the factors in the last set; those of the sets between grow evenly."""


class PlayerMix(NamedTuple):
    """The players of an iteration with the share of seats of each."""

    seated: dict[int, SeatedPlayer]
    """Players by code."""
    shares: dict[int, float]
    """Shares by code; they add up to 1."""


class AnyPopulation(Protocol):
    """The players of a run of any game."""

    @property
    def past(self) -> tuple[NetworkArrays, ...]:
        """The earlier selves, oldest first."""
        ...

    def keep(self, network: NetworkArrays) -> None:
        """Add an earlier self; the oldest makes room."""
        ...

    def heuristics(self) -> PlayerMix:
        """Return the players of the warm-up, all of whose positions are recorded."""
        ...

    def against_rival(self, network: NetworkArrays) -> PlayerMix:
        """Return the network at its best, of code LEARNER_CODE, and the rival after it."""
        ...

    def players(self, network: NetworkArrays, temperature: float) -> PlayerMix:
        """Return the players of an iteration."""
        ...


class Earlier:
    """The earlier selves of a run, and the shares of those who take seats."""

    def __init__(self, settings: TDSettings) -> None:
        """Begin without earlier selves."""
        self._settings = settings
        self._past: list[NetworkArrays] = []

    @property
    def past(self) -> tuple[NetworkArrays, ...]:
        """The earlier selves, oldest first."""
        return tuple(self._past)

    def keep(self, network: NetworkArrays) -> None:
        """Add an earlier self; the oldest makes room."""
        self._past = [*self._past, network][-self._settings.snapshots :]

    def shared(self, seated: dict[int, SeatedPlayer], named: Callable[[str], Sequence[SeatedPlayer]]) -> PlayerMix:
        """Return the table of an iteration.

        Args:
            seated: The network that learns, of code LEARNER_CODE.
            named: Returns the players that a name among the opponents stands for, besides the network that learns:
                none for itself, or for earlier selves of which there are none yet.
        """
        total, shares = sum(weight for _, weight in self._settings.opponents), {LEARNER_CODE: 0.0}
        for name, weight in self._settings.opponents:
            players = named(name)
            if not players:
                shares[LEARNER_CODE] += weight / total
            for player in players:
                code = len(seated) + LEARNER_CODE
                seated[code], shares[code] = player, weight / total / len(players)
        return PlayerMix(seated, shares)


class Population(Earlier):
    """The players of a run."""

    def __init__(self, settings: TDSettings) -> None:
        """Look up the players that the settings name.

        Raises:
            InvalidOptionError: A name that no compiled player has.
            CheckpointError: The file of a player's network cannot be used.
        """
        super().__init__(settings)
        self._variants = [c.VARIANT_NAMES.index(variant) for variant in settings.variants]
        names = {name for name, _ in settings.opponents} - {LEARNER, SEARCHING, SNAPSHOT}
        for name in (settings.rival, *sorted(names)):
            player_of(name)
            for variant in settings.variants:
                check_plays(name, variant)

    def heuristics(self) -> PlayerMix:
        """Return the players of the warm-up, all of whose positions are recorded: ``greedy`` with many weights.

        Players with one set of weights would only show the positions that these weights like, and the network would
        have nothing to compare them with: it then plays far worse.
        """
        rng, base = np.random.default_rng(self._settings.seed), WEIGHTS.as_array()
        actions = max(num_actions(variant) for variant in self._settings.variants)
        seated = {}
        for index in range(VARIED):
            spread = WIDEST * index / VARIED
            weights = Weights.from_array(base * np.exp(rng.normal(0.0, spread, base.size)))
            seated[LEARNER_CODE + index] = SeatedPlayer(GREEDY, greedy_memory(actions, weights), RECORDS_POSITIONS)
        return PlayerMix(seated, dict.fromkeys(seated, 1.0 / VARIED))

    def against_rival(self, network: NetworkArrays) -> PlayerMix:
        """Return the network at its best, of code LEARNER_CODE, and the rival after it."""
        rival = SeatedPlayer(self._settings.rival)
        return PlayerMix({LEARNER_CODE: SeatedPlayer("value", self._memory(network)), LEARNER_CODE + 1: rival}, {})

    def players(self, network: NetworkArrays, temperature: float) -> PlayerMix:
        """Return the players of an iteration; only turns of ``network``, alone or by search, are recorded."""
        explores = Exploration(temperature, self._settings.epsilon)
        memory = self._memory(network, explores, values_all=True)
        seated = {LEARNER_CODE: SeatedPlayer("value", memory, RECORDS_VALUES, self._labelling(network))}
        return self.shared(seated, lambda name: self._named(name, network, temperature))

    def _labelling(self, network: NetworkArrays) -> Labelling | None:
        """Return how siblings are labelled with the network; None if they are not."""
        settings = self._settings
        if settings.siblings == 0.0:
            return None
        memory = self._memory(network, values_all=True)
        if settings.sibling_labels == SEARCHES:
            memory = search_memory(dict.fromkeys(self._variants, network), SearchSettings(settings.simulations))
        listed = settings.siblings, settings.siblings_best, settings.siblings_drawn
        return Labelling(memory, *listed, settings.sibling_labels, settings.sibling_playouts, settings.sibling_rounds)

    def _named(self, name: str, network: NetworkArrays, temperature: float) -> Sequence[SeatedPlayer]:
        """Return the players that a name among the opponents stands for, besides the network that learns."""
        if name == LEARNER:
            return ()
        if name == SEARCHING:
            search = SearchSettings(self._settings.simulations, temperature=SEARCH_TEMPERATURE)
            records = RECORDS_SEARCHED if self._settings.all_searched else RECORDS_VALUES
            return [SeatedPlayer("search", search_memory(dict.fromkeys(self._variants, network), search), records)]
        if name == SNAPSHOT:
            return [SeatedPlayer("value", self._memory(past, Exploration(temperature))) for past in self._past]
        return [SeatedPlayer(name)]

    def _memory(
        self,
        network: NetworkArrays,
        explores: Exploration = BEST_TURN,
        *,
        values_all: bool = False,
    ) -> npt.NDArray[np.uint8]:
        """Return the memory of a value player of the run's variants."""
        return value_memory(dict.fromkeys(self._variants, network), explores, values_all=values_all)
