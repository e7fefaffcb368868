"""The profile measures a run as it is: clocks that nest, change nothing, and are taken off afterwards."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from rich.console import Console

from agents.checkpoint import load_network
from endeavor_env.core.batch import turn as turn_kernel
from endeavor_env.sb3 import EndeavorVecEnv
from tests.kits.commands import run_command
from training.clocks import BUFFER, COMPILED, GRADIENTS, NETWORKS, OBSERVATIONS, PARTS, ROLLOUTS, RULES, Clocks
from training.ppo import train
from training.presets import preset
from training.profile import profile
from training.run_folder import RunFolder
from training.stored_run import FINAL

COMPARED = (RULES, OBSERVATIONS, COMPILED)  # so short a run gives no more than a guess at how these divide
SETTINGS = replace(preset("smoke"), steps=1_024, evaluation_games=60)


def test_a_clock_leaves_out_what_other_clocks_inside_it_measure_and_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    clocks = Clocks()

    def pass_(seconds: float) -> None:
        now[0] += seconds

    inner = clocks.around(lambda: pass_(2.0), OBSERVATIONS)

    def work() -> None:
        pass_(1.0)
        inner()
        clocks.pause(lambda: pass_(8.0))
        inner()

    clocks.around(work, RULES)()
    assert (clocks.seconds[RULES], clocks.seconds[OBSERVATIONS], clocks.paused) == (1.0, 4.0, 8.0)


def test_a_clock_stops_when_the_call_fails() -> None:
    clocks = Clocks()

    def fail() -> None:
        raise KeyError

    with pytest.raises(KeyError):
        clocks.around(fail, RULES)()
    assert clocks.seconds[RULES] > 0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("profile")


def test_a_profiled_run_learns_what_the_same_run_does_without_clocks(folder: Path) -> None:
    before = (EndeavorVecEnv.step_wait, turn_kernel.turn)
    result = profile(SETTINGS, folder)
    assert (EndeavorVecEnv.step_wait, turn_kernel.turn) == before
    plain = train(RunFolder.create(folder / "plain", SETTINGS, ""), Console(quiet=True), progress=False)
    (ours, _), (theirs, _) = load_network(folder / "run" / FINAL), load_network(plain)
    for name, weights in ours.state_dict().items():
        assert torch.equal(weights, theirs.state_dict()[name]), name
    seconds = {row["part"]: row["seconds"] for row in result["parts"]}
    assert tuple(seconds) == PARTS
    assert all(seconds[part] > 0 for part in PARTS if part not in (*COMPARED, ROLLOUTS))
    assert seconds[ROLLOUTS] == 0  # this run asks its environments
    assert min(seconds.values()) >= 0
    assert sum(seconds.values()) == pytest.approx(result["seconds"])
    assert 0 < result["environment_share"] < 1


def test_rollouts_inside_the_kernels_are_a_part_of_their_own(tmp_path: Path) -> None:
    settings = replace(preset("refine-smoke"), steps=1_024)
    seconds = {row["part"]: row["seconds"] for row in profile(settings, tmp_path)["parts"]}
    assert seconds[ROLLOUTS] > 0
    assert seconds[GRADIENTS] > 0


def test_the_command_prints_a_table_and_writes_the_figures(tmp_path: Path) -> None:
    file = tmp_path / "profile.json"
    arguments = ["--preset", "smoke", "--variant", "solo", "--steps", "512", "--json", str(file)]
    shown = run_command("training.profile", *arguments)
    assert shown.status == 0, shown.err
    assert all(word in shown.out for word in ("environment: rules", "learner: gradient steps", "100.0%"))
    figures = json.loads(file.read_text())
    seconds = {row["part"]: row["seconds"] for row in figures["parts"]}
    assert (seconds[NETWORKS], seconds[COMPILED]) == (0.0, 0.0)  # nobody else plays
    assert seconds[GRADIENTS] > 0
    assert seconds[BUFFER] > 0
    assert (figures["settings"]["variant"], figures["settings"]["steps"]) == ("solo", 512)
    assert {"torch", "sb3_contrib"} <= set(figures["versions"])
