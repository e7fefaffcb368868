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
    yield from _read(given, [Board.resolve(board) for board in several])


def _read(given: Any, boards: list[Board]) -> Iterator[Source]:
    """Yield every game of what was given."""
    if isinstance(given, AnyGame) and given.state.dtype == STATE:
        game = cast(Game, given)
        yield Source("", game.board, game.state, game)
    elif isinstance(given, Mapping):
        yield _of_record(given, "", boards)
    elif isinstance(given, str | Path):
        yield from _of_path(Path(given), boards)
    elif isinstance(given, Batch):
        yield from _of_batch(given, boards)
    elif isinstance(given, np.ndarray) and given.dtype == STATE:
        if len(boards) > 1:
            raise InvalidOptionError(f"{len(boards)} boards for an array of positions are not possible: give one")
        for row in range(given.size):
            yield _of_position(given.reshape(-1), row, boards[0])
    elif isinstance(given, Iterable) and not isinstance(given, bytes | np.ndarray):
        for one in given:
            yield from _read(one, boards)
    else:
        raise InvalidOptionError(
            f"{shown(given)} holds no games: give games, records, paths of records or of folders of records, a Batch, "
            "or (N,) STATE"
        )


def _of_path(path: Path, boards: list[Board]) -> Iterator[Source]:
    """Yield the game of a file, or those of a folder."""
    if not path.is_dir():
        yield _of_record(path, path.name, boards)
        return
    files = sorted(file for file in path.rglob("*.json") if file.name not in NOT_RECORDS)
    if not files:
        raise RecordError(f"folder {named(str(path))} holds no records: there is no file *.json in it")
    for file in files:
        yield _of_record(file, file.relative_to(path).as_posix(), boards)


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
