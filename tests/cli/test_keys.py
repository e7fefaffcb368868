"""Keys of ``endeavor watch``: what they do, and that the terminal is as it was however the command ends."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from endeavor_env.cli.pace import LEAST_DELAY, MOST_DELAY, Keys, Pace, StoppedError
from tests.cli.endeavor import endeavor

ROOT = Path(__file__).resolve().parents[2]
pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")
termios: Any = pytest.importorskip("termios")


class Typed(Keys):
    """Keys that a test presses, one after the other; then time passes."""

    there = True  # type: ignore[assignment]

    def __init__(self, *pressed: str) -> None:
        super().__init__()
        self._pressed = [*pressed]
        self.waits: list[float | None] = []

    def read(self, seconds: float | None) -> str:
        self.waits.append(seconds)
        return self._pressed.pop(0) if self._pressed else ""


def drawn(pace: Pace) -> list[str]:
    """Wait for a step, and return what the keys were said to do after each of them."""
    lines: list[str] = []
    pace.wait(lambda: lines.append(pace.words()))
    return lines


def test_time_shows_the_next_step() -> None:
    keys = Typed()
    assert drawn(Pace(keys, 0.5)) == []
    assert keys.waits == [pytest.approx(0.5, abs=0.1)]


def test_space_pauses_until_space_or_a_step() -> None:
    keys = Typed("space", "x", "space")
    pace = Pace(keys, 0.5)
    lines = drawn(pace)
    assert [line.partition(";")[0] for line in lines] == ["paused", "paused", "0.5 s a step"]
    assert keys.waits[1:3] == [None, None]
    for key in ("n", "right", "enter"):
        stepped = Pace(Typed(key), 60.0)
        assert drawn(stepped) == []
        assert stepped.paused


def test_plus_and_minus_change_the_speed_within_bounds() -> None:
    pace = Pace(Typed("+", "-", "-"), 0.5)
    assert [line.partition(" ")[0] for line in drawn(pace)] == ["0.25", "0.5", "1"]
    fast, slow = Pace(Typed(*"+" * 9), 0.5), Pace(Typed(*"-" * 9), 0.5)
    drawn(fast)
    drawn(slow)
    assert (fast.delay, slow.delay) == (LEAST_DELAY, MOST_DELAY)


def test_q_stops() -> None:
    with pytest.raises(StoppedError):
        drawn(Pace(Typed("q"), 0.5))


def test_without_a_terminal_there_are_no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)
    with Keys() as keys:  # stdin of tests is no terminal
        pace = Pace(keys, 0.5)
        assert pace.words() == ""
        assert drawn(pace) == []
    assert waits == [0.5]


class Session:
    """``endeavor`` in a terminal of its own."""

    def __init__(self, *arguments: str) -> None:
        self.ours, self.theirs = pty.openpty()
        termios.tcsetwinsize(self.theirs, (50, 100))
        self.before = termios.tcgetattr(self.theirs)
        self.shown = ""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "endeavor_env.cli", *arguments],
            cwd=ROOT,
            env={**os.environ, "TERM": "xterm-256color", "NO_COLOR": "1"},
            stdin=self.theirs,
            stdout=self.theirs,
            stderr=self.theirs,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # who runs the tests may ignore it
        )

    def until(self, found: Callable[[str], object], seconds: float = 60.0) -> str:
        """Read until what is shown since the last call satisfies ``found``, and return it."""
        due, new = time.monotonic() + seconds, ""
        while not found(new):
            ready, _, _ = select.select([self.ours], [], [], max(0.0, due - time.monotonic()))
            assert ready, new
            new += os.read(self.ours, 1 << 16).decode("utf-8", "replace")
        return new

    def press(self, keys: str) -> None:
        os.write(self.ours, keys.encode())

    def end(self) -> int:
        """Return the exit status; everything that the command shows is read meanwhile."""
        while self.process.poll() is None:
            if select.select([self.ours], [], [], 0.05)[0]:
                self.shown += os.read(self.ours, 1 << 16).decode("utf-8", "replace")
        while select.select([self.ours], [], [], 0.05)[0]:
            self.shown += os.read(self.ours, 1 << 16).decode("utf-8", "replace")
        return self.process.returncode


@pytest.fixture
def start() -> Iterator[Callable[..., Session]]:
    """A function that starts a command in a terminal; it is ended with the test."""
    sessions: list[Session] = []

    def begin(*arguments: str) -> Session:
        sessions.append(Session(*arguments))
        return sessions[-1]

    yield begin
    for session in sessions:
        session.process.kill()
        session.process.wait()
        os.close(session.ours)
        os.close(session.theirs)


WATCH = ("watch", "random", "random", "random", "--seed", "3", "--every", "move", "--delay", "60")


def test_a_terminal_pauses_steps_and_quits_and_is_as_it_was(start: Callable[..., Session]) -> None:
    session = start(*WATCH)
    first = session.until(lambda text: "q quits" in text)
    assert "60 s a step" in first
    local = 3  # the flags of the terminal's line mode
    assert not termios.tcgetattr(session.theirs)[local] & termios.ECHO
    session.press(" ")
    session.until(lambda text: "paused" in text)
    session.press("n")
    after = session.until(lambda text: re.search(r"random#3 builds", text))
    assert "paused" in after
    session.press("q")
    assert session.end() == 0
    assert "round 1 of 7" in session.shown  # the table of how the game stands
    assert termios.tcgetattr(session.theirs) == session.before


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_leaves_the_terminal_as_it_was(number: int, status: int, start: Callable[..., Session]) -> None:
    session = start(*WATCH)
    session.until(lambda text: "q quits" in text)
    session.process.send_signal(number)
    assert session.end() == status
    assert termios.tcgetattr(session.theirs) == session.before
    assert "Traceback" not in session.shown


@pytest.mark.parametrize(("every", "least"), [("round", 8), ("turn", 20), ("move", 100)])
def test_into_a_pipe_goes_a_line_of_words_for_each_step(every: str, least: int) -> None:
    done = endeavor("watch", "random", "random", "random", "--every", every)
    assert (done.status, done.err) == (0, "")
    steps, _, table = done.out.partition(": over after 7 rounds")
    lines = [line for line in steps.splitlines() if line]
    assert len(lines) >= least
    assert all(re.match(r"Endeavor .*: round \d of 7, ", line) for line in lines[:-1])
    assert "\x1b" not in done.out
    assert "(wins)" in table


def test_people_are_sent_to_the_browser() -> None:
    done = endeavor("watch", "human", "greedy", "greedy")
    assert done.status == 2
    assert "endeavor play --seats human greedy greedy" in done.err
