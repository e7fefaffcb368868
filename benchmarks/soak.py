"""``endeavor bench soak --games 100000``: random games with every invariant checked at every decision.

Games are numbered. Game N is the same on every machine, whatever other games are played: its variant, options, board,
set-up and moves follow from the command line and ``--seed`` + N. Stop with Ctrl-C at any time and continue with
``--start``.
"""

from __future__ import annotations

import functools
import itertools
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Annotated

import numpy as np
import numpy.typing as npt
import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from endeavor_env.agents.command_line import command_line
from endeavor_env.agents.terminal import print_line, print_table, terminal
from endeavor_env.basics.exit_status import INTERRUPTED
from endeavor_env.benchmarks.command import SeveralValues, check_choices, exit_status, new_app
from endeavor_env.benchmarks.measured_games import NAMES, SEATS, kinds_of, name_of, variations_of
from endeavor_env.benchmarks.report import provenance, sentence
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.checks import audit
from endeavor_env.endeavor.ensure import ensure_parts
from endeavor_env.endeavor.flow.scoring import NUM_PARTS
from endeavor_env.endeavor.game import Game, GameConfig
from endeavor_env.endeavor.options import EXPLOITS
from endeavor_env.endeavor.players import PLAYERS, RANDOM, player_of
from endeavor_env.endeavor.records import replay
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules import parts
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.engine.kernels.players import Players
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.seating import Roster
from endeavor_env.errors import EndeavorError, InvalidOptionError
from endeavor_env.testing import MAX_DECISIONS, ActionMismatchError, check_actions, flag_names, open_regions

# --- the game of each number -----------------------------------------------------------------------------------------

REDRAWS = (0, 1, 2, 4, -1, -3)
"""Kinds of random play, in turn: uniform, and five that crowd the board (``redraws`` of ``play_audited``)."""
DEFAULT_BOARD = "endeavor_2009"
NUM_BOARDS = 64
ALL_EVERY = 5
"""One game with Exploits in so many has all of them, the others have three at random."""
OPEN_EVERY = 2
"""One game with Exploits in so many begins with all regions open (``endeavor_env.testing``)."""
LEAP = 7919
"""A prime that shares no cycle with anything else that depends on the number of a game."""


@functools.lru_cache(maxsize=NUM_BOARDS + 1)
def board_of(name: str) -> Board:
    """Return the board of this name; each is made only once."""
    return Board.resolve(name)


@dataclass(frozen=True)
class Case:
    """A game of a soak run: seed and kind of random play, or the players."""

    kind: GameConfig
    """The kind of game under which it is counted."""
    config: GameConfig
    """The game to play: the kind with its board, options and Exploits."""
    seed: int
    redraws: int
    agents: tuple[str, ...] = ()
    """The compiled player of each seat; empty for random play."""
    opened: bool = False
    """True to open all regions at the start."""

    def new(self) -> Game:
        """Start the game."""
        game = self.config.new_game(self.seed)
        return open_regions(game, self.seed) if self.opened else game

    def code(self) -> str:
        """Return the Python call that starts the game."""
        call = f"GameConfig.parse({str(self.config)!r}).new_game({self.seed})"
        return f"open_regions({call}, {self.seed})" if self.opened else call


@dataclass(frozen=True)
class SoakPlan:
    """The options of the command line that determine the game of each number."""

    seed: int
    kinds: tuple[GameConfig, ...]
    boards: str
    facade_every: int
    agents: tuple[str, ...] = ()
    """Compiled players that are drawn for each seat; empty for random play."""

    def game(self, number: int) -> Case:
        """Return game ``number``: kinds of game take turns, then kinds of play, boards and options in all mixtures."""
        turn, place = divmod(number, len(self.kinds))
        kind, step = self.kinds[place], turn // len(REDRAWS)
        generated = self.boards == "generated" or (self.boards == "both" and step % 2 == 1)
        board = f"generated_{number % NUM_BOARDS}" if generated else DEFAULT_BOARD
        variations = variations_of(kind)
        # Shifted against the kinds of play, so that a short run has all options, and a long one all mixtures.
        varied = variations[(turn + step // 2) % len(variations)]
        seated = self._seated(number, kind.players) if self.agents else ()
        exploits = c.EXPLOIT_NAMES if kind.variant == EXPLOITS and turn % ALL_EVERY == 0 else kind.exploits
        config = replace(varied, board=board_of(board), exploits=exploits)
        opened = kind.variant == EXPLOITS and step // 2 % OPEN_EVERY == 1
        return Case(kind, config, self.seed + number, REDRAWS[turn % len(REDRAWS)], seated, opened)

    def _seated(self, number: int, seats: int) -> tuple[str, ...]:
        """Return the player of each seat, drawn by the number of the game."""
        return tuple(np.random.default_rng([self.seed, number]).choice(self.agents, seats).tolist())

    def through_facade(self, number: int) -> bool:
        """Return whether game ``number`` is also played through ``Game``, as one of every ``facade_every`` games is."""
        if self.facade_every == 0:
            return False
        block, place = divmod(number, self.facade_every)
        return place == block * LEAP % self.facade_every


# --- games: play, audit, replay, and report what is wrong ------------------------------------------------------------

CHUNK = 20
"""Games that a thread plays at a time."""
REPLAY_ILLEGAL = "a move is illegal when the game is replayed"
REPLAY_DIFFERS = "the replayed game has other bytes"
FACADE = "Game.apply and Game.mask disagree, or a refused action left a trace"
RECORD = "the record does not replay to the same game"


@dataclass
class SoakTally:
    """Counts and violations of some games of one kind."""

    games: int = 0
    decisions: int = 0
    longest: int = 0
    violations: Counter[str] = field(default_factory=Counter)
    reports: list[str] = field(default_factory=list)

    def add(self, other: SoakTally) -> None:
        """Add another tally to this one."""
        self.games += other.games
        self.decisions += other.decisions
        self.longest = max(self.longest, other.longest)
        self.violations.update(other.violations)
        self.reports += other.reports


class SoakWorker(threading.local):
    """A player of games, with scratch arrays for each thread."""

    def __init__(self) -> None:
        """Make the arrays of a thread."""
        self.fresh = np.zeros(1, STATE)
        self.masks = {kind.variant: np.zeros(num_actions(kind.variant), np.int8) for kind in kinds_of()}
        self.roster = Roster(PLAYERS)
        self.players: dict[int, Players] = {}  # by number of action ids
        self.points = np.zeros(NUM_PARTS, np.int16)
        self.moves = np.zeros(MAX_DECISIONS, np.int16)

    def play(self, plan: SoakPlan, number: int) -> SoakTally:
        """Play a game with an audit at every decision, then replay it; some games through the facade as well."""
        case = plan.game(number)
        game = case.new()
        again, boards, mask = game.state.copy(), game.board.array, self.masks[case.kind.variant]
        scratch = (self.fresh, mask, self.points)
        rng = seeded(~case.seed)
        if case.agents:
            players, codes = self._seated(case, plan.agents)
            made, flags = audit.play_audited_by(boards, game.state, players, codes, rng, self.moves, *scratch)
        else:
            made, flags = audit.play_audited(boards, game.state, rng, case.redraws, self.moves, *scratch)
        found = flag_names(flags)
        if not found and audit.play_moves(boards, again, self.moves, made, mask) != made:
            found = [REPLAY_ILLEGAL]
        elif not found and again.tobytes() != game.state.tobytes():
            found = [REPLAY_DIFFERS]
        moves = self.moves[:made].tolist()
        if not found and plan.through_facade(number):
            found = through_facade(case, moves)
        reports = [report(case, number, found, moves)] if found else []
        return SoakTally(1, made, made, Counter(found), reports)

    def _seated(self, case: Case, agents: Sequence[str]) -> tuple[Players, npt.NDArray[np.int64]]:
        """Return the compiled players of a run for the games of a case, and their codes by seat, (MAX_SEATS,)."""
        actions = num_actions(case.kind.variant)
        if actions not in self.players:
            self.players[actions] = self.roster.seated(map(self.roster.code_of, agents), actions)
        codes = np.zeros(c.MAX_SEATS, np.int64)
        codes[: len(case.agents)] = [self.roster.code_of(name) for name in case.agents]
        return self.players[actions], codes


def through_facade(case: Case, moves: Sequence[int]) -> list[str]:
    """Play the moves with ``Game``, try all action ids at every decision, replay the record; return the violations."""
    game = case.new()
    try:
        for action in moves:
            check_actions(game)
            game.apply(action)
        check_actions(game)
    except (ActionMismatchError, EndeavorError):
        return [FACADE]
    if case.opened:
        return []  # it has no record
    try:
        again = replay(game.record(), board=game.board)
    except EndeavorError:
        return [RECORD]
    same = again.state.tobytes() == game.state.tobytes() and again.options == game.options
    return [] if same else [RECORD]


def report(case: Case, number: int, found: Sequence[str], moves: Sequence[int]) -> str:
    """Return a text with the violations of a game and the code that leads to its last position."""
    game = case.new()
    texts = " ".join(game.describe(action) for action in moves)
    return (
        f"game {number}: {'; '.join(found)}\n"
        f"    game = {case.code()}\n"
        f"    for move in {texts!r}.split():\n"
        f"        game.play(move)\n"
        f"    check_state(game)"
    )


def play_all(plan: SoakPlan, start: int, games: int, jobs: int) -> Iterator[dict[GameConfig, SoakTally]]:
    """Play games from ``start`` on; yield the tallies of a few games at a time, by kind, in the order of the games."""
    worker = SoakWorker()

    def chunk(first: int) -> dict[GameConfig, SoakTally]:
        tallies = {kind: SoakTally() for kind in plan.kinds}
        for number in range(first, min(first + CHUNK, start + games)):
            tallies[plan.game(number).kind].add(worker.play(plan, number))
        return tallies

    with ThreadPoolExecutor(jobs) as pool:
        for wave in range(start, start + games, CHUNK * jobs):
            firsts = range(wave, min(wave + CHUNK * jobs, start + games), CHUNK)
            yield from pool.map(chunk, firsts)


# --- the command -----------------------------------------------------------------------------------------------------

MOST_JOBS = 1_024
BOARDS = ("default", "generated", "both")


app = new_app()


def results_table(tallies: dict[GameConfig, SoakTally], seconds: float) -> Table:
    """Return a table with a row for each kind of game and one for all."""
    whole = SoakTally()
    for tally in tallies.values():
        whole.add(tally)
    rate = f"{whole.decisions / seconds:,.0f} audited decisions/s"
    table = Table(title=f"{whole.games:,} games in {seconds:.1f} s, {rate}")
    table.add_column("variant", no_wrap=True)
    for heading in ("seats", "games", "decisions", "longest game", "violations"):
        table.add_column(heading, justify="right", no_wrap=True)
    rows = [(name_of(kind), str(kind.players), tally) for kind, tally in tallies.items()]
    for name, seats, tally in [*rows, ("all", "", whole)]:
        counts = (tally.games, tally.decisions, tally.longest, tally.violations.total())
        table.add_row(name, seats, *(f"{count:,}" for count in counts))
    return table


def prepare(plan: SoakPlan, start: int, games: int) -> None:
    """Make the boards and compile the kernels, before the clock starts."""
    ensure_parts(parts.CHECKS, parts.PLAYERS, parts.EXPLOITS)
    for number in range(start, start + min(games, 2 * len(plan.kinds) * len(REDRAWS) * NUM_BOARDS)):
        plan.game(number)  # makes its board
    SoakWorker().play(plan, start)


def run(plan: SoakPlan, start: int, games: int, jobs: int) -> int:
    """Play and print; return the exit status: 0 without violations, 1 with violations, 130 if interrupted."""
    tallies = {kind: SoakTally() for kind in plan.kinds}
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    prepare(plan, start, games)
    began = time.perf_counter()
    errors = terminal(stderr=True)
    with Progress(*columns, console=errors, transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("", total=games)
        try:
            for found in play_all(plan, start, games, jobs):
                for kind, tally in found.items():
                    tallies[kind].add(tally)
                progress.update(task, completed=sum(tally.games for tally in tallies.values()))
        except KeyboardInterrupt:
            errors.print("stopped")
    console = terminal()
    print_table(results_table(tallies, time.perf_counter() - began), console)
    violations = sum((tally.violations for tally in tallies.values()), Counter[str]())
    for name, count in violations.most_common():
        print_line(f"{count:,} times: {name}", console)
    for text in [text for tally in tallies.values() for text in tally.reports][:3]:
        print_line(text, console)
    print_line(sentence(provenance("endeavor_env.benchmarks.soak")), console)
    done = sum(tally.games for tally in tallies.values())
    if done < games:
        go_on = f"--start {start + done} --games {games - done}"
        print_line(f"stopped after {done:,} games; go on with {go_on}", console)
    return 1 if violations else INTERRUPTED if done < games else 0


@app.command(cls=SeveralValues)
def command(
    games: Annotated[int, typer.Option(min=1, help="Number of games.")] = 10_000,
    variants: Annotated[
        list[str] | None, typer.Option(help=f"{', '.join(NAMES)}; all if left out.", metavar="VARIANT ...")
    ] = None,
    players: Annotated[
        list[int] | None, typer.Option(help=f"Seats of the base game: {', '.join(map(str, SEATS))}; all if left out.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of game 0; each further game has the next seed.")] = 0,
    boards: Annotated[str, typer.Option(help=f"{', '.join(BOARDS)}.")] = BOARDS[-1],
    start: Annotated[int, typer.Option(min=0, help="Number of the first game.")] = 0,
    jobs: Annotated[int, typer.Option(help=f"Threads, 1 to {MOST_JOBS}.")] = 1,
    facade_every: Annotated[
        int, typer.Option(min=0, help="One game in so many tries all ids at all decisions; 0: none.")
    ] = 2_000,
    agents: Annotated[
        list[str] | None,
        typer.Option(help="Compiled players for the seats, instead of random play.", metavar="PLAYER ..."),
    ] = None,
) -> None:
    """Play random games and check every invariant at every decision."""
    with command_line():
        check_choices("--variants", variants or (), NAMES)
        check_choices("--players", players or (), SEATS)
        check_choices("--boards", [boards], BOARDS)
        if not 1 <= jobs <= MOST_JOBS:
            raise InvalidOptionError(f"--jobs must be 1 to {MOST_JOBS}")
        kinds = kinds_of(variants or NAMES, players or SEATS)
        for name, kind in itertools.product(agents or (), kinds):
            if name != RANDOM:
                player_of(name).check_plays(kind.variant)
        plan = SoakPlan(seed, kinds, boards, facade_every, tuple(agents or ()))
        status = run(plan, start, games, jobs)
    raise typer.Exit(status)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, run, and return the exit status."""
    return exit_status(app, "endeavor_env.benchmarks.soak", arguments)


if __name__ == "__main__":
    sys.exit(main())
