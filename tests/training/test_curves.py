"""Curves are read from event files as they were written."""

from __future__ import annotations

import builtins
from pathlib import Path
from typing import Any

import pytest
from torch.utils.tensorboard import SummaryWriter

from endeavor_env.errors import InvalidOptionError, MissingLibraryError
from endeavor_env.training.runs.curves import read_curves


def write(folder: Path, points: list[tuple[str, int, float]]) -> None:
    """Write an event file with these values."""
    writer = SummaryWriter(str(folder))
    for name, step, value in points:
        writer.add_scalar(name, value, step)
    writer.close()


def test_curves_have_the_steps_and_values_that_were_written(tmp_path: Path) -> None:
    write(tmp_path / "tensorboard", [("wins", 1, 0.25), ("error", 1, 2.0), ("wins", 5, 0.5)])
    curves = read_curves(tmp_path)
    assert list(curves) == ["error", "wins"]
    assert curves["wins"].steps.tolist() == [1, 5]
    assert curves["wins"].values.tolist() == [0.25, 0.5]


def test_every_point_of_a_long_curve_is_read(tmp_path: Path) -> None:
    write(tmp_path, [("wins", step, step / 2) for step in range(12_000)])
    assert len(read_curves(tmp_path)["wins"].steps) == 12_000


def test_the_last_of_several_values_at_a_step_counts(tmp_path: Path) -> None:
    write(tmp_path, [("wins", 1, 0.25), ("wins", 2, 0.5), ("wins", 2, 0.75)])
    assert read_curves(tmp_path)["wins"].values.tolist() == [0.25, 0.75]


def test_a_run_in_several_files_is_one_curve(tmp_path: Path) -> None:
    write(tmp_path / "ppo_1", [("wins", 1, 0.25)])
    write(tmp_path / "ppo_2", [("wins", 2, 0.5)])
    assert read_curves(str(tmp_path))["wins"].steps.tolist() == [1, 2]


def test_folders_without_curves_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidOptionError, match="has no event files of TensorBoard: give the folder of a run"):
        read_curves(tmp_path)
    with pytest.raises(InvalidOptionError, match="has no event files"):
        read_curves(tmp_path / "missing")
    write(tmp_path, [])
    with pytest.raises(InvalidOptionError, match="has event files without curves"):
        read_curves(tmp_path)


def test_without_tensorboard_the_error_says_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = builtins.__import__

    def without_tensorboard(name: str, *more: Any, **others: Any) -> Any:
        if name.startswith("tensorboard"):
            raise ImportError("no tensorboard")
        return plain(name, *more, **others)

    monkeypatch.setattr(builtins, "__import__", without_tensorboard)
    with pytest.raises(MissingLibraryError, match="pip install tensorboard"):
        read_curves(tmp_path)
