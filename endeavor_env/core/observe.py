"""Observations: the two kernels under one roof, and the entry points Python calls."""

from __future__ import annotations

from endeavor_env.core._jit import kernel
from endeavor_env.core.observe_compact import compact
from endeavor_env.core.observe_features import features

__all__ = ["compact", "features", "observe_compact", "observe_features"]


@kernel
def observe_features(boards, states, seat, out):
    """Writes the ``features`` observation of ``states[0]`` as ``seat`` sees it.

    Args:
        boards: (1,) BOARD, read only.
        states: (1,) STATE, read only.
        seat: The observer, in [0, num_seats); legality is the caller's job.
        out: (FEATURES_SIZE,) float32, overwritten in place.
    """
    features(boards[0], states[0], seat, out)


@kernel
def observe_compact(boards, states, seat, out):
    """Writes the ``compact`` observation of ``states[0]`` as ``seat`` sees it.

    Args:
        boards: (1,) BOARD, read only.
        states: (1,) STATE, read only.
        seat: The observer, in [0, num_seats); legality is the caller's job.
        out: (COMPACT_SIZE,) int8, overwritten in place.
    """
    compact(boards[0], states[0], seat, out)
