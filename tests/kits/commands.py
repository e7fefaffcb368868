"""Runs a command line as ``python -m`` does, but in this process, and an agent that presses Ctrl-C."""

from __future__ import annotations

import contextlib
import io
import os
import runpy
import sys
import warnings
from typing import NamedTuple
from unittest import mock

from endeavor_env import Game
from endeavor_env.agents.players.compiled import RandomAgent


class Outcome(NamedTuple):
    """How a command ended, and what it printed."""

    status: int
    out: str
    err: str


def run_command(module: str, *arguments: str, columns: int = 160) -> Outcome:
    """Run ``python -m module arguments`` in a terminal of so many columns."""
    out, err = io.StringIO(), io.StringIO()
    terminal = mock.patch.dict(os.environ, {"COLUMNS": str(columns), "TERM": "dumb"})
    named = mock.patch.object(sys, "argv", [module, *arguments])
    status = 0
    with terminal, named, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".* found in sys.modules after import")
        try:
            runpy.run_module(module, run_name="__main__", alter_sys=True)
        except SystemExit as ended:
            status = int(ended.code or 0)
    return Outcome(status, out.getvalue(), err.getvalue())


class Impatient(RandomAgent):
    """Presses Ctrl-C in a given game, counted by resets; the first reset is that of the warm-up."""

    def __init__(self, game: int) -> None:
        self._left = game + 2  # one reset comes from the constructor
        super().__init__("impatient")

    def reset(self, seed: int) -> None:
        super().reset(seed)
        self._left -= 1

    def act(self, game: Game) -> int:
        if self._left == 0 and game.round == 3:
            raise KeyboardInterrupt
        return super().act(game)
