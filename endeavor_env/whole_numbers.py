"""What counts as a whole number where users hand one in: action ids, seats, seeds, player counts."""

from __future__ import annotations

import operator

import numpy as np


def whole_number(value: object) -> int | None:
    """Returns a Python or NumPy whole number (also a 0-d array of one) as an int; None for bools and all else."""
    if type(value) is int:  # the usual case, and several times faster than the checks below
        return value
    if isinstance(value, bool | np.bool_):
        return None
    if isinstance(value, np.ndarray) and (value.ndim != 0 or value.dtype.kind not in "iu"):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None
