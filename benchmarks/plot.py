"""The picture of docs/benchmarks.md: throughput by batch size and by threads. It needs the extra ``notebooks``."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from endeavor_env.benchmarks.batches import OBSERVATIONS, SELF_PLAY, BatchSetting
from endeavor_env.benchmarks.report import Section

COLOURS = dict(zip(OBSERVATIONS, ("#1b6ca8", "#2e8b57", "#c0562b"), strict=True))
NAMES = {"none": "no observation", "compact": "compact", "features": "features"}
STYLES = {"Batch": "-", "make_vec": "--"}
PEER_GAMES = 1024
Throughput = Mapping[BatchSetting, float]
"""Decisions per second by setting."""


def throughput_of(sections: Sequence[Section]) -> Throughput:
    """Return the figures of self-play among sections of batches."""
    found = {
        setting: figure.median
        for section in sections
        if section.settings
        for setting, figure in zip(section.settings, section.figures, strict=True)
    }
    return {setting: speed for setting, speed in found.items() if setting.mode == SELF_PLAY}


def draw(measured: Throughput, entrants: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Draw the figures of self-play, and the batches of other libraries among ``entrants``.

    Args:
        measured: What ``throughput_of`` returns.
        entrants: The entrants of ``peers.race.Outcome.plain``.
        path: The PNG file to write.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 4.2), dpi=110, layout="constrained")
    FigureCanvasAgg(figure)
    by_size, by_threads = figure.subplots(1, 2)
    draw_sizes(by_size, measured, entrants)
    draw_threads(by_threads, measured)
    figure.savefig(path, format="png")


def draw_sizes(axes: Any, measured: Throughput, entrants: Sequence[Mapping[str, Any]]) -> None:
    """Draw decisions per second by the number of games, with one thread."""
    for api, style in STYLES.items():
        for observation in OBSERVATIONS:
            chosen = {"api": api, "observation": observation, "threads": 1}
            points = line(measured, chosen, "games")
            if points:
                label = f"`{api}`, {NAMES[observation]}".replace("`", "")
                axes.plot(*zip(*points, strict=True), style, marker="o", color=COLOURS[observation], label=label)
    for entrant in entrants:
        if entrant["kind"] == "batch_one_core" and not entrant["own"]:
            speed, label = statistics.median(entrant["rates"]), f"{entrant['library']} {entrant['game']}"
            axes.plot([PEER_GAMES], [speed], "x", color="0.35")
            axes.annotate(label, (PEER_GAMES, speed), (6, -3), textcoords="offset points", color="0.35", fontsize=8)
    axes.set(xscale="log", yscale="log", xlabel="games in a batch", ylabel="decisions a second")
    axes.set_title("one thread, self-play with random legal moves" if not entrants else "one core, random legal moves")
    axes.grid(alpha=0.3, which="both")
    axes.legend(fontsize=8)


def draw_threads(axes: Any, measured: Throughput) -> None:
    """Draw decisions per second by the number of threads for the largest batch; dotted lines are perfect scaling."""
    size = max(setting.games for setting in measured)
    for observation in OBSERVATIONS:
        points = line(measured, {"api": "Batch", "observation": observation, "games": size}, "threads")
        if points:
            threads, speeds = zip(*points, strict=True)
            ideal = [speeds[0] * count / threads[0] for count in threads]
            axes.plot(threads, ideal, ":", color=COLOURS[observation], linewidth=1)
            axes.plot(threads, speeds, "-", marker="o", color=COLOURS[observation], label=NAMES[observation])
            axes.set_xticks(threads)
    axes.set(xlabel="threads", ylabel="decisions a second", title=f"Batch of {size:,} games")
    axes.set_ylim(bottom=0)
    axes.ticklabel_format(axis="y", style="sci", scilimits=(6, 6), useMathText=True)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)


def line(measured: Throughput, chosen: Mapping[str, Any], along: str) -> list[tuple[int, float]]:
    """Return the sorted points (value of ``along``, speed) of the settings that have the values ``chosen``."""
    return sorted(
        (getattr(setting, along), speed)
        for setting, speed in measured.items()
        if all(getattr(setting, name) == value for name, value in chosen.items())
    )
