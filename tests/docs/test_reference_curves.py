"""Curves of the reference trainers: runs with other points are brought together, and every method is drawn."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.kits.scripts import load_script

curves = load_script("make/reference_curves.py")


def result(method: str, ends: int, *wins: float) -> dict[str, Any]:
    """Return a run whose wins were measured at equal distances, from 0 to so many decisions."""
    at = np.linspace(0, ends, len(wins))
    points = [
        {"decisions": int(one), "cpu_seconds": one / 100, "greedy": share} for one, share in zip(at, wins, strict=True)
    ]
    return {"method": method, "track": "decisions-1m", "curve": points}


def test_the_curve_of_a_method_goes_as_far_as_its_shortest_run() -> None:
    runs = [result("td", 1_000, 0.0, 0.5, 1.0), result("td", 500, 0.0, 0.25), result("td", 1_000, 0.2, 0.2)]
    curve = curves.curve_of(runs, "decisions")
    assert (curve.at[0], curve.at[-1]) == (0, 500)
    assert np.isclose(curve.middle[-1], (0.5 + 0.25 + 0.2) / 3), "of three values none is left out"
    assert np.isclose(curve.middle[0], 0.2 / 3)
    assert (curve.low <= curve.middle).all()
    assert (curve.middle <= curve.high).all()
    assert curves.curve_of(runs[:1], "cpu_seconds").at[-1] == 10


def test_every_method_of_a_track_has_a_line_in_both_panels() -> None:
    figure = curves.figure_of([result("td", 900, 0.1, 0.3), result("maskable-ppo", 800, 0.0, 0.1)])
    assert [axes.get_xlabel() for axes in figure.axes] == ["decisions", "processor time, s"]
    for axes in figure.axes:
        assert [line.get_label() for line in axes.lines] == ["MaskablePPO (sb3-contrib)", "TD value network"]


def test_a_track_is_drawn_alone_into_a_new_folder_and_always_alike(tmp_path: Path) -> None:
    for name in ("decisions-1m_td_0.json", "decisions-100k_td_0.json"):
        shutil.copy(curves.ROOT / curves.REFERENCES / name, tmp_path)
    drawn = [tmp_path / number for number in ("first", "second")]
    for out in drawn:
        assert curves.main([str(tmp_path), "--track", "decisions-1m", "--out", str(out)]) == 0
        assert [file.name for file in out.iterdir()] == ["references_decisions-1m.svg"]
    one, other = (next(out.iterdir()).read_bytes() for out in drawn)
    assert one == other


def test_a_track_without_results_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(curves.ROOT / curves.REFERENCES / "decisions-1m_td_0.json", tmp_path)
    with pytest.raises(SystemExit):
        curves.main([str(tmp_path), "--track", "cpu-10min", "--out", str(tmp_path / "out")])
    assert "there are no results of the track cpu-10min: those are of decisions-1m" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
