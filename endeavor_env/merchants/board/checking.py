"""Every fault of a board, stage by stage: the entries, the whole, the known facts (board format, section 3)."""

from __future__ import annotations

from endeavor_env.merchants.board.content import Content
from endeavor_env.merchants.board.faults import Fault
from endeavor_env.merchants.board.reading import read_content


def find_faults(data: object) -> tuple[Content | None, list[Fault]]:
    """Return what a dictionary laid out as a board file says, None if it cannot be read; and its faults, in order."""
    return read_content(data)
