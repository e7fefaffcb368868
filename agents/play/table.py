"""The interface of a kind of game, through which the server plays it: nothing else there knows one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from endeavor_env.agents.base import AgentOf
from endeavor_env.agents.play.advice import Evaluation, Hint
from endeavor_env.agents.play.snapshot import SessionSnapshot
from endeavor_env.engine.players_info import PlayersInfo


class NewGame(NamedTuple):
    """A new game that a page asks for."""

    seats: list[str]
    """Player of each seat."""
    config: Any
    """The game to play, with a method ``new_game(seed)``."""
    seed: Any
    """Seed of the set-up, as the page gave it."""


class Table(Protocol):
    """A kind of game that can be played on the page."""

    @property
    def name(self) -> str | None:
        """Name of the game on the page; None for the one that needs none."""
        ...

    @property
    def unit(self) -> str:
        """Unit of scores."""
        ...

    @property
    def hint_by(self) -> str | None:
        """The agent that hints if nobody names one; None for that of the command."""
        ...

    # --- lobby -------------------------------------------------------------------------------------------------------
    def variants(self) -> list[dict[str, Any]]:
        """Return what can be chosen for a new game, as JSON takes it."""
        ...

    def read_new_game(self, body: Mapping[str, Any]) -> NewGame:
        """Return the new game that a page asks for; raise RefusedError or EndeavorError for what is not possible."""
        ...

    # --- who plays ---------------------------------------------------------------------------------------------------
    def agent(self, game: Any, name: str) -> AgentOf[Any]:
        """Return a fresh agent for a game; raise InvalidOptionError if there is none of this name."""
        ...

    def played(self, game: Any, seats: Sequence[str], agents: Mapping[int, AgentOf[Any]]) -> PlayersInfo:
        """Return who plays a game from now on."""
        ...

    def undo_to(self, game: Any, people: frozenset[int]) -> int | None:
        """Return how many moves are left after people take something back; None if nothing can be."""
        ...

    # --- the page ----------------------------------------------------------------------------------------------------
    def observer(self, snapshot: SessionSnapshot, wanted: int | None) -> int | None:
        """Return as whom the page sees a game: a seat, NONE for what all may see, or None for everything.

        ``wanted`` is the seat as which it asks to see it, None if it does not say.
        """
        ...

    def shown(self, snapshot: SessionSnapshot, theme: str, observer: int | None) -> dict[str, Any]:
        """Return everything that the page shows, as JSON takes it."""
        ...

    def hints(self, game: Any, agent: AgentOf[Any]) -> list[Hint]:
        """Return the moves that an agent likes best."""
        ...

    def standing(self, game: Any) -> Evaluation:
        """Return who is ahead; raise InvalidOptionError where nobody knows."""
        ...

    def record(self, game: Any, observer: int | None) -> dict[str, Any]:
        """Return the record as an observer may read it; raise InvalidOptionError if there is none yet."""
        ...

    def replay_page(self, game: Any, theme: str, observer: int | None) -> str:
        """Return the page on which the game is watched again."""
        ...

    def how_to_play(self) -> str:
        """Return the page that tells the game; raise InvalidOptionError if there is none."""
        ...
