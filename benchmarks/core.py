"""``python -m benchmarks.core``: how fast the rules core is, what a decision's time goes into, what starting costs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from benchmarks import kernels
from benchmarks.starting import starting
from benchmarks.timing import FULL, SMOKE, Effort, Figure, Section, add_options, in_turns, nanoseconds, publish, rates
from benchmarks.variants import NAMES, SEATS, SOLO, STANDARD, Kind, kinds_of
from endeavor_env.board import Board
from endeavor_env.compilation import ensure_compiled
from endeavor_env.core import constants as c
from endeavor_env.core import entry
from endeavor_env.core.actions import NUM_ACTIONS, NUM_VARIANT_ACTIONS
from endeavor_env.core.observe.write import observe_compact, observe_features
from endeavor_env.core.rng import seeded
from endeavor_env.core.state import SETUP, STATE, copy_states
from endeavor_env.game import Game
from endeavor_env.observation import box_bounds
from endeavor_env.options import check_options
from endeavor_env.testing import MAX_DECISIONS

FOUR_SEATS = Kind(STANDARD, 4)
"""What the other kinds of game are compared with."""
IN_CACHE = 1_000
"""Positions timed in turn: few enough to stay in the processor's cache, as the position of one game does."""


class Bench:
    """The default board, a generator and scratch arrays; games of one kind."""

    def __init__(self, kind: Kind = FOUR_SEATS, seed: int = 0) -> None:
        """Makes the arrays."""
        self.kind, self.code = kind, c.VARIANT_NAMES.index(kind.variant)
        self.boards, self.rng = Board.default().array, seeded(seed)
        self.states, self.mask = np.zeros(1, STATE), np.zeros(kind.num_actions, np.int8)
        self.setups, self.options = np.zeros(1, SETUP), check_options(kind.options, kind.variant)

    def set_up(self) -> None:
        """Starts a random game."""
        players = self.kind.players
        entry.random_setup(self.boards, self.rng, players, self.code, self.setups)
        entry.new_game(self.boards, self.states, players, self.code, self.options, self.setups)

    def play_games(self, games: int = 200) -> tuple[int, int]:
        """Plays whole games in the compiled loop; returns the decisions and the games."""
        players = self.kind.players
        scratch = self.boards, self.setups, self.states, self.rng, self.mask
        return kernels.play_games(*scratch, players, self.code, self.options, games), games

    def play_counted(self, games: int = 200) -> npt.NDArray[np.float64]:
        """Plays whole solitaire games; returns what ``kernels.play_opposition`` counts, for each decision."""
        decisions, counts = 0, np.zeros(3, np.int64)
        for _ in range(games):
            self.set_up()
            decisions += kernels.play_opposition(self.boards, self.states, self.rng, self.mask, counts)
        return counts / decisions

    def play_from_python(self, games: int = 20) -> int:
        """Plays whole games with three calls a decision: mask, choice, step; returns the decisions."""
        decisions = 0
        for _ in range(games):
            self.set_up()
            while entry.legal(self.boards, self.states, self.mask):
                entry.step(self.boards, self.states, entry.choose(self.mask, self.rng))
                decisions += 1
        return decisions

    def play_facade(self, games: int = 5) -> int:
        """Plays whole games with Game.apply, which checks every move; returns the decisions."""
        decisions = 0
        for seed in range(games):
            game = Game.new(self.kind.players, self.kind.variant, seed, options=self.kind.options)
            while not game.over:
                game.apply(int(entry.choose(game.mask().view(np.int8), self.rng)))
                decisions += 1
        return decisions


class Corpus:
    """Random games with their moves and all their positions, to time parts of a decision on the same work."""

    def __init__(self, kind: Kind, games: int) -> None:
        """Plays the games."""
        self.bench = bench = Bench(kind, seed=1)
        self.scratch = np.zeros(1, STATE)
        self.starts = np.zeros(games, STATE)
        played, noted = [], []
        moves, positions = np.zeros(MAX_DECISIONS, np.int16), np.zeros(MAX_DECISIONS, STATE)
        for game in range(games):
            bench.set_up()
            self.starts[game] = bench.states[0]
            made = kernels.play_noted(bench.boards, bench.states, bench.rng, bench.mask, moves, positions)
            played.append(moves[:made].copy())
            noted.append(positions[:made].copy())
        self.ends = np.cumsum([moves.size for moves in played])
        self.positions, self.moves = np.concatenate(noted), np.concatenate(played)

    def replay(self) -> int:
        """Makes all moves, no masks."""
        return kernels.replay(self.bench.boards, self.starts, self.moves, self.ends, self.scratch)

    def replay_masked(self) -> int:
        """Makes all moves, each after its mask."""
        bench = self.bench
        return kernels.replay_masked(bench.boards, self.starts, self.moves, self.ends, self.scratch, bench.mask)

    def play(self) -> int:
        """Plays random games from the same starts."""
        return kernels.play(self.bench.boards, self.starts, self.bench.rng, self.scratch, self.bench.mask)


def play(effort: Effort) -> list[Section]:
    """Random legal play in the compiled loop, set-ups included; every kind of game beside four seats.

    The kinds take turns, so that a machine that slows down for a while slows down all of them.
    """
    benches = [Bench(kind) for kind in kinds_of()]
    runs = [[rates(bench.play_games, replace(effort, repeats=1)) for bench in benches] for _ in range(effort.repeats)]
    decisions, games, times, ratios, multiples = [], [], [], [], {}
    base = [run[kinds_of().index(FOUR_SEATS)][0][0] for run in runs]
    for at, bench in enumerate(benches):
        label, speeds = bench.kind.label, [run[at][0][0] for run in runs]
        decisions.append(Figure.of(label, "decisions/s", speeds))
        games.append(Figure.of(label, "games/s", [run[at][1][0] for run in runs]))
        times.append(Figure.of(label, "ns", [1e9 / speed for speed in speeds]))
        multiples[label] = [speed / other for speed, other in zip(speeds, base, strict=True)]
        ratios.append(Figure.of(label, "times", multiples[label]))
    return [
        Section("Random legal play, full mask at every decision, one core", [*decisions, *games]),
        Section("The same: time of a decision, its share of the set-up included", times),
        Section("The same: decisions a second against the base game with 4 seats", ratios),
        *opposition(effort, multiples),
    ]


def base_game(effort: Effort) -> Section:
    """The same for the base game alone, whatever its number of seats: what ``benchmarks.run`` shows of the core."""
    benches = {kind.label: Bench(kind) for kind in kinds_of((STANDARD,), SEATS)}
    found = in_turns({label: lambda bench=bench: bench.play_games(20)[0] for label, bench in benches.items()}, effort)
    figures = [Figure.of(label, "decisions/s", speeds) for label, speeds in found.items()]
    return Section("Core: random legal play in the compiled loop, full mask at every decision, one core", figures)


def opposition(effort: Effort, multiples: Mapping[str, Sequence[float]]) -> list[Section]:
    """What the Opposition does while a solitaire game waits for the next decision, and how fast both sides act.

    ``multiples`` are the decisions a second of each kind of game, as multiples of the base game's.
    """
    whats = ("decisions made for the Opposition", "its actions", "its blue tokens, bonus draws and discards")
    figures, acts = [], []
    for kind in kinds_of(name for name in NAMES if name.partition(":")[0] == SOLO):
        bench = Bench(kind)
        runs = np.stack([bench.play_counted() for _ in range(effort.repeats)])
        figures += [
            Figure.of(f"{kind.label}: {what}", "a decision", runs[:, at].tolist()) for at, what in enumerate(whats)
        ]
        each = 1.0 + (runs[:, 1] + runs[:, 2] - runs[:, 0]).mean()  # the player's choices for it are decisions already
        acts.append(Figure.of(kind.label, "times", [multiple * each for multiple in multiples[kind.label]]))
    return [
        Section("The Opposition in random solitaire games, for each decision of the player", figures),
        Section("Acts of both sides a second against decisions of the base game with 4 seats", acts),
    ]


def calls(effort: Effort) -> list[Section]:
    """The same from Python, and the cost of single calls."""
    bench = Bench()
    python = rates(lambda: (bench.play_from_python(),), effort)[0]
    facade = rates(lambda: (bench.play_facade(),), effort)[0]
    features, compact = (
        np.empty(low.size, low.dtype) for low in (box_bounds(kind)[0] for kind in ("features", "compact"))
    )
    totals = np.zeros(c.MAX_SEATS, np.int16)
    bench.set_up()
    entry.play_random(bench.boards, bench.states, bench.rng, bench.mask, c.NONE, 90)
    args = bench.boards, bench.states
    single: list[tuple[str, Callable[[], object]]] = [
        (f"`legal`: mask of {NUM_ACTIONS} actions", lambda: entry.legal(*args, bench.mask)),
        ("`total`: Glory of every seat", lambda: entry.total(*args, totals)),
        ("`observe_features`, float32", lambda: observe_features(*args, 0, features)),
        ("`observe_compact`, int8", lambda: observe_compact(*args, 0, compact)),
    ]
    return [
        Section(
            "From Python, 4 seats",
            [
                Figure.of("kernels: mask, choice, step", "decisions/s", python),
                Figure.of("`Game.mask` and `Game.apply`, checked", "decisions/s", facade),
            ],
        ),
        Section("One call from Python, 4 seats, mid-game", [each(name, call, effort) for name, call in single]),
    ]


def each(name: str, call: Callable[[], object], effort: Effort) -> Figure:
    """Returns the time of one call."""

    def thousand() -> int:
        for _ in range(1000):
            call()
        return 1000

    return Figure.of(name, "ns", nanoseconds(thousand, effort))


def copies(effort: Effort) -> list[Section]:
    """Sizes, and what a copy of a game costs."""
    bench = Bench()
    many, one = np.zeros(1000, STATE), np.zeros(1, STATE)
    game = Game.new(4, seed=1)
    for _ in range(90):
        game.apply(int(entry.choose(game.mask().view(np.int8), bench.rng)))
    return [
        Section(
            "Sizes",
            [
                Figure.of("state of a game", "bytes", [STATE.itemsize]),
                Figure.of("board", "bytes", [bench.boards.nbytes]),
                Figure.of("action ids", "", [NUM_ACTIONS]),
                Figure.of("action ids of a variant", "", [NUM_VARIANT_ACTIONS]),
            ],
        ),
        Section(
            "Copying a game",
            [
                Figure.of("in a kernel", "ns", nanoseconds(lambda: kernels.copy_each(many, one), effort)),
                each("`copy_states` from Python", lambda: copy_states(game.state), effort),
                each("`state.copy()` of NumPy, from Python", lambda: game.state.copy(), effort),
                each("`Game.clone()` with 90 moves of history", lambda: game.clone(), effort),
            ],
        ),
    ]


def parts(effort: Effort, games: int) -> list[Section]:
    """What a decision's time goes into, by subtraction and by kind of decision."""
    corpora = {kind: Corpus(kind, games) for kind in kinds_of((STANDARD,), SEATS)}
    return [
        *(shares(kind, corpus, effort) for kind, corpus in corpora.items()),
        Section("By kind of decision, 4 seats", kinds(corpora[FOUR_SEATS], effort)),
    ]


def shares(kind: Kind, corpus: Corpus, effort: Effort) -> Section:
    """Times the same games with and without masks, and games of which the moves are chosen as well."""
    apply = nanoseconds(corpus.replay, effort)
    masked = nanoseconds(corpus.replay_masked, effort)
    whole = nanoseconds(corpus.play, effort)
    figures = [
        Figure.of("carrying out (`apply`)", "ns", apply),
        Figure.of("mask (`legal`)", "ns", differences(masked, apply)),
        Figure.of("choosing one of the mask", "ns", differences(whole, masked)),
        Figure.of("a decision in all", "ns", whole),
    ]
    return Section(f"Parts of a decision, {kind.label}, set-up left out", figures)


def differences(more: Sequence[float], less: Sequence[float]) -> list[float]:
    """Returns what ``more`` takes beyond ``less``, fastest against fastest and so on."""
    return [a - b for a, b in zip(sorted(more), sorted(less), strict=True)]


def kinds(corpus: Corpus, effort: Effort) -> list[Figure]:
    """Times mask and move of each kind of decision apart, on positions of random games."""
    figures: list[Figure] = []
    for kind, name in enumerate(c.DECISION_NAMES):
        chosen = np.flatnonzero(corpus.positions["decision"] == kind)
        if kind != c.DECIDE_NOTHING and chosen.size >= 100:
            label = f"{name}, {chosen.size / corpus.moves.size:.0%} of decisions"
            some = chosen[:: max(1, chosen.size // IN_CACHE)]
            figures += one_kind(label, corpus, corpus.positions[some], corpus.moves[some], effort)
    return figures


def one_kind(
    label: str, corpus: Corpus, positions: npt.NDArray[np.void], moves: npt.NDArray[np.int16], effort: Effort
) -> list[Figure]:
    """Times these positions; their copies are taken off."""
    boards, scratch = corpus.bench.boards, corpus.scratch
    masked = nanoseconds(lambda: kernels.mask_each(boards, positions, corpus.bench.mask), effort)
    copied = nanoseconds(lambda: kernels.copy_each(positions, scratch), effort)
    moved = nanoseconds(lambda: kernels.apply_each(boards, positions, moves, scratch), effort)
    return [
        Figure.of(f"{label}: mask", "ns", masked),
        Figure.of(f"{label}: carrying out", "ns", differences(moved, copied)),
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Reads the command line, measures, prints Markdown."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.core", description="Measures the rules core.")
    add_options(parser)
    parser.add_argument("--no-compile", action="store_true", help="leaves out the first use on a machine (a minute)")
    given = parser.parse_args(arguments)
    effort = SMOKE if given.smoke else FULL
    ensure_compiled()
    sections = [
        *play(effort),
        *parts(effort, 3 if given.smoke else 300),
        *calls(effort),
        *copies(effort),
        *starting(effort, compiling=not (given.smoke or given.no_compile)),
    ]
    publish(given, "benchmarks.core", "Core", sections)
    return 0


if __name__ == "__main__":
    sys.exit(main())
