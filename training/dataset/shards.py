"""One shard: the arrays of some games, in one compressed file."""

from __future__ import annotations

import hashlib
import io
import math
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.arrays import read_arrays
from endeavor_env.basics.files import read_regular, regular_digest, write_bytes
from endeavor_env.endeavor.observation import Layout
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.errors import DatasetError, named


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
