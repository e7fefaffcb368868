"""``endeavor train clone --from value:NETWORK``: make a policy network that plays like a stronger player.

The result is a folder with an ordinary checkpoint, ``policy.zip`` with its card: it plays as ``checkpoint:<zip>`` and,
in the kernels, as ``policy:<zip>``, and ``endeavor train ppo --from <zip>`` goes on with it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from endeavor_env.agents.command_line import command_line, start
from endeavor_env.agents.extras import check_libraries
from endeavor_env.agents.terminal import called, own_command, print_line, print_next, terminal
from endeavor_env.basics.exit_status import INTERRUPTED
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.ensure import ensure_compiled
from endeavor_env.endeavor.setups import STANDARD
from endeavor_env.errors import InvalidOptionError
from endeavor_env.training.clone.settings import DEMONSTRATIONS, PRESETS, CloneFolder, first_variant, preset
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
    sole_use,
)
from endeavor_env.training.runs.stored_run import free_folder, steps_of

if TYPE_CHECKING:
    from sb3_contrib import MaskablePPO

    from endeavor_env.training.clone.run import Clone, Fit


class _Keeper:
    """Saves a clone in the making, and hears Ctrl-C."""

    def __init__(self, clone: Clone, model: MaskablePPO, folder: CloneFolder, stop: StopRequest) -> None:
        self._clone, self._model, self._folder, self._stop = clone, model, folder, stop

    def asked(self) -> bool:
        """Return whether somebody pressed Ctrl-C."""
        return self._stop.asked

    def save(self) -> None:
        """Write a checkpoint."""
        with self._clone.state(self._folder.memory(DEMONSTRATIONS, self._clone.choices)) as state:
            self._folder.save(self._model, state, self._clone.choices, self._clone.seconds)


def make_clone(folder: CloneFolder, console: Console, *, progress: bool, start_over: bool = False) -> Path | None:
    """Begin the clone of a folder or go on with it, write it, and measure it.

    Args:
        folder: The folder.
        console: For messages.
        progress: Show a progress bar.
        start_over: Begin again whatever checkpoints there are; these are kept unused.

    Returns:
        The path of the clone; None if Ctrl-C stopped it before all was learned, and a checkpoint was saved.

    Raises:
        CheckpointError: The folder has checkpoints, but none can be used, or its settings were changed since.
    """
    from endeavor_env.training.clone.run import Clone  # the help does not need PyTorch
    from endeavor_env.training.ppo.model import bare_model
    from endeavor_env.training.runs.first_policy import read_first_policy, take_weights

    settings = folder.settings
    finished = not start_over and folder.finished_card() is not None
    checkpoint = None if finished else folder.begin_or_go_on(start_over, lambda fault: print_line(fault, console))
    ensure_compiled()
    model = bare_model(settings.variant, settings.trunk, settings.head, settings.seed)
    clone = Clone(settings, model, Board.default())
    if finished:
        take_weights(model.policy, read_first_policy(str(folder.checkpoint), settings.variant).weights)
        return _measure(clone, folder, console)
    if checkpoint is not None:
        whole = clone.restore(folder.read_state(checkpoint), folder.memory(DEMONSTRATIONS, steps_of(checkpoint)))
        print_line(f"Resuming from {checkpoint}, {clone.choices:,} choices recorded.", console)
        if not whole:
            print_line("This checkpoint's choices to learn from are missing: going on without them.", console)
    if not _learn(clone, model, folder, console, progress=progress):
        return None
    folder.write(model, clone.choices, clone.seconds)  # before it is measured, which can be interrupted
    print_line(f"Cloned in {clone.seconds:.0f} s from {clone.choices:,} choices.", console)
    return _measure(clone, folder, console)


def _learn(clone: Clone, model: MaskablePPO, folder: CloneFolder, console: Console, *, progress: bool) -> bool:
    """Learn to the end, or until Ctrl-C; return whether all is learned."""
    from torch.utils.tensorboard.writer import SummaryWriter

    from endeavor_env.training.clone.run import followed

    with (
        SummaryWriter(str(folder.tensorboard)) as writer,
        StopRequest(console).heard() as stop,
        followed(console, clone.reports, progress, clone.done) as show,
    ):

        def report(choices: int, fit: Fit) -> None:
            for name, value in fit._asdict().items():
                writer.add_scalar(f"clone/{name}", value, choices)
            show(fit)

        return clone.learn(report, _Keeper(clone, model, folder, stop))


def _measure(clone: Clone, folder: CloneFolder, console: Console) -> Path:
    """Play the evaluation games of a finished clone, write and print what they bring, and return its path."""
    print_line("Playing the evaluation games ...", console)
    results = clone.measure(folder.settings.evaluation_games)
    folder.add_results(results)
    for row in results:
        print_line(_sentence(row), console)
    path = folder.checkpoint
    print_line(f"Checkpoint {path}, card {path.with_suffix('.json')}", console)
    return path


def _sentence(row: dict[str, Any]) -> str:
    """Return a result in words."""
    low, high = row["interval"]
    table = f"solo, {row['difficulty']}" if "difficulty" in row else f"{row['players']} seats against greedy"
    return f"{table}: wins {row['win_rate']:.1%} ({low:.1%}-{high:.1%}) of {row['games']:,} games"


@contextmanager
def _kept_or_gone(folder: CloneFolder) -> Iterator[None]:
    """Delete the folder if what is made in this context ends without any network; after Ctrl-C say what is left."""
    try:
        with memory_for(folder.settings.buffer_size, folder.settings.batch_size):
            yield
    except KeyboardInterrupt as stopped:
        print(f"stopped; {_what_is_left(folder)}", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from stopped
    finally:
        folder.discard()


def _what_is_left(folder: CloneFolder) -> str:
    """Return how to go on with a clone that was stopped."""
    resumption = called("endeavor_env.training.clone", "--resume", str(folder.path))
    if folder.checkpoint.exists():
        return f"the clone is kept, without results; measure it with: {resumption}"
    return f"continue with: {resumption}" if folder.checkpoints() else "nothing is left of this clone: begin it again"


def _new(
    teacher: str | None, preset_name: str | None, variant: str | None, out: Path | None, seed: int | None,
    iterations: int | None, changes: Sequence[str], minutes: float | None,
) -> CloneFolder:  # fmt: skip
    """Return the folder of a new clone, as the command line says."""
    from endeavor_env.training.runs.layers import device_of  # needs PyTorch, which the help does not

    if teacher is None:
        raise InvalidOptionError("a clone needs a player to clone: give --from, or --resume for one that was begun")
    settings = preset(preset_name or "quick", variant or first_variant(teacher), teacher)
    settings = settings.given(seed=seed, iterations=iterations, minutes=minutes).changed(changes)
    settings.check_named_players()
    settings.first_policy()
    device_of(settings.device)  # refused before there is a folder
    name = f"clone-{settings.preset}" if settings.variant == STANDARD else f"clone-{settings.preset}-solo"
    command = own_command("endeavor_env.training.clone")
    return CloneFolder.create(free_folder(name) if out is None else out, settings, command)


def main(
    teacher: Annotated[
        str | None, typer.Option("--from", help="The player to clone: greedy, value, value:<path>, policy:<path>, ...")
    ] = None,
    preset_name: Annotated[str | None, typer.Option("--preset", help=f"{', '.join(PRESETS)}; default quick.")] = None,
    variant: Annotated[str | None, typer.Option(help="standard or solo; default what the player plays.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for the clone; default runs/clone-<preset>.")] = None,
    resume: ResumedFolder = None,
    start_over: StartOver = False,
    seed: RunSeed = None,
    iterations: Annotated[int | None, typer.Option(help="Portions of games that are played.")] = None,
    changes: Changes = None,
    minutes: Annotated[
        float | None,
        typer.Option(min=0.01, help="Play no more games after so many minutes, whatever --iterations says."),
    ] = None,
    progress: ShowProgress = True,
) -> None:
    """Clone a player, then measure the clone: against greedy at every table, in solo at every difficulty.

    Ctrl-C stops after the present portion and saves a checkpoint, from which --resume goes on exactly. A finished clone
    without results is measured by --resume.
    """
    with command_line():
        named = {"--from": teacher, "--preset": preset_name, "--variant": variant, "--out": out, "--seed": seed}
        sizes = {"--iterations": iterations, "--minutes": minutes}
        check_resumption(resume, named | sizes | {"--set": changes}, start_over=start_over)
        check_libraries("train", "torch", "stable_baselines3", "sb3_contrib", "tensorboard")
        if resume is not None:
            folder = CloneFolder.reopen(resume)
        else:
            folder = _new(teacher, preset_name, variant, out, seed, iterations, changes or (), minutes)
        console = terminal()
        with sole_use(folder.path), _kept_or_gone(folder):
            print_line(f"Folder {folder.path}; curves: tensorboard --logdir {folder.tensorboard}", console)
            if make_clone(folder, console, progress=progress, start_over=start_over) is None:
                raise KeyboardInterrupt
        print_next(*next_match(f"checkpoint:{folder.checkpoint}", folder.settings.variant), console=console)


if __name__ == "__main__":
    start(lambda: typer.run(main))
