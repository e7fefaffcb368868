"""The loop of a run: games are played with the network of one iteration while it learns from those before."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from rich.console import Console
from rich.progress import Progress
from torch.utils.tensorboard.writer import SummaryWriter

from endeavor_env.agents.games import config_of, table_sizes_of
from endeavor_env.agents.terminal import print_line
from endeavor_env.endeavor.learning.self_play import RECORDS_NOTHING
from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.errors import Unpicklable
from endeavor_env.training.runs.layers import device_of
from endeavor_env.training.runs.running import StopRequest
from endeavor_env.training.runs.settings import falling
from endeavor_env.training.td.adapter import AnyBoard, adapter_of
from endeavor_env.training.td.evaluation import evaluate
from endeavor_env.training.td.folder import REPLAY, TDRunFolder
from endeavor_env.training.td.games import LEARNER_CODE, PlayedGames, PlayerMix, ensure_one_seat, with_targets
from endeavor_env.training.td.learner import Replay, ValueLearner, arrays_of, tensors_of
from endeavor_env.training.td.workers import CHUNK, Pending, Workers

WARM_UP = -1
"""Stands for the iteration of the heuristics' games."""


class TDRun(Unpicklable):
    """A run in progress.

    Attributes:
        done: Iterations done.
        results: Of the last evaluation.
    """

    def __init__(self, folder: TDRunFolder, board: AnyBoard, workers: Workers, console: Console) -> None:
        """Make a fresh network; ``restore`` goes on from a checkpoint."""
        self._folder, self._settings, self._workers, self._console = folder, folder.settings, workers, console
        settings = folder.settings
        torch.set_num_threads(1)  # the other cores play
        self._adapter = adapter_of(board)
        self._population = self._adapter.population(settings)
        inputs = self._adapter.num_inputs(settings.variants[0])
        shape = inputs, settings.first_width, settings.second_width
        self._learner = ValueLearner(shape, settings.seed, settings.batch_size, device_of(settings.device))
        self._replay = Replay(settings.buffer_size, board)
        self._playing: NetworkArrays | None = None  # the network of the games that are being played
        self._pending: list[Pending] = []
        self._seconds, self._begun = 0.0, time.monotonic()
        self._decisions = 0
        self._writer = SummaryWriter(str(folder.tensorboard))
        self.done = 0
        self.results: list[dict[str, Any]] = []

    # --- the loop ----------------------------------------------------------------------------------------------------
    def play(self, stop: StopRequest, progress: Progress) -> None:
        """Go on until all iterations are done, or somebody asks to stop; then save a checkpoint."""
        settings = self._settings
        bar = progress.add_task("training", total=settings.iterations, completed=self.done, status="warming up")
        if self._playing is None:
            self._warm_up()
        else:
            self._begin_games(self.done)
        while self.done < settings.iterations and not stop.asked:
            self._iterate()
            progress.update(bar, completed=self.done, status=self._status())
            last = self.done == settings.iterations
            if self.done % settings.evaluate_every == 0 and not last:
                self._measure(settings.evaluation_games)
            if self.done % settings.checkpoint_every == 0 or last or stop.asked:
                self.save()

    def _iterate(self) -> None:
        """Take the games that were played, begin the next ones, and learn."""
        settings, share = self._settings, self.done / max(1, self._settings.iterations - 1)
        played = [with_targets(chunk.result(), settings.td_lambda) for chunk in self._pending]
        if self.done >= settings.taught:
            self._playing = self._learner.averaged() if settings.plays_average else self._learner.network()
        assert self._playing is not None
        if self.done % settings.snapshot_every == 0:
            self._population.keep(self._playing)
        if self.done + 1 < settings.iterations:
            self._begin_games(self.done + 1)
        positions = self._add(played)
        rate = falling(settings.learning_rate, settings.last_learning_rate, share)
        learned = round(settings.replay_ratio * positions)
        error = self._learner.learn(self._replay, learned, rate, self._rng(self.done, 1))
        self.done += 1
        if self.done > (1.0 - settings.average) * settings.iterations:
            self._learner.average()
        self._draw({"train/error": error, "train/learning_rate": rate, "games/positions": positions})

    def _warm_up(self) -> None:
        """Learn from games of heuristics, or take over a network; then begin the games of the first iteration."""
        settings = self._settings
        if settings.begin_with:
            self._playing = self._adapter.beginning(settings)
            if not settings.taught:
                self._learner.take(self._playing)
            self._begin_games(0)
            return
        pending = self._submit(WARM_UP, self._population.heuristics(), settings.warm_up_games)
        rng, chunks = self._rng(WARM_UP, 1), settings.games // CHUNK + 1
        for low in range(0, len(pending), chunks):  # as many games at a time as in an iteration
            positions = self._add([with_targets(chunk.result(), 1.0) for chunk in pending[low : low + chunks]])
            self._learner.learn(self._replay, round(settings.warm_up_epochs * positions), settings.learning_rate, rng)
        self._playing = self._learner.network()
        self._begin_games(0)

    # --- games -------------------------------------------------------------------------------------------------------
    def _rng(self, iteration: int, purpose: int) -> np.random.Generator:
        """Return the generator of one thing in one iteration, so that a resumed run draws what an unbroken one does."""
        return np.random.default_rng([self._settings.seed, iteration - WARM_UP, purpose])

    def _begin_games(self, iteration: int) -> None:
        """Begin the games of an iteration with the network that plays now."""
        assert self._playing is not None
        settings = self._settings
        share = iteration / max(1, settings.iterations - 1)
        temperature = falling(settings.temperature, settings.last_temperature, share)
        seats = self._population.players(self._playing, temperature)
        self._pending = self._submit(iteration, seats, settings.games)

    def _submit(self, iteration: int, seats: PlayerMix, games: int) -> list[Pending]:
        """Begin to play games whose tables, set-ups and seats are drawn."""
        rng, tables = self._rng(iteration, 0), self._settings.tables
        kinds, seeds = rng.integers(len(tables), size=games), rng.integers(1 << 53, size=games)
        players = np.array([table.players for table in tables])[kinds]
        codes = _draw_seats(seats, players, rng)
        if self._settings.lone and iteration != WARM_UP:
            codes = np.where(codes == LEARNER_CODE, LEARNER_CODE + 1, codes)
            codes[np.arange(games), rng.integers(players)] = LEARNER_CODE
        return self._workers.submit(self._adapter.fixtures(tables, kinds, seeds, codes), seats.seated)

    def _add(self, played: Sequence[PlayedGames]) -> int:
        """Add the positions of games to those to learn from; return how many there are."""
        self._decisions += sum(chunk.decisions for chunk in played)
        self._replay.add_games(played)
        return sum(chunk.moments.size for chunk in played)

    # --- figures -----------------------------------------------------------------------------------------------------
    @property
    def seconds(self) -> float:
        """Seconds spent on this run, those before a resumption included."""
        return self._seconds + time.monotonic() - self._begun

    def _draw(self, points: dict[str, float]) -> None:
        """Add a point to each curve."""
        points["time/decisions_per_second"] = self._decisions / max(1e-9, time.monotonic() - self._begun)
        points["time/seconds"] = self.seconds
        for curve, value in points.items():
            self._writer.add_scalar(curve, value, self.done)

    def _status(self) -> str:
        """Return the last results in a few words."""
        return " ".join(f"{_table_name(row)} {row['win_rate']:.0%}" for row in self.results) or "no results yet"

    def _measure(self, games: int) -> None:
        """Evaluate the network, and draw the results."""
        seats = self._population.against_rival(self._learner.averaged())
        settings, fixtures = self._settings, self._adapter.fixtures
        self.results = evaluate(self._workers, settings.tables, seats, games, settings.rival, fixtures)
        self._draw({f"wins/{_table_name(row)}": row["win_rate"] for row in self.results})
        figures = ", ".join(
            f"{_table_name(row)} {row['win_rate']:.1%} ({row['interval'][0]:.0%}-{row['interval'][1]:.0%})"
            for row in self.results
        )
        print_line(f"{self.done} iterations, {self.seconds:.0f} s: wins {figures}", self._console)

    # --- checkpoints -------------------------------------------------------------------------------------------------
    def save(self) -> Path:
        """Save a checkpoint, from which ``restore`` goes on exactly; return the path of its network."""
        assert self._playing is not None
        self._replay.save(self._folder.memory(REPLAY, self.done), self.done)
        state = {
            **self._learner.state(),
            "iterations": self.done,
            "seconds": self.seconds,
            "playing": tensors_of(self._playing),
            "past": [tensors_of(network) for network in self._population.past],
        }
        return self._folder.save(self._learner.averaged(), state, self.done, self.results)

    def restore(self, checkpoint: Path) -> None:
        """Go on from a checkpoint; raise CheckpointError if its state cannot be used."""
        state = self._folder.read_state(checkpoint)
        self._learner.restore(state)
        self._playing = arrays_of(state["playing"])
        for network in state["past"]:
            self._population.keep(arrays_of(network))
        self.done, self._seconds = state["iterations"], state["seconds"]
        if not self._replay.load(self._folder.memory(REPLAY, self.done), self.done):
            print_line("This checkpoint's positions to learn from are missing: beginning with none.", self._console)

    def finish(self) -> Path:
        """Evaluate the network with many games, write it with the results, and return its path."""
        self._measure(self._settings.final_games)
        path = self._folder.write_final(self._learner.averaged(), self.done, self.seconds, self.results)
        self._folder.delete_memories()
        return path

    def close(self) -> None:
        """Stop playing and close the curves."""
        self._workers.close()
        self._writer.close()


def _draw_seats(seats: PlayerMix, players: npt.NDArray[np.int64], rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Return who sits where, (games, 5); a game of which nothing would be recorded gets the learner into a seat."""
    codes = rng.choice(list(seats.shares), size=(players.size, 5), p=list(seats.shares.values()))
    recorded = [code for code, one in seats.seated.items() if one.records != RECORDS_NOTHING]
    ensure_one_seat(codes, players, recorded, LEARNER_CODE, rng)
    return codes


def _table_name(row: dict[str, Any]) -> str:
    """Return the name of a kind of table in curves and messages."""
    sizes = len(table_sizes_of(config_of(row["variant"]))) > 1
    return str(row.get("difficulty", f"{row['players']}_seats" if sizes else row["variant"]))
