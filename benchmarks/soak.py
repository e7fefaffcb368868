"""``python -m benchmarks.soak --games 100000``: random games with every invariant checked at every decision.

Games are numbered; number N is the same game on every machine, whatever else is played: its variant, options, board,
set-up and moves follow from the command line and ``--seed`` + N. Stop with Ctrl-C at any time and go on with
``--start``.
"""

from __future__ import annotations

import argparse
import functools
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from benchmarks.machine import provenance, sentence
from benchmarks.variants import NAMES, SEATS, STANDARD, Kind, kinds_of
from endeavor_env.board import Board
from endeavor_env.core import constants as c
from endeavor_env.core.checks import audited_play as soak
from endeavor_env.core.rng import seeded
from endeavor_env.core.state import STATE
from endeavor_env.errors import EndeavorError
from endeavor_env.game import Game
from endeavor_env.records import replay
from endeavor_env.testing import MAX_DECISIONS, ActionMismatchError, check_actions, flag_names

REDRAWS = (0, 1, 2, 4, -1, -3)
"""Kinds of random play, in turn: uniform, and five that crowd the board (``core.soak.choose_eager``)."""
DEFAULT_BOARD = "endeavor_2009"
NUM_BOARDS = 64
CHUNK = 20
LEAP = 7919
"""A prime that shares no cycle with anything else that goes by a game's number."""
INTERRUPTED = 130  # what a shell reports for a program ended by Ctrl-C
REPLAY_ILLEGAL = "a move is illegal when the game is replayed"
REPLAY_DIFFERS = "the replayed game has other bytes"
FACADE = "Game.apply and Game.mask disagree, or a refused action left a trace"
RECORD = "the record does not replay to the same game"


@dataclass(frozen=True)
class Case:
    """What a game's number stands for."""

    kind: Kind
    options: dict[str, Any]
    seed: int
    board: str
    redraws: int

    def new(self) -> Game:
        """Starts the game."""
        return Game.new(
            self.kind.players, self.kind.variant, self.seed, board=board_of(self.board), options=self.options
        )

    def code(self) -> str:
        """Returns the call that starts it."""
        variant = "" if self.kind.variant == STANDARD else f", variant={self.kind.variant!r}"
        options = f", options={self.options!r}" if self.options else ""
        return f"Game.new({self.kind.players}{variant}, seed={self.seed}, board={self.board!r}{options})"


@dataclass(frozen=True)
class Plan:
    """The options of the command line that decide what a game's number means."""

    seed: int
    kinds: tuple[Kind, ...]
    boards: str
    facade_every: int

    def game(self, number: int) -> Case:
        """Returns game ``number``: kinds of game take turns, then kinds of play, boards and options in all mixtures."""
        turn, place = divmod(number, len(self.kinds))
        kind, step = self.kinds[place], turn // len(REDRAWS)
        generated = self.boards == "generated" or (self.boards == "both" and step % 2 == 1)
        board = f"generated_{number % NUM_BOARDS}" if generated else DEFAULT_BOARD
        variations = kind.variations()
        # Shifted with the kind of play, so that a short run meets all options, and a long one all mixtures.
        options = variations[(turn + step // 2) % len(variations)]
        return Case(kind, options, self.seed + number, board, REDRAWS[turn % len(REDRAWS)])

    def through_facade(self, number: int) -> bool:
        """Tells whether game ``number`` is the one of its ``facade_every`` that is played through ``Game`` as well."""
        if self.facade_every == 0:
            return False
        block, place = divmod(number, self.facade_every)
        return place == block * LEAP % self.facade_every


@dataclass
class Tally:
    """What was found in some games of one kind."""

    games: int = 0
    decisions: int = 0
    longest: int = 0
    violations: Counter[str] = field(default_factory=Counter)
    reports: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Takes in another tally."""
        self.games += other.games
        self.decisions += other.decisions
        self.longest = max(self.longest, other.longest)
        self.violations.update(other.violations)
        self.reports += other.reports


@functools.lru_cache(maxsize=NUM_BOARDS + 1)
def board_of(name: str) -> Board:
    """Returns the board of a name, made once."""
    return Board.resolve(name)


class Worker(threading.local):
    """The scratch arrays of one thread."""

    def __init__(self) -> None:
        """Makes them."""
        self.fresh = np.zeros(1, STATE)
        self.masks = {kind.variant: np.zeros(kind.num_actions, np.int8) for kind in kinds_of()}
        self.points = np.zeros(c.NUM_BREAKDOWN, np.int16)
        self.moves = np.zeros(MAX_DECISIONS, np.int16)

    def play(self, plan: Plan, number: int) -> Tally:
        """Plays one game, audited at every decision, then replays it; now and then through the facade as well."""
        case = plan.game(number)
        game = case.new()
        again, boards, mask = game.state.copy(), game.board.array, self.masks[case.kind.variant]
        scratch = (self.fresh, mask, self.points)
        rng = seeded(~case.seed)
        made, flags = soak.play_audited(boards, game.state, rng, case.redraws, self.moves, *scratch)
        found = flag_names(flags)
        if not found and soak.play_moves(boards, again, self.moves, made, mask) != made:
            found = [REPLAY_ILLEGAL]
        elif not found and again.tobytes() != game.state.tobytes():
            found = [REPLAY_DIFFERS]
        moves = self.moves[:made].tolist()
        if not found and plan.through_facade(number):
            found = through_facade(case, moves)
        reports = [report(case, number, found, moves)] if found else []
        return Tally(1, made, made, Counter(found), reports)


def through_facade(case: Case, moves: Sequence[int]) -> list[str]:
    """Plays the moves with Game, trying every action id at every decision, and replays the record."""
    game = case.new()
    try:
        for action in moves:
            check_actions(game)
            game.apply(action)
        check_actions(game)
    except (ActionMismatchError, EndeavorError):
        return [FACADE]
    try:
        again = replay(game.record(), board=game.board)
    except EndeavorError:
        return [RECORD]
    same = again.state.tobytes() == game.state.tobytes() and again.options == game.options
    return [] if same else [RECORD]


def report(case: Case, number: int, found: Sequence[str], moves: Sequence[int]) -> str:
    """Returns how to come to the state in which something was found."""
    game = case.new()
    texts = " ".join(game.describe(action) for action in moves)
    return (
        f"game {number}: {'; '.join(found)}\n"
        f"    game = {case.code()}\n"
        f"    for move in {texts!r}.split():\n"
        f"        game.play(move)\n"
        f"    check_state(game)"
    )


def play_all(plan: Plan, start: int, games: int, jobs: int) -> Iterator[dict[Kind, Tally]]:
    """Yields the tallies of the games from ``start`` on by kind, some games at a time, in their order."""
    worker = Worker()

    def chunk(first: int) -> dict[Kind, Tally]:
        tallies = {kind: Tally() for kind in plan.kinds}
        for number in range(first, min(first + CHUNK, start + games)):
            tallies[plan.game(number).kind].add(worker.play(plan, number))
        return tallies

    with ThreadPoolExecutor(jobs) as pool:
        for wave in range(start, start + games, CHUNK * jobs):
            firsts = range(wave, min(wave + CHUNK * jobs, start + games), CHUNK)
            yield from pool.map(chunk, firsts)


def results_table(tallies: dict[Kind, Tally], seconds: float) -> Table:
    """Returns what was found, a row for each kind of game and one for all."""
    whole = Tally()
    for tally in tallies.values():
        whole.add(tally)
    rate = f"{whole.decisions / seconds:,.0f} audited decisions/s"
    table = Table(title=f"{whole.games:,} games in {seconds:.1f} s, {rate}")
    table.add_column("variant")
    for heading in ("seats", "games", "decisions", "longest game", "violations"):
        table.add_column(heading, justify="right")
    rows = [(kind.name, str(kind.players), tally) for kind, tally in tallies.items()]
    for name, seats, tally in [*rows, ("all", "", whole)]:
        counts = (tally.games, tally.decisions, tally.longest, tally.violations.total())
        table.add_row(name, seats, *(f"{count:,}" for count in counts))
    return table


def prepare(plan: Plan, start: int, games: int) -> None:
    """Draws the boards and compiles the kernels, before the clock runs."""
    for number in range(start, start + min(games, 2 * len(plan.kinds) * len(REDRAWS) * NUM_BOARDS)):
        board_of(plan.game(number).board)
    Worker().play(plan, start)


def run(plan: Plan, start: int, games: int, jobs: int) -> int:
    """Plays, prints and returns the exit code: 0 sound, 1 a violation, 130 stopped."""
    tallies = {kind: Tally() for kind in plan.kinds}
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    prepare(plan, start, games)
    began = time.perf_counter()
    errors = Console(stderr=True)
    with Progress(*columns, console=errors, transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("", total=games)
        try:
            for found in play_all(plan, start, games, jobs):
                for kind, tally in found.items():
                    tallies[kind].add(tally)
                progress.update(task, completed=sum(tally.games for tally in tallies.values()))
        except KeyboardInterrupt:
            errors.print("stopped")
    console = Console()
    console.print(results_table(tallies, time.perf_counter() - began))
    violations = sum((tally.violations for tally in tallies.values()), Counter[str]())
    for name, count in violations.most_common():
        console.print(f"{count:,} times: {name}")
    for text in [text for tally in tallies.values() for text in tally.reports][:3]:
        console.print(text, soft_wrap=True, markup=False, highlight=False)
    console.print(sentence(provenance("benchmarks.soak")), soft_wrap=True, highlight=False)
    done = sum(tally.games for tally in tallies.values())
    if done < games:
        console.print(f"stopped after {done:,} games; go on with --start {start + done} --games {games - done}")
    return 1 if violations else INTERRUPTED if done < games else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Reads the command line and runs."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.soak", description="Plays random games and checks every invariant at every decision."
    )
    parser.add_argument("--games", type=int, default=10_000, help="how many (default 10000)")
    parser.add_argument("--variants", nargs="+", choices=NAMES, default=NAMES, metavar="VARIANT", help=", ".join(NAMES))
    parser.add_argument("--players", type=int, nargs="+", choices=SEATS, default=SEATS, help="seats of the base game")
    parser.add_argument("--seed", type=int, default=0, help="of the first game; the next has the next (default 0)")
    parser.add_argument("--boards", choices=("default", "generated", "both"), default="both", help="(default both)")
    parser.add_argument("--start", type=int, default=0, help="number of the first game (default 0)")
    parser.add_argument("--jobs", type=int, default=1, help="threads (default 1)")
    parser.add_argument(
        "--facade-every", type=int, default=2_000, help="games between two that try all ids at all decisions; 0: none"
    )
    given = parser.parse_args(arguments)
    if given.games < 1 or given.seed < 0 or given.start < 0 or given.jobs < 1 or given.facade_every < 0:
        parser.error("--games and --jobs must be at least 1, --seed, --start and --facade-every at least 0")
    plan = Plan(given.seed, kinds_of(given.variants, given.players), given.boards, given.facade_every)
    return run(plan, given.start, given.games, given.jobs)


if __name__ == "__main__":
    sys.exit(main())
