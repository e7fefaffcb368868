"""The time a process takes to start, and the time of the first use on a machine."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from subprocess import DEVNULL

from endeavor_env.basics.python_child import python_command
from endeavor_env.benchmarks.report import Figure, Section
from endeavor_env.benchmarks.timing import Effort

if sys.platform != "win32":
    import resource

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


def commands_of(vector: bool) -> dict[str, list[str]]:
    """Return the arguments of the interpreter for each start, with that of a vector environment or without."""
    codes = {
        "bare interpreter": "pass",
        "`import numpy`": "import numpy",
        "`import gymnasium`": "import gymnasium",
        "`import endeavor_env`": "import endeavor_env",
        "first move, kernels compiled before": FIRST_MOVE,
        "first random game through `Game`": FIRST_GAME,
        "first game through `gymnasium.make`": FIRST_EPISODE,
        "first game through PettingZoo AEC": FIRST_AEC_GAME,
        **({"first step of `make_vec`, kernels compiled before": FIRST_STEP} if vector else {}),
    }
    commands = {what: ["-c", code] for what, code in codes.items()}
    return commands | {f"`endeavor {option}`": ["-m", COMMAND, option] for option in ("--help", "--version")}


def starting(effort: Effort, smoke: bool = False, compiling: bool = True, vector: bool = False) -> list[Section]:
    """Measure the start of the interpreter, the import, and the first move of a process.

    Args:
        effort: How often to measure.
        smoke: Whether to measure as few starts as possible, and none that compiles.
        compiling: Whether to measure the first use on a machine, which compiles, as well.
        vector: Whether to measure the first step of a vector environment as well.
    """
    commands = {what: words for what, words in commands_of(vector).items() if not smoke or what in SMOKE_STARTS}
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
            peaks = [peak_memory(FIRST_GAME, environment) / 1e6 for _ in range(effort.repeats)]
            figures.append(Figure.of("first random game through `Game`, memory at most", "MB", peaks))
    if compiling and not smoke:
        with tempfile.TemporaryDirectory() as cache:
            empty = {**os.environ, "ENDEAVOR_ENV_CACHE_DIR": cache}
            took, _ = seconds_of(["-c", FIRST_MOVE], empty)
            figures.append(Figure.of("first move on a machine, compiles", "s", [took]))
            if vector:
                took, _ = seconds_of(["-c", FIRST_STEP], empty)
                figures.append(Figure.of("first step of `make_vec` after that, compiles the batch engine", "s", [took]))
    sections = [Section("A fresh process, from its start", figures)]
    return sections if sys.platform == "win32" else [*sections, Section("The same, processor time", used)]
