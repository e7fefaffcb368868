"""Every edit of ``run.json`` is one clear error, or the run does as it says; no traceback, and nothing is ignored."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from endeavor_env.errors import CheckpointError, InvalidOptionError
from endeavor_env.training.ppo.settings import PPOSettings, RunFolder, preset
from tests.training.conftest import copy_of_run

ODD: tuple[Any, ...] = (None, True, "", "x", -1, 10**400, 1e308, [], [None], [[]], {}, {"a": 1})
"""Values that no setting may have, besides those that are of the type of the setting."""
WHOLE = ("steps", "seed", "num_envs", "n_steps", "batch_size", "n_epochs", "checkpoint_every", "snapshot_every")
OTHERS: dict[str, Any] = {
    "preset": "quick",
    "seed": 1,
    "players": [3, 4],
    "opponents": [["random", 1.0]],
    "reward": "win",
    "shaping_weight": 0.5,
    "num_envs": 4,
    "n_steps": 32,
    "batch_size": 128,
    "n_epochs": 1,
    "learning_rate": 1e-3,
    "gamma": 0.99,
    "gae_lambda": 0.9,
    "ent_coef": 0.0,
    "trunk": [16],
    "head": [8],
    "activation": "tanh",
    "snapshot_every": 256,
    "snapshots": 2,
    "begin_with": "policy.zip",
    "sharpen": 2.0,
    "last_learning_rate": 1e-4,
}
"""Another possible value of each setting that must stay as it is."""
LATER = ("variant", "difficulties", "begin_with", "sharpen", "last_learning_rate", "precision", "game_options")
"""Settings that runs of earlier versions lack."""
HONOURED = {"steps": 2_048, "checkpoint_every": 256, "evaluation_games": 120, "threads": 2, "precision": "medium"}


def edit(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    stored = json.loads((folder / "run.json").read_text())
    change(stored)
    (folder / "run.json").write_text(json.dumps(stored))


def put(name: str, value: Any) -> Callable[[dict[str, Any]], object]:
    return lambda stored: stored["settings"].update({name: value})


def content(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


@pytest.mark.parametrize("name", preset("smoke").to_dict())
def test_a_setting_that_is_missing_or_of_a_wrong_kind_is_one_named_error(
    finished_run: RunFolder, tmp_path: Path, name: str
) -> None:
    copy_of_run(finished_run, tmp_path)
    original = (tmp_path / "run.json").read_text()
    edit(tmp_path, lambda stored: stored["settings"].pop(name))
    if name not in LATER:
        with pytest.raises(CheckpointError, match=f"{name} unknown or missing"):
            RunFolder.reopen(tmp_path)
    for value in [*ODD, *([0.5, 10**13] if name in WHOLE else [])]:
        if (name, value) in (("difficulties", []), ("game_options", "")) or (
            name == "begin_with" and isinstance(value, str)
        ):
            continue
        (tmp_path / "run.json").write_text(original)
        edit(tmp_path, put(name, value))
        with pytest.raises(CheckpointError, match=rf"run\.json cannot be used: the setting {name}="):
            RunFolder.reopen(tmp_path)


def test_every_setting_is_tried() -> None:
    assert set(OTHERS) | set(HONOURED) | {"variant", "difficulties", "game_options"} == set(preset("smoke").to_dict())
    assert set(HONOURED) == set(RunFolder.may_change)


@pytest.mark.parametrize("name", OTHERS)
def test_a_setting_that_describes_the_weights_may_not_change_under_a_checkpoint(
    finished_run: RunFolder, tmp_path: Path, name: str
) -> None:
    copy_of_run(finished_run, tmp_path)
    edit(tmp_path, put(name, OTHERS[name]))
    run, before = RunFolder.reopen(tmp_path), content(tmp_path)
    with pytest.raises(CheckpointError, match=rf"was changed after step_000000001024.zip was saved: {name} must stay"):
        run.newest_sound()
    assert content(tmp_path) == before


@pytest.mark.parametrize("name", HONOURED)
def test_a_setting_that_does_not_is_honoured(finished_run: RunFolder, tmp_path: Path, name: str) -> None:
    copy_of_run(finished_run, tmp_path)
    edit(tmp_path, put(name, HONOURED[name]))
    run = RunFolder.reopen(tmp_path)
    assert run.settings.to_dict()[name] == HONOURED[name]
    assert run.newest_sound()[0] == tmp_path / "step_000000001024.zip"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda stored: stored.pop("settings"), "'settings' is unknown or missing"),
        (lambda stored: stored.pop("command"), "'command' is unknown or missing"),
        (lambda stored: stored.update(setting={}), "'setting' is unknown or missing"),
        (lambda stored: stored.update(settings=[]), "settings must be an object"),
        (lambda stored: stored.update(settings=None), "settings must be an object"),
        (lambda stored: stored.update(command=["python"]), "command and id strings"),
        (lambda stored: stored.update(id=7), "command and id strings"),
        (put("learning_speed", 1), "learning_speed unknown or missing"),
        (put("", 1), "unknown or missing"),
        (put("learning_rate", 0), "it should be greater than 0"),
        (put("learning_rate", "0.1"), "it should be a valid number"),
        (put("gamma", 1.5), "it should be less than or equal to 1"),
        (put("seed", 2**32), "it should be less than 4294967296"),
        (put("players", [3, 6]), "3, 4 or 5"),
        (put("players", [3.0]), "3.0 should be a valid integer"),
        (put("opponents", [["greedy", -1]]), "-1 should be greater than or equal to 0"),
        (put("opponents", [["greedy", 1, 2]]), "should have at most 2 items"),
        (put("opponents", {"greedy": 1}), "it should be a list"),
        (put("reward", "ladder"), "win or win_zero_sum or rank or margin"),
        (put("variant", "solo"), "the setting players="),
        (put("difficulties", ["normal"]), "an empty list"),
        (put("evaluation_games", 61), "a positive multiple of 60"),
        (put("batch_size", 100_000), "it should be at most num_envs times n_steps, 512"),
        (put("batch_size", 511), "of num_envs times n_steps, 512, it leaves 1, whose advantage cannot be normalised"),
        (put("batch_size", 1), "it should be greater than or equal to 2"),
        (put("num_envs", 100_000), "num_envs times n_steps is 6,400,000"),
        (put("trunk", [65_536, 65_536]), "a network of 4,"),
        (put("trunk", [8] * 65), "it should have at most 64 items"),
        (put("threads", 10**9), "it should be less than or equal to 1024"),
    ],
)
def test_other_edits_are_one_named_error(
    finished_run: RunFolder, tmp_path: Path, change: Callable[[dict[str, Any]], object], message: str
) -> None:
    copy_of_run(finished_run, tmp_path)
    edit(tmp_path, change)
    with pytest.raises(CheckpointError, match=message) as caught:
        RunFolder.reopen(tmp_path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "7",
        '"run"',
        '{"settings": NaN}',
        "[" * 5_000,
        '{"id": "a", "id": "b"}',
        "1" * 5_000,
        "\x00",
    ],
    ids=lambda text: text[:12],
)
def test_what_is_no_object_of_json_is_one_named_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(CheckpointError, match=r"settings .*run\.json"):
        RunFolder.reopen(tmp_path)


@pytest.mark.parametrize("content", [b"\xff\xfe{}", b'{"a": "\xe9"}'])
def test_what_is_no_text_is_one_named_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "run.json").write_bytes(content)
    with pytest.raises(CheckpointError, match="cannot be read"):
        RunFolder.reopen(tmp_path)


@pytest.mark.parametrize("change", [lambda stored: stored.update(id="other"), lambda stored: stored.pop("id")])
def test_another_id_makes_the_checkpoints_those_of_another_run(
    finished_run: RunFolder, tmp_path: Path, change: Callable[[dict[str, Any]], object]
) -> None:
    copy_of_run(finished_run, tmp_path)
    edit(tmp_path, change)
    with pytest.raises(
        CheckpointError, match=r"no checkpoint in .* can be used: .* belongs to another run.*--start-over"
    ):
        RunFolder.reopen(tmp_path).newest_sound()


def test_another_command_is_refused_like_another_setting(finished_run: RunFolder, tmp_path: Path) -> None:
    copy_of_run(finished_run, tmp_path)
    edit(tmp_path, lambda stored: stored.update(command="python train.py"))
    with pytest.raises(CheckpointError, match="command must stay"):
        RunFolder.reopen(tmp_path).newest_sound()


def test_a_new_run_does_not_take_over_what_is_left_of_another(finished_run: RunFolder, tmp_path: Path) -> None:
    copy_of_run(finished_run, tmp_path)
    (tmp_path / "run.json").unlink()
    before = content(tmp_path)
    with pytest.raises(InvalidOptionError, match=r"of another run, but no run\.json: give another --out"):
        RunFolder.create(tmp_path, finished_run.settings, "")
    with pytest.raises(InvalidOptionError, match="holds no run to resume"):
        RunFolder.reopen(tmp_path)
    assert content(tmp_path) == before


def test_a_folder_with_files_of_other_kinds_takes_a_run(tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text("started")
    run = RunFolder.create(tmp_path, preset("smoke"), "")
    assert RunFolder.reopen(tmp_path).id == run.id


def test_settings_made_in_python_are_checked_as_well() -> None:
    with pytest.raises(InvalidOptionError, match="snapshots=0 is not possible: it should be greater than or"):
        PPOSettings(snapshots=0)
