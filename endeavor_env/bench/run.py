"""``endeavor bench run``: play tasks of the frozen benchmark on several processes."""

from __future__ import annotations

import sys
from collections.abc import Generator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from endeavor_env.agents.command_line import command_line, progress, start
from endeavor_env.agents.runner import Unit, count_jobs
from endeavor_env.agents.terminal import print_line, print_next, print_table
from endeavor_env.basics.exit_status import INTERRUPTED
from endeavor_env.basics.inputs import check_seed
from endeavor_env.bench.frozen import check_weights
from endeavor_env.bench.games import RunFile, RunHeader, RunOptions, UnitPlayer, UnitResult, open_run
from endeavor_env.bench.rows import field_names, games_of
from endeavor_env.bench.score import fields_table, tasks_table
from endeavor_env.bench.submissions import PLAY_TRACKS, check_plays, hidden_players, read_about
from endeavor_env.bench.version import Task, version_one
from endeavor_env.endeavor.ensure import ensure_compiled
from endeavor_env.errors import InvalidOptionError, shown

# --- Plays what a run still lacks, on several processes; closing it ends them all ------------------------------------


def all_units(tasks: Sequence[Task], play: str, hidden: bool) -> list[Unit]:
    """Return the units of some tasks; all fields of a task come to the same set-ups before any goes on."""
    return [
        Unit(task.name, field, setup)
        for task in tasks
        for setup in range(task.pace(play).setups)
        for field in field_names(task, play, hidden)
    ]


def play_missing(run: RunFile, tasks: Sequence[Task], jobs: int) -> Generator[UnitResult, None, None]:
    """Play the units that a run lacks; keep each, and yield it. Closing the generator ends all processes."""
    settings = run.head.settings
    units = all_units(tasks, settings.play, bool(settings.hidden))
    return run.play_missing(partial(UnitPlayer, list(tasks), settings), units, jobs)


# --- ``endeavor bench run --agent greedy --task table-4`` ------------------------------------------------------------
# Play tasks of the frozen benchmark, or go on with a run.

__all__ = ["app"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

AgentText = Annotated[str, typer.Option("--agent", help="What the arena takes, or package.module:Class.")]
Tasks = Annotated[list[str], typer.Option("--task", help="A task; repeatable; all for every one.")]
Play = Annotated[str, typer.Option(help=f"The track: {', '.join(PLAY_TRACKS)}.")]
Hidden = Annotated[
    Path | None, typer.Option(help="Maintainers: the folder of the hidden players; plays their fields too.")
]


@app.command()
def main(
    agent: AgentText,
    task: Tasks,
    out: Annotated[Path | None, typer.Option(help="Keep the games here; the same command goes on in it.")] = None,
    play: Play = "50ms",
    seed: Annotated[int, typer.Option(help="Seeds the agent; rows have 0.")] = 0,
    about: Annotated[
        Path | None, typer.Option(help="A TOML or JSON file that says what is submitted: name, method, training.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="Processes; as many as there are cores.")] = None,
    hidden: Hidden = None,
) -> None:
    """Play tasks of the frozen benchmark, and print what the agent scores."""
    with command_line():
        count = count_jobs(jobs)
        if play not in PLAY_TRACKS:
            raise InvalidOptionError(f"track {shown(play)} is unknown: possible are {', '.join(PLAY_TRACKS)}")
        check_seed(seed)
        _check_out(out)
        version = version_one()
        tasks = _tasks_of(version.chosen(task), play, task)
        told = read_about(about, agent)
        settings = RunOptions(agent, play, seed, hidden_players(hidden, tasks))
        ensure_compiled()
        check_weights(version)
        check_plays(agent, {one.name: one.config for one in tasks})
        with open_run(out, RunHeader.of(settings, told, version), version.tasks) as run:
            status = _play(run, tasks, count)
            if status == 0:
                _show(run, tasks)
                if out is not None:
                    row = out.with_suffix(".json").name
                    print_next("endeavor", "bench", "score", str(out), "--row", row)
                else:
                    print_line("Next: the same command with --out run.jsonl keeps the games, which a row is made of")
    raise typer.Exit(status)


def _check_out(out: Path | None) -> None:
    """Raise InvalidOptionError for a file that ``endeavor bench score`` would not take for a run."""
    if out is not None and out.suffix != ".jsonl":
        raise InvalidOptionError(f"--out {shown(str(out))} is not possible for a run: its name must end in .jsonl")


def _tasks_of(tasks: list[Task], play: str, named: list[str]) -> list[Task]:
    """Return the tasks that a track plays; raise InvalidOptionError for one that was named and that it does not."""
    for one in tasks:
        if one.name in named:
            one.pace(play)
    return [one for one in tasks if play in one.paces]


def _play(run: RunFile, tasks: list[Task], jobs: int) -> int:
    """Play what is missing with a progress bar, and return the exit status."""
    settings = run.head.settings
    units = all_units(tasks, settings.play, bool(settings.hidden))
    done = sum(unit.key in run.units for unit in units)
    try:
        with progress("set-ups", len(units), done) as advance, closing(play_missing(run, tasks, jobs)) as playing:
            for played in playing:
                done += 1
                advance(1, f"{played.unit.table} {played.unit.field}")
    except KeyboardInterrupt:
        print(f"interrupted after {done} of {len(units)} set-ups: with --out the same command goes on", file=sys.stderr)
        return INTERRUPTED
    return 0


def _show(run: RunFile, tasks: list[Task]) -> None:
    """Print the scores of the tasks."""
    settings = run.head.settings
    names = {one.name: field_names(one, settings.play, bool(settings.hidden)) for one in tasks}
    scores = [games_of(one, names[one.name], one.pace(settings.play).setups, run.units) for one in tasks]
    print_table(fields_table(scores))
    print_table(tasks_table(run.head.about.name, scores))


if __name__ == "__main__":
    start(app)
