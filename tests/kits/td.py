"""The smallest runs that train value networks."""

from __future__ import annotations

import signal
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from endeavor_env.training.td.__main__ import train
from endeavor_env.training.td.folder import TDRunFolder
from endeavor_env.training.td.run import TDRun
from endeavor_env.training.td.settings import TDSettings, preset

TINY = preset("smoke", "standard").replace(
    games=4, warm_up_games=4, first_width=8, second_width=4, batch_size=64, evaluate_every=9
)
CONSOLE = Console(file=StringIO())


def new_run(path: Path, settings: TDSettings = TINY) -> TDRunFolder:
    """Return the folder of a new run."""
    return TDRunFolder.create(path, settings, "python -m endeavor_env.training.td")


def stop_after_two(run: TDRunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Train, and press Ctrl-C during the second iteration."""
    iterate = TDRun._iterate

    def iterate_and_stop(self: TDRun) -> None:
        iterate(self)
        if self.done == 2:
            signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patch:
        patch.setattr(TDRun, "_iterate", iterate_and_stop)
        assert not train(run, CONSOLE, progress=False)
