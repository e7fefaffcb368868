"""With one library everything that Python calls is there: no interface compiles anything, or imports the compiler."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from endeavor_env.kernels.entries import entries
from endeavor_env.kernels.parts import parts
from endeavor_env.kernels.switches import USES_LIBRARY
from tests.kits import every_interface


@pytest.mark.slow
@pytest.mark.timeout(1200)  # on a new machine it compiles what the tests before it did not need
@pytest.mark.skipif(not USES_LIBRARY, reason="no library is used")
def test_after_compiling_everything_no_interface_compiles_anything() -> None:
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    command = [sys.executable, every_interface.__file__]
    ran = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, ""), ran.stderr


def test_every_entry_of_the_package_belongs_to_one_part() -> None:
    for part in parts.values():
        part.symbols()
    owners = {
        symbol: [part.name for part in parts.values() if entry.py_func.__module__ in part.modules]
        for symbol, entry in entries.items()
        if entry.py_func.__module__.startswith("endeavor_env.")
    }
    assert {symbol: names for symbol, names in owners.items() if len(names) != 1} == {}
