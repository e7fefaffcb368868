"""Players in processes of their own that write more than they are asked for, and what they leave behind."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import tracemalloc
from contextlib import suppress
from pathlib import Path

import pytest

from endeavor_env import Game
from endeavor_env.agents.forfeits import Fault, fault_of
from endeavor_env.agents.own_process.agent import ProgramAgent
from endeavor_env.agents.own_process.child import MOST_BESIDE, MOST_UNREAD, MOST_UNSENT, Child, FloodError
from endeavor_env.errors import InvalidOptionError

MOST_KEPT = 8 << 20
"""Bytes for what waits and its copies; a flood of a second has hundreds of MB."""
HELLO = """
import json, os, subprocess, sys, threading
def flood(stream, part):
    while True:
        os.write(stream, part)
def begin(*words):
    return subprocess.Popen([sys.executable, "-c", *words], start_new_session=True)
"""
PLAYER = f"""{HELLO}
asked = 0
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "hello":
        print(json.dumps({{"type": "hello", "protocol": "endeavor-player/1"}}), flush=True)
    elif said["type"] == "act":
        asked += 1
        print(json.dumps({{"type": "move", "id": said["id"], "move": said["message"]["legal_moves"][-1]}}), flush=True)
        if asked == 2:
            HARM
"""
"""A program that does what stands in the place of HARM behind its second move."""
LINES, ENDLESS = b"[]\n" * 20_000, b"x" * 65_536
UNASKED = f"wrote more than {MOST_UNREAD:,} bytes for which nobody asked"


def agent_of(code: str, folder: Path) -> ProgramAgent:
    """An agent that runs this code."""
    file = folder / "player.py"
    file.write_text(code)
    return ProgramAgent("flood", lambda: Child([sys.executable, str(file)]), 60)


def play_to_the_flood(agent: ProgramAgent) -> Fault:
    """The fault of a player that nobody asks any more after its second move."""
    game = Game.new(3, seed=1)
    for _ in range(2):
        game.apply(agent.act(game))
    for _ in range(3000):
        if (fault := fault_of(agent)) is not None:
            return fault
        time.sleep(0.01)
    raise AssertionError("nobody noticed")


@pytest.mark.parametrize(
    ("harm", "what"),
    [
        (f"flood(1, {LINES!r})", UNASKED),
        (f"flood(1, {ENDLESS!r})", UNASKED),
        (f"flood(2, {LINES!r})", f"wrote more than {MOST_BESIDE:,} bytes on stderr for one decision"),
        (f"threading.Thread(target=flood, args=(1, {LINES!r})).start()", UNASKED),
        ("begin('import os\\nwhile True: os.write(1, bytes(65536))'); os._exit(0)", UNASKED),
    ],
    ids=["lines", "no end of a line", "stderr", "beside its moves", "a child that has left its group"],
)
def test_a_flood_while_others_think_loses_the_game_and_fills_no_memory(harm: str, what: str, tmp_path: Path) -> None:
    agent = agent_of(PLAYER.replace("HARM", harm), tmp_path)
    tracemalloc.start()
    try:
        fault = play_to_the_flood(agent)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (fault.kind, fault.decision, fault.text) == ("garbled", 1, f"the program {what}")
    assert peak < MOST_KEPT
    game = Game.new(3, seed=1)
    agent.act(game)  # a random player goes on
    assert agent.fault == fault
    agent.reset(5)
    assert agent.fault is None


@pytest.mark.parametrize(("stream", "what"), [(1, UNASKED), (2, "on stderr")])
def test_a_flood_in_the_place_of_a_hello_is_no_start(stream: int, what: str, tmp_path: Path) -> None:
    agent = agent_of(f"{HELLO}\nflood({stream}, {ENDLESS!r})", tmp_path)
    with pytest.raises(InvalidOptionError, match=f"agent flood does not start: the program .*{what}"):
        agent.act(Game.new(3, seed=1))


def test_a_program_that_reads_nothing_is_ended_before_its_messages_fill_the_memory() -> None:
    child = Child([sys.executable, "-c", "import time; time.sleep(600)"])
    for _ in range(MOST_UNSENT // 1_000_000 + 1):
        child.send("x" * 1_000_000)
    with pytest.raises(FloodError, match="has not read the last"):
        child.receive(60)
    child.end()


def test_a_word_a_decision_on_stderr_is_no_flood() -> None:
    code = "import sys\nfor line in sys.stdin:\n    sys.stderr.write('x' * 1000000)\n    print('ok', flush=True)"
    child = Child([sys.executable, "-c", code])
    for _ in range(MOST_BESIDE // 1_000_000 + 2):
        child.send("next")
        assert child.receive(60) == "ok\n"
    assert child.flood == ""
    child.end()


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="counts open files by their list in Linux")
def test_nothing_waits_for_a_process_that_has_outlived_a_player(tmp_path: Path) -> None:
    code = PLAYER.replace("HARM", "sys.stderr.write(str(begin('import time; time.sleep(600)').pid)); os._exit(0)")
    threads, files = set(threading.enumerate()), len(os.listdir("/proc/self/fd"))
    agent = agent_of(code, tmp_path)
    game = Game.new(3, seed=1)
    for _ in range(2):
        game.apply(agent.act(game))
    assert agent._child is not None
    while not (number := agent._child.last_written()):
        time.sleep(0.01)
    try:
        agent._end()
        for thread in set(threading.enumerate()) - threads:
            thread.join(60)
            assert not thread.is_alive()
        assert len(os.listdir("/proc/self/fd")) == files
    finally:
        with suppress(ProcessLookupError):
            os.kill(int(number), signal.SIGKILL)
