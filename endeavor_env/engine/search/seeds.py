"""Seeds of rows: every row of positions draws from a generator of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import check_seeds, whole_number
from endeavor_env.engine.kernels import playouts as kernels
from endeavor_env.engine.kernels.rng import seeded
from endeavor_env.errors import InvalidOptionError, shown

Rng = int | np.integer[Any] | Sequence[int] | npt.NDArray[Any]
"""A seed, a generator of ``sampling.generator``, or a seed for each row."""


def row_generators(rng: Any, count: int) -> npt.NDArray[np.uint64]:
    """Return a generator for each row, (count, 1) uint64; arguments and errors are those of ``row_seeds``."""
    generators = np.empty((count, 1), np.uint64)
    kernels.seed_rollouts(generators, row_seeds(rng, count), 1, 0)
    return generators


def row_seeds(rng: Any, count: int) -> npt.NDArray[np.int64]:
    """Return a seed >= 0 for each row, (count,) int64; advance ``rng`` if it is a generator.

    Raises:
        InvalidOptionError: Neither a seed, nor a generator, nor ``count`` seeds.
    """
    single = whole_number(rng)
    if isinstance(rng, np.ndarray) and rng.dtype == np.uint64 and rng.shape == (1,):
        source = rng
    elif single is not None and single >= 0:
        source = seeded(single)
    else:
        return _given_seeds(rng, count)
    seeds = np.empty(count, np.int64)
    kernels.draw_seeds(source, seeds)
    return seeds


def _given_seeds(rng: Any, count: int) -> npt.NDArray[np.int64]:
    """Return the seeds of a list or array, (count,) int64; raise InvalidOptionError for anything else."""
    listed = rng.ndim > 0 if isinstance(rng, np.ndarray) else isinstance(rng, Sequence)
    if not listed or isinstance(rng, str | bytes | bytearray | memoryview):
        raise InvalidOptionError(
            f"rng={shown(rng)} is not possible: give a non-negative whole number, a generator of sampling.generator, "
            f"or {count} seeds, one a row"
        )
    try:
        seeds, _ = check_seeds(rng, count)
    except InvalidOptionError as error:
        raise InvalidOptionError(f"rng is not possible: {error}") from None
    if None in seeds:
        raise InvalidOptionError(f"rng={shown(rng)} is not possible: each of the {count} rows needs a seed")
    return np.array(seeds, np.int64)
