"""Runs that are killed between any two of the files of a checkpoint go on to the result of an unbroken one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from rich.console import Console

from endeavor_env.endeavor.players.network_file import VALUE_NETWORKS
from endeavor_env.training.clone.__main__ import make_clone
from endeavor_env.training.clone.settings import CloneFolder
from endeavor_env.training.runs.first_policy import read_first_policy
from endeavor_env.training.td.__main__ import train as train_td
from endeavor_env.training.td.folder import TDRunFolder
from tests.kits.clones import SMALL
from tests.kits.td import TINY

STEPS = ((os, "replace"), (Path, "unlink"), (Path, "rename"), (shutil, "rmtree"))
"""What puts files in place and takes them away: a run is killed before one of these."""


class KilledError(BaseException):
    """Stands for a signal that nothing can catch."""


class Trainer(NamedTuple):
    """How a run of a trainer is begun, trained and compared."""

    begin: Callable[[Path], Any]
    reopen: Callable[[Path], Any]
    train: Callable[[Any, Console], object]
    result: Callable[[Path], bytes]


def value_of(path: Path) -> bytes:
    return VALUE_NETWORKS.read(path / "value.npz").arrays.flat().tobytes()


def policy_of(path: Path) -> bytes:
    weights = read_first_policy(str(path / "policy.zip"), "standard").weights
    return b"".join(weights[name].numpy().tobytes() for name in sorted(weights))


TD = TINY.replace(iterations=2, checkpoint_every=1, final_games=2)
CLONE = SMALL.replace(iterations=2, games=3, batch_size=64, evaluation_games=3, checkpoint_every=1, device="cpu")
TRAINERS = {
    "td": Trainer(
        lambda path: TDRunFolder.create(path, TD, "command"),
        TDRunFolder.reopen,
        lambda folder, console: train_td(folder, console, progress=False),
        value_of,
    ),
    "clone": Trainer(
        lambda path: CloneFolder.create(path, CLONE, "command"),
        CloneFolder.reopen,
        lambda folder, console: make_clone(folder, console, progress=False),
        policy_of,
    ),
}


def killed_before(step: int, train: Callable[[], object]) -> int:
    """Train, and kill the run before its file operation number ``step``; return how many there were."""
    done = 0
    with pytest.MonkeyPatch.context() as patch:
        for owner, name in STEPS:
            real = getattr(owner, name)

            def counted(*given: Any, real: Callable[..., Any] = real, **named: Any) -> Any:
                nonlocal done
                if done == step:
                    raise KilledError
                done += 1
                return real(*given, **named)

            patch.setattr(owner, name, counted)
        try:
            train()
        except KilledError:
            assert done == step
    return done


@pytest.mark.parametrize("name", TRAINERS)
def test_a_run_that_is_killed_at_any_point_goes_on_to_the_same_result(name: str, tmp_path: Path) -> None:
    trainer, quiet = TRAINERS[name], Console(file=StringIO())
    whole = trainer.begin(tmp_path / "whole")
    steps = killed_before(-1, lambda: trainer.train(whole, quiet))
    expected = trainer.result(whole.path)
    assert steps > 9
    for step in range(steps):
        path, said = tmp_path / f"killed-{step}", StringIO()
        folder = trainer.begin(path)
        killed_before(step, lambda folder=folder: trainer.train(folder, quiet))
        over = any((path / name).exists() for name in ("value.npz", "policy.zip"))  # it needs nothing to learn from
        trainer.train(trainer.reopen(path), Console(file=said, width=500))
        assert trainer.result(path) == expected, (step, said.getvalue())
        assert over or "missing" not in said.getvalue()
        assert "Passing over" not in said.getvalue()
        left = [file.name for file in path.iterdir() if file.suffix == ".npy"]
        assert not left
