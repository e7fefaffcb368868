"""One smoke run, shared by the tests that look at what a run leaves behind."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.console import Console

from endeavor_env.training.ppo.__main__ import finish, train
from endeavor_env.training.ppo.settings import PRESETS, RunFolder

TINY = PRESETS["smoke"].replace(steps=1_024, checkpoint_every=512, evaluation_games=60, players=(3,))


@pytest.fixture(scope="session")
def finished_run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A run of 1,024 decisions, trained and evaluated."""
    run = RunFolder.create(
        tmp_path_factory.mktemp("runs") / "tiny", TINY, "python -m endeavor_env.training.ppo --preset smoke"
    )
    console = Console(quiet=True)
    final = train(run, console, progress=False)
    finish(run, final, console)
    return run


def copy_of_run(run: RunFolder, folder: Path) -> None:
    """Copy the files of a run, all but its curves, into a folder where a test may change them."""
    for file in run.path.glob("*.*"):
        (folder / file.name).write_bytes(file.read_bytes())


@pytest.fixture
def checkpoint(finished_run: RunFolder, tmp_path: Path) -> Path:
    """A copy of the run's final checkpoint and card that a test may damage."""
    for suffix in (".zip", ".json"):
        source = finished_run.path / f"policy{suffix}"
        (tmp_path / source.name).write_bytes(source.read_bytes())
    return tmp_path / "policy.zip"
