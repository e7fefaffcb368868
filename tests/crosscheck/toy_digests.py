"""Digests of the faces of a game on the engine, the toy game: environments, positions, rollouts, tree search.

``face_digests`` adds them to its own, so they are compared compiled, uncompiled and with bounds checks.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.agents.players.player_agent import TreeAgent
from endeavor_env.engine.game import Game
from endeavor_env.engine.kernels import single
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.engine.rewards import TABLE_NAMES
from endeavor_env.envs.aec_env import GameAECEnv
from endeavor_env.envs.gym_env import GameEnv
from endeavor_env.search import Positions, rollout, tree_search
from tests.kits.toy_envs import TOY, early
from tests.toy_game.rules import PLAY, ROLL, ROUNDS, SEATS

GAMES = 4
"""Games of each kind."""


class _Seen:
    """A running digest."""

    def __init__(self) -> None:
        """Start empty."""
        self._digest = hashlib.sha256()

    def add(self, *things: Any) -> None:
        """Take in arrays as bytes and everything else as text."""
        for thing in things:
            self._digest.update(thing.tobytes() if isinstance(thing, np.ndarray) else repr(thing).encode())

    def end(self) -> str:
        """Return the digest."""
        return self._digest.hexdigest()


class _Stumbling:
    """An opponent that raises an error once whenever it is told to, and plays its card as soon as it can."""

    def __init__(self) -> None:
        """Stand."""
        self.falls, self.fallen = False, 0

    def __call__(self, observation: Any) -> int:
        """Return an action."""
        if self.falls:
            self.falls, self.fallen = False, self.fallen + 1
            raise RuntimeError("stumbled")
        return early(observation)


def learner_digest(observation: str) -> str:
    """Return the digest of the episodes of a learner, whose steps are undone once where they can be."""
    seen, stumbling = _Seen(), _Stumbling()
    env = GameEnv(TOY, observation=observation, opponents=["random", stumbling], shaping={"gamma": 0.9})
    for seed in range(GAMES):
        shown, info = env.reset(seed=seed)
        rng, over = seeded(seed), False
        while not over:
            seen.add(shown["observation"], shown["action_mask"], sorted(map(str, info.items())))
            action = int(single.choose(shown["action_mask"], rng))
            stumbling.falls = True
            try:
                step = env.step(action)
            except RuntimeError:
                step = env.step(action)
            stumbling.falls = False
            shown, reward, over, _, info = step
            seen.add(reward)
        seen.add(json.dumps(env.game().record()))
    assert stumbling.fallen >= GAMES * (ROUNDS - 1)
    return seen.end()


def agents_digest() -> str:
    """Return the digest of what agents in turn are shown, and of how their games end."""
    seen, env = _Seen(), GameAECEnv(TOY, observation="compact", reward="rank")
    for seed in range(GAMES):
        env.reset(seed=seed)
        rng = seeded(seed)
        for agent in env.agent_iter():
            shown, reward, terminated, _, _ = env.last()
            assert shown is not None
            seen.add(agent, reward, shown["observation"], shown["action_mask"], env.state())
            env.step(None if terminated else int(single.choose(shown["action_mask"], rng)))
        seen.add(env.result())
    return seen.end()


def _games() -> list[Game]:
    """Return games at several decisions."""
    games = []
    for seed in range(ROUNDS * SEATS + 1):
        games.append(TOY.new_game(seed))
        for _ in range(seed):
            games[-1].apply(PLAY if PLAY in games[-1].legal_actions() and seed % 2 else ROLL)
    return games


def positions_digest() -> str:
    """Return the digest of positions as arrays, of their children, and of what is drawn."""
    seen, rows = _Seen(), Positions.of(_games(), copies=3, threads=2)
    children = rows.expand()
    children.positions.draw(3)
    rows.resample(1, 4)
    for one in (rows, children.positions, children.positions.expand().positions):
        seen.add(one.states, one.masks(), one.scores(), one.observe("features"), one.observe("compact", 2))
        for reward in TABLE_NAMES:
            seen.add(one.returns(reward))
    return seen.end()


def _odd(observations: npt.NDArray[Any], masks: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Play a card of an odd number at once, others never."""
    return np.where((masks[:, PLAY] == 1) & (observations[:, 0] % 2 == 1), PLAY, ROLL)


def rollouts_digest() -> str:
    """Return the digest of rollouts, at random and with a function."""
    seen, rows = _Seen(), Positions.of(_games(), copies=2, threads=2)
    for policy in ("random", ["random", _odd, _odd]):
        for limit in (2, 100):
            found = rollout(rows, policy, 5, repeats=2, limit=limit)
            seen.add(found.scores, found.decisions, found.over, found.returns("margin"))
    return seen.end()


def search_digest() -> str:
    """Return the digest of searches with every reward, and of a game that the agent plays."""
    seen = _Seen()
    for number, game in enumerate(_games()[:-1]):
        for reward in TABLE_NAMES:
            seen.add(*tree_search(game, 25, number, limit=2 + number, reward=reward))
    agent, game = TreeAgent(20), TOY.new_game(7)
    agent.reset(0)
    while not game.over:
        game.apply(agent.act(game))
    seen.add(json.dumps(game.record()))
    return seen.end()


def toy_digests() -> dict[str, str]:
    """Return a digest for each face."""
    return {
        "learner, features": learner_digest("features"),
        "learner, compact": learner_digest("compact"),
        "agents in turn": agents_digest(),
        "positions": positions_digest(),
        "rollouts": rollouts_digest(),
        "search": search_digest(),
    }
