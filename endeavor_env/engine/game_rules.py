"""A game as the engine takes it: dtypes, code entries, action ids, layouts of observations, and scale of rewards."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from endeavor_env.engine.kernels.endings import Scale
from endeavor_env.engine.kernels.rules import CHANCE_MOVE, NUM_ENTRIES, RESAMPLE, check_header
from endeavor_env.engine.layouts import Layout
from endeavor_env.engine.players import PlayerList
from endeavor_env.engine.presenter import Presenter
from endeavor_env.engine.words import NumberWords, Words
from endeavor_env.kernels.calls import address_of
from endeavor_env.kernels.parts import Part

if TYPE_CHECKING:
    from endeavor_env.engine.game import Game as Game

WORD = np.dtype(np.int64)


def no_fault(*_given: object) -> str | None:
    """Return None: whatever set-up is given fits."""
    return None


def nothing_unread(positions: npt.NDArray[np.void]) -> None:
    """Leave positions as they are: the rules may read every field."""


def nothing_unused(variant: str) -> bytes:
    """Return no bytes: every variant uses the whole position."""
    return b""


def no_parts(variants: Sequence[str]) -> Sequence[Part]:
    """Return no parts of the machine code."""
    return ()


class SolitaireInfos:
    """Entries of ``info`` for a game against an opponent without a seat, besides scores and winners: none.

    Attributes:
        texts: Names of the texts among them, which are empty while a game runs.
    """

    texts: tuple[str, ...] = ()

    def of_game(self, game: Game) -> dict[str, Any]:
        """Return the entries for a single game as it stands."""
        return {}

    def of_games(self, scores: npt.NDArray[np.int64], notes: npt.NDArray[np.int64]) -> dict[str, npt.NDArray[Any]]:
        """Return the entries for games of a vector environment that have ended, (n,) each.

        Args:
            scores: (n, MAX_SEATS), of which the second is the opponent's.
            notes: (n,), notes of ``rules.score`` about each end.
        """
        return {}


@dataclass(frozen=True)
class GameRules:
    """A game.

    Attributes:
        name: What it is called.
        board: The dtype of a board, a multiple of 8 bytes like the next two.
        position: The dtype of a position, which has the fields of ``position.HEADER``.
        setup: The dtype of a set-up.
        entries: (NUM_ENTRIES,) code entries with ``rules.SIGNATURES``, by the numbers of ``engine.kernels.rules``;
            None for CHANCE_MOVE in a game without chance after its set-up, and for RESAMPLE in one where seats see all.
        num_actions: Returns the number of action ids of a variant, by its name.
        layout_for: Returns the layout of the observations of a variant: "features" or "compact".
        scale: What rewards are measured by.
        variants: The names of the variants in the order of their numbers in positions, each with the fewest and the
            most seats.
        words: The moves as text.
        presenter: What people see of the game; scores and moves as text, unless the game has more to show.
        setup_fault: Returns what is wrong with a set-up that somebody gives, as a sentence without subject, or None:
            takes board, set-up, number of seats, variant and options. What kernels cannot take must be named here.
        players: Its compiled players besides ``random``.
        solitaire: Entries of ``info`` in environments for a game against an opponent without a seat.
        first_player: Field of a set-up that holds the first player, which a reset of an environment may then give;
            None for a game without one.
        mixing_fault: Returns why games of some variants, given by name, are not possible side by side, as a sentence
            without a full stop, or None.
        needs: Returns the parts of the machine code that games of some variants, given by name, call.
        clear_unread: Sets to one value, in place, the fields of (N,) positions of one variant that the rules never read
            again, so that positions which differ in them alone are the same to a search.
        unused: Returns the last bytes of a position that games of a variant, given by name, never write.
    """

    name: str
    board: np.dtype[np.void]
    position: np.dtype[np.void]
    setup: np.dtype[np.void]
    entries: tuple[Callable[..., Any] | None, ...]
    num_actions: Callable[[str], int]
    layout_for: Callable[[str, str], Layout]
    scale: Scale
    variants: Mapping[str, tuple[int, int]]
    words: Words = NumberWords()  # noqa: RUF009 (a constant)
    setup_fault: Callable[..., str | None] = field(default_factory=lambda: no_fault)
    presenter: Presenter = Presenter("A game")  # noqa: RUF009 (a constant)
    players: PlayerList = PlayerList()  # noqa: RUF009 (a constant)
    solitaire: SolitaireInfos = SolitaireInfos()  # noqa: RUF009 (a constant)
    first_player: str | None = None
    mixing_fault: Callable[[Sequence[str]], str | None] = field(default_factory=lambda: no_fault)
    needs: Callable[[Sequence[str]], Sequence[Part]] = field(default_factory=lambda: no_parts)
    clear_unread: Callable[[npt.NDArray[np.void]], None] = field(default_factory=lambda: nothing_unread)
    unused: Callable[[str], bytes] = field(default_factory=lambda: nothing_unused)

    def __post_init__(self) -> None:
        """Check the dtypes."""
        check_header(self.position)

    @functools.cached_property
    def addresses(self) -> npt.NDArray[np.int64]:
        """(NUM_ENTRIES,) int64: the addresses of the entries in this process, made if need be."""
        assert len(self.entries) == NUM_ENTRIES
        found = np.array([0 if entry is None else address_of(entry) for entry in self.entries], np.int64)
        found.flags.writeable = False
        return found

    @property
    def has_chance(self) -> bool:
        """Whether chance makes moves after the set-up."""
        return self.entries[CHANCE_MOVE] is not None

    @property
    def has_secrets(self) -> bool:
        """Whether seats may know something that others may not."""
        return self.entries[RESAMPLE] is not None

    @property
    def seed_tells(self) -> bool:
        """Whether the seed of a game tells what its seats cannot know: draws to come, or hidden parts."""
        return self.has_chance or self.has_secrets

    def __str__(self) -> str:
        """Return the name of the game."""
        return self.name

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy is made of: another process has other addresses."""
        return {name: value for name, value in self.__dict__.items() if name != "addresses"}

    def __deepcopy__(self, memo: dict[int, Any]) -> GameRules:
        """Return the game itself, which nobody changes."""
        return self

    def given(
        self, boards: npt.NDArray[np.void], positions: npt.NDArray[np.void]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return what kernels of the engine get of a game: addresses, (B,) boards and (N,) positions as rows."""
        return self.addresses, rows_of(boards), rows_of(positions)


def rows_of(records: npt.NDArray[np.void]) -> npt.NDArray[np.int64]:
    """Return contiguous records, (N,) of a dtype of a game, as rows of words in their memory, (N, words) int64."""
    return np.ndarray((records.size, records.dtype.itemsize // WORD.itemsize), WORD, records)  # quicker than a view


def zeroed(kind: np.dtype[np.void]) -> npt.NDArray[np.void]:
    """Return a writable (1,) record of zeros; NumPy's own ``zeros`` takes four times as long for a record."""
    return np.frombuffer(bytearray(kind.itemsize), kind)


def copied(records: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
    """Return a copy of records that lie together, as bytes, because NumPy would copy them field by field."""
    return np.frombuffer(bytearray(records.tobytes()), records.dtype)


def taken(records: npt.NDArray[np.void], rows: npt.NDArray[np.bool_ | np.integer]) -> npt.NDArray[np.void]:
    """Return copies of some of the records that lie together, as words, because NumPy would copy them field by field.

    Args:
        records: (N,) of a dtype of a game.
        rows: (N,) bool, the records to take; or any number of indices, in the order to take them.
    """
    return rows_of(records)[rows].view(records.dtype).reshape(-1)
