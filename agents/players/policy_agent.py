"""The agent "policy": it plays inside the kernels, and its notes are computed with NumPy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from endeavor_env import Game
from endeavor_env.agents.base import ActionValue, best_choices
from endeavor_env.agents.players.compiled import CompiledAgent
from endeavor_env.endeavor.notes import Note
from endeavor_env.endeavor.players.network_file import (
    OF_PACKAGE,
    PUBLISHED_POLICIES,
    PolicyNetwork,
    is_checkpoint,
    published_policy,
    read_policy_network,
)
from endeavor_env.engine.network_file import network_outputs
from endeavor_env.engine.search.positions import Positions
from endeavor_env.errors import InvalidOptionError


class PolicyAgent(CompiledAgent):
    """Plays a policy network inside the kernels, and says how likely it finds each move."""

    def __init__(self, path: str = "") -> None:
        """Make an agent.

        Args:
            path: The file of a policy network; "" for those of the package.

        Raises:
            CheckpointError, CheckpointMismatchError, InvalidOptionError: The network cannot be used.
        """
        super().__init__(f"{OF_PACKAGE}:{path}" if path else OF_PACKAGE)
        self._path = path
        self._networks: dict[str, PolicyNetwork] = {}

    def note(self, game: Game) -> Note:
        """Return the probabilities of the moves, and the rewards that the value network expects for the seats.

        Raises:
            InvalidOptionError: The network does not play this variant, or is that of a checkpoint of PyTorch.
        """
        network = self._network(game.variant)
        positions = Positions.of(game)
        seats = range(game.num_players)
        seen = np.concatenate([positions.observe("features", seat=seat) for seat in seats])
        values = network_outputs(network.value, seen)[:, 0]
        likely = _likely(network, seen[game.seat : game.seat + 1], game.legal_actions())
        weights = {game.describe(action): weight for action, weight in likely.items()}
        return Note(tuple(round(float(value), 3) for value in values), best_choices(weights))

    def expect(self, game: Game) -> list[ActionValue]:
        """Return how likely the network finds each legal move; what it expects is in the units of its own rewards.

        Raises:
            InvalidOptionError: The network does not play this variant, or is that of a checkpoint of PyTorch.
        """
        seen = Positions.of(game).observe("features", seat=game.seat)
        likely = _likely(self._network(game.variant), seen, game.legal_actions())
        ranked = sorted(likely.items(), key=lambda item: -item[1])
        return [ActionValue(action, None, weight) for action, weight in ranked]

    def _network(self, variant: str) -> PolicyNetwork:
        if variant not in self._networks:
            if not self._path and variant not in PUBLISHED_POLICIES:
                raise InvalidOptionError(
                    f"agent {self.name!r} does not play {variant!r}: it was made for {', '.join(PUBLISHED_POLICIES)}"
                )
            network = read_policy_network(self._path) if self._path else published_policy(variant)
            if network.variant != variant:
                raise InvalidOptionError(
                    f"agent {self.name!r} does not play {variant!r}: it was made for {network.variant}"
                )
            self._networks[variant] = network
        return self._networks[variant]


def policy_agent(path: str = "") -> CompiledAgent:
    """Return the agent of a policy network; that of a checkpoint cannot say what it thinks.

    Args:
        path: The file of a policy network or the zip of a checkpoint; "" for the networks of the package.

    Raises:
        CheckpointError, CheckpointMismatchError, InvalidOptionError: The network cannot be used.
    """
    return CompiledAgent(f"{OF_PACKAGE}:{path}") if path and is_checkpoint(path) else PolicyAgent(path)


def _likely(network: PolicyNetwork, seen: npt.NDArray[np.float32], legal: Sequence[int]) -> dict[int, float]:
    """Return the probability of each legal action for the seat that sees ``seen``, (1, features)."""
    logits = network_outputs(network.logits, seen)[0][list(legal)]
    weights = np.exp(logits - logits.max())
    return {action: float(weight) for action, weight in zip(legal, weights / weights.sum(), strict=True)}
