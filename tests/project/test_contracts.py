"""The contracts of imports in pyproject.toml name everything that they are about."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
CONTRACTS: list[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
    "importlinter"
]["contracts"]


def contract(start: str) -> dict[str, Any]:
    """Return the contract whose name begins with ``start``."""
    (found,) = (contract for contract in CONTRACTS if contract["name"].startswith(start))
    return found


def test_no_part_of_the_environment_may_use_a_training_library() -> None:
    rooms = contract("Inside the environment each package")["layers"]
    above = ["cli", "benchmarks", "training", "bench", "agents"]
    assert rooms[: len(above)] == above
    environment = {f"endeavor_env.{room}" for layer in rooms[len(above) :] for room in layer.split(" | ")}
    assert set(contract("The environment uses no training library")["source_modules"]) == environment
