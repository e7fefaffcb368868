"""The results of an evaluation as a table to print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.table import Table


def results_table(rows: Sequence[dict[str, Any]], title: str, subject: str, caption: str | None = None) -> Table:
    """Return the rows of ``endeavor_env.training.td.evaluation.evaluate`` as a table; ``subject`` names the player measured."""
    table = Table(title=title, caption=caption)
    headings = "table", "games", f"{subject} wins", "95 % interval", "parity", "wins / parity", "score", "theirs"
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*_cells(row))
    return table


def _cells(row: dict[str, Any]) -> list[str]:
    """Return the cells of a row; the solitaire game has difficulties, and no parity."""
    low, high = row["interval"]
    where = f"{row['players']} seats" if "parity" in row else row["difficulty"]
    parity = (f"{row['parity']:.1%}", f"{row['win_rate'] / row['parity']:.2f}") if "parity" in row else ("", "")
    return [
        f"{row['variant']}, {where}",
        str(row["games"]),
        f"{row['win_rate']:.1%}",
        f"{low:.1%} to {high:.1%}",
        *parity,
        f"{row['mean_score']:.1f}",
        f"{row['opponents_mean_score']:.1f}",
    ]
