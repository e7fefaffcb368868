"""Late kernels: compiled at the first call, in the middle of another kernel if nobody did so before."""

from __future__ import annotations

import copy
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from endeavor_env.core import late
from endeavor_env.core._jit import JIT_DISABLED
from tests.kits import toy_late

EXPECTED = (22, [7.0, 5.0, 3.0], 3)
ROOT = Path(__file__).resolve().parents[2]
compiled = pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")


@pytest.fixture
def uncompiled() -> late.LateKernel:
    """The toy as before its first call."""
    assert toy_late.TOY is not None
    toy_late.TOY.address[0] = toy_late.TOY._python
    return toy_late.TOY


def test_numbers_records_and_arrays_arrive() -> None:
    assert toy_late.call() == EXPECTED
    assert toy_late.call() == EXPECTED


@compiled
def test_the_first_call_compiles_and_the_next_ones_do_not(uncompiled: late.LateKernel) -> None:
    calls = []
    original = uncompiled.compile
    uncompiled.compile = lambda: (calls.append(threading.current_thread()), original())  # type: ignore[method-assign]
    try:
        assert [toy_late.call() for _ in range(3)] == [EXPECTED] * 3
    finally:
        del uncompiled.compile
    assert len(calls) == 1
    assert uncompiled.address[0] != uncompiled._python


@compiled
def test_pickled_it_is_the_one_of_the_process_it_comes_to() -> None:
    assert pickle.loads(pickle.dumps(toy_late.TOY)) is copy.deepcopy(toy_late.TOY) is toy_late.TOY
    assert pickle.loads(pickle.dumps(toy_late.call_toy)) is toy_late.call_toy
    there = (
        "import pickle, sys\n"
        "call_toy = pickle.loads(sys.stdin.buffer.read())\n"
        "from tests.kits import toy_late\n"
        "toy_late.call_toy = call_toy\n"
        "print(toy_late.call())\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", there], input=pickle.dumps(toy_late.call_toy), capture_output=True, check=False, cwd=ROOT
    )
    assert ran.stdout.decode().strip() == repr(EXPECTED), ran.stderr.decode()


@compiled
def test_several_threads_may_call_it_first(uncompiled: late.LateKernel) -> None:
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(toy_late.call())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [EXPECTED] * 4


@compiled
def test_ctrl_c_during_the_first_call_waits_for_its_end(uncompiled: late.LateKernel) -> None:
    original, interrupted = uncompiled.compile, []

    def slowly() -> None:
        signal.raise_signal(signal.SIGINT)
        original()

    uncompiled.compile = slowly  # type: ignore[method-assign]
    try:
        toy_late.call()
        time.sleep(0.5)
    except KeyboardInterrupt:
        interrupted.append(uncompiled.address[0] != uncompiled._python)
    finally:
        del uncompiled.compile
    assert interrupted == [True]
    assert toy_late.call() == EXPECTED


@compiled
def test_a_process_ends_rather_than_play_on_wrongly() -> None:
    code, env = "from tests.kits import toy_late; toy_late.fail_to_compile()", {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run([sys.executable, "-c", code], env=env, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode != 0
    assert ran.stdout == ""
    assert "endeavor_toy_entry cannot be compiled" in ran.stderr
    assert "no room" in ran.stderr
