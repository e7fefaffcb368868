"""Play the matches of the tables of docs/figures/strength.toml: ``python docs/make/strength.py``, then fill the pages.

Each result is kept in ``docs/figures/results/matches``, and what is there is not played again: name matches to play
them anew, or give ``--all``. Whatever was played, all tables of pages are filled in the end.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import figure_tables
import matches
from tqdm import tqdm

from endeavor_env.basics.python_child import python_command
from endeavor_env.benchmarks.report import machine, versions

RESULTS = figure_tables.FIGURES / "results" / matches.FOLDER
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Play what is missing or named, and fill the pages; return 1 if that fails."""
    parser = argparse.ArgumentParser(prog="python docs/make/strength.py", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="match", help="play these again, whatever there is")
    parser.add_argument("--all", action="store_true", help="play every match again")
    given = parser.parse_args(arguments)
    commands = played(figure_tables.FIGURES)
    if unknown := [name for name in given.names if name not in commands]:
        print(f"there is no match {unknown[0]}: there are {', '.join(commands)}", file=sys.stderr)
        return 1
    RESULTS.mkdir(parents=True, exist_ok=True)
    wanted = [
        name
        for name in commands
        if given.all or name in given.names or not (given.names or (RESULTS / f"{name}.json").exists())
    ]
    for name in tqdm(wanted, unit="match", disable=None):
        result = play(commands[name])
        text = json.dumps(result, indent=1, ensure_ascii=False)
        (RESULTS / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    return figure_tables.main([])


if __name__ == "__main__":
    sys.exit(main())
