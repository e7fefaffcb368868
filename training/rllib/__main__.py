"""``python -m training.rllib --preset quick``: train by self-play with RLlib's PPO, here or on a Ray cluster.

A run leaves a folder with its settings, TensorBoard curves, periodic checkpoints and at the end ``policy.zip`` with
its card ``policy.json``, which plays as any checkpoint does, without Ray. It can be stopped at any time and continued
with ``--resume``, also with other processes on other machines.
"""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from agents.checkpoint import read_card, write_card
from agents.command_line import INTERRUPTED, exit_on
from endeavor_env.errors import EndeavorError, InvalidOptionError
from endeavor_env.setups import SOLO, STANDARD
from training.evaluate import evaluate, evaluate_solo, results_table, solo_rows, solo_table
from training.folder_lock import sole_use
from training.rllib.folder import RLlibRunFolder, check_free
from training.rllib.machines import Machines
from training.rllib.settings import LEARNER, RLlibSettings, checked, rllib_preset


def _parts_on_ray() -> tuple[Callable[[dict[str, Any]], Any], Callable[..., Path]]:
    """Return what makes the games and what trains; raise InvalidOptionError where Ray is not installed.

    They are imported only here, so that ``--help`` works everywhere.
    """
    try:
        from training.rllib.env import EndeavorMultiAgentEnv
        from training.rllib.train import train
    except ModuleNotFoundError as error:
        raise InvalidOptionError(
            f"training.rllib needs {error.name}: install it with pip install 'endeavor-env[rllib]'"
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
    settings = replace(
        settings,
        players=tuple(dict.fromkeys(players)) or settings.players,
        opponents=read_opponents(opponents) or settings.opponents,
        seed=settings.seed if seed is None else seed,
        steps=settings.steps if steps is None else steps,
    )
    return checked(settings)


def _open(path: Path, settings: RLlibSettings, resumed: bool) -> RLlibRunFolder:
    """Return the folder of a run, a new one unless it is resumed."""
    if resumed:
        return RLlibRunFolder.reopen(path)
    return RLlibRunFolder.create(path, settings, shlex.join(["python", "-m", "training.rllib", *sys.argv[1:]]))


def finish(run: RLlibRunFolder, final: Path, console: Console, begun: float) -> None:
    """Evaluate the final checkpoint of a run that began at ``begun``, write the results into its card, print them."""
    console.print(f"Trained in {time.perf_counter() - begun:.0f} s; playing the evaluation games ...")
    card, settings = read_card(final), run.settings
    title = f"{settings.preset} on RLlib: {card['training']['steps']:,} decisions, seed {settings.seed}"
    if settings.variant == SOLO:
        solo_results = evaluate_solo(final, settings.evaluation_games)
        results, table = solo_rows(solo_results), solo_table(solo_results, title)
    else:
        results = evaluate(final, settings.evaluation_games, settings.players)
        table = results_table(results, title)
    write_card(final, settings.network, card["training"], results, settings.variant)
    console.print(table)
    console.print(f"Checkpoint {final}, card {final.with_suffix('.json')}")
    console.print(f"Done in {time.perf_counter() - begun:.0f} s.")


def main(
    preset_name: Annotated[str, typer.Option("--preset", help="smoke, quick or long.")] = "quick",
    out: Annotated[Path | None, typer.Option(help="Folder of the run; default runs/rllib-<preset>.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Folder of a run to continue, with its own settings.")] = None,
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
    seed: Annotated[int | None, typer.Option(help="Seed of the run.")] = None,
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
    console, begun = Console(), time.perf_counter()
    changes = {"players": players or (), "opponents": opponent or (), "seed": seed, "steps": steps}
    machines = Machines(address, num_cpus, env_runners, learners)
    with exit_on(EndeavorError):
        make_env, train = _parts_on_ray()
        machines.check()
        if resume is None:
            settings = new_settings(preset_name, variant or STANDARD, **changes)
            path = out or Path("runs") / f"rllib-{preset_name}{'' if settings.variant == STANDARD else '-' + SOLO}"
            check_free(path)
        elif (out, variant, seed, steps) != (None, None, None, None) or players or opponent:
            raise InvalidOptionError(
                "--resume takes the settings of the run: leave out --out, --variant, --players, --opponent, --seed and "
                "--steps"
            )
        else:
            path, settings = resume, RLlibRunFolder.reopen(resume).settings
        make_env({"settings": settings}).reset()  # compiles before Ray starts, and finds unknown opponents
        try:
            with machines.connected():
                run = _open(path, settings, resume is not None)
                console.print(f"Run folder {run.path}; curves: tensorboard --logdir {run.tensorboard}")
                with sole_use(run.path):
                    final = train(run, machines, console, progress=progress)
            finish(run, final, console, begun)
        except KeyboardInterrupt as stopped:
            console.print(f"Stopped; continue with: python -m training.rllib --resume {path}")
            raise typer.Exit(INTERRUPTED) from stopped


if __name__ == "__main__":
    typer.run(main)
