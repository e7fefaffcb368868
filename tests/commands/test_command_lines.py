"""Every command line refuses what it cannot do in words, leaves nothing behind, and reports when it is interrupted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from endeavor_env.agents import matches as series
from endeavor_env.agents.base import Agent
from endeavor_env.agents.matches import SoloMatch, play_match
from tests.kits import players as kit
from tests.kits.commands import Impatient, run_command

ARENA, SOLO_MATCH = "endeavor_env.agents.arena", "endeavor_env.agents.solo_match"
PPO, EVALUATE = "endeavor_env.training.ppo", "endeavor_env.training.evaluate"
RUN, SOAK, WORKERS = (
    "endeavor_env.benchmarks.run",
    "endeavor_env.benchmarks.soak",
    "endeavor_env.benchmarks.processes",
)
COMMANDS = (ARENA, SOLO_MATCH, PPO, EVALUATE, RUN, SOAK, WORKERS)
THREE = ["random"] * 3
TWO_DIFFICULTIES = ["--difficulty", "normal", "--difficulty", "harder"]

ONE_SENTENCE: list[tuple[str, list[str], str]] = [
    (ARENA, ["random", "random", "robot"], "agent 'robot' is unknown: possible are 'random', 'greedy', "),
    (ARENA, ["random", "random"], "a match of 2 agents is not possible: give 3 to 5, one a seat"),
    (ARENA, ["random"] * 6, "a match of 6 agents is not possible"),
    (ARENA, ["random"] * 4 + ["--games", "10"], "games=10 is not possible"),
    (ARENA, [*THREE, "--seed", "-1"], "seed=-1 is not possible"),
    (ARENA, [*THREE, "--board", "atlantis"], "board 'atlantis' is unknown"),
    (ARENA, [*THREE, "--variant", "chess"], "variant 'chess' is unknown"),
    (ARENA, [*THREE, "--game", "chess"], "variant 'chess' is unknown"),
    (ARENA, [*THREE, "--game", "exploits", "--exploits", "sun"], "--game 'exploits' says what is played"),
    (ARENA, [*THREE, "--game", "standard:players=4"], "players=3 does not fit standard"),
    (ARENA, ["random", "--game", "solo:difficulty=easier"], "python -m endeavor_env.agents.solo_match plays it"),
    (ARENA, ["--round-robin", "random", "automa", "--game", "solo:difficulty=easier"], "plays every difficulty"),
    (ARENA, ["random", "--variant", "solo"], "python -m endeavor_env.agents.solo_match plays it"),
    (
        ARENA,
        ["random"] * 2 + ["--variant", "neutral_2", "--option", "difficulty=easier"],
        "'neutral_2' has no options",
    ),
    (ARENA, [*THREE, "--option", "difficulty"], "option 'difficulty' is not possible: write it as name=value"),
    (ARENA, [*THREE, "--json", "no/such/folder/match.json"], "there is no folder no/such/folder"),
    (ARENA, [*THREE, "--games", "3", "--json", "."], "cannot be written"),
    (SOLO_MATCH, ["robot"], "agent 'robot' is unknown: possible are 'random', 'greedy', "),
    (SOLO_MATCH, ["random", "--games", "1"], "games=1 is not possible"),
    (
        SOLO_MATCH,
        ["random", "--game", "standard"],
        "standard is not the solitaire game: python -m endeavor_env.agents.arena plays",
    ),
    (SOLO_MATCH, ["random", "--game", "solo:difficulty=harder"], "difficulty has a switch of its own"),
    (SOLO_MATCH, ["random", "--difficulty", "hard"], "difficulties hard are not possible"),
    (
        SOLO_MATCH,
        ["random", "--option", "difficulty=harder"],
        "option difficulty has a switch of its own: give --difficulty",
    ),
    (
        SOLO_MATCH,
        ["random", "--option", "solo_ignore_industry=perhaps"],
        "solo_ignore_industry='perhaps' is not possible",
    ),
    (SOLO_MATCH, ["random", "--option", "opposition_ties"], "write it as name=value"),
    (SOLO_MATCH, ["random", "--option", "a=1", "--option", "a=2"], "option 'a' is given twice"),
    (SOLO_MATCH, ["random", "--board", "atlantis"], "board 'atlantis' is unknown"),
    (SOLO_MATCH, ["random", "--json", "no/such/folder/solo.json"], "there is no folder no/such/folder"),
    *((module, ["--json", "no/such/folder/figures.json"], "there is no folder") for module in (RUN, WORKERS)),
    *((module, ["--json", "."], "it is a folder") for module in (RUN, WORKERS)),
    (RUN, ["--plot", "no/such/folder/picture.png"], "there is no folder"),
    (RUN, ["--only", "core", "--plot", "p.png"], "draws the section vector"),
    (RUN, ["--only", "core", "nothing"], "--only nothing is not possible: give one of core, aec, gymnasium"),
    (RUN, ["--peers", "--peers-python", "no/such/python"], "there is no such program"),
    (SOAK, ["--jobs", "1000000000"], "--jobs must be 1 to 1024"),
    (SOAK, ["--jobs", "0"], "--jobs must be 1 to 1024"),
    (SOAK, ["--players", "3", "2"], "--players 2 is not possible: give one of 3, 4, 5"),
    (SOAK, ["--boards", "none"], "--boards none is not possible: give one of default, generated, both"),
    (SOAK, ["--variants", "standard", "solo:normal"], "--variants solo:normal is not possible"),
    (PPO, ["--preset", "huge"], "preset 'huge' is unknown"),
    (PPO, ["--steps", "0"], "the setting steps=0 is not possible: it should be greater than or equal to 1"),
    (PPO, ["--steps", str(10**12)], "the setting steps=1000000000000 is not possible"),
    (
        PPO,
        ["--seed", "4294967296"],
        "the setting seed=4294967296 is not possible: it should be less than 4294967296",
    ),
    (PPO, ["--seed", "-1", "--out", "run"], "the setting seed=-1 is not possible"),
    (PPO, ["--out", __file__], "cannot be the folder of a run: File exists; give another --out"),
    (PPO, ["--out", f"{__file__}/below/it"], "cannot be the folder of a run: Not a directory; give another --out"),
    (PPO, ["--out", f"new/{'x' * 300}"], "cannot be the folder of a run: File name too long; give another --out"),
    (PPO, ["--resume", __file__], "holds no run to resume"),
    (PPO, ["--resume", "x" * 300], "File name too long"),
    (PPO, ["--resume", "nowhere", "--preset", "smoke"], "leave out --preset"),
    (PPO, ["--start-over"], "--start-over begins a run with --resume again"),
    (PPO, ["--variant", "neutral_2", "--out", "run"], "is not trained"),
    (PPO, ["--resume", "nowhere"], "holds no run"),
    (PPO, ["--resume", "nowhere", "--seed", "1"], "leave out"),
    *(
        (module, [*more, f"checkpoint:{path}"], "give the path of a zip, or of its card")
        for module, more in ((ARENA, ["random"] * 2), (SOLO_MATCH, []))
        for path in (".", "..", "/", "a/..")
    ),
    (ARENA, [*["random"] * 2, "checkpoint:"], "agent 'checkpoint:' is unknown"),
    (ARENA, [*["random"] * 2, f"checkpoint:{'x' * 300}"], "File name too long"),
    (ARENA, [*THREE, "--json", f"{__file__}/match.json"], "cannot be written: there is no folder"),
    (ARENA, [*THREE, "--json", "x" * 300], "cannot be written: File name too long"),
    (SOLO_MATCH, ["random", "--json", "x" * 300], "cannot be written: File name too long"),
    (EVALUATE, ["policy.zip"], "policy"),
    (EVALUATE, ["."], "give the path of a zip, or of its card"),
    (PPO, ["--preset", "huge"], "preset 'huge' is unknown"),
    (PPO, ["--steps", "0"], "the setting steps=0 is not possible"),
    (PPO, ["--variant", "neutral_2"], "is not trained"),
    (SOLO_MATCH, ["random", "--json", "nowhere/match.json"], "there is no folder nowhere"),
]


@pytest.mark.parametrize(("module", "arguments", "message"), ONE_SENTENCE, ids=str)
def test_what_is_not_possible_is_one_sentence_on_stderr(
    module: str, arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run_command(module, *arguments)
    assert done.status == 2
    assert done.err.startswith("error: ")
    assert message in done.err
    assert done.err.count("\n") == 1
    assert done.out == ""
    assert list(tmp_path.iterdir()) == []


USAGE: list[tuple[str, list[str], str]] = [
    (PPO, ["--seed", "x"], "seed"),
    (PPO, ["--seed", "1" + "0" * 5_000], "seed"),
    (SOAK, ["--games", "0"], "--games"),
    (SOAK, ["--seed", "-1"], "--seed"),
    *((module, ["--no-such-option"], "--no-such-option") for module in COMMANDS),
]


@pytest.mark.parametrize(("module", "arguments", "message"), USAGE, ids=str)
def test_a_wrong_use_is_shown_with_the_right_one(
    module: str, arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run_command(module, *arguments)
    assert done.status == 2
    assert "usage: " in done.err.lower()
    assert message in done.err
    assert done.out == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("game", "setups"), [(1, 0), (3, 0), (4, 1), (9, 2)])
def test_ctrl_c_in_the_arena_prints_the_set_ups_played_so_far(
    game: int, setups: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make_agent(name: str) -> Agent:
        return Impatient(game) if name == "impatient" else kit.Idler(name)

    monkeypatch.setattr(series, "agents_for", lambda config, names: [make_agent(name) for name in names])
    done = run_command(ARENA, "impatient", "idler", "idler", "--games", "30")
    assert (done.status, done.err) == (130, f"interrupted after {setups} of 10 set-ups\n")
    assert ("mean score" in done.out) == (setups > 0)
    if setups:
        assert f"{3 * setups} games on" in done.out


@pytest.mark.parametrize(("game", "setups"), [(2, 0), (5, 1), (7, 2)])
def test_ctrl_c_in_a_solo_match_prints_the_set_ups_played_in_every_row(
    game: int, setups: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(series, "agents_for", lambda config, names: [Impatient(game)])
    done = run_command(SOLO_MATCH, "impatient", "--games", "9")
    assert (done.status, done.err) == (130, f"interrupted after {setups} of 9 set-ups\n")
    assert (f"{setups} solo games a row" in done.out) == (setups >= 2)


def scores_of(result: Any) -> list[Any]:
    """Return all scores of a match of either kind."""
    return [row["scores"] for row in result["rows"]] if "rows" in result else result["scores"]


def test_a_match_is_written_as_json(tmp_path: Path) -> None:
    solo = SoloMatch(["random"], 2, difficulties=["normal", "harder"], options={"opposition_ties": "first"})
    assert list(solo.play()) == [1, 2]
    cases = [
        (ARENA, [*THREE, "--games", "3"], play_match(THREE, games=3).to_dict()),
        (
            SOLO_MATCH,
            ["random", "--games", "2", *TWO_DIFFICULTIES, "--option", "opposition_ties=first"],
            solo.result().to_dict(),
        ),
    ]
    for module, arguments, expected in cases:
        file = tmp_path / f"{module}.json"
        assert run_command(module, *arguments, "--json", str(file)).status == 0
        written = json.loads(file.read_text(encoding="utf-8"))
        assert np.array_equal(scores_of(written), scores_of(expected))
        assert {key: written[key] for key in ("variant", "games", "seed", "board")} == {
            key: expected[key] for key in ("variant", "games", "seed", "board")
        }
