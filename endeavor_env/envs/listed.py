"""Environments of the games of the list that have no classes of their own: what their ids make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from endeavor_env.engine.game_rules import AnyConfig
from endeavor_env.engine.games import game_named
from endeavor_env.envs.rails_envs import RailsAECEnv, RailsEnv
from endeavor_env.envs.simultaneous import SimultaneousEnv
from endeavor_env.envs.vector.rails_vector_env import RailsVectorEnv


class _SimultaneousEnv(RailsAECEnv):
    """The environment as the parallel interface plays it: all agents act at once, and only one action counts."""

    WAITING = 1  # an agent that is not to move may choose any action, which is ignored


def configured(
    game: str, variant: str | None, players: int | None, board: str | None, options: Mapping[str, Any] | None
) -> Any:
    """Return what is played of a game by its name; raise EndeavorError for what is not possible."""
    declared = game_named(game)
    config: AnyConfig = declared.configure(
        declared.variants[0].name if variant is None else variant, players, board, options or {}
    )
    return config


def make_env(
    *,
    game: str,
    variant: str | None = None,
    players: int | None = None,
    board: str | None = None,
    options: Mapping[str, Any] | None = None,
    **given: Any,
) -> RailsEnv:
    """Return the Gymnasium environment of a game.

    Args:
        game: Name of the game in the list.
        variant: Name of its variant; None for the first.
        players: Number of seats; None for the usual one.
        board: Name or path of a board; None for the usual one.
        options: Values of options by name.
        given: Arguments of ``RailsEnv``.

    Raises:
        EndeavorError: One of them is not possible.
    """
    return RailsEnv(configured(game, variant, players, board, options), **given)


def make_vector_env(
    num_envs: int = 1,
    *,
    game: str,
    variant: str | None = None,
    players: int | None = None,
    board: str | None = None,
    options: Mapping[str, Any] | None = None,
    **given: Any,
) -> RailsVectorEnv:
    """Return the vector environment of a game; arguments and errors are those of ``make_env``."""
    return RailsVectorEnv(num_envs, config=configured(game, variant, players, board, options), **given)


def make_agents_env(
    *,
    game: str,
    variant: str | None = None,
    players: int | None = None,
    board: str | None = None,
    options: Mapping[str, Any] | None = None,
    **given: Any,
) -> RailsAECEnv:
    """Return the AEC environment of a game; arguments and errors are those of ``make_env``."""
    return RailsAECEnv(configured(game, variant, players, board, options), **given)


def make_parallel_env(
    *,
    game: str,
    variant: str | None = None,
    players: int | None = None,
    board: str | None = None,
    options: Mapping[str, Any] | None = None,
    **given: Any,
) -> SimultaneousEnv:
    """Return the parallel environment of a game; arguments and errors are those of ``make_env``."""
    return SimultaneousEnv(_SimultaneousEnv(configured(game, variant, players, board, options), **given))
