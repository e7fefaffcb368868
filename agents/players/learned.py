"""An agent that plays a trained checkpoint."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import torch

from endeavor_env.agents.checkpoint import load_network, zip_path
from endeavor_env.basics.inputs import fresh_seed
from endeavor_env.basics.thread_guard import ThreadGuard, guarded
from endeavor_env.engine.game import Game
from endeavor_env.errors import CheckpointMismatchError, InvalidOptionError

LEAST_TEMPERATURE = 1e-6
"""Lowest temperature above 0; logits divided by a lower one could overflow."""


class LearnedAgent:
    """Plays the policy of a checkpoint, in games of the variant it was trained on."""

    def __init__(self, path: str | Path, temperature: float = 0.0) -> None:
        """Load a checkpoint.

        Args:
            path: The zip or its card.
            temperature: 0 always plays the most likely move; above 0, at least ``LEAST_TEMPERATURE``, samples, with 1
                for the policy as trained.

        Raises:
            CheckpointError: Missing, truncated or edited.
            CheckpointMismatchError: Made for other layouts than this version has.
            InvalidOptionError: A temperature that is neither 0 nor a finite number of at least ``LEAST_TEMPERATURE``.
        """
        number = isinstance(temperature, int | float | np.number) and not isinstance(temperature, bool)
        if not number or not (temperature == 0 or LEAST_TEMPERATURE <= temperature <= sys.float_info.max):
            raise InvalidOptionError(
                f"this temperature is not possible: give 0, or a finite number of at least {LEAST_TEMPERATURE}"
            )
        self.network, self.card = load_network(path)
        self.name = zip_path(path).stem
        self.variant: str = self.card["variant"]
        self.temperature = float(temperature)
        self._generator = torch.Generator()
        self._guard = ThreadGuard()
        self.reset(fresh_seed())

    @guarded
    def reset(self, seed: int) -> None:
        """Seed the sampling of moves."""
        self._generator.manual_seed(seed % 2**63)

    @guarded
    def act(self, game: Game) -> int:
        """Return a legal action for the seat to move; raise CheckpointMismatchError in a game of another variant."""
        if game.variant != self.variant:
            raise CheckpointMismatchError(
                f"checkpoint {self.name} was trained on variant {self.variant!r} and cannot play {game.variant!r}: "
                f"take one that was trained on it"
            )
        seen, mask = game.observe(game.seat)[None], game.mask().view(np.int8)[None]
        chosen = self.network.act(seen, mask, temperature=self.temperature, generator=self._generator)
        return int(chosen[0])
