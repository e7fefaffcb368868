"""A network of three layers inside the kernels: inputs, two hidden layers with ReLU, outputs.

All parameters are in one flat float32 array: weights (inputs, first) and biases (first,) of the first layer, weights
(first, second) and biases (second,) of the next, weights (second, outputs) and biases (outputs,) of the last.

Observations are long and mostly zeros, and those of two positions of a turn differ in a few dozen entries. The sums of
the first layer are therefore computed once for the position at hand, and brought up to date by differences for others.

Rows of weights are taken as slices: their places are then known to be inside, and the processor adds many at a time.
"""

from __future__ import annotations

import numpy as np

from endeavor_env.core._jit import kernel

STRIDE = 16  # entries that are compared together
MAX_FIRST = 512  # widest first hidden layer
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


def num_parameters(inputs: int, first: int, second: int, outputs: int) -> int:
    """Return the number of parameters of a network of this shape."""
    return (inputs + 1) * first + (first + 1) * second + (second + 1) * outputs


@kernel
def add_differences(network, parameters, before, after, hidden):
    """Bring the sums of the first layer up to date: add what follows from the entries that differ.

    Args:
        network: NETWORK record.
        parameters: (n,) float32.
        before: (m,) float32, the observation that ``hidden`` is for; m is a multiple of STRIDE, and the entries from
            ``inputs`` on are zeros.
        after: (m,) float32, the observation that it is to be for.
        hidden: (first,) float32, changed in place.
    """
    width, at = network.first, network.at
    old, new = before.view(np.int32), after.view(np.int32)
    for start in range(0, network.inputs, STRIDE):
        bits = np.int32(0)
        for place in range(start, start + STRIDE):
            bits |= old[place] ^ new[place]
        if bits == 0:
            continue
        for place in range(start, start + STRIDE):
            change = after[place] - before[place]
            if change != np.float32(0.0):
                row = parameters[at + place * width : at + (place + 1) * width]
                for unit in range(width):
                    hidden[unit] += change * row[unit]


@kernel
def begin_sums(network, parameters, hidden):
    """Set the sums of the first layer, (first,) float32, to those of an observation of zeros: its biases."""
    at = network.at + network.inputs * network.first
    for unit in range(network.first):
        hidden[unit] = parameters[at + unit]


@kernel
def _add_layer(parameters, at, inputs, width, given, out):
    """Set ``out`` (width,) to the sums of a layer whose inputs are the positive entries of ``given``."""
    biases = at + inputs * width
    for unit in range(width):
        out[unit] = parameters[biases + unit]
    for place in range(inputs):
        value = given[place]
        if value > np.float32(0.0):
            row = parameters[at + place * width : at + (place + 1) * width]
            for unit in range(width):
                out[unit] += value * row[unit]


@kernel
def write_outputs(network, parameters, hidden, second, out):
    """Write the outputs of a network, (outputs,) float32, given the sums of its first layer.

    ``second`` is scratch, at least (second,) float32.
    """
    at = network.at + (network.inputs + 1) * network.first
    _add_layer(parameters, at, network.first, network.second, hidden, second)
    at += (network.first + 1) * network.second
    _add_layer(parameters, at, network.second, network.outputs, second, out)
