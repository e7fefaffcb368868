"""What a record is made of: its fields."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class Field(NamedTuple):
    """One field of a record."""

    name: str
    kind: type[np.signedinteger[Any]]
    shape: tuple[int, ...] = ()
    default: int = 0
    """What every entry holds before set-up, and beyond the rows in use."""
