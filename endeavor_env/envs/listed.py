"""Environments of the games of the list that have no functions of their own: what their ids make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from endeavor_env.engine.game import GameConfig
from endeavor_env.engine.games import game_named
from endeavor_env.envs.aec_env import GameAECEnv, GameParallelEnv
from endeavor_env.envs.gym_env import GameEnv
from endeavor_env.envs.vector_env import GameVectorEnv


def configured(
    game: str, variant: str | None, players: int | None, board: str | None, options: Mapping[str, Any] | None
) -> Any:
    """Return what is played of a game by its name; raise EndeavorError for what is not possible."""
    declared = game_named(game)
    config: GameConfig = declared.configure(
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
) -> GameEnv[Any]:
    """Return the Gymnasium environment of a game.

    Args:
        game: Name of the game in the list.
        variant: Name of its variant; None for the first.
        players: Number of seats; None for the usual one.
        board: Name or path of a board; None for the usual one.
        options: Values of options by name.
        given: Arguments of ``GameEnv``.

    Raises:
        EndeavorError: One of them is not possible.
    """
    return GameEnv(configured(game, variant, players, board, options), **given)


def make_vector_env(
    num_envs: int = 1,
    *,
    game: str,
    variant: str | None = None,
    players: int | None = None,
    board: str | None = None,
    options: Mapping[str, Any] | None = None,
    **given: Any,
) -> GameVectorEnv[Any]:
    """Return the vector environment of a game; arguments and errors are those of ``make_env``."""
    return GameVectorEnv(num_envs, config=configured(game, variant, players, board, options), **given)


def make_agents_env(
    *,
    game: str,
    variant: str | None = None,
    players: int | None = None,
    board: str | None = None,
    options: Mapping[str, Any] | None = None,
    **given: Any,
) -> GameAECEnv[Any]:
    """Return the AEC environment of a game; arguments and errors are those of ``make_env``."""
    return GameAECEnv(configured(game, variant, players, board, options), **given)


def make_parallel_env(
    *,
    game: str,
    variant: str | None = None,
    players: int | None = None,
    board: str | None = None,
    options: Mapping[str, Any] | None = None,
    **given: Any,
) -> GameParallelEnv:
    """Return the parallel environment of a game; arguments and errors are those of ``make_env``."""
    return GameParallelEnv(GameAECEnv(configured(game, variant, players, board, options), **given))
