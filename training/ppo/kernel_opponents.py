"""The opponents of rollouts that are played inside the kernels: compiled players and copies of the learner."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import torch

from endeavor_env.agents.players.policy import logits_of_sb3
from endeavor_env.endeavor.players import RANDOM, check_plays, player_of
from endeavor_env.endeavor.players.policy.player import policy_entry, policy_memory
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.engine.kernels.players import FIRST_ENTRY, SEAT_RANDOM, Players
from endeavor_env.engine.kernels.tables import MIX
from endeavor_env.engine.players import entry_address
from endeavor_env.engine.seating import cumulative_shares, join_players
from endeavor_env.sb3 import EndeavorVecEnv
from endeavor_env.training.ppo.opponents import NEWEST, SNAPSHOT
from endeavor_env.training.ppo.settings import PPOSettings

COPY_TEMPERATURE = 0.5
"""Of the copies' choices: between their most likely moves, which are stronger, and those that the learner draws."""


class KernelOpponentPool:
    """The opponents of a run whose rollouts are played inside the kernels.

    A copy of the learner that makes room for a newer one is replaced in games under way, too.

    Attributes:
        copies: How many copies of the learner play.
    """

    def __init__(self, settings: PPOSettings) -> None:
        """Make the opponents of a run, which has one copy of the learner at least before it begins.

        Raises:
            InvalidOptionError: A name of no compiled player, or one that does not play the variant.
            CheckpointError: The file of a player's network cannot be used.
        """
        self._variant, self._actions = c.VARIANT_NAMES.index(settings.variant), num_actions(settings.variant)
        self._keep = settings.snapshots
        self._weights = {name: weight for name, weight in settings.opponents if weight > 0}
        self._addresses: dict[int, int] = {}
        self._memories: dict[int, npt.NDArray[np.uint8]] = {}
        self._named: dict[str, int] = {RANDOM: SEAT_RANDOM}
        for name in self._weights:
            if name not in (SNAPSHOT, RANDOM):
                self._seat(name, FIRST_ENTRY + self._keep + len(self._named) - 1, settings.variant)
        self._taken = 0

    def _seat(self, name: str, code: int, variant: str) -> None:
        """Give a named player a code."""
        player = player_of(name)
        check_plays(name, variant)
        self._named[name] = code
        self._addresses[code], self._memories[code] = entry_address(player.entry), player.memory(self._actions)

    @property
    def copies(self) -> int:
        """Number of copies of the learner."""
        return min(self._taken, self._keep)

    def add_copy(self, weights: Mapping[str, torch.Tensor], env: EndeavorVecEnv) -> None:
        """Add a copy of the learner; the oldest makes room. ``env`` does not matter."""
        code = FIRST_ENTRY + self._taken % self._keep
        self._addresses[code] = entry_address(policy_entry)
        self._memories[code] = policy_memory({self._variant: logits_of_sb3(weights)}, COPY_TEMPERATURE)
        self._taken += 1

    def opponents(self) -> npt.NDArray[np.void]:
        """Return the opponents that new games draw from, (M,) MIX; none in the solitaire game."""
        shares: dict[int, float] = {}
        for name, weight in self._weights.items():
            if name == SNAPSHOT:
                shares |= {code: weight * share for code, share in self._copy_shares().items()}
            else:
                shares[self._named[name]] = weight
        drawn = np.zeros(len(shares), MIX)
        if shares:
            drawn["policy"], drawn["until"] = list(shares), cumulative_shares(list(shares.values()))
        return drawn

    def _copy_shares(self) -> dict[int, float]:
        """Return the codes of the copies with their shares, which add up to 1."""
        newest = FIRST_ENTRY + (self._taken - 1) % self._keep
        older = [FIRST_ENTRY + place for place in range(self.copies) if FIRST_ENTRY + place != newest]
        if not older:
            return {newest: 1.0}
        return {newest: NEWEST, **dict.fromkeys(older, (1 - NEWEST) / len(older))}

    def players(self) -> Players:
        """Return the players of one thread, with memory of its own."""
        return join_players(self._addresses, self._memories)
