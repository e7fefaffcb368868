"""Rewards of many games: named ones by the kernels, functions of the caller game by game."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from endeavor_env.engine.game import GameConfig
from endeavor_env.engine.game_rules import GameRules
from endeavor_env.engine.kernels.endings import REWARD_CODES, REWARD_GIVEN, write_rewards
from endeavor_env.engine.kernels.turn import OVER
from endeavor_env.engine.rewards import (
    RewardFunction,
    final_rewards,
    named_rewards,
    reward_function,
    warn_of_forfeits,
)


class FinalReward:
    """The reward of an environment, checked for every kind of game that it plays.

    Attributes:
        code: REWARD_* as the kernels take it; REWARD_GIVEN for a function of the caller.
        function: The function of final scores that pays the seats of the first kind of game; a function of the caller
            pays those of every kind.
    """

    def __init__(self, reward: str | RewardFunction, games: Sequence[GameConfig], least: float = -math.inf) -> None:
        """Check ``reward`` for every kind; raise InvalidOptionError as ``engine.rewards.reward_function``.

        Args:
            reward: A name, or a function of final scores.
            games: The kinds of game.
            least: What ending a game by an illegal action pays: a function that pays less is warned of.
        """
        distinct = dict.fromkeys((kind.players, kind.variant, kind.num_scores > kind.players) for kind in games)
        functions = [_checked(reward, games[0].rules, *kind) for kind in distinct]
        self.function = functions[0]
        self._least = least
        self.code = REWARD_CODES[reward] if isinstance(reward, str) else REWARD_GIVEN

    def of_game(self, scores: Sequence[int], players: int) -> list[float]:
        """Return the rewards of a game of the first kind, or of any kind for a function of the caller, by seat.

        Raises:
            InvalidOptionError: The function returned something else than one finite number for each seat.
        """
        rewards = final_rewards(self.function, scores, players)
        if self.code == REWARD_GIVEN and min(rewards) < self._least:
            warn_of_forfeits(self._least)
        return rewards

    def pay(self, games: npt.NDArray[np.void]) -> None:
        """Call a function of the caller for games that are over by the rules; the kernels have paid named rewards.

        Args:
            games: (n,) ENDED; ``paid`` is written.

        Raises:
            InvalidOptionError: The function returned something else than one finite number for each seat.
        """
        if self.code != REWARD_GIVEN:
            return
        for index in np.flatnonzero(games["status"] == OVER).tolist():
            players, sides = int(games["players"][index]), int(games["sides"][index])
            scores = games["scores"][index, :sides].tolist()
            games["paid"][index, :players] = self.of_game(scores, players)


def rewards_of(
    scores: npt.NDArray[np.int64], reward: str | RewardFunction, players: int, variant: str, rules: GameRules
) -> npt.NDArray[np.float64]:
    """Return the rewards of n games of one kind, (n, seats), for their final ``scores``, (n, sides).

    Raises:
        InvalidOptionError: ``reward`` is neither the name of one for this kind of game nor such a function.
    """
    alone = scores.shape[1] > players
    single = _checked(reward, rules, players, variant, alone)
    if not isinstance(reward, str):
        return np.array([final_rewards(single, row, players) for row in scores.tolist()])
    rewards = np.empty((scores.shape[0], players))
    write_rewards(REWARD_CODES[reward], rules.scale, int(alone), np.ascontiguousarray(scores), players, rewards)
    return rewards


def _checked(reward: str | RewardFunction, rules: GameRules, players: int, variant: str, alone: bool) -> RewardFunction:
    """Return the function of a reward; raise InvalidOptionError if the game has none of this name."""
    return reward_function(reward, players, variant, named_rewards(rules.scale, alone), alone)
