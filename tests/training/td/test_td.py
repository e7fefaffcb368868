"""Training value networks: recorded games and their targets, the positions to learn from, runs and their resumption."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
import torch
from rich.console import Console

from endeavor_env import Board, Game
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.learning.self_play import (
    MOMENT,
    RECORDS_POSITIONS,
    RECORDS_VALUES,
    write_all_inputs,
    write_targets,
)
from endeavor_env.endeavor.observation import layout_for
from endeavor_env.endeavor.players.network_file import VALUE_NETWORKS, num_inputs
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.errors import CheckpointError, InvalidOptionError
from endeavor_env.search import Positions
from endeavor_env.training.exploit import exploiter_settings, report
from endeavor_env.training.runs.layers import DivergedError
from endeavor_env.training.td.__main__ import train
from endeavor_env.training.td.adapter import EndeavorAdapter
from endeavor_env.training.td.evaluation import evaluate
from endeavor_env.training.td.folder import REPLAY, TDRunFolder
from endeavor_env.training.td.games import (
    LEARNER_CODE,
    EndeavorPopulation,
    SeatedPlayer,
    fixtures_of,
    play,
    with_targets,
)
from endeavor_env.training.td.games import PlayerMix as Seats
from endeavor_env.training.td.learner import Replay, ValueLearner
from endeavor_env.training.td.settings import ALONE, GAMES, LEARNER, SNAPSHOT, TDSettings, preset
from endeavor_env.training.td.workers import ThreadWorkers
from tests.kits.networks import network_file, random_network, value_by_numpy
from tests.kits.td import CONSOLE, TINY, new_run, stop_after_two


def played(game: str, seats: SeatedPlayer, games: int = 4, seed: int = 0):
    """Play games of the first kind of table with the same player in all seats."""
    tables, board = GAMES[game], Board.default()
    seeds, codes = np.arange(games) + seed, np.full((games, c.MAX_SEATS), LEARNER_CODE)
    return play(board, fixtures_of(tables, np.zeros(games, np.int64), seeds, codes), {LEARNER_CODE: seats})


@pytest.mark.parametrize("game", list(GAMES))
def test_recorded_games_are_those_of_the_seeds_and_positions_stand_at_the_end_of_turns(game: str) -> None:
    table, found = GAMES[game][0], played(game, SeatedPlayer("greedy", records=RECORDS_POSITIONS))
    positions = Positions(GameConfig(), found.states)
    assert not positions.over().any()
    assert np.isnan(found.moments["value"]).all()
    for index in range(4):
        rows = np.flatnonzero(found.moments["fixture"] == index)
        assert rows.size > (20 if game == "solo" else 30)
        assert set(found.moments["seat"][rows].tolist()) == set(range(table.players))
        new = Game.new(table.players, table.variant, index, options=dict(table.options))
        first = found.states[rows[0]]
        assert (first["token"] != new.state[0]["token"]).sum() < 12  # of another set-up, most are different
    assert found.scores[:, : table.players].min() >= 0
    assert found.decisions > 4 * 40


def test_values_are_those_of_the_network_for_the_position_that_the_turn_ended_in() -> None:
    network = random_network("standard")
    memory = EndeavorPopulation(TINY.replace(opponents=ALONE)).players(network, 1e-9).seated[LEARNER_CODE].memory
    found = played("standard", SeatedPlayer("value", memory, RECORDS_VALUES), games=2)
    board, calm, seen = Board.default(), 0, np.empty((1, num_inputs("standard")), np.float32)
    for row in range(0, found.moments.size, 7):
        moment = found.moments[row]
        if moment["explored"]:
            continue
        write_all_inputs(
            board.array, found.states[row : row + 1], found.moments["seat"][row : row + 1].astype(np.int64), seen, 0, 1
        )
        assert moment["value"] == pytest.approx(value_by_numpy(network, seen[0]), abs=1e-3)
        calm += 1
    assert calm > 10


def test_targets_mix_the_next_value_with_what_came_later_seat_by_seat() -> None:
    moments = np.zeros(6, MOMENT)
    moments["seat"] = [0, 1, 0, 0, 1, 0]
    moments["fixture"] = [0, 0, 0, 0, 0, 1]
    moments["value"] = [9.0, 9.0, 0.5, 0.8, np.nan, 9.0]
    moments["explored"] = [0, 0, 0, 1, 0, 0]
    outcomes = np.zeros((2, c.MAX_SEATS))
    outcomes[0, :2], outcomes[1, 0] = [1.0, 0.25], -0.5
    write_targets(moments, outcomes, 0.75)
    last, before = 1.0, 0.8  # the next turn was random: its value alone
    first = 0.25 * 0.5 + 0.75 * before
    assert moments["target"] == pytest.approx([first, 0.25, before, last, 0.25, -0.5])
    write_targets(moments, outcomes, 1.0)
    assert moments["target"][0] == pytest.approx(0.8)  # a random turn ends the trace whatever lambda is


def test_games_depend_on_seeds_alone_not_on_chunks_or_threads() -> None:
    board, population = Board.default(), EndeavorPopulation(TINY)
    seats = population.players(random_network("standard"), 0.1)
    fixtures = fixtures_of(TINY.tables, np.arange(30) % 3, np.arange(30), np.full((30, 5), LEARNER_CODE))
    whole = play(board, fixtures, seats.seated)
    workers = ThreadWorkers(board, 2)
    chunks = [pending.result() for pending in workers.submit(fixtures, seats.seated)]
    workers.close()
    assert len(chunks) > 1
    assert b"".join(chunk.states.tobytes() for chunk in chunks) == whole.states.tobytes()
    assert np.concatenate([chunk.scores for chunk in chunks]).tolist() == whole.scores.tolist()


def test_the_replay_keeps_the_newest_positions_and_shows_them_to_their_seats(tmp_path: Path) -> None:
    board = Board.default()
    old, new = (
        with_targets(played("standard", SeatedPlayer("greedy", records=RECORDS_POSITIONS), 2, seed), 1.0)
        for seed in (0, 9)
    )
    replay = Replay(new.moments.size + 20, board)
    replay.add_games([old])
    replay.add_games([new])
    assert (replay.size, replay.newest) == (new.moments.size + 20, new.moments.size)
    rng, out = np.random.default_rng(0), np.empty((500, random_network("standard").first.shape[0]), np.float32)
    rows = replay.draw(500, rng)
    targets = replay.observe(rows, out)
    known = {}
    for row, moment in enumerate(new.moments):
        seen = Positions(GameConfig(board=board), new.states)[[row]].observe("features", int(moment["seat"]))[0]
        known[seen.tobytes()] = float(moment["target"])
    features = layout_for("standard", "features").size
    found = [known.get(row[:features].tobytes()) for row in out]
    assert sum(target is not None for target in found) > 450
    assert all(one is None or one == pytest.approx(float(two)) for one, two in zip(found, targets, strict=True))
    replay.save(tmp_path / "replay.npy", 5)
    other = Replay(new.moments.size + 20, board)
    assert not other.load(tmp_path / "replay.npy", 4)
    assert other.load(tmp_path / "replay.npy", 5)
    again = np.empty_like(out)
    assert other.observe(rows, again).tolist() == targets.tolist()
    assert (again == out).all()


def test_the_learner_fits_targets_and_its_arrays_are_its_model() -> None:
    board = Board.default()
    replay = Replay(5000, board)
    replay.add_games([with_targets(played("standard", SeatedPlayer("greedy", records=RECORDS_POSITIONS), 8), 1.0)])
    learner, rng = ValueLearner((random_network("standard").first.shape[0], 16, 8), 3, 128), np.random.default_rng(0)
    first = learner.learn(replay, 128, 1e-3, rng)
    assert learner.learn(replay, 30_000, 3e-3, rng) < 0.8 * first
    seen = np.random.default_rng(1).random((1, random_network("standard").first.shape[0])).astype(np.float32)
    value = float(learner.model(torch.from_numpy(seen))[0].detach())
    assert value_by_numpy(learner.network(), seen[0]) == pytest.approx(value, abs=1e-4)
    torch.nn.init.constant_(learner.model.last.bias, 1e30)
    with pytest.raises(DivergedError, match=r"diverged at a learning rate of 0\.001: its value is inf"):
        learner.learn(replay, 128, 1e-3, rng)


def test_the_population_has_all_of_the_mix(tmp_path: Path) -> None:
    other = network_file(tmp_path, seed=7)
    opponents = ((LEARNER, 2.0), (SNAPSHOT, 1.0), ("greedy", 1.0), (f"value:{other}", 4.0))
    population, network = EndeavorPopulation(TINY.replace(opponents=opponents)), random_network("standard")
    seats = population.players(network, 0.1)
    assert seats.shares == pytest.approx({2: 3 / 8, 3: 1 / 8, 4: 4 / 8})  # no earlier self yet
    for seed in (1, 2):
        population.keep(random_network("standard", seed=seed))
    seats = population.players(network, 0.1)
    assert sorted(seats.shares.values()) == pytest.approx([1 / 16, 1 / 16, 1 / 8, 1 / 4, 1 / 2])
    assert [one.records for one in seats.seated.values()] == [RECORDS_VALUES, 0, 0, 0, 0]
    with pytest.raises(CheckpointError, match="cannot be read"):
        EndeavorPopulation(TINY.replace(opponents=((f"value:{tmp_path / 'none.npz'}", 1.0),)))


def test_evaluations_play_every_set_up_from_every_seat() -> None:
    workers, settings = ThreadWorkers(Board.default(), 1), TINY.replace(game="standard")
    seats = EndeavorPopulation(settings).against_rival(random_network("standard"))
    rows = evaluate(workers, settings.tables, seats, 7, "greedy")
    workers.close()
    assert [row["games"] for row in rows] == [9, 8, 10]
    assert all(row["interval"][0] <= row["win_rate"] <= row["interval"][1] for row in rows)
    assert all(row["mean_score"] < row["opponents_mean_score"] for row in rows)  # nobody has learned anything


@pytest.mark.parametrize("game", list(GAMES))
def test_a_run_ends_with_a_network_that_plays(tmp_path: Path, game: str) -> None:
    settings = preset("smoke", game).replace(first_width=8, second_width=4, games=3, warm_up_games=3, final_games=2)
    folder = new_run(tmp_path / "run", settings)
    assert train(folder, CONSOLE, progress=False)
    network = VALUE_NETWORKS.read(folder.path / "value.npz")
    assert network.variants == settings.variants
    assert network.card["training"]["steps"] == settings.iterations
    assert len(network.card["results"]) == len(settings.tables)
    assert list(folder.tensorboard.glob("events*"))
    assert not folder.memory(REPLAY, settings.iterations).exists()


def test_a_run_that_is_stopped_and_resumed_ends_as_an_unbroken_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = TINY.replace(iterations=4, snapshot_every=1, snapshots=2, average=0.75)
    whole, broken = new_run(tmp_path / "whole", settings), new_run(tmp_path / "broken", settings)
    assert train(whole, CONSOLE, progress=False)

    stop_after_two(broken, monkeypatch)
    assert [path.name for path in broken.checkpoints()] == ["step_000000000002.npz"]
    assert train(TDRunFolder.reopen(broken.path), CONSOLE, progress=False)
    one, other = (VALUE_NETWORKS.read(run.path / "value.npz") for run in (whole, broken))
    assert all((mine == theirs).all() for mine, theirs in zip(one.arrays, other.arrays, strict=True))
    assert one.card["results"] == other.card["results"]


@pytest.mark.parametrize(("share", "averaged"), [(0.0, 1), (0.5, 2), (1.0, 4)])
def test_the_final_network_is_the_mean_of_the_last_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: float, averaged: int
) -> None:
    networks: list[np.ndarray] = []
    learn = ValueLearner.learn

    def noting(self: ValueLearner, *given: object) -> float:
        errors = learn(self, *given)  # type: ignore[arg-type]
        networks.append(self.network().flat())
        return errors

    monkeypatch.setattr(ValueLearner, "learn", noting)
    folder = new_run(
        tmp_path / "run", TINY.replace(iterations=4, learning_rate=1e-2, last_learning_rate=1e-2, average=share)
    )
    assert train(folder, CONSOLE, progress=False)
    found = VALUE_NETWORKS.read(folder.path / "value.npz").arrays.flat()
    assert np.allclose(found, np.mean(networks[-averaged:], axis=0), atol=1e-5)
    assert not np.allclose(found, np.mean(networks[-averaged - 1 :], axis=0), atol=1e-3)


def test_the_mean_can_play_the_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def players(settings: TDSettings) -> list[np.ndarray]:
        seen: list[np.ndarray] = []
        whole = EndeavorPopulation.players

        def noting(self: EndeavorPopulation, network: NetworkArrays, temperature: float) -> Seats:
            seen.append(network.flat())
            return whole(self, network, temperature)

        with monkeypatch.context() as patch:
            patch.setattr(EndeavorPopulation, "players", noting)
            assert train(new_run(tmp_path / f"run-{settings.plays_average}", settings), CONSOLE, progress=False)
        return seen

    settings = TINY.replace(iterations=5, learning_rate=1e-2, last_learning_rate=1e-2, average=0.8)
    raw, mean = players(settings), players(settings.replace(plays_average=True))
    same = [bool(np.allclose(one, other, atol=1e-6)) for one, other in zip(raw, mean, strict=True)]
    assert same == [True, True, True, False, False]  # the mean of a single network is that network


def test_a_damaged_checkpoint_is_passed_over_and_a_missing_replay_is_not_fatal(tmp_path: Path) -> None:
    folder = new_run(tmp_path / "run", TINY.replace(iterations=3, checkpoint_every=1))
    assert train(folder, CONSOLE, progress=False)
    newest, text = folder.checkpoints()[-1], StringIO()
    newest.write_bytes(newest.read_bytes()[:-7])
    stored = json.loads((folder.path / "run.json").read_text())
    stored["settings"]["iterations"] = 5
    (folder.path / "run.json").write_text(json.dumps(stored))
    assert train(TDRunFolder.reopen(folder.path), Console(file=text, width=500), progress=False)
    assert "Passing over" in text.getvalue()
    assert "2 iterations done" in text.getvalue()
    assert "to learn from are missing" in text.getvalue()


@pytest.mark.parametrize("damage", [lambda state: state[:-9], lambda _: b"", None], ids=["cut off", "empty", "fields"])
def test_a_checkpoint_with_a_damaged_state_is_passed_over_named_and_kept(
    damage: Callable[[bytes], bytes] | None, tmp_path: Path
) -> None:
    folder = new_run(tmp_path / "run", TINY.replace(iterations=2, checkpoint_every=1))
    assert train(folder, CONSOLE, progress=False)
    newest, text = folder.checkpoints()[-1], StringIO()
    state = newest.with_suffix(".pt")
    if damage is None:
        torch.save({"model": {}}, state)
    else:
        state.write_bytes(damage(state.read_bytes()))
    damaged = state.read_bytes()
    stored = json.loads((folder.path / "run.json").read_text())
    stored["settings"]["iterations"] = 8
    (folder.path / "run.json").write_text(json.dumps(stored))
    assert train(TDRunFolder.reopen(folder.path), Console(file=text, width=500), progress=False)
    assert f"Passing over: the state {state} cannot be" in text.getvalue()
    assert "1 iterations done" in text.getvalue()
    assert damaged in [path.read_bytes() for path in folder.path.glob("*.pt")]


def test_an_exploiter_takes_one_seat_of_each_game_and_the_report_stands_beside_parity(tmp_path: Path) -> None:
    name = f"value:{network_file(tmp_path)}"
    settings = exploiter_settings(name, "smoke", "standard").replace(
        first_width=8, second_width=4, games=4, players=(3,)
    )
    folder, text = new_run(tmp_path / "run", settings), StringIO()
    seats = EndeavorPopulation(settings).players(random_network("standard"), 0.1)
    assert seats.shares == pytest.approx({LEARNER_CODE: 0.0, LEARNER_CODE + 1: 1.0})
    assert train(folder, CONSOLE, progress=False)
    report(folder, Console(file=text, width=300))
    assert f"Afreshexploiterof{name}" in "".join(text.getvalue().split())
    assert "standard, 3 seats" in text.getvalue()
    assert "33.3%" in text.getvalue()


def test_lone_learners_sit_in_one_seat(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen: list[np.ndarray] = []

    def noting(tables: object, kinds: object, seeds: object, codes: np.ndarray) -> np.ndarray:
        seen.append(codes)
        return fixtures_of(tables, kinds, seeds, codes)  # type: ignore[arg-type]

    monkeypatch.setattr(EndeavorAdapter, "fixtures", staticmethod(noting))
    settings = exploiter_settings("greedy", "smoke", "standard").replace(
        first_width=8, second_width=4, games=40, iterations=1
    )
    assert train(new_run(tmp_path / "run", settings), CONSOLE, progress=False)
    assert ((seen[1] == LEARNER_CODE).sum(axis=1) == 1).all()


def test_the_solitaire_game_has_nobody_to_exploit() -> None:
    with pytest.raises(InvalidOptionError, match="no agent to exploit"):
        exploiter_settings("greedy", "quick", "solo")
