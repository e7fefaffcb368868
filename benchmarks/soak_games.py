"""The games of a soak run: play, audit, replay, and report what is wrong."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from endeavor_env.benchmarks.measured_games import kinds_of
from endeavor_env.benchmarks.soak_exploits import Events, events_of
from endeavor_env.benchmarks.soak_plan import Case, SoakPlan
from endeavor_env.endeavor.checks import audit
from endeavor_env.endeavor.flow.scoring import NUM_PARTS
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.players import PLAYERS
from endeavor_env.endeavor.records import replay
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.endeavor.rules.state import STATE
from endeavor_env.engine.kernels.players import Players
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.seating import Roster
from endeavor_env.errors import EndeavorError
from endeavor_env.testing import MAX_DECISIONS, ActionMismatchError, check_actions, flag_names

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
    exploits: Events = field(default_factory=Counter)
    reports: list[str] = field(default_factory=list)

    def add(self, other: SoakTally) -> None:
        """Add another tally to this one."""
        self.games += other.games
        self.decisions += other.decisions
        self.longest = max(self.longest, other.longest)
        self.violations.update(other.violations)
        self.exploits.update(other.exploits)
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
        return SoakTally(1, made, made, Counter(found), events_of(game, self.moves[:made]), reports)

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
