"""``endeavor train td --preset quick``: train a value network by self-play.

A run leaves a folder with its settings, TensorBoard curves, periodic checkpoints and at the end ``value.npz`` with its
card ``value.json``. It can be stopped at any time and continued with ``--resume``, as if it had not been stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from endeavor_env.agents.command_line import command_line, start
from endeavor_env.agents.extras import check_libraries
from endeavor_env.agents.terminal import own_command, print_line, print_next, terminal
from endeavor_env.endeavor.ensure import ensure_parts
from endeavor_env.endeavor.rules.parts import EXPLOITS, LEARNING
from endeavor_env.engine.games import DEFAULT, game_named
from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.errors import InvalidOptionError
from endeavor_env.training.runs.running import (
    Changes,
    ResumedFolder,
    RunSeed,
    ShowProgress,
    StartOver,
    StopRequest,
    check_resumption,
    memory_for,
    next_match,
    progress_bar,
    sole_use,
    stopped,
)
from endeavor_env.training.runs.settings import DEVICES
from endeavor_env.training.runs.stored_run import free_folder
from endeavor_env.training.td.adapter import adapter_named, adapter_of, beginning_with, learned_games
from endeavor_env.training.td.folder import FINAL, TDRunFolder, board_of
from endeavor_env.training.td.settings import PRESETS, TDSettings, duration, preset
from endeavor_env.training.td.workers import ThreadWorkers, Workers, ray_workers

VARIANTS_HELP = "Of endeavor: standard (the default), solo, variants, or exploits."


def train(
    folder: TDRunFolder, console: Console, *, progress: bool, start_over: bool = False, workers: Workers | None = None
) -> bool:
    """Train a run to its end, from its newest sound checkpoint if it has one; return whether it got there.

    Args:
        folder: The folder of the run.
        console: Prints what happens.
        progress: Show a progress bar.
        start_over: Begin at 0 whatever checkpoints there are; these are kept unused.
        workers: Who plays the games; None for the threads that the settings name.

    Raises:
        CheckpointError: The folder has checkpoints, but none can be used, or its settings were changed since.
    """
    from endeavor_env.training.td.run import TDRun  # needs PyTorch, which the help does not

    checkpoint = folder.begin_or_go_on(start_over, lambda line: print_line(line, console))
    _make_ready(folder, workers is None)
    playing = ThreadWorkers(folder.board, folder.settings.threads) if workers is None else workers
    run = TDRun(folder, folder.board, playing, console)
    try:
        if checkpoint is not None:
            run.restore(checkpoint)
            print_line(f"Resuming from {checkpoint}, {run.done} iterations done.", console)
        with StopRequest(console).heard() as stop, progress_bar(console, progress) as bar:
            run.play(stop, bar)
        if run.done < folder.settings.iterations:
            return False
        print_line(f"Trained in {run.seconds:.0f} s; playing the evaluation games ...", console)
        final = run.finish()
        print_line(f"Network {final}, card {final.with_suffix('.json')}", console)
        return True
    finally:
        run.close()


def train_alone(
    folder: TDRunFolder, command: Sequence[str], *, progress: bool, start_over: bool = False, ray: str | None = None
) -> None:
    """Train a run as its command does, in a folder that no other process trains in.

    Args:
        folder: The folder of the run.
        command: The module of the command and its arguments, which go on with the run when --resume is added.
        progress: Show a progress bar.
        start_over: Begin at 0 whatever checkpoints there are; these are kept unused.
        ray: What ``ray_workers`` takes.

    Raises:
        typer.Exit: Somebody stopped it.
    """
    console = terminal()
    in_memory = memory_for(folder.settings.buffer_size, folder.settings.batch_size)
    with sole_use(folder.path), in_memory, ray_workers(folder.board, ray) as workers:
        print_line(f"Run folder {folder.path}; curves: tensorboard --logdir {folder.tensorboard}", console)
        print_line(duration(folder.settings), console)
        if not train(folder, console, progress=progress, start_over=start_over, workers=workers):
            raise stopped(*command, "--resume", str(folder.path))


def _make_ready(folder: TDRunFolder, plays: bool) -> None:
    """Make, in one go, the machine code that a run needs, and what plays its games if this process plays them."""
    settings, needed = folder.settings, folder.adapter.parts if plays else ()
    ensure_parts(LEARNING, *needed, *((EXPLOITS,) if settings.game == "exploits" else ()))


def check_learner() -> None:
    """Raise MissingLibraryError where a library of the learner is not installed."""
    check_libraries("train", "torch", "tensorboard")


def _new(
    preset_name: str | None, game: str | None, out: Path | None, seed: int | None, iterations: int | None,
    begins_with: str | None, changes: Sequence[str], device: str | None,
) -> TDRunFolder:  # fmt: skip
    """Return the folder of a new run, as the command line says."""
    settings = preset(preset_name or "quick", game or "standard")
    settings = settings.given(seed=seed, iterations=iterations, device=device)
    settings = settings if begins_with is None else beginning_with(settings, begins_with, _read_beginning)
    settings = settings.changed(changes)
    check_possible(settings)
    command = own_command("endeavor_env.training.td")
    name = f"td-{settings.preset}" if settings.game == "standard" else f"td-{settings.preset}-{settings.game}"
    return TDRunFolder.create(free_folder(name) if out is None else out, settings, command)


def check_possible(settings: TDSettings) -> None:
    """Raise an error of the package for a wrong board or a device that is not there, before there is a folder."""
    from endeavor_env.training.runs.layers import device_of  # needs PyTorch, which the help does not

    board_of(settings)
    device_of(settings.device)


def _game_name(game: str | None, variant: str | None) -> str | None:
    """Return the name of what is learned, one of ALL_GAMES, as the command line says it; None for the default."""
    if game in (None, DEFAULT):
        return variant or (None if game is None else "standard")
    adapter_named(game)  # refuses a game that no network learns
    if variant is not None:
        board = game_named(game).variants[-1].name
        raise InvalidOptionError(f"--variant is one of {DEFAULT}'s: for {game} give --set board={board} instead")
    return game


def _read_beginning(settings: TDSettings) -> NetworkArrays:
    """Return the network that a run begins with; errors as of ``GameAdapter.beginning``."""
    return adapter_of(board_of(settings)).beginning(settings)


def main(
    preset_name: Annotated[str | None, typer.Option("--preset", help=f"{', '.join(PRESETS)}; default quick.")] = None,
    variant: Annotated[str | None, typer.Option(help=VARIANTS_HELP)] = None,
    begins_with: Annotated[
        str | None,
        typer.Option("--from", help="Begin with a value network: its path, or value for the one of the package."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the run; default runs/td-<preset>.")] = None,
    resume: ResumedFolder = None,
    start_over: StartOver = False,
    seed: RunSeed = None,
    iterations: Annotated[int | None, typer.Option(help="Iterations of playing and learning.")] = None,
    device: Annotated[str | None, typer.Option(help=f"{', '.join(DEVICES)}: where the network learns.")] = None,
    changes: Changes = None,
    ray: Annotated[
        str | None, typer.Option(help="Play the games on a Ray cluster: auto, local, or host:port. Default: threads.")
    ] = None,
    progress: ShowProgress = True,
    game: Annotated[str | None, typer.Option(help=f"{' (the default) or '.join(learned_games())}.")] = None,
) -> None:
    """Train a value network, then measure it: against greedy at every table, in solo at every difficulty."""
    with command_line():
        named = {"--preset": preset_name, "--game": game, "--variant": variant, "--from": begins_with, "--out": out}
        others = {"--seed": seed, "--iterations": iterations, "--device": device}
        check_resumption(resume, named | others | {"--set": changes}, start_over=start_over)
        check_learner()
        if resume is not None:
            folder = TDRunFolder.reopen(resume)
        else:
            learned = _game_name(game, variant)
            folder = _new(preset_name, learned, out, seed, iterations, begins_with, changes or (), device)
        train_alone(folder, ("endeavor_env.training.td",), progress=progress, start_over=start_over, ray=ray)
        print_next(*next_match(f"value:{folder.path / FINAL}", folder.settings.game), console=terminal())


if __name__ == "__main__":
    start(lambda: typer.run(main))
