"""Settings that determine the games of a language model's match: the game, the opponents, and the prompts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import endeavor_env
from endeavor_env import Game, GameConfig
from endeavor_env.agents.base import Agent
from endeavor_env.agents.registry import make_agent
from endeavor_env.basics.files import parse_json
from endeavor_env.basics.inputs import check_seed, derived_seed
from endeavor_env.endeavor.text import TextOptions, primer
from endeavor_env.errors import InvalidOptionError, shown

FORMAT = "endeavor-words/1"
TOLD = ("form", "legal_moves", "history", "primer", "retries")
"""The fields of ``TextOptions`` that a match says."""
FIXED = ("model", "messages", "stream")
"""Fields of a request that are not to be set."""


@dataclass(frozen=True)
class ModelMatchSettings:
    """The settings that determine the games, as far as a model is deterministic.

    Raises:
        InvalidOptionError: Another number of agents than of other seats, an unknown agent, or a wrong seed.
    """

    model: str
    """Name of the model at the endpoint."""
    agents: tuple[str, ...]
    """Names of the agents in the other seats."""
    config: GameConfig
    seed: int = 0
    options: TextOptions = field(default_factory=TextOptions)
    """Contents of the prompts, and the number of retries."""
    request: dict[str, Any] = field(default_factory=dict)
    """Further fields of each request, such as {"temperature": 0}."""

    def __post_init__(self) -> None:
        """Check the agents and the seed."""
        others = self.config.players - 1
        if len(self.agents) != others:
            raise InvalidOptionError(
                f"{len(self.agents)} agents do not fit a game of {self.config.players} seats, one of them the model's: "
                f"give {others}"
            )
        check_seed(self.seed)
        if not self.model:
            raise InvalidOptionError("the model has no name: give --model")
        self.make_agents()

    @property
    def players(self) -> int:
        """Number of seats."""
        return self.config.players

    def make_agents(self) -> list[Agent]:
        """Return a fresh agent for each other seat."""
        return [make_agent(name) for name in self.agents]

    def seat_in(self, number: int) -> int:
        """Return the model's seat in a game: every set-up is played once from each."""
        return number % self.players

    def game(self, number: int) -> Game:
        """Return a game at its beginning."""
        return self.config.new_game(derived_seed(self.seed, number // self.players))

    def seated(self, number: int, agents: Sequence[Agent]) -> dict[int, Agent]:
        """Return who has which other seat in a game, ready to begin it."""
        seat, seated = self.seat_in(number), dict[int, Agent]()
        for index, agent in enumerate(agents):
            agent.reset(derived_seed(self.seed, number // self.players, seat, index))
            seated[(seat + 1 + index) % self.players] = agent
        return seated

    def rules(self, game: Game) -> str | None:
        """Return the text that stands before every conversation; None for none."""
        return primer(game.config) if self.options.primer else None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON values: the first line of a transcript."""
        told = asdict(self.options)
        return {
            "type": "match",
            "format": FORMAT,
            "package_version": endeavor_env.__version__,
            "model": self.model,
            "agents": list(self.agents),
            "game": self.config.to_dict(),
            "seed": self.seed,
            "options": {name: told[name] for name in TOLD},
            "request": self.request,
        }


def read_fields(texts: Sequence[str]) -> dict[str, Any]:
    """Return fields of a request, each given as "name=value" with a value in JSON, or else a text.

    Raises:
        InvalidOptionError: A text without "=", a name given twice, or one that is not to be set.
    """
    fields: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise InvalidOptionError(f"set {shown(text)} is not possible: write it as name=value")
        if name in FIXED or name in fields:
            why = "is given twice" if name in fields else "is not to be set"
            raise InvalidOptionError(f"set {shown(text)} is not possible: {name} {why}")
        try:
            fields[name] = parse_json(value)
        except ValueError:
            fields[name] = value
    return fields
