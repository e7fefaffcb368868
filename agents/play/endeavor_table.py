"""Endeavor on the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from endeavor_env.agents.base import Agent
from endeavor_env.agents.play import advice
from endeavor_env.agents.play.advice import Evaluation, Hint
from endeavor_env.agents.play.lobby import choices, read_new_game
from endeavor_env.agents.play.seats import played_by
from endeavor_env.agents.play.shown import shown_snapshot
from endeavor_env.agents.play.snapshot import SessionSnapshot
from endeavor_env.agents.play.table import NewGame
from endeavor_env.agents.play.timeline import last_turn, moves_made
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.players import agent_named
from endeavor_env.engine.declaration import GameDeclaration
from endeavor_env.engine.players_info import PlayersInfo
from endeavor_env.web import replay_page

TRUSTED: set[str] = set()
"""Names of agents that may read files and run programs: those that the command line has."""


class EndeavorTable:
    """Endeavor, as ``table.Table`` asks for it. Everybody may see everything."""

    name, unit, hint_by = None, "Glory", None

    def __init__(self, declared: GameDeclaration) -> None:
        """Take what the game declares of itself."""
        self._declared = declared

    def variants(self) -> list[dict[str, Any]]:
        """Return the variants with their options."""
        variants: list[dict[str, Any]] = choices()["variants"]
        return variants

    def read_new_game(self, body: Mapping[str, Any]) -> NewGame:
        """Return the new game that a page asks for."""
        return read_new_game(body)

    def agent(self, game: Game, name: str) -> Agent:
        """Return an agent; one of a file or program only if the command line named it, since names come from pages."""
        trusted = name in TRUSTED
        return agent_named(name, programs=trusted, files=trusted)

    def played(self, game: Game, seats: Sequence[str], agents: Mapping[int, Any]) -> PlayersInfo:
        """Return who plays."""
        return played_by(game, seats, agents)

    def undo_to(self, game: Game, people: frozenset[int]) -> int | None:
        """Return how many moves had been made when the last turn of a person began."""
        return last_turn(moves_made(game), people)

    def observer(self, snapshot: SessionSnapshot, wanted: int | None) -> None:
        """Return None: there is nothing to hide."""

    def shown(self, snapshot: SessionSnapshot, theme: str, observer: int | None) -> dict[str, Any]:
        """Return everything that the page shows."""
        return shown_snapshot(snapshot, theme)

    def hints(self, game: Game, agent: Agent) -> list[Hint]:
        """Return the moves that an agent likes best and what they are expected to bring."""
        return advice.hints(game, agent)

    def standing(self, game: Game) -> Evaluation:
        """Return who is ahead by ``value``."""
        return advice.standing(game)

    def record(self, game: Game, observer: int | None) -> dict[str, Any]:
        """Return the record."""
        return game.record()

    def replay_page(self, game: Game, theme: str, observer: int | None) -> str:
        """Return the page on which the game is watched again."""
        return replay_page(game, theme=theme)

    def how_to_play(self) -> str:
        """Return the page that tells the whole game."""
        return str(self._declared.how_to_play())
