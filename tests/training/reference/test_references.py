"""A run under a budget leaves a network that plays, and says what it used; several runs go on where they stopped."""

from __future__ import annotations

import itertools
import json
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from endeavor_env.agents.registry import make_agent
from endeavor_env.bench.submissions import read_about
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.errors import EndeavorError
from endeavor_env.training.dataset import Settings, make_dataset
from endeavor_env.training.ppo.settings import PRESETS
from endeavor_env.training.reference import cloning, methods, ppo, run, td
from endeavor_env.training.reference.methods import METHODS
from endeavor_env.training.reference.run import TASKS, Reference, read_track, wins
from endeavor_env.training.runs.running import sole_use
from endeavor_env.training.td.games import SeatedPlayer
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


def test_the_command_ends_with_the_one_that_makes_a_row(tmp_path: Path) -> None:
    out = tmp_path / "a run"
    done = endeavor(
        *("train", "reference", "td", "--track", "decisions-2k", "--task", "table-3"),
        *("--points", "1", "--games", "3", "--out", str(out)),
    )
    assert done.status == 0, done.err
    following, *command = shlex.split(done.out.splitlines()[-1])
    assert (following, command[:3]) == ("Next:", ["endeavor", "bench", "run"])
    options = dict(zip(command[3::2], command[4::2], strict=True))
    assert options["--task"] == "table-3"
    game = GameConfig(players=3).new_game(seed=5)
    assert game.mask()[make_agent(options["--agent"]).act(game)]
    assert read_about(Path(options["--about"]), "agent").to_dict()["method"] == "td"


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


def test_a_curve_keeps_what_is_learned_from_the_same_decisions_in_later_parts_of_the_budget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]
    monkeypatch.setattr(run, "cpu_seconds", lambda: clock[0])
    reference = Reference(tmp_path, "cloning", "table-3", 1, read_track("cpu-10s"), "", 4, 3)
    reference.budget.decisions = 500
    for clock[0] in (1.0, 2.4, 2.6, 5.1, 5.2, 7.6):  # a quarter of the budget is 2.5 s
        reference.watch(lambda: SeatedPlayer("greedy"))
    clock[0] = 8.0
    reference.finish_value(tmp_path / "value.npz", lambda: SeatedPlayer("greedy"), {})
    curve = json.loads((tmp_path / "reference.json").read_text())["curve"]
    assert [point["cpu_seconds"] for point in curve] == [1.0, 2.6, 5.1, 8.0], "the last is within half a step"
    assert {point["decisions"] for point in curve} == {500}


@pytest.mark.parametrize("command", ["train 'it''s' \"q\"", "back\\slash\ttab\x7f\x00\n", "Zürich 🎲", "half \udcff"])
def test_what_a_row_says_of_the_training_can_be_read_whatever_the_command_was(command: str, tmp_path: Path) -> None:
    track = read_track("decisions-9k")
    reference = Reference(tmp_path, "td", "table-3", 1, track, command, 1, 3)
    reference._finish("value", tmp_path / "value.npz", reference.budget.to_dict(), {}, "greedy")
    about = read_about(tmp_path / "about.toml", "agent").to_dict()
    assert about["training"]["command"] == command.replace("\udcff", "\\udcff")
    assert (about["name"], about["method"]) == ("TD value network", "td")
    assert about["training"]["teachers"] == "greedy"


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


def test_cloning_reads_all_of_a_corpus_again_where_time_is_left_and_counts_each_decision_once() -> None:
    rng = np.random.default_rng(3)
    read = list(itertools.islice(cloning._shards([4, 5, 6], rng, once=False), 9))
    passes = [[shard for shard, _ in read[begin : begin + 3]] for begin in (0, 3, 6)]
    assert [sorted(one) for one in passes] == [[4, 5, 6]] * 3
    assert len({tuple(one) for one in passes}) > 1, "each pass has an order of its own"
    assert [is_new for _, is_new in read] == [True] * 3 + [False] * 6
    assert len(list(cloning._shards([4, 5, 6], rng, once=True))) == 3


def test_cloning_in_a_time_goes_on_after_the_last_decision_of_a_small_corpus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_dataset(Settings((("greedy",) * 3,), games=12, shard_games=4, observation="compact"), tmp_path / "data")
    dataset = cloning.read(tmp_path / "data")
    training = [dataset.load(shard) for shard in cloning.splits_of(dataset)["training"]]
    reference, laps = run_of(tmp_path, "cloning", "cpu-9s"), iter([True] * 3 * len(training))
    monkeypatch.setattr(reference.budget, "another_lap", lambda _: next(laps, False))
    cloning.train(reference, tmp_path / "data")
    assert next(laps, None) is None, "the corpus was read three times"
    assert reference.budget.decisions == sum(int((shard.legal().sum(axis=1) > 1).sum()) for shard in training)


def test_a_known_player_wins_as_often_as_it_does() -> None:
    shares = wins(SeatedPlayer("greedy"), 3, 60)
    assert shares["random"] > 0.9
    assert shares["greedy"] == 0.3333, "whole set-ups among itself are shared out"


@pytest.mark.parametrize("left", ["run", "policy.npz", "about.toml"])
def test_a_run_that_was_stopped_does_not_go_on_and_is_not_deleted(left: str, tmp_path: Path) -> None:
    (tmp_path / left).mkdir()
    done = endeavor("train", "reference", "td", "--out", str(tmp_path))
    assert (done.status, done.out) == (2, "")
    sentence = f"{tmp_path} holds '{left}' of a training that was stopped and cannot go on: delete the folder"
    assert done.err == f"error: {sentence}, or give another --out\n"
    assert [file.name for file in tmp_path.iterdir()] == [left]


def test_two_runs_do_not_train_in_one_folder(tmp_path: Path) -> None:
    with sole_use(tmp_path):
        done = endeavor("train", "reference", "td", "--out", str(tmp_path))
    assert done.status == 2
    assert "another process is training in" in done.err


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
        module, _, function = method.train.removeprefix("endeavor_env.").partition(":")
        assert f"def {function}(" in (root / f"{module.replace('.', '/')}.py").read_text()
    assert TASKS == {"table-3": 3, "table-4": 4, "table-5": 5}
