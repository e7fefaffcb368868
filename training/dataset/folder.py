"""The folder of a dataset while it is written: begun, continued or replaced, shard by shard."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from endeavor_env.agents.command_line import play_to_the_end
from endeavor_env.agents.runner import make_folder
from endeavor_env.basics.file_lock import file_lock
from endeavor_env.basics.files import write_json
from endeavor_env.errors import DatasetError, InvalidOptionError, named
from endeavor_env.training.dataset.card import CARD, FIXED, new_card, read_card
from endeavor_env.training.dataset.playing import DatasetGames
from endeavor_env.training.dataset.settings import Settings
from endeavor_env.training.dataset.shards import Shard, intact, write_shard

# --- The folder of a dataset while it is written: begun, continued where it was stopped, or replaced -----------------

LOCK = "dataset.lock"
SHARDS = "shard_*.npz"


class Folder:
    """The folder of a dataset.

    Attributes:
        path: The folder.
        card: What ``dataset.json`` holds.
    """

    def __init__(self, path: Path, card: dict[str, Any]) -> None:
        """Stand for a folder whose card is written; use ``open_folder``."""
        self.path = path
        self.card = card

    def missing(self, shards: int) -> list[int]:
        """Return which of so many shards are to be written; those cut off or edited leave the card."""
        done = [entry for entry in self.card["shards"] if intact(self.path / entry["file"], entry)]
        if len(done) < len(self.card["shards"]):
            self._write_card(done, complete=False)
        files = {entry["file"] for entry in done}
        return [number for number in range(shards) if shard_name(number) not in files]

    def add(self, number: int, shard: Shard, complete: bool) -> None:
        """Write a shard, then the card with it; ``complete`` says whether it was the last one missing."""
        entry = write_shard(self.path / shard_name(number), shard)
        self._write_card([*self.card["shards"], entry], complete)

    def _write_card(self, entries: list[dict[str, Any]], complete: bool) -> None:
        """Write the card with these shards."""
        totals = {name: sum(one[name] for one in entries) for name in ("games", "decisions", "bytes")}
        entries = sorted(entries, key=lambda one: one["file"])
        self.card = {**self.card, **totals, "complete": complete, "shards": entries}
        write_json(self.path / CARD, self.card)


def shard_name(number: int) -> str:
    """Return the name of a shard's file."""
    return f"shard_{number:05}.npz"


@contextmanager
def open_folder(path: Path, card: dict[str, Any], force: bool) -> Iterator[Folder]:
    """Begin a dataset in a new or empty folder, or go on with the one in it, and hold its lock.

    Args:
        path: The folder; it is created with its parents.
        card: The card of the dataset, without shards.
        force: Replace a dataset in the folder that is another one or cannot be read.

    Raises:
        InvalidOptionError: The folder holds another dataset or other files, is in use by another process, or cannot be
            written.
        DatasetError: The card in it cannot be read.
    """
    make_folder(path)

    def refuse(_: float) -> None:
        raise InvalidOptionError(f"another process writes the dataset in {path}: wait for it, or stop it")

    with file_lock(path / LOCK, refuse):
        stored = _stored(path, card, force)
        if stored is None:
            for file in path.glob(SHARDS):
                file.unlink()
            write_json(path / CARD, card)
        yield Folder(path, stored or card)


def _stored(path: Path, card: dict[str, Any], force: bool) -> dict[str, Any] | None:
    """Return the card in a folder if it is of the dataset to be made; None if there is none, or it may be replaced."""
    if not (path / CARD).exists():
        others = sorted(file.name for file in path.iterdir() if file.name != LOCK)
        if others:
            raise InvalidOptionError(f"{path} holds {others[0]} but no dataset: give an empty or new folder")
        return None
    try:
        stored = read_card(path)
    except DatasetError as error:
        if force:
            return None
        raise DatasetError(f"{error}; --force replaces the dataset, and another --out leaves it alone") from error
    other = next((name for name in FIXED if stored.get(name) != card[name]), None)
    if other is None:
        return stored
    if force:
        return None
    raise InvalidOptionError(
        f"{path} holds a dataset with other {_difference(other, stored, card)}: give the same settings to go on with "
        "it, another --out, or --force to replace it"
    )


def _difference(name: str, stored: dict[str, Any], card: dict[str, Any]) -> str:
    """Return what differs between two cards in one of their entries."""
    old, new = stored[name], card[name]
    if isinstance(old, dict) and isinstance(new, dict):
        name = next((key for key in new if old.get(key) != new[key]), name)
        old, new = old.get(name), new.get(name)
    return f"{name}, {named(json.dumps(old))} instead of {named(json.dumps(new))}"


# --- Making a dataset: playing the games of the shards that are missing, and writing these ---------------------------


def play_shards(games: DatasetGames, folder: Folder) -> Iterator[int]:
    """Play the games of the shards that are missing and write them; yield the number of set-ups done after each."""
    missing, kinds = folder.missing(games.plan.shards), len(games.kinds)
    done = kinds * sum(
        len(games.plan.cycles_of(number)) for number in range(games.plan.shards) if number not in missing
    )
    yield done
    while missing:
        number = missing.pop(0)
        cycles = games.plan.cycles_of(number)
        played = []
        for cycle in cycles:
            for kind in range(kinds):
                played += games.play(kind, cycle)
                done += 1
                yield done
        shard = games.shard(played, cycles[0] * games.plan.games_per_cycle)
        folder.add(number, shard, complete=not missing)


def make_dataset(settings: Settings, out: str | Path, *, force: bool = False) -> dict[str, Any]:
    """Make a dataset, or go on with it, and return its card, whose ``complete`` says whether it was finished.

    Ctrl-C ends it early; the shards that are done stay. A terminal shows a progress bar.

    Args:
        settings: What is played.
        out: The folder.
        force: Replace another dataset in it.

    Raises:
        InvalidOptionError: Impossible settings, or a folder that cannot be used.
        DatasetError: The dataset in the folder cannot be read.
    """
    games = DatasetGames(settings)
    with open_folder(Path(out), new_card(settings, games), force) as folder:
        play_to_the_end(play_shards(games, folder), games.plan.cycles * len(games.kinds))
        return folder.card
