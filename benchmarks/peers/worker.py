"""``python -m endeavor_env.benchmarks.peers.worker``: play one game of one library, as ordered on standard input.

Each line of the input is a number of seconds to play, each line of the output an answer as JSON. Every game has its own
process, so that libraries do not disturb each other and a crash ends only one measurement.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import importlib.util
import json
import os
import platform
import sys
from collections.abc import Sequence
from typing import Any, TextIO

from endeavor_env.benchmarks.timing import rate


def missing(modules: Sequence[str]) -> list[str]:
    """Return those ``modules`` that are not installed."""
    return [name for name in modules if importlib.util.find_spec(name) is None]


def version(package: str) -> str:
    """Return the version of a package; "unknown" if it is not installed as a package."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


def hold_to_one_core() -> None:
    """Keep this process on one core, if the operating system supports that."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def serve(library: Any, game: int, orders: TextIO, out: TextIO) -> None:
    """Make the game, answer that it is ready, and play as ordered until the input ends."""

    def answer(**content: Any) -> None:
        print(json.dumps(content), file=out, flush=True)

    lacking = missing(library.modules)
    if lacking:
        answer(missing=lacking)
        return
    try:
        work = library.games[game].make()
        work()
        versions = {package: version(package) for package in library.packages}
        answer(versions=versions, python=platform.python_version())
        for line in orders:
            answer(rate=rate(work, float(line)))
    except Exception as error:  # a library may fail in any way: the others are measured all the same
        answer(error=f"{type(error).__name__}: {error}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(
        prog="python -m endeavor_env.benchmarks.peers.worker", description="Play a game of a library."
    )
    parser.add_argument("table", help="full name of a module whose LIBRARIES are libraries by name")
    parser.add_argument("library", help="one of them")
    parser.add_argument("game", type=int, help="index into its games")
    parser.add_argument("--one-core", action="store_true", help="stay on one core")
    given = parser.parse_args(arguments)
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # so that what libraries print is not taken for an answer
    if given.one_core:
        hold_to_one_core()
    serve(importlib.import_module(given.table).LIBRARIES[given.library], given.game, sys.stdin, out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
