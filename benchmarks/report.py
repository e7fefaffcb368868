"""Figures, the tables they are printed in, as Markdown and as JSON, and their origin."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from endeavor_env.agents.results_file import write_results
from endeavor_env.agents.terminal import own_command
from endeavor_env.basics.hardware import processor

PACKAGES = ("numpy", "numba", "gymnasium", "pettingzoo")
"""Packages whose versions are reported besides that of this one."""
UNITS = {"s": 1.0, "µs": 1e6, "ns": 1e9}
"""Units of times: how many of them are a second."""


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


def speeds(found: Mapping[str, Sequence[float]], unit: str = "decisions/s") -> list[Figure]:
    """Return the figures of rates per second, by what was measured."""
    return [Figure.of(what, unit, rates) for what, rates in found.items()]


def times(found: Mapping[str, Sequence[float]], unit: str = "ns") -> list[Figure]:
    """Return the same rates as the time of each unit that was counted."""
    return [Figure.of(what, unit, [UNITS[unit] / rate for rate in rates]) for what, rates in found.items()]


@dataclass(frozen=True)
class Section:
    """A table of figures under a heading."""

    title: str
    figures: list[Figure]
    note: str = ""
    """A text before the table, on how to read the figures."""
    settings: tuple[Any, ...] = ()
    """The settings that the figures were measured with, one for each, where a picture needs them."""

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
    try:
        write_results(json_file, {**origin, "sections": [asdict(section) for section in sections], **(more or {})})
    finally:
        tables = "\n".join(section.markdown() for section in sections)
        print(f"## {title}\n\n{sentence(origin)}\n\n{tables}")


# --- the origin of figures -------------------------------------------------------------------------------------------


def machine() -> dict[str, Any]:
    """Return processor, cores, system and Python as plain JSON values."""
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def versions(packages: Sequence[str] = PACKAGES) -> dict[str, str]:
    """Return the versions of this package and of those ``packages`` that are installed."""
    import endeavor_env

    found = {"endeavor-env": endeavor_env.__version__}
    for package in packages:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def provenance(module: str) -> dict[str, Any]:
    """Return the origin of figures measured by ``python -m module``."""
    return {
        "command": own_command(module),
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "machine": machine(),
        "versions": versions(),
    }


def sentence(origin: dict[str, Any]) -> str:
    """Return an origin, made by ``provenance``, as one line of text."""
    where, packages = origin["machine"], origin["versions"]
    listed = ", ".join(f"{name} {version}" for name, version in packages.items())
    return (
        f"`{origin['command']}`, {origin['date']}, {where['processor']} with {where['cores']} cores, "
        f"{where['system']}, Python {where['python']}, {listed}"
    )
