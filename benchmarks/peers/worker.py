"""``python -m benchmarks.peers.worker``: plays one game of one library in a process of its own, as told by its input.

Each line of the input is a number of seconds to play for, each line of the output an answer as JSON. A process of its
own keeps libraries from disturbing each other, and one that crashes ends nothing else.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import importlib.util
import json
import os
import sys
from collections.abc import Sequence
from typing import Any, TextIO

from benchmarks.timing import rate


def missing(modules: Sequence[str]) -> list[str]:
    """Returns which modules are not installed."""
    return [name for name in modules if importlib.util.find_spec(name) is None]


def version(package: str) -> str:
    """Returns the version of an installed package, "unknown" for one without."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


def hold_to_one_core() -> None:
    """Keeps this process on one core, where the operating system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def serve(adapter: Any, game: int, orders: TextIO, out: TextIO) -> None:
    """Makes the game, says so, and plays as ordered until the input ends."""

    def answer(**content: Any) -> None:
        print(json.dumps(content), file=out, flush=True)

    lacking = missing(adapter.MODULES)
    if lacking:
        answer(missing=lacking)
        return
    try:
        work = adapter.GAMES[game].make()
        work()
        answer(versions={package: version(package) for package in adapter.PACKAGES})
        for line in orders:
            answer(rate=rate(work, float(line)))
    except Exception as error:  # whatever a library does wrong is told, and the others are measured
        answer(error=f"{type(error).__name__}: {error}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Reads the command line and serves."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers.worker", description="Plays a library's game.")
    parser.add_argument("adapter", help="a module of benchmarks.peers, or any other with the same names")
    parser.add_argument("game", type=int, help="index into its GAMES")
    parser.add_argument("--one-core", action="store_true", help="stays on one core")
    given = parser.parse_args(arguments)
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what libraries print is no answer
    if given.one_core:
        hold_to_one_core()
    serve(importlib.import_module(given.adapter), given.game, sys.stdin, out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
