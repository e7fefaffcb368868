"""Runs on RLlib: trained, stopped, killed, resumed, and on a cluster that loses a machine."""
# pyright: reportMissingImports=false

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from rich.console import Console

from endeavor_env.agents.players.learned import LearnedAgent
from endeavor_env.errors import CheckpointError
from endeavor_env.training.rllib.folder import LEARNER, RLlibRunFolder, RLlibSettings, rllib_preset
from endeavor_env.training.runs.stored_run import SETTINGS, steps_of
from tests.kits.commands import run_command
from tests.kits.rllib import WHY_NOT

pytest.importorskip("ray", reason=WHY_NOT)
import ray
from ray.cluster_utils import Cluster

from endeavor_env.training.rllib.algorithm import make_algorithm
from endeavor_env.training.rllib.train import Rounds, train
from endeavor_env.training.runs.ray_machines import Machines

pytestmark = pytest.mark.filterwarnings("ignore")  # Ray's own
SMOKE = rllib_preset("smoke", "standard").replace(steps=1_024, checkpoint_every=512, players=(3,))
ALONE = Machines(env_runners=0)
ROOT = Path(__file__).resolve().parents[2]
QUIET = Console(quiet=True)


@pytest.fixture(scope="module")
def local_ray() -> Iterator[None]:
    with ALONE.connected():
        yield


@pytest.fixture(scope="module")
def trained(local_ray: None, tmp_path_factory: pytest.TempPathFactory) -> RLlibRunFolder:
    """A run of 1,024 decisions in one process."""
    run = RLlibRunFolder.create(tmp_path_factory.mktemp("runs") / "run", SMOKE, "python -m endeavor_env.training.rllib")
    train(run, ALONE, QUIET, progress=False)
    return run


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "endeavor_env.training.rllib", "--no-progress", "--preset", "smoke", *arguments]


def test_a_run_leaves_checkpoints_states_curves_and_the_final_policy(trained: RLlibRunFolder) -> None:
    assert len(trained.checkpoints()) == 2
    assert list(trained.tensorboard.glob("events*"))
    assert not list(trained.path.glob("*partial*"))
    final = LearnedAgent(trained.path / "policy.zip")
    assert final.card["training"]["steps"] >= SMOKE.steps


def test_a_resumed_run_goes_on_from_weights_counts_and_learning_rate(trained: RLlibRunFolder, tmp_path: Path) -> None:
    settings = SMOKE.replace(steps=10_000)
    run = copy_of(trained, tmp_path, settings)
    newest, faults = run.newest_sound()
    assert newest is not None
    assert faults == []
    rounds = Rounds(make_algorithm(settings, ALONE, seed=1), run, steps_of(newest), QUIET)
    rounds.restore(newest)
    with torch.no_grad():
        exported = LearnedAgent(newest).network.action_net.weight
        torch.testing.assert_close(rounds.weights()["action_net.weight"], exported, rtol=0, atol=0)
    rounds.play()
    rounds.close()
    assert rounds.done >= steps_of(newest) + settings.train_batch_size
    left = 1 - 0.9 * steps_of(newest) / settings.steps
    assert rounds.points["train/learning_rate"] == pytest.approx(settings.learning_rate * left, rel=0.06)


def test_resuming_a_run_trains_what_is_left(trained: RLlibRunFolder, tmp_path: Path) -> None:
    longer = SMOKE.replace(steps=1_500)
    run = copy_of(trained, tmp_path, longer)
    before = LearnedAgent(run.path / "policy.zip").card["weights"]
    final = LearnedAgent(train(run, ALONE, QUIET, progress=False))
    assert longer.steps <= final.card["training"]["steps"] < longer.steps + 2 * longer.train_batch_size
    assert final.card["weights"] != before


def test_a_run_goes_on_below_checkpoints_without_their_state_and_keeps_them(
    trained: RLlibRunFolder, tmp_path: Path
) -> None:
    run = copy_of(trained, tmp_path, SMOKE)
    oldest, newest = run.checkpoints()
    (newest.with_suffix("") / "algorithm_state.pkl").unlink()
    kept, printed = newest.read_bytes(), io.StringIO()
    train(run, ALONE, Console(file=printed, width=1_000), progress=False)
    assert (
        f"Passing over: the state {newest.with_suffix('')} of checkpoint {newest.name} is damaged" in printed.getvalue()
    )
    assert f"Resuming from {oldest}" in printed.getvalue()
    assert kept in {path.read_bytes() for path in run.path.glob("*.zip")}


def test_starting_over_begins_at_0_and_keeps_every_earlier_checkpoint(trained: RLlibRunFolder, tmp_path: Path) -> None:
    run = copy_of(trained, tmp_path, SMOKE)
    before = {path.read_bytes() for path in run.path.glob("*.zip")}
    train(run, ALONE, QUIET, progress=False, start_over=True)
    again = RLlibRunFolder.reopen(run.path)
    assert again.id == run.id != trained.id
    assert again.newest_sound()[0] is not None
    assert before < {path.read_bytes() for path in run.path.glob("*.zip")}


def test_a_state_that_ray_cannot_read_is_one_named_error(trained: RLlibRunFolder, tmp_path: Path) -> None:
    run = copy_of(trained, tmp_path, SMOKE)
    newest, _ = run.newest_sound()
    assert newest is not None
    for file in newest.with_suffix("").rglob("*.pkl"):
        file.write_bytes(b"of another Ray")
    rounds = Rounds(make_algorithm(SMOKE, ALONE, seed=1), run, steps_of(newest), QUIET)
    with pytest.raises(CheckpointError, match=r"cannot be resumed: Ray .* does not read its state"):
        rounds.restore(newest)
    rounds.close()


def copy_of(run: RLlibRunFolder, folder: Path, settings: RLlibSettings) -> RLlibRunFolder:
    """Copy a run into a folder, with other values of settings that may be edited."""
    shutil.copytree(run.path, folder / "run")
    file = folder / "run" / SETTINGS
    file.write_text(json.dumps(json.loads(file.read_text()) | {"settings": settings.to_dict()}))
    return RLlibRunFolder.reopen(folder / "run")


def test_the_solitaire_game_is_trained_with_all_difficulties(local_ray: None, tmp_path: Path) -> None:
    settings = rllib_preset("smoke", "solo").replace(steps=512)
    run = RLlibRunFolder.create(tmp_path / "run", settings, "")
    assert LearnedAgent(train(run, ALONE, QUIET, progress=False)).variant == "solo"


def test_seats_may_be_played_by_compiled_players(local_ray: None, tmp_path: Path) -> None:
    settings = SMOKE.replace(steps=512, opponents=((LEARNER, 1.0), ("greedy", 0.5), ("random", 0.5)))
    run = RLlibRunFolder.create(tmp_path / "run", settings, "")
    assert LearnedAgent(train(run, ALONE, QUIET, progress=False)).variant == "standard"


@pytest.mark.slow
def test_a_run_goes_on_when_a_machine_of_the_cluster_is_lost_and_uses_a_new_one(tmp_path: Path) -> None:
    ray.shutdown()
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    second = cluster.add_node(num_cpus=1)
    try:
        machines = Machines(address=cluster.address, env_runners=2)
        with machines.connected():
            run = RLlibRunFolder.create(tmp_path / "run", SMOKE, "")
            rounds = Rounds(make_algorithm(SMOKE, machines, seed=0), run, 0, QUIET)
            play_until(rounds, runners=2)
            cluster.remove_node(second, allow_graceful=False)
            play_until(rounds, runners=1)
            cluster.add_node(num_cpus=1)
            play_until(rounds, runners=2)
            rounds.close()
    finally:
        cluster.shutdown()


def play_until(rounds: Rounds, runners: int) -> None:
    """Play until so many runners are at work, and then three rounds more."""
    deadline = time.monotonic() + 120
    while rounds.points.get("time/environment_runners") != runners:
        assert time.monotonic() < deadline, f"there were never {runners} runners"
        rounds.play()
    before = rounds.done
    for _ in range(3):
        rounds.play()
    assert rounds.done >= before + 3 * SMOKE.train_batch_size
    assert rounds.points["time/environment_runners"] == runners


REFUSED: list[tuple[list[str], str]] = [
    (["--preset", "huge"], "preset 'huge' is unknown"),
    (["--variant", "chess"], "variant 'chess' is not trained"),
    (["--players", "6"], "players=(6,) is not possible: it should be 3, 4 or 5, or several of them"),
    (["--variant", "solo", "--players", "3"], "players=(3,) is not possible: it should be a list of the number 1"),
    (["--variant", "solo", "--opponent", "greedy=1"], "nobody else has a seat"),
    (["--opponent", "greedy"], "write it as name=weight"),
    (["--opponent", "greedy=much"], "write it as name=weight"),
    (["--opponent", "greedy=nan"], "('greedy', nan)) is not possible"),
    (["--opponent", "robot=1"], "agent 'robot' is unknown"),
    (["--opponent", "checkpoint:nowhere=1"], "nowhere"),
    (["--steps", "0"], "steps=0 is not possible"),
    (["--seed", "-1"], "seed=-1 is not possible"),
    (["--seed", "4294967296"], "seed=4294967296 is not possible: it should be less than 4294967296"),
    (["--out", "/dev/null/run"], "cannot be the folder of a run: Not a directory"),
    (["--start-over"], "a new run starts at 0 anyway"),
    (["--env-runners", "-1"], "--env-runners -1 is not possible"),
    (["--learners", "-1"], "--learners -1 is not possible"),
    (["--learners", "2"], "--learners 2 is not possible: RLlib fails to divide"),
    (["--num-cpus", "1"], "take 2 CPUs: --num-cpus allows 1"),
    (["--num-cpus", "4", "--address", "auto"], "leave it out with --address"),
    (["--address", "somewhere"], "--address 'somewhere' is not possible"),
    (["--resume", "nowhere"], "holds no run to resume"),
    (["--resume", "nowhere", "--steps", "5"], "was begun with: leave out --steps"),
]


@pytest.mark.parametrize(("arguments", "why"), REFUSED, ids=[" ".join(arguments) for arguments, _ in REFUSED])
def test_wrong_arguments_are_one_sentence_before_ray_starts(
    arguments: list[str], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("ray.init", lambda *_, **__: pytest.fail("Ray was started"))
    done = run_command("endeavor_env.training.rllib", *arguments)
    assert (done.status, done.out) == (2, "")
    assert why in done.err
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_cluster_that_does_not_answer_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = command("--address", "127.0.0.1:1", "--out", "run")
    ran = subprocess.run(done, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "error: no Ray cluster can be joined at 127.0.0.1:1" in ran.stderr
    assert "Traceback" not in ran.stderr
    assert not list(tmp_path.iterdir())


def test_ctrl_c_leaves_a_checkpoint_and_says_how_to_go_on(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    running = subprocess.Popen(
        command("--steps", "1000000", "--env-runners", "1", "--out", str(folder)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment(),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    deadline = time.monotonic() + 120
    while not list(folder.glob("tensorboard/events*")) and running.poll() is None and time.monotonic() < deadline:
        time.sleep(0.2)
    running.send_signal(signal.SIGINT)
    printed, _ = running.communicate(timeout=120)
    assert running.returncode == 130, printed
    assert "Traceback" not in printed
    assert f"stopped; continue with: python -m endeavor_env.training.rllib --resume {folder}\n" in printed
    assert RLlibRunFolder.reopen(folder).newest_sound()[0] is not None


def environment() -> dict[str, str]:
    """Return the environment of a command that runs outside the checkout."""
    return os.environ | {"COLUMNS": "200", "PYTHONPATH": str(ROOT)}
