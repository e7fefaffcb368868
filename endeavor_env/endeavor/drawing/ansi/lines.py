"""Lines of limited width, and words for counts and spaces."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping

from endeavor_env.endeavor.drawing.view import Space

WIDTH = 110
CLOSED = "closed"


def counted(name: str, count: int) -> str:
    """Return ``name``, followed by its count if there is more than one."""
    return name if count == 1 else f"{name} x{count}"


def plain(title: str) -> str:
    """Return what a seat is called in ASCII, with a question mark for every other letter."""
    return title.encode("ascii", "replace").decode("ascii")


def all_counted(counts: Mapping[str, int]) -> list[str]:
    """Return ``counted`` of each name."""
    return [counted(name, count) for name, count in counts.items()]


def space_text(space: Space) -> str:
    """Return what is on a space: a disc, a token or nothing; or that it takes no disc."""
    if space.closed:
        return CLOSED
    return f"<{space.owner}>" if space.owner is not None else space.token or "-"


def wrapped(items: Iterable[str], label: str = "", indent: int = 2) -> list[str]:
    """Return ``label`` and the items, separated by commas, as lines of up to ``WIDTH`` characters."""
    return filled(", ".join(items) or "none", " " * indent + label)


def filled(text: str, first: str) -> list[str]:
    """Return ``text`` as lines of up to ``WIDTH`` characters: the first begins with ``first``, the others align."""
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_long_words=False,
        break_on_hyphens=False,
    )
