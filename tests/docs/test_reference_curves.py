"""Curves of the reference trainers: runs with other points are brought together, and every method is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np

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
