"""The page ``docs/columns.md``: the columns of every table of ``endeavor_env.analysis``."""

from __future__ import annotations

from endeavor_env import analysis

_HEAD = """\
# Columns of the tables

The columns of the tables that `endeavor_env.analysis` makes of games ([Tables and datasets](analysis.md)). In the
solitaire game the Opposition has rows as well, with `seat` 1 and `opposition` true. All tables share the column `game`,
by which data frames are merged."""
_NOTES = {"rounds": "A round has ended when the first decision of the next one is due, or the game is over."}
"""What stands above the columns of a table."""


def pages() -> dict[str, str]:
    """Return the text of the page by its path below ``docs``."""
    parts = [_HEAD]
    for name in analysis.COLUMNS:
        parts += [f"## `{name}`", *([_NOTES[name]] if name in _NOTES else []), analysis.meanings(name)]
    return {"columns.md": "\n\n".join(parts) + "\n"}
