"""Processes of Python that the package starts: none of them finds modules in the working folder.

Python looks there first for ``-m``, ``-c`` and the workers of ``multiprocessing``, so that a file ``numba.py`` in the
folder in which somebody calls a command would run as that user.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SAFE_PATH = "PYTHONSAFEPATH"


def python_command(*arguments: str, python: str = sys.executable) -> list[str]:
    """Return the command that runs an interpreter, this one if no other is given, with arguments such as ``-m``."""
    return [python, "-P", *arguments]


def inherited_path(*first: Path) -> str:
    """Return the value of ``PYTHONPATH`` by which a child finds the modules that this process finds.

    The working folder is in it only if it is one of ``first``, which come first, or named by ``PYTHONPATH`` itself.
    """
    here, named = os.path.realpath(""), os.environ.get("PYTHONPATH", "").split(os.pathsep)
    found = (path for path in sys.path if path and (path in named or os.path.realpath(path) != here))
    return os.pathsep.join(dict.fromkeys([*map(str, first), *found]))


@contextmanager
def workers_without_working_folder() -> Iterator[None]:
    """Start workers of ``multiprocessing`` inside of this: its command is its own, and reads the environment."""
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[SAFE_PATH]
        else:
            os.environ[SAFE_PATH] = before
