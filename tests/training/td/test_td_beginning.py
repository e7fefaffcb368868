"""A run of the base game with Exploits can begin with a network of the base game, which sees none of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from endeavor_env.endeavor.observation import layout_for
from endeavor_env.errors import InvalidOptionError
from endeavor_env.training.td.adapter import beginning_with, read_beginning
from endeavor_env.training.td.settings import preset
from tests.kits.games import on_the_way
from tests.kits.networks import inputs_of, network_file, value_by_numpy

SMOKE = preset("smoke", "exploits")
BASE, ALL = layout_for("standard", "features").size, layout_for("exploits", "features").size


@pytest.mark.parametrize("name", ["value:standard", "value:@value_standard", "path"])
def test_a_network_of_the_base_game_values_positions_as_before(tmp_path: Path, name: str) -> None:
    path = network_file(tmp_path, "standard") if name == "path" else name
    named = {"value:standard": "@value_standard_6", "value:@value_standard": "@value_standard"}
    settings = beginning_with(SMOKE, str(path))
    network = read_beginning(settings)
    before = read_beginning_of(named.get(name, path))
    assert network.variants == ("exploits",)
    assert (settings.first_width, settings.second_width) == before.second.shape
    game = on_the_way(60, seed=4, players=4, exploits="random")
    for seat in range(4):
        inputs = inputs_of(game, seat)
        blind = np.concatenate([inputs[:BASE], inputs[ALL:]])
        assert value_by_numpy(network.arrays, inputs) == pytest.approx(value_by_numpy(before, blind))


def read_beginning_of(path: object):
    """Return the arrays of a network of the base game."""
    return read_beginning(preset("smoke", "standard").replace(begin_with=str(path))).arrays


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("value:solo", "it plays solo"),
        ("value:variants", "it plays soloplay_2"),
        ("value:chess", "play standard, solo"),
    ],
)
def test_other_networks_are_refused_in_a_sentence(name: str, words: str) -> None:
    with pytest.raises(InvalidOptionError, match=words):
        beginning_with(SMOKE, name)


def test_a_network_that_knows_exploits_cannot_begin_a_run_without_them(tmp_path: Path) -> None:
    path = network_file(tmp_path, "exploits")
    with pytest.raises(InvalidOptionError, match="it plays exploits"):
        beginning_with(preset("smoke", "standard"), str(path))
