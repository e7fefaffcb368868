"""Matches at a table: the same agents over many games, every set-up played once in every seating."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Generic, cast

import numpy as np
import numpy.typing as npt

import endeavor_env
from endeavor_env import Game, GameConfig
from endeavor_env.agents.base import Agent, AgentOf
from endeavor_env.agents.forfeits import LOST, Forfeit
from endeavor_env.agents.matches.recording import make_folder
from endeavor_env.agents.matches.series import C, G, Series, play_game, what_is_played
from endeavor_env.agents.matches.statistics import ranks, wilson_interval, win_shares
from endeavor_env.basics.inputs import derived_seed, whole_number
from endeavor_env.endeavor.game import BoardGiven, given_config
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.setups import STANDARD, check_players
from endeavor_env.engine.game import Game as AnyGame
from endeavor_env.engine.game import GameConfig as AnyConfig
from endeavor_env.engine.games import game_of
from endeavor_env.engine.players_info import Player, PlayersInfo
from endeavor_env.errors import EndeavorError, InvalidOptionError, shown


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
class MatchResult(Generic[C]):
    """The outcome of a match."""

    agents: tuple[AgentResult, ...]
    """In the order they were given."""
    config: C
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
    config: GameConfig | None = None,
) -> MatchResult[GameConfig]:
    """Play a match to its end; see ``Match`` for the arguments and errors."""
    match = Match(agents, games, seed, board=board, variant=variant, options=options, exploits=exploits, config=config)
    for _ in match.play():
        pass
    return match.result()


class RotatingMatch(Series[MatchResult[C], G, C], Generic[G, C]):
    """A match at a table of any game: every set-up is played once in every seating.

    What is drawn in a game is the same in every seating as far as the same moves are made: it follows from the seed of
    the set-up.
    """

    def __init__(
        self, agents: Sequence[AgentOf[G] | str], games: int, seed: int | None, config: C, records: Path | None
    ) -> None:
        """Check everything but the number of agents; see ``Match`` for the arguments and errors."""
        super().__init__(agents, _count_setups(games, len(agents)), seed, config, records)
        if len({id(agent) for agent in self.agents}) < len(self.agents):
            raise InvalidOptionError("the same agent object is given twice: make one object a seat")
        self._scores: list[list[list[int]]] = []
        if records is not None:
            make_folder(records)

    @property
    def done(self) -> int:
        """Set-ups played in every seating so far, 0..setups."""
        return len(self._scores)

    def result(self) -> MatchResult[C]:
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
            forfeits=self.forfeits_in(self.done),
        )

    def _new_game(self, setup: int) -> G:
        return cast(G, self.config.new_game(derived_seed(self.seed, setup)))

    def play_setup(self, setup: int, after_move: Callable[[G], None] | None = None) -> list[G]:
        """Play a set-up in every seating: in seating r agent i has seat (i + r) modulo the number of agents."""
        count, games = len(self.agents), []
        for seating in range(count):
            for number, agent in enumerate(self.agents):
                agent.reset(derived_seed(self.seed, setup, seating, number))
            game, seated = self._new_game(setup), [(seat - seating) % count for seat in range(count)]
            game.played = self.played(seated)
            play_game([self.agents[agent] for agent in seated], game, after_move)
            self.note_forfeits(setup, seating, seated)
            games.append(game)
        return games

    def counted(self, scores: list[int], setup: int, game: int) -> list[int]:
        """Return the scores in the order of the agents."""
        lost = self.lost_in(setup, game)
        return [LOST if agent in lost else score for agent, score in enumerate(by_agent(scores, game))]

    def _record(self, games: list[G]) -> None:
        self._scores.append([self.counted(game.scores(), self.done, number) for number, game in enumerate(games)])


class Match(RotatingMatch[Game, GameConfig]):
    """A match in progress: every set-up is played once in every seating, so that no agent gains by its seat."""

    def __init__(
        self,
        agents: Sequence[Agent | str],
        games: int,
        seed: int | None = 0,
        *,
        board: BoardGiven = None,
        variant: str = STANDARD,
        options: Mapping[str, Any] | None = None,
        exploits: Sequence[str] | str | None = None,
        config: GameConfig | None = None,
        records: Path | None = None,
    ) -> None:
        """Check everything before the first game.

        Args:
            agents: Agents or their names in the registry, one for each seat: 3 to 5, or as many as the variant has
                seats. Each must be an object of its own.
            games: A positive multiple of the number of agents.
            seed: At least 0; None takes one from the operating system. The same seed gives the same games.
            board: What ``Board.resolve`` takes.
            variant: A name of VARIANT_NAMES, but not "solo": see ``endeavor_env.agents.solo_match``.
            options: The variant's options by name, as ``Game.new`` takes them.
            exploits: The Exploits in play, as ``Game.new`` takes them.
            config: What is played, in place of board, variant, options and exploits.
            records: A folder in which ``play`` writes the record of every game; None writes none.

        Raises:
            InvalidOptionError: The agents, ``games``, ``seed`` or what is to be played do not fit, or the board is
                unknown.
            InvalidBoardError: A board file with faults, or a board the variant cannot be played on.
            CheckpointError: A checkpoint that cannot be loaded.
        """
        players = len(agents) if config is None else None
        if config is None:
            check_seats(len(agents), variant)
        chosen = given_config(config, variant, players, board, options, exploits)
        if len(agents) != chosen.players:
            raise InvalidOptionError(
                f"a match of {len(agents)} agents is not possible in {chosen}: give {chosen.players}"
            )
        check_seats(len(agents), chosen.variant)
        super().__init__(agents, games, seed, chosen, records)


class GameMatch(RotatingMatch[AnyGame, AnyConfig]):
    """A match of any game on the engine: every set-up is played once in every seating."""

    def __init__(
        self,
        agents: Sequence[AgentOf[AnyGame] | str],
        games: int,
        seed: int | None = 0,
        *,
        config: AnyConfig,
        records: Path | None = None,
    ) -> None:
        """Check everything before the first game; see ``Match`` for the arguments.

        Raises:
            InvalidOptionError: ``config`` has one seat or not one for each agent, the game has no agent of a name, or
                ``games`` or ``seed`` do not fit.
        """
        if len(agents) != config.players or len(agents) < 2:
            raise InvalidOptionError(
                f"a match of {len(agents)} agents is not possible in a game of {config.players} seats: give 2 or more, "
                "one a seat"
            )
        super().__init__(agents, games, seed, config, records)

    def played(self, agents: Sequence[int]) -> PlayersInfo:
        """Return who plays a game that begins now, given the number of the agent in each seat."""
        players = [Player.of_agent(self.texts[agent], name=str(self.names[agent])) for agent in agents]
        return PlayersInfo.of(players, environment=None)


def match_of(
    agents: Sequence[AgentOf[Any] | str],
    games: int,
    seed: int | None = 0,
    *,
    config: AnyConfig,
    records: Path | None = None,
) -> RotatingMatch[Any, Any]:
    """Return a match of any game; see ``Match`` for the arguments and errors."""
    made: RotatingMatch[Any, Any] = game_of(config.rules).part("match", GameMatch)(
        agents, games, seed, config=config, records=records
    )
    return made


def by_agent(by_seat: Sequence[int], seating: int) -> list[int]:
    """Return what the seats have in the order of the agents, who sit as in this seating of a match."""
    count = len(by_seat)
    return [by_seat[(agent + seating) % count] for agent in range(count)]


def by_seat(by_agent: Sequence[int], seating: int) -> list[int]:
    """Return what the agents have in the order of the seats, the inverse of ``by_agent``."""
    count = len(by_agent)
    return [by_agent[(seat - seating) % count] for seat in range(count)]


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
