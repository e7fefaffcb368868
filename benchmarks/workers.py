"""``endeavor bench workers``: the memory of many processes that play at once, as training programs spawn them."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from endeavor_env.agents.command_line import command_line
from endeavor_env.agents.results_file import JsonFile
from endeavor_env.basics.python_child import python_command
from endeavor_env.benchmarks.command import Force, Smoke, exit_status, new_app
from endeavor_env.benchmarks.report import Figure, Section, publish
from endeavor_env.benchmarks.starting import FIRST_EPISODE, as_installed, seconds_of
from endeavor_env.endeavor.ensure import ensure_compiled
from endeavor_env.errors import InvalidOptionError
from endeavor_env.kernels.loading.library import SUFFIX

WORKERS, SMOKE_WORKERS, MOST_WORKERS = 64, 2, 1024
PROC = Path("/proc")
MEGA = 1e6
READY = "ready"
WAIT = f"\nprint({READY!r}, flush=True); input()"
"""Code that workers run after their game: they report, and keep all memory until they are told to end."""
CODES = {
    "`import numpy`": "import numpy",
    "`import gymnasium`": "import gymnasium",
    "a game through `gymnasium.make`": FIRST_EPISODE,
}
"""Programs of the workers, the last of them with this package."""


app = new_app()


def memory_of(process: int, file: str = "smaps_rollup", mapped: str = "") -> dict[str, int]:
    """Return the bytes of memory of a process by kind, as Linux names them: Rss, Pss, Private_Dirty and others.

    Args:
        process: Its number.
        file: "smaps_rollup" for all of its memory, "smaps" to choose.
        mapped: Count only the parts of "smaps" whose first line ends so.
    """
    found: dict[str, int] = {}
    counts = not mapped
    for line in (PROC / str(process) / file).read_text(encoding="utf-8").splitlines():
        words = line.split()
        if not words[0].endswith(":"):  # the first line of a part: addresses, rights, and the file
            counts = not mapped or line.endswith(mapped)
        elif counts and words[-1] == "kB":
            kind = words[0].rstrip(":")
            found[kind] = found.get(kind, 0) + 1024 * int(words[1])
    return found


def own(memory: dict[str, int]) -> int:
    """Return the bytes that would be free again if a process ended: no other process has them."""
    return memory["Private_Clean"] + memory["Private_Dirty"]


@contextlib.contextmanager
def spawned(code: str, count: int) -> Iterator[list[int]]:
    """Start interpreters that run ``code``, yield their numbers when all have done so, and end them."""
    workers: list[subprocess.Popen[str]] = []
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as ends:
        environment = as_installed(folder)
        seconds_of(["-c", code], environment)
        for _ in range(count):
            command = python_command("-c", code + WAIT)
            worker = subprocess.Popen(
                command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
            ends.enter_context(worker)  # waits for its end
            ends.callback(worker.kill)
            workers.append(worker)
        for worker in workers:
            assert worker.stdout is not None
            if worker.stdout.readline().strip() != READY:
                raise RuntimeError(f"a worker ended before it was ready: {code}")
        yield [worker.pid for worker in workers]


def measured(what: str, code: str, count: int) -> list[Figure]:
    """Return the memory of ``count`` workers that ran ``code``: together, and of each."""
    with spawned(code, count) as processes:
        memory = [memory_of(process) for process in processes]
        library = [memory_of(process, "smaps", SUFFIX) for process in processes]
    figures = [
        Figure.of(f"{what}: all together", "MB", [sum(one["Pss"] for one in memory) / MEGA]),
        Figure.of(f"{what}: of one alone, not shared", "MB", [own(one) / MEGA for one in memory]),
        Figure.of(f"{what}: in sight of one, shared or not", "MB", [one["Rss"] / MEGA for one in memory]),
    ]
    if library[0]:
        figures += [
            Figure.of("its machine code: in sight of one", "MB", [one["Rss"] / MEGA for one in library]),
            Figure.of("its machine code: of one alone, not shared", "MB", [own(one) / MEGA for one in library]),
        ]
    return figures


def memory_of_workers(count: int) -> list[Section]:
    """Measure ``count`` workers of each kind, one kind after the other."""
    ensure_compiled()
    figures = [figure for what, code in CODES.items() for figure in measured(what, code, count)]
    return [Section(f"Memory of {count} spawned processes", figures)]


@app.command()
def command(
    workers: Annotated[int, typer.Option(help=f"Number of processes, 2 to {MOST_WORKERS}.")] = WORKERS,
    smoke: Smoke = False,
    json_file: JsonFile = None,
    force: Force = False,
) -> None:
    """Measure the memory of processes that each play a game through Gymnasium and wait; on Linux."""
    with command_line(json_file, force):
        if not 2 <= workers <= MOST_WORKERS:
            raise InvalidOptionError(f"--workers {workers} is not possible: the number must be 2 to {MOST_WORKERS}")
        if not (PROC / str(os.getpid()) / "smaps_rollup").exists():
            raise InvalidOptionError("only Linux says how much memory processes share, so nothing was measured")
        sections = memory_of_workers(SMOKE_WORKERS if smoke else workers)
        publish(json_file, "endeavor_env.benchmarks.workers", "Workers", sections)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, run, and return the exit status."""
    return exit_status(app, "endeavor_env.benchmarks.workers", arguments)


if __name__ == "__main__":
    sys.exit(main())
