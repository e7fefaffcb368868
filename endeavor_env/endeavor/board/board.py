"""Board: the data a game is played on, as one read-only BOARD array plus the ids that moves and records use."""

from __future__ import annotations

import functools
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.endeavor.board.arrays import (
    BoardArray,
    build_array,
    card_ids,
    connection_id,
    display_names,
    space_ids,
)
from endeavor_env.endeavor.board.data import DATA
from endeavor_env.endeavor.board.format import ASPECTS, BoardData, shown
from endeavor_env.endeavor.board.generator import generate_board
from endeavor_env.endeavor.board.loading import parse_toml, path_text, read_board, read_file, to_toml
from endeavor_env.endeavor.rules.board_array import BOARD, FACTS
from endeavor_env.engine.game_rules import rows_of
from endeavor_env.errors import InvalidOptionError

DEFAULT_BOARD_ID = "endeavor_2009"
MAX_SEED = 2**63 - 1
_GENERATED_ID = re.compile(r"generated_(0|[1-9][0-9]{0,18})")
_LISTS = ("regions", "cities", "connections", "decks", "buildings")
_SINGLES = ("tokens", "status_tracks", "constants")


@dataclass(frozen=True, eq=False, repr=False)
class Board:
    """One valid board: immutable, copied by reference, equal to another board with the same ``hash``.

    Regions, cities, connections, decks and building types have the same numbers in ``array`` as in the tuples here,
    in the order of the data file. Boards come from ``default``, ``load``, ``from_dict``, ``generate`` and ``resolve``.
    """

    array: BoardArray
    """(1,) BOARD, read only; what every kernel takes as its first argument."""
    id: str
    """The name of the board in records."""
    name: str
    """The name to show."""
    regions: tuple[str, ...]
    cities: tuple[str, ...]
    connections: tuple[str, ...]
    """``<city>--<city>`` in the order of the data file."""
    decks: tuple[str, ...]
    buildings: tuple[str, ...]
    cards: tuple[str, ...]
    """48 ids ``<deck>.<value>`` or ``<deck>.governor``, by card number: deck * 6 + position."""
    spaces: tuple[str | None, ...]
    """NUM_SPACES ids of token spaces, None where this board has none: city, connection or ``<region>.<n>``."""
    space_index: Mapping[str, int]
    """The index of each id in ``spaces``."""
    names: Mapping[str, str]
    """The name to show for each region, city, connection, deck and building id."""
    hash: str
    """16 hex digits of the array and all ids; names and provenances do not count."""
    _data: BoardData

    @functools.cached_property
    def rows(self) -> npt.NDArray[np.int64]:
        """(1, words) int64, the board as kernels of the engine take it, read only."""
        return rows_of(self.array)

    @classmethod
    def default(cls) -> Board:
        """Return the board of 2009, which is read once per process."""
        return _default()

    @classmethod
    def load(cls, path: str | Path) -> Board:
        """Return the board written in a TOML file (``docs/board.md``).

        Raises:
            InvalidBoardError: The file cannot be read or is not a valid board; ``faults`` lists every fault.
        """
        content = read_file(path)
        source = path_text(path)
        return cls.from_dict(parse_toml(content, source), source=source)

    @classmethod
    def from_dict(cls, data: object, source: str = "from a dictionary") -> Board:
        """Return the board in ``data``, laid out as a board file is; ``data`` is copied.

        Args:
            data: A board as ``to_dict`` returns it and ``tomllib`` reads it.
            source: The name of the board in the error.

        Raises:
            InvalidBoardError: ``data`` is not a valid board; ``faults`` lists every fault.
        """
        checked = read_board(data, source)
        array = _frozen(build_array(checked))
        ids = {key: tuple(entry["id"] for entry in checked[key]) for key in ("regions", "cities", "decks", "buildings")}
        ids["connections"] = tuple(connection_id(entry) for entry in checked["connections"])
        ids["cards"] = card_ids(checked)
        spaces = space_ids(checked)
        return cls(
            array=array,
            id=checked["id"],
            name=checked["name"],
            spaces=spaces,
            space_index=MappingProxyType({space: index for index, space in enumerate(spaces) if space is not None}),
            names=MappingProxyType(display_names(checked)),
            hash=_hash(array, checked["id"], ids),
            _data=checked,
            **ids,
        )

    @classmethod
    def generate(cls, seed: int) -> Board:
        """Return a random valid board, the same for the same ``seed``; its id is ``generated_<seed>``.

        Raises:
            InvalidOptionError: ``seed`` is not a whole number from 0 to 2**63 - 1.
        """
        if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed <= MAX_SEED:
            raise InvalidOptionError(
                f"the seed of a generated board is {shown(seed)}; it must be a whole number from 0 to {MAX_SEED}"
            )
        name = f"generated_{int(seed)}"
        return cls.from_dict(generate_board(_default().to_dict(), int(seed)), source=name)

    @classmethod
    def resolve(cls, board: Board | str | Path | None = None) -> Board:
        """Return the board that ``board`` stands for, so that every constructor can take any of its forms.

        Args:
            board: None or "endeavor_2009" for the default board, "generated_<seed>", a Board, or the path of a board
                file; a str is taken for a path if it ends in ``.toml`` or names an existing file.

        Raises:
            InvalidOptionError: ``board`` is none of these.
            InvalidBoardError: The file is not a valid board.
        """
        if board is None or (isinstance(board, str) and board == DEFAULT_BOARD_ID):
            return cls.default()
        if isinstance(board, Board):
            return board
        if isinstance(board, str) and (match := _GENERATED_ID.fullmatch(board)):
            return cls.generate(int(match[1]))
        if isinstance(board, Path) or (isinstance(board, str) and _looks_like_a_file(board)):
            return cls.load(board)
        raise InvalidOptionError(
            f'the board {shown(board)} is unknown; possible are "{DEFAULT_BOARD_ID}", "generated_<seed>", a Board, '
            "or the path of a board file (*.toml)"
        )

    def to_dict(self) -> BoardData:
        """Return the board as a fresh dictionary, laid out as a board file, with every optional key present."""
        return deepcopy(self._data)

    def to_toml(self) -> str:
        """Return the board as the text of a board file, to be edited and read with ``load``."""
        return to_toml(self._data)

    @property
    def provenance(self) -> dict[str, Any]:
        """Source of each entry, by section and id, as a fresh dictionary.

        ``provenance["cities"]["london"]`` is a word, ``provenance["buildings"]["dock"]`` a table of words. By id are
        regions, cities, connections, decks, cards and buildings; tokens, status_tracks and constants have one value.
        """
        found: dict[str, Any] = {key: self._by_id(key) for key in _LISTS}
        found["cards"] = {
            f"{deck['id']}.{card['value']}": card["provenance"]
            for deck in self._data["decks"]
            for card in deck["cards"]
        }
        found.update({key: self._data[key]["provenance"] for key in _SINGLES})
        return deepcopy(found)

    def _by_id(self, section: str) -> dict[str, Any]:
        """Return the provenance of each entry of a list."""
        entries: list[BoardData] = self._data[section]
        name_of: Callable[[BoardData], str] = connection_id if section == "connections" else lambda entry: entry["id"]
        return {name_of(entry): entry["provenance"] for entry in entries}

    def provenance_counts(self) -> dict[str, dict[str, int]]:
        """Return how many entries of each part have which provenance, e.g. ``["cities"]["reconstructed"]``.

        Parts whose aspects have separate provenances are counted by aspect: ``buildings.icons``.
        """
        counts: dict[str, Counter[str]] = {}
        for section, origins in self.provenance.items():
            for origin in [origins] if section in _SINGLES else origins.values():
                for aspect in ASPECTS.get(section, ("",)):
                    word = origin if isinstance(origin, str) else origin[aspect]
                    counts.setdefault(f"{section}.{aspect}".rstrip("."), Counter())[word] += 1
        return {part: dict(words) for part, words in counts.items()}

    def __eq__(self, other: object) -> bool:
        """Return whether the boards have the same rules content and ids."""
        return self.hash == other.hash if isinstance(other, Board) else NotImplemented

    def __hash__(self) -> int:
        """Return a hash that equal boards share."""
        return int(self.hash, 16)

    def __repr__(self) -> str:
        """Return the id, sizes and hash."""
        return f"Board({self.id!r}, {len(self.cities)} cities, {len(self.connections)} connections, hash {self.hash})"

    def __copy__(self) -> Board:
        """Return the board itself: it never changes."""
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Board:
        """Return the board itself: it never changes."""
        return self

    def __reduce__(self) -> tuple[Callable[..., Board], tuple[object, ...]]:
        """Pickle the board as its dictionary; unpickling checks it again."""
        return Board.from_dict, (self.to_dict(), self.id)


def _frozen(array: BoardArray) -> BoardArray:
    """Return a copy of ``array`` over immutable bytes, which cannot be made writable again."""
    return np.frombuffer(array.tobytes(), dtype=BOARD)


def _hash(array: BoardArray, board_id: str, ids: Mapping[str, tuple[str, ...]]) -> str:
    text = ";".join([board_id, *(f"{key}:{','.join(ids[key])}" for key in sorted(ids))])
    facts = b"".join(array[name].tobytes() for name in FACTS)
    return hashlib.sha256(facts + text.encode()).hexdigest()[:16]


def _looks_like_a_file(text: str) -> bool:
    if text.endswith(".toml"):
        return True
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # a name that is too long or has a zero byte: there is no such file
        return False


@functools.cache
def _default() -> Board:
    content = (DATA / f"{DEFAULT_BOARD_ID}.toml").read_bytes()
    return Board.from_dict(parse_toml(content, DEFAULT_BOARD_ID), source=DEFAULT_BOARD_ID)
