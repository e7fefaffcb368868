"""Environments of the games of the list that have no functions of their own: what their ids make.

Each maker takes the name of a ``game`` in the list, what ``GameDeclaration.configure`` takes (``variant``, ``players``,
``board``, ``options``; None for the usual ones), and the arguments of its class. It raises EndeavorError for what is
not possible.
"""

from __future__ import annotations

from typing import Any

from endeavor_env.engine.games import game_named
from endeavor_env.envs.aec_env import GameAECEnv, GameParallelEnv
from endeavor_env.envs.gym_env import GameEnv
from endeavor_env.envs.vector_env import GameVectorEnv


def _configured(given: dict[str, Any]) -> Any:
    """Take what is played out of the arguments of a maker; return the config."""
    declared = game_named(given.pop("game"))
    variant, players, board, options = (given.pop(name, None) for name in ("variant", "players", "board", "options"))
    return declared.configure(declared.variants[0].name if variant is None else variant, players, board, options or {})


def make_env(**given: Any) -> GameEnv[Any]:
    """Return the Gymnasium environment of a game."""
    config = _configured(given)
    return GameEnv(config, **given)


def make_vector_env(num_envs: int = 1, **given: Any) -> GameVectorEnv[Any]:
    """Return the vector environment of a game."""
    config = _configured(given)
    return GameVectorEnv(num_envs, config=config, **given)


def make_agents_env(**given: Any) -> GameAECEnv[Any]:
    """Return the AEC environment of a game."""
    config = _configured(given)
    return GameAECEnv(config, **given)


def make_parallel_env(**given: Any) -> GameParallelEnv:
    """Return the parallel environment of a game."""
    return GameParallelEnv(make_agents_env(**given))
