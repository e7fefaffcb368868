"""``endeavor train references``: train methods and seeds under the same budgets, each in a process of its own.

Runs whose ``reference.json`` is there are passed over: the same command goes on where it was stopped. Runs of another
task, or that were measured otherwise, are refused.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from endeavor_env.agents.command_line import command_line, start
from endeavor_env.agents.terminal import print_line
from endeavor_env.basics.files import read_json_object
from endeavor_env.basics.python_child import python_command
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.training.reference.__main__ import Corpus, Games, Points, Task
from endeavor_env.training.reference.budget import read_track
from endeavor_env.training.reference.methods import METHODS, method_of
from endeavor_env.training.reference.run import LOG, RESULT
from endeavor_env.training.reference.tables import players_of
from endeavor_env.training.runs.running import sole_use

_WAIT = 0.5


class Job(NamedTuple):
    """One run."""

    method: str
    track: str
    seed: int

    def folder(self, out: Path) -> Path:
        """Return the folder of the run."""
        return out / self.track / self.method / str(self.seed)


def read_pythons(texts: Sequence[str]) -> dict[str, str]:
    """Return the interpreter of each method that is given one, as "method=path".

    Raises:
        InvalidOptionError: An unknown method, a path that is no program, or an interpreter without this package.
    """
    pythons = {}
    for text in texts:
        method, equals, path = text.partition("=")
        method_of(method)
        if not equals or shutil.which(path) is None:
            raise InvalidOptionError(f"--python {shown(text)} is not possible: write it as dqn=/path/to/python")
        if (
            subprocess.run(python_command("-c", "import endeavor_env", python=path), capture_output=True).returncode
            != 0
        ):
            raise InvalidOptionError(
                f"--python {shown(text)} is not possible: this interpreter cannot import endeavor_env; install the "
                "package in its environment"
            )
        pythons[method] = path
    return pythons


def run_all(jobs: Sequence[Job], out: Path, arguments: Sequence[str], pythons: dict[str, str], at_once: int) -> int:
    """Run the jobs that have no result yet, so many at once; return how many of all have none at the end."""
    waiting = [job for job in jobs if not (job.folder(out) / RESULT).exists()]
    print_line(f"{len(jobs) - len(waiting)} of {len(jobs)} runs are done; {len(waiting)} to go")
    running: dict[Job, subprocess.Popen[bytes]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < at_once:
                job = waiting.pop(0)
                running[job] = _begin(job, out, arguments, pythons)
            for job in [job for job, process in running.items() if process.poll() is not None]:
                status = running.pop(job).returncode
                done = "done" if (job.folder(out) / RESULT).exists() else f"FAILED with status {status}, see {LOG}"
                print_line(f"{job.folder(out)}: {done}; {len(waiting) + len(running)} to go")
            time.sleep(_WAIT)
    finally:
        for process in running.values():
            process.terminate()
        for process in running.values():
            process.wait()  # the same command may be given at once
    return sum(not (job.folder(out) / RESULT).exists() for job in jobs)


@contextmanager
def sole_use_of(jobs: Sequence[Job], out: Path) -> Iterator[None]:
    """Hold the folders of all methods and tracks of the jobs in this context; others may be trained beside them.

    Raises:
        InvalidOptionError: Another process holds one of them.
    """
    with ExitStack() as held:
        for folder in dict.fromkeys(job.folder(out).parent for job in jobs):
            folder.mkdir(parents=True, exist_ok=True)
            held.enter_context(sole_use(folder))
        yield


def check_done(jobs: Sequence[Job], out: Path, arguments: Sequence[str]) -> None:
    """Check the runs that are there already.

    Args:
        jobs: The runs.
        out: The folder of all runs.
        arguments: Options and values that all runs are given.

    Raises:
        InvalidOptionError: A result is that of another run than its folder would have now, or a run goes on there,
            whose command was killed.
    """
    for job in jobs:
        folder = job.folder(out)
        if (folder / RESULT).exists():
            _check_result(job, folder, arguments)
        elif folder.is_dir():
            with sole_use(folder):
                pass


def _check_result(job: Job, folder: Path, arguments: Sequence[str]) -> None:
    """Raise InvalidOptionError unless the result in a folder is that of a run with these arguments."""
    result = read_json_object(folder / RESULT, "result", InvalidOptionError)
    asked = dict(zip(arguments[::2], arguments[1::2], strict=True))
    if not METHODS[job.method].from_corpus:
        asked.pop("--corpus", None)
    asked |= {f"--{name}": str(value) for name, value in job._asdict().items()}
    said = _options_of(result.get("command"))
    said |= {f"--{name}": str(result[name]) for name in (*Job._fields, "task") if name in result}
    for option, value in asked.items():
        if said.get(option, value) != value:
            raise InvalidOptionError(
                f"{folder} holds a run with {option} {shown(said[option])}, not {shown(value)}: give another --out"
            )


def _options_of(command: object) -> dict[str, str]:
    """Return the options of the command that began a run with their values; none if it cannot be read."""
    try:
        words = shlex.split(command) if isinstance(command, str) else []
    except ValueError:
        return {}
    return {word: value for word, value in pairwise(words) if word.startswith("--")}


def _begin(job: Job, out: Path, arguments: Sequence[str], pythons: dict[str, str]) -> subprocess.Popen[bytes]:
    """Begin a run in an empty folder, what a stopped one left is deleted; its output goes into a log there."""
    folder = job.folder(out)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    python = pythons.get(job.method, sys.executable)
    command = python_command("-m", "endeavor_env.training.reference", job.method, python=python)
    command += ["--out", str(folder), "--seed", str(job.seed), "--track", job.track, *arguments]
    with (folder / LOG).open("wb") as log:
        return subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)


def main(
    out: Annotated[Path, typer.Option(help="Folder of all runs; the same command goes on in it.")],
    method: Annotated[list[str] | None, typer.Option(help="Only this method; repeatable.")] = None,
    track: Annotated[list[str] | None, typer.Option(help="The budget; repeatable.")] = None,
    seeds: Annotated[int, typer.Option(help="Seeds 0 up to this number.", min=1, max=1000)] = 5,
    task: Task = "table-4",
    corpus: Corpus = Path("runs/corpus"),
    jobs: Annotated[int, typer.Option(help="Runs at once, each with a core of its own.", min=1, max=1024)] = 1,
    python: Annotated[
        list[str] | None,
        typer.Option(help="Another interpreter for a method: dqn=/path/to/python; repeatable."),
    ] = None,
    points: Points = 12,
    games: Games = 240,
) -> None:
    """Train methods and seeds under the same budgets, one seed of every method first."""
    with command_line():
        players_of(task)
        methods, tracks = list(dict.fromkeys(method or METHODS)), list(dict.fromkeys(track or ["cpu-10min"]))
        pythons = read_pythons(python or ())
        for name in methods:
            method_of(name)
        for name in tracks:
            read_track(name)
        todo = [Job(name, budget, seed) for budget in tracks for seed in range(seeds) for name in methods]
        given = ["--task", task, "--corpus", str(corpus), "--points", str(points), "--games", str(games)]
        with sole_use_of(todo, out):
            check_done(todo, out, given)
            missing = run_all(todo, out, given, pythons, jobs)
        if missing:
            print(f"{missing} of {len(todo)} runs have no result; the same command goes on", file=sys.stderr)
            raise typer.Exit(1)


if __name__ == "__main__":
    start(lambda: typer.run(main))
