"""``endeavor bench core``: the speed of the rules core, the parts of a decision's time, the cost of starting."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated

import numpy as np
import numpy.typing as npt
import typer

from endeavor_env.agents.command_line import command_line
from endeavor_env.agents.results_file import JsonFile
from endeavor_env.benchmarks import kernels
from endeavor_env.benchmarks.command import Force, Smoke, exit_status, measure_in_turn, new_app
from endeavor_env.benchmarks.core_games import FOUR_SEATS, Corpus, KernelGames
from endeavor_env.benchmarks.measured_games import NAMES, SEATS, SOLO, STANDARD, kinds_of, label_of
from endeavor_env.benchmarks.report import Figure, Section, publish
from endeavor_env.benchmarks.starting import starting
from endeavor_env.benchmarks.timing import FULL, SMOKE, Effort, in_turns, nanoseconds, rates
from endeavor_env.endeavor.ensure import ensure_compiled
from endeavor_env.endeavor.game import Game, GameConfig
from endeavor_env.endeavor.interface import entry
from endeavor_env.endeavor.observation import box_bounds
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import NUM_ACTIONS, NUM_VARIANT_ACTIONS
from endeavor_env.endeavor.rules.state import STATE, copy_states

IN_CACHE = 1_000
"""Positions that are timed together: few enough to stay in the processor's cache, as the position of a game does."""


app = new_app()


def play(effort: Effort) -> list[Section]:
    """Measure random legal play in the compiled loop, set-ups included, of every kind of game.

    The kinds take turns, so that a machine that slows down for a while slows down all of them.
    """
    benches = [KernelGames(kind) for kind in kinds_of()]
    runs = [[rates(bench.play_games, replace(effort, repeats=1)) for bench in benches] for _ in range(effort.repeats)]
    decisions, games, times, ratios, multiples = [], [], [], [], {}
    base = [run[kinds_of().index(FOUR_SEATS)][0][0] for run in runs]
    for at, bench in enumerate(benches):
        label, speeds = label_of(bench.kind), [run[at][0][0] for run in runs]
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
    """Measure the same for each number of seats of the base game alone: a section of ``endeavor bench speed``."""
    benches = {label_of(kind): KernelGames(kind) for kind in kinds_of((STANDARD,), SEATS)}
    found = in_turns({label: lambda bench=bench: bench.play_games(20)[0] for label, bench in benches.items()}, effort)
    figures = [Figure.of(label, "decisions/s", speeds) for label, speeds in found.items()]
    return Section("Core: random legal play in the compiled loop, full mask at every decision, one core", figures)


def opposition(effort: Effort, multiples: Mapping[str, Sequence[float]]) -> list[Section]:
    """Measure what the Opposition does between two decisions of a solitaire game, and how fast both sides act.

    Args:
        effort: How long to measure.
        multiples: The decisions per second of each kind of game, as multiples of those of the base game.
    """
    whats = ("decisions made for the Opposition", "its actions", "its blue tokens, bonus draws and discards")
    figures, acts = [], []
    for kind in kinds_of(name for name in NAMES if name.partition(":")[0] == SOLO):
        bench = KernelGames(kind)
        runs = np.stack([bench.play_counted() for _ in range(effort.repeats)])
        figures += [
            Figure.of(f"{label_of(kind)}: {what}", "a decision", runs[:, at].tolist()) for at, what in enumerate(whats)
        ]
        each = 1.0 + (runs[:, 1] + runs[:, 2] - runs[:, 0]).mean()  # the player's choices for it are decisions already
        acts.append(Figure.of(label_of(kind), "times", [multiple * each for multiple in multiples[label_of(kind)]]))
    return [
        Section("The Opposition in random solitaire games, for each decision of the player", figures),
        Section("Acts of both sides a second against decisions of the base game with 4 seats", acts),
    ]


def calls(effort: Effort) -> list[Section]:
    """Measure random play from Python, and single calls."""
    bench = KernelGames()
    python = rates(lambda: (bench.play_from_python(),), effort)[0]
    facade = rates(lambda: (bench.play_facade(),), effort)[0]
    features, compact = (
        np.empty(low.size, low.dtype) for low in (box_bounds(kind)[0] for kind in ("features", "compact"))
    )
    totals = np.zeros(c.MAX_SEATS, np.int16)
    bench.set_up()
    entry.play_random(bench.boards, bench.states, bench.rng, c.NONE, 90)
    args = bench.boards, bench.states
    single: list[tuple[str, Callable[[], object]]] = [
        (f"`legal`: mask of {NUM_ACTIONS} actions", lambda: entry.legal(*args, bench.mask)),
        ("`total`: Glory of every seat", lambda: entry.total(*args, totals)),
        ("`observe_features`, float32", lambda: entry.observe_features(*args, 0, features)),
        ("`observe_compact`, int8", lambda: entry.observe_compact(*args, 0, compact)),
    ]
    return [
        Section(
            "From Python, 4 seats",
            [
                Figure.of("kernels: mask, choice, step", "decisions/s", python),
                Figure.of("`Game.mask` and `Game.apply`, checked", "decisions/s", facade),
            ],
        ),
        Section("One call from Python, 4 seats, mid-game", [one_call(name, call, effort) for name, call in single]),
    ]


def one_call(name: str, call: Callable[[], object], effort: Effort) -> Figure:
    """Measure the time of one call."""

    def thousand() -> int:
        for _ in range(1000):
            call()
        return 1000

    return Figure.of(name, "ns", nanoseconds(thousand, effort))


def copies(effort: Effort) -> list[Section]:
    """Return the sizes of a game, and measure the time to copy one."""
    bench = KernelGames()
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
                one_call("`copy_states` from Python", lambda: copy_states(game.state), effort),
                one_call("`state.copy()` of NumPy, from Python", lambda: game.state.copy(), effort),
                one_call("`Game.clone()` with 90 moves of history", lambda: game.clone(), effort),
            ],
        ),
    ]


def parts(effort: Effort, games: int) -> list[Section]:
    """Measure the parts of a decision's time, by subtraction, and the time of each kind of decision."""
    corpora = {kind: Corpus(kind, games) for kind in kinds_of((STANDARD,), SEATS)}
    return [
        *(decision_parts(kind, corpus, effort) for kind, corpus in corpora.items()),
        Section("By kind of decision, 4 seats", by_decision(corpora[FOUR_SEATS], effort)),
    ]


def decision_parts(kind: GameConfig, corpus: Corpus, effort: Effort) -> Section:
    """Measure the same games with masks, without masks, and with the choice of the moves as well."""
    apply = nanoseconds(corpus.replay, effort)
    masked = nanoseconds(corpus.replay_masked, effort)
    whole = nanoseconds(corpus.play, effort)
    figures = [
        Figure.of("carrying out (`apply`)", "ns", apply),
        Figure.of("mask (`legal`)", "ns", differences(masked, apply)),
        Figure.of("choosing one of the mask", "ns", differences(whole, masked)),
        Figure.of("a decision in all", "ns", whole),
    ]
    return Section(f"Parts of a decision, {label_of(kind)}, set-up left out", figures)


def differences(more: Sequence[float], less: Sequence[float]) -> list[float]:
    """Return the differences of two series of times, both sorted: fastest minus fastest, and so on."""
    return [a - b for a, b in zip(sorted(more), sorted(less), strict=True)]


def by_decision(corpus: Corpus, effort: Effort) -> list[Figure]:
    """Measure mask and move of each kind of decision, on positions of random games."""
    figures: list[Figure] = []
    for kind, name in enumerate(c.DECISION_NAMES):
        chosen = np.flatnonzero(corpus.positions["decision"] == kind)
        if kind != c.DECIDE_NOTHING and chosen.size >= 100:
            label = f"{name}, {chosen.size / corpus.moves.size:.0%} of decisions"
            some = chosen[:: max(1, chosen.size // IN_CACHE)]
            figures += one_decision(label, corpus, corpus.positions[some], corpus.moves[some], effort)
    return figures


def one_decision(
    label: str, corpus: Corpus, positions: npt.NDArray[np.void], moves: npt.NDArray[np.int16], effort: Effort
) -> list[Figure]:
    """Measure mask and move in these positions; the time to copy them is subtracted."""
    boards, scratch = corpus.bench.boards, corpus.scratch
    masked = nanoseconds(lambda: kernels.mask_each(boards, positions), effort)
    copied = nanoseconds(lambda: kernels.copy_each(positions, scratch), effort)
    moved = nanoseconds(lambda: kernels.apply_each(boards, positions, moves, scratch), effort)
    return [
        Figure.of(f"{label}: mask", "ns", masked),
        Figure.of(f"{label}: carrying out", "ns", differences(moved, copied)),
    ]


@app.command()
def command(
    smoke: Smoke = False,
    no_compile: Annotated[
        bool, typer.Option("--no-compile", help="Leave out the first use on a machine (a minute).")
    ] = False,
    json_file: JsonFile = None,
    force: Force = False,
) -> None:
    """Measure the rules core, and print the figures as Markdown."""
    with command_line(json_file, force):
        effort = SMOKE if smoke else FULL
        ensure_compiled()
        sections, status = measure_in_turn(
            [
                lambda: play(effort),
                lambda: parts(effort, 3 if smoke else 300),
                lambda: calls(effort),
                lambda: copies(effort),
                lambda: starting(effort, smoke, compiling=not no_compile),
            ]
        )
        if sections:
            publish(json_file, "endeavor_env.benchmarks.core", "Core", sections)
    raise typer.Exit(status)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, run, and return the exit status."""
    return exit_status(app, "endeavor_env.benchmarks.core", arguments)


if __name__ == "__main__":
    sys.exit(main())
