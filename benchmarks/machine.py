"""The origin of figures: processor, cores, versions, command and date."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from datetime import UTC, datetime
from typing import Any

from endeavor_env.agents.terminal import own_command
from endeavor_env.basics.hardware import processor
from endeavor_env.basics.hardware import usable_cores as usable_cores

PACKAGES = ("numpy", "numba", "gymnasium", "pettingzoo")


def machine() -> dict[str, Any]:
    """Return processor, cores, system and Python as plain JSON values."""
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def versions() -> dict[str, str]:
    """Return the versions of this package and of those it depends on."""
    import endeavor_env

    return {"endeavor-env": endeavor_env.__version__, **{name: importlib.metadata.version(name) for name in PACKAGES}}


def provenance(module: str) -> dict[str, Any]:
    """Return the origin of figures measured by ``python -m module``."""
    return {
        "command": own_command(module),
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "machine": machine(),
        "versions": versions(),
    }


def sentence(origin: dict[str, Any]) -> str:
    """Return an origin, made by ``provenance``, as one line of text."""
    where, packages = origin["machine"], origin["versions"]
    listed = ", ".join(f"{name} {version}" for name, version in packages.items())
    return (
        f"`{origin['command']}`, {origin['date']}, {where['processor']} with {where['cores']} cores, "
        f"{where['system']}, Python {where['python']}, {listed}"
    )
