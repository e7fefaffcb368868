"""Damaged checkpoints by the thousand: each is refused with a CheckpointError, or loads exactly what it may."""

from __future__ import annotations

import random
from pathlib import Path

import torch

from endeavor_env.agents.checkpoint import card_path, load_network
from endeavor_env.agents.network import SB3_NAMES, PolicyModule
from endeavor_env.agents.weights import read_member
from endeavor_env.errors import CheckpointError
from tests.fuzz.checkpoint_mutations import MUTATIONS, Checkpoint, Weights
from tests.fuzz.trying import try_many
from tests.kits.checkpoints import untrained_checkpoint

ACCEPTED = "accepted"


def test_damaged_checkpoints_are_refused_with_a_named_error(tmp_path: Path) -> None:
    sound = sound_checkpoint(tmp_path)

    def attempt(rng: random.Random, what: str) -> list[str]:
        mutation = rng.choice(MUTATIONS)
        return [outcome(tmp_path / "policy.zip", mutation(rng, sound), f"{mutation.__name__}, {what}")]

    outcomes = try_many(attempt)
    assert outcomes["CheckpointError"] > outcomes["accepted"] > 0
    assert outcomes["CheckpointMismatchError"] > 0


def sound_checkpoint(folder: Path) -> Checkpoint:
    """Return the checkpoint that is damaged."""
    path = untrained_checkpoint(folder, "standard", "sound")
    return Checkpoint(path.read_bytes(), card_path(path).read_bytes(), read_member(path, "policy.pth", 1 << 24))


def outcome(path: Path, changed: Checkpoint, what: str) -> str:
    """Write and load a damaged checkpoint; return "accepted" or the name of the error, raise AssertionError else."""
    path.write_bytes(changed.zip)
    card_path(path).write_bytes(changed.card)
    before = torch.get_rng_state()
    try:
        network, _ = load_network(path)
    except CheckpointError as refusal:
        return type(refusal).__name__
    except Exception as error:
        raise AssertionError(f"{what}: {type(error).__name__}: {error}") from error
    assert torch.equal(torch.get_rng_state(), before), f"{what}: loading moved PyTorch's random numbers"
    if changed.any_weights:
        sound = all(bool(tensor.isfinite().all()) for tensor in network.state_dict().values())
        assert sound, f"{what}: weights were loaded that are not finite"
    else:
        assert changed.weights is not None, f"{what}: something was loaded"
        assert same(network, changed.weights), f"{what}: other weights were loaded"
    return ACCEPTED


def same(network: PolicyModule, weights: Weights) -> bool:
    """Return whether a network has these weights, which are named as SB3 does."""
    named = {}
    for name, tensor in network.state_dict().items():
        layer, _, rest = name.partition(".")
        named[f"{SB3_NAMES[layer]}.{rest}"] = tensor
    return all(torch.equal(tensor, weights[name]) for name, tensor in named.items())
