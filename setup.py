"""The layout of an installed wheel; everything else about the build is in ``pyproject.toml``.

The folders ``agents``, ``training``, ``benchmarks`` and ``cli`` are top-level packages of a checkout, and of an
editable install, which is the checkout. Names as common as these would collide in ``site-packages``: another
distribution installs an ``agents`` as well. A wheel therefore has them inside the one package whose name is ours, as
``endeavor_env.agents``, ``endeavor_env.training``, ``endeavor_env.benchmarks`` and ``endeavor_env.cli``, and the
modules in it are written with these names: ``from agents.base import Agent`` becomes ``from endeavor_env.agents.base
import Agent``, and a help text that says ``python -m agents.arena`` says ``endeavor arena``. The
command ``endeavor`` is ``cli.__main__`` in a checkout and ``endeavor_env.cli.__main__`` in a wheel.

A wheel carries the machine code of the kernels, as libraries for the kind of machine that it is built on, or for
another one that ``wheel_backend.py`` is given (``endeavor_env.compile.build``). It does not depend on the version of
Python.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from setuptools import find_packages, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.command.editable_wheel import editable_wheel

HOME = "endeavor_env"
MOVED = ("agents", "training", "benchmarks", "cli")
COMMAND = "endeavor = {}cli.__main__:main"
"""The entry point of the command, after the name of the package that holds it."""
HAS_LIBRARIES = os.environ.get("ENDEAVOR_ENV_NO_LIBRARIES", "") in ("", "0")
"""Whether wheels carry machine code, see ``wheel_backend.py``."""
PLATFORM = os.environ.get("ENDEAVOR_ENV_WHEEL_PLATFORM", "")
"""The kind of machine that a wheel is for, "" for this one."""
BUILD = (f"{HOME}.compile.build", *(("--platform", PLATFORM) if PLATFORM else ()))
"""The command that makes the libraries of a wheel."""
ROOT = Path(__file__).resolve().parent
CHECKOUT_PACKAGES = find_packages(
    str(ROOT), include=[f"{name}{rest}" for name in (HOME, *MOVED) for rest in ("", ".*")]
)


def name_pattern() -> re.Pattern[str]:
    """Return a pattern that finds the name of a moved package where it stands for the package.

    That is in front of one of its modules (``agents.arena``, in an import, a text or a comment) and as the whole name
    in ``from agents import arena``. A variable ``agents`` or the folder ``training/`` in a text is left alone, and so
    is a name that has been rewritten already.
    """
    modules = {name: "|".join(sorted(path.stem for path in (ROOT / name).iterdir())) for name in MOVED}
    followed = "|".join(rf"{name}(?=\.(?:{found})\b)" for name, found in modules.items())
    imported = "|".join(rf"(?<=from ){name}(?= import)" for name in MOVED)
    return re.compile(rf"(?<![\w.])(?:{followed})|{imported}")


PATTERN = name_pattern()


class BuildWithWheelNames(build_py):
    """Copies the modules into the wheel and rewrites the names of the moved packages in them."""

    def build_module(self, module: str, module_file: str, package: str) -> Any:
        """Copy one module; see ``distutils``."""
        outfile, copied = super().build_module(module, module_file, package)
        if copied:
            path = Path(outfile)
            path.write_text(PATTERN.sub(rf"{HOME}.\g<0>", path.read_text(encoding="utf-8")), encoding="utf-8")
        return outfile, copied

    def run(self) -> None:
        """Copy everything, and make the libraries of machine code beside it."""
        super().run()
        if HAS_LIBRARIES and not self.editable_mode:
            folder = Path(self.build_lib).resolve()
            run_module(folder, *BUILD)


def run_module(folder: Path, *command: str) -> str:
    """Run a module of the package that is in a folder and return what it prints; end with its message if it fails."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *sys.path])}
    words = [sys.executable, "-m", *command]
    ran = subprocess.run(words, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    if ran.returncode != 0:
        raise SystemExit(f"error: {' '.join(command)} failed, see above")
    return ran.stdout


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
        tags = ""
        if HAS_LIBRARIES and "editable_wheel" not in self.distribution.command_obj:  # that has no libraries
            tags = run_module(ROOT, *BUILD, "--tags").strip()
        return "py3", "none", tags or super().get_tag()[2]


class EditableWithCheckoutNames(editable_wheel):
    """Makes the packages of the checkout importable, and its command runnable, under the names that they have there."""

    def finalize_options(self) -> None:
        """Replace the layout of a wheel by that of the checkout."""
        self.distribution.packages = CHECKOUT_PACKAGES
        self.distribution.package_dir = {}
        distribution: Any = self.distribution
        distribution.entry_points = {"console_scripts": [COMMAND.format("")]}
        super().finalize_options()

    def run(self) -> None:
        """Build, with the entry point of the checkout also where pip had the metadata made before, as for a wheel."""
        if self.dist_info_dir:
            entries = Path(self.dist_info_dir) / "entry_points.txt"
            entries.write_text(f"[console_scripts]\n{COMMAND.format('')}\n", encoding="utf-8")
        super().run()


setup(
    packages=[name if name.split(".")[0] == HOME else f"{HOME}.{name}" for name in CHECKOUT_PACKAGES],
    package_dir={f"{HOME}.{name}": name for name in MOVED},
    entry_points={"console_scripts": [COMMAND.format(f"{HOME}.")]},
    cmdclass={
        "bdist_wheel": WheelOfMachine,
        "build_py": BuildWithWheelNames,
        "editable_wheel": EditableWithCheckoutNames,
    },
)
