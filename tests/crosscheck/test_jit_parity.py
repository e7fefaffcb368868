"""Compiled, uncompiled and bounds-checked kernels give the same bytes; no index leaves its array, nothing overflows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import BuiltinFunctionType

import pytest

from endeavor_env.core import _jit
from tests.crosscheck import parity_digests as parity_digests

pytestmark = pytest.mark.timeout(1200)  # bounds checks are compiled into every kernel first, once a version


def in_a_process(games: int, golden: str, **settings: str) -> dict[str, str]:
    """Return the digests another process finds, with warnings and NumPy's overflows as errors."""
    command = [sys.executable, "-W", "error", parity_digests.__file__, str(games), golden]
    path = os.pathsep.join([str(Path(__file__).resolve().parents[2]), os.environ.get("PYTHONPATH", "")])
    env = {**os.environ, "PYTHONPATH": path, **settings}
    ran = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-4000:]
    return json.loads(ran.stdout)


def test_this_process_is_compiled() -> None:
    assert not _jit.JIT_DISABLED
    assert isinstance(parity_digests.entry.step, BuiltinFunctionType)  # called directly: no plain function
    assert hasattr(parity_digests.entry.begin_step, "py_func")  # a dispatcher


def test_without_the_jit_every_byte_is_the_same() -> None:
    found = in_a_process(1, "golden", NUMBA_DISABLE_JIT="1")
    assert len(found) == 3 * len(parity_digests.KINDS) + 4 + len(list(parity_digests.GOLDEN.glob("*.txt")))
    assert found == parity_digests.digests(1, golden=True)


def test_with_bounds_checks_every_byte_is_the_same() -> None:
    found = in_a_process(4, "golden", NUMBA_BOUNDSCHECK="1")
    assert found == parity_digests.digests(4, golden=True)


def test_bounds_checks_do_find_an_index_out_of_range(tmp_path: Path) -> None:
    probe = (
        "import numpy as np\nfrom endeavor_env.core._jit import kernel\n"
        "@kernel\ndef at(values, index):\n    return values[index]\nat(np.zeros(3), 3)\n"
    )
    (tmp_path / "probe.py").write_text(probe, encoding="utf-8")
    path = os.pathsep.join([str(Path(__file__).resolve().parents[2]), os.environ.get("PYTHONPATH", "")])
    env = {**os.environ, "PYTHONPATH": path, "NUMBA_BOUNDSCHECK": "1", "ENDEAVOR_ENV_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, str(tmp_path / "probe.py")]
    ran = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert "IndexError: index is out of bounds" in ran.stderr
