"""``python -m benchmarks.run``: all speeds in one run, with ``--peers`` those of other libraries as well."""

from __future__ import annotations

import argparse
import importlib.metadata
import shutil
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from agents.extras import check_libraries
from benchmarks import core, envs, limits, memory, plot, search, starting, training_time, vector
from benchmarks.command import INTERRUPTED, check_files, command_parser, exit_status
from benchmarks.peers import race
from benchmarks.report import Section, add_options, publish
from benchmarks.timing import SMOKE, Effort
from endeavor_env.compilation import ensure_batch_compiled

EFFORT = Effort(5, 0.4)
VERSIONS = ("torch", "stable-baselines3", "sb3-contrib", "matplotlib")
"""Packages whose versions are reported if they are installed, besides those of every benchmark."""


@dataclass
class Results:
    """The results of a run."""

    sections: list[Section] = field(default_factory=list)
    throughput: list[dict[str, Any]] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    """Why a section was left out, by section."""
    failed: dict[str, str] = field(default_factory=dict)
    """The error, by section."""
    interrupted: bool = False
    """Whether Ctrl-C ended the run before the last section."""
    peers: race.Outcome = field(default_factory=race.Outcome)

    def plain(self) -> dict[str, Any]:
        """Return what the JSON file holds besides the sections, as JSON values."""
        return {
            "throughput": self.throughput,
            "left_out": self.left_out,
            "failed": self.failed,
            "peers": self.peers.plain(),
        }


def run_vector(smoke: bool, results: Results) -> list[Section]:
    """Measure the vector section, and keep its figures for the picture."""
    sections, results.throughput = vector.vector(smoke)
    return sections


def effort_of(smoke: bool) -> Effort:
    """Return how long to measure each figure of the short sections."""
    return SMOKE if smoke else EFFORT


SECTIONS: dict[str, Callable[[bool, Results], list[Section]]] = {
    "core": lambda smoke, results: [core.base_game(effort_of(smoke))],
    "aec": lambda smoke, results: [envs.pettingzoo(effort_of(smoke))],
    "gymnasium": lambda smoke, results: [envs.gym(effort_of(smoke))],
    "vector": run_vector,
    "search": lambda smoke, results: search.search(smoke),
    "limits": lambda smoke, results: limits.limits(smoke),
    "memory": lambda smoke, results: memory.memory(smoke),
    "ppo": lambda smoke, results: training_time.ppo(smoke),
    "starting": lambda smoke, results: starting.starting(
        Effort(1 if smoke else 3, 0.0), compiling=not smoke, vector=True
    ),
}


def tell(line: str) -> None:
    """Print progress, on stderr."""
    print(f"{time.strftime('%H:%M:%S')} {line}", file=sys.stderr, flush=True)


def measure(given: argparse.Namespace) -> Results:
    """Measure the chosen sections, then the other libraries if chosen; Ctrl-C ends it early."""
    results = Results()
    try:
        ensure_batch_compiled()
        for name in given.only or SECTIONS:
            tell(name)
            measure_section(name, given.smoke, results)
        if given.peers:
            effort = race.SMOKE if given.smoke else race.EFFORT
            comparison = race.Race(effort, given.peers_python, tell=tell)
            results.sections += comparison.run()
            results.peers = comparison.outcome
    except KeyboardInterrupt:
        results.interrupted = True
    return results


def measure_section(name: str, smoke: bool, results: Results) -> None:
    """Measure a section and add what came of it to the results."""
    try:
        results.sections += SECTIONS[name](smoke, results)
    except training_time.LeftOutError as error:
        results.left_out[name] = str(error)
        tell(f"{name} is left out: {error}")
    except Exception as error:  # the other sections took minutes: show their figures all the same
        results.failed[name] = f"{type(error).__name__}: {error}"
        traceback.print_exc()


def installed(packages: Sequence[str]) -> dict[str, str]:
    """Return the versions of those ``packages`` that are installed."""
    found = {}
    for package in packages:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def read_options(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line; exit with an error before measuring if something cannot be done."""
    parser = command_parser("benchmarks.run", "Measure everything, in about eight minutes.")
    add_options(parser)
    parser.add_argument("--only", nargs="+", choices=SECTIONS, metavar="SECTION", help=", ".join(SECTIONS))
    parser.add_argument("--peers", action="store_true", help="measure other libraries too, if they are installed")
    parser.add_argument(
        "--peers-python",
        action="append",
        metavar="PYTHON",
        help="interpreter of an environment with them; given several times, each library is taken from the first that "
        "has it",
    )
    parser.add_argument("--plot", metavar="PATH", help="draw throughput by batch size and by threads as PNG")
    given = parser.parse_args(arguments)
    if given.plot and given.only and "vector" not in given.only:
        parser.error("--plot draws the section vector, which --only leaves out")
    if given.plot:
        check_libraries("arena", "matplotlib")
    given.peers_python = given.peers_python or [sys.executable]
    for python in given.peers_python:
        if shutil.which(python) is None:
            parser.error(f"--peers-python {python}: there is no such program")
    check_files(parser, given.force, given.json, given.plot)
    return given


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, measure, and print Markdown; return 1 if a section failed, 130 after Ctrl-C."""
    given = read_options(arguments)
    start = time.perf_counter()
    results = measure(given)
    if results.sections or not results.interrupted:
        packages = {**installed(VERSIONS), **results.peers.versions}
        publish(given, "benchmarks.run", "All in one run", results.sections, results.plain(), packages)
    if given.plot and results.throughput:
        plot.draw(results.throughput, results.peers.plain()["entrants"], given.plot)
    tell(f"{'interrupted' if results.interrupted else 'done'} after {time.perf_counter() - start:.0f} s")
    for name, why in results.failed.items():
        tell(f"{name} FAILED: {why}")
    return INTERRUPTED if results.interrupted else 1 if results.failed else 0


if __name__ == "__main__":
    sys.exit(exit_status(main))
