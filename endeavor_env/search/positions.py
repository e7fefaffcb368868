"""Positions: N positions of one board and one kind of game as an array, for search."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import action_array, positive_number, whole_number
from endeavor_env.batch.batch_rewards import rewards_of
from endeavor_env.batch.memory_limit import check_memory
from endeavor_env.batch.thread_pool import run_shared
from endeavor_env.batch.waiting_threads import default_threads
from endeavor_env.board import Board
from endeavor_env.compile.ensure import ensure_search_compiled
from endeavor_env.core import constants as c
from endeavor_env.core.actions import num_actions
from endeavor_env.core.state import STATE, copy_states
from endeavor_env.errors import GameOverError, IllegalActionError, InvalidOptionError, shown
from endeavor_env.game import Game
from endeavor_env.game.endeavor_rules import ENDEAVOR
from endeavor_env.observation import layout_for
from endeavor_env.rails.game_rules import rows_of
from endeavor_env.rails.kernels import ranges as kernels
from endeavor_env.search import snapshots
from endeavor_env.terms.rewards import RewardFunction

Rows = int | slice | Sequence[int] | npt.NDArray[Any]
"""An index into an axis of an array: a row, a slice, several rows, or a mask of rows."""

LEAST = 256
"""Fewer positions than this for each thread are not worth handing to another one."""


def thread_count(threads: object) -> int:
    """Return ``threads``, or the number of cores for None; raise InvalidOptionError unless it is above 0."""
    return default_threads() if threads is None else positive_number("threads", threads, ", or None for all")


def _byte_rows(states: npt.NDArray[np.void]) -> npt.NDArray[np.uint8]:
    """Return (N,) STATE as (N, bytes), a view: NumPy copies bytes many times faster than records field by field."""
    return states.view(np.uint8).reshape(states.size, STATE.itemsize)


def _joined(parts: Sequence[npt.NDArray[np.void]]) -> npt.NDArray[np.void]:
    """Return the rows of all ``parts`` in one fresh array."""
    return np.concatenate([_byte_rows(part) for part in parts]).view(STATE).reshape(-1)


class Children(NamedTuple):
    """The result of ``Positions.expand``: every legal action of the rows asked for, and the position after it."""

    positions: Positions
    """(C,) the position after each action, ordered by parent and then by action id."""
    actions: npt.NDArray[np.int64]
    """(C,) action ids."""
    rows: npt.NDArray[np.int64]
    """(C,) the row of each child's parent."""


class Positions:
    """N positions of one board, one variant and one number of seats. Every row is independent of the others.

    There is no chance after the set-up and nothing is hidden, so a position is all that a search needs of a game.

    Attributes:
        board: The board of all rows.
        states: (N,) STATE, the positions as kernels take them. Writing to it is at your own risk: nothing is checked.
        threads: Most threads that work on the rows at once. Results do not depend on it.
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
        sound = isinstance(states, np.ndarray) and states.dtype == STATE and states.ndim == 1
        if not sound or not states.flags.c_contiguous or not states.flags.writeable:
            given = f"array of shape {states.shape}" if isinstance(states, np.ndarray) else type(states).__name__
            raise InvalidOptionError(
                f"positions cannot be made of this {given}: give a contiguous, writable array of STATE with one axis"
            )
        if not states.size:
            raise InvalidOptionError("there are no positions here: give at least one")
        if (states["variant"] != states["variant"][0]).any() or (states["num_seats"] != states["num_seats"][0]).any():
            raise InvalidOptionError("these positions are of different kinds: give those of one variant and players")
        ensure_search_compiled()
        self.board = board
        self.states = states
        self.threads = thread_count(threads)
        self._boards, self._rows = rows_of(board.array), (states, rows_of(states))

    @classmethod
    def of(cls, games: Game | Sequence[Game], copies: int = 1, threads: int | None = None) -> Positions:
        """Return the positions of ``games``, each ``copies`` times in succession; the games stay as they are.

        Raises:
            InvalidOptionError: No game at all, games of different boards, variants or numbers of seats, or more copies
                than the memory holds.
        """
        try:
            given = [games] if isinstance(games, Game) else list(games)
        except (TypeError, OverflowError):  # what cannot be listed
            given = []
        if not given or not all(isinstance(game, Game) for game in given):
            raise InvalidOptionError(
                f"positions cannot be made of {shown(games)}: give a Game, or a list of at least one"
            )
        if any(game.board != given[0].board for game in given):
            raise InvalidOptionError("these games are on different boards: positions are those of one board")
        return cls(given[0].board, _joined([game.state for game in given]), threads).repeat(copies)

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
        return cls(parts[0].board, _joined([part.states for part in parts]), parts[0].threads)

    # --- rows --------------------------------------------------------------------------------------------------------
    def __len__(self) -> int:
        """Return the number of positions."""
        return self.states.size

    def __getitem__(self, rows: Rows) -> Positions:
        """Return copies of ``rows``, also of a single one; raise IndexError for an index out of range."""
        return self._select(self._row_numbers(rows))

    def _row_numbers(self, rows: Rows) -> npt.NDArray[np.int64]:
        """Return the indices of ``rows``, (n,) int64; raise IndexError for what is no index."""
        try:
            return np.arange(len(self))[rows].reshape(-1)
        except (TypeError, ValueError, RuntimeError, OverflowError) as error:  # ragged lists, huge numbers, ...
            raise IndexError(f"rows {shown(rows)} are not possible: give an index, a slice or a list") from error

    def _select(self, numbers: npt.NDArray[np.int64]) -> Positions:
        """Return copies of the rows with these indices; raise InvalidOptionError if there are none."""
        if not numbers.size:
            raise InvalidOptionError("no row is left: positions are at least one")
        return self._same_kind(_byte_rows(self.states)[numbers].view(STATE).reshape(-1))

    def _same_kind(self, states: npt.NDArray[np.void]) -> Positions:
        """Return ``states`` as positions of the same kind, without a check that they are."""
        other = object.__new__(Positions)
        other.board, other.states, other.threads = self.board, states, self.threads
        other._boards, other._rows = self._boards, self._rows
        return other

    def copy(self) -> Positions:
        """Return an independent copy, the snapshot of a search."""
        return self._same_kind(copy_states(self.states))

    def repeat(self, copies: int) -> Positions:
        """Return every row ``copies`` times in succession, copied.

        Raises:
            InvalidOptionError: Not a positive whole number, or more copies than the memory holds.
        """
        number = positive_number("copies", copies)
        check_memory("copies", number, len(self) * (STATE.itemsize + np.int64().itemsize))
        return self._select(np.repeat(np.arange(len(self)), number))

    def keys(self) -> list[bytes]:
        """Return a key of 16 bytes for each row, for a table of positions met before.

        On one board, positions have the same key exactly if their records are the same. Left out are two fields of a
        solitaire game that the rules never read again: who acted first in the last round, and how Europe was set up.
        Keys are digests (BLAKE2) of record and board, the same on every machine; the chance that two different
        positions share one is 1 in 2**128.
        """
        clean, size = copy_states(self.states), STATE.itemsize
        if self._solo:
            clean["opposition_first"][clean["phase"] != c.PHASE_ACTION] = 0
            clean["europe_order"][clean["round_number"] > 0] = c.NONE
        data, board = memoryview(clean.tobytes()), self.board.hash.encode()
        records = [data[low : low + size] for low in range(0, data.nbytes, size)]
        return [hashlib.blake2b(record, digest_size=16, person=board).digest() for record in records]

    # --- the decision to be made -------------------------------------------------------------------------------------
    @property
    def variant(self) -> str:
        """Name of the variant of all rows."""
        return c.VARIANT_NAMES[self.states["variant"][0]]

    @property
    def players(self) -> int:
        """Number of seats of all rows, 1 to 5."""
        return int(self.states["num_seats"][0])

    @property
    def _solo(self) -> bool:
        return self.states["variant"][0] == c.VARIANT_SOLO

    def seats(self) -> npt.NDArray[np.int64]:
        """Return the seat to move in each row, (N,), -1 where the game is over."""
        return self.states["seat"].astype(np.int64)

    def over(self) -> npt.NDArray[np.bool_]:
        """Return whether the game of each row has ended, (N,)."""
        return self.states["decision"] == c.DECIDE_NOTHING

    def decisions(self) -> npt.NDArray[np.int64]:
        """Return the kind of move that is asked for, (N,): indices into ``core.constants.DECISION_NAMES``."""
        return self.states["decision"].astype(np.int64)

    def masks(self) -> npt.NDArray[np.int8]:
        """Return fresh masks, (N, actions), 1 = legal for the seat to move; all 0 where the game is over."""
        masks = np.empty((len(self), num_actions(self.variant)), np.int8)
        self._run(lambda low, high: kernels.write_masks(*self._games, masks, low, high))
        return masks

    def legal_counts(self) -> npt.NDArray[np.int64]:
        """Return the number of legal actions of each row, (N,)."""
        return self.masks().sum(axis=1, dtype=np.int64)

    def observe(self, observation: str = "features", seat: int | None = None) -> npt.NDArray[Any]:
        """Return the observation of a seat in each row, (N, size), in the layout ``layout_for(variant, observation)``.

        Args:
            observation: "features" (float32) or "compact" (int8).
            seat: The observer; None for each row's seat to move, seat 0 where the game is over.

        Raises:
            InvalidOptionError: An unknown kind of observation, or a seat that is not at the table.
        """
        layout = layout_for(self.variant, observation)
        seats = np.maximum(self.seats(), 0)
        if seat is not None:
            number = whole_number(seat)
            if number is None or not 0 <= number < self.players:
                raise InvalidOptionError(f"seat {shown(seat)} is not at the table: seats are 0 to {self.players - 1}")
            seats[:] = number
        out = np.empty((len(self), layout.size), layout.dtype)
        write = kernels.write_features if observation == "features" else kernels.write_compact
        self._run(lambda low, high: write(*self._games, seats, out, low, high))
        return out

    @property
    def _games(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The rules, the board and the positions, as kernels take them."""
        states, rows = self._rows
        if states is not self.states:
            rows = rows_of(self.states)
            self._rows = (self.states, rows)
        return ENDEAVOR.addresses, self._boards, rows

    def _run(self, work: Callable[[int, int], None]) -> None:
        """Call ``work(low, high)`` for ranges that cover all rows, on several threads."""
        run_shared(work, len(self), self.threads, LEAST)

    # --- moves -------------------------------------------------------------------------------------------------------
    def step(self, actions: Any) -> None:
        """Make one move in each row, in place.

        Args:
            actions: (N,) action ids; -1 leaves a row as it is, as it must be left once its game is over.

        Raises:
            GameOverError: A move in a game that is over; no row is changed.
            IllegalActionError: Not N whole numbers, or one that is not legal in its row; no row is changed.
        """
        given = action_array(actions, len(self), ", one a row")
        self._check_legality(given, self.masks())
        self._apply(given.astype(np.int64))

    def _check_legality(self, actions: npt.NDArray[Any], masks: npt.NDArray[np.int8]) -> None:
        """Raise the error of the first row whose action is neither legal nor -1."""
        inside = (actions >= 0) & (actions < masks.shape[1])
        legal = masks[np.arange(len(self)), np.where(inside, actions, 0)] == 1
        wrong = np.flatnonzero(~((inside & legal) | (actions == c.NONE)))
        if not wrong.size:
            return
        row = int(wrong[0])
        asked = f"action {actions[row]} is not possible in row {row}"
        if self.states["decision"][row] == c.DECIDE_NOTHING:
            raise GameOverError(f"{asked}: its game is over; give -1 to leave it as it is")
        raise IllegalActionError(f"{asked}; legal there are {np.flatnonzero(masks[row]).tolist()}, -1 leaves it")

    def _apply(self, actions: npt.NDArray[np.int64]) -> None:
        """Carry out legal ``actions``, (N,); NONE leaves a row as it is."""
        self._run(lambda low, high: kernels.apply_actions(*self._games, actions, low, high))

    def expand(self, rows: Rows | None = None) -> Children:
        """Return every position that one legal move leads to from ``rows`` (None: all), with the moves.

        Raises:
            GameOverError: None of the rows has a legal action.
            IndexError: An index out of range.
        """
        numbers = np.arange(len(self)) if rows is None else self._row_numbers(rows)
        parents = self if rows is None else self._select(numbers)
        places, actions = map(np.ascontiguousarray, np.nonzero(parents.masks()))  # columns of one array
        if not places.size:
            raise GameOverError("there is nothing to expand: every game asked for is over")
        children = parents._select(places)
        children._apply(actions)
        return Children(children, actions, numbers[places])

    # --- results -----------------------------------------------------------------------------------------------------
    def scores(self) -> npt.NDArray[np.int64]:
        """Return the Glory of each seat, (N, seats), as if the games ended now.

        In ``solo`` column 1 is the Opposition's.
        """
        out = np.empty((len(self), c.MAX_SEATS), np.int64)
        self._run(lambda low, high: kernels.score_states(*self._games, out, low, high))
        return out[:, : c.OPPOSITION + 1 if self._solo else self.players].copy()

    def returns(self, reward: str | RewardFunction = "win") -> npt.NDArray[np.float64]:
        """Return the reward of each seat, (N, seats), as if the games ended now.

        Args:
            reward: As for the environments: a name in ``rewards.REWARDS``, in ``solo`` in ``rewards.SOLO_REWARDS``, or
                a function from final scores to one reward a seat.

        Raises:
            InvalidOptionError: Neither such a name nor such a function.
        """
        return rewards_of(self.scores(), reward, self.players, self.variant)

    def __repr__(self) -> str:
        count = f"{len(self)} position" + ("s" if len(self) != 1 else "")
        return f"<Positions: {count} of {self.variant}, {self.players} seats, on {self.board.id}>"
