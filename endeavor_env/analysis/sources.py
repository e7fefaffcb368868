"""Sources of tables: games, records, folders of records, batches and bare positions, read one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game import BoardGiven, Game
from endeavor_env.endeavor.records import read_record, replay
from endeavor_env.endeavor.rules.state import STATE, copy_states
from endeavor_env.engine.batch.game_batch import Batch
from endeavor_env.engine.game import Game as AnyGame
from endeavor_env.errors import InvalidOptionError, RecordError, named, shown

POSITIONS = ", or a Batch, or (N,) STATE"
NOT_RECORDS = ("fields.json",)
"""JSON files that tournaments write beside their records."""


class Source(NamedTuple):
    """One game to be analysed."""

    name: str
    """Path of its record, "" without a file."""
    board: Board
    states: npt.NDArray[np.void]
    """(1,) STATE, the last position; read only."""
    game: Game | None
    """The game with its moves; None for a bare position."""


def read(given: Any, boards: BoardGiven | Sequence[BoardGiven] = None) -> Iterator[Source]:
    """Yield every game of what was given, in order; files of a folder in the order of their paths.

    Args:
        given: A ``Game``; a record, or the path of one; a folder of records, those in folders below it included; a
            ``Batch``; (N,) STATE; or an iterable of any of these.
        boards: The board, or the boards, of games that were played on neither the board of 2009 nor a generated one:
            what ``Board.resolve`` takes. (N,) STATE takes one board, the same for all.

    Raises:
        InvalidOptionError: Something else, or a board that is not among ``boards``.
        RecordError: A record that cannot be read or does not replay, or a folder without records.
    """
    several = [boards] if boards is None or isinstance(boards, Board | str | Path) else boards
    on = [Board.resolve(board) for board in several]
    for name, one in things_in(given, (Batch, np.ndarray), POSITIONS):
        if isinstance(one, AnyGame) and one.state.dtype == STATE:
            game = cast(Game, one)
            yield Source(name, game.board, game.state, game)
        elif isinstance(one, Mapping | Path):
            yield _of_record(one, name, on)
        elif isinstance(one, Batch):
            yield from _of_batch(one, on)
        elif isinstance(one, np.ndarray) and one.dtype == STATE:
            if len(on) > 1:
                raise InvalidOptionError(f"{len(on)} boards for an array of positions are not possible: give one")
            for row in range(one.size):
                yield _of_position(one.reshape(-1), row, on[0])
        else:
            raise no_games(one, POSITIONS)


def things_in(given: Any, others: tuple[type, ...] = (), more: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every game, record and file of a record in what was given, in order, with the path of the file.

    Args:
        given: A game; a record, or the path of one; a folder of records, those in folders below it included; or an
            iterable of any of these.
        others: Types of what is yielded as well.
        more: What else may be given, for the message.

    Raises:
        InvalidOptionError: Something else.
        RecordError: A folder without records.
    """
    if isinstance(given, (AnyGame, Mapping, *others)):
        yield "", given
    elif isinstance(given, str | Path):
        path = Path(given)
        if not path.is_dir():
            yield path.name, path
            return
        files = sorted(file for file in path.rglob("*.json") if file.name not in NOT_RECORDS)
        if not files:
            raise RecordError(f"folder {named(str(path))} holds no records: there is no file *.json in it")
        yield from ((file.relative_to(path).as_posix(), file) for file in files)
    elif isinstance(given, Iterable) and not isinstance(given, bytes | np.ndarray):
        for one in given:
            yield from things_in(one, others, more)
    else:
        raise no_games(given, more)


def no_games(given: Any, more: str) -> InvalidOptionError:
    """Return the error for something that holds no games; ``more`` says what may be given besides games and records."""
    return InvalidOptionError(
        f"{shown(given)} holds no games: give games, records, or paths of records or folders{more}"
    )


def _of_record(record: Mapping[str, Any] | Path, name: str, boards: list[Board]) -> Source:
    """Return the game of a record on that of the boards whose id it names."""
    form = read_record(record)
    board = next((board for board in boards if board.id == form["board"]), None)
    try:
        game = replay(form, board)
    except RecordError as error:
        raise RecordError(f"record {named(name)}: {error}" if name else str(error)) from error
    return Source(name, game.board, game.state, game)


def _of_batch(batch: Batch, boards: list[Board]) -> Iterator[Source]:
    """Yield the position of each row of a batch."""
    on = [_same_board(batch.boards[number : number + 1], boards) for number in range(len(batch.boards))]
    for row, number in enumerate(batch.tables["board"].tolist()):
        yield _of_position(batch.states, row, on[number])


def _of_position(states: npt.NDArray[np.void], row: int, board: Board) -> Source:
    """Return one of the positions (N,) STATE; raise InvalidOptionError if no game was started in it."""
    if not states["num_seats"][row]:
        raise InvalidOptionError(f"position {row} is empty: no game was started in it, reset the environment first")
    return Source("", board, copy_states(states[row : row + 1]), None)


def _same_board(array: npt.NDArray[np.void], boards: list[Board]) -> Board:
    """Return the board with this content, (1,) BOARD."""
    for board in (*boards, Board.default()):
        if all(np.array_equal(board.array[field], array[field]) for field in array.dtype.names or ()):
            return board
    raise InvalidOptionError("the batch plays on a board that was not given: pass all its boards, boards=[...]")
