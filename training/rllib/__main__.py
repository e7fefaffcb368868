"""``endeavor train rllib --preset quick``: train by self-play with RLlib's PPO, here or on a Ray cluster.

A run leaves a folder with its settings, TensorBoard curves, periodic checkpoints and at the end ``policy.zip`` with
its card ``policy.json``, which plays as any checkpoint does, without Ray. It can be stopped at any time and continued
with ``--resume``, also with other processes on other machines.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from endeavor_env.agents.command_line import command_line, start
from endeavor_env.agents.terminal import own_command, print_line, print_next, terminal
from endeavor_env.endeavor.setups import SOLO, STANDARD
from endeavor_env.errors import InvalidOptionError
from endeavor_env.training.evaluate import measure
from endeavor_env.training.rllib.folder import LEARNER, RLlibRunFolder, RLlibSettings, rllib_preset
from endeavor_env.training.runs.ray_machines import Machines
from endeavor_env.training.runs.resumption import ResumedFolder, StartOver, check_resumption, next_match, stopped
from endeavor_env.training.runs.running import sole_use
from endeavor_env.training.runs.stored_run import free_folder


def _parts_on_ray() -> tuple[Callable[[dict[str, Any]], Any], Callable[..., Path]]:
    """Return what makes the games and what trains; raise InvalidOptionError where Ray is not installed.

    They are imported only here, so that ``--help`` works everywhere.
    """
    try:
        from endeavor_env.training.rllib.env import EndeavorMultiAgentEnv
        from endeavor_env.training.rllib.train import train
    except ModuleNotFoundError as error:
        raise InvalidOptionError(
            f"endeavor_env.training.rllib needs {error.name}: install it with pip install 'endeavor-env[rllib]'"
        ) from error
    return EndeavorMultiAgentEnv, train


def read_opponents(texts: Sequence[str]) -> tuple[tuple[str, float], ...]:
    """Return the players of the seats, each given as "name=weight", beside the learner with its 1; () for none given.

    Raises:
        InvalidOptionError: A text in another form.
    """
    opponents: dict[str, float] = {LEARNER: 1.0} if texts else {}
    for text in texts:
        name, equals, weight = text.rpartition("=")
        try:
            opponents[name] = float(weight)
        except ValueError:
            equals = ""
        if not equals:
            raise InvalidOptionError(f"--opponent {text!r} is not possible: write it as name=weight, as greedy=0.2")
    return tuple(opponents.items())


def new_settings(
    preset_name: str,
    variant: str = STANDARD,
    *,
    players: Sequence[int] = (),
    opponents: Sequence[str] = (),
    seed: int | None = None,
    steps: int | None = None,
) -> RLlibSettings:
    """Return the settings of a preset with what the command line says otherwise; raise InvalidOptionError."""
    settings = rllib_preset(preset_name, variant)
    if settings.variant == SOLO and opponents:
        raise InvalidOptionError("--opponent is not possible with --variant solo: nobody else has a seat")
    return settings.given(
        players=tuple(dict.fromkeys(players)) or None,
        opponents=read_opponents(opponents) or None,
        seed=seed,
        steps=steps,
    )


def chosen_run(
    preset_name: str | None,
    out: Path | None,
    resume: Path | None,
    variant: str | None,
    start_over: bool,
    changes: dict[str, Any],
) -> tuple[Path, RLlibSettings]:
    """Return folder and settings of the new run or of the one to resume, as the command line says; write nothing."""
    named = {"--preset": preset_name, "--out": out, "--variant": variant}
    options = {"players": "--players", "opponents": "--opponent", "seed": "--seed", "steps": "--steps"}
    check_resumption(resume, named | {options[name]: value for name, value in changes.items()}, start_over=start_over)
    if resume is None:
        settings = new_settings(preset_name or "quick", variant or STANDARD, **changes)
        name = f"rllib-{settings.preset}{'' if settings.variant == STANDARD else '-' + settings.variant}"
        path = (
            free_folder(name if settings.variant == STANDARD else f"{name}-{settings.variant}") if out is None else out
        )
        RLlibRunFolder.check_free(path)
        return path, settings
    return resume, RLlibRunFolder.reopen(resume).settings


def open_run(path: Path, settings: RLlibSettings, resumed: bool) -> RLlibRunFolder:
    """Return the folder of a run, a new one unless it is resumed."""
    if resumed:
        return RLlibRunFolder.reopen(path)
    return RLlibRunFolder.create(path, settings, own_command("endeavor_env.training.rllib"))


def train_and_measure(run: RLlibRunFolder, train: Callable[[Console], Path]) -> None:
    """Train a run, then measure its final checkpoint; on Ctrl-C say how to go on, and end with status 130."""
    console, begun = terminal(), time.perf_counter()
    try:
        print_line(f"Run folder {run.path}; curves: tensorboard --logdir {run.tensorboard}", console)
        final = train(console)
        print_line(f"Trained in {time.perf_counter() - begun:.0f} s; playing the evaluation games ...", console)
        settings = run.settings
        measure(final, settings.evaluation_games, settings.players, f"{settings.preset} on RLlib", console)
    except KeyboardInterrupt as interruption:
        raise stopped("endeavor_env.training.rllib", "--resume", str(run.path)) from interruption
    print_line(f"Done in {time.perf_counter() - begun:.0f} s.", console)
    print_next(*next_match(f"checkpoint:{final}", run.settings.variant), console=console)


def main(
    preset_name: Annotated[str | None, typer.Option("--preset", help="smoke, quick (the default) or long.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the run; default runs/rllib-<preset>.")] = None,
    resume: ResumedFolder = None,
    start_over: StartOver = False,
    variant: Annotated[str | None, typer.Option(help="standard (the default) or solo.")] = None,
    players: Annotated[
        list[int] | None, typer.Option(help="Number of seats; repeatable, each game draws one. Default 3, 4 and 5.")
    ] = None,
    opponent: Annotated[
        list[str] | None,
        typer.Option(
            help="Who else plays in the seats, name=weight beside the learner's 1; repeatable. Default nobody."
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the run, below 2**32.")] = None,
    steps: Annotated[int | None, typer.Option(help="Decisions to train on.")] = None,
    address: Annotated[
        str | None, typer.Option(help="Ray cluster to join: auto, or host:port. Default: a Ray on this machine.")
    ] = None,
    env_runners: Annotated[int, typer.Option(help="Processes that play games, one CPU each; 0: the main one.")] = 2,
    learners: Annotated[int, typer.Option(help="1: a process of its own learns, on one CPU; 0: the main one.")] = 0,
    num_cpus: Annotated[int | None, typer.Option(help="CPUs of the Ray on this machine; default all.")] = None,
    progress: Annotated[bool, typer.Option(help="Show a progress bar.")] = True,
) -> None:
    """Train a policy on Ray, then measure it: against random and greedy opponents, in solo at every difficulty."""
    changes = {"players": players or (), "opponents": opponent or (), "seed": seed, "steps": steps}
    machines = Machines(address, num_cpus, env_runners, learners)
    with command_line():
        make_env, train = _parts_on_ray()
        machines.check()
        path, settings = chosen_run(preset_name, out, resume, variant, start_over, changes)
        make_env({"settings": settings}).reset()  # compiles before Ray starts, and finds unknown opponents
        with machines.connected():
            run = open_run(path, settings, resume is not None)
            with sole_use(run.path):
                train_and_measure(run, partial(train, run, machines, progress=progress, start_over=start_over))


if __name__ == "__main__":
    start(lambda: typer.run(main))
