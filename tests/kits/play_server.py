"""The real server of the page, in a process of its own that ends with the test."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import httpx

from endeavor_env.engine.game import Game

ROOT = Path(__file__).resolve().parents[2]


class PlayServer:
    """``endeavor play`` on a free port, with the games of a folder."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        """Start the server and wait until it tells its address."""
        command = [
            sys.executable,
            "-m",
            "endeavor_env.agents.play",
            "--no-browser",
            "--folder",
            str(folder),
            *arguments,
        ]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", "COLUMNS": "200"}
        self.folder = folder
        self.process = subprocess.Popen(
            command, cwd=folder.parent, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        told = self.process.stdout.readline()
        found = re.fullmatch(r"Play at (http://127\.0\.0\.1:(\d+)/\?token=([\w-]+)(#.*)?)\n", told)
        if found is None:
            self.end()
            raise AssertionError(f"the server told {told!r} and {self.errors!r}")
        self.address, self.port, self.token = found[1], int(found[2]), found[3]
        self.name = (found[4] or "#")[1:]
        self._client = httpx.Client(
            base_url=f"http://127.0.0.1:{self.port}",
            timeout=30,
            verify=False,  # certificates would be read for nothing
            limits=httpx.Limits(max_keepalive_connections=0),  # a server closes them when it likes
        )

    def __enter__(self) -> PlayServer:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.end()

    def end(self) -> None:
        """Kill the server, as kill -9 does, and remember what it wrote to stderr."""
        self.process.kill()
        self.errors = self.process.communicate()[1]

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:
        """Send a request with the token."""
        headers = {"X-Token": self.token, **more.pop("headers", {})}
        return self._client.request(method, path, headers=headers, **more)

    def begin(self, **fields: Any) -> Begun:
        """Begin a game as the page does, with the fields of its request."""
        answer = self.request("POST", "/games", json=fields)
        assert answer.status_code == 200, answer.text
        return Begun(self, answer.json()["name"])

    def open(self, game: Game, seats: Sequence[str] | None = None) -> Begun:
        """Go on with a game: as the seats say, or with people in all of them."""
        body = {"file": game.record()} | ({} if seats is None else {"seats": list(seats)})
        answer = self.request("POST", "/open", json=body)
        assert answer.status_code == 200, answer.text
        return Begun(self, answer.json()["name"])

    @property
    def first(self) -> Begun:
        """The game that the command began."""
        return Begun(self, self.name)


class Begun(NamedTuple):
    """A game of a server."""

    server: PlayServer
    name: str

    @property
    def address(self) -> str:
        """Where the page shows it."""
        return f"{self.server.address.partition('#')[0]}#{self.name}"

    def state(self) -> dict[str, Any]:
        """Return the game as the page gets it."""
        return self.server.request("GET", f"/games/{self.name}").json()

    def kept(self) -> dict[str, Any]:
        """Return the file of the game."""
        return json.loads((self.server.folder / f"{self.name}.json").read_text(encoding="utf-8"))
