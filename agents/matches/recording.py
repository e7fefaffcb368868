"""Records of the games of a match: a file for each, named by set-up and seating."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from endeavor_env.engine.base_game import BaseGame
from endeavor_env.engine.records import write_record
from endeavor_env.errors import InvalidOptionError

RECORDS = ("setup_*.json", "*/setup_*.json")
"""Patterns of the names of records in the folder of a match, and in that of a tournament."""


def record_setup(folder: Path, setup: int, games: Sequence[BaseGame]) -> None:
    """Write a record of each game of a set-up, ``setup_<number>_seating_<number>.json``; replace files that exist.

    Args:
        folder: The folder, which exists.
        setup: Number of the set-up.
        games: The game of each seating.
    """
    for seating, game in enumerate(games):
        write_record(game, folder / f"setup_{setup:05}_seating_{seating}.json")


def make_folder(folder: Path) -> None:
    """Create a folder with its parents if it is missing; raise InvalidOptionError if it cannot be a folder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:  # ValueError: a path that no file system takes
        why = error.strerror if isinstance(error, OSError) else error
        raise InvalidOptionError(f"{folder} cannot be a folder: {why}") from error
