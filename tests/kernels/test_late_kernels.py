"""Kernels that are written when they are needed, because they call what calls them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from endeavor_env.machine.kernels import kernel, late_kernel

written: list[str] = []


def _write() -> Callable[..., Any]:
    """Return a kernel that calls ``less``, which is defined below it."""
    written.append("twice_less")

    @kernel
    def twice_less(number):
        """Return the number less 2."""
        return less(less(number))

    return twice_less


twice_less = late_kernel(_write)


@kernel
def less(number):
    """Return the number less 1."""
    return number - 1


@kernel
def thrice_less(number):
    """Return the number less 3."""
    return less(twice_less(number))


def test_a_kernel_is_written_once_when_it_is_needed() -> None:
    assert written == []
    assert thrice_less(7) == 4
    assert (twice_less(7), thrice_less(8)) == (5, 5)
    assert written == ["twice_less"]
