"""A run can be killed and resumed, refuses to overwrite another, and writes each file in one step."""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from rich.console import Console
from sb3_contrib import MaskablePPO

from endeavor_env.agents.checkpoint import card_path, read_card
from endeavor_env.errors import CheckpointError, InvalidOptionError
from endeavor_env.training.ppo.__main__ import open_run, train
from endeavor_env.training.ppo.settings import PRESETS, PPOSettings, RunFolder, preset
from endeavor_env.training.runs.layers import DivergedError
from endeavor_env.training.runs.running import sole_use
from endeavor_env.training.runs.stored_run import KEEP
from tests.kits.commands import run_command
from tests.training.conftest import TINY


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "endeavor_env.training.ppo", "--no-progress", *arguments]


def test_finished_run_leaves_settings_curves_and_the_newest_checkpoints(finished_run: RunFolder) -> None:
    assert (finished_run.path / "run.json").exists()
    assert list(finished_run.tensorboard.rglob("events.out.tfevents*"))
    assert [path.stem for path in finished_run.checkpoints()] == ["step_000000000512", "step_000000001024"]
    assert not list(finished_run.path.glob("*partial*"))


def run_up_to_its_first_checkpoint(folder: Path) -> subprocess.Popen[str]:
    """Start a long run and wait for its first checkpoint."""
    running = subprocess.Popen(
        command("--preset", "smoke", "--steps", "100000", "--out", str(folder)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"COLUMNS": "200"},
        # A shell that runs the tests in the background has its programs ignore Ctrl-C, and they hand that on.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        deadline = time.monotonic() + 240
        while not list(folder.glob("step_*.json")):
            assert running.poll() is None, "the run ended before its first checkpoint"
            assert time.monotonic() < deadline, "no checkpoint was written"
            time.sleep(0.2)
    except AssertionError:
        running.kill()
        raise
    return running


def test_killed_run_resumes_within_one_interval(tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    running = run_up_to_its_first_checkpoint(folder)
    running.kill()
    running.communicate()
    with sole_use(folder):
        pass  # the lock died with the process
    run = RunFolder.reopen(folder)
    newest, _ = run.newest_sound()
    assert newest is not None
    done = read_card(newest)["training"]["steps"]
    assert done >= run.settings.checkpoint_every
    shorter = RunFolder(folder, run.settings.replace(steps=done + 512), run.command, run.id)
    final = train(shorter, Console(quiet=True), progress=False)
    assert read_card(final)["training"]["steps"] == done + 512


def test_ctrl_c_saves_and_says_how_to_go_on(tmp_path: Path) -> None:
    folder = tmp_path / "stopped"
    running = run_up_to_its_first_checkpoint(folder)
    beside = run_command("endeavor_env.training.ppo", "--resume", str(folder))
    assert (beside.status, beside.out) == (2, "")
    assert f"another process is training in {folder}" in beside.err
    running.send_signal(signal.SIGINT)
    printed, _ = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "Traceback" not in printed
    assert f"--resume {folder}" in re.sub(r"\s*\n", "", printed)
    assert RunFolder.reopen(folder).newest_sound()[0] is not None


@pytest.mark.parametrize(("name", "layer"), [("smoke", "action_net"), ("refine-smoke", "value_net")])
@pytest.mark.parametrize("last", [False, True])
def test_weights_that_are_not_finite_end_a_run_before_they_are_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, layer: str, last: bool
) -> None:
    learn, calls = MaskablePPO.train, itertools.count(1)

    def spoiling(model: MaskablePPO) -> None:
        learn(model)
        if next(calls) == 2:
            with torch.no_grad():
                getattr(model.policy, layer).bias[0] = torch.nan

    monkeypatch.setattr(MaskablePPO, "train", spoiling)
    settings = preset(name).replace(steps=1_024 if last else 4_096, checkpoint_every=512)
    run = RunFolder.create(tmp_path / "run", settings, "")
    with pytest.raises(DivergedError, match="training ends after 1,024 decisions, for weights are no longer finite"):
        train(run, Console(quiet=True), progress=False)
    assert run.newest_sound() == (run.path / "step_000000001024.zip", [])
    assert not (run.path / "policy.zip").exists()


def test_resume_passes_over_a_damaged_checkpoint(finished_run: RunFolder, tmp_path: Path) -> None:
    for file in finished_run.path.glob("*.*"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    run = RunFolder.reopen(tmp_path)
    older, newest = run.checkpoints()[-2:]
    newest.write_bytes(newest.read_bytes()[:-10])
    found, (fault,) = run.newest_sound()
    assert found == older
    assert f"{newest} is truncated or edited" in fault


def test_a_run_is_not_overwritten(finished_run: RunFolder) -> None:
    with pytest.raises(InvalidOptionError, match="holds a run already"):
        RunFolder.create(finished_run.path, TINY, "")


def test_any_setting_of_a_new_run_can_be_changed(tmp_path: Path) -> None:
    given = ("smoke", tmp_path / "run", None, None, None, None, False)
    run = open_run(*given, changes=["threads=3", 'opponents=[["greedy",1.0]]', "trunk=[48]"])
    changes = {"threads": 3, "opponents": (("greedy", 1.0),), "trunk": (48,)}
    assert run.settings == preset("smoke").replace(**changes) == RunFolder.reopen(run.path).settings
    with pytest.raises(InvalidOptionError, match="'width=3' is no setting: write name=value"):
        open_run("smoke", tmp_path / "other", *given[2:], changes=["width=3"])
    assert not (tmp_path / "other").exists()
    with pytest.raises(InvalidOptionError, match="was begun with: leave out --set"):
        open_run(None, None, run.path, *given[3:], changes=["threads=1"])


def test_resume_needs_a_run(tmp_path: Path) -> None:
    with pytest.raises(InvalidOptionError, match="holds no run"):
        RunFolder.reopen(tmp_path)


@pytest.mark.parametrize("text", ["{", "[]", '{"settings": {}}'])
def test_damaged_settings_are_one_named_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises((CheckpointError, InvalidOptionError)):
        RunFolder.reopen(tmp_path)


@pytest.mark.parametrize("name", PRESETS)
def test_settings_survive_the_round_trip_through_json(name: str) -> None:
    settings = preset(name)
    assert PPOSettings.from_dict(json.loads(json.dumps(settings.to_dict()))) == settings


@pytest.mark.parametrize("name", PRESETS)
def test_presets_fit_together(name: str) -> None:
    settings = preset(name)
    assert settings.num_envs * settings.n_steps % settings.batch_size == 0
    assert all(settings.evaluation_games % players == 0 for players in (3, 4, 5))
    assert settings.snapshot_every >= settings.num_envs
    assert KEEP >= 2


def test_card_lies_beside_its_weights() -> None:
    assert card_path("runs/a/policy.zip") == Path("runs/a/policy.json")
