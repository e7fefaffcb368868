"""Processes: the time that one takes to start, the memory by which it grows, and that of many at once.

``endeavor bench workers`` measures the memory of many processes that play at once, as training programs spawn them.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from subprocess import DEVNULL
from typing import Annotated

import numpy as np
import typer

from endeavor_env.agents.command_line import command_line
from endeavor_env.agents.results_file import JsonFile
from endeavor_env.basics.python_child import python_command
from endeavor_env.benchmarks.batches import SELF_PLAY, BatchSetting, BatchTurns, Play, make
from endeavor_env.benchmarks.command import Force, Smoke, exit_status, new_app
from endeavor_env.benchmarks.report import Figure, Section, publish
from endeavor_env.benchmarks.timing import Effort
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.ensure import ensure_compiled
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.observation import layout_for
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.errors import InvalidOptionError
from endeavor_env.kernels.loading.library import SUFFIX

if sys.platform != "win32":
    import resource

MEGA = 1e6

# --- starts ----------------------------------------------------------------------------------------------------------

FIRST_MOVE = "from endeavor_env import Game; game = Game.new(4, seed=1); game.apply(game.legal_actions()[0])"
FIRST_GAME = (
    "import random; from endeavor_env import Game; game, rng = Game.new(4, seed=1), random.Random(1)\n"
    "while not game.over: game.apply(rng.choice(game.legal_actions()))"
)
FIRST_EPISODE = (
    "import gymnasium, endeavor_env; env = gymnasium.make('Endeavor-v0', opponents='random'); env.reset(seed=1)\n"
    "masks, over = env.get_wrapper_attr('action_masks'), False\n"
    "while not over: _, _, over, _, _ = env.step(masks().argmax())"
)
FIRST_AEC_GAME = (
    "from endeavor_env import endeavor_v0; env = endeavor_v0.raw_env(); env.reset(seed=1)\n"
    "for agent in env.agent_iter():\n"
    "    observation, _, ended, _, _ = env.last()\n"
    "    env.step(None if ended else observation['action_mask'].argmax())"
)
FIRST_STEP = (
    "import gymnasium, endeavor_env; env = gymnasium.make_vec('Endeavor-v0', num_envs=64); env.reset(seed=1); "
    "env.step(env.action_masks().argmax(1))"
)

STARTS = {
    "bare interpreter": "pass",
    "`import numpy`": "import numpy",
    "`import gymnasium`": "import gymnasium",
    "`import endeavor_env`": "import endeavor_env",
    "first move, kernels compiled before": FIRST_MOVE,
    "first random game through `Game`": FIRST_GAME,
    "first game through `gymnasium.make`": FIRST_EPISODE,
    "first game through PettingZoo AEC": FIRST_AEC_GAME,
    "first step of `make_vec`, kernels compiled before": FIRST_STEP,
}
"""Programs whose starts are measured, by what they do."""
COMMAND = "endeavor_env.cli.__main__"
"""The module that ``endeavor`` runs."""
SMOKE_STARTS = ("bare interpreter", "first random game through `Game`")
"""The only starts that are measured where the figures mean nothing."""


def as_installed(folder: str) -> dict[str, str]:
    """Return the environment of processes that find the byte code of what they import in a folder, after a first run.

    Installers write it, but a checkout has none where ``PYTHONDONTWRITEBYTECODE`` is set: there every start compiles
    all sources again, which takes longer than all the rest.
    """
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


def seconds_of(arguments: Sequence[str], environment: Mapping[str, str]) -> tuple[float, float]:
    """Return the seconds that a new interpreter takes from its start to its end, and those of processors it uses.

    The latter hardly change while others use the machine, too. Windows does not tell them of processes that ended: 0.
    """
    start, used = time.perf_counter(), _used()
    subprocess.run(python_command(*arguments), env=environment, check=True, stdout=DEVNULL, stderr=DEVNULL)
    return time.perf_counter() - start, _used() - used


def _used() -> float:
    """Return the processor time of the processes that this one started and that ended."""
    if sys.platform == "win32":
        return 0.0
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


def peak_memory(code: str, environment: dict[str, str]) -> float:
    """Return the bytes of memory that a new interpreter occupies at most while it runs ``code``; on Linux only."""
    told = f"{code}\nprint(open('/proc/self/status').read())"
    ran = subprocess.run(python_command("-c", told), env=environment, check=True, capture_output=True, text=True)
    peak = next(line for line in ran.stdout.splitlines() if line.startswith("VmHWM:"))
    return 1024 * float(peak.split()[1])


def starting(effort: Effort) -> list[Section]:
    """Measure the start of the interpreter, the import, and the first move of a process."""
    commands = {what: ["-c", code] for what, code in STARTS.items() if not effort.smoke or what in SMOKE_STARTS}
    if not effort.smoke:
        commands |= {f"`endeavor {option}`": ["-m", COMMAND, option] for option in ("--help", "--version")}
    with tempfile.TemporaryDirectory() as folder:
        environment = as_installed(folder)
        for arguments in commands.values():
            seconds_of(arguments, environment)
        taken = {what: [] for what in commands}
        for _ in range(effort.repeats):  # all in turn, so that they can be compared
            for what, arguments in commands.items():
                taken[what].append(seconds_of(arguments, environment))
        figures = [Figure.of(what, "s", [elapsed for elapsed, _ in times]) for what, times in taken.items()]
        used = [Figure.of(what, "s", [processor for _, processor in times]) for what, times in taken.items()]
        if sys.platform == "linux":
            peaks = [peak_memory(FIRST_GAME, environment) / MEGA for _ in range(effort.repeats)]
            figures.append(Figure.of("first random game through `Game`, memory at most", "MB", peaks))
    sections = [Section("A fresh process, from its start", figures)]
    return sections if sys.platform == "win32" else [*sections, Section("The same, processor time", used)]


# --- the memory of many games ----------------------------------------------------------------------------------------

GAMES, SMOKE_GAMES = 100_000, 1_000
STATM = Path("/proc/self/statm")
TURNS = 5


def resident() -> int:
    """Return the bytes of memory that this process occupies now; on Linux only."""
    return int(STATM.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def play_batch(setting: BatchSetting) -> object:
    """Play some turns of a ``Batch``; return the objects that hold the memory."""
    turns = BatchTurns(setting, spread=False)
    for _ in range(TURNS):
        turns.turn()
    return turns.batch, turns.play, turns.out  # without the environment around it, which keeps arrays for later steps


def play_env(setting: BatchSetting) -> object:
    """Play some steps of ``make_vec`` without copied observations; return the objects that hold the memory."""
    env = make(setting, copy=False)
    play = Play(env.unwrapped.batch)
    for _ in range(TURNS):
        env.step(play.sample())
    return env, play


WAYS: dict[str, Callable[[BatchSetting], object]] = {"Batch": play_batch, "make_vec": play_env}
MEASURED = (("Batch", "none"), ("Batch", "compact"), ("Batch", "features"), ("make_vec", "compact"))


def growth(way: str, observation: str, games: int) -> float:
    """Return the bytes per game by which this process grows; everything is imported and compiled before."""
    WAYS[way](BatchSetting(way, SELF_PLAY, observation, 1, 1))
    before = resident()
    alive = WAYS[way](BatchSetting(way, SELF_PLAY, observation, games, 1))
    grown = resident() - before
    del alive
    return grown / games


def in_a_process(way: str, observation: str, games: int) -> float:
    """Return ``growth`` as measured in a new process."""
    code = f"from {__name__} import growth; print(growth({way!r}, {observation!r}, {games}))"
    return float(subprocess.run(python_command("-c", code), check=True, capture_output=True, text=True).stdout)


def sizes() -> Section:
    """Return the sizes of the arrays of a game."""
    batch = BatchTurns(BatchSetting("Batch", SELF_PLAY, "none", 1, 1)).batch
    beside = batch.bytes_a_game - STATE.itemsize - batch.words.nbytes // batch.size
    figures = [
        Figure.of("state", "bytes", [STATE.itemsize]),
        Figure.of("what a batch keeps beside state and mask", "bytes", [beside]),
    ]
    for kind in (GameConfig(), GameConfig("solo")):
        mask, name = num_actions(kind.variant), "base game" if kind.variant == "standard" else "variants"
        figures.append(Figure.of(f"mask, {name}", "bytes", [mask]))
        for observation in ("compact", "features"):
            layout = layout_for(kind.variant, observation)
            nbytes = layout.size * np.dtype(layout.dtype).itemsize
            figures.append(Figure.of(f"{observation} observation, {name}", "bytes", [nbytes]))
    figures.append(Figure.of("board, one for all games", "bytes", [Board.default().array.nbytes]))
    return Section("Memory: arrays of a game", figures)


def memory(effort: Effort) -> list[Section]:
    """Return the sizes of the arrays, and measure how much a process grows when it plays many games."""
    games = SMOKE_GAMES if effort.smoke else GAMES
    measured = MEASURED[1:2] if effort.smoke else MEASURED
    if not STATM.exists():
        return [sizes()]
    figures = [
        Figure.of(f"`{way}`, observation: {observation}", "bytes a game", [in_a_process(way, observation, games)])
        for way, observation in measured
    ]
    return [sizes(), Section(f"Memory: growth of a process by {games:,} games, {TURNS} turns played", figures)]


# --- the memory of many processes -------------------------------------------------------------------------------------

WORKERS, SMOKE_WORKERS, MOST_WORKERS = 64, 2, 1024
PROC = Path("/proc")
MODULE = "endeavor_env.benchmarks.processes"
READY = "ready"
WAIT = f"\nprint({READY!r}, flush=True); input()"
"""Code that workers run after their game: they report, and keep all memory until they are told to end."""
CODES = {
    "`import numpy`": "import numpy",
    "`import gymnasium`": "import gymnasium",
    "a game through `gymnasium.make`": FIRST_EPISODE,
}
"""Programs of the workers, the last of them with this package."""


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


app = new_app()


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
        publish(json_file, MODULE, "Workers", sections)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, run, and return the exit status."""
    return exit_status(app, MODULE, arguments)


if __name__ == "__main__":
    sys.exit(main())
