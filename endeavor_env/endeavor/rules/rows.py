"""Small functions over rows of numbers."""

from __future__ import annotations

from endeavor_env.kernels.kernels import kernel


@kernel
def share(count, factor):
    """Return ``count`` times ``factor``, clipped to [0, 1]."""
    return min(1.0, max(0, int(count)) * factor)


@kernel
def within(values, low, high):
    """Return whether every entry of the flat array ``values`` is in [low, high]."""
    for index in range(values.size):
        if not low <= values[index] <= high:
            return False
    return True
