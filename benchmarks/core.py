"""The speed of the rules core: whole games, the parts of a decision's time, calls from Python, copies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from endeavor_env.benchmarks import kernels
from endeavor_env.benchmarks.measured_games import NAMES, SEATS, STANDARD, kinds_of, label_of
from endeavor_env.benchmarks.report import Figure, Section, speeds, times
from endeavor_env.benchmarks.timing import Effort, in_turns, repeated
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game import Game, GameConfig
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.options import check_options
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.endeavor.rules.state import SETUP, STATE, copy_states
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.testing import MAX_DECISIONS

FOUR_SEATS = GameConfig(players=4)


class KernelGames:
    """Games of one kind on the default board, with a random generator and scratch arrays."""

    def __init__(self, kind: GameConfig = FOUR_SEATS, seed: int = 0) -> None:
        """Make the arrays of a kind of game."""
        self.kind, self.code = kind, kind.code
        self.boards, self.rng = Board.default().array, seeded(seed)
        self.states, self.mask = np.zeros(1, STATE), np.zeros(num_actions(kind.variant), np.int8)
        self.setups, self.options = np.zeros(1, SETUP), check_options(kind.options, kind.variant)
        self.games = self.decisions = 0

    def set_up(self) -> None:
        """Start a random game."""
        players = self.kind.players
        entry.random_setup(self.boards, self.rng, players, self.code, self.setups)
        entry.new_game(self.boards, self.states, players, self.code, self.options, self.setups)

    def play_games(self, games: int = 200) -> int:
        """Play whole games in the compiled loop; return the number of decisions."""
        scratch = self.boards, self.setups, self.states, self.rng
        made = kernels.play_games(*scratch, self.kind.players, self.code, self.options, games)
        self.games += games
        self.decisions += made
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


# --- sections --------------------------------------------------------------------------------------------------------


def play(
    effort: Effort, names: Iterable[str] = NAMES, games: int = 200
) -> tuple[Mapping[str, Sequence[float]], Mapping[str, Sequence[float]]]:
    """Return the decisions and the games per second of random legal play, set-ups included, by kind of game."""
    benches = {label_of(kind): KernelGames(kind) for kind in kinds_of(names, SEATS)}
    found = in_turns({label: lambda bench=bench: bench.play_games(games) for label, bench in benches.items()}, effort)
    played = {
        label: [rate * benches[label].games / benches[label].decisions for rate in rates]
        for label, rates in found.items()
    }
    return found, played


def rules(effort: Effort) -> list[Section]:
    """Measure random legal play in the compiled loop of every kind of game."""
    decisions, games = play(effort)
    figures = [*speeds(decisions), *speeds(games, "games/s")]
    return [
        Section("Random legal play, full mask at every decision, one core", figures),
        Section("The same: time of a decision, its share of the set-up included", times(decisions)),
    ]


def base_game(effort: Effort) -> list[Section]:
    """Measure the same for each number of seats of the base game alone, beside what stands on it."""
    heading = "Core: random legal play in the compiled loop, full mask at every decision, one core"
    return [Section(heading, speeds(play(effort, (STANDARD,), 20)[0]))]


def parts(effort: Effort) -> list[Section]:
    """Measure the same games with masks, without masks, and with the choice of the moves as well."""
    corpus = Corpus(FOUR_SEATS, 3 if effort.smoke else 300)
    found = in_turns({"apply": corpus.replay, "masked": corpus.replay_masked, "all": corpus.play}, effort)
    apply, masked, whole = (sorted(1e9 / rate for rate in rates) for rates in found.values())  # fastest first
    figures = [
        Figure.of("carrying out (`apply`)", "ns", apply),
        Figure.of("mask (`legal`)", "ns", [a - b for a, b in zip(masked, apply, strict=True)]),
        Figure.of("choosing one of the mask", "ns", [a - b for a, b in zip(whole, masked, strict=True)]),
        Figure.of("a decision in all", "ns", whole),
    ]
    return [Section("Parts of a decision, 4 seats, set-up left out", figures)]


def calls(effort: Effort) -> list[Section]:
    """Measure random play from Python."""
    bench = KernelGames()
    works = {
        "kernels: mask, choice, step": bench.play_from_python,
        "`Game.mask` and `Game.apply`, checked": bench.play_facade,
    }
    return [Section("From Python, 4 seats", speeds(in_turns(works, effort)))]


def copies(effort: Effort) -> list[Section]:
    """Measure the time to copy a game."""
    many, one, rng = np.zeros(1000, STATE), np.zeros(1, STATE), seeded(0)
    game = Game.new(4, seed=1)
    for _ in range(90):
        game.apply(int(entry.choose(game.mask().view(np.int8), rng)))
    works = {
        "in a kernel": lambda: kernels.copy_each(many, one),
        "`copy_states` from Python": repeated(lambda: copy_states(game.state), 1000),
        "`state.copy()` of NumPy, from Python": repeated(lambda: game.state.copy(), 1000),
        "`Game.clone()` with 90 moves of history": repeated(lambda: game.clone(), 1000),
    }
    return [Section("Copying a game", times(in_turns(works, effort)))]
