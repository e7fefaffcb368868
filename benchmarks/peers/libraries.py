"""The libraries that are compared, this package among them, and their games."""

from __future__ import annotations

import functools
import importlib
import itertools
import os
import random
from typing import Any

from endeavor_env.benchmarks.loops import aec_games, plain_sampler
from endeavor_env.benchmarks.peers import UNOBSERVED, Library, PeerGame, Work, threads

OWN = "Endeavor"
GAMES_A_BATCH = 1024
CATAN = "Catan, 4 players"


# --- this package ----------------------------------------------------------------------------------------------------


def endeavor_game() -> Work:
    """Return work that plays games of four seats through ``Game``, which checks and records every move."""
    from endeavor_env.endeavor.game import Game

    seeds, rng = itertools.count(), random.Random(0)

    def work() -> int:
        game = Game.new(4, seed=next(seeds))
        while not game.over:
            legal = game.legal_actions()
            game.apply(legal[int(rng.random() * len(legal))])
        return len(game.history)

    return work


def endeavor_aec(observation: str) -> Work:
    """Return work that plays games of four seats through PettingZoo's interface."""
    from endeavor_env import endeavor_v0

    return aec_games(endeavor_v0.raw_env(players=4, observation=observation), plain_sampler(), 1)


def endeavor_batch(observation: str, games: int = GAMES_A_BATCH) -> Work:
    """Return work that plays games of four seats in a batch, with every decision made by the caller."""
    from endeavor_env.benchmarks.batches import SELF_PLAY, BatchSetting, BatchTurns

    return BatchTurns(BatchSetting("Batch", SELF_PLAY, observation, games, threads())).turn


# --- others ----------------------------------------------------------------------------------------------------------


def open_spiel_game(name: str, observed: bool) -> Work:
    """Return work that plays whole games; chance nodes, such as dice, are sampled and not counted as decisions."""
    game = importlib.import_module("pyspiel").load_game(name)
    rng = random.Random(0)
    observation = None
    if observed:
        make = importlib.import_module("open_spiel.python.observation").make_observation
        observation = make(game)

    def work() -> int:
        decisions, state = 0, game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, chances)[0])
                continue
            if observation is not None:
                observation.set_from(state, state.current_player())
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            decisions += 1
        return decisions

    return work


def catanatron_game() -> Work:
    """Return work that plays whole games of four random players; they end at the latest at Catanatron's turn limit."""
    catan = importlib.import_module("catanatron")
    seeds = iter(range(1, 1 << 30))

    def work() -> int:
        game = catan.Game([catan.RandomPlayer(color) for color in catan.Color], seed=next(seeds))
        game.play()
        return len(game.state.actions)

    return work


def fastcatan_game() -> Work:
    """Return work that plays a whole game."""
    env = importlib.import_module("fastcatan").Env()
    seeds, rng = itertools.count(), random.Random(0)

    def work() -> int:
        env.reset(next(seeds))
        decisions, over = 0, False
        while not over:
            legal = env.legal_actions()
            over = env.step(legal[int(rng.random() * len(legal))])
            decisions += 1
        return decisions

    return work


def fastcatan_batch(games: int, passive: bool = False) -> Work:
    """Return work that makes a move in each of ``games`` games, on threads that wait busily or passively."""
    batches: Any = importlib.import_module("endeavor_env.benchmarks.peers.fastcatan_batches")
    return batches.batch(games, passive)


def pettingzoo_games(name: str, maker: str) -> Work:
    """Return work that plays whole games through ``last`` and ``step``."""
    module = importlib.import_module(f"pettingzoo.classic.{name}.{name}")
    return aec_games(getattr(module, maker)(), plain_sampler(), 1)


def pgx_batch(name: str) -> Work:
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


def rlcard_games(name: str) -> Work:
    """Return work that plays whole games through ``reset`` and ``step``, whose states include the legal actions."""
    env = importlib.import_module("rlcard").make(name, config={"seed": 0})
    rng = random.Random(0)

    def work() -> int:
        decisions = 0
        state, _ = env.reset()
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(rng.random() * len(legal))])
            decisions += 1
        return decisions

    return work


LIBRARIES = {
    OWN: Library(
        ("endeavor_env",),
        ("endeavor-env",),
        (
            PeerGame("4 seats", "rules", endeavor_game),
            *(
                PeerGame(f"4 seats, {shown}", "observed", functools.partial(endeavor_aec, shown))
                for shown in ("compact", "features")
            ),
            PeerGame("4 seats, features", "aec", functools.partial(endeavor_aec, "features")),
            *(
                PeerGame(f"4 seats, {shown}", kind, functools.partial(endeavor_batch, shown))
                for kind in ("batch", "batch_one_core")
                for shown in ("compact", "features")
            ),
            *(
                PeerGame("4 seats", kind, functools.partial(endeavor_batch, "none", games))
                for games, kinds in UNOBSERVED.items()
                for kind in kinds
            ),
        ),
    ),
    "OpenSpiel": Library(
        ("pyspiel",),
        ("open-spiel",),
        tuple(
            PeerGame(name, kind, functools.partial(open_spiel_game, name, kind == "observed"))
            for kind, names in (
                ("rules", ("tic_tac_toe", "backgammon", "chess")),
                ("observed", ("backgammon", "chess")),
            )
            for name in names
        ),
    ),
    "PettingZoo": Library(
        ("pettingzoo", "pygame", "chess"),
        ("pettingzoo", "chess"),
        tuple(
            PeerGame(f"{name}, `{maker}()`", "aec", functools.partial(pettingzoo_games, name, maker))
            for name in ("tictactoe", "connect_four", "chess")
            for maker in ("env", "raw_env")
        ),
    ),
    "Pgx": Library(
        ("pgx", "jax"),
        ("pgx", "jax"),
        tuple(
            PeerGame(name, kind, functools.partial(pgx_batch, name))
            for kind in ("batch", "batch_one_core")
            for name in ("connect_four", "backgammon", "chess")
        ),
    ),
    "Catanatron": Library(("catanatron",), ("catanatron",), (PeerGame(CATAN, "rules", catanatron_game),)),
    "fastcatan": Library(
        ("fastcatan", "numba"),  # Numba compiles the choice from the masks, which fastcatan leaves to the caller
        ("fastcatan",),
        (
            PeerGame(CATAN, "rules", fastcatan_game),
            *(
                game
                for games, (all_cores, one_core) in UNOBSERVED.items()
                for game in (
                    PeerGame(CATAN, all_cores, functools.partial(fastcatan_batch, games)),
                    PeerGame(f"{CATAN}, passive threads", all_cores, functools.partial(fastcatan_batch, games, True)),
                    PeerGame(CATAN, one_core, functools.partial(fastcatan_batch, games)),
                )
            ),
        ),
        needs="Python 3.12 or later",
    ),
    "RLCard": Library(
        ("rlcard",),
        ("rlcard",),
        tuple(
            PeerGame(name, "observed", functools.partial(rlcard_games, name))
            for name in ("limit-holdem", "uno", "mahjong")
        ),
    ),
}
"""Every library by its name."""
