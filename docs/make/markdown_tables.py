"""Tables and ranges as the made pages write them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in row) + " |" for row in lines)


def ids(first: int, count: int) -> str:
    """Return a range of indices as text."""
    return str(first) if count == 1 else f"{first}-{first + count - 1}"
