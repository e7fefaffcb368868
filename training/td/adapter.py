"""Adapters: the boards, players, recorded positions and networks of a game, as a run needs them.

The loop, the learner, the replay buffer and the folder of a run ask their adapter, and know no game themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.board.variant_needs import check_board
from endeavor_env.endeavor.learning.self_play import write_all_inputs
from endeavor_env.endeavor.players.network_file import VALUE_NETWORKS, num_inputs
from endeavor_env.endeavor.rules.parts import PLAYERS
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.engine.game import GameConfig
from endeavor_env.engine.games import games, read_list
from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.engine.network_file import NetworkKind
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.kernels.parts import Part
from endeavor_env.training.td.beginning import read_beginning
from endeavor_env.training.td.boards import BOARD_STATE, BoardRange, observe_on_boards, play_on_boards, read_range
from endeavor_env.training.td.games import PlayedGames, SeatedPlayer, fixtures_of, play
from endeavor_env.training.td.population import AnyPopulation, Population
from endeavor_env.training.td.settings import TDSettings, is_range

VALUES = "values"
"""The name of a game's ``GameAdapter`` among its own classes (``GameDeclaration.own``)."""
AnyBoard = Any
"""A board of any game: ``GameAdapter.board_type`` says which, and it has an ``id``."""


class GameAdapter(Protocol):
    """A game as a run learns it."""

    row_bytes: int
    """Size of a recorded position, in bytes."""
    parts: tuple[Part, ...]
    """Parts of the machine code that play the games, besides LEARNING."""
    board_type: type
    """Type of its boards."""
    networks: NetworkKind
    """Kind of its value networks, which reads and writes their files."""

    def __init__(self, board: Any) -> None:
        """Take the board of all games."""
        ...

    @staticmethod
    def read_board(name: str, variants: Sequence[str], /) -> AnyBoard:
        """Return the board of a name or path, the usual one for "", for variants; errors as of ``folder.board_of``."""
        ...

    @property
    def board_hash(self) -> str:
        """Hash of the board, by which a card names the board that its network was trained on."""
        ...

    def num_inputs(self, variant: str, /) -> int:
        """Return the number of inputs of a network."""
        ...

    def population(self, settings: TDSettings) -> AnyPopulation:
        """Return the players of a run; errors as of ``Population``."""
        ...

    def fixtures(
        self,
        tables: Sequence[GameConfig],
        kinds: npt.NDArray[np.int64],
        seeds: npt.NDArray[np.int64],
        codes: npt.NDArray[np.int64],
    ) -> npt.NDArray[np.void]:
        """Return games to be played, as ``games.fixtures_of`` does."""
        ...

    def play(self, fixtures: npt.NDArray[np.void], seated: Mapping[int, SeatedPlayer]) -> PlayedGames:
        """Play games to their ends, as ``games.play`` does."""
        ...

    def observe(
        self, rows: npt.NDArray[np.uint8], seats: npt.NDArray[np.int64], out: npt.NDArray[np.float32], /
    ) -> None:
        """Write what networks see of recorded positions, (n, row_bytes), as ``seats``, to ``out`` (n, inputs)."""
        ...

    def beginning(self, settings: TDSettings) -> NetworkArrays:
        """Return the network that a run begins with; errors as of ``read_beginning``."""
        ...


class EndeavorAdapter:
    """Endeavor in all its variants."""

    row_bytes: int = STATE.itemsize
    parts: tuple[Part, ...] = (PLAYERS,)
    board_type: type = Board
    num_inputs = staticmethod(num_inputs)
    population = staticmethod(Population)
    fixtures = staticmethod(fixtures_of)
    networks = VALUE_NETWORKS

    def __init__(self, board: Board) -> None:
        """Take the board of all games."""
        self._board, self.board_hash = board, board.hash

    @staticmethod
    def read_board(name: str, variants: Sequence[str]) -> Board:
        """Return the board of a name or path; see ``GameAdapter``."""
        board = Board.resolve(name or None)
        for variant in variants:
            check_board(board, variant)
        return board

    def play(self, fixtures: npt.NDArray[np.void], seated: Mapping[int, SeatedPlayer]) -> PlayedGames:
        """Play games to their ends; see ``GameAdapter``."""
        return play(self._board, fixtures, seated)

    def observe(self, rows: npt.NDArray[np.uint8], seats: npt.NDArray[np.int64], out: npt.NDArray[np.float32]) -> None:
        """Write what networks see; see ``GameAdapter``."""
        write_all_inputs(self._board.array, rows.view(STATE).reshape(-1), seats, out, 0, seats.size)

    def beginning(self, settings: TDSettings) -> NetworkArrays:
        """Return the network that a run begins with; see ``GameAdapter``."""
        return read_beginning(settings).arrays


class BoardsAdapter(EndeavorAdapter):
    """Endeavor on many boards."""

    row_bytes = BOARD_STATE.itemsize
    board_type = BoardRange

    def __init__(self, board: BoardRange) -> None:
        """Take the boards of all games."""
        self._boards, self.board_hash = board.boards, board.hash

    def play(self, fixtures: npt.NDArray[np.void], seated: Mapping[int, SeatedPlayer]) -> PlayedGames:
        """Play games to their ends; see ``GameAdapter``."""
        return play_on_boards(self._boards, fixtures, seated)

    def observe(self, rows: npt.NDArray[np.uint8], seats: npt.NDArray[np.int64], out: npt.NDArray[np.float32]) -> None:
        """Write what networks see; see ``GameAdapter``."""
        observe_on_boards(self._boards, rows, seats, out)


def read_boards(name: str, variants: Sequence[str]) -> Board | BoardRange:
    """Return what ``EndeavorAdapter.read_board`` does, or all boards of a range; errors as of ``read_range``, too."""
    return read_range(name, variants) if is_range(name) else EndeavorAdapter.read_board(name, variants)


def learned_games() -> list[str]:
    """Return the names of the games that value networks learn."""
    return [name for name, game in read_list().games.items() if VALUES in game.own]


def adapter_named(game: str) -> type[GameAdapter]:
    """Return the adapter of a game; raise InvalidOptionError for a game without one."""
    declared = games().get(game)
    if declared is None or VALUES not in declared.own:
        raise InvalidOptionError(f"game {shown(game)} is unknown: possible are {' and '.join(learned_games())}")
    adapter: type[GameAdapter] = declared.part(VALUES)
    return adapter


def adapter_of(board: AnyBoard) -> GameAdapter:
    """Return the adapter of a run on this board."""
    known = *(game.part(VALUES) for game in games().values() if VALUES in game.own), BoardsAdapter
    found: type[GameAdapter] = next(adapter for adapter in known if isinstance(board, adapter.board_type))
    return found(board)
