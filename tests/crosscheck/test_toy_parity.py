"""The faces of any game give the same bytes compiled, uncompiled and with bounds checks: see ``test_jit_parity``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.crosscheck import toy_digests

pytestmark = pytest.mark.timeout(1200)  # bounds checks are compiled into every kernel first, once a version
CHECKED = {"NUMBA_BOUNDSCHECK": "1", "ENDEAVOR_ENV_RUBBISH_ON_STACK": "1"}


def in_a_process(settings: dict[str, str]) -> dict[str, str]:
    """Return the digests another process finds, with warnings and overflows as errors."""
    path = os.pathsep.join([str(Path(__file__).resolve().parents[2]), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-W", "error", toy_digests.__file__]
    env = {**os.environ, "PYTHONPATH": path, **settings}
    ran = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-4000:]
    found: dict[str, str] = json.loads(ran.stdout)
    return found


@pytest.fixture(scope="module")
def compiled() -> dict[str, str]:
    """The digests of this process."""
    return toy_digests.toy_digests()


def test_digests_are_repeatable_and_of_different_things(compiled: dict[str, str]) -> None:
    assert toy_digests.toy_digests() == compiled
    assert len(set(compiled.values())) == len(compiled)


@pytest.mark.parametrize("settings", [{"NUMBA_DISABLE_JIT": "1"}, {"NUMBA_DISABLE_JIT": "1", **CHECKED}, CHECKED])
def test_every_byte_is_the_same(settings: dict[str, str], compiled: dict[str, str]) -> None:
    assert in_a_process(settings) == compiled
