"""Write the column tables of ``docs/analysis.md``: ``python docs/make/analysis_page.py``; ``--check`` only compares.

Each stands between two marks, ``<!-- columns of seats -->`` and ``<!-- end of columns -->``, and is made from
``endeavor_env.analysis.COLUMNS``. The rest of the page is written by hand.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from endeavor_env import analysis

PAGE = Path(__file__).resolve().parents[1] / "analysis.md"
COMMAND = "python docs/make/analysis_page.py"
_PART = re.compile(r"(<!-- columns of (\w+) -->\n).*?(<!-- end of columns -->)", re.DOTALL)


def filled(page: str) -> str:
    """Return the text of the page with the tables as they are now; raise ValueError if one has no place in it."""
    places = [place[1] for place in _PART.findall(page)]
    if sorted(places) != sorted(analysis.COLUMNS):
        raise ValueError(f"the page has places for {places}: it needs one for each of {', '.join(analysis.COLUMNS)}")
    return _PART.sub(lambda part: f"{part[1]}\n{analysis.meanings(part[2])}\n\n{part[3]}", page)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or compare the page; return 1 if it is stale."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the page is stale")
    options = parser.parse_args(arguments)
    text = PAGE.read_text(encoding="utf-8")
    new = filled(text)
    if not options.check:
        PAGE.write_text(new, encoding="utf-8")
    elif new != text:
        print(f"{PAGE.name} is stale: run {COMMAND}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
