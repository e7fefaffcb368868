"""The value network of ``endeavor train td``, in the way of the preset ``quick``, at the tables of one task."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.training.reference.run import RUN, Reference
from endeavor_env.training.td.folder import TDRunFolder, board_of
from endeavor_env.training.td.games import LEARNER_CODE, SeatedPlayer
from endeavor_env.training.td.run import TDRun
from endeavor_env.training.td.settings import TDSettings, preset
from endeavor_env.training.td.workers import ThreadWorkers

DECISIONS_OF_GAME = 236
WARM_UP_SHARE = 0.15
"""Of the budget: the games of heuristics with which a run begins."""
GAMES_PER_SECOND = 160
"""Games of heuristics that one core plays and learns from in a second: what the warm-up is sized by."""


class BudgetedRun(TDRun):
    """A run whose iterations are as many as fit into a budget."""

    def learn(self, reference: Reference) -> None:
        """Play and learn until the budget is spent; all that falls over the iterations falls with what is left."""
        self._warm_up()
        budget = reference.budget
        budget.decisions = self._decisions
        budget.another_lap()
        budget.forget_laps()
        going = True
        while going:
            self._iterate()
            budget.decisions = self._decisions
            reference.watch(self.player)
            going = budget.another_lap()
            self._settings = self._settings.replace(iterations=self.done + max(2, budget.laps_left))

    def player(self) -> SeatedPlayer:
        """Return the player of the network as it is."""
        return self._population.against_rival(self.averaged()).seated[LEARNER_CODE]

    def averaged(self) -> NetworkArrays:
        """Return the network as it is, which is what the run writes."""
        return self._learner.averaged()

    def write(self, folder: TDRunFolder) -> Path:
        """Write the network of the finished run; return its path."""
        return folder.write_final(self.averaged(), self.done, self.seconds, [])


def train(reference: Reference) -> Path:
    """Train under the budget of a run; return the path of the value network."""
    settings = settings_of(reference)
    folder = TDRunFolder.create(reference.folder / RUN, settings, reference.command)
    board = board_of(settings)
    run = BudgetedRun(folder, board, ThreadWorkers(board, 1), Console(stderr=True))
    try:
        run.learn(reference)
        reference.check_finite(run.averaged())
        path = run.write(folder)
        reference.finish_value(path, run.player, settings.to_dict())
    finally:
        run.close()
    return path


def settings_of(reference: Reference) -> TDSettings:
    """Return the settings of a run: those of ``quick`` with portions that fit its budget."""
    track = reference.budget.track
    if track.decisions is not None:
        warm_up, replay_ratio = track.decisions / DECISIONS_OF_GAME, 4.0  # time is free: each position counts more
    else:
        warm_up, replay_ratio = GAMES_PER_SECOND * (track.cpu_seconds or 0.0), 1.5
    warm_up_games = max(1, round(WARM_UP_SHARE * warm_up))
    return preset("quick", "standard").replace(
        players=(reference.players,), seed=reference.seed, threads=1, replay_ratio=replay_ratio,
        warm_up_games=warm_up_games, games=max(1, warm_up_games // 8), snapshot_every=4, device="cpu",
    )  # fmt: skip
