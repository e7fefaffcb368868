"""Matches: the same agents over many games, at a table in every seating, or each alone at every difficulty."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

import endeavor_env
from endeavor_env import Game, GameConfig
from endeavor_env.agents.base import Agent, AgentOf
from endeavor_env.agents.forfeits import LOST, Forfeit, forfeits_of
from endeavor_env.agents.games import config_given, what_is_played
from endeavor_env.agents.registry import agents_for, player_in
from endeavor_env.agents.runner import PLAIN, Hooks, Seating, by_agent, make_folder, record_setup
from endeavor_env.agents.statistics import mean_interval, ranks, wilson_interval, win_shares
from endeavor_env.basics.inputs import check_seed, derived_seed, fresh_seed, whole_number
from endeavor_env.endeavor.game import BoardGiven, given_config
from endeavor_env.endeavor.results import RUNG_NAMES
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.setups import SOLO, STANDARD, check_players
from endeavor_env.engine.game import Game as AnyGame
from endeavor_env.engine.game import GameConfig as AnyConfig
from endeavor_env.engine.game import agent_title, game_for
from endeavor_env.engine.games import game_of
from endeavor_env.engine.kernels.rules import CHANCE
from endeavor_env.engine.players_info import Player, PlayersInfo, unique_names
from endeavor_env.errors import EndeavorError, InvalidOptionError, shown

# --- A series of set-ups that the same agents play one after the other; what all kinds of match have in common -------

R = TypeVar("R", covariant=True)


class Series(ABC, Generic[R]):
    """A match in progress. ``play`` plays it; ``result`` gives the outcome, an ``R``, of the set-ups done so far.

    Attributes:
        setups: Number of set-ups to play.
        seed: Draws the set-ups, and seeds every agent before each game.
        config: What all games play, but for the difficulty of solitaire games.
        agents: The agents, in the order given.
        texts: The text that makes each of them, for records; the name of an agent that was given as an object.
        names: Their names in the result, each unique.
        records: The folder for the records of the games; None writes none.
        forfeits: The games that agents lost by faults, also those of a set-up that was not played to its end.
        decisions: Decisions made in the set-ups done.
        seconds: Time spent playing them, without loading and compiling.
    """

    def __init__(
        self,
        agents: Sequence[AgentOf[Any] | str],
        setups: int,
        seed: int | None,
        config: AnyConfig,
        records: Path | None = None,
    ) -> None:
        """Check seed and agents; the caller has checked the rest.

        Raises:
            InvalidOptionError: A seed below 0, or something that is no agent.
            CheckpointError: A checkpoint that cannot be loaded.
        """
        self.setups, self.config = setups, config
        checked = check_seed(seed)
        self.seed = fresh_seed() if checked is None else checked
        self.agents = [_read_agent(agent, config) for agent in agents]
        self.texts = [agent if isinstance(agent, str) else str(agent.name) for agent in agents]
        self.names = unique_names([agent_title(agent) for agent in self.agents])
        self.records = records
        self.forfeits: list[Forfeit] = []
        self.decisions = 0
        self.seconds = 0.0
        self._players: list[Player] | None = None
        self._environment = game_of(config.rules).environment_in_records(config.variant)
        self._scores: list[list[list[int]]] = []
        self._planned: tuple[int, list[Seating]] = -1, []

    @abstractmethod
    def result(self) -> R:
        """Return the outcome of the set-ups done; raise EndeavorError if they are too few."""

    @abstractmethod
    def _plan(self, setup: int) -> list[Seating]:
        """Return the games of the set-up with this number."""

    @property
    def done(self) -> int:
        """Set-ups played completely so far, 0..setups."""
        return len(self._scores)

    def seatings(self, setup: int) -> list[Seating]:
        """Return the games of the set-up with this number, which depend on the seed and the number alone."""
        if self._planned[0] != setup:
            self._planned = setup, self._plan(setup)
        return self._planned[1]

    def play_setup(self, setup: int, hooks: Hooks = PLAIN) -> list[Any]:
        """Play every game of the set-up with this number to its end; return the games, each a ``Game`` of any rules.

        They depend on the agents, the seed and the number, not on what was played before.
        """
        games = []
        for number, seating in enumerate(self.seatings(setup)):
            game = seating.config.new_game(seating.setup)
            game.played = self._who_plays(seating.seats)
            seating.play(self.agents, game, hooks)
            self.forfeits += forfeits_of(setup, number, [(agent, self.agents[agent]) for agent in seating.seats])
            games.append(game)
        return games

    def counted(self, setup: int, number: int, game: AnyGame) -> list[int]:
        """Return the scores of a game of a set-up by position, with ``LOST`` for who lost it by a fault."""
        seating, scores = self.seatings(setup)[number], game.scores()
        lost = [one.agent for one in self.forfeits if (one.setup, one.game) == (setup, number)]
        counted = by_agent(scores, seating.turn)
        return [
            LOST if agent in lost else score
            for agent, score in zip([*seating.agents, *[None] * len(counted)], counted, strict=False)
        ]

    def _record(self, games: list[Any]) -> None:
        """Keep what the result needs of the games of one set-up."""
        self._scores.append([self.counted(self.done, number, game) for number, game in enumerate(games)])

    def _who_plays(self, agents: Sequence[int]) -> PlayersInfo:
        """Return who plays a game that begins now, given the number of the agent in each seat."""
        if self._players is None:  # reads the files of networks
            called = zip(self.texts, self.names, strict=True)
            self._players = [player_in(self.config, text, str(name)) for text, name in called]
        return PlayersInfo.of([self._players[agent] for agent in agents], self._environment)

    def counted_forfeits(self) -> tuple[Forfeit, ...]:
        """Return the games that agents lost by faults in the set-ups done."""
        return tuple(one for one in self.forfeits if one.setup < self.done)

    def play(self) -> Iterator[int]:
        """Play the remaining set-ups; yield the number of set-ups done after each. An interrupted one does not count.

        Before the first, every agent makes one decision that does not count, so that loading and compiling are not
        timed.
        """
        for agent in self.agents:
            agent.reset(0)
            first = self.seatings(0)[0]
            agent.act(game_for(agent, first.config.new_game(first.setup)))
        while self.done < self.setups:
            start = time.perf_counter()
            self.forfeits = list(self.counted_forfeits())
            games = self.play_setup(self.done)
            self._record(games)
            self.decisions += decisions_of(games)
            self.seconds += time.perf_counter() - start
            if self.records is not None:
                record_setup(self.records, self.done - 1, games)
            yield self.done


def decisions_of(games: Sequence[AnyGame]) -> int:
    """Return the number of decisions that seats made in games."""
    return sum(seat != CHANCE for game in games for seat, _ in game.history)


def _read_agent(agent: object, config: AnyConfig) -> AgentOf[Any]:
    """Return an agent given as an object, or by name in a game; raise InvalidOptionError for anything else."""
    if isinstance(agent, str):
        return agents_for(config, [agent])[0]
    if isinstance(agent, Agent) and not isinstance(agent, type):
        return agent
    raise InvalidOptionError(
        f"{shown(agent)} is no agent: give a name, or an object with name, reset(seed) and act(game)"
    )


# --- Matches at a table: every set-up is played once in every seating, so that no agent gains by its seat ------------


@dataclass(frozen=True)
class AgentResult:
    """The results of one agent in a match."""

    name: str
    """Unique in the match: a second "random" is "random#2"."""
    win_rate: float
    """Wins per game, 0..1; k agents who share the first place get 1/k each. Equal agents win 1 / players each."""
    interval: tuple[float, float]
    """Wilson's 95 % interval of ``win_rate``, with the games treated as independent."""
    mean_score: float
    """Mean Glory."""
    score_sd: float
    """Standard deviation of the Glory over the games."""
    mean_rank: float
    """1 is the best; ties get the mean of their ranks."""


@dataclass(frozen=True, eq=False)
class MatchResult:
    """The outcome of a match."""

    agents: tuple[AgentResult, ...]
    """In the order they were given."""
    config: AnyConfig
    """The game that was played."""
    seed: int
    """Draws the set-ups, and seeds every agent before each game."""
    scores: npt.NDArray[np.int64]
    """(set-ups, seatings, agents): Glory. In seating r agent i has seat (i + r) modulo the number of agents."""
    decisions: int
    """Decisions of all games."""
    seconds: float
    """Time spent playing, without loading and compiling."""
    forfeits: tuple[Forfeit, ...] = ()
    """The games that agents lost by faults, with a score of 0."""

    @property
    def games(self) -> int:
        """Number of games played."""
        return self.scores.shape[0] * self.scores.shape[1]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "package_version": endeavor_env.__version__,
            **what_is_played(self.config),
            "players": len(self.agents),
            "games": self.games,
            "seed": self.seed,
            "agents": [{**asdict(agent), "interval": list(agent.interval)} for agent in self.agents],
            "decisions": self.decisions,
            "seconds": self.seconds,
            "scores": self.scores.tolist(),
            "forfeits": [one.to_dict() for one in self.forfeits],
        }


def play_match(
    agents: Sequence[Agent | str],
    games: int,
    seed: int | None = 0,
    *,
    board: BoardGiven = None,
    variant: str = STANDARD,
    options: Mapping[str, Any] | None = None,
    exploits: Sequence[str] | str | None = None,
    config: AnyConfig | None = None,
) -> MatchResult:
    """Play a match to its end; see ``Match`` for the arguments and errors."""
    match = Match(agents, games, seed, board=board, variant=variant, options=options, exploits=exploits, config=config)
    for _ in match.play():
        pass
    return match.result()


class Match(Series[MatchResult]):
    """A match in progress, of any game: every set-up is played once in every seating.

    What is drawn in a game is the same in every seating as far as the same moves are made: it follows from the seed of
    the set-up.
    """

    def __init__(
        self,
        agents: Sequence[AgentOf[Any] | str],
        games: int,
        seed: int | None = 0,
        *,
        board: BoardGiven = None,
        variant: str = STANDARD,
        options: Mapping[str, Any] | None = None,
        exploits: Sequence[str] | str | None = None,
        config: AnyConfig | None = None,
        records: Path | None = None,
    ) -> None:
        """Check everything before the first game.

        Args:
            agents: Agents or their names in the game, one for each seat: 3 to 5, or as many as the variant has seats.
                Each must be an object of its own.
            games: A positive multiple of the number of agents.
            seed: At least 0; None takes one from the operating system. The same seed gives the same games.
            board: What ``Board.resolve`` takes.
            variant: A name of VARIANT_NAMES, but not "solo": see ``SoloMatch``.
            options: The variant's options by name, as ``Game.new`` takes them.
            exploits: The Exploits in play, as ``Game.new`` takes them.
            config: What is played, of any game, in place of board, variant, options and exploits.
            records: A folder in which ``play`` writes the record of every game; None writes none.

        Raises:
            InvalidOptionError: The agents, ``games``, ``seed`` or what is to be played do not fit, or the board is
                unknown.
            InvalidBoardError: A board file with faults, or a board the variant cannot be played on.
            CheckpointError: A checkpoint that cannot be loaded.
        """
        if config is None:
            check_seats(len(agents), variant)
        chosen = config_given(config, variant, len(agents), board, options, exploits)
        if chosen.variant == SOLO:
            check_seats(len(agents), chosen.variant)
        if len(agents) != chosen.players or len(agents) < 2:
            raise InvalidOptionError(
                f"a match of {len(agents)} agents is not possible in a game of {chosen.players} seats: give 2 or more, "
                "one a seat"
            )
        super().__init__(agents, _count_setups(games, len(agents)), seed, chosen, records)
        if len({id(agent) for agent in self.agents}) < len(self.agents):
            raise InvalidOptionError("the same agent object is given twice: make one object a seat")
        if records is not None:
            make_folder(records)

    def _plan(self, setup: int) -> list[Seating]:
        """Return the games of a set-up: in seating r agent i has seat (i + r) modulo the number of agents."""
        order, drawn = tuple(range(len(self.agents))), derived_seed(self.seed, setup)
        seeds = [tuple(derived_seed(self.seed, setup, turn, agent) for agent in order) for turn in order]
        return [Seating(self.config, drawn, order, seeds[turn], turn) for turn in order]

    def result(self) -> MatchResult:
        """Return the outcome of the set-ups done; raise EndeavorError before the first."""
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
            config=self.config,
            seed=self.seed,
            scores=scores,
            decisions=self.decisions,
            seconds=self.seconds,
            forfeits=self.counted_forfeits(),
        )


def check_seats(count: int, variant: str) -> None:
    """Raise InvalidOptionError unless ``count`` agents fill the seats of a variant, which must have several."""
    check_players(None, variant)
    least, most = c.VARIANT_PLAYERS[c.VARIANT_NAMES.index(variant)]
    if most == 1:
        raise InvalidOptionError(f"variant {variant!r} has one seat: python -m endeavor_env.agents.solo_match plays it")
    if not least <= count <= most:
        seats = f"{least} to {most}" if least < most else f"{least}"
        where = "" if variant == STANDARD else f" in variant {variant!r}"
        raise InvalidOptionError(f"a match of {count} agents is not possible{where}: give {seats}, one a seat")


def _count_setups(games: object, players: int) -> int:
    """Return how many set-ups make ``games`` games; raise InvalidOptionError unless it is a positive whole number."""
    number = whole_number(games)
    if number is None or number < 1 or number % players:
        near = "" if number is None or number < 1 else f", such as {-(-number // players) * players}"
        raise InvalidOptionError(
            f"games={shown(games)} is not possible: every set-up is played in {players} seatings, so give a positive "
            f"multiple of {players}{near}"
        )
    return number // players


# --- Solitaire matches: a table of one seat, the same set-ups with every agent at every difficulty -------------------

DIFFICULTIES = ("easier", "normal", "harder")
MIN_GAMES = 2  # a standard deviation needs two
DEFEAT = (0, False)
"""The rung of the ladder and the panache of a game that was forfeited."""


@dataclass(frozen=True, eq=False)
class SoloResult:
    """The results of one agent at one difficulty."""

    agent: str
    """Unique in the match: a second "random" is "random#2"."""
    difficulty: str
    """One of DIFFICULTIES."""
    scores: npt.NDArray[np.int64]
    """(games, 2): the agent's Glory and the Opposition's."""
    rungs: npt.NDArray[np.int64]
    """(games,): the rung of the ladder, 0 (defeat) to 5 (S8.3)."""
    panache: npt.NDArray[np.bool_]
    """(games,): a victory with a level-5 building (S8.4)."""

    @property
    def win_rate(self) -> float:
        """Share of the games with a lead of 0 or more, which is victory of any kind (S8.3)."""
        return float((self.rungs > 0).mean())

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of ``win_rate``."""
        return wilson_interval(self.win_rate, len(self.rungs))

    @property
    def margins(self) -> npt.NDArray[np.int64]:
        """(games,): the agent's Glory minus the Opposition's."""
        return self.scores[:, 0] - self.scores[:, 1]

    @property
    def mean_margin(self) -> float:
        """Mean of ``margins``."""
        return float(self.margins.mean())

    @property
    def margin_interval(self) -> tuple[float, float]:
        """The 95 % interval of ``mean_margin``, by the normal approximation."""
        return mean_interval(self.margins)

    @property
    def mean_score(self) -> float:
        """Mean Glory of the agent."""
        return float(self.scores[:, 0].mean())

    @property
    def score_sd(self) -> float:
        """Standard deviation of the agent's Glory over the games."""
        return float(self.scores[:, 0].std(ddof=1))

    @property
    def mean_opposition(self) -> float:
        """Mean Glory of the Opposition."""
        return float(self.scores[:, 1].mean())

    @property
    def opposition_sd(self) -> float:
        """Standard deviation of the Opposition's Glory over the games."""
        return float(self.scores[:, 1].std(ddof=1))

    @property
    def ladder(self) -> tuple[float, ...]:
        """Share of the games on each rung, from defeat to total victory; they sum to 1."""
        return tuple((np.bincount(self.rungs, minlength=len(RUNG_NAMES)) / len(self.rungs)).tolist())

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "agent": self.agent,
            "difficulty": self.difficulty,
            "win_rate": self.win_rate,
            "interval": list(self.interval),
            "mean_margin": self.mean_margin,
            "margin_interval": list(self.margin_interval),
            "mean_score": self.mean_score,
            "score_sd": self.score_sd,
            "mean_opposition": self.mean_opposition,
            "opposition_sd": self.opposition_sd,
            "ladder": dict(zip(RUNG_NAMES, self.ladder, strict=True)),
            "panache": float(self.panache.mean()),
            "scores": self.scores.tolist(),
        }


@dataclass(frozen=True, eq=False)
class SoloMatchResult:
    """The outcome of a solitaire match."""

    rows: tuple[SoloResult, ...]
    """Agents in the order they were given, each at every difficulty."""
    games: int
    """Games of each row."""
    config: GameConfig
    """The game that was played, apart from its difficulty."""
    seed: int
    """Draws the set-ups, and seeds every agent before each game."""
    decisions: int
    """Decisions of all games."""
    seconds: float
    """Time spent playing, without loading and compiling."""
    forfeits: tuple[Forfeit, ...] = ()
    """The games that agents lost by faults, defeats with a score of 0."""

    @property
    def names(self) -> list[str]:
        """The agents, in the order they were given."""
        return list(dict.fromkeys(row.agent for row in self.rows))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "package_version": endeavor_env.__version__,
            "variant": SOLO,
            "board": self.config.board.id,
            "board_hash": self.config.board.hash,
            "options": dict(self.config.options),
            "games": self.games,
            "seed": self.seed,
            "decisions": self.decisions,
            "seconds": self.seconds,
            "rows": [row.to_dict() for row in self.rows],
            "forfeits": [one.to_dict() for one in self.forfeits],
        }


class SoloMatch(Series[SoloMatchResult]):
    """A solitaire match in progress: every set-up is played by every agent at every difficulty.

    The row of an agent at a difficulty depends only on these two, the seed and the number of games, not on the other
    agents.
    """

    def __init__(
        self,
        agents: Sequence[Agent | str],
        games: int,
        seed: int | None = 0,
        *,
        difficulties: Sequence[str] = DIFFICULTIES,
        board: BoardGiven = None,
        options: Mapping[str, Any] | None = None,
        config: GameConfig | None = None,
    ) -> None:
        """Check everything before the first game.

        Args:
            agents: Agents or their names in the registry, at least one; each plays its own games.
            games: Games of each agent at each difficulty, at least 2.
            seed: At least 0; None takes one from the operating system. The same seed gives the same games.
            difficulties: Some of DIFFICULTIES, each once.
            board: What ``Board.resolve`` takes.
            options: Options of the solitaire game besides the difficulty, as ``Game.new`` takes them.
            config: The solitaire game that is played, in place of board and options.

        Raises:
            InvalidOptionError: The agents, ``games``, ``seed``, ``difficulties`` or ``options`` do not fit, or the
                board is unknown.
            InvalidBoardError: A board file with faults, or a board the solitaire game cannot be played on.
            CheckpointError: A checkpoint that cannot be loaded.
        """
        self.games = _count_games(games)
        self.difficulties = _each_once(difficulties)
        chosen = given_config(config, STANDARD if config else SOLO, None, board, options, None)
        if chosen.variant != SOLO:
            raise InvalidOptionError(
                f"{chosen} is not the solitaire game: python -m endeavor_env.agents.arena plays it"
            )
        super().__init__(agents, self.games, seed, chosen)
        self._alone = chosen
        if not self.agents:
            raise InvalidOptionError("a match of no agents is not possible: give at least one")
        self._ladder: list[list[tuple[int, bool]]] = []

    def result(self) -> SoloMatchResult:
        """Return the outcome of the set-ups done; raise EndeavorError before the second."""
        if self.done < MIN_GAMES:
            raise EndeavorError(f"{self.done} set-ups have been played: there is no result before {MIN_GAMES}")
        scores, ladder = np.array(self._scores, np.int64), np.array(self._ladder, np.int64)
        keys = [(name, level) for name in self.names for level in self.difficulties]
        rows = [
            SoloResult(name, level, scores[:, row], ladder[:, row, 0], ladder[:, row, 1] > 0)
            for row, (name, level) in enumerate(keys)
        ]
        return SoloMatchResult(
            rows=tuple(rows),
            games=self.done,
            config=self._alone,
            seed=self.seed,
            decisions=self.decisions,
            seconds=self.seconds,
            forfeits=self.counted_forfeits(),
        )

    def _plan(self, setup: int) -> list[Seating]:
        """Return the games of a set-up: every agent at every difficulty."""
        drawn, planned = derived_seed(self.seed, setup), []
        for agent in range(len(self.agents)):
            for level in self.difficulties:
                config = replace(self._alone, options={**self._alone.options, "difficulty": level})
                seed = derived_seed(self.seed, setup, c.DIFFICULTY_NAMES.index(level))
                planned.append(Seating(config, drawn, (agent,), (seed,)))
        return planned

    def _record(self, games: list[Game]) -> None:
        setup, ends = self.done, [(game.ladder().rung, game.ladder().panache) for game in games]
        super()._record(games)
        lost = {one.game for one in self.forfeits if one.setup == setup}
        self._ladder.append([DEFEAT if number in lost else end for number, end in enumerate(ends)])


def _count_games(games: object) -> int:
    """Return the number of games; raise InvalidOptionError unless it is a whole number of at least MIN_GAMES."""
    number = whole_number(games)
    if number is None or number < MIN_GAMES:
        raise InvalidOptionError(f"games={shown(games)} is not possible: give a whole number of at least {MIN_GAMES}")
    return number


def _each_once(difficulties: Sequence[str]) -> tuple[str, ...]:
    """Return the difficulties; raise InvalidOptionError for none, an unknown or a repeated one."""
    chosen = tuple(difficulties)
    if not chosen or len(set(chosen)) < len(chosen) or not set(chosen) <= set(DIFFICULTIES):
        raise InvalidOptionError(
            f"difficulties {', '.join(map(str, chosen)) or 'none'} are not possible: give some of "
            f"{', '.join(DIFFICULTIES)}, each once"
        )
    return chosen
