"""Settings of runs that train value networks, and the network that a run begins with."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from endeavor_env.endeavor.players.network_file import VALUE_NETWORKS, published_network
from endeavor_env.errors import CheckpointError, InvalidOptionError
from endeavor_env.training.exploit import exploiter_settings
from endeavor_env.training.td.__main__ import train
from endeavor_env.training.td.adapter import beginning_with
from endeavor_env.training.td.settings import LEARNER, preset
from tests.kits.networks import network_file
from tests.kits.td import CONSOLE, TINY, new_run


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"td_lambda": 1.5}, "the setting td_lambda=1.5 is not possible"),
        ({"first_width": 0}, "the setting first_width=0 is not possible"),
        ({"opponents": (("learner", -1.0),)}, "the setting opponents="),
        ({"iterations": 0}, "the setting iterations=0"),
        ({"players": (3, 9)}, r"players=\(3, 9\) is not possible: it should be \[\] for all, or some of \[3, 4, 5\]"),
        ({"players": (4, 4)}, r"some of \[3, 4, 5\], each once"),
    ],
)
def test_impossible_settings(change: dict, message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        TINY.replace(**change)


def test_unknown_presets_and_games() -> None:
    with pytest.raises(InvalidOptionError, match="preset 'huge' is unknown: possible are smoke, quick"):
        preset("huge", "standard")
    with pytest.raises(InvalidOptionError, match="game 'chess' is unknown"):
        preset("quick", "chess")


def test_a_run_begins_with_a_given_network(tmp_path: Path) -> None:
    start, same = (
        network_file(tmp_path),
        TINY.replace(first_width=24, iterations=1, learning_rate=1e-9, last_learning_rate=1e-9),
    )
    folder = new_run(tmp_path / "run", same.replace(second_width=8, begin_with=str(start)))
    assert train(folder, CONSOLE, progress=False)
    one, other = VALUE_NETWORKS.read(start).arrays, VALUE_NETWORKS.read(folder.path / "value.npz").arrays
    assert all(np.allclose(mine, theirs, atol=1e-6) for mine, theirs in zip(one, other, strict=True))
    with pytest.raises(InvalidOptionError, match="cannot be taken over"):
        train(new_run(tmp_path / "other", same.replace(second_width=4, begin_with=str(start))), CONSOLE, progress=False)


def test_the_settings_of_a_run_take_over_the_shape_of_the_network_it_begins_with(tmp_path: Path) -> None:
    path = str(network_file(tmp_path))
    shape = VALUE_NETWORKS.read(path).arrays
    settings = beginning_with(TINY, path)
    assert (settings.first_width, settings.second_width) == (shape.first.shape[1], shape.second.shape[1])
    assert settings == TINY.replace(
        begin_with=path, first_width=settings.first_width, second_width=settings.second_width
    )
    assert exploiter_settings("greedy", "smoke", "standard", path).first_width == settings.first_width


def test_a_run_begins_with_the_network_of_the_package(tmp_path: Path) -> None:
    settings = beginning_with(TINY.replace(iterations=1, games=2, learning_rate=1e-9, last_learning_rate=1e-9), "value")
    assert settings.begin_with == "value"  # not a path, which would tell of this machine alone
    folder = new_run(tmp_path / "run", settings)
    assert train(folder, CONSOLE, progress=False)
    learned, published = VALUE_NETWORKS.read(folder.path / "value.npz"), published_network("standard")
    assert all(map(partial(np.allclose, atol=1e-6), learned.arrays, published.arrays))


def test_a_fresh_network_learns_from_the_games_of_a_given_one(tmp_path: Path) -> None:
    """The network that plays is the given one until those iterations are over, whatever the fresh one's shape."""
    start = network_file(tmp_path)
    given = VALUE_NETWORKS.read(start).arrays
    settings = TINY.replace(begin_with=str(start), taught=2, iterations=3, snapshot_every=1)
    folder = new_run(tmp_path / "run", settings)
    assert train(folder, CONSOLE, progress=False)
    kept = folder.read_state(folder.checkpoints()[-1])["past"]
    plays = [np.array_equal(network[0], given.first) for network in kept]
    assert plays == [True, True, False]
    learned = VALUE_NETWORKS.read(folder.path / "value.npz").arrays
    assert learned.second.shape == (TINY.first_width, TINY.second_width) != given.second.shape
    with pytest.raises(InvalidOptionError, match="taught=2 is not possible: it needs a network that plays"):
        TINY.replace(taught=2)


@pytest.mark.parametrize(
    ("game", "network", "error", "words"),
    [
        ("standard", "nothing.npz", CheckpointError, "nothing"),
        ("standard", "value:solo", InvalidOptionError, "cannot be the beginning of a run of standard: it plays solo"),
    ],
)
def test_runs_cannot_begin_with_networks_that_are_missing_or_play_something_else(
    game: str, network: str, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        beginning_with(preset("smoke", game), network)


def test_settings_can_be_given_by_name() -> None:
    changed = TINY.changed(["average=0.5", 'opponents=[["learner", 0.5], ["greedy", 1]]', "rival=automa", "games=7"])
    assert changed == TINY.replace(average=0.5, opponents=((LEARNER, 0.5), ("greedy", 1)), rival="automa", games=7)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("average", "'average' is no setting: write name=value; names are preset, game"),
        ("averge=0.5", "'averge=0.5' is no setting"),
        ("average=half", "the setting average='half' is not possible: it should be"),
        ("opponents=[3]", "the setting opponents="),
    ],
)
def test_settings_that_cannot_be_given(text: str, message: str) -> None:
    with pytest.raises(InvalidOptionError, match=re.escape(message)):
        TINY.changed([text])
