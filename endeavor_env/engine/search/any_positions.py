"""AnyPositions: N positions of one kind of game as an array, whatever game it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, Self, TypeVar

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import OBSERVATIONS, action_array, one_of, positive_number, whole_number
from endeavor_env.basics.thread_guard import ThreadGuard, guarded
from endeavor_env.engine.base_game import BaseGame
from endeavor_env.engine.batch.batch_rewards import rewards_of
from endeavor_env.engine.batch.memory_limit import check_memory
from endeavor_env.engine.batch.threads import default_threads, run_shared
from endeavor_env.engine.game_rules import GameRules, copied, rows_of, taken
from endeavor_env.engine.kernels import ranges as kernels
from endeavor_env.engine.kernels.parts import BATCH
from endeavor_env.engine.kernels.rules import MAX_SEATS, NONE
from endeavor_env.engine.rewards import RewardFunction
from endeavor_env.errors import GameOverError, IllegalActionError, InvalidOptionError, shown
from endeavor_env.kernels.loading.once import ensure_parts

G = TypeVar("G", bound=BaseGame)
P = TypeVar("P", bound="AnyPositions")
Rows = int | slice | Sequence[int] | npt.NDArray[Any]
"""An index into an axis of an array: a row, a slice, several rows, or a mask of rows."""

LEAST = 256
"""Fewer positions than this for each thread are not worth handing to another one."""


def thread_count(threads: object) -> int:
    """Return ``threads``, or the number of cores for None; raise InvalidOptionError unless it is above 0."""
    return default_threads() if threads is None else positive_number("threads", threads, ", or None for all")


def joined(parts: Sequence[npt.NDArray[np.void]]) -> npt.NDArray[np.void]:
    """Return the rows of all ``parts`` in one fresh array."""
    return np.concatenate([rows_of(part) for part in parts]).view(parts[0].dtype).reshape(-1)


def listed(given: object, kind: type[G]) -> list[G]:
    """Return the games that were given, one or several; raise InvalidOptionError unless all are of a class."""
    try:
        games: list[Any] = [given] if isinstance(given, kind) else list(given)  # type: ignore[call-overload]
    except (TypeError, OverflowError):  # what cannot be listed
        games = []
    if not games or not all(isinstance(game, kind) for game in games):
        raise InvalidOptionError(
            f"positions cannot be made of {shown(given)}: give a {kind.__name__}, or a list of at least one"
        )
    return games


class Children(NamedTuple, Generic[P]):
    """The result of ``expand``: every legal action of the rows asked for, and the position after it."""

    positions: P
    """(C,) the position after each action, ordered by parent and then by action id."""
    actions: npt.NDArray[np.int64]
    """(C,) action ids."""
    rows: npt.NDArray[np.int64]
    """(C,) the row of each child's parent."""


class AnyPositions:
    """N positions of one board, one variant and one number of seats. Every row is independent of the others.

    Attributes:
        rules: The game.
        states: (N,) positions as kernels take them. Writing to it is at your own risk: nothing is checked.
        variant: Name of the variant of all rows.
        players: Number of seats of all rows.
        num_scores: Number of scores of all rows.
        threads: Most threads that work on the rows at once. Results do not depend on it.
    """

    def __init__(
        self,
        rules: GameRules,
        board: npt.NDArray[np.void],
        states: npt.NDArray[np.void],
        num_scores: int,
        threads: int | None,
    ) -> None:
        """Wrap ``states`` without copying them.

        Args:
            rules: The game.
            board: (1,) of its boards.
            states: (N,) of its positions, contiguous and writable, of one variant and one number of seats.
            num_scores: Number of scores: one for each seat, and one more for an opponent without a seat.
            threads: At most this many; None for all cores. Copies and children inherit it.

        Raises:
            InvalidOptionError: Another array, or rows of different kinds of game.
        """
        check_states(states, rules)
        self.rules = rules
        self.states = states
        self.variant: str = list(rules.variants)[int(states["variant"][0])]
        ensure_parts(BATCH, *rules.needs((self.variant,)))
        self.players = int(states["num_seats"][0])
        self.threads = thread_count(threads)
        self.num_scores = num_scores
        self._guard = ThreadGuard()
        self._boards, self._rows = rows_of(board), (states, rows_of(states))

    # --- rows --------------------------------------------------------------------------------------------------------
    def __len__(self) -> int:
        """Return the number of positions."""
        return self.states.size

    @guarded
    def __getitem__(self, rows: Rows) -> Self:
        """Return copies of ``rows``, also of a single one; raise IndexError for an index out of range."""
        return self._select(self._row_numbers(rows))

    def _row_numbers(self, rows: Rows) -> npt.NDArray[np.int64]:
        """Return the indices of ``rows``, (n,) int64; raise IndexError for what is no index."""
        try:
            return np.arange(len(self))[rows].reshape(-1)
        except (TypeError, ValueError, RuntimeError, OverflowError) as error:  # ragged lists, huge numbers, ...
            raise IndexError(f"rows {shown(rows)} are not possible: give an index, a slice or a list") from error

    def _select(self, numbers: npt.NDArray[np.int64]) -> Self:
        """Return copies of the rows with these indices; raise InvalidOptionError if there are none."""
        if not numbers.size:
            raise InvalidOptionError("no row is left: positions are at least one")
        return self._same_kind(taken(self.states, numbers))

    def _same_kind(self, states: npt.NDArray[np.void]) -> Self:
        """Return ``states`` as positions of the same kind, without a check that they are."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.states, other._guard = states, ThreadGuard()
        return other

    @guarded
    def copy(self) -> Self:
        """Return an independent copy, the snapshot of a search."""
        return self._same_kind(copied(self.states))

    @guarded
    def repeat(self, copies: int) -> Self:
        """Return every row ``copies`` times in succession, copied.

        Raises:
            InvalidOptionError: Not a positive whole number, or more copies than the memory holds.
        """
        number = positive_number("copies", copies)
        check_memory("copies", number, len(self) * (self.states.dtype.itemsize + np.int64().itemsize))
        return self._select(np.repeat(np.arange(len(self)), number))

    # --- the decision to be made -------------------------------------------------------------------------------------
    @guarded
    def seats(self) -> npt.NDArray[np.int64]:
        """Return the seat to move in each row, (N,), -1 where the game is over, CHANCE where a draw is due."""
        return self.states["seat"].astype(np.int64)

    @guarded
    def over(self) -> npt.NDArray[np.bool_]:
        """Return whether the game of each row has ended, (N,)."""
        return self.states["seat"] == NONE

    @guarded
    def masks(self) -> npt.NDArray[np.int8]:
        """Return fresh masks, (N, actions), 1 = legal for the seat to move; all 0 where the game is over."""
        masks = np.empty((len(self), self.rules.num_actions(self.variant)), np.int8)
        self._run(lambda low, high: kernels.write_masks(*self.games, masks, low, high))
        return masks

    @guarded
    def legal_counts(self) -> npt.NDArray[np.int64]:
        """Return the number of legal actions of each row, (N,)."""
        return self.masks().sum(axis=1, dtype=np.int64)

    @guarded
    def observe(self, observation: str = "features", seat: int | None = None) -> npt.NDArray[Any]:
        """Return the observation of a seat in each row, (N, size), in the layout of this kind of observation.

        Args:
            observation: "features" (float32) or "compact" (int8).
            seat: The observer; None for each row's seat to move, seat 0 where the game is over.

        Raises:
            InvalidOptionError: An unknown kind of observation, or a seat that is not at the table.
        """
        kind = one_of("observation", observation, OBSERVATIONS)
        layout = self.rules.layout_for(self.variant, kind)
        seats = np.maximum(self.seats(), 0)
        if seat is not None:
            number = whole_number(seat)
            if number is None or not 0 <= number < self.players:
                raise InvalidOptionError(f"seat {shown(seat)} is not at the table: seats are 0 to {self.players - 1}")
            seats[:] = number
        out = np.empty((len(self), layout.size), layout.dtype)
        write = kernels.write_features if kind == OBSERVATIONS[0] else kernels.write_compact
        self._run(lambda low, high: write(*self.games, seats, out, low, high))
        return out

    @property
    def games(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The rules, the board and the positions, as kernels take them."""
        states, rows = self._rows
        if states is not self.states:
            rows = rows_of(self.states)
            self._rows = (self.states, rows)
        return self.rules.addresses, self._boards, rows

    def _run(self, work: Callable[[int, int], None]) -> None:
        """Call ``work(low, high)`` for ranges that cover all rows, on several threads."""
        run_shared(work, len(self), self.threads, LEAST)

    # --- moves -------------------------------------------------------------------------------------------------------
    @guarded
    def step(self, actions: Any) -> None:
        """Make one move in each row, in place; where a draw is due, one that chance may make.

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
        wrong = np.flatnonzero(~((inside & legal) | (actions == NONE)))
        if not wrong.size:
            return
        row = int(wrong[0])
        asked = f"action {actions[row]} is not possible in row {row}"
        if self.states["seat"][row] == NONE:
            raise GameOverError(f"{asked}: its game is over; give -1 to leave it as it is")
        raise IllegalActionError(f"{asked}; legal there are {np.flatnonzero(masks[row]).tolist()}, -1 leaves it")

    def _apply(self, actions: npt.NDArray[np.int64]) -> None:
        """Carry out legal ``actions``, (N,); NONE leaves a row as it is."""
        self._run(lambda low, high: kernels.apply_actions(*self.games, actions, low, high))

    @guarded
    def expand(self, rows: Rows | None = None) -> Children[Self]:
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
    @guarded
    def scores(self) -> npt.NDArray[np.int64]:
        """Return the scores of each seat, (N, seats), as if the games ended now.

        An opponent without a seat, as in the solitaire game of Endeavor, has one more column.
        """
        out = np.empty((len(self), MAX_SEATS), np.int64)
        self._run(lambda low, high: kernels.score_states(*self.games, out, low, high))
        return out[:, : self.num_scores].copy()

    @guarded
    def returns(self, reward: str | RewardFunction = "win") -> npt.NDArray[np.float64]:
        """Return the reward of each seat, (N, seats), as if the games ended now.

        Args:
            reward: As for the environments: a name in ``rewards.REWARDS``, in ``solo`` in ``rewards.SOLO_REWARDS``, or
                a function from final scores to one reward a seat.

        Raises:
            InvalidOptionError: Neither such a name nor such a function.
        """
        return rewards_of(self.scores(), reward, self.players, self.variant, self.rules)


def check_states(states: object, rules: GameRules) -> None:
    """Raise InvalidOptionError unless ``states`` are positions of one kind of game."""
    if (
        not isinstance(states, np.ndarray)
        or states.dtype != rules.position
        or states.ndim != 1
        or not states.flags.c_contiguous
        or not states.flags.writeable
    ):
        given = f"array of shape {states.shape}" if isinstance(states, np.ndarray) else type(states).__name__
        raise InvalidOptionError(
            f"positions cannot be made of this {given}: give a contiguous, writable array of positions with one axis"
        )
    if not states.size:
        raise InvalidOptionError("there are no positions here: give at least one")
    if (states["variant"] != states["variant"][0]).any() or (states["num_seats"] != states["num_seats"][0]).any():
        raise InvalidOptionError("these positions are of different kinds: give those of one variant and players")
