"""The games of a run: who plays them, who sits where, and the positions that come of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import MAX_CYCLES
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.ensure import ensure_exploits_compiled, ensure_learning_compiled
from endeavor_env.endeavor.learning.self_play import (
    FIXTURE,
    MOMENT,
    RECORDS_NOTHING,
    RECORDS_POSITIONS,
    RECORDS_SEARCHED,
    RECORDS_VALUES,
    play_fixtures,
    write_targets,
)
from endeavor_env.endeavor.players import check_plays, entry_named, player_of
from endeavor_env.endeavor.players.greedy.player import greedy_memory
from endeavor_env.endeavor.players.greedy.weights import WEIGHTS, Weights
from endeavor_env.endeavor.players.search.player import SearchSettings, search_memory
from endeavor_env.endeavor.players.search.tree import search_of
from endeavor_env.endeavor.players.value.player import BEST_TURN, Exploration, NetworkArrays, value_memory
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.endeavor.rules.state import SETUP, STATE, copy_states
from endeavor_env.engine.game import GameConfig
from endeavor_env.engine.kernels.players import SEAT_RANDOM, Players
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.players import entry_address
from endeavor_env.engine.seating import join_players
from endeavor_env.training.td.settings import GREEDY, LEARNER, SEARCHING, SNAPSHOT, TDSettings

# --- Which games, who sits where, and the positions that come of them -------------------------------------------------

POSITIONS_OF_GAME = 512
"""More positions than the turns of a game of any variant."""


class SeatedPlayer(NamedTuple):
    """A compiled player with its memory, in a seat of a run's games."""

    player: str
    """Name in ``endeavor_env.endeavor.players``; with a memory, a name that ``entry_named`` takes."""
    memory: npt.NDArray[np.uint8] | None = None
    """Memory of the player; None for that of a fresh one."""
    records: int = RECORDS_NOTHING
    """RECORDS_* of ``endeavor.learning.self_play``."""
    epsilon: float = 0.0
    """Share of random moves, where the memory does not hold it."""


class PlayedGames(NamedTuple):
    """The results of finished games, and the positions recorded in them."""

    states: npt.NDArray[np.void]
    """(m,) STATE, or what another game records of a position."""
    moments: npt.NDArray[np.void]
    """(m,) MOMENT; ``fixture`` counts from the first game."""
    scores: npt.NDArray[np.int64]
    """(n, MAX_SEATS) Glory."""
    outcomes: npt.NDArray[np.float64]
    """(n, MAX_SEATS)."""
    decisions: int
    """Decisions of all games."""


def fixtures_of(
    tables: Sequence[GameConfig],
    kinds: npt.NDArray[np.int64],
    seeds: npt.NDArray[np.int64],
    codes: npt.NDArray[np.int64],
    dtype: np.dtype[np.void] = FIXTURE,
) -> npt.NDArray[np.void]:
    """Return (n,) FIXTURE.

    Args:
        tables: The kinds of game.
        kinds: (n,) the index of each game's kind.
        seeds: (n,) the seeds of the games, in [0, 2**53).
        codes: (n, MAX_SEATS) who sits in each seat, as an index of the players of ``play``.
        dtype: The type of fixtures of another game, with the same fields.
    """
    fixtures = np.zeros(kinds.size, dtype)
    for index, table in enumerate(tables):
        rows = np.flatnonzero(kinds == index)
        fixtures["players"][rows] = table.players
        fixtures["variant"][rows] = table.code
        fixtures["options"][rows] = table.option_array()
    fixtures["seed"], fixtures["policies"] = seeds, codes
    return fixtures


def ensure_one_seat(
    codes: npt.NDArray[np.int64],
    players: npt.NDArray[np.int64],
    wanted: Sequence[int],
    code: int,
    rng: np.random.Generator,
) -> None:
    """Give a random seat to one player in each game in which nobody of some sits.

    Args:
        codes: (n, MAX_SEATS) who sits in each seat, changed in place; seats beyond those of a game do not count.
        players: (n,) the seats of each game.
        wanted: The codes of which one must sit in a game.
        code: Who gets the seat.
        rng: Draws a seat of every game, needed or not.
    """
    spare = rng.integers(players)
    taken = np.arange(c.MAX_SEATS) < players[:, None]
    missing = ~(np.isin(codes, wanted) & taken).any(axis=1)
    codes[missing, spare[missing]] = code


def seat(seated: Mapping[int, SeatedPlayer], actions: int) -> tuple[Players, npt.NDArray[np.int8]]:
    """Return the players by code, and what is recorded of each; SEAT_RANDOM is ``random``."""
    records = np.zeros(max(seated) + 1, np.int8)
    addresses, memories = {}, {}
    for code, one in seated.items():
        records[code] = one.records
        if code == SEAT_RANDOM:
            continue
        if one.memory is None:
            player = player_of(one.player)
            addresses[code], memories[code] = entry_address(player.entry), player.memory(actions)
        else:
            addresses[code], memories[code] = entry_address(entry_named(one.player)), one.memory
    return join_players(addresses, memories), records


def seat_ready(
    fixtures: npt.NDArray[np.void], seated: Mapping[int, SeatedPlayer]
) -> tuple[int, Players, npt.NDArray[np.int8]]:
    """Make what games need ready; return the number of action ids of them all, and what ``seat`` returns."""
    ensure_learning_compiled()
    variants = np.unique(fixtures["variant"]).tolist()
    if c.VARIANT_EXPLOITS in variants:
        ensure_exploits_compiled()
    actions = max(num_actions(c.VARIANT_NAMES[variant]) for variant in variants)
    return actions, *seat(seated, actions)


def play(board: Board, fixtures: npt.NDArray[np.void], seated: Mapping[int, SeatedPlayer]) -> PlayedGames:
    """Play games to their ends, one after the other in this thread; the positions have no targets yet."""
    actions, players, records = seat_ready(fixtures, seated)
    count = fixtures.size
    room = count * POSITIONS_OF_GAME * (_most_searched(seated) + 1) if records.any() else 0
    states, moments = np.empty(room, STATE), np.empty(room, MOMENT)
    scores, outcomes = np.empty((count, c.MAX_SEATS), np.int64), np.empty((count, c.MAX_SEATS))
    made = np.empty(count, np.int64)
    scratch = np.zeros(1, SETUP), np.zeros(1, STATE), np.empty(actions, np.int8), seeded(0)
    given = board.array, fixtures, players, records, *scratch, MAX_CYCLES
    recorded = int(play_fixtures(*given, states, moments, scores, outcomes, made, 0, count))
    found = copy_states(states[:recorded])
    return PlayedGames(found, moments[:recorded].copy(), scores, outcomes, int(made.sum()))


def _most_searched(seated: Mapping[int, SeatedPlayer]) -> int:
    """Return the most turns that any of the players looks at, and records, at one decision."""
    memories = [one.memory for one in seated.values() if one.records == RECORDS_SEARCHED]
    return max((int(search_of(memory)["width"][0]) for memory in memories if memory is not None), default=0)


def with_targets(played: PlayedGames, trace: float) -> PlayedGames:
    """Write the targets of the recorded positions; return what was given."""
    write_targets(played.moments, played.outcomes, trace)
    return played


# --- The players: the network that learns, its earlier selves, heuristics, and other networks -------------------------

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


class Population(ABC):
    """The players of a run of any game: its earlier selves, and the shares of those who take seats."""

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

    @abstractmethod
    def heuristics(self) -> PlayerMix:
        """Return the players of the warm-up, all of whose positions are recorded."""

    @abstractmethod
    def against_rival(self, network: NetworkArrays) -> PlayerMix:
        """Return the network at its best, of code LEARNER_CODE, and the rival after it."""

    @abstractmethod
    def players(self, network: NetworkArrays, temperature: float) -> PlayerMix:
        """Return the players of an iteration."""

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


class EndeavorPopulation(Population):
    """The players of a run of Endeavor."""

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
        seated = {LEARNER_CODE: SeatedPlayer("value", memory, RECORDS_VALUES)}
        return self.shared(seated, lambda name: self._named(name, network, temperature))

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
