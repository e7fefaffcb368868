"""The comparison: a process for each game of each library, the loops of one kind in turns."""

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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

import endeavor_env
from endeavor_env.basics.hardware import usable_cores
from endeavor_env.basics.python_child import python_command
from endeavor_env.benchmarks.peers import KINDS, THREADS, Library, LoopKind
from endeavor_env.benchmarks.peers.libraries import LIBRARIES, OWN
from endeavor_env.benchmarks.report import Figure, Section
from endeavor_env.benchmarks.timing import Effort
from endeavor_env.errors import Unpicklable

TABLE = "endeavor_env.benchmarks.peers.libraries"
"""The module with the table of libraries."""

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

    def __init__(
        self, library: str, game: int, python: str = sys.executable, one_core: bool = False, table: str = TABLE
    ) -> None:
        """Start the process.

        Args:
            library: Name of a library of the table.
            game: Index into its games.
            python: Interpreter of the environment that has the library.
            one_core: Whether to keep the process on one core and to one thread.
            table: Full name of a module with the libraries, as LIBRARIES.
        """
        options = ["--one-core"] if one_core else []
        worker = "endeavor_env.benchmarks.peers.worker"
        command = python_command("-m", worker, table, library, str(game), *options, python=python)
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


# --- the comparison --------------------------------------------------------------------------------------------------

EFFORT, SMOKE = Effort(5, 0.4), Effort(1, 0.02)
INSTALL = 'pip install -c constraints.txt -e ".[peers]"'


@dataclass
class Entrant:
    """A game of a library in one kind of loop, and its decisions per second."""

    library: str
    game: str
    kind: str
    rates: list[float] = field(default_factory=list)

    @property
    def own(self) -> bool:
        """True for a game of this package."""
        return self.library == OWN

    @property
    def label(self) -> str:
        """Library and game."""
        return f"{self.library}: {self.game}"


@dataclass
class Outcome:
    """The results of the comparison."""

    entrants: list[Entrant] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    """Why a library was left out, by library."""
    failed: dict[str, str] = field(default_factory=dict)
    """The error, by library and game."""

    def plain(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        entrants = [
            {"library": one.library, "game": one.game, "kind": one.kind, "own": one.own, "rates": one.rates}
            for one in self.entrants
        ]
        return {"entrants": entrants, "left_out": self.left_out, "failed": self.failed, "versions": self.versions}


class Race:
    """Compares the libraries that are installed, one kind of loop after the other."""

    def __init__(
        self,
        effort: Effort,
        pythons: Sequence[str] = (sys.executable,),
        libraries: Mapping[str, Library] = LIBRARIES,
        table: str = TABLE,
        tell: Callable[[str], None] = lambda line: None,
    ) -> None:
        """Prepare a comparison.

        Args:
            effort: How long to measure.
            pythons: Interpreters of the environments that have the other libraries; each library is measured with the
                first one that has it.
            libraries: The libraries, by name.
            table: Full name of the module in which a process finds the libraries.
            tell: Called with lines that report progress.
        """
        self.effort, self.pythons, self.libraries, self.table, self.tell = effort, pythons, libraries, table, tell
        self.outcome = Outcome()
        self._having: dict[str, str] = {}  # the interpreter that has a library

    def run(self) -> list[Section]:
        """Measure every kind of loop; return the tables."""
        sections = [self._run_kind(name, kind) for name, kind in KINDS.items()]
        return [*(section for section in sections if section.figures), *self._absent()]

    def _run_kind(self, name: str, kind: LoopKind) -> Section:
        """Start one process after the other, then let them play in turns."""
        with contextlib.ExitStack() as stack:
            running: list[tuple[Entrant, Worker]] = []
            for library, about in self.libraries.items():
                for index, game in enumerate(about.games):
                    if game.kind == name and library not in self.outcome.left_out:
                        entrant = Entrant(library, game.name, name)
                        worker = self._start(entrant, index, kind, stack)
                        running += [(entrant, worker)] if worker else []
            for _ in range(self.effort.repeats):
                running = [one for one in running if self._play(*one)]
        found = [entrant for entrant, _ in running]
        self.outcome.entrants += found
        return Section(kind.title, compared(found), kind.note)

    def _start(self, entrant: Entrant, index: int, kind: LoopKind, stack: contextlib.ExitStack) -> Worker | None:
        """Return a process that is ready to play; record it and return None if the library is missing or fails."""
        self.tell(entrant.label)
        lacking: dict[str, str] = {}
        for python in self._candidates(entrant):
            worker = stack.enter_context(Worker(entrant.library, index, python, kind.one_core, self.table))
            try:
                self.outcome.versions.update(worker.ready())
            except PeerMissingError as error:
                lacking[python] = str(error)
            except PeerFailedError as error:
                self._record_failure(entrant, error)
                return None
            else:
                self._having[entrant.library] = python
                return worker
        self.outcome.left_out[entrant.library] = left_out(lacking, self.libraries[entrant.library].needs)
        return None

    def _candidates(self, entrant: Entrant) -> Sequence[str]:
        """Return the interpreters that may have the library of ``entrant``, in the order in which to try them."""
        if entrant.own:
            return (sys.executable,)
        return (self._having[entrant.library],) if entrant.library in self._having else self.pythons

    def _play(self, entrant: Entrant, worker: Worker) -> bool:
        """Measure one turn; return whether it worked."""
        try:
            entrant.rates.append(worker.rate(self.effort.seconds))
        except PeerFailedError as error:
            self._record_failure(entrant, error)
            return False
        return True

    def _record_failure(self, entrant: Entrant, error: PeerFailedError) -> None:
        """Record and report that a game failed."""
        self.outcome.failed[f"{entrant.label} ({KINDS[entrant.kind].title})"] = str(error)
        self.tell(f"{entrant.label} failed: {error}")

    def _absent(self) -> list[Section]:
        """Return which libraries and games were not measured, and why."""
        lines = [f"- {library} is left out: {why}" for library, why in self.outcome.left_out.items()]
        lines += [f"- {label} failed: {why}" for label, why in self.outcome.failed.items()]
        return [Section("Not measured", [], "\n".join(lines))] if lines else []


def left_out(lacking: dict[str, str], needs: str) -> str:
    """Return why a library is left out, given the modules that are not installed, by interpreter, and its needs."""
    found = [f"{modules} is not installed" for modules in lacking.values()]
    if len(lacking) > 1:
        found = [f"{what} for {python}" for what, python in zip(found, lacking, strict=True)]
    return f"{', '.join(found)}: {INSTALL}" + (f", with {needs}" if needs else "")


def compared(entrants: Sequence[Entrant]) -> list[Figure]:
    """Return every speed, and the ratios of the speed of this package to each of the others, turn by turn.

    Return no figures if no other library was measured: other tables have the speeds of this package.
    """
    own, others = ([one for one in entrants if one.own is which] for which in (True, False))
    if not others:
        return []
    figures = [Figure.of(one.label, "decisions/s", one.rates) for one in (*own, *others)]
    for mine in own:
        for other in others:
            what = f"{mine.label} / {other.label}"
            figures.append(Figure.of(what, "times as fast", ratios(mine.rates, other.rates)))
    return figures


def ratios(mine: Sequence[float], other: Sequence[float]) -> list[float]:
    """Return the ratio of ``mine`` to ``other`` in each turn."""
    return [one / two for one, two in zip(mine, other, strict=True)]
