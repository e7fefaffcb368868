"""The tables of measured figures in pages, of the figures and results in ``docs/figures``.

``docs/figures/*.toml`` hold the tables, each with what measured it. A table stands in a page between the marks
``<!-- table NAME -->`` and ``<!-- end of table -->``, with the commands below it. A selection picks cells of these
tables: a cell that is a list names a table, a column, and the first cells of a row.

A table with ``result`` names figures of benchmarks, those in a file that ``--json`` has written to
``docs/figures/results``. Its rows have this form:

    columns = [{ unit = "decisions/s" }, { unit = "games/s" }]
    rows = [{ first = "three seats", what = "3 seats" }]

A row gives its first cell, and each column another. A figure is found by its ``section`` and ``what``, and by its
``unit`` where that does not suffice. Each of them stands in the table, in the column or in the row, the last of which
counts most. In ``what`` the column's ``at`` takes the place of ``{}``, and any other entry that of its name; several of
them are several figures. ``text`` is what is written, with ``{}`` for each figure.

A table with ``played``, commands by the name of their result, shows matches: ``python docs/make figures --play`` plays
those without a result. Its rows have this form:

    columns = ["wins", "parity", { show = "wins", players = 3 }]
    rows = [{ first = ["base game, 3 seats", "2 `greedy`"], of = "policy-greedy", players = 3 }]

A row gives its first cells, and each column another: of the one entry of the result ``of`` whose values are those that
column and row name, the row's counting more. An entry is a table size of ``endeavor train match``, an agent and a
difficulty of ``endeavor solo``, or the first agent of ``endeavor arena``, beside the best of the others. A row may also
be a list of cells, with ``commands`` that measured it, where playing takes long.
"""

from __future__ import annotations

import functools
import json
import re
import shlex
import subprocess
import sys
import tempfile
import textwrap
import tomllib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from markdown_tables import aligned
from rich.progress import track

from endeavor_env.basics.python_child import python_command
from endeavor_env.benchmarks.report import machine, readable, versions

ROOT = Path(__file__).resolve().parents[2]
FIGURES = ROOT / "docs" / "figures"
MATCHES = "matches"
"""The folder of the results of matches, in that of all results."""
PAGES = (
    "README.md",
    "docs/results.md",
    "docs/benchmarks.md",
    "docs/clients/README.md",
    "docs/merchants/players.md",
)
_PART = re.compile(r"(<!-- table (\w+) -->\n).*?(<!-- end of table -->)", re.DOTALL)


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
            found[table["name"]] = with_matches(with_figures(table, folder / "results"), folder / "results")
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


def markdown(tables: Mapping[str, Mapping[str, Any]], name: str) -> str:
    """Return a table as Markdown, with what measured it. Raise ValueError if there is none of this name."""
    if name not in tables:
        raise ValueError(f"there is no table {name}: docs/figures has {', '.join(tables)}")
    table = tables[name]
    rows = [[cell(tables, given) for given in row] for row in table["rows"]]
    text = aligned(table["head"], table["align"], rows)
    if "measured" not in table:
        return text
    measured = textwrap.fill(f"Measured: {table['measured']}.", 120, break_on_hyphens=False)
    return "\n".join([text, "", measured, "", "```bash", *table["commands"], "```"])


def filled(page: str, tables: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the text of a page with its tables as the figures are now."""
    return _PART.sub(lambda part: f"{part[1]}\n{markdown(tables, part[2])}\n\n{part[3]}", page)


def files() -> dict[Path, str]:
    """Return the text of every page with tables of figures. Raise ValueError if one names what is not there."""
    tables = read()
    return {ROOT / name: filled((ROOT / name).read_text(encoding="utf-8"), tables) for name in PAGES}


# --- figures of benchmarks -------------------------------------------------------------------------------------------


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


# --- figures of matches ----------------------------------------------------------------------------------------------

MADE_BY = "python docs/make figures --play plays the match"
NAMED = ("first", "of", "show")


def with_matches(table: Mapping[str, Any], folder: Path) -> Mapping[str, Any]:
    """Return a table with the figures of what was played, and with what played it; another table as it is.

    Args:
        table: A table of ``docs/figures``.
        folder: The folder of all results.

    Raises:
        ValueError: There is no such result, or it has no such entry or several.
    """
    if "played" not in table:
        return table
    found = {name: read_result(folder / MATCHES / f"{name}.json", MADE_BY) for name in table["played"]}
    rows = [row if isinstance(row, list) else _cells(found, row, table["columns"]) for row in table["rows"]]
    measured = "; ".join(
        part for part in (table.get("measured", ""), *dict.fromkeys(map(_origin, found.values()))) if part
    )
    commands = dict.fromkeys([*table["played"].values(), *table.get("commands", ())])
    return {**table, "rows": rows, "measured": measured, "commands": list(commands)}


def entries(result: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the entries of a result of any of the commands, with the same names for the same figures."""
    if "results" in result:
        return [{"theirs": row.get("opponents_mean_score"), **row} for row in result["results"]]
    if "rows" in result:
        return [{"theirs": row["mean_opposition"], "games": result["games"], **row} for row in result["rows"]]
    first, *others = result["agents"]
    about = {name: result[name] for name in ("players", "games", "variant")}
    return [{**first, **about, "theirs": max(one["mean_score"] for one in others)}]


def _origin(result: Mapping[str, Any]) -> str:
    """Return the machine and the day of a result."""
    return f"{result['machine']['processor']} with {result['machine']['cores']} cores, {result['date']}"


def _cells(found: Mapping[str, Mapping[str, Any]], row: Mapping[str, Any], columns: Sequence[Any]) -> list[str]:
    """Return the texts of the cells of a row."""
    return [*row["first"], *(_cell(found, row, column) for column in columns)]


def _cell(found: Mapping[str, Mapping[str, Any]], row: Mapping[str, Any], column: str | Mapping[str, Any]) -> str:
    """Return the text of a cell."""
    column = {"show": column} if isinstance(column, str) else column
    named = {**column, **row}
    wanted = {name: value for name, value in named.items() if name not in NAMED}
    ones = [one for one in entries(found[named["of"]]) if all(one.get(name) == value for name, value in wanted.items())]
    if len(ones) != 1:
        raise ValueError(f"{wanted} of {named['of']} names {len(ones)} entries: it must name one")
    return SHOWN[named["show"]](ones[0])


def _between(one: Mapping[str, Any]) -> str:
    return "-".join(f"{100 * bound:.1f}" for bound in one["interval"])


def _lead(one: Mapping[str, Any]) -> str:
    low, high = one["margin_interval"]
    return f"{one['mean_margin']:+.1f} ({low:+.1f} to {high:+.1f})"


SHOWN = {
    "wins": lambda one: f"{100 * one['win_rate']:.1f} % ({_between(one)})",
    "parity": lambda one: f"{100 / one['players']:.0f} %" if one.get("players", 1) > 1 else "",
    "games": lambda one: f"{one['games']:,}",
    "score": lambda one: f"{one['mean_score']:.1f}",
    "score and deviation": lambda one: f"{one['mean_score']:.1f} ± {one['score_sd']:.1f}",
    "theirs": lambda one: f"{one['theirs']:.1f}",
    "lead": _lead,
    "ladder": lambda one: "/".join(f"{100 * share:.0f}" for share in one["ladder"].values()),
}
"""What a column can show, and how it is written."""


# --- playing the matches ---------------------------------------------------------------------------------------------

LEFT_OUT = ("scores", "seconds", "decisions", "records")
"""What results of commands have besides figures of tables: every single score, and times."""


def played(figures: Path) -> dict[str, str]:
    """Return the commands of all matches by name. Raise ValueError if a name has two commands."""
    found: dict[str, str] = {}
    for file in sorted(figures.glob("*.toml")):
        for table in tomllib.loads(file.read_text(encoding="utf-8")).get("table", ()):
            for name, command in table.get("played", {}).items():
                if found.setdefault(name, command) != command:
                    raise ValueError(f"match {name} is played by two commands: give it two names")
    return found


def play(command: str) -> Mapping[str, Any]:
    """Run a command of ``endeavor`` and return its results, with what ran it. Raise CalledProcessError if it fails."""
    program, *arguments = shlex.split(command, comments=True)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "result.json"
        words = python_command("-m", "endeavor_env.cli", *arguments, "--json", str(file))
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        result = json.loads(file.read_text(encoding="utf-8"))
    origin = {"date": datetime.now(UTC).strftime("%Y-%m-%d"), "machine": machine(), "versions": versions()}
    return {"command": shlex.join([program, *arguments]), **origin, **_without(result)}


def _without(value: Any) -> Any:
    """Return JSON values without what is left out."""
    if isinstance(value, dict):
        return {name: _without(one) for name, one in value.items() if name not in LEFT_OUT}
    return [_without(one) for one in value] if isinstance(value, list) else value


def play_matches(names: Sequence[str], figures: Path = FIGURES) -> None:
    """Play matches and keep their results: those without a result, those of these names, or "all".

    Raises:
        ValueError: There is no match of such a name.
    """
    commands, results = played(figures), figures / "results" / MATCHES
    if unknown := [name for name in names if name not in (*commands, "all")]:
        raise ValueError(f"there is no match {unknown[0]}: there are {', '.join(commands)}")
    results.mkdir(parents=True, exist_ok=True)
    missing = [name for name in commands if not (results / f"{name}.json").exists()]
    wanted = list(commands) if "all" in names else [name for name in commands if name in (names or missing)]
    for name in track(wanted, "matches", disable=not sys.stderr.isatty()):
        text = json.dumps(play(commands[name]), indent=1, ensure_ascii=False)
        (results / f"{name}.json").write_text(text + "\n", encoding="utf-8")
