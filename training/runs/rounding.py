"""Networks with rounded weights, which ``endeavor_env.engine.network_file`` stores in fewer bytes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from endeavor_env.basics.inputs import whole_number
from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.engine.network_file import MOST_FRACTION_BITS, MOST_NUMBER
from endeavor_env.errors import InvalidOptionError, shown

MOST_BITS = MOST_FRACTION_BITS - 1
"""Most digits after the binary point of weights of the first layer; the others have one more."""


def read_fraction_bits(fraction_bits: object) -> int:
    """Return the number of digits for ``rounded``; raise InvalidOptionError for one that files do not store."""
    number = whole_number(fraction_bits)
    if number is None or not 1 <= number <= MOST_BITS:
        raise InvalidOptionError(
            f"fraction_bits={shown(fraction_bits)} is not possible: give a whole number from 1 to {MOST_BITS}"
        )
    return number


def check_room(networks: Sequence[NetworkArrays], fraction_bits: int, *, first_alone: bool = False) -> None:
    """Raise InvalidOptionError if files hold rounded weights in no fewer bytes: the larger, the fewer digits do.

    Args:
        networks: Networks with the weights as they are.
        fraction_bits: The digits.
        first_alone: Whether the weights of the first layer alone will be rounded, as by ``with_rounded_first``, and
            not all, as by ``rounded``.
    """
    if not _have_room(networks, fraction_bits, first_alone):
        fewer = next(
            (bits for bits in range(fraction_bits - 1, 0, -1) if _have_room(networks, bits, first_alone)), None
        )
        raise InvalidOptionError(
            f"fraction_bits={fraction_bits} is not possible: weights as large as here have no room for so many and "
            f"would take no fewer bytes: {'leave it out' if fewer is None else f'give at most {fewer}'}"
        )


def _have_room(networks: Sequence[NetworkArrays], fraction_bits: int, first_alone: bool) -> bool:
    """Return whether each rounded weight of some networks is a whole number, of those of files, times a power of 2."""
    largest = [(float(np.abs(one.first).max()), fraction_bits) for one in networks]
    if not first_alone:
        later = [weights for one in networks for weights in (one.second, one.last)]
        largest += [(float(np.abs(weights).max()), fraction_bits + 1) for weights in later]
    return all(round(weight * 2.0**digits) <= MOST_NUMBER for weight, digits in largest)


def multiples(weights: npt.NDArray[np.float32], fraction_bits: int) -> npt.NDArray[np.float32]:
    """Return weights rounded to multiples of 2**-fraction_bits."""
    scale = np.float32(1 << fraction_bits)
    return np.round(weights * scale) / scale


def with_rounded_first(network: NetworkArrays, fraction_bits: int) -> NetworkArrays:
    """Return a network with the weights of its first layer rounded to multiples of 2**-fraction_bits."""
    return network._replace(first=multiples(network.first, fraction_bits))


def rounded(network: NetworkArrays, fraction_bits: int) -> NetworkArrays:
    """Return a network with all weights rounded: the first layer as above, the others twice as finely; not biases."""
    later = fraction_bits + 1
    return with_rounded_first(network, fraction_bits)._replace(
        second=multiples(network.second, later), last=multiples(network.last, later)
    )
