"""A run under a budget leaves a network that plays, and says what it used; several runs go on where they stopped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from endeavor_env.agents.registry import make_agent
from endeavor_env.bench.submissions import read_about
from endeavor_env.errors import EndeavorError
from endeavor_env.game.config import GameConfig
from endeavor_env.rails.kernels.network import NetworkArrays
from endeavor_env.training.dataset import Settings, make_dataset
from endeavor_env.training.ppo.settings import PRESETS
from endeavor_env.training.reference import cloning, many, methods, ppo, td
from endeavor_env.training.reference.budget import read_track
from endeavor_env.training.reference.methods import METHODS
from endeavor_env.training.reference.run import Reference
from endeavor_env.training.reference.tables import TASKS, wins
from endeavor_env.training.td.games import Seated
from tests.cli.endeavor import endeavor


def run_of(folder: Path, method: str, track: str = "decisions-9k") -> Reference:
    """Return a run of one measurement on the way."""
    return Reference(folder / "run", method, "table-3", 1, read_track(track), f"train {method}", 1, 3)


def check(reference: Reference, path: Path) -> dict[str, Any]:
    """Check what a run of at most 9,000 decisions left; return its result."""
    result = json.loads((reference.folder / "reference.json").read_text())
    assert 0 < result["decisions"] <= 9_000
    assert result["cpu_seconds"] > 0
    assert [point["decisions"] for point in result["curve"]][-1] == result["decisions"]
    assert all(0 <= point[rival] <= 1 for point in result["curve"] for rival in ("random", "greedy"))
    player, _, file = result["agent"].partition(":")
    assert reference.folder / file == path
    game = GameConfig(players=3).new_game(seed=5)
    assert game.mask()[make_agent(f"{player}:{path}").act(game)]
    about = read_about(reference.folder / "about.toml", "agent").to_dict()
    assert about["method"] == reference.method
    told = {name: result[name] for name in ("seed", "cpu_seconds", "decisions", "command", "teachers")}
    assert about["training"] == {"track": "open", **told}
    return result


def test_maskable_ppo_stops_before_its_budget_is_spent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ppo, "preset", lambda _: PRESETS["smoke"])
    reference = run_of(tmp_path, "maskable-ppo", "decisions-2k")
    result = check(reference, ppo.train(reference))
    assert result["decisions"] == 3 * 512, "rollouts: a fourth one would go beyond 2,000"
    assert result["teachers"] == ""


def test_the_value_network_learns_as_long_as_its_budget_lasts(tmp_path: Path) -> None:
    reference = run_of(tmp_path, "td")
    result = check(reference, td.train(reference))
    assert result["decisions"] > 5_000
    assert not (reference.folder / "run" / "replay.npz").exists()


def test_weights_that_are_not_finite_are_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logits, value = np.ones((2, 6), np.float32), np.ones((2, 6), np.float32)
    value[1, 3] = np.nan
    reference = run_of(tmp_path, "maskable-ppo")
    reference.budget.decisions = 1_234
    words = (
        "maskable-ppo with seed 1 ended with weights that are not finite, after 1,234 decisions: it leaves no result"
    )
    with pytest.raises(EndeavorError, match=f"^{words}$"):
        reference.write_policy(NetworkArrays(*logits.T), NetworkArrays(*value.T), {})
    assert list(reference.folder.iterdir()) == []
    monkeypatch.setattr(
        td.BudgetedRun, "learn", lambda self, reference: self._learner.model.layers[0].bias.data.fill_(np.inf)
    )
    with pytest.raises(EndeavorError, match="td with seed 1 ended with weights that are not finite"):
        td.train(run_of(tmp_path, "td"))
    assert not list(reference.folder.rglob("*.npz"))


@pytest.mark.parametrize("command", ["train 'it''s' \"q\"", "back\\slash\ttab\x7f\x00\n", "Zürich 🎲", "half \udcff"])
def test_what_a_row_says_of_the_training_can_be_read_whatever_the_command_was(command: str, tmp_path: Path) -> None:
    track = read_track("decisions-9k")
    reference = Reference(tmp_path, "td", "table-3", 1, track, command, 1, 3)
    reference._finish("value", tmp_path / "value.npz", reference.budget.to_dict(), {}, "greedy")
    about = read_about(tmp_path / "about.toml", "agent").to_dict()
    assert about["training"]["command"] == command.replace("\udcff", "\\udcff")
    assert (about["name"], about["training"]["teachers"]) == ("td", "greedy")


def test_cloning_learns_from_the_games_of_a_dataset(tmp_path: Path) -> None:
    make_dataset(Settings((("greedy",) * 3,), games=30, shard_games=9, observation="compact"), tmp_path / "data")
    reference = run_of(tmp_path, "cloning")
    result = check(reference, cloning.train(reference, tmp_path / "data"))
    assert result["teachers"] == "greedy"
    shard = cloning.read(tmp_path / "data").load(0)
    taught = cloning.taught(cloning.read(tmp_path / "data"), shard)
    chosen = shard.legal().sum(axis=1) > 1
    assert (taught.choices["action"] == shard.actions[chosen]).all()
    assert (taught.states["seat"] == shard.seats[chosen]).all()


def test_a_known_player_wins_as_often_as_it_does() -> None:
    shares = wins(Seated("greedy"), 3, 60)
    assert shares["random"] > 0.9
    assert shares["greedy"] == 0.3333, "whole set-ups among itself are shared out"


def test_runs_that_are_done_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[many.Job] = []

    class Process:
        returncode = 3

        def poll(self) -> int:
            return self.returncode

    def begin(job: many.Job, out: Path, arguments: Any, pythons: Any) -> Any:
        begun.append(job)
        job.folder(out).mkdir(parents=True, exist_ok=True)
        if job.seed == 0:
            (job.folder(out) / "reference.json").touch()
        return Process()

    monkeypatch.setattr(many, "_begin", begin)
    monkeypatch.setattr(many, "_WAIT", 0.0)
    jobs = [many.Job("td", "cpu-10min", seed) for seed in range(2)]
    assert many.run_all(jobs, tmp_path, [], {}, 2) == 1
    assert begun == jobs
    assert many.run_all(jobs, tmp_path, [], {}, 2) == 1
    assert begun == [*jobs, jobs[1]]


def test_the_command_refuses_a_folder_with_a_result(tmp_path: Path) -> None:
    (tmp_path / "reference.json").touch()
    done = endeavor("train", "reference", "td", "--out", str(tmp_path))
    assert done.status == 2
    assert "holds the result of a run already" in done.err


def test_a_missing_library_is_named_with_what_installs_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(methods, "is_installed", lambda library: library != "tianshou")
    done = endeavor("train", "reference", "dqn", "--out", str(tmp_path / "new"))
    assert done.status == 2
    assert "method dqn needs tianshou, which is not installed: pip install -r tests/clients/tianshou.txt" in done.err
    assert not (tmp_path / "new").exists()


def test_every_method_has_a_module_and_the_tasks_their_seats() -> None:
    root = Path(__file__).resolve().parents[3]
    for method in METHODS.values():
        assert (root / "training" / "reference" / f"{method.module.rpartition('.')[2]}.py").exists()
    assert TASKS == {"table-3": 3, "table-4": 4, "table-5": 5}
