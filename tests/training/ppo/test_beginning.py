"""What a run may begin with: stored policies by all their names, of shapes that fit, known before there is a folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from rich.console import Console

from endeavor_env.agents.network_spec import NetworkSpec
from endeavor_env.agents.players.policy import logits_of_sb3, sb3_of, value_of_sb3
from endeavor_env.endeavor.players.network_file import published_policy, read_policy_network, write_policy_network
from endeavor_env.errors import CheckpointError, EndeavorError
from endeavor_env.training.clone.settings import CloneSettings as CloneSettings
from endeavor_env.training.export import export
from endeavor_env.training.ppo import beginning
from endeavor_env.training.ppo.__main__ import new_run, train
from endeavor_env.training.ppo.beginning import SHARPENED, begin_with, check_beginning, settings_after
from endeavor_env.training.ppo.games import make_env, make_pool
from endeavor_env.training.ppo.model import bare_model, make_model
from endeavor_env.training.ppo.settings import preset
from endeavor_env.training.runs.first_policy import check_tensors, read_first_policy, sb3_shapes, take_weights
from tests.kits.commands import run_command
from tests.kits.training import untrained_checkpoint_of_sb3

PPO = "endeavor_env.training.ppo"
QUIET = Console(quiet=True)


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    """The zip of a checkpoint; its network is in the folder ``export``."""
    path = untrained_checkpoint_of_sb3(tmp_path / "before")
    export(path)
    return path


def say_trainer(path: Path, trainer: str) -> None:
    """Write a trainer into a card."""
    card = json.loads(path.read_text())
    card["training"]["trainer"] = trainer
    path.write_text(json.dumps(card))


@pytest.mark.parametrize("trainer", ["clone", "rllib"])
def test_a_clone_is_sharpened_whatever_file_it_is_stored_in(stored: Path, trainer: str) -> None:
    files = stored, stored.parent / "export" / "policy.npz"
    for path in files:
        assert settings_after(str(path), "refine", None).sharpen == 1.0
        say_trainer(path.with_suffix(".json"), trainer)
        assert settings_after(str(path), "refine", None).sharpen == (SHARPENED if trainer == "clone" else 1.0)


def test_published_policies_are_sharpened_if_they_are_clones() -> None:
    for name in ("policy", "@policy_standard_5", "@policy_standard", "@policy_solo_4"):
        training = read_first_policy(name, "standard").training
        factor = SHARPENED if training.get("trainer") == "clone" else 1.0
        assert settings_after(name, "refine", None).sharpen == factor
    assert settings_after("@policy_standard_5", "refine", None).sharpen == SHARPENED
    assert settings_after("@policy_standard", "refine", None).sharpen == 1.0


def test_a_policy_is_found_by_all_its_names(stored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bare, card = str(stored.with_suffix("")), str(stored.with_suffix(".json"))
    for name in (str(stored), bare, card, f"policy:{stored}", f"checkpoint:{stored}", f"policy:{bare}"):
        settings = settings_after(name, "refine", None)
        assert settings.begin_with == name.removeprefix("policy:").removeprefix("checkpoint:")
        assert (settings.trunk, settings.head) == ((32,), (16,))
        check_beginning(settings)
    npz = stored.parent / "export" / "policy.npz"
    for name in (str(npz), f"policy:{npz}", str(npz.with_suffix("")), str(npz.with_suffix(".json"))):
        assert settings_after(name, "refine", None).begin_with == name.removeprefix("policy:")
    widths = published_policy("standard").logits.second.shape
    for name in ("policy", "policy:policy", "@policy_standard_5", "policy:@policy_standard_5"):
        assert (settings_after(name, "refine", None).trunk[0], settings_after(name, "refine", None).head[0]) == widths
    assert settings_after("policy", "refine", "solo").variant == settings_after("@policy_solo", "refine", None).variant
    monkeypatch.chdir(stored.parent)
    assert settings_after("policy", "refine", None).begin_with == "policy"  # of the package, whatever files there are


@pytest.mark.parametrize("kernels", [True, False])
def test_layers_may_be_wider_than_those_of_the_policy(stored: Path, kernels: bool) -> None:
    settings = preset("refine-smoke" if kernels else "smoke")
    settings = settings.replace(begin_with=str(stored), trunk=(48,), head=(24,))
    model = make_model(settings, make_env(settings, make_pool(settings, 0)))
    begin_with(model, settings, QUIET, progress=False)
    first = read_first_policy(str(stored), "standard").weights
    inputs = np.random.default_rng(0).random((50, 1971), np.float32)
    wide = model.policy.state_dict()
    for arrays_of in (logits_of_sb3, value_of_sb3):
        before, after = outputs(arrays_of(first), inputs), outputs(arrays_of(wide), inputs)
        assert np.allclose(before, after, atol=1e-5)
        assert before.std() > 1e-3
    assert wide["features_extractor.layers.0.weight"][32:].abs().min() > 0  # random: what is new can be learned


def outputs(network: Any, inputs: Any) -> Any:
    """Return what a network computes."""
    first = np.maximum(inputs @ network.first + network.first_bias, 0)
    return np.maximum(first @ network.second + network.second_bias, 0) @ network.last + network.last_bias


def test_a_network_of_the_same_shape_is_taken_over_bit_for_bit(stored: Path) -> None:
    model = bare_model("standard", (32,), (16,), 5)
    first = read_first_policy(str(stored.parent / "export" / "policy.npz"), "standard")
    take_weights(model.policy, first.weights)
    given = sb3_of(read_policy_network(first.name))
    assert all(torch.equal(tensor, given[name]) for name, tensor in model.policy.state_dict().items())


@pytest.mark.parametrize(("trunk", "head"), [((32,), (16,)), ((24, 20, 16), (12, 8))])
def test_shapes_are_those_of_the_models_of_sb3(trunk: tuple[int, ...], head: tuple[int, ...]) -> None:
    state = bare_model("solo", trunk, head, 0).policy.state_dict()
    settings = preset("smoke", "solo").replace(trunk=trunk, head=head)
    assert sb3_shapes(settings.network) == {name: tuple(tensor.shape) for name, tensor in state.items()}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda state: state.pop("action_net.bias"), "the names of its tensors are not those of the network"),
        (lambda state: state.update({"action_net.bias": 1.0}), r"action_net\.bias is no tensor"),
        (lambda state: state.update({"action_net.bias": torch.zeros(3)}), r"bias is of shape \(3,\): it should be"),
        (lambda state: state["action_net.bias"].mul_(torch.nan), "action_net.bias has values that are not finite"),
    ],
)
def test_another_shape_is_told_from_what_is_not_finite(change: Any, message: str) -> None:
    spec = NetworkSpec(3, (4,), (5,), 6, "relu")
    state = {name: torch.ones(shape) for name, shape in sb3_shapes(spec).items()}
    check_tensors(sb3_shapes(spec), state)
    change(state)
    with pytest.raises(CheckpointError, match=message):
        check_tensors(sb3_shapes(spec), state)


REFUSED: list[tuple[tuple[str, ...], str]] = [
    (
        ("--from", "policy", "--set", "trunk=[512]"),
        "its layers, of 1024 and 256 units, do not fit into those of 512 and 256: give --set trunk=[1024] --set head=[",
    ),
    (
        ("--from", "policy", "--preset", "smoke", "--set", "trunk=[1024,64]"),
        "those of 1024,64 and 256: give --set trunk=[1024] --set head=[256], or",
    ),
    (("--from", "policy", "--preset", "smoke", "--set", "activation=tanh"), "activation should be its relu"),
    (
        ("--preset", "smoke", "--set", "begin_with=policy"),
        "begin_with='policy' is not possible: its layers, of 1024",
    ),
    (("--preset", "smoke", "--set", "begin_with=@policy_solo"), "it should play standard, not solo"),
    (("--set", "begin_with=nonsense"), "no policy is stored as 'nonsense': give a checkpoint (.zip), a network (.npz)"),
    (("--from", "nonsense"), "or a player to clone"),
    (("--from", "nonsense.zip"), "card nonsense.json cannot be read"),
    (("--from", "@policy_nobody"), "network '@policy_nobody' does not come with the package: there are @policy_solo"),
    (("--from", "policy:"), "network '' is not possible"),
    (("--from", "checkpoint:greedy"), "no policy is stored as 'greedy'"),
    (("--from", "@policy_solo", "--variant", "standard"), "plays 'solo': leave out --variant standard"),
    (("--from", "value:@value_exploits"), "it plays neither standard nor solo"),
    (
        ("--from", "greedy", "--preset", "smoke", "--set", "activation=tanh"),
        "should be relu for a run that begins with",
    ),
    (("--from", "greedy", "--preset", "smoke", "--set", "trunk=[32,32]"), "it should have at most 1 item"),
    (("--set", 'opponents=[["nobody",1]]'), "'nobody'"),
    (("--from", "policy", "--set", 'opponents=[["nobody",1]]'), "player 'nobody' is unknown"),
    (("--set", 'opponents=[["policy:no.npz",1]]'), "card no.json cannot be read"),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED)
def test_what_no_run_can_begin_with_is_one_sentence_and_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run_command(PPO, *arguments, "--out", "run", "--no-progress", columns=400)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
    assert message in done.err
    assert not list(tmp_path.iterdir())


def test_a_run_begins_with_a_policy_of_the_package(tmp_path: Path) -> None:
    run = new_run("refine-smoke", tmp_path / "run", None, None, 512, "policy:@policy_standard_5")
    assert run.settings.begin_with == "@policy_standard_5"
    train(run, QUIET, progress=False)
    first = read_first_policy(str(run.path / "step_000000000000.zip"), "standard").weights
    given = sb3_of(read_policy_network("@policy_standard_5"))
    assert torch.equal(first["action_net.weight"], SHARPENED * given["action_net.weight"])
    assert torch.equal(first["value_net.weight"], given["value_net.weight"])


def test_damaged_networks_are_refused_before_there_is_a_folder(stored: Path, tmp_path: Path) -> None:
    network = read_policy_network(stored.parent / "export" / "policy.npz")
    logits = network.logits._replace(last=np.full_like(network.logits.last, np.nan))
    path = write_policy_network(tmp_path / "odd.npz", logits, network.value, "standard", {}, version="0")
    with pytest.raises(EndeavorError, match="does not hold the finite float32 arrays"):
        new_run("refine-smoke", tmp_path / "run", None, None, 512, str(path))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(("name", "made"), [("smoke", "smoke"), ("refine-smoke", "smoke"), ("refine", "quick")])
def test_the_clone_that_a_run_begins_with_is_as_small_as_the_run(
    monkeypatch: pytest.MonkeyPatch, name: str, made: str
) -> None:
    clones: list[str] = []

    def noted(settings: CloneSettings, *_: object) -> None:
        clones.append(settings.preset)
        raise InterruptedError

    monkeypatch.setattr(beginning, "Clone", noted)
    settings = preset(name).replace(begin_with="greedy")
    with pytest.raises(InterruptedError):
        begin_with(bare_model("standard", (32,), (16,), 0), settings, QUIET, progress=False)
    assert clones == [made]
