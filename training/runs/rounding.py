"""Networks with rounded weights, which ``endeavor_env.rails.network_file`` stores in fewer bytes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from endeavor_env.rails.kernels.network import NetworkArrays


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
