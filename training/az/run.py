"""The loop of a run: games are played with the networks of one iteration while they learn from those before."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import torch

from endeavor_env.endeavor.learning.searched_games import RECORDS_ALL_SEARCHED, RECORDS_SEARCHES, RECORDS_TEACHER
from endeavor_env.endeavor.observation import layout_for
from endeavor_env.endeavor.players.network_file import num_inputs, num_values
from endeavor_env.endeavor.players.policy.player import policy_memory
from endeavor_env.endeavor.players.search.player import search_memory
from endeavor_env.endeavor.players.value.player import value_memory
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.endeavor.setups import SOLO
from endeavor_env.training.az.beginning import has_all_values, read_beginning, warm_up_games
from endeavor_env.training.az.folder import AZRunFolder
from endeavor_env.training.az.games import Networks, Searched
from endeavor_env.training.az.learner import SearchLearner
from endeavor_env.training.az.progress import Progress
from endeavor_env.training.az.replay_buffer import ReplayBuffer, Shapes
from endeavor_env.training.az.settings import AZSettings
from endeavor_env.training.runs.layers import device_of
from endeavor_env.training.runs.running import StopRequest
from endeavor_env.training.runs.settings import falling
from endeavor_env.training.td.evaluation import evaluate
from endeavor_env.training.td.games import LEARNER_CODE, SeatedPlayer, fixtures_of
from endeavor_env.training.td.games import PlayerMix as Seats
from endeavor_env.training.td.learner import arrays_of, tensors_of
from endeavor_env.training.td.workers import Pending, Workers

STUDENT_CODE = LEARNER_CODE + 1
"""The policy where it plays in training."""
AHEAD = 2
"""Iterations whose games are played at once, so that nobody waits for the last games of one."""
RESERVE = 0.12
"""Share of the minutes of a run that is kept for its end: the last iteration and the evaluation."""


def shapes_of(settings: AZSettings) -> Shapes:
    """Return the lengths of what the networks of a run see and say."""
    variant = settings.variant
    features = layout_for(variant, "features").size
    return Shapes(features, num_inputs(variant), num_actions(variant), num_values(settings.variants))


class AZRun:
    """A run in progress.

    Attributes:
        done: Iterations done.
        results: Of the last evaluation.
    """

    def __init__(self, folder: AZRunFolder, workers: Workers, progress: Progress, minutes: float | None) -> None:
        """Make fresh networks; ``restore`` goes on from a checkpoint.

        Args:
            folder: The folder of the run.
            workers: Who plays the games.
            progress: Who is told how it goes.
            minutes: After so many the run ends, evaluation included; None for the iterations alone.
        """
        self._folder, self._settings, self._workers, self._progress = folder, folder.settings, workers, progress
        settings, self._shapes = folder.settings, shapes_of(folder.settings)
        torch.set_num_threads(1)  # the other cores play
        widths = (settings.first_width, settings.second_width), (settings.trunk[0], settings.head[0])
        self._learner = SearchLearner(
            self._shapes, *widths, settings.seed, device_of(settings.device), settings.average
        )
        self._buffer = ReplayBuffer(settings.buffer_size, folder.board, self._shapes)
        self._playing: list[Networks] = []  # of each iteration whose games are being played, the next one first
        self._pending: list[list[Pending]] = []  # their games
        self._seconds, self._begun, self._minutes = 0.0, time.monotonic(), minutes
        self._variants = [c.VARIANT_NAMES.index(variant) for variant in settings.variants]
        self.done = 0
        self.results: list[dict[str, Any]] = []

    # --- the loop ----------------------------------------------------------------------------------------------------
    def play(self, stop: StopRequest) -> bool:
        """Go on until all is done, or somebody asks to stop; save a checkpoint, and return whether all is done."""
        settings = self._settings
        if not self._playing:
            self._warm_up()
        for ahead, networks in enumerate(self._playing):
            self._begin_games(self.done + ahead, networks)
        while not self._is_over() and not stop.asked:
            self._iterate()
            last = self._is_over()
            if self.done % settings.evaluate_every == 0 and not last:
                self._measure(settings.evaluation_games)
            if self.done % settings.checkpoint_every == 0 or last or stop.asked:
                self.save()
        return self._is_over()

    def _is_over(self) -> bool:
        """Return whether all iterations are done, or the time is up."""
        late = self._minutes is not None and self._share_of_time() >= 1.0
        return late or self.done >= self._settings.iterations

    def _share_of_time(self) -> float:
        """Return which share of its minutes a run has had, but for what is kept for its end."""
        assert self._minutes is not None
        return (time.monotonic() - self._begun) / (60.0 * self._minutes * (1.0 - RESERVE))

    def _iterate(self) -> None:
        """Take the games that were played, begin the next ones, and learn."""
        settings, begun = self._settings, time.monotonic()
        played: list[Searched] = [chunk.result() for chunk in self._pending.pop(0)]
        self._progress.played(played, time.monotonic() - begun)
        self._playing = [*self._playing[1:], self._learner.networks()]
        self._begin_games(self.done + AHEAD, self._playing[-1])
        begun = time.monotonic()
        decisions, ends = self._buffer.add(played, settings.mixture)
        share = self.done / max(1, settings.iterations - 1)
        if self._minutes is not None:
            share = min(1.0, max(share, self._share_of_time()))
        rate = falling(settings.learning_rate, settings.last_learning_rate, share)
        due = settings.replay_ratio * decisions, settings.replay_ratio * ends
        losses = self._learner.learn(self._buffer, *due, settings.batch_size, rate, self._rng(self.done, 1))
        self.done += 1
        self._progress.learned(time.monotonic() - begun)
        self._progress.iteration(self.done, losses, rate)

    def _warm_up(self) -> None:
        """Take over the networks to begin with, and learn from games of others what these do not bring along."""
        settings, beginning = self._settings, read_beginning(self._settings)
        before = self._learner.networks()
        policy = (before.logits, before.own_value)
        if beginning.policy is not None:
            policy = (beginning.policy.logits, beginning.policy.value)
        self._learner.take(Networks(beginning.value or before.value, *policy))
        complete = has_all_values(beginning, self._shapes.values) and not beginning.teacher
        if not complete and (beginning.value is not None or beginning.teacher):
            played = warm_up_games(self._folder.board, settings, beginning)
            decisions, ends = self._buffer.add(played, 0.0)
            if beginning.value is not None:
                self._learner.keep_own_values()
            due = settings.warm_up_epochs * decisions, settings.warm_up_epochs * ends
            rate = settings.learning_rate
            losses = self._learner.learn(self._buffer, *due, settings.batch_size, rate, self._rng(0, 2))
            self._learner.learn_all_values()
            self._buffer = ReplayBuffer(settings.buffer_size, self._folder.board, self._shapes)
            self._progress.say(
                f"Warmed up in {self.seconds:.0f} s by {settings.warm_up_games} games: {decisions} decisions, {ends} "
                f"ends of turns; value {losses.value:.4f}, policy agrees in {losses.agreement:.0%}."
            )
        self._playing = [self._learner.networks()] * AHEAD

    # --- games -------------------------------------------------------------------------------------------------------
    def _rng(self, iteration: int, purpose: int) -> np.random.Generator:
        """Return the generator of one thing in one iteration, so that a resumed run draws what an unbroken one does."""
        return np.random.default_rng([self._settings.seed, iteration + 1, purpose])

    def _begin_games(self, iteration: int, networks: Networks) -> None:
        """Begin the games of an iteration, if there is one; in every seat the search plays or is asked."""
        settings, rng = self._settings, self._rng(iteration, 0)
        if iteration >= settings.iterations:
            return
        kinds = rng.integers(len(settings.tables), size=settings.games)
        seeds = rng.integers(1 << 53, size=settings.games)
        is_student = rng.random((settings.games, c.MAX_SEATS)) < settings.student_share
        codes = np.where(is_student, STUDENT_CODE, LEARNER_CODE)
        records = RECORDS_ALL_SEARCHED if settings.all_searched else RECORDS_SEARCHES
        values, policies = (dict.fromkeys(self._variants, one) for one in (networks.value, networks.logits))
        seated = {
            LEARNER_CODE: SeatedPlayer("search", search_memory(values, settings.search(), policies), records),
            STUDENT_CODE: SeatedPlayer("policy", policy_memory(policies), RECORDS_TEACHER),
        }
        self._pending.append(self._workers.submit(fixtures_of(settings.tables, kinds, seeds, codes), seated))

    # --- figures -----------------------------------------------------------------------------------------------------
    @property
    def seconds(self) -> float:
        """Seconds spent on this run, those before a resumption included."""
        return self._seconds + time.monotonic() - self._begun

    def _measure(self, games: int) -> None:
        """Evaluate the networks, one as ``policy`` and one as ``value``, and draw the results."""
        networks, rival = self._learner.networks(), SeatedPlayer(self._settings.rival)
        memories = {
            "policy": policy_memory(dict.fromkeys(self._variants, networks.logits)),
            "value": value_memory(dict.fromkeys(self._variants, networks.value)),
        }
        self.results = []
        for player, memory in memories.items():
            seats = Seats({LEARNER_CODE: SeatedPlayer(player, memory), LEARNER_CODE + 1: rival}, {})
            rows = evaluate(self._workers, self._settings.tables, seats, games, self._settings.rival)
            self.results += [{"player": player, **row} for row in rows]
        self._progress.draw(self.done, {f"wins/{_name(row)}": row["win_rate"] for row in self.results})
        figures = ", ".join(
            f"{_name(row)} {row['win_rate']:.1%} ({row['interval'][0]:.0%}-{row['interval'][1]:.0%})"
            for row in self.results
        )
        self._progress.say(f"{self.done} iterations, {self.seconds:.0f} s: wins {figures}")

    # --- checkpoints -------------------------------------------------------------------------------------------------
    def save(self) -> Path:
        """Save a checkpoint, from which ``restore`` goes on exactly; return the path of its value network."""
        self._buffer.save(*self._memories(), self.done)
        state = {
            **self._learner.state(),
            "iterations": self.done,
            "seconds": self.seconds,
            "playing": [[tensors_of(network) for network in networks] for networks in self._playing],
        }
        return self._folder.save_networks(self._learner.networks(), state, self.done, self.results)

    def _memories(self) -> tuple[Path, Path]:
        """Return the files with what the checkpoint of now learns from: decisions, and ends of turns."""
        decisions, ends = self._folder.memories
        return self._folder.memory(decisions, self.done), self._folder.memory(ends, self.done)

    def restore(self, checkpoint: Path) -> None:
        """Go on from a checkpoint; raise CheckpointError if its state cannot be used."""
        state = self._folder.read_state(checkpoint)
        self._learner.restore(state)
        self._playing = [Networks(*map(arrays_of, networks)) for networks in state["playing"]]
        self.done, self._seconds = state["iterations"], state["seconds"]
        if not self._buffer.load(*self._memories(), self.done):
            self._progress.say("What this checkpoint learns from is missing: beginning with nothing.")

    def finish(self) -> Path:
        """Evaluate the networks, write them with the results, and return the folder that players take."""
        for chunk in (chunk for chunks in self._pending for chunk in chunks):
            chunk.cancel()
        self._measure(self._settings.final_games)
        path = self._folder.write_final_networks(self._learner.networks(), self.done, self.seconds, self.results)
        self._folder.delete_memories()
        return path

    def close(self) -> None:
        """Stop playing and close the curves."""
        self._workers.close()
        self._progress.close()


def _name(row: dict[str, Any]) -> str:
    """Return the name of a way to play and a kind of table in curves and messages."""
    table = row["difficulty"] if row["variant"] == SOLO else f"{row['variant']}_{row['players']}_seats"
    return f"{row['player']}/{table}"
