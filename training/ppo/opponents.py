"""The opponents that the learner trains against: compiled players, checkpoints and frozen copies of the learner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from endeavor_env.agents.network import PolicyModule
from endeavor_env.agents.network_spec import NetworkSpec
from endeavor_env.agents.players.learned import LearnedAgent
from endeavor_env.endeavor.players import agent_named, is_player, names
from endeavor_env.endeavor.setups import STANDARD
from endeavor_env.engine.game_rules import GameRules
from endeavor_env.engine.players import RANDOM
from endeavor_env.engine.seating import BatchOpponent
from endeavor_env.errors import InvalidOptionError
from endeavor_env.sb3 import EndeavorVecEnv

SNAPSHOT = "snapshot"
NEWEST = 0.5
"""Share of the newest copy; the others divide the rest equally."""


class SampledPolicy:
    """A network as an opponent in a batch of games; it samples moves from its probabilities."""

    def __init__(self, network: PolicyModule, generator: torch.Generator) -> None:
        """Wrap a network, which is not copied; ``generator`` gives the samples."""
        self.network = network
        self._generator = generator

    def __call__(self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        """Return a legal action for each row, (n,), given observations (n, size) and masks (n, actions)."""
        return self.network.act(observations, masks, temperature=1.0, generator=self._generator)


class Snapshots:
    """The last few frozen copies of the learner; before the first copy, an untrained network in its place.

    Attributes:
        policies: The copies, oldest first.
        taken: How many copies were ever added.
    """

    def __init__(self, spec: NetworkSpec, keep: int, generator: torch.Generator) -> None:
        """Make a pool of at most ``keep`` copies, which get their samples from ``generator``."""
        self._spec = spec
        self._keep = keep
        self._generator = generator
        self.taken = 0
        self.policies = [SampledPolicy(PolicyModule(spec), generator)]

    def add(self, weights: Mapping[str, torch.Tensor]) -> None:
        """Add a copy of an SB3 policy's state; drop the oldest copy if the pool is full."""
        network = PolicyModule(self._spec)
        network.load_sb3(weights)
        older = self.policies if self.taken else []
        self.policies = [*older, SampledPolicy(network, self._generator)][-self._keep :]
        self.taken += 1

    def shares(self) -> dict[SampledPolicy, float]:
        """Return the copies with their shares, which add up to 1."""
        *older, newest = self.policies
        if not older:
            return {newest: 1.0}
        return {newest: NEWEST, **dict.fromkeys(older, (1 - NEWEST) / len(older))}


class OpponentPool:
    """The opponents of a run: in every new game, each seat but the learner's draws one of them."""

    def __init__(
        self,
        weights: Sequence[tuple[str, float]],
        snapshots: Snapshots,
        generator: torch.Generator,
        rules: GameRules | None = None,
    ) -> None:
        """Make a pool.

        Args:
            weights: (name, weight) with "snapshot", "random", "greedy", "automa" or "checkpoint:<path>"; weights are
                relative.
            snapshots: The copies of the learner.
            generator: Gives the samples of checkpoints.
            rules: The game on the engine whose compiled players these are; None for Endeavor.

        Raises:
            InvalidOptionError: No opponents, a weight below 0, or a name that cannot play here.
            CheckpointError: A checkpoint that is missing, damaged, or made for other layouts.
        """
        if not any(weight > 0 for _, weight in weights) or any(weight < 0 for _, weight in weights):
            raise InvalidOptionError(
                f"opponents {weights!r} are not possible: give names with weights of at least 0, one of them above 0"
            )
        self._players = [
            (None if name == SNAPSHOT else _player(name, generator, rules), weight)
            for name, weight in weights
            if weight > 0
        ]
        self.snapshots = snapshots

    @property
    def copies(self) -> int:
        """Number of copies of the learner."""
        return len(self.snapshots.policies)

    def opponents(self) -> dict[BatchOpponent, float]:
        """Return the opponents with their weights, in the form that the vector environments take."""
        weights: dict[Any, float] = {}
        for player, weight in self._players:
            shares = {player: 1.0} if player is not None else self.snapshots.shares()
            for one, share in shares.items():
                weights[one] = weights.get(one, 0.0) + weight * share
        return weights

    def add_copy(self, weights: Mapping[str, torch.Tensor], env: EndeavorVecEnv) -> None:
        """Add a copy of the learner to the opponents; it plays in the games of ``env`` that start after this call."""
        self.snapshots.add(weights)
        env.vector_env.set_opponents(self.opponents())


def _player(name: str, generator: torch.Generator, rules: GameRules | None) -> BatchOpponent:
    """Return the opponent of a name other than "snapshot"."""
    if rules is not None:
        if name != RANDOM and rules.players.find(name) is None:
            raise rules.players.unknown("opponent", name, SNAPSHOT)
        return name
    if is_player(name):
        return name
    agent = agent_named(name)
    if not isinstance(agent, LearnedAgent) or agent.variant != STANDARD:
        raise InvalidOptionError(
            f"opponent {name!r} cannot play in training: possible are {SNAPSHOT}, {', '.join(names())}, and "
            "checkpoint:<path> of a policy for the standard game"
        )
    return SampledPolicy(agent.network, generator)
