"""``endeavor bench memory``: the memory by which a process grows when it plays many games at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from endeavor_env.agents.command_line import command_line
from endeavor_env.basics.python_child import python_command
from endeavor_env.benchmarks.batch_play import SELF_PLAY, BatchSetting, BatchTurns, Play, make
from endeavor_env.benchmarks.command import check_choices, exit_status, new_app
from endeavor_env.benchmarks.report import Figure, Section
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.observation import layout_for
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.errors import InvalidOptionError

GAMES, SMOKE_GAMES, MOST_GAMES = 100_000, 1_000, 10_000_000
STATM = Path("/proc/self/statm")
TURNS = 5


app = new_app()


def resident() -> int:
    """Return the bytes of memory that this process occupies now; on Linux only."""
    return int(STATM.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def play_batch(setting: BatchSetting) -> object:
    """Play some turns of a ``Batch``; return the objects that hold the memory."""
    turns = BatchTurns(setting, spread=False)
    for _ in range(TURNS):
        turns.turn()
    return turns.batch, turns.play, turns.out  # without the environment around it, which keeps arrays for later steps


def play_env(setting: BatchSetting) -> object:
    """Play some steps of ``make_vec`` without copied observations; return the objects that hold the memory."""
    env = make(setting, copy=False)
    play = Play(env.unwrapped.batch)
    for _ in range(TURNS):
        env.step(play.sample())
    return env, play


WAYS: dict[str, Callable[[BatchSetting], object]] = {"Batch": play_batch, "make_vec": play_env}
SEEN = ("none", "compact", "features")
MEASURED = (("Batch", "none"), ("Batch", "compact"), ("Batch", "features"), ("make_vec", "compact"))


def growth(way: str, observation: str, games: int) -> float:
    """Return the bytes per game by which this process grows; everything is imported and compiled before."""
    WAYS[way](BatchSetting(way, SELF_PLAY, observation, 1, 1))
    before = resident()
    alive = WAYS[way](BatchSetting(way, SELF_PLAY, observation, games, 1))
    grown = resident() - before
    del alive
    return grown / games


def in_a_process(way: str, observation: str, games: int) -> float:
    """Return ``growth`` as measured in a new process."""
    command = python_command("-m", "endeavor_env.benchmarks.memory", way, observation, str(games))
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(json.loads(ran.stdout))


def sizes() -> Section:
    """Return the sizes of the arrays of a game."""
    batch = BatchTurns(BatchSetting("Batch", SELF_PLAY, "none", 1, 1)).batch
    beside = batch.bytes_a_game - STATE.itemsize - batch.words.nbytes // batch.size
    figures = [
        Figure.of("state", "bytes", [STATE.itemsize]),
        Figure.of("what a batch keeps beside state and mask", "bytes", [beside]),
    ]
    for kind in (GameConfig(), GameConfig("solo")):
        mask, name = num_actions(kind.variant), "base game" if kind.variant == "standard" else "variants"
        figures.append(Figure.of(f"mask, {name}", "bytes", [mask]))
        for observation in ("compact", "features"):
            layout = layout_for(kind.variant, observation)
            nbytes = layout.size * np.dtype(layout.dtype).itemsize
            figures.append(Figure.of(f"{observation} observation, {name}", "bytes", [nbytes]))
    figures.append(Figure.of("board, one for all games", "bytes", [Board.default().array.nbytes]))
    return Section("Memory: arrays of a game", figures)


def memory(smoke: bool) -> list[Section]:
    """Return the sizes of the arrays, and measure how much a process grows when it plays many games."""
    games = SMOKE_GAMES if smoke else GAMES
    measured = MEASURED[1:2] if smoke else MEASURED
    if not STATM.exists():
        return [sizes()]
    figures = [
        Figure.of(f"`{way}`, observation: {observation}", "bytes a game", [in_a_process(way, observation, games)])
        for way, observation in measured
    ]
    return [sizes(), Section(f"Memory: growth of a process by {games:,} games, {TURNS} turns played", figures)]


@app.command()
def command(
    way: Annotated[str, typer.Argument(help=f"Interface to play through: {', '.join(WAYS)}.")],
    observation: Annotated[str, typer.Argument(help=f"{', '.join(SEEN)}.")],
    games: Annotated[int, typer.Argument(help=f"Number of games, 1 to {MOST_GAMES}.")],
) -> None:
    """Measure the growth of a process in bytes per game, and print it as JSON."""
    with command_line():
        check_choices("way", [way], WAYS)
        check_choices("observation", [observation], SEEN)
        if not 1 <= games <= MOST_GAMES:
            raise InvalidOptionError(f"games={games} is not possible: games must be 1 to {MOST_GAMES}")
        print(json.dumps(growth(way, observation, games)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, run, and return the exit status."""
    return exit_status(app, "endeavor_env.benchmarks.memory", arguments)


if __name__ == "__main__":
    sys.exit(main())
