"""Processes of ``endeavor_env.benchmarks.peers.worker``: start them, send orders, read answers."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import queue
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from types import TracebackType
from typing import Any

import endeavor_env
from endeavor_env.basics.python_child import python_command
from endeavor_env.benchmarks.machine import usable_cores
from endeavor_env.benchmarks.peers import THREADS
from endeavor_env.errors import Unpicklable

SOURCES = Path(endeavor_env.__file__).resolve().parents[1]
"""The folder in which Python finds this module; an interpreter of another environment finds it there as well."""
START_SECONDS = 240.0
"""Time in which a game must be ready; Pgx compiles for most of a minute on a busy machine."""
PLAY_SECONDS = 120.0
"""Time to wait beyond the seconds ordered, for a library whose shortest piece of work is long."""


class PeerMissingError(Exception):
    """The library, or something it needs, is not installed."""


class PeerFailedError(Exception):
    """The library raised an error, or its process ended or did not answer."""


class Worker(Unpicklable):
    """A process that plays one game of one library on order; as a context manager, it is ended on exit."""

    def __init__(self, adapter: str, game: int, python: str = sys.executable, one_core: bool = False) -> None:
        """Start the process.

        Args:
            adapter: Full name of a module as ``endeavor_env.benchmarks.peers`` describes it.
            game: Index into its GAMES.
            python: Interpreter of the environment that has the library.
            one_core: Whether to keep the process on one core and to one thread.
        """
        options = ["--one-core"] if one_core else []
        worker = "endeavor_env.benchmarks.peers.worker"
        command = python_command("-m", worker, adapter, str(game), *options, python=python)
        path = os.pathsep.join(part for part in (str(SOURCES), os.environ.get("PYTHONPATH", "")) if part)
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115 (closed at the end)
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            env={**os.environ, "PYTHONPATH": path, THREADS: str(1 if one_core else usable_cores())},
        )
        self._answers: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        """Queue the answers as they arrive, and an empty one at the end."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._answers.put(line)
        self._answers.put("")

    def ready(self, seconds: float = START_SECONDS) -> dict[str, str]:
        """Wait until the game has been played once; return the versions of the library's packages.

        Another Python than that of this process is named beside each version.

        Raises:
            PeerMissingError: It is not installed.
            PeerFailedError: It does not work, or not within ``seconds``.
        """
        answer = self._answer(seconds)
        where = "" if answer["python"] == platform.python_version() else f" (Python {answer['python']})"
        return {package: f"{version}{where}" for package, version in answer["versions"].items()}

    def rate(self, seconds: float) -> float:
        """Play for ``seconds``; return the decisions per second. May raise PeerFailedError."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # if the process has ended, the missing answer shows it
            self._process.stdin.write(f"{seconds}\n")
            self._process.stdin.flush()
        return float(self._answer(seconds + PLAY_SECONDS)["rate"])

    def _answer(self, seconds: float) -> dict[str, Any]:
        """Return the next answer; raise PeerMissingError or PeerFailedError if it is an error or does not come."""
        try:
            line = self._answers.get(timeout=seconds)
        except queue.Empty:
            raise PeerFailedError(f"no answer within {seconds:.0f} s") from None
        if not line:
            raise PeerFailedError(f"the process ended with status {self._process.wait()}: {self._last_error_line()}")
        content = json.loads(line)
        if "missing" in content:
            raise PeerMissingError(", ".join(content["missing"]))
        if "error" in content:
            raise PeerFailedError(content["error"])
        return content

    def _last_error_line(self) -> str:
        """Return the last line that the process wrote to stderr."""
        self._errors.seek(0)
        lines = [line.strip() for line in self._errors if line.strip()]
        return lines[-1] if lines else "it said nothing"

    def __enter__(self) -> Worker:
        """Return the worker."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
