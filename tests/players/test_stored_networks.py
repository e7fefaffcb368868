"""Networks on disk: arrays come back as they were, in as few bytes as hold them, and damaged ones are refused."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import endeavor_env
from endeavor_env.endeavor.players import player_of
from endeavor_env.endeavor.players.network_file import VALUE_NETWORKS, published_networks
from endeavor_env.endeavor.players.value.player import workspace_of
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import num_actions
from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.engine.network_file import FRACTION_BITS, HIGH_BYTES
from endeavor_env.errors import CheckpointError
from tests.kits.networks import random_network


def multiples(array: npt.NDArray[np.float32], bits: int, most: int) -> npt.NDArray[np.float32]:
    """Return an array of multiples of 2**-bits, at most ``most`` times that."""
    return (np.clip(np.round(array * 2**bits), -most, most) / 2**bits).astype(np.float32)


def written(folder: Path, **arrays: npt.NDArray[np.float32]) -> tuple[Path, NetworkArrays]:
    """Write a network with some arrays of its own; return the path of its arrays, and what they should be."""
    network = random_network("standard")._replace(**arrays)
    path = VALUE_NETWORKS.write(folder / "value.npz", network, ["standard"], {}, version=endeavor_env.__version__)
    return path, network


def change(path: Path, name: str, array: npt.NDArray[Any] | None) -> None:
    """Put another array into a file, or none, and the hash that it has then into the card."""
    with np.load(path) as stored:
        arrays: dict[str, Any] = {one: stored[one] for one in stored.files if one != name}
    if array is not None:
        arrays[name] = array
    np.savez_compressed(path, **arrays)
    card = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    card["weights"]["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    path.with_suffix(".json").write_text(json.dumps(card), encoding="utf-8")


@pytest.mark.parametrize(
    ("bits", "most", "stored"),
    [
        (0, 127, np.int8),
        (5, 127, np.int8),
        (16, 127, np.int8),
        (5, 128, np.int8),
        (6, 3001, np.int8),
        (9, 127 * 256 + 127, np.int8),
        (5, 127 * 256 + 128, np.float32),
        (17, 127, np.float16),
        (17, 3001, np.float32),
        (-110, 100, np.float32),
    ],
)
def test_arrays_come_back_as_they_were_from_the_fewest_bytes(
    bits: int, most: int, stored: type[Any], tmp_path: Path
) -> None:
    first = multiples(random_network("standard").first * most, bits, most)
    first[0, :3] = -most / 2**bits, 1 / 2**bits, most / 2**bits
    path, network = written(tmp_path, first=first, last_bias=np.zeros(1, np.float32))
    with np.load(path) as arrays:
        assert arrays["first"].dtype == stored
        assert ("first" + FRACTION_BITS in arrays.files) == (stored == np.int8)
        assert ("first" + HIGH_BYTES in arrays.files) == (stored == np.int8 and most > 127)
        assert arrays["second"].dtype == np.float32
    for before, after in zip(network, VALUE_NETWORKS.read(path).arrays, strict=True):
        assert after.dtype == np.float32
        assert (before == after).all()


@pytest.mark.parametrize(
    "power",
    [
        None,
        np.array(-1, np.int8),
        np.array(17, np.int8),
        np.array([5], np.int8),
        np.array(5, np.int64),
        np.array(5.0, np.float32),
    ],
)
def test_whole_numbers_without_a_possible_power_are_refused(power: npt.NDArray[Any] | None, tmp_path: Path) -> None:
    path, _ = written(tmp_path, first=multiples(random_network("standard").first, 5, 127))
    change(path, "first" + FRACTION_BITS, power)
    with pytest.raises(CheckpointError, match=r"value\.npz cannot be read: .*first_fraction_bits"):
        VALUE_NETWORKS.read(path)


@pytest.mark.parametrize("high", [np.zeros((1987, 23), np.int8), np.zeros((1987, 24), np.int16)])
def test_high_bytes_that_do_not_fit_the_numbers_are_refused(high: npt.NDArray[Any], tmp_path: Path) -> None:
    path, _ = written(tmp_path, first=multiples(random_network("standard").first, 9, 32_000))
    change(path, "first" + HIGH_BYTES, high)
    with pytest.raises(CheckpointError, match=r"value\.npz cannot be read: .*first_high_bytes"):
        VALUE_NETWORKS.read(path)


def test_networks_of_the_same_file_share_their_arrays_which_nobody_can_change() -> None:
    one, other = published_networks(), published_networks()
    for first, second in zip(one, other, strict=True):
        assert all(mine is theirs for mine, theirs in zip(first.arrays, second.arrays, strict=True))
        with pytest.raises(ValueError, match="read-only"):
            first.arrays.first[0, 0] = 1.0


@pytest.mark.parametrize("name", ["value", "policy", "advised", "search:sims=20"])
def test_a_player_has_only_the_networks_of_the_game_in_its_memory(name: str) -> None:
    player = player_of(name)
    sizes = {variant: player.memory(num_actions(variant)).nbytes for variant in player.variants}
    assert max(sizes.values()) < 22e6
    for variant in sizes:
        of = workspace_of(player.memory(num_actions(variant))).settings["network_of"][0]
        played = {c.VARIANT_NAMES[number] for number in np.flatnonzero(of != c.NONE)}
        assert variant in played
        assert {num_actions(one) for one in played} == {num_actions(variant)}
