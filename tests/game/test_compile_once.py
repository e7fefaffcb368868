"""Of many processes that find an empty cache one compiles; the others wait, say so, and load."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from endeavor_env import compile_once, file_lock
from endeavor_env.core import _cache_folder
from endeavor_env.core._jit import JIT_DISABLED
from tests.kits import toy_kernel

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")


def start(cache: Path) -> subprocess.Popen[str]:
    """Start a process that compiles the toy once; whoever compiles waits for the file ``go``."""
    command = [sys.executable, "-W", "error", toy_kernel.__file__, str(cache / "go")]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "ENDEAVOR_ENV_CACHE_DIR": str(cache)}
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def first_line(process: subprocess.Popen[str]) -> str:
    """Wait for the first line that a process writes on stderr."""
    assert process.stderr is not None
    return process.stderr.readline()


def test_of_three_processes_one_compiles_and_two_wait_say_so_and_load(tmp_path: Path) -> None:
    processes = [start(tmp_path) for _ in range(3)]
    compiling = "endeavor_env: compiling the toy, once for this version on this machine ...\n"
    waiting = "endeavor_env: waiting for another process to compile the toy ...\n"
    assert sorted(map(first_line, processes)) == [compiling] + [waiting] * 2
    (tmp_path / "go").touch()
    ends = [process.communicate() for process in processes]
    assert [process.returncode for process in processes] == [0] * 3, ends
    assert sorted(out for out, _ in ends) == ["compiled\n"] + ["loaded\n"] * 2
    assert [err.startswith("endeavor_env: compiled the toy in ") for out, err in ends if err] == [True]
    assert start(tmp_path).communicate() == ("loaded\n", "")


def test_a_killed_compiler_holds_nobody_up(tmp_path: Path) -> None:
    killed = start(tmp_path)
    assert "compiling the toy" in first_line(killed)
    successor = start(tmp_path)
    assert "waiting for another process" in first_line(successor)
    (tmp_path / "go").touch()
    killed.kill()
    killed.communicate()
    out, err = successor.communicate()
    assert (successor.returncode, out) == (0, "compiled\n"), err


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of this version in a cache of the test."""
    monkeypatch.setenv("ENDEAVOR_ENV_CACHE_DIR", str(tmp_path))
    _cache_folder.usual_folder.cache_clear()
    folder = _cache_folder.save_folder()
    assert folder is not None
    yield folder
    _cache_folder.usual_folder.cache_clear()


def fail() -> None:
    """Take the part of a warm-up that ends in an error."""
    raise RuntimeError("no memory")


def test_after_a_warm_up_that_failed_the_next_one_compiles(cache: Path) -> None:
    with pytest.raises(RuntimeError, match="no memory"):
        compile_once.compile_once("the toy", fail)
    assert not _cache_folder.is_marked("the toy")
    assert compile_once.compile_once("the toy", toy_kernel.warm_up)
    assert not compile_once.compile_once("the toy", fail)


def test_of_two_threads_one_compiles_and_the_other_waits_without_a_message(
    cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    compiling, go = threading.Event(), threading.Event()

    def warm_up() -> None:
        compiling.set()
        assert go.wait(60)

    with ThreadPoolExecutor() as pool:
        first = pool.submit(compile_once.compile_once, "the toy", warm_up)
        assert compiling.wait(60)
        second = pool.submit(compile_once.compile_once, "the toy", fail)
        time.sleep(0.2)  # enough for the second one to find the lock taken
        assert not second.done()
        go.set()
        assert (first.result(60), second.result(60)) == (True, False)
    assert "waiting" not in capsys.readouterr().err


def test_the_second_half_runs_in_a_process_of_its_own_while_this_one_holds_the_lock(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(sys, "path", [str(ROOT), *sys.path])
    assert compile_once.compile_once("the toy", lambda: None, toy_kernel.warm_up)
    assert [path.name.split("-")[0] for path in cache.glob("*.kernel")] == ["add"]


def test_a_second_half_that_failed_in_its_process_is_done_in_this_one(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    with pytest.raises(RuntimeError, match="no memory"):
        compile_once.compile_once("the toy", lambda: None, fail)


def test_who_waits_says_so_at_once_and_then_every_half_minute(capsys: pytest.CaptureFixture[str]) -> None:
    report = compile_once._reporter("the toy")
    for waited in (0.0, 0.1, 29.9, 30.1, 59.0, 60.2):
        report(waited)
    assert capsys.readouterr().err.splitlines() == [
        "endeavor_env: waiting for another process to compile the toy ...",
        "endeavor_env: waiting for another process to compile the toy, 30 s so far ...",
        "endeavor_env: waiting for another process to compile the toy, 60 s so far ...",
    ]


def test_threads_of_one_process_hold_the_lock_one_after_the_other(tmp_path: Path) -> None:
    inside, most, waits = [], [], []

    def work() -> None:
        with file_lock.file_lock(tmp_path / "lock", waits.append):
            inside.append(1)
            most.append(len(inside))
            time.sleep(0.05)
            inside.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 4
    assert waits


def test_without_a_lock_the_work_is_done_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(descriptor: int) -> bool:
        raise OSError(38, "Function not implemented")

    done = []
    with file_lock.file_lock(tmp_path / "no/such/folder/lock", fail):  # type: ignore[arg-type]
        done.append("no folder")
    monkeypatch.setattr(file_lock, "_try_lock", no_locks)
    with file_lock.file_lock(tmp_path / "lock", fail):  # type: ignore[arg-type]
        done.append("no locks")
    assert done == ["no folder", "no locks"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_a_fork_does_not_keep_the_lock_of_its_parent(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys, time\nfrom pathlib import Path\nfrom endeavor_env.file_lock import file_lock\n"
        f"path = Path({str(tmp_path / 'lock')!r})\n"
        "with file_lock(path, print):\n"
        "    parent = os.getpid()\n"
        "    if os.fork() == 0:\n"
        "        while os.getppid() == parent:\n"
        "            time.sleep(0.01)\n"
        "        with file_lock(path, lambda waited: os._exit(1)):\n"
        "            print('free')\n"
        "        sys.stdout.flush()\n"
        "        os._exit(0)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (-signal.SIGKILL, "free\n"), ran.stderr


def test_the_lock_is_not_inherited_by_programs_that_are_started(tmp_path: Path) -> None:
    with file_lock.file_lock(tmp_path / "lock", fail):  # type: ignore[arg-type]
        (descriptor,) = file_lock._held
        assert not os.get_inheritable(descriptor)
    assert not file_lock._held
