"""The calls that ``test_calls`` makes on environments, vectors of games, positions to search on and agents."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from endeavor_env import endeavor_v0
from endeavor_env.agents.registry import make_agent
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.rewards import shaping_option
from endeavor_env.envs.endeavor import (
    make_endeavor,
    make_endeavor_solo,
    make_endeavor_solo_vector,
    make_endeavor_vector,
)
from endeavor_env.errors import GameOverError
from endeavor_env.search import Positions, rollout
from endeavor_env.testing import check_state, random_game
from tests.fuzz.calls import Target

SEATED = ("players", "variant", "options", "board", "learner_seat", "opponents")
SOLO = ("difficulty", "opposition_ties", "solo_ignore_industry", "board")
COMMON = (
    *("observation", "flat", "mask_dtype", "max_cycles", "reward", "shaping", "illegal_action", "illegal_reward"),
    *("seed", "render_mode"),
)
OF_VECTORS = ("num_envs", "game_choice", "autoreset_mode", "threads", "copy")


# --- single environments --------------------------------------------------------------------------------------------
def gym_steps(env: Any, rng: random.Random) -> None:
    """Play on with legal moves; start again where the episode is over."""
    check_state(env.game())
    for _ in range(4):
        try:
            env.step(rng.choice(env.game().legal_actions() or [0]))
        except GameOverError:
            env.reset(seed=rng.randrange(1000))
    check_state(env.game())


def aec_steps(env: Any, rng: random.Random) -> None:
    """Play on with legal moves; start again where the episode is over."""
    check_state(env.game())
    for _ in range(4):
        if not env.agents or any(env.terminations.values()) or any(env.truncations.values()):
            env.reset(seed=rng.randrange(1000))
        env.step(rng.choice(env.game().legal_actions()))
    check_state(env.game())


def env_state(env: Any) -> object:
    """Return the position of an environment's game."""
    game = env.game()
    return game.state.tobytes(), tuple(game.history), game.seed


def some_steps(env: Any, rng: random.Random) -> Any:
    """Start a game, make some moves, and return the environment."""
    env.reset(seed=rng.randrange(1000))
    for _ in range(rng.randrange(4)):
        env.step(rng.choice(env.game().legal_actions()))
    return env


def gym_env(rng: random.Random) -> Any:
    """Return an environment with one learner after some moves."""
    raising = rng.choice(("raise", "terminate"))
    if rng.random() < 0.3:
        return some_steps(make_endeavor_solo(illegal_action=raising), rng)
    return some_steps(make_endeavor(variant=rng.choice(("standard", "neutral_2")), illegal_action=raising), rng)


def aec_env(rng: random.Random) -> Any:
    """Return a PettingZoo environment after some moves."""
    variant = rng.choice(c.VARIANT_NAMES)
    return some_steps(endeavor_v0.raw_env(variant=variant, illegal_action=rng.choice(("raise", "terminate"))), rng)


def constructor(make: Callable[..., Any], argument: str, steps: Callable[[Any, random.Random], None]) -> Target:
    """Return the call of a constructor with one wrong argument; what is accepted must play."""

    def call(_: Any, given: Any) -> None:
        env = make(**{argument: given})
        rng = random.Random(1)
        env.reset(seed=3)
        steps(env, rng)
        env.close()

    of_functions_that_fail = (TypeError,) if argument == "opponents" else ()
    return Target(make.__name__, f"{make.__name__}({argument}=)", call, documented=of_functions_that_fail)


def of_gym(name: str, call: Callable[[Any, Any], object]) -> Target:
    """Return a call on an environment with one learner."""
    return Target("gym", name, call, gym_env, env_state, gym_steps)


def of_aec(name: str, call: Callable[[Any, Any], object]) -> Target:
    """Return a call on a PettingZoo environment."""
    return Target("aec", name, call, aec_env, env_state, aec_steps)


SINGLE = (
    *(constructor(make_endeavor, argument, gym_steps) for argument in (*SEATED, *COMMON)),
    *(constructor(make_endeavor_solo, argument, gym_steps) for argument in (*SOLO, *COMMON)),
    *(constructor(endeavor_v0.raw_env, argument, aec_steps) for argument in (*SEATED[:4], *COMMON)),
    of_gym("step", lambda env, given: env.step(given)),
    of_gym("reset(seed=)", lambda env, given: env.reset(seed=given)),
    of_gym("reset(options=)", lambda env, given: env.reset(options=given)),
    of_gym("reset(first_player)", lambda env, given: env.reset(options={"first_player": given})),
    of_gym("reset(setup)", lambda env, given: env.reset(options={"setup": given})),
    of_gym("reset(learner_seat)", lambda env, given: env.reset(options={"learner_seat": given})),
    of_aec("step", lambda env, given: env.step(given)),
    of_aec("observe", lambda env, given: env.observe(given)),
    of_aec("reset(seed=)", lambda env, given: env.reset(seed=given)),
    of_aec("reset(options=)", lambda env, given: env.reset(options=given)),
    of_aec("reset(first_player)", lambda env, given: env.reset(options={"first_player": given})),
    of_aec("reset(setup)", lambda env, given: env.reset(options={"setup": given})),
    Target("rewards", "shaping_option", lambda _, given: shaping_option(given)),
)


# --- vectors of games -----------------------------------------------------------------------------------------------
def vector_steps(env: Any, rng: random.Random) -> None:
    """Play on with legal moves in every game."""
    for _ in range(4):
        masks = env.action_masks()
        env.step(np.array([rng.choice(np.flatnonzero(mask).tolist() or [0]) for mask in masks]))
    batch = env.batch
    for row, table in enumerate(batch.tables):
        game = env.kinds.games[table["kind"]].new_game(0)
        game.take_position(batch.states[row : row + 1].copy())
        check_state(game)


def vector_state(env: Any) -> object:
    """Return the positions of all games."""
    return env.batch.states.tobytes()


def vector_env(rng: random.Random) -> Any:
    """Return a vector environment after some moves."""
    raising = rng.choice(("raise", "terminate"))
    mode = rng.choice(("NEXT_STEP", "SAME_STEP"))
    make = rng.choice((make_endeavor_vector, make_endeavor_solo_vector))
    env = make(3, illegal_action=raising, autoreset_mode=mode, threads=1)
    env.reset(seed=rng.randrange(1000))
    return env


def of_vector(name: str, call: Callable[[Any, Any], object]) -> Target:
    """Return a call on a vector environment."""
    return Target("vector", name, call, vector_env, vector_state, vector_steps)


VECTORS = (
    *(constructor(make_endeavor_vector, name, vector_steps) for name in (*SEATED, "games", *COMMON, *OF_VECTORS)),
    *(constructor(make_endeavor_solo_vector, name, vector_steps) for name in (*SOLO, *COMMON, *OF_VECTORS)),
    of_vector("step", lambda env, given: env.step(given)),
    of_vector("step of one game", lambda env, given: env.step([0, given, 0])),
    of_vector("reset(seed=)", lambda env, given: env.reset(seed=given)),
    of_vector("reset(seeds)", lambda env, given: env.reset(seed=[1, given, 2])),
    of_vector("reset(options=)", lambda env, given: env.reset(options=given)),
    of_vector("reset(reset_mask)", lambda env, given: env.reset(options={"reset_mask": given})),
    of_vector("reset(first_player)", lambda env, given: env.reset(options={"first_player": given})),
    of_vector("reset(setup)", lambda env, given: env.reset(options={"setup": given})),
    of_vector("call", lambda env, given: env.call(given)),
)


# --- search and agents ----------------------------------------------------------------------------------------------
def positions(rng: random.Random) -> Positions:
    """Return positions of one game on the way."""
    return Positions.of([random_game(seed=3, decisions=rng.randrange(60)) for _ in range(3)])


def positions_state(rows: Positions) -> object:
    return rows.states.tobytes()


def roll_out(rows: Positions, rng: random.Random) -> None:
    """Play the positions to the end."""
    rollout(rows, "random", 1)


def of_search(name: str, call: Callable[[Any, Any], object], documented: tuple[type[Exception], ...] = ()) -> Target:
    """Return a call on positions."""
    return Target("search", name, call, positions, positions_state, roll_out, documented)


SEARCH = (
    Target("search", "Positions.of", lambda _, given: Positions.of(given)),
    of_search("Positions.of(copies=)", lambda rows, given: Positions.of(random_game(decisions=3), copies=given)),
    of_search("Positions.from_bytes", lambda rows, given: Positions.from_bytes(given, Game.new().config)),
    of_search("Positions.from_bytes(config=)", lambda rows, given: Positions.from_bytes(rows.to_bytes(), given)),
    of_search("Positions.join", lambda rows, given: Positions.join(given)),
    of_search("Positions.join with", lambda rows, given: Positions.join([rows, given])),
    of_search("Positions[]", lambda rows, given: rows[given], (IndexError,)),
    of_search("step", lambda rows, given: rows.step(given)),
    of_search("step of one row", lambda rows, given: rows.step([-1, given, -1])),
    of_search("expand", lambda rows, given: rows.expand(given), (IndexError,)),
    of_search("observe(seat=)", lambda rows, given: rows.observe(seat=given)),
    of_search("observe(observation=)", lambda rows, given: rows.observe(given)),
    of_search("repeat", lambda rows, given: rows.repeat(given)),
    of_search("returns", lambda rows, given: rows.returns(given)),
    of_search("rollout(policy)", lambda rows, given: rollout(rows, given, 1), (TypeError,)),  # of functions that fail
    of_search("rollout(rng)", lambda rows, given: rollout(rows, "random", given)),
    of_search("rollout(limit=)", lambda rows, given: rollout(rows, "random", 1, limit=given)),
    of_search("rollout(repeats=)", lambda rows, given: rollout(rows, "random", 1, repeats=given)),
    of_search("rollout(threads=)", lambda rows, given: rollout(rows, "random", 1, threads=given)),
    Target("search", "rollout(positions)", lambda _, given: rollout(given, "random", 1)),
)


AGENTS = (Target("agents", "make_agent", lambda _, given: make_agent(given)),)
ENVIRONMENTS = (*SINGLE, *VECTORS, *SEARCH, *AGENTS)
