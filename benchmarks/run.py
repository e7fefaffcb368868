"""``endeavor bench speed``: all speeds in one run, with ``--peers`` those of other libraries as well."""

from __future__ import annotations

import importlib.metadata
import shutil
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from endeavor_env.agents.command_line import command_line
from endeavor_env.agents.extras import check_libraries
from endeavor_env.agents.results_file import JsonFile
from endeavor_env.basics.exit_status import INTERRUPTED
from endeavor_env.basics.files import check_new
from endeavor_env.benchmarks import core, envs, limits, memory, plot, search, starting, vector
from endeavor_env.benchmarks.command import Force, SeveralValues, Smoke, check_choices, exit_status, new_app
from endeavor_env.benchmarks.peers import race
from endeavor_env.benchmarks.report import Section, publish
from endeavor_env.benchmarks.timing import SMOKE, Effort
from endeavor_env.endeavor.ensure import ensure_batch_compiled
from endeavor_env.errors import InvalidOptionError

EFFORT = Effort(5, 0.4)
VERSIONS = ("torch", "stable-baselines3", "sb3-contrib", "matplotlib")
"""Packages whose versions are reported if they are installed, besides those of every benchmark."""


app = new_app()


@dataclass
class Results:
    """The results of a run."""

    sections: list[Section] = field(default_factory=list)
    throughput: list[dict[str, Any]] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    """Error messages by section."""
    interrupted: bool = False
    """True if Ctrl-C ended the run before the last section."""
    peers: race.Outcome = field(default_factory=race.Outcome)

    def plain(self) -> dict[str, Any]:
        """Return what the JSON file holds besides the sections, as JSON values."""
        return {
            "throughput": self.throughput,
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
    "starting": lambda smoke, results: starting.starting(effort_of(smoke), smoke, vector=True),
}


def tell(line: str) -> None:
    """Print progress, on stderr."""
    print(f"{time.strftime('%H:%M:%S')} {line}", file=sys.stderr, flush=True)


def measure(only: Sequence[str], peers: Sequence[str], smoke: bool) -> Results:
    """Measure the chosen sections, then other libraries in the environments of ``peers``; Ctrl-C ends it early."""
    results = Results()
    try:
        ensure_batch_compiled()
        for name in only:
            tell(name)
            measure_section(name, smoke, results)
        if peers:
            comparison = race.Race(race.SMOKE if smoke else race.EFFORT, list(peers), tell=tell)
            results.sections += comparison.run()
            results.peers = comparison.outcome
    except KeyboardInterrupt:
        results.interrupted = True
    return results


def measure_section(name: str, smoke: bool, results: Results) -> None:
    """Measure a section and add what came of it to the results."""
    try:
        results.sections += SECTIONS[name](smoke, results)
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


def peers_of(peers: bool, pythons: Sequence[str]) -> list[str]:
    """Return the interpreters that run other libraries, none unless asked for; InvalidOptionError for no program."""
    for python in pythons:
        if shutil.which(python) is None:
            raise InvalidOptionError(f"--peers-python {python}: there is no such program")
    return [*(pythons or [sys.executable])] if peers else []


def check_plot(plot: Path | None, only: Sequence[str], force: bool) -> None:
    """Raise InvalidOptionError if the picture cannot be drawn."""
    if plot is None:
        return
    if "vector" not in only:
        raise InvalidOptionError("--plot draws the section vector, which --only leaves out: add it there")
    check_libraries("arena", "matplotlib")
    check_new(plot, force)


@app.command(cls=SeveralValues)
def command(
    smoke: Smoke = False,
    only: Annotated[
        list[str] | None, typer.Option(help=f"{', '.join(SECTIONS)}; all if left out.", metavar="SECTION ...")
    ] = None,
    peers: Annotated[bool, typer.Option("--peers", help="Measure other libraries too, if they are installed.")] = False,
    peers_python: Annotated[
        list[str] | None,
        typer.Option(
            help="Interpreter of an environment with them; given several times, each library is taken from the first "
            "that has it.",
            metavar="PYTHON",
        ),
    ] = None,
    plot_file: Annotated[
        Path | None, typer.Option("--plot", help="Draw throughput by batch size and by threads as PNG.")
    ] = None,
    json_file: JsonFile = None,
    force: Force = False,
) -> None:
    """Measure everything, in about eight minutes, and print Markdown; status 1 if a section failed."""
    with command_line(json_file, force):
        check_choices("--only", only or (), SECTIONS)
        chosen, pythons = only or list(SECTIONS), peers_of(peers, peers_python or ())
        check_plot(plot_file, chosen, force)
        begun = time.perf_counter()
        results = measure(chosen, pythons, smoke)
        if results.sections or not results.interrupted:
            packages = {**installed(VERSIONS), **results.peers.versions}
            publish(
                json_file, "endeavor_env.benchmarks.run", "All in one run", results.sections, results.plain(), packages
            )
        if plot_file is not None and results.throughput:
            plot.draw(results.throughput, results.peers.plain()["entrants"], plot_file)
        tell(f"{'interrupted' if results.interrupted else 'done'} after {time.perf_counter() - begun:.0f} s")
        for name, why in results.failed.items():
            tell(f"{name} FAILED: {why}")
    raise typer.Exit(INTERRUPTED if results.interrupted else 1 if results.failed else 0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, run, and return the exit status."""
    return exit_status(app, "endeavor_env.benchmarks.run", arguments)


if __name__ == "__main__":
    sys.exit(main())
