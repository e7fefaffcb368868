"""Auxiliary heads: linear layers on a hidden layer of the network, which foresee more of a game than its outcome.

They are there in training alone: what they ask of the hidden layers is what the network keeps of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import torch
from torch import nn

from endeavor_env.endeavor.flow.scoring import NUM_PARTS
from endeavor_env.endeavor.learning.self_play import UNKNOWN
from endeavor_env.training.td.labels import LABEL_SHAPES, NOBODY
from endeavor_env.training.td.settings import CITIES, GLORY, REPLY, ROUNDS

GLORY_SCALE = 0.1
"""Outputs are Glory times this."""
FACTORS = {GLORY: 0.075 * NUM_PARTS, ROUNDS: 0.073, CITIES: 0.029, REPLY: 0.013}
"""Factors of the auxiliary losses, chosen so that a head which knows only means and frequencies has a tenth of the
squared error of values which do (0.37 in games of ``greedy`` with many weights). In the middle of a run that of values
is not larger, and heads that are heard above it spoil the network. Of parts it is the sum over the sources of a mat."""


def squared_error(found: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the mean squared error of scaled Glory, (n, ...) as ``labels``, where these are known."""
    known = labels != UNKNOWN
    errors = torch.where(known, found - GLORY_SCALE * labels, 0.0).square()
    return errors.sum() / known.sum().clamp(min=1)


def class_error(found: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the mean cross-entropy of logits (n, classes, ...) from classes ``labels`` (n, ...), where known."""
    wanted = labels.long()
    total = nn.functional.cross_entropy(found, wanted, ignore_index=UNKNOWN, reduction="sum")
    return total / (wanted != UNKNOWN).sum().clamp(min=1)


class Heads(nn.Module):
    """A linear layer for each head. All begin with zeros, so that a network which plays well is not disturbed."""

    def __init__(self, names: Sequence[str], width: int, actions: int) -> None:
        """Make the heads ``names`` of ``settings.AUXILIARY`` on a hidden layer.

        Args:
            names: What is foreseen.
            width: Of the hidden layer.
            actions: Number of action ids of all variants.
        """
        super().__init__()
        classes = {CITIES: (NOBODY + 1,), REPLY: (actions,)}
        self._shapes = {name: (*classes.get(name, ()), *LABEL_SHAPES[name]) for name in names}
        layers = {name: nn.Linear(width, math.prod(shape)) for name, shape in self._shapes.items()}
        for layer in layers.values():
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)
        self.layers = nn.ModuleDict(layers)

    def losses(self, hidden: torch.Tensor, labels: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        """Return the loss of each head, given what the hidden layer says of positions, (n, width), and their labels."""
        losses = {}
        for name, shape in self._shapes.items():
            found = self.layers[name](hidden).view(-1, *shape)
            loss = class_error if name in (CITIES, REPLY) else squared_error
            losses[name] = FACTORS[name] * loss(found, labels[name])
        return losses
