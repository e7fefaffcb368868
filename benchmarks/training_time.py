"""The shares of the wall time of a training run, measured by ``training.profile``."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.report import Figure, Section

NEEDED = ("torch", "sb3_contrib", "training.profile")
STEPS, SMOKE_STEPS = 65_536, 1


class LeftOutError(Exception):
    """Something that a section needs is not installed."""


def ppo(smoke: bool) -> list[Section]:
    """Train for a while; return the shares of environment, opponents and learner. May raise LeftOutError."""
    lacking = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if lacking:
        raise LeftOutError(f'{", ".join(lacking)} is not installed: pip install -e ".[train]"')
    preset, steps = ("smoke", SMOKE_STEPS) if smoke else ("quick", STEPS)
    return [section_of(profiled(preset, steps), preset)]


def profiled(preset: str, steps: int) -> dict[str, Any]:
    """Return the figures of ``training.profile``, run in another process because it sets the threads of PyTorch."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "profile.json"
        command = [sys.executable, "-m", "training.profile", "--preset", preset, "--steps", str(steps)]
        subprocess.run([*command, "--json", str(path)], check=True, stdout=subprocess.DEVNULL)
        return json.loads(path.read_text(encoding="utf-8"))


def section_of(profile: dict[str, Any], preset: str) -> Section:
    """Return the table of a profile."""
    figures = [Figure.of(row["part"], "%", [100 * row["share"]]) for row in profile["parts"]]
    figures.append(Figure.of("environment, in all", "%", [100 * profile["environment_share"]]))
    figures.append(Figure.of("learner's decisions", "decisions/s", [profile["decisions_per_second"]]))
    return Section(f"PPO: shares of the wall time, preset `{preset}`, {profile['seconds']:.0f} s", figures)
