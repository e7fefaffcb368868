"""The warm-up calls the kernels as they are: every one that Python calls, in arguments they take."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from endeavor_env import compilation
from endeavor_env.core import entry
from endeavor_env.core._jit import JIT_DISABLED
from tests.kits import every_interface


def count_calls(monkeypatch: pytest.MonkeyPatch, module: ModuleType, names: list[str]) -> list[str]:
    """Make functions of a module enter their names into the list returned when they are called."""
    called: list[str] = []

    def counted(name: str):
        original = getattr(module, name)

        def call(*arguments: object) -> object:
            called.append(name)
            return original(*arguments)

        return call

    for name in names:
        monkeypatch.setattr(module, name, counted(name))
    return called


def test_the_warm_up_calls_every_entry_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    kernels = [
        name for name in entry.__all__ if name not in ("status", "recount", "recount_choices")
    ]  # for tests and `to_state`
    called = count_calls(monkeypatch, entry, kernels)
    compilation.compile_playing()
    compilation.compile_looking()
    assert not {"begin_game", "begin_step", "opposition_step"} & set(called)  # most programs never need them
    compilation._compile_explaining()
    assert set(called) == set(kernels) > {"new_game", "begin_step", "opposition_step", "scores"}


def test_the_warm_up_of_the_players_lets_one_choose(monkeypatch: pytest.MonkeyPatch) -> None:
    called = count_calls(monkeypatch, compilation, ["choose_action"])
    compilation._compile_players()
    assert called == ["choose_action"]


@pytest.mark.slow
@pytest.mark.timeout(1200)  # on a new machine it compiles what the tests before it did not need
@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_after_compiling_everything_no_interface_compiles_anything() -> None:
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    command = [sys.executable, every_interface.__file__]
    ran = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, ""), ran.stderr
