"""``endeavor bench speed``: all speeds in one run, with ``--peers`` those of other libraries as well.

``SECTIONS`` is the table of what can be measured. ``endeavor bench core``, ``envs``, ``merchants`` and ``memory``
measure some of them.
"""

from __future__ import annotations

import shutil
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from endeavor_env.agents.command_line import command_line
from endeavor_env.agents.extras import check_libraries
from endeavor_env.agents.results_file import JsonFile
from endeavor_env.basics.exit_status import INTERRUPTED
from endeavor_env.basics.files import check_new
from endeavor_env.benchmarks import batches, core, envs, limits, merchants, plot, processes, search
from endeavor_env.benchmarks.command import Force, SeveralValues, Smoke, check_choices, exit_status, new_app
from endeavor_env.benchmarks.peers import race
from endeavor_env.benchmarks.report import Section, publish, versions
from endeavor_env.benchmarks.timing import SMOKE, Effort
from endeavor_env.endeavor.ensure import ensure_batch_compiled
from endeavor_env.engine.kernels.parts import BATCH, SINGLE
from endeavor_env.errors import InvalidOptionError
from endeavor_env.kernels.loading.once import ensure_parts
from endeavor_env.merchants.rules.parts import MERCHANTS

MODULE = "endeavor_env.benchmarks.run"
REPEATS = 5
VERSIONS = ("torch", "stable-baselines3", "sb3-contrib", "matplotlib")
"""Packages whose versions are reported if they are installed, besides those of every benchmark."""


def compile_merchants() -> None:
    """Make the machine code of Merchants of Europe, unless it is there."""
    ensure_parts(BATCH, SINGLE, MERCHANTS)


class Measure(NamedTuple):
    """What is measured under the name of a section."""

    take: Callable[[Effort], list[Section]]
    seconds: float = 0.4
    """Shortest duration of each of the five repeats of a figure."""
    needs: Callable[[], None] = ensure_batch_compiled
    """Makes the machine code, before anything is timed."""


SECTIONS = {
    "core": Measure(core.base_game),
    "aec": Measure(envs.pettingzoo),
    "gymnasium": Measure(envs.gym),
    "vector": Measure(batches.batches, 0.2),
    "search": Measure(search.search, 0.2),
    "limits": Measure(limits.limits, 0.2),
    "memory": Measure(processes.memory),
    "starting": Measure(processes.starting),
    "rules": Measure(core.rules, 0.6),
    "parts": Measure(core.parts, 0.6),
    "calls": Measure(core.calls, 0.6),
    "copies": Measure(core.copies, 0.6),
    "merchants": Measure(merchants.play, 0.6, compile_merchants),
    "merchants-python": Measure(merchants.play_in_python, 0.6, compile_merchants),
    "merchants-vector": Measure(merchants.play_batches, 0.6, compile_merchants),
}
"""Everything that can be measured, by the name that ``--only`` gives it."""
SPEED = ("core", "aec", "gymnasium", "vector", "search", "limits", "memory", "starting")
"""The sections of ``endeavor bench speed``."""


@dataclass
class Results:
    """The results of a run."""

    sections: list[Section] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    """Error messages by section."""
    interrupted: bool = False
    """True if Ctrl-C ended the run before the last section."""
    peers: race.Outcome = field(default_factory=race.Outcome)


def tell(line: str) -> None:
    """Print progress, on stderr."""
    print(f"{time.strftime('%H:%M:%S')} {line}", file=sys.stderr, flush=True)


def measure(names: Sequence[str], peers: Sequence[str], smoke: bool) -> Results:
    """Measure sections, then other libraries in the environments of ``peers``; Ctrl-C ends it early."""
    results = Results()
    try:
        for needs in dict.fromkeys(SECTIONS[name].needs for name in names):
            needs()
        for name in names:
            tell(name)
            try:
                results.sections += SECTIONS[name].take(SMOKE if smoke else Effort(REPEATS, SECTIONS[name].seconds))
            except Exception as error:  # the other sections took minutes: show their figures all the same
                results.failed[name] = f"{type(error).__name__}: {error}"
                traceback.print_exc()
        if peers:
            comparison = race.Race(race.SMOKE if smoke else race.EFFORT, list(peers), tell=tell)
            results.sections += comparison.run()
            results.peers = comparison.outcome
    except KeyboardInterrupt:
        results.interrupted = True
    return results


def run(
    title: str,
    names: Sequence[str],
    smoke: bool,
    json_file: Path | None,
    peers: Sequence[str] = (),
    plot_file: Path | None = None,
) -> int:
    """Measure, print and keep the figures; return the exit status: 1 if a section failed, 130 after Ctrl-C."""
    begun = time.perf_counter()
    results = measure(names, peers, smoke)
    entrants = results.peers.plain()
    if results.sections or not results.interrupted:
        packages = {**versions(VERSIONS), **results.peers.versions}
        publish(json_file, MODULE, title, results.sections, {"failed": results.failed, "peers": entrants}, packages)
    if plot_file is not None and (measured := plot.throughput_of(results.sections)):
        plot.draw(measured, entrants["entrants"], plot_file)
    tell(f"{'interrupted' if results.interrupted else 'done'} after {time.perf_counter() - begun:.0f} s")
    for name, why in results.failed.items():
        tell(f"{name} FAILED: {why}")
    return INTERRUPTED if results.interrupted else 1 if results.failed else 0


# --- the commands ----------------------------------------------------------------------------------------------------

app = new_app()


def peers_of(peers: bool, pythons: Sequence[str]) -> list[str]:
    """Return the interpreters that run other libraries, none unless asked for; InvalidOptionError for no program."""
    for python in pythons:
        if shutil.which(python) is None:
            raise InvalidOptionError(f"--peers-python {python}: there is no such program")
    return [*(pythons or [sys.executable])] if peers else []


def check_plot(plot_file: Path | None, only: Sequence[str], force: bool) -> None:
    """Raise InvalidOptionError if the picture cannot be drawn."""
    if plot_file is None:
        return
    if "vector" not in only:
        raise InvalidOptionError("--plot draws the section vector, which --only leaves out: add it there")
    check_libraries("arena", "matplotlib")
    check_new(plot_file, force)


@app.command(cls=SeveralValues)
def command(
    smoke: Smoke = False,
    only: Annotated[
        list[str] | None,
        typer.Option(help=f"{', '.join(SECTIONS)}; if left out, those up to {SPEED[-1]}.", metavar="SECTION ..."),
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
        names, pythons = only or SPEED, peers_of(peers, peers_python or ())
        check_plot(plot_file, names, force)
        status = run("All in one run", names, smoke, json_file, pythons, plot_file)
    raise typer.Exit(status)


def app_of(title: str, words: str, *names: str) -> typer.Typer:
    """Return the application that measures these sections alone; ``words`` say what they are about."""
    found = new_app()

    @found.command(help=f"Measure {words}, and print the figures as Markdown.")
    def measured(smoke: Smoke = False, json_file: JsonFile = None, force: Force = False) -> None:
        with command_line(json_file, force):
            status = run(title, names, smoke, json_file)
        raise typer.Exit(status)

    return found


core_app = app_of("Core", "the rules core", "rules", "parts", "calls", "copies")
envs_app = app_of("Environments", "the environments of one game", "aec", "gymnasium")
merchants_app = app_of(
    "Merchants of Europe", "the speed of Merchants of Europe", "merchants", "merchants-python", "merchants-vector"
)
memory_app = app_of("Memory", "the memory of many games", "memory")


def main(arguments: Sequence[str] | None = None, run_app: typer.Typer = app) -> int:
    """Read the command line, run, and return the exit status."""
    return exit_status(run_app, MODULE, arguments)


if __name__ == "__main__":
    sys.exit(main())
