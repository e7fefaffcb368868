"""Of many processes that find an empty cache one compiles; the others wait, say so, and load."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from endeavor_env.basics.file_lock import file_lock
from endeavor_env.kernels.loading import cache_folder, library, making, once
from endeavor_env.kernels.loading.processor import levels
from endeavor_env.kernels.parts import Part
from endeavor_env.kernels.switches import USES_LIBRARY
from tests.kits import make_toy, toy_part

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(not USES_LIBRARY, reason="no library is used")


def start(cache: Path) -> subprocess.Popen[str]:
    """Start a process that makes the toy once; whoever compiles waits for the file ``go``."""
    command = [sys.executable, "-W", "error", make_toy.__file__, str(cache / "go")]
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


def test_the_bar_counts_entries_that_are_translated_and_pieces_that_are_made(tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    making.make_libraries([toy_part.TOY], levels()[:1], tmp_path, lambda done, of: steps.append((done, of)))
    last = len(toy_part.TOY.symbols()) + (making.PIECES if making.find_linker() else 1)
    assert steps == [(done, last) for done in range(1, last + 1)]


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


TOY = Part("toy of this test", "the toy", ())


class Maker:
    """Takes the place of what makes parts: writes nothing, and remembers that it was called."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made = 0
        self.before: Any = lambda: None
        monkeypatch.setattr(once, "_ready", set())
        monkeypatch.setattr(library, "has_part", lambda part: self.made > 0)
        monkeypatch.setattr(library, "make_missing", self.make)

    def hold_up(self) -> tuple[threading.Event, threading.Event]:
        """Let who makes parts wait; return what is set when one does, and what ends the waiting."""
        compiling, go = threading.Event(), threading.Event()

        def wait() -> None:
            compiling.set()
            assert go.wait(60)

        self.before = wait
        return compiling, go

    def make(self, wanted: list[Part], report: Any) -> None:
        self.before()
        self.made += 1


@pytest.fixture
def maker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Maker]:
    """What makes parts, in a cache of the test."""
    monkeypatch.setenv("ENDEAVOR_ENV_CACHE_DIR", str(tmp_path))
    cache_folder.save_folder.cache_clear()
    yield Maker(monkeypatch)
    cache_folder.save_folder.cache_clear()


def fail() -> None:
    """Take the part of what ends in an error."""
    raise library.BuildError("no memory")


def test_after_an_error_the_next_one_compiles(maker: Maker) -> None:
    maker.before = fail
    with pytest.raises(library.BuildError, match="no memory"):
        once.ensure_parts(TOY)
    maker.before = lambda: None
    assert [once.ensure_parts(TOY), once.ensure_parts(TOY)] == [True, False]


def test_several_parts_are_made_in_one_go_and_named_in_one_message(
    maker: Maker, capsys: pytest.CaptureFixture[str]
) -> None:
    others = (Part("second", "the second", ()), Part("third", "the third", ()))
    assert [once.ensure_parts(TOY, *others), once.ensure_parts(*others)] == [True, False]
    assert maker.made == 1
    assert "compiling the toy, the second and the third, once" in capsys.readouterr().err


def test_of_two_threads_one_compiles_and_the_other_waits_without_a_message(
    maker: Maker, capsys: pytest.CaptureFixture[str]
) -> None:
    compiling, go = maker.hold_up()
    with ThreadPoolExecutor() as pool:
        first = pool.submit(once.ensure_parts, TOY)
        assert compiling.wait(60)
        second = pool.submit(once.ensure_parts, TOY)
        time.sleep(0.2)  # enough for the second one to find the lock taken
        assert not second.done()
        go.set()
        assert (first.result(60), second.result(60)) == (True, False)
    assert maker.made == 1
    assert "waiting" not in capsys.readouterr().err


def test_a_bar_is_shown_on_a_terminal_by_the_main_thread_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given: list[Any] = []
    once._make("the toy", given.append)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    once._make("the toy", given.append)
    with ThreadPoolExecutor() as pool:
        pool.submit(once._make, "the toy", given.append).result(60)
    capsys.readouterr()
    for report in given:
        report(5, 10)
    assert capsys.readouterr().err == "\r[###############...............] step 5 of 10\033[K"
    given[1](10, 10)
    assert capsys.readouterr().err == "\r\033[K"


def test_who_waits_says_so_at_once_and_then_every_half_minute(capsys: pytest.CaptureFixture[str]) -> None:
    report = once._reporter("the toy")
    for waited in (0.0, 0.1, 29.9, 30.1, 59.0, 60.2):
        report(waited)
    assert capsys.readouterr().err.splitlines() == [
        "endeavor_env: waiting for another process to compile the toy ...",
        "endeavor_env: waiting for another process to compile the toy, 30 s so far ...",
        "endeavor_env: waiting for another process to compile the toy, 60 s so far ...",
    ]


def test_threads_of_one_process_hold_the_lock_one_after_the_other(tmp_path: Path) -> None:
    inside, most, somebody_waits = [], [], threading.Event()

    def work() -> None:
        with file_lock(tmp_path / "lock", lambda waited: somebody_waits.set()):
            inside.append(1)
            assert somebody_waits.wait(60)  # the first to come holds the lock until another one asks for it
            time.sleep(0.05)
            most.append(len(inside))
            inside.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 4


def test_without_a_lock_the_work_is_done_all_the_same(tmp_path: Path) -> None:
    reasons: list[OSError] = []
    (tmp_path / "file").touch()
    with file_lock(tmp_path / "file/lock", fail, reasons.append):  # type: ignore[arg-type]
        pass
    with file_lock(tmp_path / "file/lock", fail):  # type: ignore[arg-type]
        pass
    assert len(reasons) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="flock")
def test_a_file_system_without_locks_is_no_reason_to_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(*_: object) -> None:
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr("fcntl.flock", no_locks)
    reasons: list[OSError] = []
    with file_lock(tmp_path / "lock", fail, reasons.append):  # type: ignore[arg-type]
        pass
    assert [reason.errno for reason in reasons] == [errno.ENOSYS]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_a_fork_does_not_keep_the_lock_of_its_parent(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys, time\nfrom pathlib import Path\nfrom endeavor_env.basics.file_lock import file_lock\n"
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


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="a process that is killed")
def test_the_lock_is_not_inherited_by_programs_that_are_started(tmp_path: Path) -> None:
    code = (
        "import os, signal, subprocess, sys\nfrom pathlib import Path\n"
        "from endeavor_env.basics.file_lock import file_lock\n"
        f"with file_lock(Path({str(tmp_path / 'lock')!r}), print):\n"
        "    program = [sys.executable, '-c', 'import time; time.sleep(60)']\n"
        "    child = subprocess.Popen(program, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
        "    print(child.pid, flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    try:
        with file_lock(tmp_path / "lock", fail):  # type: ignore[arg-type]
            pass
    finally:
        os.kill(int(ran.stdout), signal.SIGKILL)
