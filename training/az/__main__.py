"""``endeavor train az --preset quick``: train a policy and a value for each seat by searches in self-play.

A run leaves a folder with its settings, TensorBoard curves, periodic checkpoints, and at the end ``policy.npz`` and
``value.npz`` with their cards. It can be stopped at any time and continued with ``--resume``, as if it had not been
stopped.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from endeavor_env.agents.command_line import command_line, start
from endeavor_env.agents.extras import check_libraries
from endeavor_env.agents.terminal import own_command, print_line, print_next, terminal
from endeavor_env.endeavor.ensure import ensure_parts
from endeavor_env.endeavor.rules.parts import EXPLOITS, LEARNING, PLAYERS, SEARCHED, SEARCHES
from endeavor_env.training.az.beginning import read_beginning, with_widths_of
from endeavor_env.training.az.folder import AZRunFolder
from endeavor_env.training.az.games import ProcessWorkers, play_searches
from endeavor_env.training.az.settings import PRESETS, AZSettings, preset
from endeavor_env.training.runs.running import (
    ResumedFolder,
    StartOver,
    StopRequest,
    check_resumption,
    memory_for,
    next_match,
    sole_use,
    stopped,
)
from endeavor_env.training.runs.settings import DEVICES
from endeavor_env.training.runs.stored_run import free_folder
from endeavor_env.training.td.folder import board_of
from endeavor_env.training.td.workers import Workers, ray_workers


def train(
    folder: AZRunFolder,
    console: Console,
    *,
    start_over: bool = False,
    workers: Workers | None = None,
    minutes: float | None = None,
) -> bool:
    """Train a run to its end, from its newest sound checkpoint if it has one; return whether it got there.

    Args:
        folder: The folder of the run.
        console: Prints what happens.
        start_over: Begin at 0 whatever checkpoints there are; these are kept unused.
        workers: Who plays the games; None for as many processes as the settings name.
        minutes: After so many the run ends; None for the iterations of the settings alone.

    Raises:
        CheckpointError: The folder has checkpoints, but none can be used, or its settings were changed since.
    """
    from endeavor_env.training.az.progress import Progress  # needs PyTorch, which the help does not
    from endeavor_env.training.az.run import AZRun

    checkpoint = folder.begin_or_go_on(start_over, lambda line: print_line(line, console))
    settings = folder.settings
    ensure_parts(LEARNING, PLAYERS, SEARCHED, SEARCHES, *((EXPLOITS,) if settings.game == "exploits" else ()))
    playing = ProcessWorkers(folder.board, settings.workers) if workers is None else workers
    progress = Progress(console, folder.tensorboard, settings.workers or os.cpu_count() or 1)
    run = AZRun(folder, playing, progress, minutes)
    try:
        if checkpoint is not None:
            run.restore(checkpoint)
            progress.say(f"Resuming from {checkpoint}, {run.done} iterations done.")
        with StopRequest(console).heard() as stop:
            if not run.play(stop):
                return False
        progress.say(f"Trained in {run.seconds:.0f} s; playing the evaluation games ...")
        final = run.finish()
        progress.say(f"Networks {final / 'policy.npz'} and {final / 'value.npz'}")
        return True
    finally:
        run.close()


def _new_settings(
    preset_name: str, game: str, begins_with: str | None, workers: int | None, device: str | None, seed: int | None,
    iterations: int | None, players: Sequence[int], changes: Sequence[str],
) -> AZSettings:  # fmt: skip
    """Return the settings of a new run, as the command line says."""
    from endeavor_env.training.runs.layers import device_of  # needs PyTorch, which the help does not

    given = {"begin_with": begins_with, "workers": workers, "device": device, "seed": seed, "iterations": iterations}
    settings = preset(preset_name, game).given(**given, players=tuple(players) or None).changed(changes)
    board_of(settings)  # this and the next refuse what is not possible before there is a folder
    device_of(settings.device)
    return with_widths_of(settings, read_beginning(settings))


def main(
    preset_name: Annotated[str | None, typer.Option("--preset", help=f"{', '.join(PRESETS)}; default quick.")] = None,
    game: Annotated[
        str | None, typer.Option("--variant", "--game", help="standard (the default), solo, variants, or exploits.")
    ] = None,
    players: Annotated[
        list[int] | None, typer.Option(help="A number of seats; can be repeated. Default: all of the game.")
    ] = None,
    begins_with: Annotated[
        str | None,
        typer.Option(
            "--start",
            help="published (the default), scratch, the folder of a run, or a compiled player to be cloned first.",
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", "--folder", help="Folder; default runs/az-<preset>.")] = None,
    resume: ResumedFolder = None,
    start_over: StartOver = False,
    seed: Annotated[int | None, typer.Option(help="Seed of the run, below 2**32.")] = None,
    iterations: Annotated[int | None, typer.Option(help="Iterations of playing and learning.")] = None,
    minutes: Annotated[
        float | None, typer.Option(min=0.1, help="End after so many minutes, with the learning rate at its last value.")
    ] = None,
    workers: Annotated[int | None, typer.Option(help="Processes that play; default one on each core.")] = None,
    device: Annotated[str | None, typer.Option(help=f"{', '.join(DEVICES)}: where the networks learn.")] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", help="Any other setting, name=value in JSON, such as simulations=32. Can be repeated."),
    ] = None,
    ray: Annotated[
        str | None, typer.Option(help="Play the games on a Ray cluster: auto, local, or host:port. Default: processes.")
    ] = None,
) -> None:
    """Train policy and values by search and self-play, then measure both: against greedy, in solo the Opposition."""
    with command_line():
        named = {"--preset": preset_name, "--game": game, "--start": begins_with, "--out": out, "--seed": seed}
        sizes = {"--players": players, "--iterations": iterations, "--workers": workers, "--device": device}
        check_resumption(resume, named | sizes | {"--set": changes}, start_over=start_over)
        check_libraries("train", "torch")
        if resume is not None:
            folder = AZRunFolder.reopen(resume)
        else:
            name, of = preset_name or "quick", game or "standard"
            about = begins_with, workers, device, seed, iterations, players or (), changes or ()
            settings = _new_settings(name, of, *about)
            default = f"az-{name}" if of == "standard" else f"az-{name}-{of}"
            path = free_folder(default) if out is None else out
            folder = AZRunFolder.create(path, settings, own_command("endeavor_env.training.az"))
        console = terminal()
        in_memory = memory_for(folder.settings.buffer_size, folder.settings.batch_size)
        with sole_use(folder.path), in_memory, ray_workers(folder.board, ray, play_searches) as machines:
            print_line(f"Run folder {folder.path}; curves: tensorboard --logdir {folder.tensorboard}", console)
            if not train(folder, console, start_over=start_over, workers=machines, minutes=minutes):
                raise stopped("endeavor_env.training.az", "--resume", str(folder.path))
        print_next(*next_match(f"search:network={folder.path}", folder.settings.game), console=console)


if __name__ == "__main__":
    start(lambda: typer.run(main))
