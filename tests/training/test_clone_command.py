"""The command that makes clones: its settings, what it leaves behind, and what it says."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from rich.console import Console

from endeavor_env import Game
from endeavor_env.agents.checkpoint import read_card
from endeavor_env.agents.players.learned import LearnedAgent
from endeavor_env.agents.registry import make_agent
from endeavor_env.errors import CheckpointError, InvalidOptionError
from endeavor_env.training.clone import __main__ as command
from endeavor_env.training.clone.demonstrations import Demonstrations
from endeavor_env.training.clone.run import Clone, CloneLearner
from endeavor_env.training.clone.settings import CloneFolder, CloneSettings, first_variant
from endeavor_env.training.ppo.settings import preset as ppo_preset
from endeavor_env.training.runs.settings import JsonSettings
from endeavor_env.training.td.folder import TDRunFolder
from endeavor_env.training.td.settings import preset as td_preset
from tests.kits.clones import SMALL
from tests.kits.commands import run_command

SMALLEST = "--from", "greedy", "--preset", "smoke", "--no-progress", "--set", "threads=1"
RESUME = "python -m endeavor_env.training.clone --resume"


def test_a_clone_is_an_ordinary_checkpoint(tmp_path: Path) -> None:
    folder = CloneFolder.create(tmp_path / "clone", SMALL, "python -m endeavor_env.training.clone --from greedy")
    path = command.make_clone(folder, Console(quiet=True), progress=False)
    assert path is not None
    card = read_card(path)
    assert [row["players"] for row in card["results"]] == [3, 4, 5]
    assert card["training"]["settings"]["teacher"] == "greedy"
    assert card["training"]["trainer"] == "clone"
    game = Game.new(4, seed=3)
    assert LearnedAgent(path).act(game) == make_agent(f"policy:{path}").act(game)
    assert any((tmp_path / "clone" / "tensorboard").iterdir())


def test_a_clone_of_so_many_minutes_is_measured_and_kept(tmp_path: Path) -> None:
    given = "--from", "greedy", "--preset", "smoke", "--no-progress", "--set", "iterations=100", "--set", "threads=1"
    outcome = run_command("endeavor_env.training.clone", *given, "--minutes", "0.01", "--out", str(tmp_path / "clone"))
    assert outcome.status == 0, outcome.err
    card = read_card(tmp_path / "clone" / "policy.zip")
    assert [row["players"] for row in card["results"]] == [3, 4, 5]
    assert card["training"]["settings"]["device"] == "auto"


def test_a_device_that_is_not_there_is_refused_before_there_is_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    given = "--from", "greedy", "--preset", "smoke", "--set", "device=cuda", "--out", str(tmp_path / "clone")
    outcome = run_command("endeavor_env.training.clone", *given)
    assert outcome.status == 2
    assert "device='cuda' is not possible" in outcome.err
    assert not (tmp_path / "clone").exists()


def test_discarding_a_clone_keeps_files_that_are_not_its_own(tmp_path: Path) -> None:
    (tmp_path / "clone").mkdir()
    (tmp_path / "clone" / "notes.txt").write_text("mine")
    CloneFolder.create(tmp_path / "clone", SMALL, "").discard()
    assert [file.name for file in (tmp_path / "clone").iterdir()] == ["notes.txt"]
    (tmp_path / "clone" / "tensorboard").mkdir()
    (tmp_path / "clone" / "tensorboard" / "events").write_text("mine too")
    CloneFolder.create(tmp_path / "clone", SMALL, "").discard()
    assert sorted(file.name for file in (tmp_path / "clone").rglob("*")) == ["events", "notes.txt", "tensorboard"]


def test_settings_survive_json() -> None:
    assert CloneSettings.from_dict(json.loads(json.dumps(SMALL.to_dict()))) == SMALL


@pytest.mark.parametrize(
    ("teacher", "message"),
    [
        ("nobody", "player 'nobody' is unknown"),
        ("random", "player 'random' has no entry"),
    ],
)
def test_players_that_cannot_teach_are_refused(teacher: str, message: str) -> None:
    with pytest.raises(InvalidOptionError, match=message):
        first_variant(teacher)


def test_a_teacher_whose_file_is_missing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="card"):
        first_variant(f"value:{tmp_path / 'nothing.npz'}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--from", "nobody"), "error: player 'nobody' is unknown"),
        (("--from", "greedy", "--preset", "huge"), "error: preset 'huge' is unknown"),
        (("--from", "greedy", "--variant", "neutral_2"), "error: the setting variant='neutral_2' is not possible"),
        (
            ("--from", "value", "--set", "temperature=0.05"),
            "temperature=0.05 is not possible: it should be 0, for value does not judge all its moves, as advised does",
        ),
        (("--from", "value", "--set", "begin_with=nothing.npz"), "error: card nothing.json cannot be read"),
        (
            ("--from", "value", "--set", "begin_with=policy"),
            "do not fit into those of 256 and 128: give --set trunk=[1024] --set head=[256], or wider ones",
        ),
        (
            ("--from", "value", "--set", "begin_with=policy", "--set", "trunk=[1024]", "--set", "head=[64]"),
            "do not fit into those of 1024 and 64: give --set trunk=[1024] --set head=[256], or wider ones",
        ),
        (
            ("--from", "advised", "--set", "temperature=1e-40"),
            "temperature=1e-40 is not possible: it should be 0, or",
        ),
        (("--from", "greedy", "--set", "players=[7]"), "it should be [] for all, or some of [3, 4, 5], each once"),
        (("--from", "greedy", "--set", "players=[3,3,9]"), "it should be [] for all, or some of [3, 4, 5], each once"),
        (("--from", "greedy", "--set", "players=[3,3]"), "players=(3, 3) is not possible"),
        (
            ("--from", "greedy", "--variant", "solo", "--set", "players=[3]"),
            "players=(3,) is not possible: it should be [] for all, or some of [1], each once",
        ),
        (
            ("--from", "greedy", "--set", "preset=foo"),
            "'preset=foo' is no setting to change: choose",
        ),
        (("--from", "greedy", "--set", "evaluation_games=1000001"), "it should be less than or equal to 1000000"),
        (
            ("--from", "value", "--set", "begin_with=@policy_solo"),
            "begin_with='@policy_solo' is not possible: it should play standard, not solo",
        ),
    ],
)
def test_wrong_arguments_are_answered_in_one_line(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    outcome = run_command("endeavor_env.training.clone", *arguments, "--out", str(tmp_path / "clone"))
    assert outcome.status == 2
    assert message in outcome.err
    assert not (tmp_path / "clone").exists()


def test_any_setting_can_be_changed(tmp_path: Path) -> None:
    given = "--from", "greedy", "--preset", "smoke", "--no-progress", "--out", str(tmp_path / "wide")
    outcome = run_command("endeavor_env.training.clone", *given, "--set", "trunk=[48]", "--set", "threads=1")
    assert outcome.status == 0, outcome.err
    assert read_card(tmp_path / "wide" / "policy.zip")["network"]["trunk"] == [48]
    outcome = run_command("endeavor_env.training.clone", *given, "--set", "trunks=[48]")
    assert outcome.status == 2
    assert "trunks" in outcome.err


@pytest.mark.parametrize(
    ("fault", "status", "message"),
    [
        (KeyboardInterrupt, 130, "stopped; nothing is left of this clone: begin it again"),
        (MemoryError, 2, "error: the memory here does not do for buffer_size=800000 and batch_size=1024: give smaller"),
        (lambda: InvalidOptionError("no such luck"), 2, "error: no such luck"),
    ],
)
def test_whatever_ends_a_clone_before_it_has_learned_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Callable[[], BaseException], status: int, message: str
) -> None:
    def ended(*_: object) -> None:
        raise fault()

    monkeypatch.setattr(CloneLearner, "learn", ended)
    outcome = run_command("endeavor_env.training.clone", *SMALLEST, "--out", str(tmp_path / "clone"))
    assert outcome.status == status
    assert message in outcome.err
    assert not (tmp_path / "clone").exists()


def test_a_fault_of_the_program_leaves_nothing_behind_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CloneLearner, "learn", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        run_command("endeavor_env.training.clone", *SMALLEST, "--out", str(tmp_path / "clone"))
    assert not (tmp_path / "clone").exists()


def test_a_clone_that_diverges_says_so_in_a_sentence_and_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CloneLearner, "_step", lambda *_: torch.tensor([1.0, math.nan, 1.0]))
    outcome = run_command("endeavor_env.training.clone", *SMALLEST, "--out", str(tmp_path / "clone"))
    assert outcome.status == 2
    assert outcome.err.startswith("error: the network diverged at a learning rate of 0.001: its agreement is nan")
    assert outcome.err.endswith("begin a new run with a lower learning_rate\n")
    assert not (tmp_path / "clone").exists()


def test_more_memory_than_there_is_is_refused_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_much(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(Demonstrations, "__init__", too_much)
    outcome = run_command("endeavor_env.training.clone", *SMALLEST, "--out", str(tmp_path / "clone"))
    assert outcome.status == 2
    assert outcome.err.startswith("error: the memory here does not do for buffer_size=")
    assert not (tmp_path / "clone").exists()


def test_a_clone_whose_evaluation_is_interrupted_is_kept_without_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Clone, "measure", interrupted)
    outcome = run_command("endeavor_env.training.clone", *SMALLEST, "--out", str(tmp_path / "clone"))
    path = tmp_path / "clone" / "policy.zip"
    assert outcome.status == 130
    assert f"stopped; the clone is kept, without results; measure it with: {RESUME} {path.parent}\n" in outcome.err
    assert read_card(path)["results"] == []
    assert LearnedAgent(path).act(Game.new(4, seed=3)) >= 0


def test_a_folder_with_a_clone_is_refused_with_the_way_on(tmp_path: Path) -> None:
    killed = CloneFolder.create(tmp_path / "clone", SMALL, "").path
    beginning = f"{killed} holds a run already: "
    with pytest.raises(InvalidOptionError) as refused:
        CloneFolder.create(killed, SMALL, "")
    assert str(refused.value) == f"{beginning}continue it with --resume {killed}, or give another --out"
    with pytest.raises(InvalidOptionError) as refused:
        TDRunFolder.check_free(killed)  # a run of another trainer is not continued
    assert str(refused.value) == f"{beginning}give another --out"
    (killed / "run.json").write_text("{")
    with pytest.raises(InvalidOptionError, match="holds a run already: give another --out"):
        TDRunFolder.check_free(killed)
    run = TDRunFolder.create(tmp_path / "td", td_preset("smoke", "standard"), "").path
    with pytest.raises(InvalidOptionError, match=f"continue it with --resume {run}, or give another --out"):
        TDRunFolder.check_free(run)


@pytest.mark.parametrize("settings", [SMALL, td_preset("smoke", "solo"), ppo_preset("smoke")])
def test_no_trainer_changes_the_preset_by_a_setting(settings: JsonSettings) -> None:
    with pytest.raises(InvalidOptionError, match="'preset=long' is no setting to change: choose a preset by --preset"):
        settings.changed(["preset=long"])
