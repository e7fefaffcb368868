"""Matches of the solitaire game: the same set-ups with every agent at every difficulty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

import endeavor_env
from endeavor_env import Game, GameConfig
from endeavor_env.agents.base import Agent
from endeavor_env.agents.forfeits import LOST, Forfeit
from endeavor_env.agents.matches.series import AfterMove, Series, play_game
from endeavor_env.agents.matches.statistics import mean_interval, wilson_interval
from endeavor_env.basics.inputs import derived_seed, whole_number
from endeavor_env.endeavor.game import BoardGiven, given_config
from endeavor_env.endeavor.results import RUNG_NAMES
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.setups import SOLO, STANDARD
from endeavor_env.errors import EndeavorError, InvalidOptionError, shown

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


class SoloMatch(Series[SoloMatchResult, Game, GameConfig]):
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
        if not self.agents:
            raise InvalidOptionError("a match of no agents is not possible: give at least one")
        self._scores: list[list[list[int]]] = []
        self._ladder: list[list[tuple[int, bool]]] = []

    @property
    def done(self) -> int:
        """Set-ups played by every agent at every difficulty so far, 0..games."""
        return len(self._scores)

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
            config=self.config,
            seed=self.seed,
            decisions=self.decisions,
            seconds=self.seconds,
            forfeits=self.forfeits_in(self.done),
        )

    def _new_game(self, setup: int, difficulty: str | None = None) -> Game:
        options = {**self.config.options, "difficulty": difficulty or self.difficulties[0]}
        return replace(self.config, options=options).new_game(derived_seed(self.seed, setup))

    def play_setup(self, setup: int, after_move: AfterMove | None = None) -> list[Game]:
        """Play a set-up with every agent at every difficulty."""
        games = []
        for number, agent in enumerate(self.agents):
            for difficulty in self.difficulties:
                agent.reset(derived_seed(self.seed, setup, c.DIFFICULTY_NAMES.index(difficulty)))
                game = self._new_game(setup, difficulty)
                game.played = self.played([number])
                play_game([agent], game, after_move)
                self.note_forfeits(setup, len(games), [number])
                games.append(game)
        return games

    def counted(self, scores: list[int], setup: int, game: int) -> list[int]:
        """Return the scores of the agent and of the Opposition."""
        return [LOST, *scores[1:]] if self.lost_in(setup, game) else scores

    def _record(self, games: list[Game]) -> None:
        self._scores.append([self.counted(game.scores(), self.done, number) for number, game in enumerate(games)])
        ends = [(game.ladder().rung, game.ladder().panache) for game in games]
        lost = [bool(self.lost_in(self.done - 1, number)) for number in range(len(games))]
        self._ladder.append([DEFEAT if one else end for one, end in zip(lost, ends, strict=True)])


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
