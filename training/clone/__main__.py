"""``endeavor train clone --from value:NETWORK``: make a policy network that plays like a stronger player.

The result is a folder with an ordinary checkpoint, ``policy.zip`` with its card: it plays as ``checkpoint:<zip>`` and,
in the kernels, as ``policy:<zip>``, and ``endeavor train ppo --from <zip>`` goes on with it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from endeavor_env.agents.command_line import command_line, start
from endeavor_env.agents.extras import check_libraries
from endeavor_env.agents.program import called, own_command
from endeavor_env.agents.terminal import print_line, terminal
from endeavor_env.basics.exit_status import INTERRUPTED
from endeavor_env.board import Board
from endeavor_env.compile.ensure import ensure_compiled
from endeavor_env.terms.setups import STANDARD
from endeavor_env.training.clone.folder import CloneFolder
from endeavor_env.training.clone.progress import followed
from endeavor_env.training.clone.settings import PRESETS, Settings, first_variant, preset
from endeavor_env.training.runs.folder_lock import sole_use
from endeavor_env.training.runs.memory import memory_for
from endeavor_env.training.runs.stored_run import free_folder

if TYPE_CHECKING:
    from endeavor_env.training.clone.learner import Fit


def make_clone(folder: CloneFolder, console: Console, *, minutes: float | None = None, progress: bool) -> Path:
    """Make the clone of a folder, in so many minutes at most, write it, measure it, and return its checkpoint."""
    from torch.utils.tensorboard.writer import SummaryWriter  # the help does not need PyTorch

    from endeavor_env.training.clone.run import Clone
    from endeavor_env.training.ppo.model import bare_model

    begun, settings = time.monotonic(), folder.settings
    ensure_compiled()
    model = bare_model(settings.variant, settings.trunk, settings.head, settings.seed)
    clone = Clone(settings, model, Board.default(), minutes)
    with SummaryWriter(str(folder.tensorboard)) as writer, followed(console, clone.portions, progress) as show:

        def report(choices: int, fit: Fit) -> None:
            for name, value in fit._asdict().items():
                writer.add_scalar(f"clone/{name}", value, choices)
            show(fit)

        clone.learn(report)
    seconds = time.monotonic() - begun
    path = folder.write(model, clone.choices, seconds)  # before it is measured, which can be interrupted
    print_line(f"Cloned in {seconds:.0f} s from {clone.choices:,} choices; playing the evaluation games ...", console)
    results = clone.measure(settings.evaluation_games)
    folder.add_results(results)
    for row in results:
        print_line(_sentence(row), console)
    print_line(f"Checkpoint {path}, card {path.with_suffix('.json')}", console)
    return path


def _sentence(row: dict[str, Any]) -> str:
    """Return a result in words."""
    low, high = row["interval"]
    table = f"solo, {row['difficulty']}" if "difficulty" in row else f"{row['players']} seats against greedy"
    return f"{table}: wins {row['win_rate']:.1%} ({low:.1%}-{high:.1%}) of {row['games']:,} games"


@contextmanager
def _whole_or_nothing(folder: CloneFolder) -> Iterator[None]:
    """Delete the folder if what is made in this context ends without a network, whatever ends it; say what is left."""
    try:
        with memory_for(folder.settings.buffer_size, folder.settings.batch_size):
            yield
    except KeyboardInterrupt as stopped:
        left = "nothing is left of this clone: begin it again"
        if folder.checkpoint.exists():
            measuring = called("endeavor_env.training.evaluate", str(folder.checkpoint))
            left = f"the clone is kept, without results; measure it with: {measuring}"
        print(f"stopped; {left}", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from stopped
    finally:
        folder.discard()


def _settings(teacher: str, preset_name: str, variant: str, seed: int | None, iterations: int | None) -> Settings:
    """Return the settings of a preset, and what the command line says otherwise."""
    settings = preset(preset_name, variant, teacher)
    settings = settings.replace(seed=settings.seed if seed is None else seed)
    return settings.replace(iterations=settings.iterations if iterations is None else iterations)


def main(
    teacher: Annotated[
        str, typer.Option("--from", help="The player to clone: greedy, value, value:<path>, policy:<path>, ...")
    ],
    preset_name: Annotated[str, typer.Option("--preset", help=f"{', '.join(PRESETS)}.")] = "quick",
    variant: Annotated[str | None, typer.Option(help="standard or solo; default what the player plays.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for the clone; default runs/clone-<preset>.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed, below 2**32.")] = None,
    iterations: Annotated[
        int | None, typer.Option("--iterations", "--rounds", help="Portions of games that are played.")
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", help="Any other setting, name=value in JSON, such as trunk=[512]. Can be repeated."),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(min=0.01, help="Play no more games after so many minutes, whatever --iterations says."),
    ] = None,
    progress: Annotated[bool, typer.Option(help="Show a progress bar.")] = True,
) -> None:
    """Clone a player, then measure the clone: against greedy at every table, in solo at every difficulty.

    A clone takes minutes and is made in one piece: stopped before it has learned all it leaves nothing behind, stopped
    while it is measured a network without results.
    """
    with command_line():
        check_libraries("train", "torch", "stable_baselines3", "sb3_contrib", "tensorboard")
        from endeavor_env.training.runs.layers import device_of  # needs PyTorch, which the help does not

        settings = _settings(teacher, preset_name, variant or first_variant(teacher), seed, iterations)
        settings = settings.changed(changes or ())
        console = terminal()
        settings.check_teacher()
        settings.first_policy()
        device_of(settings.device)  # refused before there is a folder
        command = own_command("endeavor_env.training.clone")
        name = f"clone-{preset_name}" if settings.variant == STANDARD else f"clone-{preset_name}-solo"
        folder = CloneFolder.create(free_folder(name) if out is None else out, settings, command)
        with sole_use(folder.path), _whole_or_nothing(folder):
            print_line(f"Folder {folder.path}; curves: tensorboard --logdir {folder.tensorboard}", console)
            make_clone(folder, console, minutes=minutes, progress=progress)


if __name__ == "__main__":
    start(lambda: typer.run(main))
