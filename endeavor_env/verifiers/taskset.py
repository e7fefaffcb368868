"""Set-ups as tasks, and what a game that was played of one is worth."""
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any, Literal

import verifiers.v1 as vf

from endeavor_env.endeavor.game import Game, GameConfig
from endeavor_env.endeavor.players import agent_named
from endeavor_env.endeavor.rewards import SOLO
from endeavor_env.endeavor.text import TextOptions, TextTable, primer
from endeavor_env.engine.game import game_for
from endeavor_env.engine.seating import names_around
from endeavor_env.errors import InvalidOptionError

FIRST_SEED = {"eval": 1_000_003, "train": 2_000_003}
"""The seed of the first set-up; there are at most a million to evaluate with, so no game of one is a game of both."""
MOST_EVALUATED = 1_000_000
PLAYED = "endeavor"
"""Key of a trace's info under which the result of its game is kept."""


class EndeavorConfig(vf.TasksetConfig):
    """The game, the opponents and the prompts: the arguments of ``Game.new`` and ``TextOptions``."""

    variant: str = "standard"
    players: int | None = None
    board: str | None = None
    exploits: list[str] | Literal["random"] | None = None
    options: dict[str, Any] | None = None
    opponents: list[str] = ["greedy"]  # noqa: RUF012 (pydantic copies it)
    """Names of agents in the other seats, one for all or one for each in playing order; empty: the model has all."""
    split: Literal["train", "eval"] = "train"
    """Set-ups to train on, without an end, or others to evaluate with."""
    games: int = 100
    """Number of games to evaluate with."""
    form: Literal["short", "full", "json"] = "short"
    legal_moves: Literal["list", "count", "none"] = "list"
    history: int = 8
    primer: bool = True
    """True to use the rules as the system prompt."""
    retries: int = 2
    illegal_reward: float = -1.0
    reward: str | None = None
    """A name of the environments' rewards; None for "win", and "margin" in the solitaire game."""


class EndeavorData(vf.TaskData):
    """One game before its first move."""

    played: dict[str, Any]
    """The arguments of ``Game.new``, with the seed of the set-up."""
    told: dict[str, Any]
    """The values of ``TextOptions``."""
    agents: dict[int, str]
    """Names of the agents, by seat; the model has the other seats."""


class EndeavorTask(vf.Task[EndeavorData]):
    """A game, and what the seats of the model get for it."""

    def new_table(self) -> TextTable:
        """Return the table at the first decision."""
        return TextTable(Game.new(**self.data.played), TextOptions(**self.data.told))

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Return whether the answers of an agent end the game and pay, without a refusal."""
        table, agent = self.new_table(), agent_named("greedy")
        while not table.over:
            move = table.game.describe(int(agent.act(game_for(agent, table.game))))
            table.answer(f"[{move}]")
        return table.rewards() is not None and not any(table.refused)

    @vf.reward
    async def outcome(self, trace: vf.Trace) -> float:
        """Return the reward of the trace's seat; 0 for a game that was cut short."""
        return trace.info.get(PLAYED, {}).get("reward") or 0.0

    @vf.metric
    async def answers(self, trace: vf.Trace) -> dict[str, float]:
        """Return what the game came to besides."""
        played = trace.info.get(PLAYED, {})
        return {name: float(played.get(name, 0)) for name in ("moves", "refused", "forfeited", "finished", "glory")}


class EndeavorTaskset(vf.Taskset[EndeavorTask, EndeavorConfig]):
    """Numbered set-ups; where agents play along, each once from every seat."""

    def __init__(self, config: EndeavorConfig) -> None:
        """Check what is to be played.

        Raises:
            InvalidOptionError: A value that is not possible.
        """
        super().__init__(config)
        self.INFINITE = config.split == "train"
        if not 1 <= config.games <= MOST_EVALUATED:
            raise InvalidOptionError(f"games={config.games} is not possible: give 1 to {MOST_EVALUATED}")
        players = GameConfig(config.variant, config.players, config.board, config.options, config.exploits).players
        self._seats = 1 if players == 1 or not config.opponents else players
        if self._seats > 1 and len(config.opponents) not in (1, players - 1):
            raise InvalidOptionError(
                f"opponents has {len(config.opponents)} entries: with {players} players give 0, 1 or {players - 1}"
            )
        self._players = players
        next(self.load()).new_table()

    def load(self) -> Iterator[EndeavorTask]:
        """Yield the games."""
        config = self.config
        told = {
            **{name: getattr(config, name) for name in ("form", "legal_moves", "history", "retries", "illegal_reward")},
            "reward": config.reward or ("margin" if config.variant == SOLO else "win"),
            "primer": False,
        }
        names = ("variant", "board", "exploits", "options")
        played: dict[str, Any] = {name: getattr(config, name) for name in names} | {"players": self._players}
        rules = None
        for number in count() if self.INFINITE else range(config.games):
            seed, seat = FIRST_SEED[config.split] + number // self._seats, number % self._seats
            if config.primer and (rules is None or config.exploits == "random" or config.variant == "exploits"):
                rules = primer(Game.new(**played, seed=seed).config)
            data = EndeavorData(
                name=f"{config.variant}-{seed}-{seat}",
                system_prompt=rules,
                played=played | {"seed": seed},
                told=told,
                agents=self._agents_around(seat),
            )
            yield EndeavorTask(data, config.task)

    def _agents_around(self, seat: int) -> dict[int, str]:
        """Return who plays the other seats of the model in ``seat``."""
        return {} if self._seats == 1 else names_around(seat, self.config.opponents, self._players)
