"""Observations: the kernels under one roof, and the entry points Python calls.

The size of ``out`` says which layout is wanted: that of the standard game, or that of the variants.
"""

from __future__ import annotations

from endeavor_env.core._jit import kernel
from endeavor_env.core.observe.compact import compact
from endeavor_env.core.observe.features import features
from endeavor_env.core.observe.layout import COMPACT_SIZE, FEATURES_SIZE
from endeavor_env.core.observe.variant_compact import variant_compact
from endeavor_env.core.observe.variant_features import variant_features

__all__ = ["compact", "features", "observe_compact", "observe_features", "variant_compact", "variant_features"]


@kernel
def observe_features(boards, states, seat, out):
    """Writes the ``features`` observation of ``states[0]`` as ``seat`` sees it.

    Args:
        boards: (1,) BOARD, read only.
        states: (1,) STATE, read only.
        seat: The observer, in [0, num_seats); legality is the caller's job.
        out: Float32, overwritten in place: (FEATURES_SIZE,) for a standard game, (VARIANT_FEATURES_SIZE,) for any.
    """
    if out.size == FEATURES_SIZE:
        features(boards[0], states[0], seat, out)
    else:
        variant_features(boards[0], states[0], seat, out)


@kernel
def observe_compact(boards, states, seat, out):
    """Writes the ``compact`` observation of ``states[0]`` as ``seat`` sees it.

    Args:
        boards: (1,) BOARD, read only.
        states: (1,) STATE, read only.
        seat: The observer, in [0, num_seats); legality is the caller's job.
        out: Int8, overwritten in place: (COMPACT_SIZE,) for a standard game, (VARIANT_COMPACT_SIZE,) for any.
    """
    if out.size == COMPACT_SIZE:
        compact(boards[0], states[0], seat, out)
    else:
        variant_compact(boards[0], states[0], seat, out)
