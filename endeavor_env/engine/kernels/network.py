"""A network of three layers inside the kernels: inputs, two hidden layers with ReLU, outputs.

All parameters are in one flat float32 array: weights (inputs, first) and biases (first,) of the first layer, weights
(first, second) and biases (second,) of the next, weights (second, outputs) and biases (outputs,) of the last.

Observations are long and mostly zeros, and those of two positions of a turn differ in a few dozen entries. The sums of
the first layer are therefore computed once for the position at hand, and brought up to date by differences for others.

Rows of weights are taken as slices: their places are then known to be inside, and the processor adds many at a time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from endeavor_env.kernels.kernels import kernel, referencing_kernel

STRIDE = 16  # entries that are compared together
MAX_FIRST = 1024  # widest first hidden layer
MAX_SECOND = 256  # widest second hidden layer

NETWORK = np.dtype(
    (
        np.record,
        [  # the shape of a network, and where its parameters begin
            ("inputs", np.int64),
            ("estimates", np.int64),  # how many of the inputs, the last ones, are not features but estimates
            ("first", np.int64),
            ("second", np.int64),
            ("outputs", np.int64),
            ("at", np.int64),  # index of its first parameter in the array of all parameters
        ],
    )
)


class NetworkArrays(NamedTuple):
    """The parameters of a network: float32."""

    first: npt.NDArray[np.float32]
    """(inputs, first hidden layer)."""
    first_bias: npt.NDArray[np.float32]
    second: npt.NDArray[np.float32]
    """(first hidden layer, second hidden layer)."""
    second_bias: npt.NDArray[np.float32]
    last: npt.NDArray[np.float32]
    """(second hidden layer, outputs)."""
    last_bias: npt.NDArray[np.float32]

    def flat(self) -> npt.NDArray[np.float32]:
        """Return all parameters in the order in which kernels take them."""
        return np.concatenate([np.ascontiguousarray(part, np.float32).ravel() for part in self])


@kernel
def _add_rows(parameters, at, width, places, amounts, count, sums):
    """Add ``count`` rows of weights to ``sums`` (width,), each times its amount, one after the other.

    Four rows at a time are added in one pass over the sums, in the same order and so with the same rounding.
    """
    sums, entry = sums[:width], 0
    while entry + 4 <= count:
        first, second = at + places[entry] * width, at + places[entry + 1] * width
        third, fourth = at + places[entry + 2] * width, at + places[entry + 3] * width
        a, b = parameters[first : first + width], parameters[second : second + width]
        c, d = parameters[third : third + width], parameters[fourth : fourth + width]
        times_a, times_b = amounts[entry], amounts[entry + 1]
        times_c, times_d = amounts[entry + 2], amounts[entry + 3]
        for unit in range(width):
            sums[unit] = (((sums[unit] + times_a * a[unit]) + times_b * b[unit]) + times_c * c[unit]) + times_d * d[
                unit
            ]
        entry += 4
    while entry < count:
        first, times_a = at + places[entry] * width, amounts[entry]
        a = parameters[first : first + width]
        for unit in range(width):
            sums[unit] += times_a * a[unit]
        entry += 1


@referencing_kernel
def _find_differences(before, after, inputs, places, amounts):
    """List the entries that differ; return how many there are, at most ``inputs``.

    Args:
        before: (m,) float32; m is a multiple of STRIDE, and the entries from ``inputs`` on are zeros.
        after: (m,) float32, likewise.
        inputs: Entries to compare.
        places: At least (m,) int64, written: their indices, in order.
        amounts: At least (m,) float32, written: what each entry gained.
    """
    old, new = before.view(np.int64).reshape((-1, STRIDE // 2)), after.view(np.int64).reshape((-1, STRIDE // 2))
    count = 0
    for block in range((inputs + STRIDE - 1) // STRIDE):
        bits = np.int64(0)
        for pair in range(STRIDE // 2):
            bits |= old[block, pair] ^ new[block, pair]
        if bits == 0:
            continue
        for pair in range(STRIDE // 2):
            if old[block, pair] != new[block, pair]:
                for place in range(block * STRIDE + 2 * pair, block * STRIDE + 2 * pair + 2):
                    places[count], amounts[count] = place, after[place] - before[place]
                    count += amounts[count] != np.float32(0.0)
    return count


@kernel
def add_differences(network, parameters, before, after, hidden, places, amounts):
    """Bring the sums of the first layer up to date: add what follows from the entries that differ.

    Args:
        network: NETWORK record.
        parameters: (n,) float32.
        before: (m,) float32, the observation that ``hidden`` is for; m is a multiple of STRIDE, and the entries from
            ``inputs`` on are zeros.
        after: (m,) float32, the observation that it is to be for.
        hidden: (first,) float32, changed in place.
        places: At least (m,) int64, scratch.
        amounts: At least (m,) float32, scratch.
    """
    count = _find_differences(before, after, network.inputs, places, amounts)
    _add_rows(parameters, network.at, network.first, places, amounts, count, hidden)


@kernel
def begin_sums(network, parameters, hidden):
    """Set the sums of the first layer, (first,) float32, to those of an observation of zeros: its biases."""
    at = network.at + network.inputs * network.first
    for unit in range(network.first):
        hidden[unit] = parameters[at + unit]


@kernel
def _add_layer(parameters, at, inputs, width, given, out, places, amounts):
    """Set ``out`` (width,) to the sums of a layer whose inputs are the positive entries of ``given``."""
    biases, count = at + inputs * width, 0
    for unit in range(width):
        out[unit] = parameters[biases + unit]
    for place in range(inputs):  # without branches, which would be guessed wrong half the time
        places[count], amounts[count] = place, given[place]
        count += given[place] > np.float32(0.0)
    _add_rows(parameters, at, width, places, amounts, count, out)


@kernel
def write_outputs(network, parameters, hidden, second, out, places, amounts):
    """Write the outputs of a network, (outputs,) float32, given the sums of its first layer.

    ``second``, at least (second,) float32, ``places``, int64, and ``amounts``, float32, are scratch; the last two have
    room for one entry more than a hidden layer has units.
    """
    at = network.at + (network.inputs + 1) * network.first
    _add_layer(parameters, at, network.first, network.second, hidden, second, places, amounts)
    at += (network.first + 1) * network.second
    _add_layer(parameters, at, network.second, network.outputs, second, out, places, amounts)
