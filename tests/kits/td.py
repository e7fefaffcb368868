"""The smallest runs that train value networks."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

from rich.console import Console

from endeavor_env.training.td.folder import TDRunFolder
from endeavor_env.training.td.settings import Settings, preset

TINY = preset("smoke", "standard").replace(
    games=4, warm_up_games=4, first_width=8, second_width=4, batch_size=64, evaluate_every=9
)
CONSOLE = Console(file=StringIO())


def new_run(path: Path, settings: Settings = TINY) -> TDRunFolder:
    """Return the folder of a new run."""
    return TDRunFolder.create(path, settings, "python -m endeavor_env.training.td")
