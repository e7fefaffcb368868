"""Reports of a run while it trains: a line from time to time, and its curves."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console

from endeavor_env.agents.extras import is_installed
from endeavor_env.agents.terminal import print_line
from endeavor_env.errors import Unpicklable
from endeavor_env.training.az.games import Searched
from endeavor_env.training.az.learner import Losses

EVERY = 20.0
"""Seconds from one line to the next, at least."""


class Progress(Unpicklable):
    """Figures of a run since it was started or resumed."""

    def __init__(self, console: Console, folder: Path, workers: int) -> None:
        """Say everything on ``console``, and draw curves in ``folder`` if TensorBoard is installed.

        Args:
            console: Prints lines.
            folder: The folder of the curves.
            workers: How many play at once.
        """
        self._console, self._workers = console, workers
        self._begun = self._said = time.monotonic()
        self._games = self._moves = self._decisions = 0
        self._playing = self._learning = self._waiting = 0.0
        self._writer = None
        if is_installed("tensorboard"):
            from torch.utils.tensorboard.writer import SummaryWriter

            self._writer = SummaryWriter(str(folder))

    def say(self, text: str) -> None:
        """Print a line."""
        print_line(text, self._console)

    def played(self, chunks: Sequence[Searched], waited: float) -> None:
        """Count games that were played, and the seconds that were spent waiting for them."""
        self._waiting += waited
        for chunk in chunks:
            self._games += len(chunk.scores)
            self._moves += chunk.moves
            self._decisions += chunk.decisions.size
            self._playing += chunk.seconds

    def learned(self, seconds: float) -> None:
        """Count the seconds of gradient steps."""
        self._learning += seconds

    def iteration(self, done: int, losses: Losses, rate: float) -> None:
        """Draw the figures of an iteration, and print them if the last line is some time ago."""
        wall = time.monotonic() - self._begun
        self.draw(
            done,
            {f"train/{name}": value for name, value in losses._asdict().items()}
            | {"train/learning_rate": rate, "time/seconds": wall, "time/games_per_second": self._games / wall}
            | {"time/moves_per_second": self._moves / wall, "time/decisions_per_second": self._decisions / wall},
        )
        if time.monotonic() - self._said >= EVERY:
            self._said = time.monotonic()
            self.say(
                f"{wall:.0f} s: {done} iterations, {self._games} games ({self._games / wall:.1f}/s), moves "
                f"{self._moves / wall:.0f}/s, decisions learned {self._decisions / wall:.0f}/s; policy "
                f"{losses.policy:.3f} nats, agrees in {losses.agreement:.0%}, value {losses.value:.4f}; time: learner "
                f"{self._learning / wall:.0%}, waiting for games {self._waiting / wall:.0%}, workers playing "
                f"{self._playing / wall / self._workers:.0%}"
            )

    def draw(self, done: int, points: Mapping[str, float]) -> None:
        """Add a point to each curve."""
        if self._writer is not None:
            for curve, value in points.items():
                self._writer.add_scalar(curve, value, done)

    def close(self) -> None:
        """Close the curves."""
        if self._writer is not None:
            self._writer.close()
