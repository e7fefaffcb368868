"""The time a process takes to start, and the time of the first use on a machine."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

from benchmarks.report import Figure, Section
from benchmarks.timing import Effort

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


def in_a_process(code: str, cache: str | None = None) -> float:
    """Return the seconds that a new interpreter takes to start and run ``code``."""
    env = {**os.environ, **({"ENDEAVOR_ENV_CACHE_DIR": cache} if cache else {})}
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], env=env, check=True, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def starting(effort: Effort, compiling: bool, vector: bool = False) -> list[Section]:
    """Measure the start of the interpreter, the import, and the first move of a process.

    Args:
        effort: How often to measure.
        compiling: Whether to measure the first use on a machine, which compiles, as well.
        vector: Whether to measure the first step of a vector environment as well.
    """
    runs = range(effort.repeats)
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
    figures = [Figure.of(what, "s", [in_a_process(code) for _ in runs]) for what, code in codes.items()]
    if compiling:
        with tempfile.TemporaryDirectory() as cache:
            figures.append(Figure.of("first move on a machine, compiles", "s", [in_a_process(FIRST_MOVE, cache)]))
            if vector:
                took = in_a_process(FIRST_STEP, cache)
                figures.append(Figure.of("first step of `make_vec` after that, compiles the batch engine", "s", [took]))
    return [Section("A fresh process, from its start", figures)]
