"""Arrays for the caller to keep, made of memory that earlier callers have dropped."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import numpy.typing as npt

KEPT = 4
"""Most arrays that are remembered: a learner's present and last observation, and as many again."""


def _holders(arrays: list[npt.NDArray[Any]], index: int) -> int:
    """Return how many references there are to an array of a list, those of the list and of this call included."""
    return sys.getrefcount(arrays[index])


_NOBODY = _holders([np.empty(0)], 0)
"""What ``_holders`` returns for an array that only the list holds."""


class FreshArrays:
    """Hands out arrays that nobody holds, of one shape and type.

    New memory of megabytes costs more than filling it, because the operating system provides it page by page. So an
    array that was handed out is handed out again once the caller and all views of it have let go of it; what is still
    held is never touched. Copies and pickles begin without arrays.
    """

    def __init__(self, shape: tuple[int, ...], dtype: npt.DTypeLike) -> None:
        """Set shape and type; memory is taken when it is needed."""
        self._shape, self._dtype = shape, np.dtype(dtype)
        self._arrays: list[npt.NDArray[Any]] = []

    def take(self) -> npt.NDArray[Any]:
        """Return an array that nobody else holds, with any contents."""
        for index in range(len(self._arrays)):
            if _holders(self._arrays, index) == _NOBODY:
                return self._arrays[index]
        fresh = np.empty(self._shape, self._dtype)
        if len(self._arrays) == KEPT:  # the caller keeps them all, so that looking for old ones is in vain
            self._arrays.pop(0)
        self._arrays.append(fresh)
        return fresh

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave the arrays out."""
        return FreshArrays, (self._shape, self._dtype)
