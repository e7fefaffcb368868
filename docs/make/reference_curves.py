"""Draw how strong reference trainers were on the way: ``python docs/make/reference_curves.py [FOLDER] [--track T]``.

FOLDER holds ``reference.json`` files, or is ``bench/references``. For each track it writes ``references_<track>.svg``:
wins among ``greedy`` against decisions and against processor time, the interquartile mean over seeds with its interval.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib
import numpy as np
import numpy.typing as npt
from leaderboard import REFERENCES, ROOT, read_references
from matplotlib.figure import Figure

from endeavor_env.agents import statistics
from endeavor_env.analysis.drawing import COLOURS, HEIGHT, WIDTH, add_legend, empty_figure, styled
from endeavor_env.training.reference.methods import TITLES

AXES = {"decisions": "decisions", "cpu_seconds": "processor time, s"}
RIVAL = "greedy"
POINTS = 25
"""Places on an axis at which the curves of seeds are brought together."""


class Curve(NamedTuple):
    """How strong a method was, over its seeds."""

    at: npt.NDArray[np.float64]
    """(points,) of an axis, up to where the shortest run ended."""
    middle: npt.NDArray[np.float64]
    """(points,) the interquartile mean of the share of wins."""
    low: npt.NDArray[np.float64]
    high: npt.NDArray[np.float64]


def curve_of(results: Sequence[Mapping[str, Any]], axis: str) -> Curve:
    """Return the curve of the runs of a method; between two points of a run its wins lie on a straight line."""
    runs = [
        ([float(point[axis]) for point in result["curve"]], [point[RIVAL] for point in result["curve"]])
        for result in results
    ]
    at = np.linspace(max(where[0] for where, _ in runs), min(where[-1] for where, _ in runs), POINTS)
    wins = np.array([np.interp(at, where, shares) for where, shares in runs])
    columns = wins.T[:, :, None]  # (points, seeds, 1 task)
    ends = [statistics.stratified_bootstrap(column, statistics.iqm) for column in columns]
    low, high = np.array(ends).T
    return Curve(at, np.array([statistics.iqm(column) for column in columns]), low, high)


@styled
def figure_of(results: Sequence[Mapping[str, Any]]) -> Figure:
    """Return the curves of all methods of a track, each in a colour of its own."""
    figure, panels = empty_figure(WIDTH, HEIGHT, columns=len(AXES))
    methods = [name for name in TITLES if any(result["method"] == name for result in results)]
    for panel, (axis, title) in zip(panels, AXES.items(), strict=True):
        for colour, name in zip(COLOURS, methods, strict=False):
            curve = curve_of([result for result in results if result["method"] == name], axis)
            panel.plot(curve.at, 100 * curve.middle, color=colour, label=TITLES[name])
            panel.fill_between(curve.at, 100 * curve.low, 100 * curve.high, color=colour, alpha=0.2, linewidth=0)
        panel.set_xlabel(title)
    panels[0].set_ylabel(f"wins among {RIVAL}, %")
    add_legend(figure, panels[0], 3)
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw a figure for each track."""
    parser = argparse.ArgumentParser(description="Draw the curves of the reference trainers.")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / REFERENCES)
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "pictures")
    parser.add_argument("--track", action="append", help="only this track; repeatable")
    options = parser.parse_args(arguments)
    results = read_references(options.folder)
    tracks = sorted({one["track"] for one in results})
    for track in options.track or ():
        if track not in tracks:
            parser.error(f"there are no results of the track {track}: those are of {', '.join(tracks)}")
    options.out.mkdir(parents=True, exist_ok=True)
    for track in options.track or tracks:
        file = options.out / f"references_{track}.svg"
        with matplotlib.rc_context({"svg.hashsalt": track}):  # so that the same results make the same file
            figure_of([one for one in results if one["track"] == track]).savefig(file, metadata={"Date": None})
        print(file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
