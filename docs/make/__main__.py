"""Make what follows from the code and from results: ``python docs/make``; ``--check`` writes nothing.

Without a name all parts are made. The reference pages, which git ignores, are made by the documentation site as well.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from pathlib import Path

from markdown_tables import changed, write

ROOT = Path(__file__).resolve().parents[2]
PARTS = {
    "reference": ("reference_pages", "the reference pages, which git ignores"),
    "figures": ("figures", "the tables of measured figures, of docs/figures"),
    "leaderboard": ("leaderboard", "the tables of docs/leaderboard.md, of the rows of bench/rows"),
    "how_to_play": ("how_to_play", "the pages that teach the games, and their pictures"),
}
"""The module of each part, whose ``files`` returns the text of each file by its path, and what it makes."""
IGNORED = ("reference",)
"""Parts that are not committed: ``--check`` asks only whether they can be made."""


def make(name: str, check: bool) -> list[str]:
    """Write the files of a part that have changed, or with ``check`` return the paths of those that are stale.

    Raises:
        ValueError: Something cannot be made: a sentence for each fault.
    """
    files = changed(importlib.import_module(PARTS[name][0]).files())
    if not check:
        write(files)
        return []
    return [path.relative_to(ROOT).as_posix() for path in files if name not in IGNORED]


def main(arguments: Sequence[str] | None = None) -> int:
    """Make or check the parts that are named; return 1 if one cannot be made, or a file of it is stale."""
    told = "; ".join(f"{name}: {about}" for name, (_, about) in PARTS.items())
    parser = argparse.ArgumentParser(prog="python docs/make", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="part", help=f"{told}; all if left out")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 naming each file that is stale")
    parser.add_argument(
        "--play", nargs="*", metavar="MATCH", help="first play matches: those without a result, these again, or all"
    )
    given = parser.parse_args(arguments)
    if unknown := [name for name in given.parts if name not in PARTS]:
        parser.error(f"there is no part {unknown[0]}: there are {', '.join(PARTS)}")
    try:
        if given.play is not None:
            importlib.import_module("figures").play_matches(given.play)
        stale = {name: make(name, given.check) for name in given.parts or PARTS}
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    for name, paths in stale.items():
        for path in paths:
            print(f"{path} is stale: run `python docs/make {name}`", file=sys.stderr)
    return 1 if any(stale.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
