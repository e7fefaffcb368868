"""``endeavor bench speed`` measures what it says, keeps it as JSON and draws it, and refuses what it cannot do."""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path

import numpy as np
import pytest

from endeavor_env.benchmarks import batches, limits, plot, processes, report, run, timing
from endeavor_env.benchmarks.batches import LEARNER, SELF_PLAY, BatchSetting
from endeavor_env.endeavor.observation import COMPACT
from endeavor_env.endeavor.rules.actions import NUM_ACTIONS, NUM_WORDS
from endeavor_env.endeavor.rules.state import STATE

ROOT = Path(__file__).resolve().parents[2]


def png_size(path: Path) -> tuple[int, int]:
    """Return width and height of a PNG file."""
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", data[16:24])


def test_the_sections_run_and_are_kept_and_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = list(run.SPEED)
    figures, picture = tmp_path / "figures.json", tmp_path / "throughput.png"
    options = ["--smoke", "--only", *asked, "--json", str(figures), "--plot", str(picture)]
    assert run.main(options) == 0
    written, printed = json.loads(figures.read_text(encoding="utf-8")), capsys.readouterr()
    assert {"command", "date", "machine", "versions", "sections", "failed", "peers"} == set(written)
    assert written["failed"] == {}
    assert written["peers"] == run.Results().peers.plain()
    for section in written["sections"]:
        assert set(section) == {"title", "figures", "note", "settings"}
        assert f"### {section['title']}" in printed.out
        for figure in section["figures"]:
            assert set(figure) == {"what", "unit", "median", "low", "high"}
            assert 0 < figure["low"] <= figure["median"] <= figure["high"]
    for name in asked:
        assert f" {name}\n" in printed.err
    settings = [setting for section in written["sections"] for setting in section["settings"]]
    assert len(settings) == len(batches.settings(batches.SMOKE_SIZES, 1))
    assert all(set(one) == {"api", "mode", "observation", "games", "threads"} for one in settings)
    width, height = png_size(picture)
    assert width > 2 * height > 600


def test_the_page_of_the_project_shows_the_picture() -> None:
    page = ROOT / "docs" / "benchmarks.md"
    assert "(throughput.png)" in page.read_text(encoding="utf-8")
    assert png_size(page.with_name("throughput.png")) > (600, 200)


def test_a_picture_needs_matplotlib(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("endeavor_env.agents.extras.is_installed", lambda name: False)
    assert run.main(["--plot", "p.png"]) == 2
    assert "needs matplotlib, which is not installed: pip install 'endeavor-env[arena]'" in capsys.readouterr().err


def test_other_libraries_may_be_in_several_environments(capsys: pytest.CaptureFixture[str]) -> None:
    assert run.peers_of(False, []) == []
    assert run.peers_of(True, []) == [sys.executable]
    assert run.peers_of(True, [sys.executable, "python3"]) == [sys.executable, "python3"]
    wrong = ["--peers-python", sys.executable, "--peers-python", "no/such/python", "--peers-python", "nor/this"]
    assert run.main(["--peers", *wrong]) == 2
    assert "--peers-python no/such/python: there is no such program" in capsys.readouterr().err


def test_a_section_that_fails_is_named_and_the_others_are_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(effort: timing.Effort) -> list[report.Section]:
        raise ValueError("no such luck")

    table = report.Section("Another", [report.Figure.of("speed", "decisions/s", [3.0])])
    monkeypatch.setitem(run.SECTIONS, "core", run.Measure(fail))
    monkeypatch.setitem(run.SECTIONS, "vector", run.Measure(lambda effort: [table]))
    monkeypatch.setattr(run, "SPEED", ("core", "vector"))
    path = tmp_path / "figures.json"
    assert run.main(["--smoke", "--json", str(path), "--plot", str(tmp_path / "never.png")]) == 1
    printed = capsys.readouterr()
    assert "### Another" in printed.out
    assert "core FAILED: ValueError: no such luck" in printed.err
    assert json.loads(path.read_text(encoding="utf-8"))["failed"] == {"core": "ValueError: no such luck"}
    assert not (tmp_path / "never.png").exists()


# --- batches --------------------------------------------------------------------------------------------------------
def test_each_size_is_measured_with_one_thread_and_large_ones_with_all_cores() -> None:
    assert [batches.thread_counts(cores) for cores in (1, 2, 6, 8)] == [[1], [1, 2], [1, 2, 4, 6], [1, 2, 4, 8]]
    found = batches.settings(batches.SIZES, 8)
    assert len(set(found)) == len(found)
    assert {one.threads for one in found if one.games <= 64} == {1}
    assert {one.threads for one in found if one.games == 1024} == {1, 8}
    largest = [one for one in found if one.games == 8192 and (one.api, one.mode) == ("Batch", SELF_PLAY)]
    assert {one.threads for one in largest} == {1, 2, 4, 8}
    assert {one.observation for one in largest} == {"none", "compact", "features"}
    assert {one.observation for one in found if one.api == "make_vec"} == {"compact", "features"}
    assert BatchSetting("Batch", LEARNER, "compact", 1024, 2).label == "compact, 1,024 games, 2 threads"
    assert BatchSetting("Batch", LEARNER, "none", 1, 1).label == "none, 1 game, 1 thread"


@pytest.mark.parametrize("api", batches.APIS)
def test_every_decision_of_every_seat_is_counted(api: str) -> None:
    turns = batches.APIS[api](BatchSetting(api, SELF_PLAY, "compact", 64, 1))
    assert len(np.unique(turns.batch.states["round_number"])) > 3  # the games are in different phases
    made = [turns.turn() for _ in range(300)]
    assert max(made) == 64
    assert sum(made) > 0.97 * 64 * 300  # `make_vec` takes a step for each new game
    turns.close()
    learner = batches.APIS[api](BatchSetting(api, LEARNER, "compact", 64, 1))
    assert sum(learner.turn() for _ in range(100)) > 3 * 64 * 100
    learner.close()


def test_finished_games_start_again_and_observations_are_written() -> None:
    turns = batches.BatchTurns(BatchSetting("Batch", SELF_PLAY, "features", 32, 1))
    assert turns.out is not None
    for _ in range(200):
        turns.turn()
        assert turns.batch.masks().any(axis=1).all()
    assert (turns.out == turns.batch.observe()).all()
    assert batches.BatchTurns(BatchSetting("Batch", SELF_PLAY, "none", 32, 1)).out is None


# --- limits and memory ----------------------------------------------------------------------------------------------
def test_copies_copy_all_bytes_in_all_threads() -> None:
    copies = limits.Copies(1001, 3)
    assert copies.copy() == 1001
    assert (copies.target == 1).all()
    copies.close()


def test_the_bytes_of_a_decision_are_counted() -> None:
    moved = limits.traffic(512)
    (read, none), (_, compact), (_, features) = (moved[name] for name in batches.OBSERVATIONS)
    assert read > STATE.itemsize + 197
    assert 197 + limits.LINE < none < 197 + STATE.itemsize + 2 * limits.LINE
    layout = {name: batches.BatchTurns(BatchSetting("Batch", SELF_PLAY, name, 1, 1)).batch.layout for name in moved}
    assert compact - none == pytest.approx(layout["compact"].size, abs=limits.LINE)
    assert features - none == pytest.approx(4 * layout["features"].size, abs=limits.LINE)


def test_the_limit_is_compared_with_what_was_measured() -> None:
    found: dict[int | tuple[str, int], list[float]] = {2: [1e9, 2e9], ("compact", 2): [1e5, 1e5]}
    section = limits.compared(found, {"compact": (1500.0, 500.0)}, 2, 1024)
    allowed, made, times = section.figures
    assert (allowed.low, allowed.high) == (1e6, 2e6)
    assert made.median == 1e5
    assert (times.low, times.high) == (10.0, 20.0)
    assert "1,024 games, 2 threads" in section.title
    assert limits.copied(found, [2]).figures[0].high == 4.0


def test_a_process_grows_by_less_than_two_kibibytes_a_game_and_what_was_handed_out() -> None:
    grown = processes.in_a_process("Batch", "none", 20_000)
    handed_out = COMPACT.size + NUM_ACTIONS  # by the reset of the environment, which uses the memory again
    assert STATE.itemsize + 8 * NUM_WORDS[0] < grown < 2048 + handed_out


# --- picture --------------------------------------------------------------------------------------------------------
def setting(games: int, threads: int, mode: str = SELF_PLAY) -> BatchSetting:
    """A setting without observations."""
    return BatchSetting("Batch", mode, "none", games, threads)


def test_the_lines_of_the_picture_are_medians_of_self_play() -> None:
    settings = (setting(64, 1), setting(1, 1), setting(8, 1, LEARNER))
    figures = [report.Figure.of(one.label, "decisions/s", [1.0, 9.0, 3.0]) for one in settings]
    sections = [report.Section("batches", figures, settings=settings), report.Section("else", figures)]
    found = plot.throughput_of(sections)
    assert plot.line(found, {"api": "Batch", "threads": 1}, "games") == [(1, 3.0), (64, 3.0)]
    assert plot.line(found, {"api": "make_vec"}, "games") == []


def test_the_picture_shows_other_libraries_as_well(tmp_path: Path) -> None:
    found = {setting(8, count): 2.0 * count for count in (1, 2)}
    entrants = [
        {"library": "Kit", "game": "chess", "kind": kind, "own": own, "rates": [5.0]}
        for kind in ("batch", "batch_one_core")
        for own in (True, False)
    ]
    plain, full = tmp_path / "plain.png", tmp_path / "full.png"
    plot.draw(found, [], plain)
    plot.draw(found, entrants, full)
    assert plain.read_bytes() != full.read_bytes()
    assert png_size(plain) == png_size(full)
