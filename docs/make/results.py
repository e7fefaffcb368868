"""The figures of benchmarks in tables: a table names them, and the results that ``--json`` has written hold them.

A table with ``result``, the name of a file of results without its suffix, has rows of this form:

    columns = [{ unit = "decisions/s" }, { unit = "games/s" }]
    rows = [{ first = "three seats", what = "3 seats" }]

A row gives its first cell, and each column another. A figure is found by its ``section`` and ``what``, and by its
``unit`` where that does not suffice. Each of them stands in the table, in the column or in the row, the last of which
counts most. In ``what`` the column's ``at`` takes the place of ``{}``, and any other entry that of its name; several of
them are several figures. ``text`` is what is written, with ``{}`` for each figure.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from endeavor_env.benchmarks.report import readable


def with_figures(table: Mapping[str, Any], folder: Path) -> Mapping[str, Any]:
    """Return a table with the figures of its result, and with what measured them; another table as it is.

    Args:
        table: A table of ``docs/figures``.
        folder: The folder of the results.

    Raises:
        ValueError: There is no such result, or it has no such figure or several.
    """
    if "result" not in table:
        return table
    result = read_result(folder / f"{table['result']}.json", "the benchmarks write it with --json")
    usual = {name: table[name] for name in ("section", "what", "unit", "text") if name in table}
    rows = [
        [row["first"], *(_text(result, {**usual, **column, **row}) for column in table["columns"])]
        for row in table["rows"]
    ]
    machine, versions = result["machine"], result["versions"]
    measured = (
        f"{machine['processor']} with {machine['cores']} cores, {machine['system']}, Python {machine['python']}, "
        f"NumPy {versions['numpy']}, {result['date']}"
    )
    command = result["command"].partition(" --")[0]
    return {"commands": [command], **table, "rows": rows, "measured": measured}


@functools.cache
def read_result(path: Path, made_by: str) -> Mapping[str, Any]:
    """Return a file of results. Raise ValueError, which says what makes it, if there is none."""
    if not path.is_file():
        raise ValueError(f"there is no file {path.name} of results: {made_by}")
    return json.loads(path.read_text(encoding="utf-8"))


def _text(result: Mapping[str, Any], named: Mapping[str, Any]) -> str:
    """Return what a cell says of the figures that it names."""
    whats = [named["what"]] if isinstance(named["what"], str) else named["what"]
    figures = [_figure(result, named, what.format(named.get("at", ""), **named)) for what in whats]
    return named.get("text", "{}").format(*map(readable, figures), **named)


def _figure(result: Mapping[str, Any], named: Mapping[str, Any], what: str) -> float:
    """Return the median of a figure. Raise ValueError if there is none, or if several have this name."""
    found = [
        figure["median"]
        for section in result["sections"]
        for figure in section["figures"]
        if (section["title"], figure["what"]) == (named["section"].format(**named), what)
        and named.get("unit", figure["unit"]) == figure["unit"]
    ]
    if len(found) != 1:
        raise ValueError(f"{what!r} in section {named['section']!r} names {len(found)} figures: it must name one")
    return found[0]
