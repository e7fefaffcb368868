"""Policy networks in files of their own: written from checkpoints, played without PyTorch, gone on from by PPO."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from rich.console import Console

from endeavor_env import Game
from endeavor_env.agents.checkpoint import read_card, write_card
from endeavor_env.agents.games import sizes_of
from endeavor_env.agents.network_spec import NetworkSpec
from endeavor_env.agents.players.learned import LearnedAgent
from endeavor_env.agents.players.policy import sb3_of, value_of_sb3
from endeavor_env.agents.registry import make_agent
from endeavor_env.agents.weights import read_member
from endeavor_env.endeavor.players import check_plays, player_of
from endeavor_env.endeavor.players.network_file import read_policy_network
from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.errors import CheckpointError, CheckpointMismatchError, InvalidOptionError
from endeavor_env.training.export import export
from endeavor_env.training.ppo.__main__ import new_run, train
from endeavor_env.training.ppo.beginning import settings_after
from tests.cli.endeavor import endeavor
from tests.kits.checkpoints import untrained_checkpoint
from tests.kits.training import untrained_checkpoint_of_sb3

WITHOUT_TORCH = """
import sys
sys.modules["torch"] = None
from endeavor_env.search import Positions, rollout
from endeavor_env import Game
print(rollout(Positions.of(Game.new(3, seed=5)), sys.argv[1], 1).scores[0, 0].tolist())
"""


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A checkpoint of SB3 for each variant that is trained."""
    folder = tmp_path_factory.mktemp("checkpoints")
    return {variant: untrained_checkpoint_of_sb3(folder / variant, variant) for variant in ("standard", "solo")}


@pytest.fixture(scope="module")
def exported(checkpoints: dict[str, Path]) -> dict[str, Path]:
    """The networks of these checkpoints."""
    return {variant: export(path) for variant, path in checkpoints.items()}


@pytest.mark.parametrize(("variant", "players"), [("standard", 4), ("solo", 1)])
def test_a_network_chooses_what_its_checkpoint_chooses(
    checkpoints: dict[str, Path], exported: dict[str, Path], variant: str, players: int
) -> None:
    agent, stored = LearnedAgent(checkpoints[variant]), make_agent(f"policy:{exported[variant]}")
    asked = 0
    for seed in range(5):
        game = Game.new(players, variant, seed)
        while not game.over:
            chosen = stored.act(game)
            assert chosen == agent.act(game)
            asked += game.mask().sum() > 1
            game.apply(chosen)
    assert asked > 100


def test_file_and_card_hold_what_the_checkpoint_holds(checkpoints: dict[str, Path], exported: dict[str, Path]) -> None:
    network, card = read_policy_network(exported["solo"]), read_card(checkpoints["solo"])
    stored = read_member(checkpoints["solo"], "policy.pth", 1 << 22)
    assert all(torch.equal(stored[name], tensor) for name, tensor in sb3_of(network).items())
    assert set(sb3_of(network)) == set(stored)
    assert network.variant == "solo"
    assert (network.card["training"], network.card["results"]) == (card["training"], card["results"])
    assert exported["solo"] == checkpoints["solo"].parent / "export" / "policy.npz"
    assert np.shares_memory(network.value.first, network.logits.first)


def test_rounded_weights_are_stored_in_bytes_and_choose_nearly_the_same(
    checkpoints: dict[str, Path], exported: dict[str, Path], tmp_path: Path
) -> None:
    out, source = tmp_path / "rounded.npz", checkpoints["standard"]
    done = endeavor("train", "export", str(source), "--out", str(out), "--fraction-bits", "6")
    assert done.status == 0, done.err
    assert out.stat().st_size < exported["standard"].stat().st_size / 3
    before, after = read_policy_network(exported["standard"]), read_policy_network(out)
    for name, most in (("first", 1 / 128), ("second", 1 / 256), ("last", 1 / 256), ("first_bias", 0.0)):
        for one, other in ((before.logits, after.logits), (before.value, after.value)):
            assert np.abs(getattr(one, name) - getattr(other, name)).max() <= most
            assert getattr(other, name).dtype == np.float32
    assert np.shares_memory(after.value.first, after.logits.first)
    assert after.card["training"] == before.card["training"] | {"fraction_bits": 6}
    assert after.card["results"] == []
    game = Game.new(3, seed=2)
    assert make_agent(f"policy:{out}").act(game) in game.legal_actions()


@pytest.mark.parametrize("bits", [-1, 0, 16, 2.5, True, "8"])
def test_a_number_of_bits_that_is_none_is_one_named_error(
    checkpoints: dict[str, Path], tmp_path: Path, bits: Any
) -> None:
    with pytest.raises(
        InvalidOptionError, match=f"fraction_bits={bits!r} is not possible: give a whole number from 1 to"
    ):
        export(checkpoints["standard"], tmp_path / "net.npz", fraction_bits=bits)
    assert not (tmp_path / "net.npz").exists()


def test_weights_without_room_for_so_many_bits_are_refused_with_how_many_they_have(
    checkpoints: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, weight = tmp_path / "new" / "net.npz", [0.0]

    def wider(weights: Mapping[str, torch.Tensor]) -> NetworkArrays:
        network = value_of_sb3(weights)
        return network._replace(last=np.full_like(network.last, weight[0]))

    monkeypatch.setattr("endeavor_env.agents.players.policy.value_of_sb3", wider)
    for large, most in ((0.6, "give at most 14"), (60.0, "give at most 8"), (30_000.0, "leave it out")):
        weight[0] = large
        with pytest.raises(InvalidOptionError, match=f"fraction_bits=15 is not possible: weights as large as .*{most}"):
            export(checkpoints["standard"], out, fraction_bits=15)
        assert not out.parent.exists()
    weight[0] = 0.6
    with np.load(export(checkpoints["standard"], out, fraction_bits=14)) as stored:
        assert {stored[name].dtype for name in ("first", "second", "last", "value_last")} == {np.dtype(np.int8)}


def test_a_network_of_another_game_is_not_exported(tmp_path: Path) -> None:
    inputs, outputs = sizes_of("short")
    path = tmp_path / "policy.zip"
    path.write_bytes(b"weights")
    write_card(path, NetworkSpec(inputs, (8,), (8,), outputs, "relu"), {}, [], "short")
    with pytest.raises(
        InvalidOptionError, match="plays 'short': export takes networks of Endeavor only, those of standard or"
    ):
        export(path)


def test_it_plays_where_pytorch_is_missing(exported: dict[str, Path]) -> None:
    command = [sys.executable, "-c", WITHOUT_TORCH, f"policy:{exported['standard']}"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    scores = json.loads(found.stdout)
    assert len(scores) == 3
    assert scores != [0, 0, 0]


def test_it_plays_its_own_variant_only(exported: dict[str, Path]) -> None:
    make_agent(f"policy:{exported['solo']}")
    with pytest.raises(InvalidOptionError, match="does not play 'standard': it was made for solo"):
        check_plays(f"policy:{exported['solo']}", "standard")


def test_ppo_begins_with_the_networks_of_a_file(exported: dict[str, Path], tmp_path: Path) -> None:
    run = new_run("refine-smoke", tmp_path / "run", None, None, 512, str(exported["standard"]))
    assert run.settings.sharpen == 1.0
    train(run, Console(quiet=True), progress=False)
    first = read_member(run.path / "step_000000000000.zip", "policy.pth", 1 << 22)
    given = sb3_of(read_policy_network(exported["standard"]))
    assert all(torch.equal(first[name], tensor) for name, tensor in given.items())


def test_ppo_asks_for_the_variant_of_the_file(exported: dict[str, Path]) -> None:
    assert settings_after(str(exported["solo"]), "refine", None).variant == "solo"
    assert settings_after(f"policy:{exported['solo']}", "refine", "solo").begin_with == str(exported["solo"])
    with pytest.raises(InvalidOptionError, match="plays 'solo': leave out --variant standard"):
        settings_after(str(exported["solo"]), "refine", "standard")


def test_refused_exports(checkpoints: dict[str, Path], tmp_path: Path) -> None:
    path = checkpoints["standard"]
    before = sorted(path.parent.iterdir())
    with pytest.raises(InvalidOptionError, match=r"must end in \.npz"):
        export(path, tmp_path / "policy.zip")
    with pytest.raises(InvalidOptionError, match="its card would replace that of"):
        export(path, path.with_suffix(".npz"))
    with pytest.raises(CheckpointError, match="cannot be read"):
        export(tmp_path / "nothing.zip")
    with pytest.raises(InvalidOptionError, match="is not compiled"):
        export(untrained_checkpoint(tmp_path, "standard"), tmp_path / "other.npz")
    with pytest.raises(CheckpointError, match="the names of its tensors"):
        export(untrained_checkpoint(tmp_path, "standard", "relu", "relu"), tmp_path / "other.npz")
    assert sorted(path.parent.iterdir()) == before
    assert not (tmp_path / "other.npz").exists()


def test_refused_files(exported: dict[str, Path], tmp_path: Path) -> None:
    copy, card = tmp_path / "net.npz", tmp_path / "net.json"
    copy.write_bytes(exported["standard"].read_bytes())
    with pytest.raises(CheckpointError, match="card"):
        player_of(f"policy:{copy}")
    content = json.loads(exported["standard"].with_suffix(".json").read_text())
    card.write_text(json.dumps(content | {"format": "endeavor-value/1"}))
    with pytest.raises(CheckpointError, match="is not of a policy network"):
        player_of(f"policy:{copy}")
    card.write_text(json.dumps(content | {"layouts": {"actions": "0", "features": "0"}}))
    with pytest.raises(CheckpointMismatchError, match="was made for another actions layout"):
        player_of(f"policy:{copy}")
    card.write_text(json.dumps(content))
    copy.write_bytes(copy.read_bytes()[:-1])
    with pytest.raises(CheckpointError, match="truncated or edited"):
        player_of(f"policy:{copy}")
