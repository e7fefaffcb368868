"""Checkpoints without training."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import torch

from endeavor_env.agents.checkpoint import write_card
from endeavor_env.agents.network import SB3_NAMES, PolicyModule
from endeavor_env.agents.network_spec import NetworkSpec
from endeavor_env.endeavor.observation import layout_for
from endeavor_env.endeavor.rules.actions import num_actions


def spec_of(variant: str, activation: str = "tanh") -> NetworkSpec:
    """Return a small network for a variant."""
    return NetworkSpec(layout_for(variant, "features").size, (8,), (8,), num_actions(variant), activation)


def untrained_checkpoint(folder: Path, variant: str, name: str = "policy", activation: str = "tanh") -> Path:
    """Write an untrained checkpoint with its card; return the zip's path."""
    torch.manual_seed(1)
    weights = {}
    for key, value in PolicyModule(spec_of(variant, activation)).state_dict().items():
        layer, _, rest = key.partition(".")
        weights[f"{SB3_NAMES[layer]}.{rest}"] = value
    stored, path = io.BytesIO(), folder / f"{name}.zip"
    torch.save(weights, stored)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("policy.pth", stored.getvalue())
    write_card(path, spec_of(variant, activation), {"steps": 0}, [], variant)
    return path
