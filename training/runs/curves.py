"""The curves of a training run, read from its TensorBoard event files without a browser.

from endeavor_env.training.runs.curves import read_curves

curves = read_curves("runs/td-quick")
curves["wins/4_seats"].values
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.errors import InvalidOptionError, MissingLibraryError, named


class Curve(NamedTuple):
    """A quantity that a run wrote down again and again."""

    steps: npt.NDArray[np.int64]
    """(points,), ascending: decisions of the learner in runs of ``endeavor_env.training.ppo``, iterations in those of
    ``endeavor_env.training.td``."""
    values: npt.NDArray[np.float64]
    """(points,), float32 as the files have them."""


def read_curves(folder: str | Path) -> dict[str, Curve]:
    """Return all curves below a folder by their names, which are sorted.

    Of several values of a curve at one step the last one counts: a run that was stopped plays some steps again.

    Args:
        folder: The folder of a run, or any folder with event files in it or in folders below it.

    Raises:
        InvalidOptionError: The folder has no event files, or they hold no curves.
        MissingLibraryError: TensorBoard is not installed.
    """
    try:
        from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    except ImportError as error:
        raise MissingLibraryError(
            "curves are read by tensorboard, which is not installed: pip install tensorboard"
        ) from error
    points: dict[str, dict[int, float]] = {}
    files = sorted(Path(folder).rglob("events.out.tfevents.*"))  # their names begin with the time of writing
    for file in files:
        events = EventAccumulator(str(file), {"scalars": 0}).Reload()
        for name in events.Tags()["scalars"]:
            points.setdefault(name, {}).update({event.step: event.value for event in events.Scalars(name)})
    if not points:
        what = "no event files of TensorBoard" if not files else "event files without curves"
        raise InvalidOptionError(f"{named(str(folder))} has {what}: give the folder of a run that has begun to train")
    return {name: _curve(points[name]) for name in sorted(points)}


def _curve(points: dict[int, float]) -> Curve:
    """Return a curve from its values by step."""
    steps = sorted(points)
    return Curve(np.array(steps, np.int64), np.array([points[step] for step in steps], np.float64))
