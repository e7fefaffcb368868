"""Reading a dataset: its card, its shards one by one or together, and a split that keeps set-ups apart."""

from __future__ import annotations

import hashlib
import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.agents.games import actions_hash, layout_of, sizes_of
from endeavor_env.basics.arrays import read_arrays
from endeavor_env.basics.files import read_json_object, read_regular, regular_digest, write_bytes
from endeavor_env.basics.inputs import OBSERVATIONS, real_number, whole_number
from endeavor_env.endeavor.observation import Layout
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.games import known_variants
from endeavor_env.errors import DatasetError, InvalidOptionError, named, shown

# --- One shard: the arrays of some games, in one compressed file -----------------------------------------------------


@dataclass(frozen=True, eq=False)
class Shard:
    """The decisions of some games, in the order in which they were made, game after game.

    n is the number of decisions, g that of games, and e the number of seats of all games together. Games have numbers
    from 0 on in the whole dataset, seats are those of their game, agents are numbered as in ``Dataset.agents``.
    """

    observations: npt.NDArray[Any]
    """(n, size) float32 or int8: what the seat to move sees."""
    masks: npt.NDArray[np.uint8]
    """(n, bytes) uint8: the legal actions as bits, the first in the highest bit; ``legal`` unpacks them."""
    actions: npt.NDArray[np.int16]
    """(n,) int16: the action id that was chosen."""
    seats: npt.NDArray[np.int8]
    """(n,) int8: the seat that decided."""
    games: npt.NDArray[np.int32]
    """(n,) int32: the number of the game."""
    moves: npt.NDArray[np.int16]
    """(n,) int16: the number of the decision in its game, from 0."""
    agents: npt.NDArray[np.int8]
    """(n,) int8: the agent that decided."""
    outcomes: npt.NDArray[np.float32]
    """(n,) float32: the reward that the game brings the seat at its end."""
    last_observations: npt.NDArray[Any]
    """(e, size): what each seat sees when the game is over."""
    last_games: npt.NDArray[np.int32]
    """(e,) int32: the number of the game."""
    last_seats: npt.NDArray[np.int8]
    """(e,) int8: the seat."""
    game_numbers: npt.NDArray[np.int32]
    """(g,) int32: the number of each game."""
    game_kinds: npt.NDArray[np.int16]
    """(g,) int16: the kind of game, an index into ``Dataset.kinds``."""
    game_setups: npt.NDArray[np.int32]
    """(g,) int32: the number of the set-up; games of a kind with the same number differ in seating or difficulty."""
    game_seeds: npt.NDArray[np.int64]
    """(g,) int64: the seed of the set-up, as ``Game.new`` takes it."""
    game_seats: npt.NDArray[np.int8]
    """(g,) int8: the number of seats."""
    game_agents: npt.NDArray[np.int8]
    """(g, MAX_SEATS) int8: the agent in each seat, -1 where there is none."""
    game_difficulties: npt.NDArray[np.int8]
    """(g,) int8: in solo the index in ``DIFFICULTY_NAMES``, otherwise 0."""
    game_scores: npt.NDArray[np.int16]
    """(g, MAX_SEATS) int16: final Glory by seat, in solo of player and Opposition, 0 beyond."""
    num_actions: int
    """Number of action ids."""

    def __len__(self) -> int:
        """Return the number of decisions."""
        return len(self.actions)

    def legal(self, rows: npt.NDArray[Any] | slice | int | np.integer[Any] = slice(None)) -> npt.NDArray[np.bool_]:
        """Return the legal actions of some decisions, (rows, num_actions) bool; of a single one (num_actions,)."""
        return np.unpackbits(self.masks[rows], axis=-1, count=self.num_actions).view(np.bool_)


MOST_BYTES = 1 << 30
"""Size of the largest file of a shard that is read; those of a hundred games have some MB."""
MOST_RATIO = 400
"""Most bytes of arrays for each byte of a file, in which deflate can hide a thousand: games of Endeavor have up to 50,
those of Merchants of Europe up to 190."""
ARRAYS = tuple(one.name for one in fields(Shard) if one.name != "num_actions")
"""The arrays of a shard's file."""


def shapes_of(layout: Layout, num_actions: int) -> dict[str, tuple[str, tuple[int, ...], np.dtype[Any]]]:
    """Return for each array what its first axis counts ("n", "e" or "g"), the other axes, and its type."""
    by_name: dict[str, tuple[str, tuple[int, ...], npt.DTypeLike]] = {
        "observations": ("n", (layout.size,), layout.dtype),
        "masks": ("n", (-(-num_actions // 8),), np.uint8),
        "actions": ("n", (), np.int16),
        "seats": ("n", (), np.int8),
        "games": ("n", (), np.int32),
        "moves": ("n", (), np.int16),
        "agents": ("n", (), np.int8),
        "outcomes": ("n", (), np.float32),
        "last_observations": ("e", (layout.size,), layout.dtype),
        "last_games": ("e", (), np.int32),
        "last_seats": ("e", (), np.int8),
        "game_numbers": ("g", (), np.int32),
        "game_kinds": ("g", (), np.int16),
        "game_setups": ("g", (), np.int32),
        "game_seeds": ("g", (), np.int64),
        "game_seats": ("g", (), np.int8),
        "game_agents": ("g", (c.MAX_SEATS,), np.int8),
        "game_difficulties": ("g", (), np.int8),
        "game_scores": ("g", (c.MAX_SEATS,), np.int16),
    }
    return {name: (axis, shape, np.dtype(kind)) for name, (axis, shape, kind) in by_name.items()}


def write_shard(path: Path, shard: Shard) -> dict[str, Any]:
    """Write a shard in one step; return what the card says about it: file, games, decisions, bytes and sha256."""
    stored = io.BytesIO()
    np.savez_compressed(stored, **{name: getattr(shard, name) for name in ARRAYS})
    content = stored.getvalue()
    write_bytes(path, content)
    counts = {"games": len(shard.game_numbers), "decisions": len(shard)}
    return {"file": path.name, **counts, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def intact(path: Path, entry: dict[str, Any]) -> bool:
    """Return whether a shard is there as its entry of the card says."""
    try:
        return regular_digest(path) == entry["sha256"]
    except ValueError:
        return False


def read_shard(path: Path, entry: dict[str, Any], layout: Layout, num_actions: int) -> Shard:
    """Return a shard.

    Args:
        path: Its file.
        entry: What the card says about it.
        layout: The layout of its observations.
        num_actions: Number of action ids.

    Raises:
        DatasetError: The file is missing, cut off, edited or another one, or does not hold what the card says.
    """
    try:
        content = read_regular(path, MOST_BYTES)
    except ValueError as error:
        raise DatasetError(f"shard {named(str(path))} {error}") from error
    if hashlib.sha256(content).hexdigest() != entry["sha256"]:
        raise DatasetError(
            f"shard {named(str(path))} is cut off, edited or another file, with {len(content):,} bytes instead of "
            f"{entry['bytes']:,}: the command in dataset.json plays it again"
        )
    try:
        expected = shapes_of(layout, num_actions)
        stored = read_arrays(content, min(_bytes_of(expected, entry), MOST_RATIO * len(content)))
        if missing := [name for name in ARRAYS if name not in stored]:
            raise ValueError(f"it lacks {missing[0]}")
    except ValueError as error:
        raise DatasetError(f"shard {named(str(path))} does not hold the arrays of a dataset: {error}") from error
    arrays = {name: stored[name] for name in ARRAYS}
    _check_shapes(path, arrays, entry, expected)
    return Shard(**arrays, num_actions=num_actions)


def _bytes_of(expected: dict[str, Any], entry: dict[str, Any]) -> int:
    """Return the most bytes that the arrays of a shard with the counts of its card take."""
    counts = {"n": entry["decisions"], "g": entry["games"], "e": entry["games"] * c.MAX_SEATS}
    return sum(counts[axis] * math.prod(shape) * kind.itemsize for axis, shape, kind in expected.values())


def _check_shapes(path: Path, arrays: dict[str, Any], entry: dict[str, Any], expected: dict[str, Any]) -> None:
    """Raise DatasetError unless the arrays have the shapes and types of the layout and the counts of the card."""
    counts = {"n": entry["decisions"], "g": entry["games"], "e": len(arrays["last_seats"])}
    for name, (axis, shape, kind) in expected.items():
        if arrays[name].shape != (counts[axis], *shape) or arrays[name].dtype != kind:
            raise DatasetError(
                f"shard {named(str(path))} has {name} of shape {arrays[name].shape} and type {arrays[name].dtype}: its "
                f"card says {(counts[axis], *shape)} and {kind}"
            )


def concatenated(shards: list[Shard]) -> Shard:
    """Return several shards, at least one, as one."""
    joined = {name: np.concatenate([getattr(shard, name) for shard in shards]) for name in ARRAYS}
    return Shard(**joined, num_actions=shards[0].num_actions)


# --- ``dataset.json``, the card of a dataset: what made it, which layouts it has, and its shards ---------------------

FORMAT = "endeavor-dataset/1"
CARD = "dataset.json"
FIXED = ("format", "package_version", "settings", "layout", "actions", "agents", "kinds")
"""Fields that must be the same when a dataset is continued."""
_TYPES = {
    "package_version": str,
    "command": str,
    "settings": dict,
    "layout": dict,
    "actions": dict,
    "agents": list,
    "kinds": list,
    "shards": list,
    "complete": bool,
}
_ENTRY = {"file": str, "games": int, "decisions": int, "bytes": int, "sha256": str}
"""The fields of the entry of a shard, and their types."""
MOST = 1 << 53
"""No shard has more games, decisions or bytes."""


def read_card(folder: Path) -> dict[str, Any]:
    """Return the checked card of a dataset.

    Raises:
        DatasetError: It is missing, cut off or edited, of another format, or its layouts are not those of this version.
    """
    file = folder / CARD
    if not file.exists():
        raise DatasetError(f"{named(str(folder))} holds no dataset: it has no {CARD}")
    card = read_json_object(file, "dataset", DatasetError)
    if card.get("format") != FORMAT:
        raise DatasetError(
            f"{named(str(file))} has the format {shown(card.get('format'))}: this version reads {FORMAT!r}"
        )
    for field, kind in _TYPES.items():
        if not isinstance(card.get(field), kind):
            raise DatasetError(f"{named(str(file))} was edited: it has no usable {field}")
    for entry in card["shards"]:
        if not isinstance(entry, dict) or any(type(entry.get(name)) is not kind for name, kind in _ENTRY.items()):
            raise DatasetError(f"{named(str(file))} was edited: {shown(entry)} describes no shard")
        if not all(0 <= entry[name] <= MOST for name in ("games", "decisions", "bytes")):
            raise DatasetError(f"{named(str(file))} was edited: {shown(entry)} has more or less than a shard can have")
        if Path(entry["file"]).name != entry["file"] or not entry["file"].isprintable():
            raise DatasetError(f"{named(str(file))} was edited: {shown(entry['file'])} is no name of a shard")
    names = [entry["file"] for entry in card["shards"]]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise DatasetError(f"{named(str(file))} was edited: it names the shard {shown(twice)} twice")
    _check_layouts(file, card)
    return card


def _check_layouts(file: Path, card: dict[str, Any]) -> None:
    """Raise DatasetError unless a card names the layouts of this version."""
    variant, observation = card["layout"].get("variant"), card["layout"].get("observation")
    if variant not in known_variants() or observation not in OBSERVATIONS:
        raise DatasetError(f"{named(str(file))} was edited: it has no usable layout")
    if card["actions"].get("number") != sizes_of(variant)[1]:
        raise DatasetError(f"{named(str(file))} was edited: it has another number of actions than {variant!r}")
    known = {"observation": layout_of(variant, observation).hash, "action": actions_hash(variant)}
    have = {"observation": card["layout"].get("hash"), "action": card["actions"].get("hash")}
    for name, hash_now in known.items():
        if have[name] != hash_now:
            raise DatasetError(
                f"{named(str(file))} was made for another {name} layout, {shown(have[name])}: this version has "
                f"{hash_now} for {variant!r}; use it with endeavor-env {card['package_version'][:20]}, or make it again"
            )


# --- Reading a dataset: its card, its shards one by one or together, and a split that keeps set-ups apart ------------


class Dataset:
    """A dataset on disk. Shards are read when they are asked for.

    Attributes:
        path: The folder.
        card: What ``dataset.json`` holds, among it ``command``, ``settings`` and ``kinds``.
        agents: Names of the agents; shards number them in this order.
        kinds: The kinds of game: agents, variant, options, difficulties, board and its hash.
        layout: The layout of the observations.
        num_actions: Number of action ids.
        complete: Whether all games were played; a dataset that was stopped can be read as well.
    """

    def __init__(self, path: Path, card: dict[str, Any]) -> None:
        """Stand for a folder with a checked card; use ``read``."""
        self.path = path
        self.card = card
        self.agents: list[str] = card["agents"]
        self.kinds: list[dict[str, Any]] = card["kinds"]
        self.layout: Layout = layout_of(card["layout"]["variant"], card["layout"]["observation"])
        self.num_actions: int = card["actions"]["number"]
        self.complete: bool = card["complete"]

    def __len__(self) -> int:
        """Return the number of shards, which iterating yields."""
        return len(self.shards)

    @property
    def decisions(self) -> int:
        """Number of decisions."""
        return sum(entry["decisions"] for entry in self.card["shards"])

    @property
    def games(self) -> int:
        """Number of games."""
        return sum(entry["games"] for entry in self.card["shards"])

    @property
    def shards(self) -> range:
        """Numbers of the shards."""
        return range(len(self.card["shards"]))

    def __iter__(self) -> Iterator[Shard]:
        """Yield every shard, one in memory at a time."""
        for number in self.shards:
            yield self.load(number)

    def load(self, number: int) -> Shard:
        """Return a shard by its number.

        Raises:
            InvalidOptionError: There is no such shard.
            DatasetError: Its file is missing, cut off, edited or another one.
        """
        wanted = whole_number(number)
        if wanted is None or wanted not in self.shards:
            raise InvalidOptionError(f"shard {shown(number)} is not there: give 0 to {len(self.shards) - 1}")
        entry = self.card["shards"][wanted]
        return read_shard(self.path / entry["file"], entry, self.layout, self.num_actions)

    def together(self, numbers: Sequence[int] | None = None) -> Shard:
        """Return several shards as one, None for all; the memory for ``features`` is 8 kB a decision and more."""
        wanted = self.shards if numbers is None else numbers
        if not wanted:
            raise InvalidOptionError("no shards cannot be put together: give the number of one at least")
        return concatenated([self.load(number) for number in wanted])

    def split(self, held_out: float) -> tuple[list[int], list[int]]:
        """Return the numbers of the shards to train on, and of those held out, the last ones.

        Games of one set-up are alike, because all seatings play the same deal. A shard holds whole set-ups, so that no
        set-up is on both sides.

        Args:
            held_out: Share of the shards to hold out, above 0 and below 1; at least one on either side.

        Raises:
            InvalidOptionError: Another share, or a dataset of fewer than two shards.
        """
        share = real_number(held_out)
        if share is None or not 0 < share < 1:
            raise InvalidOptionError(f"held_out={shown(held_out)} is not possible: give a share above 0 and below 1")
        count = len(self.shards)
        if count < 2:
            raise InvalidOptionError(
                f"a dataset of {count} shards cannot be split: make one of two or more (--shard-games)"
            )
        kept = min(count - 1, max(1, count - math.ceil(share * count)))
        return list(range(kept)), list(range(kept, count))


def read(folder: str | Path) -> Dataset:
    """Return the dataset of a folder that ``endeavor datasets`` wrote.

    Raises:
        DatasetError: There is none, its card was edited or cut off, it has no shard yet, or it was made for other
            layouts of observations or actions than this version has.
    """
    path = Path(folder)
    card = read_card(path)
    if not card["shards"]:
        raise DatasetError(f"the dataset in {named(str(path))} has no shard yet: go on with the command in its card")
    return Dataset(path, card)


def read_in_python(out: Path) -> str:
    """Return the last line of a command that made a dataset."""
    return f"Next, in Python: endeavor_env.training.dataset.read({str(out)!r})"
