"""The adapter of Merchants of Europe for ``endeavor_env.training.td``."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import MAX_CYCLES
from endeavor_env.endeavor.ensure import ensure_parts
from endeavor_env.endeavor.learning.self_play import MOMENT
from endeavor_env.engine.game_rules import WORD, rows_of
from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.engine.kernels.parts import RECORDED
from endeavor_env.engine.kernels.players import SEAT_RANDOM, Players
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.kernels.rules import MAX_SEATS
from endeavor_env.engine.kernels.self_play import (
    EXPLORE_ALL,
    FIXTURE,
    NOTE,
    RECORDS_NOTHING,
    RECORDS_POSITIONS,
    RECORDS_VALUES,
    play_recorded,
)
from endeavor_env.engine.network_file import network_outputs, text_digest
from endeavor_env.engine.players import entry_address
from endeavor_env.engine.seating import join_players
from endeavor_env.errors import InvalidOptionError
from endeavor_env.kernels.calls import address_of
from endeavor_env.merchants.board import Board, dump_board
from endeavor_env.merchants.game import board_of
from endeavor_env.merchants.game_rules import rules_for
from endeavor_env.merchants.players import PLAYERS
from endeavor_env.merchants.players.player_list import PUBLISHED, VALUE_NETWORKS
from endeavor_env.merchants.players.value.inputs import FACTORS, INPUTS, inputs_entry
from endeavor_env.merchants.players.value.player import MARGIN_WEIGHT, MOST_MARGIN, network_in, value_memory
from endeavor_env.merchants.rules.actions import NUM_ACTIONS
from endeavor_env.merchants.rules.board_record import board_record
from endeavor_env.merchants.rules.parts import MERCHANTS
from endeavor_env.merchants.rules.parts import PLAYERS as PLAYERS_PART
from endeavor_env.merchants.rules.state import SETUP, STATE
from endeavor_env.training.td import games
from endeavor_env.training.td.games import LEARNER_CODE, PlayedGames, PlayerMix, Population, SeatedPlayer
from endeavor_env.training.td.settings import GREEDY, LEARNER, SEARCHING, SNAPSHOT, TDSettings

# --- Who plays the games of a run of Merchants of Europe -------------------------------------------------------------

WARM_UP_EPSILON = 0.04
"""Share of random moves in the warm-up: without them the network would only see moves that ``greedy`` finds good."""


class MerchantsPopulation(Population):
    """The players of a run."""

    def __init__(self, settings: TDSettings) -> None:
        """Look up the players that the settings name; raise InvalidOptionError for a name that no player has."""
        super().__init__(settings)
        names = {name for name, _ in settings.opponents} - {LEARNER, SNAPSHOT}
        if SEARCHING in names:
            raise InvalidOptionError(f"opponents={SEARCHING!r} is not possible in Merchants of Europe")
        for name in (settings.rival, *sorted(names)):
            for variant in settings.variants:
                PLAYERS.player(name).check_plays(variant)

    def heuristics(self) -> PlayerMix:
        """Return the player of the warm-up, all of whose positions are recorded: ``greedy`` with random moves.

        Each seat plays alike, so that what it has says nothing about how well it plays.
        """
        greedy = SeatedPlayer(GREEDY, None, RECORDS_POSITIONS, epsilon=WARM_UP_EPSILON)
        return PlayerMix({LEARNER_CODE: greedy}, {LEARNER_CODE: 1.0})

    def against_rival(self, network: NetworkArrays) -> PlayerMix:
        """Return the network at its best, of code LEARNER_CODE, and the rival after it."""
        rival = SeatedPlayer(self._settings.rival)
        return PlayerMix({LEARNER_CODE: SeatedPlayer("value", value_memory(network)), LEARNER_CODE + 1: rival}, {})

    def players(self, network: NetworkArrays, temperature: float) -> PlayerMix:
        """Return the players of an iteration; the positions of all seats are recorded, valued by ``network``."""
        memory, epsilon = value_memory(network, temperature), self._settings.epsilon
        seated = {LEARNER_CODE: SeatedPlayer("value", memory, RECORDS_VALUES, epsilon=epsilon)}
        return self.shared(seated, lambda name: self._named(name, temperature))

    def _named(self, name: str, temperature: float) -> Sequence[SeatedPlayer]:
        """Return the players that a name among the opponents stands for, besides the network that learns."""
        if name == LEARNER:
            return ()
        if name == SNAPSHOT:
            return [SeatedPlayer("value", value_memory(past, temperature), RECORDS_POSITIONS) for past in self.past]
        return [SeatedPlayer(name, None, RECORDS_POSITIONS, epsilon=self._settings.epsilon)]


# --- Playing the games of a run of Merchants of Europe, and what is recorded in them ---------------------------------

POSITIONS_OF_SEAT = 300
"""More turns than most games have; what is beyond in a chunk of games is not learned from."""


fixtures_of = functools.partial(games.fixtures_of, dtype=FIXTURE)
"""Returns (n,) FIXTURE of the engine; see ``endeavor_env.training.td.games.fixtures_of``."""


def _seat(seated: Mapping[int, SeatedPlayer]) -> tuple[Players, npt.NDArray[np.int8], npt.NDArray[np.int64]]:
    """Return the players by code, what is recorded of each, and how many of their moves are random."""
    records, explores = np.zeros(max(seated) + 1, np.int8), np.zeros(max(seated) + 1, np.int64)
    addresses, memories = {}, {}
    for code, one in seated.items():
        records[code], explores[code] = one.records, round(one.epsilon * EXPLORE_ALL)
        if code == SEAT_RANDOM:
            continue
        addresses[code] = entry_address(PLAYERS.entry_named(one.player))
        memories[code] = PLAYERS.player(one.player).memory(NUM_ACTIONS) if one.memory is None else one.memory
    return join_players(addresses, memories), records, explores


def play(board: Board, fixtures: npt.NDArray[np.void], seated: Mapping[int, SeatedPlayer]) -> PlayedGames:
    """Play games to their ends, one after the other in this thread; the positions have no targets yet.

    Positions have the value that the network of the player whose values are recorded finds, whoever sees them.
    """
    ensure_parts(MERCHANTS, PLAYERS_PART, RECORDED)
    players, records, explores = _seat(seated)
    recorded = np.isin(fixtures["policies"], np.flatnonzero(records != RECORDS_NOTHING))
    recorded &= np.arange(MAX_SEATS) < fixtures["players"][:, None]
    room, count = int(recorded.sum()) * POSITIONS_OF_SEAT, fixtures.size
    seen, notes = np.empty((room, INPUTS), np.int8), np.empty(room, NOTE)
    scores, outcomes = np.empty((count, MAX_SEATS)), np.empty((count, MAX_SEATS))
    made = np.empty(count, np.int64)
    scratch = (
        np.empty((1, SETUP.itemsize // WORD.itemsize), WORD),
        np.empty(STATE.itemsize // WORD.itemsize, WORD),
        np.empty(NUM_ACTIONS, np.int8),
        seeded(0),
        seeded(0),
    )
    rules, boards = rules_for(board).addresses, rows_of(board_record(board))
    given = rules, address_of(inputs_entry), boards, fixtures, players, records, explores, *scratch, MAX_CYCLES
    written = seen, notes, scores, outcomes, made
    number = int(play_recorded(*given, *written, MARGIN_WEIGHT, MOST_MARGIN))
    moments, network = _moments(notes[:number]), _network_of(seated)
    if network is not None:
        moments["value"] = network_outputs(network, seen[:number] * FACTORS)[:, 0]
    rows = np.ascontiguousarray(seen[:number]).view((np.void, INPUTS)).reshape(-1)
    return PlayedGames(rows, moments, scores.astype(np.int64), outcomes, int(made.sum()))


def _network_of(seated: Mapping[int, SeatedPlayer]) -> NetworkArrays | None:
    """Return the network of the player whose values are recorded; None if there is none."""
    memories = (one.memory for one in seated.values() if one.records == RECORDS_VALUES)
    return next((network_in(memory) for memory in memories if memory is not None), None)


def _moments(notes: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
    """Return (m,) MOMENT, without targets."""
    moments = np.zeros(notes.size, MOMENT)
    moments["value"] = np.nan
    for name in notes.dtype.names or ():
        moments[name] = notes[name]
    return moments


# --- Merchants of Europe as a run learns it: see ``endeavor_env.training.td.adapter`` --------------------------------


class MerchantsAdapter:
    """Merchants of Europe as a run learns it. The record of a position is what a network sees of it."""

    board_type, row_bytes, parts = Board, INPUTS, (MERCHANTS, PLAYERS_PART, RECORDED)
    population = staticmethod(MerchantsPopulation)
    fixtures = staticmethod(fixtures_of)
    networks = VALUE_NETWORKS

    def __init__(self, board: Board) -> None:
        """Take the board of all games."""
        self._board = board

    @staticmethod
    def read_board(name: str, variants: Sequence[str]) -> Board:
        """Return the board of a name or path, as the tables of a run have it, the short one for ""."""
        return board_of(None, name or None)

    @property
    def board_hash(self) -> str:
        """The hash of the board."""
        return text_digest(dump_board(self._board))

    def num_inputs(self, _variant: str) -> int:
        """Return the number of inputs of a network, the same on both sides."""
        return INPUTS

    def play(self, fixtures: npt.NDArray[np.void], seated: Mapping[int, SeatedPlayer]) -> PlayedGames:
        """Play games to their ends."""
        return play(self._board, fixtures, seated)

    def observe(self, rows: npt.NDArray[np.uint8], _seats: npt.NDArray[np.int64], out: npt.NDArray[np.float32]) -> None:
        """Write what networks see."""
        np.multiply(rows.view(np.int8), FACTORS, out=out)

    def beginning(self, settings: TDSettings) -> NetworkArrays:
        """Return the network that a run begins with.

        Raises:
            InvalidOptionError: It does not play the side of the board.
            CheckpointError: It is missing, unreadable, cut off or edited, or was made for other layouts.
        """
        name = settings.begin_with
        network = VALUE_NETWORKS.read(PUBLISHED if name == "value" else name)
        missing = [variant for variant in settings.variants if variant not in network.variants]
        if missing:
            raise InvalidOptionError(
                f"network {name} cannot be the beginning of a run of {', '.join(settings.variants)}: "
                f"it plays {', '.join(network.variants)}"
            )
        return network.arrays
