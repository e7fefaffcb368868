"""A named tuple of arrays, as kernels take them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class Pair(NamedTuple):
    """Two arrays."""

    numbers: npt.NDArray[np.int64]
    flags: npt.NDArray[np.int8]
