"""Small value networks with random weights, and the same network in plain NumPy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from endeavor_env.core.policies.value.player import NetworkArrays
from endeavor_env.value_network import num_inputs, write_value_network

VARIANTS = ("soloplay_2", "soloplay_3", "neutral_2")


def random_network(variant: str, first: int = 24, second: int = 8, seed: int = 0) -> NetworkArrays:
    """Return a network for ``variant`` whose values differ from position to position."""
    inputs, rng = num_inputs(variant), np.random.default_rng(seed)
    shapes = ((inputs, first), (first,), (first, second), (second,), (second, 1), (1,))
    return NetworkArrays(*((rng.normal(size=shape) / 3).astype(np.float32) for shape in shapes))


def value_by_numpy(network: NetworkArrays, observation: npt.NDArray[np.float32]) -> float:
    """Return the value of an observation, (inputs,), computed in float64."""
    first = np.maximum(observation.astype(float) @ network.first + network.first_bias, 0.0)
    second = np.maximum(first @ network.second + network.second_bias, 0.0)
    return float((second @ network.last + network.last_bias)[0])


def network_file(folder: Path, variant: str = "standard", name: str = "net", seed: int = 0) -> Path:
    """Write a random network for ``variant`` and return the path of its arrays."""
    variants = VARIANTS if variant in VARIANTS else (variant,)
    return write_value_network(
        folder / f"{name}.npz", random_network(variant, seed=seed), variants, {"seed": seed}, version="0"
    )
