"""Matches of the solitaire game: the same set-ups with every agent at every difficulty."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import endeavor_env
from agents.base import Agent
from agents.matches.match import derived_seed, play_game, read_agent, unique_names
from agents.matches.statistics import mean_interval, wilson_interval
from endeavor_env import Board, Game
from endeavor_env.board.variant_needs import check_board
from endeavor_env.core import constants as c
from endeavor_env.errors import EndeavorError, InvalidOptionError
from endeavor_env.inputs import check_seed, whole_number
from endeavor_env.ladder import RUNG_NAMES
from endeavor_env.options import check_options
from endeavor_env.setups import fresh_seed

SOLO = "solo"
DIFFICULTIES = ("easier", "normal", "harder")
MIN_GAMES = 2  # fewer have no spread


@dataclass(frozen=True, eq=False)
class SoloResult:
    """How one agent did at one difficulty."""

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
        """(games,): the agent's Glory less the Opposition's."""
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
        """Returns everything as plain JSON values."""
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
    """Games a row."""
    board: str
    """Id of the board."""
    board_hash: str
    """Hash of the board."""
    options: dict[str, Any]
    """The options given besides the difficulty, by name."""
    seed: int
    """Draws the set-ups, and seeds the agents anew for every game."""
    decisions: int
    """Decisions of all games."""
    seconds: float
    """Time spent playing, compilation and loading apart."""

    def to_dict(self) -> dict[str, Any]:
        """Returns everything as plain JSON values."""
        return {
            "package_version": endeavor_env.__version__,
            "variant": SOLO,
            "board": self.board,
            "board_hash": self.board_hash,
            "options": self.options,
            "games": self.games,
            "seed": self.seed,
            "decisions": self.decisions,
            "seconds": self.seconds,
            "rows": [row.to_dict() for row in self.rows],
        }


class SoloMatch:
    """A solitaire match under way: set-up after set-up, each played by every agent at every difficulty.

    A row depends on nothing but its agent, its difficulty, the seed and the number of games, not on who else plays.
    """

    def __init__(
        self,
        agents: Sequence[Agent | str],
        games: int,
        seed: int | None = 0,
        *,
        difficulties: Sequence[str] = DIFFICULTIES,
        board: Board | str | Path | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """Checks everything before the first game.

        Args:
            agents: Agents or their names in the registry, at least one; each plays games of its own.
            games: Games of each agent at each difficulty, at least 2.
            seed: At least 0; None takes one from the operating system. The same seed gives the same games.
            difficulties: Some of DIFFICULTIES, each once.
            board: What ``Board.resolve`` takes.
            options: Options of the solitaire game besides the difficulty, as ``Game.new`` takes them.

        Raises:
            InvalidOptionError: The agents, ``games``, ``seed``, ``difficulties`` or ``options`` do not fit, or the
                board is unknown.
            InvalidBoardError: A board file with faults, or a board the solitaire game cannot be played on.
            CheckpointError: A checkpoint that cannot be loaded.
        """
        self.games = _count_games(games)
        self.difficulties = _each_once(difficulties)
        self.options = dict(options or {})
        check_options(self.options, SOLO)
        checked = check_seed(seed)
        self.seed = fresh_seed() if checked is None else checked
        self.board = Board.resolve(board)
        check_board(self.board, SOLO)
        self.agents = [read_agent(agent) for agent in agents]
        if not self.agents:
            raise InvalidOptionError("a match of no agents is not possible: give at least one")
        self.names = unique_names([agent.name for agent in self.agents])
        self._scores: list[list[list[int]]] = []
        self._ladder: list[list[tuple[int, bool]]] = []
        self._decisions = 0
        self._seconds = 0.0

    @property
    def done(self) -> int:
        """Set-ups played in every row so far, 0..games."""
        return len(self._scores)

    def play(self) -> Iterator[int]:
        """Plays on, and yields the number of set-ups done after each; a set-up that is broken off does not count."""
        for agent in self.agents:  # so that loading and compiling are not timed
            agent.reset(0)
            agent.act(self._new_game(0, self.difficulties[0]))
        while self.done < self.games:
            start = time.perf_counter()
            played = [self._play_one(agent, level) for agent in self.agents for level in self.difficulties]
            self._scores.append([game.scores() for game in played])
            self._ladder.append([(game.ladder().rung, game.ladder().panache) for game in played])
            self._decisions += sum(len(game.history) for game in played)
            self._seconds += time.perf_counter() - start
            yield self.done

    def result(self) -> SoloMatchResult:
        """Returns the outcome of the set-ups done; raises EndeavorError before the second."""
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
            board=self.board.id,
            board_hash=self.board.hash,
            options=self.options,
            seed=self.seed,
            decisions=self._decisions,
            seconds=self._seconds,
        )

    def _new_game(self, setup: int, difficulty: str) -> Game:
        options = {**self.options, "difficulty": difficulty}
        return Game.new(1, SOLO, derived_seed(self.seed, setup), board=self.board, options=options)

    def _play_one(self, agent: Agent, difficulty: str) -> Game:
        """Plays the next set-up to its end."""
        agent.reset(derived_seed(self.seed, self.done, c.DIFFICULTY_NAMES.index(difficulty)))
        game = self._new_game(self.done, difficulty)
        play_game([agent], game)
        return game


def _count_games(games: object) -> int:
    number = whole_number(games)
    if number is None or number < MIN_GAMES:
        raise InvalidOptionError(f"games={games!r} is not possible: give a whole number of at least {MIN_GAMES}")
    return number


def _each_once(difficulties: Sequence[str]) -> tuple[str, ...]:
    """Returns the difficulties; raises InvalidOptionError for none, an unknown or a repeated one."""
    chosen = tuple(difficulties)
    if not chosen or len(set(chosen)) < len(chosen) or not set(chosen) <= set(DIFFICULTIES):
        raise InvalidOptionError(
            f"difficulties {', '.join(map(str, chosen)) or 'none'} are not possible: give some of "
            f"{', '.join(DIFFICULTIES)}, each once"
        )
    return chosen
