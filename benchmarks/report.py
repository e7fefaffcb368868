"""Figures and the tables they are printed in, as Markdown and as JSON."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from endeavor_env.agents.results_file import write_results
from endeavor_env.benchmarks.machine import provenance, sentence


@dataclass(frozen=True)
class Figure:
    """A measured figure: the median of several runs, with the lowest and the highest."""

    what: str
    unit: str
    median: float
    low: float
    high: float

    @classmethod
    def of(cls, what: str, unit: str, values: Sequence[float]) -> Figure:
        """Return the figure of these runs."""
        return cls(what, unit, statistics.median(values), min(values), max(values))


@dataclass(frozen=True)
class Section:
    """A table of figures under a heading."""

    title: str
    figures: list[Figure]
    note: str = ""
    """A text before the table, on how to read the figures."""

    def markdown(self) -> str:
        """Return the heading, the note and the table."""
        lines = [f"### {self.title}", "", *([self.note, ""] if self.note else [])]
        if not self.figures:
            return "\n".join(lines)
        lines += ["| what | median | least | most | unit |", "|---|---:|---:|---:|---|"]
        for figure in self.figures:
            shown = " | ".join(readable(value) for value in (figure.median, figure.low, figure.high))
            lines.append(f"| {figure.what} | {shown} | {figure.unit} |")
        return "\n".join(lines) + "\n"


def readable(value: float) -> str:
    """Return a number with three significant digits and commas; whole numbers below 100,000 are not rounded."""
    if value == int(value) and abs(value) < 100_000:
        return f"{int(value):,}"
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if abs(rounded) >= 100 else f"{rounded:g}"


def report(title: str, origin: dict[str, Any], sections: Sequence[Section]) -> str:
    """Return all figures as Markdown."""
    tables = "\n".join(section.markdown() for section in sections)
    return f"## {title}\n\n{sentence(origin)}\n\n{tables}"


def publish(
    json_file: Path | None,
    module: str,
    title: str,
    sections: Sequence[Section],
    more: Mapping[str, Any] | None = None,
    packages: Mapping[str, str] | None = None,
) -> None:
    """Write the figures to the file of ``--json``, if any, and print them, even if the file cannot be written.

    Args:
        json_file: The file to write.
        module: The module that was run.
        title: The heading of the report.
        sections: The tables.
        more: Further content of the JSON file.
        packages: Further versions to report, by package.
    """
    origin = provenance(module)
    origin["versions"].update(packages or {})
    figures = {"sections": [asdict(section) for section in sections]}
    try:
        write_results(json_file, {**origin, **figures, **(more or {})})
    finally:
        print(report(title, origin, sections))
