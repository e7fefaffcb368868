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

from endeavor_env import Game
from endeavor_env.agents.checkpoint import load_network, read_card
from endeavor_env.agents.players.learned import LEAST_TEMPERATURE, LearnedAgent
from endeavor_env.agents.weights import read_member
from endeavor_env.basics.files import regular_digest
from endeavor_env.endeavor import observation
from endeavor_env.endeavor.rules import actions
from endeavor_env.errors import CheckpointError, CheckpointMismatchError, InvalidOptionError
from endeavor_env.training.ppo.games import make_env, make_pool
from endeavor_env.training.ppo.model import OPTIMIZER, Trunk, load_model
from endeavor_env.training.ppo.settings import RunFolder


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
    edit_card(checkpoint, lambda card: card["weights"].update(sha256=regular_digest(checkpoint)))


def test_card_names_everything_needed_to_repeat_the_run(checkpoint: Path) -> None:
    card = read_card(checkpoint)
    assert card["environment"] == "Endeavor-v0"
    assert card["layouts"] == {"actions": actions.layout_hash(), "features": observation.FEATURES.hash}
    training = card["training"]
    assert (training["seed"], training["steps"]) == (0, 1_024)
    assert training["command"].startswith("python -m endeavor_env.training.ppo")
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
    with pytest.raises(CheckpointError, match=r"no readable policy\.pth: it names __builtin__.print"):
        LearnedAgent(checkpoint)
    assert "ran" not in capsys.readouterr().out


def archive_of(weights: Any) -> bytes:
    stored = io.BytesIO()
    torch.save(weights, stored)
    return stored.getvalue()


def with_files(stored: bytes, options: dict[str, Any], **changed: bytes) -> bytes:
    """Return a file of ``torch.save`` with other contents of some of its files."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(stored)) as old, zipfile.ZipFile(target, "w", **options) as new:
        for name in old.namelist():
            new.writestr(name, changed.get(name.rpartition("/")[2], old.read(name)))
    return target.getvalue()


def changed_weights(checkpoint: Path, change: Callable[[torch.Tensor], Any]) -> bytes:
    """Return the checkpoint's weights with a change of the logits' biases."""
    weights = read_member(checkpoint, "policy.pth", 1 << 24)
    return archive_of(weights | {"action_net.bias": change(weights["action_net.bias"])})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda bias: bias.index_fill(0, torch.tensor(3), float("nan")), "action_net are not finite"),
        (lambda bias: bias.index_fill(0, torch.tensor(3), float("inf")), "action_net are not finite"),
        (lambda bias: bias + 1e32, "or so large that values overflow"),
        (lambda bias: bias[:-1], r"of shape \(196,\)"),
        (lambda bias: bias[None], r"of shape \(1, 197\)"),
        (lambda bias: bias.double(), r"names torch\.DoubleStorage"),
        (lambda bias: bias.long(), r"names torch\.LongStorage"),
        (lambda bias: bias.to_sparse(), "names torch"),
        (lambda bias: bias.tolist(), "action_net.bias are list: they must be a tensor of float32"),
        (lambda bias: "weights", "action_net.bias are str: they must be a tensor of float32"),
        (lambda bias: torch.nn.Parameter(bias), "names torch"),
        (lambda bias: bias.new_zeros(()).expand(197), "does not fit its 1 values"),
    ],
)
def test_weights_that_no_network_can_have_are_refused(
    checkpoint: Path, change: Callable[[torch.Tensor], Any], message: str
) -> None:
    swap_weights(checkpoint, changed_weights(checkpoint, change))
    with pytest.raises(CheckpointError, match=message):
        LearnedAgent(checkpoint)


def test_a_network_of_the_largest_weights_allowed_plays_legal_moves(checkpoint: Path) -> None:
    swap_weights(checkpoint, changed_weights(checkpoint, lambda bias: bias - 9e29))
    for temperature in (0.0, LEAST_TEMPERATURE, 1.0):
        agent, game = LearnedAgent(checkpoint, temperature), Game.new(players=3, seed=1)
        for _ in range(20):
            game.apply(agent.act(game))


@pytest.mark.parametrize("within", [False, True], ids=["the zip", "the file in it"])
def test_a_small_zip_that_expands_to_gigabytes_is_refused_before_it_is_expanded(checkpoint: Path, within: bool) -> None:
    compressed: dict[str, Any] = {"compression": zipfile.ZIP_DEFLATED}
    zeros = bytes(64 << 20)
    stored = archive_of({"action_net.bias": torch.zeros(1)})
    swap_weights(checkpoint, with_files(stored, compressed, **{"0": zeros}) if within else zeros)
    if not within:
        with zipfile.ZipFile(checkpoint, "w", **compressed) as archive:
            archive.writestr("policy.pth", zeros)
        edit_card(checkpoint, lambda card: card["weights"].update(sha256=regular_digest(checkpoint)))
    assert checkpoint.stat().st_size < 1 << 20
    with pytest.raises(CheckpointError, match="is compressed, which neither"):
        LearnedAgent(checkpoint)


def test_more_bytes_than_the_network_can_need_are_not_read(checkpoint: Path) -> None:
    swap_weights(checkpoint, bytes(16 << 20))
    with pytest.raises(CheckpointError, match=r"policy\.pth has 16,777,216 bytes, the network of the card at most"):
        LearnedAgent(checkpoint)


def test_a_tensor_that_names_more_values_than_it_has_is_refused(checkpoint: Path) -> None:
    stored = changed_weights(checkpoint, lambda bias: bias)
    with zipfile.ZipFile(io.BytesIO(stored)) as archive:
        names = [name for name in archive.namelist() if "/data/" in name]
        sizes = {name.rpartition("/")[2]: archive.getinfo(name).file_size for name in names}
        first = max(sizes, key=lambda key: sizes[key])
    swap_weights(checkpoint, with_files(stored, {}, **{first: bytes(4)}))
    with pytest.raises(CheckpointError, match="1 values are stored where"):
        LearnedAgent(checkpoint)


@pytest.mark.parametrize(
    ("stored", "message"),
    [
        (b"", "File is not a zip file"),
        (b"\x80\x04K\x01.", "File is not a zip file"),
        (with_files(archive_of({}), {}, **{"data.pkl": b"\x80\x02"}), "no readable policy.pth"),
        (with_files(archive_of({}), {}, **{"data.pkl": b"\x80\x02)."}), "holds a tuple, not a dictionary"),
        (with_files(archive_of({}), {}, **{"data.pkl": b"\x80\x02r\xff\xff\xff\xff."}), "no readable policy.pth"),
        (with_files(archive_of({}), {}, **{"data.pkl": b"cos\nsystem\n(S'exit'\ntR."}), r"names os\.system"),
        (with_files(archive_of({}), {}, **{"data.pkl": b"X\x01\x00\x00\x00\xff."}), "codec can't decode"),
        (with_files(archive_of({}), {}, byteorder=b"big"), "little-endian"),
    ],
    ids=["empty", "pickle", "cut off", "tuple", "memory", "code", "text", "byte order"],
)
def test_damage_that_the_hash_does_not_show_is_a_named_error(checkpoint: Path, stored: bytes, message: str) -> None:
    swap_weights(checkpoint, stored)
    with pytest.raises(CheckpointError, match=message):
        LearnedAgent(checkpoint)


def test_a_card_that_asks_for_gigabytes_is_refused_before_they_are_taken(
    checkpoint: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def allocate(spec: object) -> None:
        raise AssertionError(f"made the network {spec}")

    monkeypatch.setattr("endeavor_env.agents.network.PolicyModule", allocate)
    for trunk in ([65_536, 65_536], [1_000_000, 1], [10**400], [32] * 100_000, [30_000]):
        edit_card(checkpoint, lambda card, trunk=trunk: card["network"].update(trunk=trunk))
        with pytest.raises(CheckpointError, match=r"not usable|of shape"):
            LearnedAgent(checkpoint)


def test_a_card_may_hold_any_number_where_none_is_needed(checkpoint: Path) -> None:
    edit_card(checkpoint, lambda card: card["training"].update(steps=10**400))
    assert read_card(checkpoint)["training"]["steps"] == 10**400
    text = checkpoint.with_suffix(".json").read_text()
    checkpoint.with_suffix(".json").write_text(text.replace("1" + "0" * 400, "1" + "0" * 5_000))
    with pytest.raises(CheckpointError, match="is not JSON"):
        read_card(checkpoint)


@pytest.mark.parametrize("path", ["", ".", "..", "/", "a/..", None, 5, b"policy.zip", ["policy.zip"]])
def test_what_is_no_path_of_a_checkpoint_is_refused(path: Any) -> None:
    with pytest.raises(CheckpointError, match="give the path of a zip, or of its card"):
        LearnedAgent(path)


@pytest.mark.parametrize("name", ["policy", "policy.zip", "policy.json"])
def test_a_checkpoint_is_found_by_either_half(checkpoint: Path, name: str) -> None:
    assert LearnedAgent(checkpoint.with_name(name)).name == "policy"


def test_a_name_with_a_dot_is_not_cut(checkpoint: Path) -> None:
    with pytest.raises(CheckpointError, match=r"policy\.v2\.json cannot be read"):
        LearnedAgent(checkpoint.with_name("policy.v2"))


def test_loading_leaves_the_random_numbers_of_pytorch_alone(checkpoint: Path) -> None:
    before = torch.get_rng_state()
    LearnedAgent(checkpoint)
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda state: state[0].update(exp_avg=state[0]["exp_avg"][:1]), "exp_avg is of shape .* it should be"),
        (
            lambda state: state[0].update(exp_avg=state[0]["exp_avg"] * float("nan")),
            "exp_avg has values that are not",
        ),
        (lambda state: state[1].update(exp_avg_sq=-state[1]["exp_avg_sq"] - 1), "a negative mean of squares"),
        (lambda state: state[1].update(step=torch.tensor(0.0)), "counts no steps"),
        (lambda state: state[1].update(step=3), "step is no tensor"),
        (lambda state: state[1].pop("step"), "the names of its tensors"),
        (lambda state: state.pop(0), "does not have a state for each of"),
    ],
)
def test_a_damaged_optimizer_is_refused(
    finished_run: RunFolder, tmp_path: Path, change: Callable[[dict[int, Any]], object], message: str
) -> None:
    source, path = finished_run.path / "step_000000001024.zip", tmp_path / "step_000000001024.zip"
    stored = read_member(source, OPTIMIZER, 1 << 24)
    change(stored["state"])
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            new.writestr(name, archive_of(stored) if name == OPTIMIZER else old.read(name))
    env = make_env(finished_run.settings, make_pool(finished_run.settings, 0))
    with pytest.raises(CheckpointError, match=f"cannot be resumed: .*{message}"):
        load_model(path, 1_024, finished_run.settings, env, tmp_path)


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
    env = make_env(settings, make_pool(settings, 0))
    resumed = load_model(path, 1_024, settings, env, tmp_path)
    network, _ = load_network(finished_run.path / path.name)
    assert resumed.num_timesteps == 1_024
    assert isinstance(resumed.policy.features_extractor, Trunk)
    assert torch.equal(resumed.policy.action_net.weight, network.action_net.weight)  # type: ignore[union-attr]
