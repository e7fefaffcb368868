"""Matches: the same agents over many games, each set-up played once in every seating."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import endeavor_env
from agents.base import Agent
from agents.matches.statistics import ranks, wilson_interval, win_shares
from agents.registry import make_agent
from endeavor_env import Board, Game
from endeavor_env.board.variant_needs import check_board
from endeavor_env.core import constants as c
from endeavor_env.errors import EndeavorError, IllegalActionError, InvalidOptionError
from endeavor_env.inputs import check_seed, whole_number
from endeavor_env.options import check_options
from endeavor_env.setups import check_players, fresh_seed


@dataclass(frozen=True)
class AgentResult:
    """How one agent did."""

    name: str
    """Unique in the match: a second "random" is "random#2"."""
    win_rate: float
    """Wins a game, 0..1; k who share the first place have 1/k of it each. Equals have 1 / players."""
    interval: tuple[float, float]
    """Wilson's 95 % interval of ``win_rate``, the games taken as independent."""
    mean_score: float
    """Mean Glory."""
    score_sd: float
    """Standard deviation of the Glory over the games."""
    mean_rank: float
    """1 the best; ties take the mean of their ranks."""


@dataclass(frozen=True, eq=False)
class MatchResult:
    """The outcome of a match."""

    agents: tuple[AgentResult, ...]
    """In the order they were given."""
    board: str
    """Id of the board."""
    board_hash: str
    """Hash of the board."""
    variant: str
    """Name of the variant."""
    options: dict[str, Any]
    """The options given, by name."""
    seed: int
    """Draws the set-ups, and seeds the agents anew for every game."""
    scores: npt.NDArray[np.int64]
    """(set-ups, seatings, agents): Glory. In seating r agent i has seat (i + r) modulo the number of agents."""
    decisions: int
    """Decisions of all games."""
    seconds: float
    """Time spent playing, compilation and loading apart."""

    @property
    def games(self) -> int:
        """Number of games played."""
        return self.scores.shape[0] * self.scores.shape[1]

    def to_dict(self) -> dict[str, Any]:
        """Returns everything as plain JSON values."""
        return {
            "package_version": endeavor_env.__version__,
            "board": self.board,
            "board_hash": self.board_hash,
            "variant": self.variant,
            "options": self.options,
            "players": len(self.agents),
            "games": self.games,
            "seed": self.seed,
            "agents": [{**asdict(agent), "interval": list(agent.interval)} for agent in self.agents],
            "decisions": self.decisions,
            "seconds": self.seconds,
            "scores": self.scores.tolist(),
        }


def play_game(agents: Sequence[Agent], game: Game) -> list[int]:
    """Plays ``game`` to its end and returns the scores.

    Args:
        agents: One a seat, reset by the caller.
        game: Fresh or under way; changed in place.

    Raises:
        InvalidOptionError: Not one agent a seat.
        IllegalActionError: An agent chose something that is not legal.
    """
    if len(agents) != game.num_players:
        raise InvalidOptionError(f"{len(agents)} agents do not fit a game of {game.num_players} seats: give one a seat")
    while (seat := game.seat) >= 0:
        action = agents[seat].act(game)
        try:
            game.apply(action)
        except IllegalActionError as error:
            raise IllegalActionError(f"agent {agents[seat].name!r} chose badly: {error}") from error
    return game.scores()


def play_match(
    agents: Sequence[Agent | str],
    games: int,
    seed: int | None = 0,
    *,
    board: Board | str | Path | None = None,
    variant: str = c.VARIANT_NAMES[0],
    options: Mapping[str, Any] | None = None,
) -> MatchResult:
    """Plays a match to its end; see ``Match`` for the arguments and errors."""
    match = Match(agents, games, seed, board=board, variant=variant, options=options)
    for _ in match.play():
        pass
    return match.result()


class Match:
    """A match under way: set-up after set-up, each played once in every seating, so that seats favour nobody."""

    def __init__(
        self,
        agents: Sequence[Agent | str],
        games: int,
        seed: int | None = 0,
        *,
        board: Board | str | Path | None = None,
        variant: str = c.VARIANT_NAMES[0],
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """Checks everything before the first game.

        Args:
            agents: Agents or their names in the registry, one a seat: 3 to 5, or as many as the variant has seats. The
                same object may not be given twice.
            games: A positive multiple of the number of agents.
            seed: At least 0; None takes one from the operating system. The same seed gives the same games.
            board: What ``Board.resolve`` takes.
            variant: A name of VARIANT_NAMES, but not "solo": see ``agents.solo_match``.
            options: The variant's options by name, as ``Game.new`` takes them.

        Raises:
            InvalidOptionError: The agents, ``games``, ``seed``, ``variant`` or ``options`` do not fit, or the board is
                unknown.
            InvalidBoardError: A board file with faults, or a board the variant cannot be played on.
            CheckpointError: A checkpoint that cannot be loaded.
        """
        _check_seats(len(agents), variant)
        check_options(options, variant)
        self.variant = variant
        self.options = dict(options or {})
        self.setups = _count_setups(games, len(agents))
        checked = check_seed(seed)
        self.seed = fresh_seed() if checked is None else checked
        self.board = Board.resolve(board)
        check_board(self.board, variant)
        self.agents = [read_agent(agent) for agent in agents]
        if len({id(agent) for agent in self.agents}) < len(self.agents):
            raise InvalidOptionError("the same agent object is given twice: make one object a seat")
        self.names = unique_names([agent.name for agent in self.agents])
        self._scores: list[list[list[int]]] = []
        self._decisions = 0
        self._seconds = 0.0

    @property
    def done(self) -> int:
        """Set-ups played in every seating so far, 0..setups."""
        return len(self._scores)

    def play(self) -> Iterator[int]:
        """Plays on, and yields the number of set-ups done after each; a set-up that is broken off does not count."""
        self._warm_up()
        while self.done < self.setups:
            start = time.perf_counter()
            outcomes = [self._play_seating(self.done, seating) for seating in range(len(self.agents))]
            self._scores.append([scores for scores, _ in outcomes])
            self._decisions += sum(decisions for _, decisions in outcomes)
            self._seconds += time.perf_counter() - start
            yield self.done

    def result(self) -> MatchResult:
        """Returns the outcome of the set-ups done; raises EndeavorError before the first."""
        if not self.done:
            raise EndeavorError("no set-up has been played in every seating: there is no result yet")
        scores = np.array(self._scores, np.int64)
        rows = scores.reshape(-1, len(self.agents))
        wins, places = win_shares(rows).mean(axis=0), ranks(rows).mean(axis=0)
        agents = [
            AgentResult(
                name=name,
                win_rate=float(wins[index]),
                interval=wilson_interval(float(wins[index]), len(rows)),
                mean_score=float(rows[:, index].mean()),
                score_sd=float(rows[:, index].std(ddof=1)),
                mean_rank=float(places[index]),
            )
            for index, name in enumerate(self.names)
        ]
        return MatchResult(
            agents=tuple(agents),
            board=self.board.id,
            board_hash=self.board.hash,
            variant=self.variant,
            options=self.options,
            seed=self.seed,
            scores=scores,
            decisions=self._decisions,
            seconds=self._seconds,
        )

    def _warm_up(self) -> None:
        """Lets every agent decide once, so that loading and compiling are not timed."""
        game = self._new_game(0)
        for agent in self.agents:
            agent.reset(0)
            agent.act(game)

    def _new_game(self, setup: int) -> Game:
        seed = derived_seed(self.seed, setup)
        return Game.new(len(self.agents), self.variant, seed, board=self.board, options=self.options)

    def _play_seating(self, setup: int, seating: int) -> tuple[list[int], int]:
        """Plays one game; returns the agents' scores, in the order of the agents, and the number of decisions."""
        count = len(self.agents)
        seats = [(agent + seating) % count for agent in range(count)]
        seated = [self.agents[(seat - seating) % count] for seat in range(count)]
        for number, agent in enumerate(self.agents):
            agent.reset(derived_seed(self.seed, setup, seating, number))
        game = self._new_game(setup)
        scores = play_game(seated, game)
        return [scores[seat] for seat in seats], len(game.history)


def _check_seats(count: int, variant: str) -> None:
    """Raises InvalidOptionError unless ``count`` agents fill the seats of ``variant``, which must have several."""
    check_players(None, variant)
    least, most = c.VARIANT_PLAYERS[c.VARIANT_NAMES.index(variant)]
    if most == 1:
        raise InvalidOptionError(f"variant {variant!r} has one seat: python -m agents.solo_match plays it")
    if not least <= count <= most:
        seats = f"{least} to {most}" if least < most else f"{least}"
        where = "" if variant == c.VARIANT_NAMES[0] else f" in variant {variant!r}"
        raise InvalidOptionError(f"a match of {count} agents is not possible{where}: give {seats}, one a seat")


def read_agent(agent: object) -> Agent:
    """Returns an agent, made if it is given by name; raises InvalidOptionError for anything else."""
    if isinstance(agent, str):
        return make_agent(agent)
    if isinstance(agent, Agent) and not isinstance(agent, type):
        return agent
    raise InvalidOptionError(f"{agent!r} is no agent: give a name, or an object with name, reset(seed) and act(game)")


def _count_setups(games: object, players: int) -> int:
    """Returns how many set-ups make ``games`` games; raises InvalidOptionError unless they share out evenly."""
    number = whole_number(games)
    if number is None or number < 1 or number % players:
        near = "" if number is None or number < 1 else f", such as {-(-number // players) * players}"
        raise InvalidOptionError(
            f"games={games!r} is not possible: every set-up is played in {players} seatings, so give a positive "
            f"multiple of {players}{near}"
        )
    return number // players


def unique_names(names: Sequence[str]) -> list[str]:
    """Returns the names with #2, #3, ... added to repeated ones."""
    met: Counter[str] = Counter()
    unique = []
    for name in names:
        met[name] += 1
        unique.append(name if met[name] == 1 else f"{name}#{met[name]}")
    return unique


def derived_seed(seed: int, *key: int) -> int:
    """Returns a seed in [0, 2**53) for the part ``key`` of a match, unrelated to that of any other part."""
    return int(np.random.SeedSequence(seed, spawn_key=key).generate_state(1, np.uint64)[0] >> np.uint64(11))
