"""``python -m endeavor_env.bench.spread --agent greedy --task table-4``: whether two runs differ as intervals say.

Each trial plays two runs with different seeds, on training set-ups that no other run has. Their scores should differ by
less than the intervals of both allow, ``sqrt(a * a + b * b)`` for half widths a and b, in about 19 of 20 trials.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated

import numpy as np
import typer

from endeavor_env.agents.command_line import command_line, start
from endeavor_env.agents.terminal import print_line
from endeavor_env.agents.tournament.processes import count_jobs, play_units
from endeavor_env.basics.inputs import positive_number
from endeavor_env.bench.games import RunOptions, Unit, UnitGames, UnitPlayer
from endeavor_env.bench.run import AgentText
from endeavor_env.bench.scoring import FieldGames, TaskScore
from endeavor_env.bench.submissions import check_plays
from endeavor_env.bench.version import Task, version_one
from endeavor_env.endeavor.ensure import ensure_compiled
from endeavor_env.errors import InvalidOptionError

__all__ = ["app"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    agent: AgentText,
    task: Annotated[str, typer.Option(help="The task.")],
    field: Annotated[list[str] | None, typer.Option(help="A field; repeatable; all public ones if left out.")] = None,
    trials: Annotated[int, typer.Option(help="Pairs of runs.")] = 20,
    setups: Annotated[int, typer.Option(help="Set-ups of a run.")] = 100,
    jobs: Annotated[int | None, typer.Option(help="Processes; as many as there are cores.")] = None,
) -> None:
    """Play pairs of runs, and print how often they differ by less than their intervals allow."""
    with command_line():
        count = count_jobs(jobs)
        training = _on_training_setups(version_one().task(task))
        runs = 2 * positive_number("trials", trials)
        if runs * positive_number("setups", setups) > training.test.count:
            raise InvalidOptionError(f"there are {training.test.count} training set-ups: give fewer trials or set-ups")
        fields = field or list(training.pace("50ms").fields)
        for name in fields:
            training.field(name)
        ensure_compiled()
        check_plays(agent, {task: training.config})
        scores = [_run(training, agent, number, fields, setups, count) for number in range(runs)]
        within = 0
        for first, second in zip(scores[::2], scores[1::2], strict=True):
            apart, allowed = abs(first.score - second.score), float(np.hypot(_half(first), _half(second)))
            within += apart < allowed
            print_line(f"{first.score:.3f} and {second.score:.3f}: {apart:.3f} apart, {allowed:.3f} allowed")
        print_line(f"{within} of {trials} pairs differ by less than their intervals allow")


def _on_training_setups(task: Task) -> Task:
    """Return a task whose test set-ups are those of training, and whose agents have all the time they like."""
    paces = {"50ms": replace(task.pace("50ms"), slowest=float("inf"))}
    return replace(task, test=task.train, paces=paces)


def _half(score: TaskScore) -> float:
    low, high = score.interval
    return (high - low) / 2


def _run(task: Task, agent: str, number: int, fields: Sequence[str], setups: int, jobs: int) -> TaskScore:
    """Return the score of a run, on set-ups of its own and with its number as seed."""
    first = number * setups
    units = [Unit(task.name, field, setup) for setup in range(first, first + setups) for field in fields]
    make = partial(UnitPlayer, [task], RunOptions(agent, "50ms", number, {}))
    played: list[UnitGames] = list(play_units(make, units, jobs))
    by_field = {field: [one for one in played if one.unit.field == field] for field in fields}
    return TaskScore(task, {field: _games(own, first) for field, own in by_field.items()})


def _games(played: Sequence[UnitGames], first: int) -> FieldGames:
    """Return the games of a field in the order of their set-ups."""
    ordered = sorted(played, key=lambda one: one.unit.setup)
    lost = {
        (one.unit.setup - first, seating): game.lost
        for one in ordered
        for seating, game in enumerate(one.games)
        if game.lost
    }
    return FieldGames(np.array([[game.scores for game in one.games] for one in ordered], np.int64), lost)


if __name__ == "__main__":
    start(app)
