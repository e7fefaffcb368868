"""Make the reference pages from the code: ``python docs/make/reference_pages.py``; ``--check`` writes nothing.

The documentation site makes them whenever it is built (``docs/site_parts/made_pages.py``), so git ignores them. The
command is for readers without the site; with ``--check`` it says whether every page can be made.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import columns_page
import environment_pages
import layout_pages
import merchants_boards_page
import merchants_rules_page
import rules_page

DOCS = Path(__file__).resolve().parents[1]
COMMAND = "python docs/make/reference_pages.py"
NAMES = (
    *("actions.md", "columns.md", "observation.md", "rules.md"),
    *("merchants/boards.md", "merchants/rules.md"),
    *(f"environments/{name}.md" for name in ("all", "endeavor", "endeavor_aec", "endeavor_solo", "vector")),
)
"""The paths of the pages below ``docs``."""


def pages() -> dict[str, str]:
    """Return the text of every page by its path. Raise ValueError if one cannot be made."""
    merchants = (merchants_rules_page, merchants_boards_page)
    made = (layout_pages, columns_page, rules_page, environment_pages, *merchants)
    return {name: text for maker in made for name, text in maker.pages().items()}


def write(folder: Path = DOCS) -> None:
    """Write the pages into ``folder``; files that stay the same are not touched, so that Sphinx reads them once."""
    for name, text in pages().items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or try the pages. Return the exit status: 1 if one cannot be made."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Make the reference pages from the code.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 with what is wrong with a page")
    parser.add_argument("--folder", type=Path, default=DOCS, help="where the pages go (default: %(default)s)")
    options = parser.parse_args(arguments)
    if not options.folder.is_dir():
        print(f"folder {options.folder} does not exist: name the folder of the pages with --folder", file=sys.stderr)
        return 1
    try:
        if options.check:
            pages()
        else:
            write(options.folder)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
