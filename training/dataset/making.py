"""Making a dataset: playing the games of the shards that are missing, and writing these."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from endeavor_env.agents.command_line import play_to_the_end
from endeavor_env.training.dataset.card import new_card
from endeavor_env.training.dataset.folder import Folder, open_folder
from endeavor_env.training.dataset.playing import Games
from endeavor_env.training.dataset.settings import Settings


def play_shards(games: Games, folder: Folder) -> Iterator[int]:
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
    games = Games(settings)
    with open_folder(Path(out), new_card(settings, games), force) as folder:
        play_to_the_end(play_shards(games, folder), games.plan.cycles * len(games.kinds))
        return folder.card
