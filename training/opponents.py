"""Who sits in the other seats while the learner trains: compiled policies and frozen copies of the learner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import torch

from agents.network import NetworkSpec, PolicyNetwork
from agents.registry import make_agent
from endeavor_env import Game
from endeavor_env.errors import InvalidOptionError

SNAPSHOT = "snapshot"


class Snapshots:
    """The last few frozen copies of the learner. Until the first is taken, an untrained network stands in."""

    def __init__(self, spec: NetworkSpec, keep: int, seed: int) -> None:
        """Makes an empty pool of at most ``keep`` copies."""
        self._spec = spec
        self._keep = keep
        self._generator = torch.Generator().manual_seed(seed)
        self.networks: list[PolicyNetwork] = []

    def add(self, weights: Mapping[str, torch.Tensor]) -> None:
        """Adds a copy of an SB3 policy's state; the oldest copy leaves when the pool is full."""
        network = PolicyNetwork(self._spec)
        network.load_sb3(weights)
        self.networks = [*self.networks[-(self._keep - 1) :], network] if self._keep > 1 else [network]

    def act(
        self, network: PolicyNetwork, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.int64]:
        """Returns one sampled action a row."""
        return network.act(observations, masks, temperature=1.0, generator=self._generator)


class OpponentMix:
    """Draws an opponent for each other seat of a new game."""

    def __init__(self, weights: Sequence[tuple[str, float]], snapshots: Snapshots, seed: int) -> None:
        """Checks the mix.

        Args:
            weights: (name, weight) with "snapshot" or the name of a registered agent; weights are relative.
            snapshots: The copies of the learner.
            seed: Seeds the agents.

        Raises:
            InvalidOptionError: An empty mix, a weight below 0, or an unknown name.
        """
        names = [name for name, _ in weights]
        chances = np.array([weight for _, weight in weights], float)
        if not names or (chances < 0).any() or not chances.sum() > 0:
            raise InvalidOptionError(f"opponents {weights!r} are no mix: give names with weights of at least 0")
        self._names = names
        self._chances = chances / chances.sum()
        self.agents = {name: make_agent(name) for name in names if name != SNAPSHOT}
        for agent in self.agents.values():
            agent.reset(seed)
        self.snapshots = snapshots

    def draw(self, rng: np.random.Generator) -> str | PolicyNetwork:
        """Returns a registered agent's name, or one of the copies (the newest half the time)."""
        name = self._names[rng.choice(len(self._names), p=self._chances)]
        if name != SNAPSHOT:
            return name
        networks = self.snapshots.networks
        return networks[-1] if rng.random() < 0.5 else networks[rng.integers(len(networks))]

    def act(self, name: str, game: Game) -> int:
        """Returns the move of a registered agent."""
        return self.agents[name].act(game)
