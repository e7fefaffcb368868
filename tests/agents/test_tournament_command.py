"""The command of a tournament: its tables, files and pictures, refusals in one sentence, and Ctrl-C."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

import numpy as np
import pytest

from endeavor_env.agents.base import Agent
from endeavor_env.agents.runner import MOST_JOBS, count_jobs
from endeavor_env.agents.tournament import play_tournament, playing
from endeavor_env.errors import InvalidOptionError
from tests.kits import players as kit
from tests.kits.checkpoints import untrained_checkpoint
from tests.kits.commands import Impatient, Outcome, run_command

ARENA = "endeavor_env.agents.arena"


def run(*arguments: str, columns: int = 200) -> Outcome:
    """Return how a tournament in this process ends."""
    return run_command(ARENA, "--round-robin", *arguments, "--jobs", "1", "--resamples", "3", columns=columns)


def test_prints_matrix_standings_rounds_and_ratings() -> None:
    done = run("random", "automa", "greedy", "--games", "12", "--players", "4,3", "--seed", "4", "--anchor", "automa")
    assert (done.status, done.err) == (0, "")
    result = play_tournament(
        ["random", "automa", "greedy"], games=12, seed=4, players=[3, 4], resamples=3, anchor="automa"
    )
    assert "84 games at 3 seats on endeavor_2009, 7 fields of 4 set-ups, seed 4" in done.out
    assert "108 games at 4 seats on endeavor_2009, 9 fields of 3 set-ups, seed 4" in done.out
    cells = [float(cell) for cell in re.findall(r"([\d.]+)% \([\d.]+-[\d.]+%\)", done.out)]
    matrix = result.tables[0].matrix.share
    assert cells[:6] == pytest.approx(100 * matrix[~np.isnan(matrix)], abs=0.051)
    assert "parity is 33.3%" in done.out
    assert "worst field" in done.out
    ratings = re.findall(r"^ *(\w+) +([+-]\d+)\*? +([+-]\d+) to ([+-]\d+) *$", done.out, re.MULTILINE)
    assert [row[0] for row in ratings] == ["greedy", "automa", "random"]
    assert float(ratings[0][1]) == pytest.approx(result.rating.values[2], abs=0.51)
    assert ratings[1][1:] == ("+0", "+0", "+0")
    assert f"192 games, {result.decisions} decisions" in done.out


def test_the_solitaire_game_shows_every_difficulty() -> None:
    done = run("random", "automa", "--games", "4", "--variant", "solo")
    assert (done.status, done.err) == (0, "")
    assert "24 solo games on endeavor_2009, 6 fields of 4 set-ups, seed 0" in " ".join(done.out.split())
    assert re.findall(r"(random|automa) +(easier|normal|harder)", done.out) == [
        (agent, difficulty) for agent in ("random", "automa") for difficulty in ("easier", "normal", "harder")
    ]


def test_everything_is_written_as_json_and_drawn(tmp_path: Path) -> None:
    file, plots = tmp_path / "result.json", tmp_path / "plots"
    done = run("random", "automa", "--games", "4", "--json", str(file), "--plots", str(plots))
    assert (done.status, done.err) == (0, "")
    written = json.loads(file.read_text(encoding="utf-8"))
    expected = json.loads(json.dumps(play_tournament(["random", "automa"], games=4, resamples=3).to_dict()))
    assert {**written, "seconds": 0} == {**expected, "seconds": 0}
    assert written["tables"][0]["matrix"]["share"][0][0] is None
    names = {f"{name}.{kind}" for name in ("ratings", "matrix_4", "rounds_4") for kind in ("png", "svg")}
    assert {path.name for path in plots.iterdir()} == names
    assert all((plots / name).read_bytes()[:4] in (b"\x89PNG", b"<?xm") for name in names)


def test_pictures_of_the_solitaire_game(tmp_path: Path) -> None:
    done = run("random", "automa", "--games", "2", "--variant", "solo", "--plots", str(tmp_path))
    assert (done.status, done.err) == (0, "")
    assert (tmp_path / "matrix_1.png").is_file()


def test_on_a_narrow_terminal_every_figure_stands_in_a_line_of_its_own() -> None:
    done = run("random", "automa", "--games", "4", columns=40)
    assert "…" not in done.out
    assert "worst field: random among 3 automa" in done.out


def test_a_checkpoint_is_known_by_its_weights_and_called_by_its_name(tmp_path: Path) -> None:
    checkpoint = f"checkpoint:{untrained_checkpoint(tmp_path, 'standard')}"
    chosen = playing.read_settings([checkpoint, "random"], games=3)
    assert list(chosen.weights) == [checkpoint]
    assert chosen.names == (Path(checkpoint).stem, "random")
    done = run(checkpoint, "random", "--games", "3", "--players", "3")
    assert (done.status, done.err) == (0, "")
    assert f"{chosen.names[0]}: {checkpoint}" in done.out


ONE_SENTENCE: list[tuple[list[str], str]] = [
    (["--round-robin", "random"], "a tournament needs at least 2 agents: give their names"),
    (["--round-robin", "random", "random"], "agent 'random' is given twice"),
    (["--round-robin", "random", "robot"], "agent 'robot' is unknown"),
    (["--round-robin", "random", "automa", "--players", "6"], "players=6 does not fit variant 'standard'"),
    (["--round-robin", "random", "automa", "--players", "3,x"], "players='x' is not possible"),
    (["--round-robin", "random", "automa", "--players", "3,3"], "give one or more table sizes, each once"),
    (["--round-robin", "random", "automa", "--games", "0"], "games=0 is not possible"),
    (["--round-robin", "random", "automa", "--variant", "solo", "--games", "1"], "give at least 2"),
    (["--round-robin", "random", "automa", "--mixed", "-1"], "mixed=-1 is not possible"),
    (["--round-robin", "random", "automa", "--jobs", "0"], "jobs=0 is not possible"),
    (["--round-robin", "random", "automa", "--jobs", "5000"], "jobs=5000 is not possible: give 1 to 1024"),
    (["--round-robin", "random", "automa", "--resamples", "0"], "resamples=0 is not possible"),
    (
        ["--round-robin", "random", "automa", "--anchor", "greedy"],
        "anchor 'greedy' is not possible: give one of random",
    ),
    (["--round-robin", "random", "automa", "--json", "no/such/folder/x.json"], "there is no folder no/such/folder"),
    (["--round-robin", "random", "automa", "--out", __file__], "cannot be"),
    (["--round-robin", "random", "automa", "--record", f"{__file__}/below"], "cannot be a folder"),
    (["--round-robin", "random", "automa", "--plots", f"{__file__}/below"], "cannot be a folder"),
    (
        ["--round-robin", "random", "automa", "--variant", "solo", "--option", "difficulty=easier"],
        "a tournament plays every difficulty",
    ),
    *(
        (["random"] * 3 + [f"--{name}", "1"], f"--{name} belongs to tournaments: give --round-robin too")
        for name in ("players", "mixed", "jobs", "out", "anchor", "resamples", "plots")
    ),
    (["random"] * 3 + ["--record", f"{__file__}/below"], "cannot be a folder"),
]


@pytest.mark.parametrize(("arguments", "message"), ONE_SENTENCE, ids=str)
def test_what_is_not_possible_is_one_sentence(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run_command(ARENA, *arguments)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
    assert message in done.err
    assert list(tmp_path.iterdir()) == []


def test_a_checkpoint_of_another_variant_is_refused_before_the_first_game(tmp_path: Path) -> None:
    checkpoint = f"checkpoint:{untrained_checkpoint(tmp_path, 'solo')}"
    done = run("random", checkpoint, "--out", str(tmp_path / "out"))
    assert done.status == 2
    assert "was trained on variant 'solo' and cannot play 'standard'" in done.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("missing", "arguments"), [("choix", []), ("matplotlib", ["--plots", "pictures"])], ids=["choix", "matplotlib"]
)
def test_a_missing_library_is_named_before_the_first_game(
    missing: str, arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.util.find_spec
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *more: None if name == missing else found(name, *more)
    )
    done = run("random", "automa", *arguments)
    assert done.status == 2
    assert f"{missing}: install it with pip install 'endeavor-env[arena]'\n" in done.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kept", [True, False])
def test_ctrl_c_says_how_to_go_on(kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The seventh game that "impatient" begins is in the second unit of the second field."""

    def make(name: str) -> Agent:
        return Impatient(16) if name == "impatient" else kit.Idler(name)

    monkeypatch.setattr(playing, "agents_for", kit.made_by(make))
    arguments = ["impatient", "idler", "--players", "3", "--games", "30"]
    done = run(*arguments, *(["--out", str(tmp_path / "out")] if kept else []))
    assert done.status == 130
    if kept:
        assert done.err == "interrupted after 15 of 60 games: the same command goes on from there\n"
        assert done.out == ""
        assert len((tmp_path / "out" / "units.jsonl").read_bytes().splitlines()) == 1
    else:
        assert done.err == "interrupted after 15 of 60 games: nothing is kept without --out\n"


def test_ctrl_c_without_a_folder_reports_what_all_fields_have_played(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(name: str) -> Agent:
        return Impatient(36) if name == "impatient" else kit.Idler(name)

    monkeypatch.setattr(playing, "agents_for", kit.made_by(make))
    done = run("impatient", "idler", "--players", "3", "--games", "60")
    assert done.status == 130
    assert "interrupted after 30 of 120 games" in done.err
    assert "30 games at 3 seats on endeavor_2009, 2 fields of 5 set-ups" in " ".join(done.out.split())


def test_as_many_processes_as_cores_unless_told_otherwise() -> None:
    assert 1 <= count_jobs(None) <= MOST_JOBS
    assert count_jobs(3) == 3
    with pytest.raises(InvalidOptionError, match="jobs='x' is not possible"):
        count_jobs("x")  # type: ignore[arg-type]
