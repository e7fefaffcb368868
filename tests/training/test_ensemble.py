"""One value network with the mean value of several."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from endeavor_env import Game
from endeavor_env.agents.registry import make_agent
from endeavor_env.endeavor.players.network_file import NETWORKS, VALUE_NETWORKS, published_network
from endeavor_env.engine.network_file import network_outputs
from endeavor_env.errors import InvalidOptionError
from endeavor_env.training.ensemble import ensemble, write_ensemble
from tests.cli.endeavor import contents, endeavor
from tests.kits.networks import inputs_of, network_file


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Three networks of the base game."""
    for number in range(3):
        (tmp_path / str(number)).mkdir()
    return [network_file(tmp_path / str(number), seed=number) for number in range(3)]


def test_its_values_are_the_means_of_those_of_its_networks(tmp_path: Path, files: list[Path]) -> None:
    out = tmp_path / "new" / "all.npz"
    done = endeavor("train", "ensemble", *map(str, files), "--out", str(out))
    assert done.status == 0, done.err
    parts, whole = [VALUE_NETWORKS.read(file) for file in files], VALUE_NETWORKS.read(out)
    game = Game.new(4, seed=1)
    inputs = np.stack([inputs_of(game, seat) for seat in range(4)])
    values = [network_outputs(part.arrays, inputs) for part in parts]
    assert np.std(values, axis=0).min() > 0
    assert network_outputs(whole.arrays, inputs) == pytest.approx(np.mean(values, axis=0), rel=1e-5)
    assert whole.card["training"]["networks"] == [
        {"sha256": part.card["weights"]["sha256"], "training": part.card["training"]} for part in parts
    ]
    agent = make_agent(f"value:{out}")
    agent.reset(0)
    assert agent.act(game) in game.legal_actions()


def test_the_ensemble_of_a_network_with_itself_plays_as_it_does(tmp_path: Path) -> None:
    out, package = tmp_path / "twice.npz", NETWORKS / "value_standard.npz"
    assert endeavor("train", "ensemble", str(package), str(package), "--out", str(out)).status == 0
    for seed in range(3):
        game = Game.new(3, seed=seed)
        players = [make_agent("value:@value_standard"), make_agent(f"value:{out}")]
        for player in players:
            player.reset(0)
        while not game.over:
            actions = [player.act(game) for player in players]
            assert actions[0] == actions[1]
            game.apply(actions[0])


def test_rounded_weights_take_a_third_of_the_bytes_and_say_nearly_the_same(tmp_path: Path, files: list[Path]) -> None:
    out, source = tmp_path / "rounded.npz", NETWORKS / "value_standard.npz"
    done = endeavor("train", "ensemble", str(source), "--out", str(out), "--fraction-bits", "9")
    assert done.status == 0, done.err
    assert out.stat().st_size < source.stat().st_size * 0.36
    before, after = VALUE_NETWORKS.read(source), VALUE_NETWORKS.read(out)
    assert after.arrays.first.dtype == np.float32
    assert not ((after.arrays.first * 512) % 1).any()
    assert np.abs(after.arrays.first - before.arrays.first).max() <= 1 / 1024
    assert after.card["training"]["fraction_bits"] == 9
    inputs = np.stack([inputs_of(Game.new(4, seed=seed), 0) for seed in range(8)])
    values = [network_outputs(one.arrays, inputs) for one in (before, after)]
    assert 0 < np.abs(values[1] - values[0]).max() < 0.02


@pytest.mark.parametrize("bits", [0, 16, 2.5, True])
def test_digits_that_files_do_not_store_are_refused(tmp_path: Path, files: list[Path], bits: Any) -> None:
    with pytest.raises(InvalidOptionError, match="give a whole number from 1 to 15"):
        write_ensemble(files, tmp_path / "out.npz", "", fraction_bits=bits)
    assert not (tmp_path / "out.npz").exists()


def test_digits_that_large_weights_have_no_room_for_are_refused(tmp_path: Path, files: list[Path]) -> None:
    value, out = VALUE_NETWORKS.read(files[0]), tmp_path / "out.npz"
    first = value.arrays.first.copy()
    first[3, 5] = -40.0  # times 512 20,480, times 1,024 more than 15 bits
    arrays = value.arrays._replace(first=first)
    large = VALUE_NETWORKS.write(tmp_path / "large.npz", arrays, value.variants, {}, version="0.1.0")
    with pytest.raises(InvalidOptionError, match=r"^fraction_bits=10 is not possible: .*: give at most 9$"):
        write_ensemble([large], out, "", fraction_bits=10)
    assert not out.exists()
    write_ensemble([large], out, "", fraction_bits=9)
    with np.load(out) as stored:
        assert stored["first"].dtype == np.int8


def test_networks_that_cannot_be_one_are_refused_in_a_sentence(tmp_path: Path, files: list[Path]) -> None:
    value = VALUE_NETWORKS.read("@value_standard").arrays
    with pytest.raises(InvalidOptionError, match="1152 and 288 units together, and 1024 and 256 are possible"):
        ensemble([value] * 9)
    with pytest.raises(InvalidOptionError, match="different inputs or different outputs"):
        ensemble([value, published_network("solo").arrays])
    (tmp_path / "solo").mkdir()
    solo = network_file(tmp_path / "solo", "solo")
    before = contents(tmp_path)
    first = str(files[0])
    for arguments, words in (
        ((first, str(solo), "--out", str(tmp_path / "x.npz")), "they play different variants"),
        ((first, "--out", str(tmp_path / "x.zip")), "the name of the file must end in .npz"),
        ((first, "--out", str(files[1])), "exists: give --force to replace it, or another --out"),
        ((str(tmp_path / "none.npz"), "--out", str(tmp_path / "x.npz")), "none.json"),
    ):
        done = endeavor("train", "ensemble", *arguments)
        assert (done.status, done.out) == (2, "")
        assert done.err.startswith("error: ")
        assert words in " ".join(done.err.split())
    assert contents(tmp_path) == before
