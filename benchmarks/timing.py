"""Timing: medians of several runs with the slowest and the fastest, and the tables they are printed in."""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from benchmarks.machine import provenance, sentence

K = TypeVar("K")


@dataclass(frozen=True)
class Effort:
    """How long to measure."""

    repeats: int
    seconds: float
    """For each repeat, at least."""


FULL, SMOKE = Effort(5, 0.6), Effort(2, 0.02)


@dataclass(frozen=True)
class Figure:
    """One measured figure: the median of several runs, with the least and the greatest."""

    what: str
    unit: str
    median: float
    low: float
    high: float

    @classmethod
    def of(cls, what: str, unit: str, values: Sequence[float]) -> Figure:
        """Returns the figure of these runs."""
        return cls(what, unit, statistics.median(values), min(values), max(values))


@dataclass(frozen=True)
class Section:
    """A table of figures under a heading."""

    title: str
    figures: list[Figure]
    note: str = ""
    """What a reader must know of these figures; stands before the table."""

    def markdown(self) -> str:
        """Returns the table."""
        lines = [f"### {self.title}", "", *([self.note, ""] if self.note else [])]
        if not self.figures:
            return "\n".join(lines)
        lines += ["| what | median | least | most | unit |", "|---|---:|---:|---:|---|"]
        for figure in self.figures:
            shown = " | ".join(readable(value) for value in (figure.median, figure.low, figure.high))
            lines.append(f"| {figure.what} | {shown} | {figure.unit} |")
        return "\n".join(lines) + "\n"


def readable(value: float) -> str:
    """Returns a number with three significant digits and commas; whole ones from 1,000 on, rounded to three as well."""
    if value == int(value) and abs(value) < 100_000:
        return f"{int(value):,}"
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if abs(rounded) >= 100 else f"{rounded:g}"


def rates(work: Callable[[], Sequence[int]], effort: Effort) -> list[list[float]]:
    """Repeats ``work`` and returns, for each count it returns, the counts a second of every repeat.

    One call is made first and not counted.
    """
    totals = [0.0] * len(work())
    found: list[list[float]] = [[] for _ in totals]
    for _ in range(effort.repeats):
        totals = [0.0] * len(totals)
        start = time.perf_counter()
        elapsed = 0.0
        while elapsed < effort.seconds:
            for index, count in enumerate(work()):
                totals[index] += count
            elapsed = time.perf_counter() - start
        for index, total in enumerate(totals):
            found[index].append(total / elapsed)
    return found


def in_turns(works: Mapping[K, Callable[[], int]], effort: Effort) -> dict[K, list[float]]:
    """Returns for each of ``works`` the counts a second of every repeat.

    The works take turns, repeat by repeat, so that a machine that slows down for a while slows down all of them, and
    figures of one turn can be compared. Each is called once before, which is not counted.
    """
    found: dict[K, list[float]] = {name: [] for name in works}
    for work in works.values():
        work()
    for _ in range(effort.repeats):
        for name, work in works.items():
            found[name].append(rate(work, effort.seconds))
    return found


def rate(work: Callable[[], int], seconds: float) -> float:
    """Repeats ``work`` for at least ``seconds``; returns what it counts, a second."""
    total, elapsed, start = 0, 0.0, time.perf_counter()
    while elapsed < seconds:
        total += work()
        elapsed = time.perf_counter() - start
    return total / elapsed


def nanoseconds(work: Callable[[], int], effort: Effort) -> list[float]:
    """Returns the nanoseconds one of the things counted by ``work`` takes, for every repeat."""
    return [1e9 / rate for rate in rates(lambda: (work(),), effort)[0]]


def report(title: str, origin: dict[str, Any], sections: Sequence[Section]) -> str:
    """Returns all figures as Markdown."""
    tables = "\n".join(section.markdown() for section in sections)
    return f"## {title}\n\n{sentence(origin)}\n\n{tables}"


def update_page(path: Path, module: str, text: str) -> None:
    """Puts ``text`` between the lines ``<!-- module -->`` and ``<!-- end of module -->`` of a page.

    Raises:
        ValueError: The page does not have each of the two lines once.
    """
    begin, end = f"<!-- {module} -->\n", f"<!-- end of {module} -->\n"
    page = path.read_text(encoding="utf-8")
    if page.count(begin) != 1 or page.count(end) != 1 or page.index(begin) > page.index(end):
        raise ValueError(f"{path} must have the lines {begin.strip()!r} and {end.strip()!r} once, in this order")
    before, _, rest = page.partition(begin)
    after = rest.partition(end)[2]
    path.write_text(f"{before}{begin}\n{text.rstrip()}\n\n{end}{after}", encoding="utf-8")


def add_options(parser: argparse.ArgumentParser, page: bool = True) -> None:
    """Adds the options that say how long to measure and where the figures go; ``page``: the page has a place."""
    parser.add_argument("--smoke", action="store_true", help="shows that it works; the figures mean nothing")
    parser.add_argument("--json", type=Path, metavar="PATH", help="writes the figures with machine and versions, too")
    if page:
        parser.add_argument("--page", type=Path, metavar="PATH", help="puts the tables into docs/benchmarks.md, too")
    else:
        parser.set_defaults(page=None)


def publish(
    given: argparse.Namespace,
    module: str,
    title: str,
    sections: Sequence[Section],
    more: Mapping[str, Any] | None = None,
    packages: Mapping[str, str] | None = None,
) -> None:
    """Prints the figures and writes them where the options say.

    ``more`` goes into the JSON beside the sections, ``packages`` are versions to tell beside those of every run.
    """
    origin = provenance(module)
    origin["versions"].update(packages or {})
    text = report(title, origin, sections)
    print(text)
    if given.json:
        content = {**origin, "sections": [asdict(section) for section in sections], **(more or {})}
        given.json.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    if given.page:
        update_page(given.page, module, text)
