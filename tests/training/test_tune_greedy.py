"""The search for weights of the greedy player: fair trials, a search that climbs, and files that can be resumed."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from endeavor_env import Game
from endeavor_env.agents.players.automa import AutomaAgent
from endeavor_env.agents.players.compiled import WEIGHTS, GreedyAgent
from endeavor_env.endeavor.players.greedy.weights import NAMES
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.errors import InvalidOptionError
from endeavor_env.training.tune_greedy import games as greedy_games
from endeavor_env.training.tune_greedy import search as weight_search
from endeavor_env.training.tune_greedy import trials as weight_trials
from endeavor_env.training.tune_greedy.games import play, solo_starts, table_starts
from endeavor_env.training.tune_greedy.search import TuningSettings, WeightSearch, read_search, weight_names
from endeavor_env.training.tune_greedy.trials import compare, trial
from tests.kits.commands import run_command

COMMAND = "endeavor_env.training.tune_greedy"
TUNED = WEIGHTS.as_array()
HOPELESS = np.where([name.endswith("disc") for name in NAMES], 100.0, 0.0)  # it spends no disc before the last round
SMALL = ["--games", "6", "--population", "4", "--check-games", "60"]


def test_the_kernel_plays_the_games_of_the_agent() -> None:
    seeds = [3, 4, 5]
    starts = solo_starts(["easier", "normal", "harder"], seeds)
    scores = play(starts, np.arange(3), np.zeros((3, c.MAX_SEATS), np.int64), TUNED[None])
    for number, (difficulty, seed) in enumerate(zip(("easier", "normal", "harder"), seeds, strict=True)):
        game, agent = Game.new(variant="solo", seed=seed, options={"difficulty": difficulty}), GreedyAgent()
        agent.reset(seed)
        while not game.over:
            game.apply(agent.act(game))
        assert scores[number, :2].tolist() == game.scores()


def test_every_seat_plays_by_its_own_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    starts, of_games = table_starts([3, 4, 5], [1, 2, 3]), np.repeat(np.arange(3), 3)
    players = np.ones((9, c.MAX_SEATS), np.int64)
    seats = np.tile(np.arange(3), 3)
    players[np.arange(9), seats] = 0
    scores = play(starts, of_games, players, np.stack([HOPELESS, TUNED]))
    for row, seat in enumerate(seats):
        seated = scores[row, : starts.seats[of_games[row]]]
        assert seated.argmin() == seat
        assert (scores[row, len(seated) :] == 0).all()
    monkeypatch.setattr(greedy_games, "CHUNK", 2)
    np.testing.assert_array_equal(play(starts, of_games, players, np.stack([HOPELESS, TUNED])), scores)


@pytest.mark.parametrize("game", ["table", "solo"])
def test_candidates_of_a_trial_meet_the_same_games(game: str) -> None:
    candidates = np.stack([TUNED, HOPELESS, TUNED])
    first, worse, same = trial(game, candidates, TUNED[None], 12, np.random.default_rng(1)).tolist()
    assert first == same
    assert worse < first - 0.3


@pytest.mark.parametrize("game", ["table", "exploits"])
def test_the_others_at_a_table_are_automas_first_weights_and_any_of_the_field(game: str) -> None:
    starts, seats, others = weight_trials._table_games(game, 240, 3, np.random.default_rng(2))
    assert np.bincount(starts.seats).tolist() == [0, 0, 0, 80, 80, 80]
    assert (seats < starts.seats).all()
    kinds = Counter(tuple(sorted(set(row))) for row in others.tolist())
    assert kinds[(greedy_games.AUTOMA,)] == 60
    assert 90 <= kinds[(0,)] <= 95
    assert greedy_games.AUTOMA not in others[(others != others[:, :1]).any(axis=1)]
    assert set(others.ravel().tolist()) == {greedy_games.AUTOMA, 0, 1, 2}


def test_the_kernel_plays_the_automa() -> None:
    starts = table_starts([3], [8])
    game, automa = Game.new(3, seed=8), AutomaAgent()
    while not game.over:
        game.apply(automa.act(game))
    scores = play(starts, np.zeros(1, np.int64), np.full((1, c.MAX_SEATS), greedy_games.AUTOMA), TUNED[None])
    assert scores[0, :3].tolist() == game.scores()


def test_results_are_the_share_of_the_win_and_the_lead_over_the_best_other() -> None:
    scores = np.array([[40, 50, 50, 99, 99], [50, 50, 40, 30, 99], [10, 20, 30, 40, 50]], np.int16)
    wins, leads = weight_trials.results("table", scores, np.array([3, 4, 5]), np.array([1, 0, 0]))
    assert (wins.tolist(), leads.tolist()) == ([0.5, 0.5, 0.0], [0.0, 0.0, -40.0])
    wins, leads = weight_trials.results("solo", scores, np.ones(3, np.int64), np.zeros(3, np.int64))
    assert (wins.tolist(), leads.tolist()) == ([0.0, 1.0, 0.0], [-10.0, 0.0, -10.0])


def test_a_comparison_plays_both_ways_round() -> None:
    rows = compare("table", TUNED, HOPELESS, 60, 5)
    assert [(row["player"], row["against"]) for row in rows] == [
        match
        for others in (2, 3, 4)
        for match in (
            *(("found", f"{others} x start"), ("start", f"{others} x found")),
            *(("found", f"{others} x automa"), ("start", f"{others} x automa")),
        )
    ]
    assert all(row["games"] == 60 for row in rows)
    for found, start, against_automas, hopeless in zip(*(rows[match::4] for match in range(4)), strict=True):
        assert found["win_rate"] > 0.9 > 0.1 > start["win_rate"]
        assert against_automas["win_rate"] > 0.5 > 0.1 > hopeless["win_rate"]
    equal = [row["win_rate"] for row in compare("table", TUNED, TUNED, 60, 5)]
    assert equal[0::4] == equal[1::4] == pytest.approx([1 / 3, 1 / 4, 1 / 5])
    assert equal[2::4] == equal[3::4]
    solo = compare("solo", TUNED, TUNED, 20, 5)
    assert [row["against"] for row in solo] == ["easier", "easier", "normal", "normal", "harder", "harder"]
    assert solo[0]["mean_lead"] == solo[1]["mean_lead"] > solo[4]["mean_lead"]


# --- the search -------------------------------------------------------------------------------------------------------
def towards(name: str, target: float) -> Any:
    """Return a trial without games: weights are the better the nearer one of them is to ``target``."""
    place = NAMES.index(name)

    def tried(game: str, candidates: Any, field: Any, games: int, rng: Any) -> Any:
        return -np.abs(candidates[:, place] - target)

    return tried


@pytest.mark.parametrize(("game", "name"), [("table", "disc"), ("solo", "solo.column")])
def test_the_search_climbs(game: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    search = WeightSearch(TuningSettings(game=game, seed=3))
    target = search.found()[name] + 3.0
    monkeypatch.setattr(weight_search, "trial", towards(name, target))
    for _ in range(60):
        search.run_generation()
    assert search.found()[name] == pytest.approx(target, abs=0.3)
    assert set(search.found()) == set(weight_names(game))
    assert search.start.tolist() == TUNED.tolist()


def test_an_interrupted_generation_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*arguments: Any) -> None:
        raise KeyboardInterrupt

    settings = TuningSettings(population=6, games=3)
    unbroken, broken = WeightSearch(settings), WeightSearch(settings)
    monkeypatch.setattr(weight_search, "trial", towards("disc", 1.0))
    unbroken.run_generation()
    monkeypatch.setattr(weight_search, "trial", interrupt)
    with pytest.raises(KeyboardInterrupt):
        broken.run_generation()
    assert broken.values == []
    monkeypatch.setattr(weight_search, "trial", towards("disc", 1.0))
    broken.run_generation()
    assert broken.to_dict() == unbroken.to_dict()


def test_a_resumed_search_is_the_unbroken_one(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.json", tmp_path / "parts.json"
    solo = ["--game", "solo", "--seed", "7", *SMALL]
    done = run_command(COMMAND, *solo, "--generations", "3", "--out", str(whole))
    assert (done.status, done.err) == (0, "")
    assert run_command(COMMAND, *solo, "--generations", "1", "--out", str(parts)).status == 0
    resumed = run_command(COMMAND, "--resume", str(parts), "--generations", "3", "--check-games", "60")
    assert resumed.status == 0
    assert parts.read_text(encoding="utf-8") == whole.read_text(encoding="utf-8")
    assert resumed.out.replace(str(parts), str(whole)) == done.out
    written = json.loads(whole.read_text(encoding="utf-8"))
    assert [len(results) for results in written["values"]] == [4, 4, 4]
    assert len(written["comparison"]) == 6
    assert f"greedy:solo.growth={written['found']['solo.growth']:g}," in done.out


def test_a_search_starts_from_given_weights(tmp_path: Path) -> None:
    file = tmp_path / "search.json"
    given = ["--game", "solo", "--from", "solo.column=3,disc=9", *SMALL, "--generations", "0", "--out", str(file)]
    assert run_command(COMMAND, *given).status == 0
    assert not read_search(file).values
    found = json.loads(file.read_text(encoding="utf-8"))["found"]
    assert found["solo.column"] == 3.0
    assert "disc" not in found


def test_ctrl_c_says_how_to_continue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, trials = tmp_path / "search.json", iter([towards("disc", 1.0)])

    def tried(*arguments: Any) -> Any:
        following = next(trials, None)
        if following is None:
            raise KeyboardInterrupt
        return following(*arguments)

    monkeypatch.setattr(weight_search, "trial", tried)
    done = run_command(COMMAND, "--out", str(file), "--minutes", "60", "--population", "4")
    assert (done.status, done.out) == (130, "")
    assert done.err == f"stopped; continue with: python -m endeavor_env.training.tune_greedy --resume {file}\n"
    assert len(read_search(file).values) == 1


def test_a_search_is_not_written_over_another(tmp_path: Path) -> None:
    file = tmp_path / "search.json"
    file.write_text("mine", encoding="utf-8")
    done = run_command(COMMAND, "--out", str(file))
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert f"{file} exists: continue it with --resume" in done.err
    assert file.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--game", "chess"], "the setting game='chess' is not possible: it should be table or solo"),
        (["--games", "1"], "the setting games=1 is not possible"),
        (["--sigma", "0"], "the setting sigma=0.0 is not possible"),
        (["--minutes", "0"], "minutes=0.0 is not possible"),
        (["--minutes", "nan"], "minutes=nan is not possible"),
        (["--generations", "-1"], "generations=-1 is not possible"),
        (["--check-games", "50"], "check_games=50 is not possible: give a positive multiple of 60"),
        (["--game", "solo", "--check-games", "1"], "check_games=1 is not possible: give at least 2"),
        (["--from", "cities=1"], "player 'greedy:cities=1' has no weight 'cities'"),
        (["--from", "disc=1e7"], "is not possible: 10000000.0 should be less than or equal to 1000000"),
        (["--out", "no/such/search.json"], "there is no folder no/such"),
        (["--resume", "nowhere.json"], "the search nowhere.json cannot be read"),
        (["--resume", "."], "it is a folder"),
        (["--resume", "nowhere.json", "--seed", "1"], "leave out --seed"),
    ],
    ids=str,
)
def test_what_is_not_possible_is_one_sentence(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run_command(COMMAND, *arguments)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert message in done.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data.pop("settings"), "it has no settings of a search"),
        (lambda data: data["settings"].update(more=1), "the settings do not fit this version: more"),
        (lambda data: data["settings"].update(start=3), "the setting start=3 is not possible"),
        (lambda data: data["settings"].update(game="chess"), "the setting game='chess' is not possible"),
        (lambda data: data["settings"].update(population="many"), "the setting population='many' is not possible"),
        (lambda data: data["settings"]["start"].pop(), "the setting start is not possible: give 34 weights"),
        (lambda data: data["settings"].update(start=["1"] * 34), "the setting start=["),
        (lambda data: data.pop("values"), "it has no results of a search: they are a list of 4 numbers a generation"),
        (lambda data: data.update(values=[[1.0]]), "it has no results of a search"),
        (lambda data: data.update(values=[["1"] * 4]), "it has no results of a search"),
    ],
)
def test_a_file_that_holds_no_search_is_refused_and_kept(change: Any, message: str, tmp_path: Path) -> None:
    data = WeightSearch(TuningSettings(population=4)).to_dict()
    data = json.loads(json.dumps(data))
    change(data)
    file = tmp_path / "search.json"
    text = json.dumps(data)
    file.write_text(text, encoding="utf-8")
    done = run_command(COMMAND, "--resume", str(file))
    assert done.status == 2
    assert f"{file} cannot be resumed: {message}" in done.err
    assert file.read_text(encoding="utf-8") == text


def test_settings_are_checked() -> None:
    impossible: list[dict[str, Any]] = [
        {"games": 2},
        {"population": 3},
        {"seed": -1},
        {"seed": True},
        {"start": (1.0,)},
    ]
    for wrong in impossible:
        with pytest.raises(InvalidOptionError):
            TuningSettings(**wrong)
