"""The behaviour-cloning example trains on a dataset and measures itself, here in a short form."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from endeavor_env.training.dataset import Settings, make_dataset

pytest.importorskip("torch", reason="torch is not installed: pip install 'endeavor-env[train]'")
ROOT = Path(__file__).resolve().parents[2]


def test_a_policy_learns_from_a_few_games_and_beats_random_play(tmp_path: Path) -> None:
    settings = Settings((("greedy",) * 3,), games=45, shard_games=9, observation="compact")
    make_dataset(settings, tmp_path)
    script = ROOT / "docs" / "clients" / "behaviour_cloning.py"
    command = [sys.executable, "-W", "error", str(script), str(tmp_path), "--epochs", "3", "--games", "30"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["decisions"] > 5000
    assert result["accuracy"] > result["held_out_accuracy"] > 2 * result["guessing"]
    assert result["beats_random"]
    assert result["games"] == 30
