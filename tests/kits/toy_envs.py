"""What tests of environments with the toy game share: opponents, the game of plain Python beside, playing on."""

from __future__ import annotations

from typing import Any

import numpy as np

from endeavor_env.engine.game import GameConfig
from endeavor_env.engine.kernels import single
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.envs.gym_env import GameEnv
from tests.toy_game.rules import PLAY, ROLL, TOY_GAME

TOY = GameConfig(TOY_GAME)
SETUP: dict[str, Any] = {"hand": [4, 2, 6], "first": 1}


def roll(observation: Any) -> int:
    """An opponent that never plays its card."""
    return ROLL


def early(observation: Any) -> int:
    """An opponent that plays its card as soon as it can."""
    return PLAY if observation["action_mask"][PLAY] else ROLL


class Noting:
    """An opponent that plays at random from its seed, and notes what it was asked."""

    def __init__(self) -> None:
        """Begin without a note."""
        self.seeds: list[int] = []
        self.seats: list[int] = []

    def reset(self, seed: int) -> None:
        """Begin a game."""
        self.seeds.append(seed)
        self._rng = np.random.default_rng(seed)

    def act(self, game: Any) -> int:
        """Return a legal action, after changing the copy that it got."""
        self.seats.append(game.seat)
        action = int(self._rng.choice(game.legal_actions()))
        game.apply(game.legal_actions()[0])
        game.state["score"] = 99
        return action


def play_out(env: GameEnv, seed: int) -> tuple[list[float], dict[str, Any]]:
    """Play legal random moves from where a game stands to its end; return the rewards and the last info."""
    rng, rewards, over, info = seeded(seed), [], False, {}
    while not over:
        _, reward, terminated, truncated, info = env.step(int(single.choose(env.action_masks().view(np.int8), rng)))
        rewards.append(reward)
        over = terminated or truncated
    return rewards, info


def lead(scores: list[int], seat: int) -> float:
    """Return the potential of a seat: its lead by the game's scale."""
    return (scores[seat] - max(score for other, score in enumerate(scores) if other != seat)) / 6.0
