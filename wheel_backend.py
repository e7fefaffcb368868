"""The build backend: that of setuptools, which gets what compiles the kernels where a wheel is to carry them.

An editable install needs no compiler, and neither does a source distribution. A wheel is for the kind of machine that
it is built on, or for another one that is named: ``pip wheel . --config-settings=platform=linux_aarch64``.
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
PLATFORM = "ENDEAVOR_ENV_WHEEL_PLATFORM"
"""How ``setup.py`` is told the kind of machine."""
COMPILERS = ("llvmlite", "numba", "numpy")


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """Return what a wheel is built with."""
    needed = build_meta.get_requires_for_build_wheel(config_settings)
    if os.environ.get(NO_LIBRARIES, "") not in ("", "0"):
        return needed
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [*needed, *(entry for entry in project["dependencies"] if entry.startswith(COMPILERS))]


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None) -> str:
    """Build a wheel for the platform of the settings, or for this one, and return its name."""
    settings = dict(config_settings or {})
    platform = settings.pop("platform", None)
    if platform is None:
        return build_meta.build_wheel(wheel_directory, settings, metadata_directory)
    if not isinstance(platform, str):
        raise SystemExit(f"error: a wheel is for one platform, not for {' and '.join(platform)}: build each by itself")
    os.environ[PLATFORM] = platform
    try:
        return build_meta.build_wheel(wheel_directory, settings, metadata_directory)
    finally:
        del os.environ[PLATFORM]
