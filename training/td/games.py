"""Playing the games of a run: which games, who sits where, and the positions that come of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import MAX_CYCLES
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.ensure import ensure_exploits_compiled, ensure_learning_compiled
from endeavor_env.endeavor.learning.self_play import (
    FIXTURE,
    GAME_END,
    MOMENT,
    RECORDS_NOTHING,
    RECORDS_SEARCHED,
    UNKNOWN,
    play_fixtures,
    write_targets,
)
from endeavor_env.endeavor.players import entry_named, player_of
from endeavor_env.endeavor.players.search.tree import search_of
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.endeavor.rules.state import SETUP, STATE, copy_states
from endeavor_env.engine.game import GameConfig
from endeavor_env.engine.kernels.players import SEAT_RANDOM, Players
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.players import entry_address
from endeavor_env.engine.seating import join_players
from endeavor_env.training.td.siblings import Labelling, Siblings, label

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
    labelling: Labelling | None = None
    """Labelling of siblings in positions of its games; at most one player of a table has one."""
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
    siblings: Siblings | None = None
    """Those of a share of the positions, if a player says how they are labelled."""
    ends: npt.NDArray[np.void] | None = None
    """(n,) GAME_END; another game has none."""
    replies: npt.NDArray[np.int16] | None = None
    """(m,) the first action of the next seat after each position, or UNKNOWN; another game has none."""


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
    made, ends, replies = np.empty(count, np.int64), np.zeros(count, GAME_END), np.full(room, UNKNOWN, np.int16)
    ends["rounds"] = ends["holders"] = UNKNOWN
    scratch = np.zeros(1, SETUP), np.zeros(1, STATE), np.empty(actions, np.int8), seeded(0)
    given = board.array, fixtures, players, records, *scratch, MAX_CYCLES
    written = states, moments, replies, scores, outcomes, ends, made
    recorded = int(play_fixtures(*given, *written, 0, count))
    found = copy_states(states[:recorded])
    labelling = next((one.labelling for one in seated.values() if one.labelling is not None), None)
    seed = int(fixtures["seed"][0])
    siblings = None if labelling is None else label(board, found, labelling, actions, seed)
    kept = moments[:recorded].copy(), scores, outcomes, int(made.sum()), siblings, ends, replies[:recorded].copy()
    return PlayedGames(found, *kept)


def _most_searched(seated: Mapping[int, SeatedPlayer]) -> int:
    """Return the most turns that any of the players looks at, and records, at one decision."""
    memories = [one.memory for one in seated.values() if one.records == RECORDS_SEARCHED]
    return max((int(search_of(memory)["width"][0]) for memory in memories if memory is not None), default=0)


def with_targets(played: PlayedGames, trace: float) -> PlayedGames:
    """Write the targets of the recorded positions; return what was given."""
    write_targets(played.moments, played.outcomes, trace)
    return played
