"""A model at a table of OpenEnv's server with three agents of this package, every set-up once from each seat.

The model here is a function: the moves of ``greedy`` as a model would write them, some of them badly. In its place goes
whatever answers ``observation.rules`` as a system prompt and ``observation.prompt``.
"""
# pyright: reportMissingImports=false

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from against_random import FIRST_SEED, report

from endeavor_env.agents.registry import make_agent
from endeavor_env.endeavor.records import replay
from endeavor_env.openenv import EndeavorAction, EndeavorEnv

GAMES = 20
SEATS = 4
PATIENCE = 120
"""Seconds for the server to start."""


@contextmanager
def running_server() -> Iterator[str]:
    """Run the server on a free port and give its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-P", "-m", "uvicorn", "endeavor_env.openenv.server:app", "--port", str(port)]
    server = subprocess.Popen([*command, "--log-level", "warning"])
    try:
        url, until = f"http://127.0.0.1:{port}", time.monotonic() + PATIENCE
        while True:
            try:
                urlopen(f"{url}/health", timeout=5).close()
                break
            except (URLError, TimeoutError):
                if server.poll() is not None or time.monotonic() > until:
                    raise
                time.sleep(0.2)
        yield url
    finally:
        server.terminate()
        server.wait()


def written_move(env: Any, answers: int) -> str:
    """Return the move of ``greedy`` in a sentence; the first of every five answers names no move."""
    if answers % 5 == 0:
        return "I like discs..."
    game = replay(env.state().record)
    return f"Discs first, so my answer is\n**{game.describe(GREEDY.act(game)).upper()}**"


GREEDY = make_agent("greedy")


def play(env: Any, seed: int, seat: int, opponents: str) -> float:
    """Return the model's reward of one game."""
    GREEDY.reset(seed)
    seen = env.reset(seed=seed, game=f"standard:players={SEATS}", seat=seat, opponents=opponents).observation
    answers = 0
    while not seen.done:
        seen = env.step(EndeavorAction(answer=written_move(env, answers))).observation
        answers += 1
    return float(seen.reward)


def main() -> int:
    """Print one line of JSON; return 1 if the model does not beat random play clearly."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    with running_server() as url, EndeavorEnv(base_url=url).sync() as env:
        shares = [play(env, FIRST_SEED + game // SEATS, game % SEATS, "random") for game in range(games)]
    return report("openenv", shares, players=SEATS)


if __name__ == "__main__":
    sys.exit(main())
