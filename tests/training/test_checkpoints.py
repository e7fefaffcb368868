"""A checkpoint says what it is, is refused when it does not fit, and is played without running code from it."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO

from agents.checkpoint import file_hash, load_network, read_card
from agents.players.learned import LearnedAgent
from endeavor_env import Game, observation
from endeavor_env.core import actions
from endeavor_env.errors import CheckpointError, CheckpointMismatchError, InvalidOptionError
from training.games import make_env, make_mix
from training.model import Trunk, load_model
from training.run_folder import RunFolder


def edit_card(checkpoint: Path, change: Callable[[dict[str, Any]], object]) -> None:
    card = json.loads(checkpoint.with_suffix(".json").read_text())
    change(card)
    checkpoint.with_suffix(".json").write_text(json.dumps(card))


def swap_weights(checkpoint: Path, stored: bytes) -> None:
    """Put other bytes in place of the policy weights and make the card's hash agree."""
    with zipfile.ZipFile(checkpoint) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["policy.pth"] = stored
    with zipfile.ZipFile(checkpoint, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    edit_card(checkpoint, lambda card: card["weights"].update(sha256=file_hash(checkpoint)))


def test_card_names_everything_needed_to_repeat_the_run(checkpoint: Path) -> None:
    card = read_card(checkpoint)
    assert card["environment"] == "Endeavor-v0"
    assert card["layouts"] == {"actions": actions.layout_hash(), "features": observation.FEATURES.hash}
    training = card["training"]
    assert (training["seed"], training["steps"]) == (0, 1_024)
    assert training["command"].startswith("python -m training.ppo")
    assert training["settings"]["players"] == [3]
    assert {"torch", "sb3_contrib", "numba"} <= set(training["versions"])
    assert "git_commit" in training


def test_card_holds_win_rates_with_intervals(checkpoint: Path) -> None:
    results = read_card(checkpoint)["results"]
    assert {(row["players"], row["opponent"]) for row in results} == {
        (players, opponent) for players in (3, 4, 5) for opponent in ("random", "greedy")
    }
    for row in results:
        low, high = row["interval"]
        assert 0.0 <= low <= row["win_rate"] <= high <= 1.0
        assert row["games"] == 60


def test_network_gives_the_logits_of_the_trained_policy(checkpoint: Path) -> None:
    network, _ = load_network(checkpoint)
    model = MaskablePPO.load(checkpoint, device="cpu")
    vector = torch.from_numpy(observation.observe(Game.new(players=4, seed=3)))[None]
    with torch.inference_mode():
        trained = model.policy.get_distribution(vector).distribution.logits  # type: ignore[union-attr]
        rebuilt = network(vector)
    # The distribution normalises its logits; a constant per row is no difference.
    difference = (trained - rebuilt).numpy()
    np.testing.assert_allclose(difference - difference[:, :1], 0.0, atol=1e-4)


@pytest.mark.parametrize("temperature", [0.0, 1.0])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_learned_agent_plays_legal_games_at_every_table(checkpoint: Path, players: int, temperature: float) -> None:
    agent = LearnedAgent(checkpoint, temperature)
    game = Game.new(players=players, seed=players)
    while not game.over:
        game.apply(agent.act(game))
    assert game.over


def test_learned_agent_repeats_its_samples_from_a_seed(checkpoint: Path) -> None:
    agent = LearnedAgent(checkpoint, temperature=1.0)
    histories = []
    for _ in range(2):
        agent.reset(5)
        game = Game.new(players=3, seed=1)
        while not game.over:
            game.apply(agent.act(game))
        histories.append(game.history)
    assert histories[0] == histories[1]


@pytest.mark.parametrize("temperature", [-1.0, float("nan"), float("inf"), 1e-9, 10**400, True, "1"])
def test_impossible_temperature_is_refused(checkpoint: Path, temperature: Any) -> None:
    with pytest.raises(InvalidOptionError, match="temperature"):
        LearnedAgent(checkpoint, temperature)


@pytest.mark.parametrize("layout", ["actions", "features"])
def test_other_layout_is_a_mismatch(checkpoint: Path, layout: str) -> None:
    edit_card(checkpoint, lambda card: card["layouts"].update({layout: "0123456789abcdef"}))
    with pytest.raises(CheckpointMismatchError, match=f"{layout} layout '0123456789abcdef'"):
        LearnedAgent(checkpoint)


def test_other_environment_is_a_mismatch(checkpoint: Path) -> None:
    edit_card(checkpoint, lambda card: card.update(environment="Endeavor-v9"))
    with pytest.raises(CheckpointMismatchError, match="Endeavor-v9"):
        LearnedAgent(checkpoint)


@pytest.mark.parametrize("kept", [0, 100, -1])
def test_truncated_zip_is_refused(checkpoint: Path, kept: int) -> None:
    checkpoint.write_bytes(checkpoint.read_bytes()[:kept])
    with pytest.raises(CheckpointError, match="truncated or edited"):
        LearnedAgent(checkpoint)


def test_edited_zip_is_refused(checkpoint: Path) -> None:
    content = bytearray(checkpoint.read_bytes())
    content[len(content) // 2] ^= 1
    checkpoint.write_bytes(content)
    with pytest.raises(CheckpointError, match="truncated or edited"):
        LearnedAgent(checkpoint)


def test_truncated_card_is_refused(checkpoint: Path) -> None:
    card = checkpoint.with_suffix(".json")
    card.write_text(card.read_text()[:200])
    with pytest.raises(CheckpointError, match="not JSON, it may be cut off"):
        LearnedAgent(checkpoint)


@pytest.mark.parametrize("name", ["policy.zip", "policy.json"])
def test_missing_half_is_refused(checkpoint: Path, name: str) -> None:
    (checkpoint.parent / name).unlink()
    with pytest.raises(CheckpointError, match=name):
        LearnedAgent(checkpoint)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda card: card.pop("layouts"), "lacks layouts"),
        (lambda card: card.update(format="other/9"), "other/9"),
        (lambda card: card.update(network=7), "network of type int"),
        (lambda card: card["network"].update(trunk=[]), "not usable"),
        (lambda card: card["network"].update(trunk=[32.5]), "not usable"),
        (lambda card: card["network"].update(head=7), "not usable"),
        (lambda card: card["network"].update(activation="cube"), "cube"),
        (lambda card: card["network"].update(trunk=[31]), "layer trunk"),
        (lambda card: card["network"].update(head=[16, 16]), "missing"),
    ],
)
def test_edited_card_is_refused(checkpoint: Path, change: Callable[[dict[str, Any]], object], message: str) -> None:
    edit_card(checkpoint, change)
    with pytest.raises(CheckpointError, match=message):
        LearnedAgent(checkpoint)


class Payload:
    """Unpickling this would call ``print``."""

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return print, ("code from the checkpoint ran",)


def test_code_in_the_weights_is_never_run(checkpoint: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stored = io.BytesIO()
    torch.save({"action_net.weight": Payload()}, stored)
    swap_weights(checkpoint, stored.getvalue())
    with pytest.raises(CheckpointError, match="no readable policy.pth: it names __builtin__.print"):
        LearnedAgent(checkpoint)
    assert "ran" not in capsys.readouterr().out


@pytest.mark.parametrize("stored", ["bm90IGEgcGlja2xl", None], ids=["unreadable", "as written"])
def test_a_run_is_resumed_whatever_module_the_checkpoint_names(
    finished_run: RunFolder, tmp_path: Path, stored: str | None
) -> None:
    path = tmp_path / "step_000000001024.zip"
    with zipfile.ZipFile(finished_run.path / path.name) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "data" and stored:
                data = json.loads(content)
                data["policy_kwargs"][":serialized:"] = stored
                content = json.dumps(data).encode()
            new.writestr(name, content)
    settings = finished_run.settings
    env = make_env(settings, make_mix(settings, 0))
    resumed = load_model(path, 1_024, settings, env, tmp_path)
    network, _ = load_network(finished_run.path / path.name)
    assert resumed.num_timesteps == 1_024
    assert isinstance(resumed.policy.features_extractor, Trunk)
    assert torch.equal(resumed.policy.action_net.weight, network.action_net.weight)  # type: ignore[union-attr]
