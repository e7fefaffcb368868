"""Pgx: games in JAX, compiled for a whole batch."""

from __future__ import annotations

import functools
import importlib
import os
from typing import Any

from endeavor_env.benchmarks.peers import PeerGame, Work

NAME = "Pgx"
MODULES = ("pgx", "jax")
PACKAGES = ("pgx", "jax")
GAMES_A_BATCH = 1024
GAME_NAMES = ("connect_four", "backgammon", "chess")


def play(name: str) -> Work:
    """Return work that makes a step in all games: random legal actions, ``auto_reset``, masks and observations."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    jax: Any = importlib.import_module("jax")
    env = importlib.import_module("pgx").make(name)
    tools = importlib.import_module("pgx.experimental")
    advance = jax.vmap(tools.auto_reset(env.step, env.init))

    @jax.jit
    def turn(states: Any, key: Any) -> tuple[Any, Any]:
        key, choice, chance = jax.random.split(key, 3)
        actions = tools.act_randomly(choice, states.legal_action_mask)
        return advance(states, actions, jax.random.split(chance, GAMES_A_BATCH)), key

    key = jax.random.PRNGKey(0)
    held = [jax.jit(jax.vmap(env.init))(jax.random.split(key, GAMES_A_BATCH)), key]

    def work() -> int:
        held[:] = turn(*held)
        jax.block_until_ready(held)
        return GAMES_A_BATCH

    return work


GAMES = tuple(
    PeerGame(name, kind, functools.partial(play, name)) for kind in ("batch", "batch_one_core") for name in GAME_NAMES
)
