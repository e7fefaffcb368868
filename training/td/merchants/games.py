"""Playing the games of a run of Merchants of Europe, and what is recorded in them."""

from __future__ import annotations

import functools
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import MAX_CYCLES
from endeavor_env.compile.ensure import ensure_parts
from endeavor_env.endeavor.learning.self_play import MOMENT
from endeavor_env.endeavor.players.seating import join_players
from endeavor_env.engine.game_rules import WORD, rows_of
from endeavor_env.engine.kernels.constants import MAX_SEATS
from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.engine.kernels.parts import RECORDED
from endeavor_env.engine.kernels.players import SEAT_RANDOM, Players
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.kernels.self_play import (
    EXPLORE_ALL,
    FIXTURE,
    NOTE,
    RECORDS_NOTHING,
    RECORDS_VALUES,
    play_recorded,
)
from endeavor_env.engine.network_file import network_outputs
from endeavor_env.kernels.outside import address_of
from endeavor_env.merchants.board import Board
from endeavor_env.merchants.game_rules import rules_for
from endeavor_env.merchants.players.value.evaluate import MARGIN_WEIGHT, MOST_MARGIN
from endeavor_env.merchants.players.value.inputs import inputs_entry
from endeavor_env.merchants.players.value.layout import FACTORS, INPUTS
from endeavor_env.merchants.players.value.player import network_in
from endeavor_env.merchants.rules.actions import NUM_ACTIONS
from endeavor_env.merchants.rules.board_record import board_record
from endeavor_env.merchants.rules.parts import MERCHANTS, PLAYERS
from endeavor_env.merchants.rules.state import SETUP, STATE
from endeavor_env.training.td import games
from endeavor_env.training.td.games import Played, Seated
from endeavor_env.training.td.merchants.names import player_named

POSITIONS_OF_SEAT = 300
"""More turns than most games have; what is beyond in a chunk of games is not learned from."""


fixtures_of = functools.partial(games.fixtures_of, dtype=FIXTURE)
"""Returns (n,) FIXTURE of the rails; see ``endeavor_env.training.td.games.fixtures_of``."""


def _seat(seated: Mapping[int, Seated]) -> tuple[Players, npt.NDArray[np.int8], npt.NDArray[np.int64]]:
    """Return the players by code, what is recorded of each, and how many of their moves are random."""
    records, explores = np.zeros(max(seated) + 1, np.int8), np.zeros(max(seated) + 1, np.int64)
    addresses, memories = {}, {}
    for code, one in seated.items():
        records[code], explores[code] = one.records, round(one.epsilon * EXPLORE_ALL)
        if code == SEAT_RANDOM:
            continue
        player = player_named(one.player)
        addresses[code] = address_of(player.entry)
        memories[code] = player.memory(NUM_ACTIONS) if one.memory is None else one.memory
    return join_players(addresses, memories), records, explores


def play(board: Board, fixtures: npt.NDArray[np.void], seated: Mapping[int, Seated]) -> Played:
    """Play games to their ends, one after the other in this thread; the positions have no targets yet.

    Positions have the value that the network of the player whose values are recorded finds, whoever sees them.
    """
    ensure_parts(MERCHANTS, PLAYERS, RECORDED)
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
    return Played(rows, moments, scores.astype(np.int64), outcomes, int(made.sum()))


def _network_of(seated: Mapping[int, Seated]) -> NetworkArrays | None:
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
