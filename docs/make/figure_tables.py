"""Fill the tables of measured figures into the pages: ``python docs/make/figure_tables.py``; ``--check`` only compares.

``docs/figures/*.toml`` hold the figures, each in one place, with what measured them. A table stands in a page between
the marks ``<!-- table NAME -->`` and ``<!-- end of table -->``, with the commands below it. A selection picks cells of
these tables: a cell that is a list names a table, a column, and the first cells of a row.

Tables of benchmarks hold no figures but name them, see ``results``: those are the medians in the JSON files that
``--json`` of the benchmarks has written to ``docs/figures/results``. Tables of matches name what was played, see
``matches``: ``python docs/make/strength.py`` plays it.
"""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matches
import results

ROOT = Path(__file__).resolve().parents[2]
FIGURES = ROOT / "docs" / "figures"
PAGES = (
    "README.md",
    "docs/results.md",
    "docs/benchmarks.md",
    "docs/clients/README.md",
    "docs/merchants/players.md",
)
COMMAND = "python docs/make/figure_tables.py"
_PART = re.compile(r"(<!-- table (\w+) -->\n).*?(<!-- end of table -->)", re.DOTALL)
_LINES = {"l": "---", "r": "---:"}


def read(folder: Path = FIGURES) -> dict[str, Mapping[str, Any]]:
    """Return all tables and selections by name, with the figures of results.

    Raises:
        ValueError: Two have the same name, or a figure is named that no result has.
    """
    found: dict[str, Mapping[str, Any]] = {}
    for path in sorted(folder.glob("*.toml")):
        file = tomllib.loads(path.read_text(encoding="utf-8"))
        for table in (*file.get("table", ()), *file.get("selection", ())):
            if table["name"] in found:
                raise ValueError(f"{path.name} has a second table {table['name']}: names must differ")
            found[table["name"]] = matches.with_results(
                results.with_figures(table, folder / "results"), folder / "results"
            )
    return found


def cell(tables: Mapping[str, Mapping[str, Any]], given: str | Sequence[str]) -> str:
    """Return the text of a cell, of another table if it names one. Raise ValueError if that has no such cell."""
    if isinstance(given, str):
        return given
    name, column, *first = given
    table = tables.get(name)
    rows = [row for row in table["rows"] if row[: len(first)] == first] if table else []
    if table is None or column not in table["head"] or len(rows) != 1:
        raise ValueError(f"{given} names {len(rows)} cells: it must be a table, a column, and the beginning of one row")
    return rows[0][table["head"].index(column)]


def table_text(head: Sequence[str], align: str, rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table; ``align`` has "l" or "r" for each column."""
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, [_LINES[side] for side in align], *rows))


def markdown(tables: Mapping[str, Mapping[str, Any]], name: str) -> str:
    """Return a table as Markdown, with what measured it. Raise ValueError if there is none of this name."""
    if name not in tables:
        raise ValueError(f"there is no table {name}: docs/figures has {', '.join(tables)}")
    table = tables[name]
    rows = [[cell(tables, given) for given in row] for row in table["rows"]]
    text = table_text(table["head"], table["align"], rows)
    if "measured" not in table:
        return text
    measured = textwrap.fill(f"Measured: {table['measured']}.", 120, break_on_hyphens=False)
    return "\n".join([text, "", measured, "", "```bash", *table["commands"], "```"])


def filled(page: str, tables: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the text of a page with its tables as the figures are now."""
    return _PART.sub(lambda part: f"{part[1]}\n{markdown(tables, part[2])}\n\n{part[3]}", page)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or compare the pages; return 1 if one is stale or names what is not there."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Fill the tables of measured figures into the pages.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 naming each page that is stale")
    options = parser.parse_args(arguments)
    stale = []
    try:
        tables = read()
        texts = {ROOT / name: filled((ROOT / name).read_text(encoding="utf-8"), tables) for name in PAGES}
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    for path, text in texts.items():
        if not options.check:
            path.write_text(text, encoding="utf-8")
        elif path.read_text(encoding="utf-8") != text:
            stale.append(path)
    for path in stale:
        print(f"{path.name} is stale: it differs from docs/figures; run `{COMMAND}`", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
