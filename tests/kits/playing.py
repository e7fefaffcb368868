"""Games in the browser without a browser: slow and broken agents, and sessions in a folder."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from endeavor_env import Game, GameConfig
from endeavor_env.agents.base import Agent
from endeavor_env.agents.play import endeavor_table as tables
from endeavor_env.agents.play.session import Session
from endeavor_env.agents.players.compiled import RandomAgent
from endeavor_env.agents.registry import make_agent

HERE = "http://127.0.0.1:8000"
"""Where ``AppClient`` pretends to be."""
TOKEN = "the-token"
PATIENCE = 30.0
"""Seconds after which a test gives up waiting for an agent."""


class Gated(RandomAgent):
    """Thinks until its gate is opened, which stays open; tells when it has begun to think."""

    def __init__(self) -> None:
        self.gate, self.thinks = threading.Event(), threading.Event()
        super().__init__("gated")

    def act(self, game: Game) -> int:
        self.thinks.set()
        assert self.gate.wait(PATIENCE)
        return super().act(game)


class Broken(RandomAgent):
    """Fails at its first move, and plays after that."""

    def __init__(self, error: Exception) -> None:
        self._errors = [error]
        super().__init__("broken")

    def act(self, game: Game) -> int:
        if self._errors:
            raise self._errors.pop()
        return super().act(game)


def name_agent(monkeypatch: pytest.MonkeyPatch, name: str, agent: Agent) -> None:
    """Let sessions find an agent by a name that no other agent has."""
    known: Callable[..., Agent] = tables.agent_named
    monkeypatch.setattr(tables, "agent_named", lambda asked, **more: agent if asked == name else known(asked, **more))


def session_of(seats: Sequence[str], seed: int | None = None, setup: Any = None, **new: Any) -> Session:
    """A new session that is kept nowhere yet; other arguments are those of a ``GameConfig``."""
    return Session(Path(), GameConfig(players=len(seats), **new).new_game(seed, setup), seats)


def begun(file: Path, *seats: str, **new: Any) -> Session:
    """A new session of its own file, in which agents have moved if they are quick."""
    session = session_of(seats, **{"seed": 1, **new})
    session.file = file
    session.start()
    session.settle(PATIENCE)
    return session


def first_player(seat: int) -> dict[str, Any]:
    """A set-up for three seats in which this seat moves first."""
    return {"setup": Game.new(3, seed=1).setup() | {"first_player": seat}}


def play_on(session: Session, moves: int) -> None:
    """Let people make so many moves, each the first legal one, with those of the agents after each."""
    session.settle(PATIENCE)
    for _ in range(moves):
        now = session.snapshot()
        session.play(now.position, now.game.legal_moves()[0])
        session.settle(PATIENCE)


def play_out(session: Session) -> None:
    """Let people play a session to its end as greedy does."""
    agent = make_agent("greedy")
    agent.reset(0)
    session.settle(PATIENCE)
    while not session.snapshot().game.over:
        now = session.snapshot()
        session.play(now.position, now.game.describe(agent.act(now.game)))
        session.settle(PATIENCE)


class AppClient:
    """Sends requests to the application of the page without a network."""

    def __init__(self, app: Any, token: str) -> None:
        self._app, self._token = app, token

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.request("GET", path, **more)

    def post(self, path: str, **more: Any) -> httpx.Response:
        return self.request("POST", path, **more)

    def request(self, method: str, path: str, headers: dict[str, str] | None = None, **more: Any) -> httpx.Response:
        return asyncio.run(self._request(method, path, {"X-Token": self._token, **(headers or {})}, more))

    async def _request(self, method: str, path: str, headers: dict[str, str], more: dict[str, Any]) -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(self._app), base_url=HERE) as client:
            return await client.request(method, path, headers=headers, **more)


def said(answer: Any) -> str:
    """The one sentence of a refusal."""
    assert answer.headers["content-type"] == "application/json"
    assert list(answer.json()) == ["error"]
    sentence = answer.json()["error"]
    assert sentence
    assert "\n" not in sentence
    assert "Traceback" not in sentence
    return sentence
