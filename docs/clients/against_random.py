"""The measure that every script of this folder ends with: how often does a policy win against random play?

Each set-up is played once from every seat, so that neither the seat nor the deal favours the policy.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

import endeavor_env  # noqa: F401 (registers Endeavor-v0)

FIRST_SEED = 1_000_003
"""Seed of the first set-up; the scripts train on others."""

Policy = Callable[[npt.NDArray[Any], npt.NDArray[np.bool_]], npt.NDArray[Any]]
"""Observations (n, size) and masks (n, actions), True = legal, of n games -> n action ids."""


def paired_games(games: int, players: int) -> tuple[list[int], list[int]]:
    """Return the seeds and the policy's seats of ``games`` games: every set-up once from each of ``players`` seats."""
    return [FIRST_SEED + game // players for game in range(games)], [game % players for game in range(games)]


def shares_of_wins(policy: Policy, *, games: int = 300, players: int = 3, observation: str = "compact") -> list[float]:
    """Play ``games`` games at once; return for each 1 if ``policy`` won, 0 if not, and its share if it tied for first.

    Args:
        policy: Chooses the actions.
        games: A multiple of ``players``.
        players: 3 to 5; all others play at random.
        observation: "compact" or "features".
    """
    env: Any = gymnasium.make_vec(
        "Endeavor-v0", games, players=players, observation=observation, flat=True, mask_dtype="bool", opponents="random"
    )
    seeds, seats = paired_games(games, players)
    observations, infos = env.reset(seed=seeds, options={"learner_seat": seats})
    shares = np.full(games, np.nan)
    while np.isnan(shares).any():
        actions = policy(observations, infos["action_mask"])
        observations, rewards, terminated, truncated, infos = env.step(actions)
        ended = (terminated | truncated) & np.isnan(shares)  # a game that ended starts again in the next step
        shares[ended] = rewards[ended]
    return shares.tolist()


def report(client: str, shares: list[float], *, players: int = 3, **trained: float) -> int:
    """Print one line of JSON; return 0 if the policy beats random play clearly, else 1, as an exit status.

    Args:
        client: The name of the library or script.
        shares: From ``shares_of_wins``.
        players: Seats at the table; an equal player wins 1 / ``players`` of the games.
        trained: What else to print, such as the steps of training.
    """
    low, high = wilson_interval(float(np.mean(shares)), len(shares))
    beats_random = low > 1 / players
    result = {
        "client": client,
        **trained,
        "games": len(shares),
        "wins": round(float(np.mean(shares)), 3),
        "interval": [round(low, 3), round(high, 3)],
        "parity": round(1 / players, 3),
        "beats_random": beats_random,
    }
    print(json.dumps(result))
    return 0 if beats_random else 1


def wilson_interval(share: float, games: int) -> tuple[float, float]:
    """Return the 95 % interval (Wilson) of a share of ``games`` games."""
    z = 1.96
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * np.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return middle - float(half), middle + float(half)
