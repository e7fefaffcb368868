"""A resumed run goes on from its own sound checkpoints, says what it passes over, and deletes nothing else."""

from __future__ import annotations

import errno
import hashlib
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from rich.console import Console
from sb3_contrib import MaskablePPO

from endeavor_env.agents.checkpoint import WEIGHTS, card_path, read_card
from endeavor_env.agents.weights import read_member
from endeavor_env.errors import CheckpointError, InvalidOptionError
from endeavor_env.training.ppo.__main__ import train
from endeavor_env.training.ppo.settings import RunFolder
from endeavor_env.training.runs import running
from endeavor_env.training.runs.running import sole_use
from endeavor_env.training.runs.stored_run import KEEP, step_name
from tests.kits.checkpoints import untrained_checkpoint
from tests.kits.commands import run_command
from tests.training.conftest import copy_of_run

PPO = "endeavor_env.training.ppo"


@pytest.fixture
def folder(finished_run: RunFolder, tmp_path: Path) -> Path:
    """A copy of a finished run that a test may damage."""
    copy_of_run(finished_run, tmp_path)
    return tmp_path


def edit_cards(folder: Path, old: str, new: str) -> None:
    for card in folder.glob("step_*.json"):
        text = card.read_text()
        assert old in text
        card.write_text(text.replace(old, new))


def hashes(folder: Path, pattern: str = "step_*") -> set[str]:
    return {hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob(pattern)}


def another_layout(folder: Path) -> None:
    layout = read_card(folder / step_name(512))["layouts"]["features"]
    edit_cards(folder, layout, "0123456789abcdef")


def cut_off(folder: Path) -> None:
    for path in folder.glob("step_*.zip"):
        path.write_bytes(path.read_bytes()[:-10])


def cards_lost(folder: Path) -> None:
    for path in folder.glob("step_*.json"):
        path.unlink()


def renamed(folder: Path) -> None:
    for path in [*folder.glob("step_*.zip"), *folder.glob("step_*.json")]:
        path.rename(path.with_name(path.name.replace("step_00", "step_07")))


def of_somebody_else(folder: Path) -> None:
    for path in folder.glob("step_*"):
        path.unlink()
    untrained_checkpoint(folder, "standard", step_name(512).removesuffix(".zip"))


UNUSABLE: list[tuple[Callable[[Path], None], str]] = [
    (another_layout, "was made for features layout '0123456789abcdef'"),
    (cut_off, "is truncated or edited"),
    (cards_lost, "cannot be read"),
    (renamed, "another number of decisions in its card than in its name"),
    (of_somebody_else, "belongs to another run"),
]


@pytest.mark.parametrize(("damage", "message"), UNUSABLE, ids=lambda value: getattr(value, "__name__", ""))
def test_a_run_without_a_usable_checkpoint_stops_with_one_line_and_changes_nothing(
    folder: Path, damage: Callable[[Path], None], message: str
) -> None:
    damage(folder)
    before = hashes(folder, "*.*")
    done = run_command(PPO, "--resume", str(folder), "--no-progress")
    assert done.status == 2
    assert done.err.startswith(f"error: no checkpoint in {folder} can be used: ")
    assert done.err.count("\n") == 1
    assert done.err.count(message) == len(list(folder.glob("step_*.zip")))
    assert "--out" in done.err
    assert "--start-over" in done.err
    (folder / running.LOCK).unlink()
    assert hashes(folder, "*.*") == before


def test_starting_over_begins_at_0_and_keeps_every_earlier_checkpoint(folder: Path) -> None:
    another_layout(folder)
    before = hashes(folder)
    run = RunFolder.reopen(folder)
    first_id = run.id
    done = run_command(PPO, "--resume", str(folder), "--start-over", "--no-progress")
    assert done.status == 0, done.err
    run = RunFolder.reopen(folder)
    assert run.id != first_id
    assert run.newest_sound() == (folder / step_name(1_024), [])
    assert before < hashes(folder) | hashes(folder, "kept-*")
    assert {path.name for path in folder.glob("kept-*.zip")} == {
        f"kept-1-{name}" for name in (step_name(512), step_name(1_024), "policy.zip")
    }


def test_a_run_that_goes_on_below_damaged_checkpoints_keeps_what_it_saves_and_them(folder: Path) -> None:
    (folder / step_name(1_024)).write_bytes(b"damaged")
    untrained_checkpoint(folder, "standard", step_name(900_000).removesuffix(".zip"))
    kept = hashes(folder, f"{step_name(900_000)[:-4]}*")
    stored = json.loads((folder / "run.json").read_text())
    stored["settings"] |= {"steps": 512 * (KEEP + 3), "checkpoint_every": 512}
    (folder / "run.json").write_text(json.dumps(stored))
    run = RunFolder.reopen(folder)
    train(run, Console(quiet=True), progress=False)
    assert (folder / f"kept-1-{step_name(1_024)}").read_bytes() == b"damaged"
    own = [path.name for path in run.checkpoints() if path.name != step_name(900_000)]
    assert own == [step_name(512 * number) for number in range(4, KEEP + 4)]
    assert hashes(folder, f"{step_name(900_000)[:-4]}*") == kept
    assert run.newest_sound()[0] == folder / own[-1]


def test_a_resumed_run_says_what_it_passes_over(folder: Path) -> None:
    (folder / "policy.zip").unlink()
    newest = folder / step_name(1_024)
    newest.write_bytes(newest.read_bytes()[:-1])
    printed = io.StringIO()
    train(RunFolder.reopen(folder), Console(file=printed, width=40), progress=False)
    assert f"Passing over: checkpoint {newest} is truncated or edited" in printed.getvalue()
    assert f"Resuming from {folder / step_name(512)}, 512 of 1,024 decisions done." in printed.getvalue()


def test_a_card_whose_zip_was_never_put_in_place_is_no_checkpoint(folder: Path) -> None:
    (folder / step_name(1_024)).unlink()
    assert RunFolder.reopen(folder).newest_sound() == (folder / step_name(512), [])


def test_a_kill_between_zip_and_card_leaves_no_zip_without_a_card(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def killed(*_: object) -> None:
        raise Killed

    monkeypatch.setattr("endeavor_env.training.runs.stored_run.write_card", killed)
    for path in [*folder.glob("step_*.zip"), folder / "policy.zip"]:
        path.unlink()
        card_path(path).unlink()
    with pytest.raises(Killed):
        train(RunFolder.reopen(folder), Console(quiet=True), progress=False)
    assert not list(folder.glob("step_*"))


def test_a_second_user_of_a_folder_is_refused_until_the_first_is_done(tmp_path: Path) -> None:
    with (
        sole_use(tmp_path),
        pytest.raises(InvalidOptionError, match="another process is training in"),
        sole_use(tmp_path),
    ):
        pass
    with sole_use(tmp_path):
        pass


@pytest.mark.skipif(sys.platform == "win32", reason="flock")
def test_a_file_system_without_locks_is_said_and_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_locks(*_: object) -> None:
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr("fcntl.flock", no_locks)
    with sole_use(tmp_path):
        pass
    assert "cannot be locked (Function not implemented)" in capsys.readouterr().err


def test_a_folder_that_is_gone_cannot_be_locked(tmp_path: Path) -> None:
    with pytest.raises(InvalidOptionError, match="cannot be written"), sole_use(tmp_path / "gone"):
        pass


def test_sb3s_loader_is_never_asked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unpickle(*_: object, **__: object) -> None:
        raise AssertionError("SB3 unpickles")

    monkeypatch.setattr("sb3_contrib.MaskablePPO.load", unpickle)
    monkeypatch.setattr("stable_baselines3.common.base_class.load_from_zip_file", unpickle)
    run = RunFolder.reopen(folder)
    assert train(run, Console(quiet=True), progress=False).exists()


def stop(*_: object) -> None:
    raise KeyboardInterrupt


def assert_same_weights(one: Path, other: Path) -> None:
    """Check the weights of two checkpoints; their bytes differ by the times that a zip has in it."""
    mine, theirs = (read_member(path, WEIGHTS, 1 << 24) for path in (one, other))
    assert mine.keys() == theirs.keys() != set()
    assert all(torch.equal(tensor, theirs[name]) for name, tensor in mine.items())


@pytest.mark.parametrize("checkpoint_every", [700, 1_000_000])
def test_a_run_stopped_in_its_evaluation_games_is_only_evaluated_when_it_is_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, checkpoint_every: int
) -> None:
    folder = tmp_path / "run"
    with monkeypatch.context() as patch:
        patch.setattr("endeavor_env.training.evaluate.measure", stop)
        more = "--set", f"checkpoint_every={checkpoint_every}", "--set", "evaluation_games=60"
        done = run_command(PPO, "--preset", "smoke", "--steps", "1024", *more, "--out", str(folder), "--no-progress")
    assert done.status == 130, done.err
    before = hashes(folder, "*.zip")
    assert_same_weights(folder / step_name(1_024), folder / "policy.zip")
    done = run_command(PPO, "--resume", str(folder), "--no-progress")
    assert done.status == 0, done.err
    assert f"Trained before: {folder / 'policy.zip'}." in done.out
    assert hashes(folder, "*.zip") == before
    assert read_card(folder / "policy.zip")["results"]


def test_a_run_that_is_killed_after_its_last_update_only_writes_its_network(folder: Path) -> None:
    final = (folder / "policy.zip").read_bytes()
    (folder / "policy.zip").unlink()
    train(RunFolder.reopen(folder), Console(quiet=True), progress=False)
    assert_same_weights(folder / "policy.zip", folder / step_name(1_024))
    (folder / "policy.zip").write_bytes(final)
    assert_same_weights(folder / "policy.zip", folder / step_name(1_024))


def test_the_network_of_fewer_decisions_or_of_other_settings_is_not_the_last_one(folder: Path) -> None:
    run = RunFolder.reopen(folder)
    assert run.finished() == folder / "policy.zip"
    assert RunFolder(folder, run.settings.replace(steps=1_025), run.command, run.id).finished() is None
    assert RunFolder(folder, run.settings, run.command, "another").finished() is None
    with pytest.raises(CheckpointError, match=r"was changed after policy\.zip was saved: gamma must stay"):
        RunFolder(folder, run.settings.replace(gamma=0.5), run.command, run.id).finished()


def test_a_run_is_given_more_decisions_when_it_is_resumed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rates: list[float] = []
    learn = MaskablePPO.train

    def noting(model: MaskablePPO) -> None:
        learn(model)
        rates.append(model.policy.optimizer.param_groups[0]["lr"])

    monkeypatch.setattr(MaskablePPO, "train", noting)
    done = run_command(PPO, "--resume", str(folder), "--steps", "2048", "--no-progress")
    assert done.status == 0, done.err
    assert "1,024 of 2,048 decisions done" in done.out
    run = RunFolder.reopen(folder)
    assert run.settings.steps == read_card(folder / "policy.zip")["training"]["steps"] == 2_048
    assert run.finished() == folder / "policy.zip"
    first, last = run.settings.learning_rate, run.settings.last_learning_rate
    assert rates == pytest.approx([first - 0.75 * (first - last), last])
    before = hashes(folder, "*.*")
    for steps in ("2048", "1"):
        done = run_command(PPO, "--resume", str(folder), "--steps", steps, "--no-progress")
        assert (done.status, done.err.count("\n")) == (2, 1)
        assert f"--steps {steps} is not possible: the run has 2048 decisions, give more or none" in done.err
    done = run_command(PPO, "--resume", str(folder), "--steps", str(10**12), "--no-progress")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert hashes(folder, "*.*") == before


def test_cards_name_the_hours_of_all_parts_of_a_run(folder: Path) -> None:
    for path in folder.glob("step_*.json"):
        card = json.loads(path.read_text())
        assert 0 <= card["training"]["hours"] < 1
        card["training"]["hours"] = 7.5
        path.write_text(json.dumps(card))
    (folder / "policy.zip").unlink()
    final = train(RunFolder.reopen(folder), Console(file=io.StringIO()), progress=False)
    assert 7.5 <= read_card(final)["training"]["hours"] < 8.5
