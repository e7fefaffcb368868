"""Plays a tournament from Python."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from endeavor_env import Board
from endeavor_env.agents.tournament.files import write_fields
from endeavor_env.agents.tournament.processes import count_jobs, play_units
from endeavor_env.agents.tournament.rating import DEFAULT_RESAMPLES, check_choix
from endeavor_env.agents.tournament.result import TournamentResult, check_report, make_result
from endeavor_env.agents.tournament.settings import DEFAULT_GAMES, DEFAULT_MIXED, TournamentSettings, read_settings
from endeavor_env.agents.tournament.store import TournamentStore, open_store
from endeavor_env.agents.tournament.work_items import WorkItemPlayer, WorkItemResult
from endeavor_env.endeavor.setups import STANDARD
from endeavor_env.engine.game import GameConfig


def play_tournament(
    agents: Sequence[str],
    games: int = DEFAULT_GAMES,
    seed: int | None = 0,
    *,
    players: Sequence[int] | None = None,
    mixed: int = DEFAULT_MIXED,
    board: Board | str | Path | None = None,
    variant: str = STANDARD,
    options: Mapping[str, Any] | None = None,
    exploits: Sequence[str] | str | None = None,
    config: GameConfig | None = None,
    records: Path | None = None,
    out: Path | None = None,
    jobs: int | None = 1,
    resamples: int = DEFAULT_RESAMPLES,
    anchor: str | None = None,
) -> TournamentResult:
    """Play every agent against every other in all fields, and return the result.

    Args:
        agents: Names of agents of the game, at least 2, each once.
        games: The least number of games of each field, at least 1, in the solitaire game 2; it is rounded up to whole
            set-ups, each of which is played in as many seatings as there are seats.
        seed: At least 0; None takes one from the operating system. The same seed gives the same games.
        players: Table sizes, each once: some of 3, 4 and 5 in the base game, where None stands for 4.
        mixed: The most mixed tables for each table size, at least 0; a sample is drawn if there are more.
        board: What ``Board.resolve`` takes.
        variant: A name of VARIANT_NAMES.
        options: The variant's options by name, as ``Game.new`` takes them; not ``difficulty`` of the solitaire game,
            which is played at each.
        exploits: The Exploits in play, as ``Game.new`` takes them.
        config: What is played, of any game, in place of board, variant, options and exploits; its number of seats is
            the table size if ``players`` is left out.
        records: A folder for the records of all games; None writes none.
        out: A folder that keeps the games; if it has some of this tournament, only the others are played.
        jobs: Number of processes, None for that of the cores. With more than one, a script must start its work below
            ``if __name__ == "__main__":``, because each process imports it.
        resamples: Times the set-ups are drawn for the intervals of the ratings.
        anchor: The agent with the rating 0; None makes the mean 0.

    Raises:
        InvalidOptionError: Anything that does not fit, a folder that cannot be used, or choix is missing.
        InvalidBoardError: A board file with faults, or a board the variant cannot be played on.
        CheckpointError: A checkpoint that cannot be loaded, or that was trained on another variant.
        EndeavorError: An agent failed, a process died, or the files in ``out`` were edited.
    """
    check_choix()
    count = count_jobs(jobs)
    settings = read_settings(
        agents,
        games,
        seed,
        players=players,
        mixed=mixed,
        board=board,
        variant=variant,
        options=options,
        exploits=exploits,
        config=config,
        records=records,
    )
    check_report(settings, resamples, anchor)
    with open_store(out, settings) as store:
        for _ in play_missing(settings, store, count):
            pass
        return make_result(settings, store.units.values(), resamples, anchor)


def play_missing(
    settings: TournamentSettings, store: TournamentStore, jobs: int
) -> Generator[WorkItemResult, None, None]:
    """Play the units that a store does not have; keep each, and yield it. Closing the generator ends all processes."""
    write_fields(settings)
    for played in play_units(partial(WorkItemPlayer, settings), store.missing(), jobs):
        store.add(played)
        yield played
