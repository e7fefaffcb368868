"""Adapters: the boards, players, recorded positions and networks of a game, as a run needs them.

The loop, the learner, the replay buffer and the folder of a run ask their adapter, and know no game themselves.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.board.variant_needs import check_board
from endeavor_env.endeavor.learning.self_play import write_all_inputs
from endeavor_env.endeavor.observation import Layout, layout_for
from endeavor_env.endeavor.players.network_file import PUBLISHED_VALUES, VALUE_NETWORKS, num_inputs, published_network
from endeavor_env.endeavor.rules.parts import PLAYERS
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.engine.game import GameConfig
from endeavor_env.engine.games import games, read_list
from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.engine.network_file import NetworkKind, ValueNetwork
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.kernels.parts import Part
from endeavor_env.training.td.games import EndeavorPopulation, PlayedGames, Population, SeatedPlayer, fixtures_of, play
from endeavor_env.training.td.settings import BOARD_RANGE, TDSettings, is_range

# --- Games that are spread over many generated boards -----------------------------------------------------------------

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
    return PlayedGames(
        states=np.concatenate([part.states for part in parts])[places],
        moments=moments[places],
        scores=np.concatenate([part.scores for part in parts])[order],
        outcomes=np.concatenate([part.outcomes for part in parts])[order],
        decisions=sum(part.decisions for part in parts),
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


# --- The network that a run begins with instead of a fresh one --------------------------------------------------------

OF_PACKAGE = "value"
"""Stands for the network of the package that plays the game of the run; "value:standard" for that of another game."""


def read_beginning(settings: TDSettings) -> ValueNetwork:
    """Return the network that a run begins with.

    Raises:
        InvalidOptionError: It does not play the game of the run.
        CheckpointError: It is missing, unreadable, cut off or edited, or was made for other layouts.
    """
    name = settings.begin_with
    network = _named(name, settings.game)
    missing = [variant for variant in settings.variants if variant not in network.variants]
    if not missing:
        return network
    old, new = (layout_for(variant, "features") for variant in (network.variants[0], settings.variant))
    if not _begins_with(new, old):
        raise InvalidOptionError(
            f"network {name} cannot be the beginning of a run of {', '.join(settings.variants)}: "
            f"it plays {', '.join(network.variants)}"
        )
    return _with_more_features(network, old.size, new.size, settings.variants)


def _named(name: str, game: str) -> ValueNetwork:
    """Return the network of a path, or one of the package: as agents name it, or of a game."""
    package, _, other = name.partition(":")
    if package != OF_PACKAGE:
        return VALUE_NETWORKS.read(name)
    if other.startswith("@"):
        return VALUE_NETWORKS.read(other)
    if other and other not in PUBLISHED_VALUES:
        raise InvalidOptionError(
            f"network {shown(name)} is unknown: those of the package play {', '.join(PUBLISHED_VALUES)}"
        )
    return published_network(other or game)


def _begins_with(new: Layout, old: Layout) -> bool:
    """Return whether every feature of ``old`` stands at the same place in ``new``."""
    places = {(part.name, part.offset, part.shape) for part in new}
    return all((part.name, part.offset, part.shape) in places for part in old)


def _with_more_features(network: ValueNetwork, old: int, new: int, variants: tuple[str, ...]) -> ValueNetwork:
    """Return a network that values positions as ``network`` does and sees more, which counts nothing yet.

    Args:
        network: Begins with ``old`` features, followed by estimates.
        old: Number of features it sees.
        new: Number of features of ``variants``, of which the first ones are those it knows.
        variants: What the network returned plays.
    """
    first = network.arrays.first
    unseen = np.zeros((new - old, first.shape[1]), first.dtype)
    arrays = network.arrays._replace(first=np.concatenate([first[:old], unseen, first[old:]]))
    return ValueNetwork(arrays, variants, network.card)


def beginning_with(
    settings: TDSettings,
    network: str,
    read: Callable[[TDSettings], NetworkArrays] = lambda found: read_beginning(found).arrays,
) -> TDSettings:
    """Return the settings of a run that begins with a network and takes over its shape; raise as ``read_beginning``.

    Args:
        settings: Of the run.
        network: The path of a network, OF_PACKAGE, or that with the name of another game, as in "value:standard".
        read: Returns the network that a run begins with, as the adapter of the run reads it.
    """
    settings = settings.replace(begin_with=network)
    arrays = read(settings)
    return settings.replace(first_width=arrays.first.shape[1], second_width=arrays.second.shape[1])


# --- The adapters -----------------------------------------------------------------------------------------------------

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

    def population(self, settings: TDSettings) -> Population:
        """Return the players of a run; errors as of ``EndeavorPopulation``."""
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
    population = staticmethod(EndeavorPopulation)
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
