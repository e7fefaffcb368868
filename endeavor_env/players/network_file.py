"""What all networks of Endeavor depend on, and where those are that come with the package."""

from __future__ import annotations

from pathlib import Path

from endeavor_env.core.actions import layout_hash
from endeavor_env.observation import layout_for

NETWORKS = Path(__file__).parent / "networks"
"""The folder of the networks that come with the package."""


def layouts_of(variant: str) -> dict[str, str]:
    """Return the hashes of the actions and the features of ``variant``, on which every network depends."""
    return {"actions": layout_hash(variant), "features": layout_for(variant, "features").hash}


def package_path(name: str) -> Path:
    """Return the path of the arrays of a network that comes with the package."""
    return NETWORKS / f"{name}.npz"
