"""What the made pages share: tables, ranges, and which files have changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

_LINES = {"l": "---", "r": "---:"}


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table."""
    return aligned(head, "l" * len(head), rows)


def aligned(head: Sequence[str], align: str, rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table; ``align`` has "l" or "r" for each column."""
    lines = [head, [_LINES[side] for side in align], *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in row) + " |" for row in lines)


def ids(first: int, count: int) -> str:
    """Return a range of indices as text."""
    return str(first) if count == 1 else f"{first}-{first + count - 1}"


def changed(files: Mapping[Path, str]) -> dict[Path, str]:
    """Return those files whose text is not there yet: others stay untouched, so that Sphinx reads them once."""
    return {
        path: text for path, text in files.items() if not path.is_file() or path.read_text(encoding="utf-8") != text
    }


def write(files: Mapping[Path, str]) -> None:
    """Write files, in folders that are made where they are missing."""
    for path, text in files.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
