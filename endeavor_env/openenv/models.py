"""Messages between client and server; the descriptions are in the schemas that the server publishes."""
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

from __future__ import annotations

from typing import Any, ClassVar

try:
    from openenv.core.env_server.types import Action, Observation, State
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"endeavor_env.openenv needs {missing.name}: install it with pip install openenv", name=missing.name
    ) from missing

_CONFIG = {"use_attribute_docstrings": True}
"""Pydantic takes the descriptions of fields from what stands below them."""


class EndeavorAction(Action):
    """An answer of the player."""

    model_config: ClassVar[Any] = _CONFIG

    answer: str
    """The player's answer: any thoughts, then one move in brackets, such as [pass]."""


class EndeavorObservation(Observation):
    """The player's view at a decision, or after the end."""

    model_config: ClassVar[Any] = _CONFIG

    rules: str = ""
    """After a reset the rules, for a system prompt; empty later, and with primer=false."""
    prompt: str = ""
    """The position, the last moves and the question; empty after the end."""
    refused: str = ""
    """Reason why the last answer made no move, for the next try; empty after a move."""
    retries_left: int = 0
    """Number of further answers without a legal move before the game ends."""
    seat: int = 0
    """The player's seat."""
    legal_moves: list[str] | int | None = None
    """The moves, how many there are, or null, as the option legal_moves says; empty after the end."""
    news: list[dict[str, Any]] | None = None
    """The moves since the player's last decision, the own one first."""
    result: dict[str, Any] | None = None
    """Result of the game."""


class EndeavorState(State):
    """The episode as a whole."""

    model_config: ClassVar[Any] = _CONFIG

    game: str = ""
    """The game that is played."""
    seat: int = 0
    """The player's seat."""
    opponents: dict[int, str] | None = None
    """The agents of the other seats."""
    refused: int = 0
    """Number of the player's answers without a legal move."""
    forfeited: bool = False
    """True if the player ended the game by such answers."""
    record: dict[str, Any] | None = None
    """The record of the game, which `endeavor replay` shows."""
