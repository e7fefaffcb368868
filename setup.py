"""The layout of an installed wheel; everything else about the build is in ``pyproject.toml``.

The folders ``agents``, ``training``, ``benchmarks`` and ``cli`` stand at the top of a checkout, where readers look for
them, and are packages inside the one whose name is ours: ``endeavor_env.agents``, ``endeavor_env.training``,
``endeavor_env.benchmarks`` and ``endeavor_env.cli``, for names as common as theirs would collide in ``site-packages``.
A checkout has them there by symbolic links, which editors and checks follow as well; wheels and editable installs are
told here, so that they do not need the links, which some systems do not have.

A wheel carries the machine code of the kernels, as libraries for the kind of machine that it is built on
(``endeavor_env.compile --for-wheel``). It does not depend on the version of Python.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from setuptools import find_packages, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

HOME = "endeavor_env"
TOP_LEVEL = ("agents", "training", "benchmarks", "cli")
"""The folders of a checkout that are packages inside ours."""
HAS_LIBRARIES = os.environ.get("ENDEAVOR_ENV_NO_LIBRARIES", "") in ("", "0")
"""Switch for machine code in wheels, see ``wheel_backend.py``."""
ROOT = Path(__file__).resolve().parent


def all_packages() -> list[str]:
    """Return the full names of all packages, each once, whether the checkout has its symbolic links or not."""
    inside = find_packages(str(ROOT), include=[HOME, f"{HOME}.*"])
    beside = find_packages(str(ROOT), include=[f"{name}{rest}" for name in TOP_LEVEL for rest in ("", ".*")])
    return sorted({*inside, *(f"{HOME}.{name}" for name in beside)})


class BuildWithLibraries(build_py):
    """Copies the modules into the wheel and makes the machine code beside them."""

    def run(self) -> None:
        """Copy everything, and make the libraries of machine code beside it."""
        super().run()
        if not HAS_LIBRARIES or self.editable_mode:
            return
        folder = Path(self.build_lib).resolve()
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *filter(None, sys.path)])}
        command = [sys.executable, "-P", "-m", f"{HOME}.compile", "--for-wheel"]
        if subprocess.run(command, cwd=folder, env=environment, check=False).returncode != 0:
            raise SystemExit(f"error: {' '.join(command)} failed, see above")


class WheelOfMachine(bdist_wheel):
    """Names the wheel after the kind of machine whose libraries it carries, and after no version of Python."""

    def finalize_options(self) -> None:
        """Say that it is not for every kind of machine."""
        if HAS_LIBRARIES:
            distribution: Any = self.distribution
            distribution.has_ext_modules = lambda: True  # which is what setuptools calls machine code
        super().finalize_options()

    def get_tag(self) -> tuple[str, str, str]:
        """Return Python's version, its interface, and the kind of machine."""
        return "py3", "none", super().get_tag()[2]


setup(
    packages=all_packages(),
    package_dir={f"{HOME}.{name}": name for name in TOP_LEVEL},
    cmdclass={"bdist_wheel": WheelOfMachine, "build_py": BuildWithLibraries},
)
