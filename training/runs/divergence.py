"""Whether a network that learns still consists of numbers: one that does not loses all its games, or none."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import torch

from endeavor_env.errors import EndeavorError


class DivergedError(EndeavorError):
    """Learning has come to weights or losses that are not finite; nothing was written of them."""


def check_finite(losses: Mapping[str, float], parameters: Iterable[torch.Tensor], rate: float) -> None:
    """Raise DivergedError unless losses and parameters are finite.

    Args:
        losses: By name, of the steps since this was asked last.
        parameters: Of the network after these steps, on one device.
        rate: The learning rate of the steps.
    """
    what = next((f"its {name} is {loss}" for name, loss in losses.items() if not math.isfinite(loss)), None)
    if what is None and not torch.stack([one.detach().isfinite().all() for one in parameters]).all():
        what = "its weights are not finite"
    if what is not None:
        raise DivergedError(
            f"the network diverged at a learning rate of {rate:.2g}: {what}, and it is not written; begin a new run "
            "with a lower learning_rate"
        )
