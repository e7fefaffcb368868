"""A process imports what it plays with, and nothing else: whatever is imported makes every start slower."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from endeavor_env.benchmarks.processes import FIRST_AEC_GAME, FIRST_EPISODE, FIRST_GAME

ROOT = Path(__file__).resolve().parents[2]
COMPILERS = ("numba", "llvmlite")
FOR_OTHER_WORK = (
    "asyncio",
    "choix",
    "filelock",
    "matplotlib",
    "pandas",
    "pydantic",
    "pygame",
    "rich",
    "scipy",
    "torch",
    "tqdm",
    "typer",
)
FRAMEWORKS = ("gymnasium", "pettingzoo")
OF_PYTHON = ("importlib.metadata", "importlib.resources", "multiprocessing", "subprocess", "zipfile")
"""Modules of Python that a first game does without; Gymnasium and PettingZoo import them."""
OURS = (
    *("endeavor_env.analysis", "endeavor_env.endeavor.explain", "endeavor_env.web", "endeavor_env.search"),
    *("endeavor_env.kernels.build", "endeavor_env.kernels.loading.making"),
    *("endeavor_env.kernels.numba_kernels", "endeavor_env.endeavor.drawing.ansi", "endeavor_env.drawing.raster"),
    *(
        "endeavor_env.endeavor.drawing.scene",
        "endeavor_env.drawing.svg",
        "endeavor_env.endeavor.drawing.view",
        "endeavor_env.drawing.window",
    ),
)
NOT_FOR_A_GAME = (*COMPILERS, *FOR_OTHER_WORK, *OURS)


def imported(code: str, names: tuple[str, ...], first: str = "import numpy, numpy.random") -> list[str]:
    """Return which of the modules ``names`` a new process imports when it runs ``code`` after ``first``."""
    program = (
        f"import sys\n{first}\nbefore = set(sys.modules)\n{code}\n"
        f"print(*[name for name in {names!r} if name in sys.modules and name not in before])"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)
    return ran.stdout.split()


def test_the_import_alone_needs_no_library_at_all() -> None:
    heavy = ("numpy", "endeavor_env.endeavor.board", "endeavor_env.endeavor.rules", "endeavor_env.kernels", *FRAMEWORKS)
    assert imported("import endeavor_env", (*heavy, *NOT_FOR_A_GAME, *OF_PYTHON), first="pass") == []


def test_a_game_imports_only_numpy_and_the_rules() -> None:
    assert imported(FIRST_GAME, (*NOT_FOR_A_GAME, *FRAMEWORKS, *OF_PYTHON)) == []


@pytest.mark.parametrize(
    ("code", "framework"), [(FIRST_EPISODE, "gymnasium"), (FIRST_AEC_GAME, "pettingzoo")], ids=["gymnasium", "aec"]
)
def test_an_environment_imports_its_framework_and_draws_nothing(code: str, framework: str) -> None:
    assert imported(code, NOT_FOR_A_GAME, first=f"import {framework}") == []


def test_gymnasium_is_used_without_pettingzoo() -> None:
    assert imported(FIRST_EPISODE, ("pettingzoo",)) == []


def test_what_draws_a_game_is_imported_when_it_is_drawn() -> None:
    text, picture = (
        ("endeavor_env.endeavor.drawing.ansi",),
        ("endeavor_env.endeavor.drawing.scene", "endeavor_env.drawing.svg"),
    )
    new = "from endeavor_env import Game; game = Game.new(seed=1)\n"
    assert imported(f"{new}str(game)", (*text, *picture)) == list(text)
    assert imported(f"{new}game.svg()", (*text, *picture)) == list(picture)
