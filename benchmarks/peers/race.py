"""The comparison with other libraries: the same kinds of loop, measured in turns, and the ratios of the speeds."""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from endeavor_env.benchmarks.peers import ADAPTERS, KINDS, OWN, LoopKind
from endeavor_env.benchmarks.peers.client import PeerFailedError, PeerMissingError, Worker
from endeavor_env.benchmarks.report import Figure, Section
from endeavor_env.benchmarks.timing import Effort

EFFORT, SMOKE = Effort(5, 0.4), Effort(1, 0.02)
INSTALL = 'pip install -c constraints.txt -e ".[peers]"'


@dataclass
class Entrant:
    """A game of a library in one kind of loop, and its decisions per second."""

    adapter: str
    library: str
    game: str
    kind: str
    rates: list[float] = field(default_factory=list)

    @property
    def own(self) -> bool:
        """True for a game of this package."""
        return self.adapter.endswith(f".{OWN}")

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
        adapters: Sequence[str] = tuple(f"endeavor_env.benchmarks.peers.{name}" for name in (OWN, *ADAPTERS)),
        tell: Callable[[str], None] = lambda line: None,
    ) -> None:
        """Prepare a comparison.

        Args:
            effort: How long to measure.
            pythons: Interpreters of the environments that have the other libraries; each library is measured with the
                first one that has it.
            adapters: Full names of the modules of the libraries.
            tell: Called with lines that report progress.
        """
        self.effort, self.pythons, self.adapters, self.tell = effort, pythons, adapters, tell
        self.outcome = Outcome()
        self._having: dict[str, str] = {}  # the interpreter that has a library, by adapter

    def run(self) -> list[Section]:
        """Measure every kind of loop; return the tables."""
        sections = [self._run_kind(name, kind) for name, kind in KINDS.items()]
        return [*(section for section in sections if section.figures), *self._absent()]

    def _run_kind(self, name: str, kind: LoopKind) -> Section:
        """Start one process after the other, then let them play in turns."""
        with contextlib.ExitStack() as stack:
            running: list[tuple[Entrant, Worker]] = []
            for adapter in self.adapters:
                module: Any = importlib.import_module(adapter)
                for index, game in enumerate(module.GAMES):
                    if game.kind == name and module.NAME not in self.outcome.left_out:
                        entrant = Entrant(adapter, module.NAME, game.name, name)
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
            worker = stack.enter_context(Worker(entrant.adapter, index, python, kind.one_core))
            try:
                self.outcome.versions.update(worker.ready())
            except PeerMissingError as error:
                lacking[python] = str(error)
            except PeerFailedError as error:
                self._record_failure(entrant, error)
                return None
            else:
                self._having[entrant.adapter] = python
                return worker
        self.outcome.left_out[entrant.library] = left_out(lacking, entrant.adapter)
        return None

    def _candidates(self, entrant: Entrant) -> Sequence[str]:
        """Return the interpreters that may have the library of ``entrant``, in the order in which to try them."""
        if entrant.own:
            return (sys.executable,)
        return (self._having[entrant.adapter],) if entrant.adapter in self._having else self.pythons

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


def left_out(lacking: dict[str, str], adapter: str) -> str:
    """Return why a library is left out.

    Args:
        lacking: The modules that are not installed, by interpreter.
        adapter: Full name of the library's module.
    """
    found = [f"{modules} is not installed" for modules in lacking.values()]
    if len(lacking) > 1:
        found = [f"{what} for {python}" for what, python in zip(found, lacking, strict=True)]
    needs = getattr(importlib.import_module(adapter), "NEEDS", None)
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
