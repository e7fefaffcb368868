"""Positions: N positions of one kind of game as an array, whatever game it is, and a generator for each row."""

from __future__ import annotations

import functools
import hashlib
import struct
from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, Self, TypeVar

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.hardware import check_memory
from endeavor_env.basics.inputs import (
    OBSERVATIONS,
    action_array,
    check_seeds,
    one_of,
    positive_number,
    seat_number,
    whole_number,
)
from endeavor_env.basics.thread_guard import ThreadGuard, guarded
from endeavor_env.engine.batch.batch_rewards import rewards_of
from endeavor_env.engine.batch.threads import default_threads, run_shared
from endeavor_env.engine.game import Game, GameConfig, is_game
from endeavor_env.engine.game_rules import GameRules, copied, rows_of, taken
from endeavor_env.engine.kernels import playouts as kernels
from endeavor_env.engine.kernels import single
from endeavor_env.engine.kernels.parts import BATCH
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.kernels.rules import CHANCE_MOVE, MAX_SEATS, NONE, RESAMPLE
from endeavor_env.engine.rewards import RewardFunction
from endeavor_env.errors import GameOverError, IllegalActionError, InvalidOptionError, RecordError, counted, shown
from endeavor_env.kernels.loading.once import ensure_parts

# --- Positions as bytes: a header that describes them, then the records as they are in memory ------------------------
# Of each record only the bytes are written that the variant uses (``GameRules.unused``).
#
# The header (HEADER, little-endian) holds a magic word for each game, the version of the format, variant and seats, the
# number of positions, a hash of the record's layout, the hash of the board, and a checksum of all of it. Kernels trust
# the records they are given, so bytes are refused that were cut short, damaged, or made by another version or for
# another board. The checksum is no signature: read only bytes that you trust.

VERSION = 1
"""To be increased when the same bytes of a record get another meaning."""
HEADER = struct.Struct("<8sHbbQ8s8s16s")


def magic_of(rules: GameRules) -> bytes:
    """Return the 8 bytes with which positions of a game begin, b"endeavps" of Endeavor."""
    return rules.name[:6].ljust(6, "\0").encode() + b"ps"


@functools.cache
def layout_hash(record: np.dtype[np.void], size: int) -> bytes:
    """Return 8 bytes that change with any name, place, shape or type of the fields in the first ``size`` bytes."""
    fields = record.fields or {}
    named = [field for field in record.descr if fields[field[0]][1] < size]
    return hashlib.sha256(repr((named, size)).encode()).digest()[:8]


class _Header(NamedTuple):
    magic: bytes
    version: int
    variant: int
    players: int
    size: int
    layout: bytes
    board: bytes
    checksum: bytes


def _checksum(head: _Header, records: bytes | memoryview) -> bytes:
    """Return 16 bytes that change with the records and with every field of the header except the checksum."""
    digest = hashlib.blake2b(HEADER.pack(*head._replace(checksum=b"")), digest_size=16)
    digest.update(records)
    return digest.digest()


def pack(config: GameConfig, states: npt.NDArray[np.void]) -> bytes:
    """Return header and records of (N,) positions of one variant and one number of seats, on the board of a config."""
    rules, variant, players = config.rules, int(states["variant"][0]), int(states["num_seats"][0])
    size = states.dtype.itemsize - len(rules.unused(list(rules.variants)[variant]))
    records = states.view(np.uint8).reshape(states.size, states.dtype.itemsize)[:, :size].tobytes()
    board, layout = bytes.fromhex(config.with_names()["board_hash"]), layout_hash(rules.position, size)
    head = _Header(magic_of(rules), VERSION, variant, players, states.size, layout, board, b"")
    return HEADER.pack(*head._replace(checksum=_checksum(head, records))) + records


def unpack(data: object, config: GameConfig) -> npt.NDArray[np.void]:
    """Return a fresh (N,) array of positions from bytes that ``pack`` made for the game and the board of ``config``.

    Raises:
        RecordError: Any other bytes; the message says what is different.
    """
    if not isinstance(data, bytes | bytearray | memoryview):
        raise RecordError(f"positions cannot be read from {type(data).__name__}: give the bytes of Positions.to_bytes")
    rules, view = config.rules, memoryview(bytes(data))
    magic = magic_of(rules)
    if view.nbytes < HEADER.size or bytes(view[: len(magic)]) != magic:
        raise RecordError(
            f"these {view.nbytes} bytes hold no positions: they must begin with the {HEADER.size} bytes of the header "
            f"that Positions.to_bytes writes, the first of them {magic!r}"
        )
    head, records = _Header(*HEADER.unpack(view[: HEADER.size])), view[HEADER.size :]
    unused = rules.unused(_check_origin(head, config))
    size = rules.position.itemsize - len(unused)
    wanted = head.size * size
    if records.nbytes != wanted:
        raise RecordError(
            f"these bytes are not whole: {head.size} positions take {wanted} bytes after the header, "
            f"and there are {records.nbytes}"
        )
    if _checksum(head, records) != head.checksum:
        raise RecordError("these bytes are damaged: they do not fit the checksum in the header")
    states = np.empty(head.size, rules.position)
    bytes_of = states.view(np.uint8).reshape(head.size, rules.position.itemsize)
    bytes_of[:, :size] = np.frombuffer(records, np.uint8).reshape(-1, size)
    bytes_of[:, size:] = np.frombuffer(unused, np.uint8)
    if not states.size or (states["variant"] != head.variant).any() or (states["num_seats"] != head.players).any():
        raise RecordError(
            f"these bytes contradict themselves: there must be positions, and all of variant number {head.variant} "
            f"with {head.players} seats as the header says"
        )
    return states


def _check_origin(head: _Header, config: GameConfig) -> str:
    """Return the name of the variant; raise RecordError unless the game has it and the header fits the config."""
    rules, variants = config.rules, list(config.rules.variants)
    if head.version != VERSION:
        raise RecordError(f"these positions have format version {head.version}: this package reads version {VERSION}")
    known = variants[head.variant] if 0 <= head.variant < len(variants) else None
    least, most = (1, 0) if known is None else rules.variants[known]
    if known is None or not least <= head.players <= most:
        raise RecordError(
            f"these positions are of variant number {head.variant} with {head.players} seats, which there is not: "
            f"this version plays {', '.join(variants)}"
        )
    layout = layout_hash(rules.position, rules.position.itemsize - len(rules.unused(known)))
    if head.layout != layout:
        raise RecordError(
            f"these positions were written by a version with other records (layout {head.layout.hex()}): "
            f"this one reads layout {layout.hex()}"
        )
    names = config.with_names()
    if head.board != bytes.fromhex(names["board_hash"]):
        raise RecordError(
            f"these positions are of the board with hash {head.board.hex()}: board {names['board']!r} has "
            f"{names['board_hash']}; give a config with theirs"
        )
    return known


# --- Positions: N positions of one kind of game as an array, whatever game it is, and a generator for each row -------

P = TypeVar("P", bound="Positions")
Rows = int | slice | Sequence[int] | npt.NDArray[Any]
"""An index into an axis of an array: a row, a slice, several rows, or a mask of rows."""
Rng = int | np.integer[Any] | Sequence[int] | npt.NDArray[Any]
"""A seed, a generator of ``sampling.generator``, or a seed for each row."""

LEAST = 256
"""Fewer positions than this for each thread are not worth handing to another one."""


def thread_count(threads: object) -> int:
    """Return ``threads``, or the number of cores for None; raise InvalidOptionError unless it is above 0."""
    return default_threads() if threads is None else positive_number("threads", threads, ", or None for all")


class Children(NamedTuple, Generic[P]):
    """The result of ``expand``: every legal action of the rows asked for, and the position after it."""

    positions: P
    """(C,) the position after each action, ordered by parent and then by action id."""
    actions: npt.NDArray[np.int64]
    """(C,) action ids."""
    rows: npt.NDArray[np.int64]
    """(C,) the row of each child's parent."""


class Positions:
    """N positions of one game, one board, one variant and one number of seats. Every row is independent of the others.

    A row where chance is to move has its outcomes in ``masks``, in ``step`` and as children in ``expand``; ``draw``
    lets chance decide. Rows hold hidden parts as well: ``resample`` draws those anew that a seat cannot know. Endeavor
    has neither chance nor hidden parts after the set-up: there a position is all that a search needs of a game.

    Attributes:
        rules: The game.
        board: The board of all rows, as the configs of the game have it.
        states: (N,) positions as kernels take them. Writing to it is at your own risk: nothing is checked.
        variant: Name of the variant of all rows.
        players: Number of seats of all rows.
        threads: Most threads that work on the rows at once. Results do not depend on it.
    """

    def __init__(self, config: GameConfig, states: npt.NDArray[np.void], threads: int | None = None) -> None:
        """Wrap ``states`` without copying them.

        Args:
            config: A config with the game and the board of the positions, such as ``game.config``; its variant, seats
                and options may be others.
            states: (N,) positions of the game, contiguous and writable, of one variant and one number of seats.
            threads: At most this many; None for all cores. Copies and children inherit it.

        Raises:
            InvalidOptionError: No config, another array, or rows of different kinds of game.
        """
        _check_config(config)
        rules = config.rules
        check_states(states, rules)
        self.rules = rules
        self.board: Any = config.board
        self.states = states
        self.variant: str = list(rules.variants)[int(states["variant"][0])]
        ensure_parts(BATCH, *rules.needs((self.variant,)))
        self.players = int(states["num_seats"][0])
        self.threads = thread_count(threads)
        self._config = config
        self._guard = ThreadGuard()
        self._boards, self._rows = rows_of(config.board_array), (states, rows_of(states))

    @classmethod
    def of(cls, games: Game | Sequence[Game], copies: int = 1, threads: int | None = None) -> Self:
        """Return the positions of ``games``, each ``copies`` times in succession; the games stay as they are.

        Raises:
            InvalidOptionError: No game at all, games of different boards, variants or numbers of seats, or more copies
                than the memory holds.
        """
        given = _listed_games(games)
        config = given[0].config
        if not all(_same_board(game.config, config) for game in given[1:]):
            raise InvalidOptionError("these games are on different boards: positions are those of one board")
        return cls(config, _joined([game.state for game in given]), threads).repeat(copies)

    @classmethod
    def join(cls, parts: Sequence[Positions]) -> Self:
        """Return copies of the rows of all ``parts``; raise InvalidOptionError unless they are of one kind."""
        if not isinstance(parts, Sequence) or not all(isinstance(part, Positions) for part in parts):
            raise InvalidOptionError(f"{shown(parts)} cannot be joined: give a list of Positions")
        if not parts or not all(_same_board(part._config, parts[0]._config) for part in parts):
            raise InvalidOptionError("positions of different boards, or none at all, cannot be joined")
        return cls(parts[0]._config, _joined([part.states for part in parts]), parts[0].threads)

    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview, config: GameConfig, threads: int | None = None) -> Self:
        """Return the positions that ``to_bytes`` wrote.

        Args:
            data: All of the bytes. They are checked for damage, not for malice: read only bytes that you trust.
            config: As for the constructor.
            threads: As for the constructor.

        Raises:
            InvalidOptionError: No config.
            RecordError: Not such bytes, cut short or damaged, of another version, of another game or another board.
        """
        _check_config(config)
        return cls(config, unpack(data, config), threads)

    @guarded
    def to_bytes(self) -> bytes:
        """Return a header and the records; equal positions in equal order give equal bytes."""
        return pack(self._config, self.states)

    def __repr__(self) -> str:
        count, board = counted(len(self), "position"), self._config.with_names()["board"]
        return f"<Positions: {count} of {self.rules}, {self.variant}, {self.players} seats, on {board}>"

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
    def decisions(self) -> npt.NDArray[np.int64]:
        """Return the kind of move that is asked for, (N,); of Endeavor indices into ``constants.DECISION_NAMES``."""
        return self.states["decision"].astype(np.int64)

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

    @guarded
    def draw(self, rng: Rng) -> None:
        """Let chance decide in every row where it is to move, until a seat is, in place.

        Args:
            rng: As for ``rollout``: what is drawn in a row depends on nothing but the seed of the row.
        """
        generators = _row_generators(rng, len(self))
        if self.rules.entries[CHANCE_MOVE] is not None:
            self._run(lambda low, high: kernels.draw_chance(*self.games, generators, low, high))

    @guarded
    def resample(self, seat: int | None, rng: Rng) -> None:
        """Draw anew, in place, what a seat cannot know, so that each row agrees with what this seat has seen.

        Args:
            seat: The observer; None for each row's seat to move.
            rng: As for ``draw``.

        Raises:
            InvalidOptionError: There is no such seat, or ``rng`` is not possible.
        """
        generators, seats = _row_generators(rng, len(self)), np.maximum(self.seats(), NONE)
        if seat is not None:
            seats[:] = seat_number("seat", seat, self.players)
        if self.rules.entries[RESAMPLE] is not None:
            self._run(lambda low, high: kernels.resample(*self.games, seats, generators, low, high))

    # --- results -----------------------------------------------------------------------------------------------------
    @functools.cached_property
    def num_scores(self) -> int:
        """Number of scores of all rows: one for each seat, and one more for an opponent without a seat."""
        rules, boards, states = self.games
        return single.score(rules, boards, states[:1], np.empty(MAX_SEATS, np.int64))

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

    @guarded
    def keys(self) -> list[bytes]:
        """Return a key of 16 bytes for each row, for a table of positions met before.

        On one board, positions have the same key exactly if their records are the same, but for fields that the rules
        never read again (``GameRules.clear_unread``). Keys are digests (BLAKE2) of record and board, the same on every
        machine; the chance that two different positions share one is 1 in 2**128.
        """
        clean, size = copied(self.states), self.states.dtype.itemsize
        self.rules.clear_unread(clean)
        data, board = memoryview(clean.tobytes()), self._config.with_names()["board_hash"].encode()
        records = [data[low : low + size] for low in range(0, data.nbytes, size)]
        return [hashlib.blake2b(record, digest_size=16, person=board).digest() for record in records]


# --- What positions are made of ---------------------------------------------------------------------------------------


def _check_config(config: object) -> None:
    """Raise InvalidOptionError unless ``config`` says what is played."""
    if not isinstance(getattr(config, "rules", None), GameRules):
        raise InvalidOptionError(f"config {shown(config)} is not possible here: give that of a game, game.config")


def _listed_games(given: object) -> list[Any]:
    """Return the games that were given, one or several; raise InvalidOptionError unless all are games."""
    try:
        games: list[Any] = [given] if is_game(given) else list(given)  # type: ignore[call-overload]
    except (TypeError, OverflowError):  # what cannot be listed
        games = []
    if not games or not all(map(is_game, games)):
        raise InvalidOptionError(f"positions cannot be made of {shown(given)}: give a Game, or a list of at least one")
    return games


def _same_board(one: GameConfig, other: GameConfig) -> bool:
    """Return whether the same game is played on the same board."""
    if str(one.rules) != str(other.rules):
        return False
    return one.board is other.board or one.with_names()["board_hash"] == other.with_names()["board_hash"]


def _joined(parts: Sequence[npt.NDArray[np.void]]) -> npt.NDArray[np.void]:
    """Return the rows of all ``parts``, which are of one game, in one fresh array."""
    return np.concatenate([rows_of(part) for part in parts]).view(parts[0].dtype).reshape(-1)


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


# --- Seeds: every row draws from a generator of its own ---------------------------------------------------------------


def _row_generators(rng: Any, count: int) -> npt.NDArray[np.uint64]:
    """Return a generator for each row, (count, 1) uint64; arguments and errors are those of ``row_seeds``."""
    generators = np.empty((count, 1), np.uint64)
    kernels.seed_rollouts(generators, row_seeds(rng, count), 1, 0)
    return generators


def row_seeds(rng: Any, count: int) -> npt.NDArray[np.int64]:
    """Return a seed >= 0 for each row, (count,) int64; advance ``rng`` if it is a generator.

    Raises:
        InvalidOptionError: Neither a seed, nor a generator, nor ``count`` seeds.
    """
    single_seed = whole_number(rng)
    if isinstance(rng, np.ndarray) and rng.dtype == np.uint64 and rng.shape == (1,):
        source = rng
    elif single_seed is not None and single_seed >= 0:
        source = seeded(single_seed)
    else:
        return _given_seeds(rng, count)
    seeds = np.empty(count, np.int64)
    kernels.draw_seeds(source, seeds)
    return seeds


def _given_seeds(rng: Any, count: int) -> npt.NDArray[np.int64]:
    """Return the seeds of a list or array, (count,) int64; raise InvalidOptionError for anything else."""
    listed = rng.ndim > 0 if isinstance(rng, np.ndarray) else isinstance(rng, Sequence)
    if not listed or isinstance(rng, str | bytes | bytearray | memoryview):
        raise InvalidOptionError(
            f"rng={shown(rng)} is not possible: give a non-negative whole number, a generator of sampling.generator, "
            f"or {count} seeds, one a row"
        )
    try:
        seeds, _ = check_seeds(rng, count)
    except InvalidOptionError as error:
        raise InvalidOptionError(f"rng is not possible: {error}") from None
    if None in seeds:
        raise InvalidOptionError(f"rng={shown(rng)} is not possible: each of the {count} rows needs a seed")
    return np.array(seeds, np.int64)
