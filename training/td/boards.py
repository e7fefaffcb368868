"""Games that are spread over many generated boards, so that a network learns what is worth what on boards not seen."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.board.variant_needs import check_board
from endeavor_env.endeavor.learning.self_play import write_all_inputs
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.training.td.games import PlayedGames, SeatedPlayer, play
from endeavor_env.training.td.settings import BOARD_RANGE

MOST_BOARDS = 10_000
BOARD_STATE = np.dtype(
    {
        "names": [*(STATE.names or ()), "board"],
        "formats": [*(field[0] for field in (STATE.fields or {}).values()), np.int16],
        "offsets": [*(field[1] for field in (STATE.fields or {}).values()), STATE.itemsize],
        "itemsize": STATE.itemsize + 2,
    }
)
"""STATE, and after it on which of the boards the position is."""


@dataclass(frozen=True)
class BoardRange:
    """Generated boards of successive seeds."""

    id: str
    """``generated_<first>-<last>``, with the seeds of the first and the last board."""
    boards: tuple[Board, ...]

    @functools.cached_property
    def hash(self) -> str:
        """16 hex digits of the hashes of all boards."""
        return hashlib.sha256("".join(board.hash for board in self.boards).encode()).hexdigest()[:16]


def read_range(board: str, variants: Sequence[str]) -> BoardRange:
    """Return the boards of a range, for which ``settings.is_range`` is true, which takes about 20 ms a board.

    Raises:
        InvalidOptionError: There are no boards in the range, or more than MOST_BOARDS.
        InvalidBoardError: A board that one of the variants cannot be played on.
    """
    found = BOARD_RANGE.fullmatch(board)
    assert found is not None
    first, last = int(found[1]), int(found[2])
    if not 1 <= last - first + 1 <= MOST_BOARDS:
        raise InvalidOptionError(
            f"the boards {shown(board)} are {max(0, last - first + 1)}: "
            f"give the seeds of the first and of the last of 1 to {MOST_BOARDS} boards"
        )
    boards = _generated(first, last)
    for one in boards:
        for variant in variants:
            check_board(one, variant)
    return BoardRange(board, boards)


@functools.lru_cache(maxsize=1)
def _generated(first: int, last: int) -> tuple[Board, ...]:
    """Return the boards of these seeds, made once: a run asks before there is a folder, and again for its games."""
    return tuple(Board.generate(seed) for seed in range(first, last + 1))


def play_on_boards(
    boards: Sequence[Board], fixtures: npt.NDArray[np.void], seated: Mapping[int, SeatedPlayer]
) -> PlayedGames:
    """Do what ``games.play`` does with each game on the board that its seed says; positions are BOARD_STATE."""
    numbers = fixtures["seed"] % len(boards)
    groups = [(int(number), np.flatnonzero(numbers == number)) for number in np.unique(numbers)]
    parts = [_on_board(number, boards[number], fixtures, games, seated) for number, games in groups]
    order = np.argsort(np.concatenate([games for _, games in groups]))
    moments = np.concatenate([part.moments for part in parts])
    places = np.argsort(moments["fixture"], kind="stable")  # so that it does not matter which games share a call
    ends = [part.ends for part in parts if part.ends is not None]
    replies = [part.replies for part in parts if part.replies is not None]
    return PlayedGames(
        states=np.concatenate([part.states for part in parts])[places],
        moments=moments[places],
        scores=np.concatenate([part.scores for part in parts])[order],
        outcomes=np.concatenate([part.outcomes for part in parts])[order],
        decisions=sum(part.decisions for part in parts),
        ends=np.concatenate(ends)[order],
        replies=np.concatenate(replies)[places],
    )


def _on_board(
    number: int,
    board: Board,
    fixtures: npt.NDArray[np.void],
    games: npt.NDArray[np.int64],
    seated: Mapping[int, SeatedPlayer],
) -> PlayedGames:
    """Play some of the games on a board; moments name games as ``fixtures`` does."""
    played = play(board, fixtures[games], seated)
    states = np.zeros(played.states.size, BOARD_STATE)
    seen = states.view(np.uint8).reshape(states.size, BOARD_STATE.itemsize)
    seen[:, : STATE.itemsize] = played.states.view(np.uint8).reshape(states.size, STATE.itemsize)
    states["board"] = number
    played.moments["fixture"] = games[played.moments["fixture"]]
    return played._replace(states=states)


def observe_on_boards(
    boards: Sequence[Board], rows: npt.NDArray[np.uint8], seats: npt.NDArray[np.int64], out: npt.NDArray[np.float32]
) -> None:
    """Write what networks see of recorded positions, (n, BOARD_STATE.itemsize), as ``seats``, to ``out``."""
    numbers = rows.view(BOARD_STATE).reshape(-1)["board"]
    order = np.argsort(numbers, kind="stable")
    numbers = numbers[order]
    states = np.ascontiguousarray(rows[order][:, : STATE.itemsize]).view(STATE).reshape(-1)
    sorted_seats, found = seats[order], np.empty_like(out)
    starts = np.flatnonzero(np.diff(numbers, prepend=-1)).tolist()
    for low, high in zip(starts, [*starts[1:], order.size], strict=True):
        write_all_inputs(boards[int(numbers[low])].array, states, sorted_seats, found, low, high)
    out[order] = found
