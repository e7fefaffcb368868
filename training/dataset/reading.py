"""Reading a dataset: its card, its shards one by one or together, and a split that keeps set-ups apart."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from endeavor_env.agents.games import layout_of
from endeavor_env.basics.inputs import real_number, whole_number
from endeavor_env.endeavor.observation import Layout
from endeavor_env.errors import DatasetError, InvalidOptionError, named, shown
from endeavor_env.training.dataset.card import read_card
from endeavor_env.training.dataset.shards import Shard, concatenated, read_shard


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
