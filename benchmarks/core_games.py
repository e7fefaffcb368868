"""Random games of the rules core, played in several ways that are timed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from endeavor_env.benchmarks import kernels
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.options import check_options
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.endeavor.rules.state import SETUP, STATE
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.testing import MAX_DECISIONS

FOUR_SEATS = GameConfig(players=4)
"""The kind of game that all others are compared with."""


def _note(counts: npt.NDArray[np.int64], task: int) -> None:
    """Count a task that the Opposition has carried out; tasks of the set-up are not counted."""
    if task == c.TASK_ACTION:
        counts[1] += 1
    elif task not in (c.TASK_EUROPE, c.TASK_REMOVE):
        counts[2] += 1


class KernelGames:
    """Games of one kind on the default board, with a random generator and scratch arrays."""

    def __init__(self, kind: GameConfig = FOUR_SEATS, seed: int = 0) -> None:
        """Make the arrays of a kind of game."""
        self.kind, self.code = kind, kind.code
        self.boards, self.rng = Board.default().array, seeded(seed)
        self.states, self.mask = np.zeros(1, STATE), np.zeros(num_actions(kind.variant), np.int8)
        self.setups, self.options = np.zeros(1, SETUP), check_options(kind.options, kind.variant)

    def set_up(self) -> None:
        """Start a random game."""
        players = self.kind.players
        entry.random_setup(self.boards, self.rng, players, self.code, self.setups)
        entry.new_game(self.boards, self.states, players, self.code, self.options, self.setups)

    def play_games(self, games: int = 200) -> tuple[int, int]:
        """Play whole games in the compiled loop; return the numbers of decisions and of games."""
        players = self.kind.players
        scratch = self.boards, self.setups, self.states, self.rng
        return kernels.play_games(*scratch, players, self.code, self.options, games), games

    def play_counted(self, games: int = 200) -> npt.NDArray[np.float64]:
        """Play whole solitaire games; return the counts of ``play_opposition`` per decision."""
        decisions, counts = 0, np.zeros(3, np.int64)
        for _ in range(games):
            self.set_up()
            decisions += self.play_opposition(counts)
        return counts / decisions

    def play_opposition(self, counts: npt.NDArray[np.int64]) -> int:
        """Play a random solitaire game to its end; return the player's decisions, those for the Opposition included.

        Adds to ``counts``, (3,) int64: decisions made for the Opposition, its actions that were carried out, and the
        blue tokens, bonus draws and discards that were.
        """
        made, out, state = 0, np.empty(4, np.int64), self.states
        while entry.legal(self.boards, state, self.mask):
            if state["decision"][0] == c.DECIDE_OPPOSITION:
                counts[0] += 1
                _note(counts, state["task"][0])
            entry.begin_step(self.boards, state, entry.choose(self.mask, self.rng))
            made += 1
            while True:
                task = state["task"][0]
                if not entry.opposition_step(self.boards, state, out):
                    break
                if out[3] != c.NONE:
                    _note(counts, task)
        return made

    def play_from_python(self, games: int = 20) -> int:
        """Play whole games with three calls per decision (mask, choice, step); return the number of decisions."""
        decisions = 0
        for _ in range(games):
            self.set_up()
            while entry.legal(self.boards, self.states, self.mask):
                entry.step(self.boards, self.states, entry.choose(self.mask, self.rng))
                decisions += 1
        return decisions

    def play_facade(self, games: int = 5) -> int:
        """Play whole games with Game.apply, which checks every move; return the number of decisions."""
        decisions = 0
        for seed in range(games):
            game = self.kind.new_game(seed)
            while not game.over:
                game.apply(int(entry.choose(game.mask().view(np.int8), self.rng)))
                decisions += 1
        return decisions


class Corpus:
    """Random games with their moves and all their positions, so that parts of a decision are timed on the same work."""

    def __init__(self, kind: GameConfig, games: int) -> None:
        """Play the games."""
        self.bench = bench = KernelGames(kind, seed=1)
        self.scratch = np.zeros(1, STATE)
        self.starts = np.zeros(games, STATE)
        played, noted = [], []
        moves, positions = np.zeros(MAX_DECISIONS, np.int16), np.zeros(MAX_DECISIONS, STATE)
        for game in range(games):
            bench.set_up()
            self.starts[game] = bench.states[0]
            made = kernels.play_noted(bench.boards, bench.states, bench.rng, moves, positions)
            played.append(moves[:made].copy())
            noted.append(positions[:made].copy())
        self.ends = np.cumsum([moves.size for moves in played])
        self.positions, self.moves = np.concatenate(noted), np.concatenate(played)

    def replay(self) -> int:
        """Make all moves without masks; return their number."""
        return kernels.replay(self.bench.boards, self.starts, self.moves, self.ends, self.scratch)

    def replay_masked(self) -> int:
        """Make all moves, each after its mask; return their number."""
        return kernels.replay_masked(self.bench.boards, self.starts, self.moves, self.ends, self.scratch)

    def play(self) -> int:
        """Play random games from the same first positions; return the number of decisions."""
        return kernels.play(self.bench.boards, self.starts, self.bench.rng, self.scratch)
