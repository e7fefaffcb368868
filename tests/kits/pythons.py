"""Other Pythons of this machine, and folders of packages for them that are made without installing anything."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement

VERSIONS = tuple(f"3.{minor}" for minor in range(11, 15))
"""Those that the package is for."""
COMPILERS = ("numba", "llvmlite")


def find_python(version: str) -> str | None:
    """Return the program of a version of Python; None if it is not there."""
    if sys.version_info[:2] == tuple(map(int, version.split("."))):
        return sys.executable
    kept = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser() / "versions"
    named = [shutil.which(f"python{version}"), *sorted(map(str, kept.glob(f"{version}.*/bin/python{version}")))]
    return next((program for program in named if program is not None and _runs(program)), None)


def _runs(program: str) -> bool:
    """Return whether a program starts: some are only signs to others that are not there."""
    ran = subprocess.run([program, "-c", "import ctypes, ssl"], capture_output=True, check=False)
    return ran.returncode == 0


def needed(name: str) -> set[str]:
    """Return all distributions that a distribution needs on this machine, without compilers."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        for line in distribution(waiting.pop()).requires or []:
            one = Requirement(line)
            if (one.marker is None or one.marker.evaluate({"extra": ""})) and one.name not in {*found, *COMPILERS}:
                found.add(one.name)
                waiting.append(one.name)
    return found


def fill_site(names: set[str], version: str, site: Path) -> str:
    """Put distributions, as they are in this environment, into a folder of packages for a version of Python.

    What is plain Python is copied; pip gets the rest.

    Returns:
        Why that failed, "" if it did not.
    """
    plain = {name for name in names if "Root-Is-Purelib: true" in (distribution(name).read_text("WHEEL") or "")}
    exact = [f"{name}=={distribution(name).version}" for name in names - plain]
    wanted = ["--only-binary=:all:", "--python-version", version, "--implementation", "cp", "--no-deps"]
    quietly = ["--quiet", "--disable-pip-version-check", "--no-compile"]
    command = [sys.executable, "-m", "pip", "install", *quietly, *wanted]
    ran = subprocess.run([*command, "--target", str(site), *exact], capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        return (ran.stderr.strip().splitlines() or ["pip says nothing"])[-1]
    for file in [file for name in plain for file in distribution(name).files or []]:
        place = Path(str(file.locate()))
        if ".." not in file.parts and "__pycache__" not in file.parts and place.is_file():
            (site / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(place, site / file)
    return ""
