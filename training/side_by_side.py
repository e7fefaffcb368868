"""A policy among compiled players in a vector environment: all games at once, each set-up once from every seat."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from endeavor_env.agents.players.learned import LearnedAgent
from endeavor_env.basics.inputs import spread_seeds
from endeavor_env.engine.game import GameConfig
from endeavor_env.envs.vector_env import GameVectorEnv


def scores_among(
    agent: LearnedAgent, config: GameConfig, opponent: str, games: int, seed: int
) -> npt.NDArray[np.int64]:
    """Return the scores of ``games`` games, (games, seats): first the policy's, then those of the others.

    Args:
        agent: The policy, which takes the most likely move.
        config: What is played.
        opponent: The compiled player in all other seats.
        games: A multiple of the seats.
        seed: Draws the set-ups.
    """
    env = GameVectorEnv(games, config=config, opponents=opponent, autoreset_mode=AutoresetMode.SAME_STEP)
    numbers = np.arange(games)
    seats = numbers % config.players
    setups = np.repeat(spread_seeds(seed, games // config.players), config.players)
    seen, _ = env.reset(seed=setups, options={"learner_seat": seats.tolist()})
    scores, missing = np.zeros((games, config.players), np.int64), np.ones(games, np.bool_)
    while missing.any():
        masks = seen["action_mask"]
        actions = agent.network.act(seen["observation"], masks, temperature=0.0, generator=None)
        seen, _, terminated, truncated, infos = env.step(actions)
        ended = (terminated | truncated) & missing
        if ended.any():
            scores[ended] = infos["final_info"]["scores"][ended, : config.players]
            missing &= ~ended
    env.close()
    order = (seats[:, None] + np.arange(config.players)) % config.players
    return np.take_along_axis(scores, order, axis=1)
