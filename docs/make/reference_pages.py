"""The reference pages: rules, actions, observations, columns, environments, boards of Merchants of Europe.

They are made whenever the documentation site is built (``docs/site_parts/made_pages.py``), so git ignores them.
"""

from __future__ import annotations

from pathlib import Path

import environment_pages
import layout_pages
import merchants_boards_page
import rules_page

from endeavor_env import analysis

DOCS = Path(__file__).resolve().parents[1]
NAMES = (
    *("actions.md", "columns.md", "observation.md", "rules.md"),
    *("merchants/boards.md", "merchants/rules.md"),
    *(f"environments/{name}.md" for name in ("all", "endeavor", "endeavor_aec", "endeavor_solo", "vector")),
)
"""The paths of the pages below ``docs``."""
_COLUMNS = """\
# Columns of the tables

The columns of the tables that `endeavor_env.analysis` makes of games ([Tables and datasets](analysis.md)). In the
solitaire game the Opposition has rows as well, with `seat` 1 and `opposition` true. All tables share the column `game`,
by which data frames are merged."""
_NOTES = {"rounds": "A round has ended when the first decision of the next one is due, or the game is over."}
"""What stands above the columns of a table."""


def columns_page() -> dict[str, str]:
    """Return the text of ``docs/columns.md``: the columns of every table of ``endeavor_env.analysis``."""
    parts = [_COLUMNS]
    for name in analysis.COLUMNS:
        parts += [f"## `{name}`", *([_NOTES[name]] if name in _NOTES else []), analysis.meanings(name)]
    return {"columns.md": "\n\n".join(parts) + "\n"}


def pages() -> dict[str, str]:
    """Return the text of every page by its path below ``docs``. Raise ValueError if one cannot be made."""
    makers = (layout_pages, rules_page, environment_pages, merchants_boards_page)
    made = (columns_page(), *(maker.pages() for maker in makers))
    return {name: text for pages in made for name, text in pages.items()}


def files() -> dict[Path, str]:
    """Return the text of every page by its path."""
    return {DOCS / name: text for name, text in pages().items()}
