"""The build backend: that of setuptools, which gets what compiles the kernels where a wheel is to carry them.

An editable install needs no compiler, and neither does a source distribution. A wheel is for the kind of machine that
it is built on.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403  # the other hooks are its own

NO_LIBRARIES = "ENDEAVOR_ENV_NO_LIBRARIES"
"""Set to 1, wheels are built without machine code, for every kind of machine: kernels are compiled at the first use."""
COMPILERS = ("llvmlite", "numba", "numpy", "platformdirs")


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """Return what a wheel is built with."""
    needed = build_meta.get_requires_for_build_wheel(config_settings)
    if os.environ.get(NO_LIBRARIES, "") not in ("", "0"):
        return needed
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [*needed, *(entry for entry in project["dependencies"] if entry.startswith(COMPILERS))]
