"""Positions: N positions of one board and one kind of game of Endeavor as an array, for search."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.thread_guard import guarded
from endeavor_env.endeavor import snapshots
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.game_rules import ENDEAVOR
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.state import STATE, copy_states
from endeavor_env.engine.search.any_positions import AnyPositions, check_states, joined, listed
from endeavor_env.errors import InvalidOptionError, counted, shown


class Positions(AnyPositions):
    """N positions of one board, one variant and one number of seats. Every row is independent of the others.

    There is no chance after the set-up and nothing is hidden, so a position is all that a search needs of a game.

    Attributes:
        board: The board of all rows.
    """

    def __init__(self, board: Board, states: npt.NDArray[np.void], threads: int | None = None) -> None:
        """Wrap ``states`` without copying them.

        Args:
            board: Their board.
            states: (N,) STATE, contiguous and writable, of one variant and one number of seats.
            threads: At most this many; None for all cores. Copies and children inherit it.

        Raises:
            InvalidOptionError: Another array, or rows of different kinds of game.
        """
        if not isinstance(board, Board):
            raise InvalidOptionError(f"board {shown(board)} is not possible here: give the Board of the positions")
        check_states(states, ENDEAVOR)
        solo = states["variant"][0] == c.VARIANT_SOLO
        scores = c.OPPOSITION + 1 if solo else int(states["num_seats"][0])
        super().__init__(ENDEAVOR, board.array, states, scores, threads)
        self.board = board

    @classmethod
    def of(cls, games: Game | Sequence[Game], copies: int = 1, threads: int | None = None) -> Positions:
        """Return the positions of ``games``, each ``copies`` times in succession; the games stay as they are.

        Raises:
            InvalidOptionError: No game at all, games of different boards, variants or numbers of seats, or more copies
                than the memory holds.
        """
        given = listed(games, Game)
        if any(game.board != given[0].board for game in given):
            raise InvalidOptionError("these games are on different boards: positions are those of one board")
        return cls(given[0].board, joined([game.state for game in given]), threads).repeat(copies)

    @classmethod
    def from_bytes(
        cls, data: bytes | bytearray | memoryview, board: Any = None, threads: int | None = None
    ) -> Positions:
        """Return the positions that ``to_bytes`` wrote.

        Args:
            data: All of the bytes. They are checked for damage, not for malice: read only bytes that you trust.
            board: Their board, in any form that ``Board.resolve`` takes; None for the board of 2009.
            threads: As for the constructor.

        Raises:
            RecordError: Not such bytes, cut short or damaged, of another version, or of another board.
        """
        on = Board.resolve(board)
        return cls(on, snapshots.unpack(data, on), threads)

    @guarded
    def to_bytes(self) -> bytes:
        """Return a header and the records; equal positions in equal order give equal bytes."""
        first = self.states[0]
        return snapshots.pack(self.board, int(first["variant"]), int(first["num_seats"]), self.states)

    @classmethod
    def join(cls, parts: Sequence[Positions]) -> Positions:
        """Return copies of the rows of all ``parts``; raise InvalidOptionError unless they are of one kind."""
        if not isinstance(parts, Sequence) or not all(isinstance(part, Positions) for part in parts):
            raise InvalidOptionError(f"{shown(parts)} cannot be joined: give a list of Positions")
        if not parts or any(part.board != parts[0].board for part in parts):
            raise InvalidOptionError("positions of different boards, or none at all, cannot be joined")
        return cls(parts[0].board, joined([part.states for part in parts]), parts[0].threads)

    @guarded
    def keys(self) -> list[bytes]:
        """Return a key of 16 bytes for each row, for a table of positions met before.

        On one board, positions have the same key exactly if their records are the same. Left out are two fields of a
        solitaire game that the rules never read again: who acted first in the last round, and how Europe was set up.
        Keys are digests (BLAKE2) of record and board, the same on every machine; the chance that two different
        positions share one is 1 in 2**128.
        """
        clean, size = copy_states(self.states), STATE.itemsize
        if self.states["variant"][0] == c.VARIANT_SOLO:
            clean["opposition_first"][clean["phase"] != c.PHASE_ACTION] = 0
            clean["europe_order"][clean["round_number"] > 0] = c.NONE
        data, board = memoryview(clean.tobytes()), self.board.hash.encode()
        records = [data[low : low + size] for low in range(0, data.nbytes, size)]
        return [hashlib.blake2b(record, digest_size=16, person=board).digest() for record in records]

    @guarded
    def decisions(self) -> npt.NDArray[np.int64]:
        """Return the kind of move that is asked for, (N,): indices into ``endeavor.rules.constants.DECISION_NAMES``."""
        return self.states["decision"].astype(np.int64)

    def __repr__(self) -> str:
        count = counted(len(self), "position")
        return f"<Positions: {count} of {self.variant}, {self.players} seats, on {self.board.id}>"
