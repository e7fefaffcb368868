"""What the tests of the environments share: one of every kind, playing at random, and fingerprints of what came out."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from endeavor_env import endeavor_v0
from endeavor_env.endeavor.game import Game
from endeavor_env.envs.aec_env import GameAECEnv
from endeavor_env.envs.endeavor import make_endeavor, make_endeavor_solo
from endeavor_env.envs.gym_env import GameEnv
from endeavor_env.envs.sampling import generator, sample_action
from tests.kits.games import GAMES, PLAYERS, TILES

DICT_WARNINGS = (
    # PettingZoo knows the Dict observations of its own environments by name and warns about all others.
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
)
Environment = GameAECEnv | GameEnv | GameEnv


class Kind(NamedTuple):
    """An environment of single games: how it is made, and the game that it plays."""

    make: Callable[..., Any]
    """The constructor, the options below filled in."""
    variant: str = "standard"
    players: int = 4
    options: dict[str, Any] = {}  # noqa: RUF012 (nobody changes it)
    exploits: list[str] | str | None = None

    def new_game(self, seed: int | None = None, **given: Any) -> Game:
        """Return the game that the environment plays."""
        return Game.new(self.players, self.variant, seed, options=self.options, exploits=self.exploits, **given)


def _kinds() -> dict[str, Kind]:
    """Return the environments of the standard game, and of every variant with each of its options."""
    kinds = {"aec": Kind(endeavor_v0.env), "gym": Kind(make_endeavor)}
    for name, (variant, options) in GAMES.items():
        exploits = TILES.get(name, "random" if variant == "exploits" else None)
        played = {"exploits": exploits} if exploits else {"variant": variant}
        make = functools.partial(endeavor_v0.env, options=options, **played)
        kinds[f"aec {name}"] = Kind(make, variant, PLAYERS[variant], options, exploits)
        if variant == "solo":
            make = functools.partial(make_endeavor_solo, **options)
        else:
            make = functools.partial(make_endeavor, options=options, **played)
        kinds[f"gym {name}"] = Kind(make, variant, PLAYERS[variant], options, exploits)
    return kinds


KINDS = _kinds()
"""The environments by name; "gym solo" stands for EndeavorSolo-v0."""
ONE_OF_EACH = [name for name in KINDS if "," not in name or name.partition(" ")[2] in TILES]
"""One environment for every variant and interface; of those with Exploits some draw them, some name them or all."""
OF_ONE_OF_EACH = pytest.mark.parametrize("kind", [KINDS[name] for name in ONE_OF_EACH], ids=ONE_OF_EACH)
OF_ALL_AECS = pytest.mark.parametrize("kind", [KINDS[name] for name in ONE_OF_EACH if name.startswith("aec")])
OF_ALL_LEARNERS = pytest.mark.parametrize("kind", [KINDS[name] for name in ONE_OF_EACH if name.startswith("gym")])


def started(make: Callable[..., Any], seed: int = 1, **options: Any) -> Any:
    """Return a fresh environment, reset with ``seed``."""
    env = make(**options)
    env.reset(seed=seed)
    return env


def play(env: Environment, seed: int, limit: int = 10_000) -> list[Any]:
    """Play legal random moves, up to the end of the game or ``limit`` of them, and return what came out."""
    return play_aec(env, seed, limit) if isinstance(env, GameAECEnv) else play_gym(env, seed, limit)


def play_aec(env: GameAECEnv, seed: int, limit: int = 10_000) -> list[int]:
    """Play legal random moves, up to the end of the game or ``limit`` of them, and return them."""
    rng, actions = generator(seed), []
    while len(actions) < limit and not env.terminations[env.agent_selection]:
        actions.append(sample_action(env.observe(env.agent_selection)["action_mask"], rng))
        env.step(actions[-1])
    return actions


def play_gym(env: GameEnv, seed: int, limit: int = 10_000) -> list[tuple[Any, ...]]:
    """Play legal random moves of the learner and return (action, reward, terminated, observation) of every step."""
    rng, steps = generator(seed), []
    terminated = False
    while len(steps) < limit and not terminated:
        action = sample_action(env.action_masks(), rng)
        observation, reward, terminated, _, _ = env.step(action)
        steps.append((action, reward, terminated, frozen(observation)))
    return steps


def observe_mover(env: Environment) -> dict[str, np.ndarray]:
    """Return the observation of the seat to move, without asking for a step."""
    if isinstance(env, GameAECEnv):
        return env.observe(env.agent_selection)
    return env._table.look(env._seat)[0]


def illegal_action(env: Environment) -> int:
    """Return the lowest action id that is not legal now."""
    return int(np.flatnonzero(~env.action_masks())[0])


def plain(info: dict[str, Any]) -> dict[str, Any]:
    """Return an info of a single environment with lists instead of arrays, which can be compared."""
    return {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in info.items()}


def expected_mask(game: Game) -> list[bool]:
    """Return the mask that an environment gives the seat to move: all True when the game is over."""
    return [True] * game.mask().size if game.over else game.mask().tolist()


def frozen(observation: dict[str, np.ndarray]) -> tuple[bytes, bytes]:
    """Return an observation as comparable bytes."""
    return observation["observation"].tobytes(), observation["action_mask"].tobytes()


def position(game: Game) -> tuple[bytes, list[tuple[int, int]]]:
    """Return what makes two games equal: the bytes of the state and the moves."""
    return game.state.tobytes(), list(game.history)
