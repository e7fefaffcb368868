"""Series of set-ups that the same agents play one after the other; what all kinds of match have in common."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

from endeavor_env import Game
from endeavor_env.agents.base import Agent, AgentOf
from endeavor_env.agents.forfeits import Forfeit, forfeits_of
from endeavor_env.agents.matches.recording import record_setup
from endeavor_env.agents.registry import agents_for, player_named
from endeavor_env.basics.inputs import check_seed, fresh_seed
from endeavor_env.engine.game import Game as AnyGame
from endeavor_env.engine.game import GameConfig, agent_title, game_for
from endeavor_env.engine.games import game_of
from endeavor_env.engine.kernels.rules import CHANCE
from endeavor_env.engine.players_info import Player, PlayersInfo, unique_names
from endeavor_env.errors import IllegalActionError, InvalidOptionError, shown

R = TypeVar("R", covariant=True)
G = TypeVar("G", bound=AnyGame)
C = TypeVar("C", bound=GameConfig)
AfterMove = Callable[[Game], None]
"""Called with a game after each of its moves."""


class Series(ABC, Generic[R, G, C]):
    """A match in progress. ``play`` plays it; ``result`` gives the outcome, an ``R``, of the set-ups done so far.

    Its games are of the class ``G``, and play what a ``C`` says.

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
        agents: Sequence[AgentOf[G] | str],
        setups: int,
        seed: int | None,
        config: C,
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
        self.agents = [read_agent(agent, config) for agent in agents]
        self.texts = [agent if isinstance(agent, str) else str(agent.name) for agent in agents]
        self.names = unique_names([agent_title(agent) for agent in self.agents])
        self.records = records
        self._players: list[Player] | None = None
        self.forfeits: list[Forfeit] = []
        self.decisions = 0
        self.seconds = 0.0

    @property
    @abstractmethod
    def done(self) -> int:
        """Set-ups played completely so far, 0..setups."""

    @abstractmethod
    def result(self) -> R:
        """Return the outcome of the set-ups done; raise EndeavorError if they are too few."""

    @abstractmethod
    def _new_game(self, setup: int) -> G:
        """Return a game with the set-up of this number."""

    @abstractmethod
    def play_setup(self, setup: int, after_move: Callable[[G], None] | None = None) -> list[G]:
        """Play every game of the set-up with this number to its end; return the games.

        They depend on the agents, the seed and the number, not on what was played before. ``after_move`` is called with
        the game after each move.
        """

    @abstractmethod
    def counted(self, scores: list[int], setup: int, game: int) -> list[int]:
        """Return the scores of a game in the order of results, with ``LOST`` for who lost it by a fault.

        Args:
            scores: Those of the seats, at the end of the game or before.
            setup: Number of its set-up.
            game: Number of the game of this set-up.
        """

    @abstractmethod
    def _record(self, games: list[G]) -> None:
        """Keep what the result needs of the games of one set-up."""

    def played(self, agents: Sequence[int]) -> PlayersInfo:
        """Return who plays a game that begins now, given the number of the agent in each seat."""
        if self._players is None:  # reads the files of networks
            called = zip(self.texts, self.names, strict=True)
            self._players = [player_named(text, self.config.variant, str(name)) for text, name in called]
        return PlayersInfo.of([self._players[agent] for agent in agents])

    def note_forfeits(self, setup: int, game: int, agents: Sequence[int]) -> None:
        """Keep who lost the game that has just ended by a fault, given the numbers of the agents that played it."""
        self.forfeits += forfeits_of(setup, game, [(number, self.agents[number]) for number in agents])

    def lost_in(self, setup: int, game: int) -> list[int]:
        """Return the numbers of the agents that lost a game of a set-up by a fault."""
        return [one.agent for one in self.forfeits if (one.setup, one.game) == (setup, game)]

    def forfeits_in(self, setups: int) -> tuple[Forfeit, ...]:
        """Return the games that agents lost by faults in the first set-ups."""
        return tuple(one for one in self.forfeits if one.setup < setups)

    def play(self) -> Iterator[int]:
        """Play the remaining set-ups; yield the number of set-ups done after each. An interrupted one does not count.

        Before the first, every agent makes one decision that does not count, so that loading and compiling are not
        timed.
        """
        for agent in self.agents:
            agent.reset(0)
            begun = self._new_game(0)
            agent.act(game_for(agent, begun))
        while self.done < self.setups:
            start = time.perf_counter()
            self.forfeits = list(self.forfeits_in(self.done))
            games = self.play_setup(self.done)
            self._record(games)
            self.decisions += sum(seat != CHANCE for game in games for seat, _ in game.history)
            self.seconds += time.perf_counter() - start
            if self.records is not None:
                record_setup(self.records, self.done - 1, games)
            yield self.done


def play_game(agents: Sequence[AgentOf[G]], game: G, after_move: Callable[[G], None] | None = None) -> list[int]:
    """Play ``game`` to its end and return the scores; the time for each move is noted if the game says who plays it.

    Args:
        agents: An agent for each seat, reset by the caller.
        game: A game that may have begun already; changed in place.
        after_move: Called with the game after each move; it must not change the game.

    Raises:
        InvalidOptionError: Another number of agents than of seats.
        IllegalActionError: An agent chose an action that is not legal.
    """
    if len(agents) != game.num_players:
        raise InvalidOptionError(f"{len(agents)} agents do not fit a game of {game.num_players} seats: give one a seat")
    first, seconds = len(game.history), list[float | None]()
    try:
        while (seat := game.seat) >= 0:
            start = time.perf_counter()
            action = agents[seat].act(game_for(agents[seat], game))
            spent = time.perf_counter() - start
            try:
                game.apply(action)
            except IllegalActionError as error:
                raise IllegalActionError(f"agent {agents[seat].name!r} chose badly: {error}") from error
            drawn = len(game.history) - first - len(seconds) - 1  # moves that chance made after this one
            seconds += [spent, *[None] * drawn]
            if after_move is not None:
                after_move(game)
    finally:
        if game.played is not None:
            game.played = game.played.timed(first, *seconds)
    return game.scores()


def what_is_played(config: GameConfig) -> dict[str, Any]:
    """Return what is played as files of results have it, but for the number of seats."""
    return game_of(config.rules).what_is_played(config)


def read_agent(agent: object, config: GameConfig) -> AgentOf[Any]:
    """Return an agent given as an object, or by name in a game; raise InvalidOptionError for anything else."""
    if isinstance(agent, str):
        return agents_for(config, [agent])[0]
    if isinstance(agent, Agent) and not isinstance(agent, type):
        return agent
    raise InvalidOptionError(
        f"{shown(agent)} is no agent: give a name, or an object with name, reset(seed) and act(game)"
    )
