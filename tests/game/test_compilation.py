"""The warm-up calls the kernels as they are: every one that Python calls, in arguments they take."""

from __future__ import annotations

from types import ModuleType

import pytest

from endeavor_env import compilation
from endeavor_env.core import entry


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
