"""Where a value network learns, and runs that go on with a narrower network than their own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from endeavor_env import Board
from endeavor_env.endeavor.learning.self_play import RECORDS_POSITIONS
from endeavor_env.endeavor.players.network_file import VALUE_NETWORKS, num_inputs
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.errors import InvalidOptionError
from endeavor_env.training.runs.ring import Ring
from endeavor_env.training.td.__main__ import train
from endeavor_env.training.td.games import LEARNER_CODE, SeatedPlayer, fixtures_of, play, with_targets
from endeavor_env.training.td.learner import Replay, ValueLearner
from endeavor_env.training.td.settings import GAMES
from tests.kits.commands import run_command
from tests.kits.networks import network_file, random_network, value_by_numpy
from tests.kits.td import CONSOLE, TINY, new_run

INPUTS = num_inputs("standard")
needs_cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a graphics processor")


@pytest.mark.parametrize(("first", "second"), [(24, 8), (40, 8), (24, 12), (40, 20)])
def test_a_wider_model_says_what_the_network_said_that_it_took_over(first: int, second: int) -> None:
    network, learner = random_network("standard"), ValueLearner((INPUTS, first, second), 3, 2)
    learner.take(network)
    wider = learner.network()
    assert wider.second.shape == (first, second)
    for seen in np.random.default_rng(0).random((20, INPUTS)).astype(np.float32):
        assert value_by_numpy(wider, seen) == pytest.approx(value_by_numpy(network, seen), abs=1e-4)


@pytest.mark.parametrize(("first", "second"), [(16, 8), (24, 4)])
def test_a_narrower_model_takes_no_network_over(first: int, second: int) -> None:
    learner = ValueLearner((INPUTS, first, second), 3, 2)
    with pytest.raises(InvalidOptionError, match="cannot be taken over: the settings say"):
        learner.take(random_network("standard"))


def test_a_run_goes_on_with_a_network_in_more_units(tmp_path: Path) -> None:
    begins = network_file(tmp_path, "standard")
    settings = TINY.replace(begin_with=str(begins), first_width=32, second_width=12, learning_rate=1e-9)
    folder = new_run(tmp_path / "run", settings.replace(last_learning_rate=1e-9))
    assert train(folder, CONSOLE, progress=False)
    before, after = VALUE_NETWORKS.read(begins).arrays, VALUE_NETWORKS.read(folder.path / "value.npz").arrays
    assert after.second.shape == (32, 12)
    for seen in np.random.default_rng(0).random((20, INPUTS)).astype(np.float32):
        assert value_by_numpy(after, seen) == pytest.approx(value_by_numpy(before, seen), abs=1e-3)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a graphics processor")
def test_a_device_that_is_not_there_is_refused_before_there_is_a_folder(tmp_path: Path) -> None:
    out = tmp_path / "run"
    given = "--preset", "smoke", "--device", "cuda", "--out", str(out)
    outcome = run_command("endeavor_env.training.td", *given)
    assert outcome.status != 0
    assert "device='cuda' is not possible: PyTorch finds no such device here" in outcome.err
    assert not out.exists()


def test_more_memory_than_there_is_is_refused_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_much(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(Ring, "__init__", too_much)
    given = "--preset", "smoke", "--set", "buffer_size=99999999", "--out", str(tmp_path / "run")
    outcome = run_command("endeavor_env.training.td", *given)
    assert outcome.status == 2
    assert "error: the memory here does not do for buffer_size=99999999 and batch_size=" in outcome.err


def learned(device: str) -> tuple[float, ValueLearner]:
    """Return what a learner made of a few games of greedy."""
    board, seats = Board.default(), SeatedPlayer("greedy", records=RECORDS_POSITIONS)
    codes = np.full((8, c.MAX_SEATS), LEARNER_CODE)
    fixtures = fixtures_of(GAMES["standard"], np.zeros(8, np.int64), np.arange(8), codes)
    replay = Replay(5000, board)
    replay.add_games([with_targets(play(board, fixtures, {LEARNER_CODE: seats}), 1.0)])
    torch.manual_seed(0)
    learner = ValueLearner((INPUTS, 32, 8), 3, 128, device)
    return learner.learn(replay, 6_400, 1e-3, np.random.default_rng(0)), learner


@needs_cuda
def test_a_graphics_processor_learns_what_a_processor_learns() -> None:
    (errors, learner), (found, other) = learned("cpu"), learned("cuda")
    assert found == pytest.approx(errors, rel=0.02)
    assert next(other.model.parameters()).is_cuda
    assert not next(learner.model.parameters()).is_cuda


@needs_cuda
def test_a_run_on_a_graphics_processor_goes_on_without_one(tmp_path: Path) -> None:
    folder = new_run(tmp_path / "run", TINY.replace(device="cuda", checkpoint_every=1))
    assert train(folder, CONSOLE, progress=False)
    newest = max(folder.path.glob("step_*.npz"))
    state = folder.read_state(newest)
    assert not state["model"]["first.weight"].is_cuda
