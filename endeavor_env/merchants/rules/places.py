"""Cities by who has a post there, and how far it is between places: what several chapters and players ask."""

from __future__ import annotations

import numpy as np

from endeavor_env.kernels.kernels import inlined
from endeavor_env.merchants.rules import constants as c
from endeavor_env.merchants.rules import sets


@inlined
def taken_cities(state):
    """Return the cities with a post of anybody, neutral ones included."""
    taken = np.int64(0)
    for owner in range(c.NUM_OWNERS):
        taken |= state.posts[owner]
    return taken


@inlined
def free_cities(board, state):
    """Return the cities without a post."""
    return (board.brown | board.violet) & ~taken_cities(state)


@inlined
def takers(state, seat):
    """Return the cities whose post takes a good of a seat: one of another colour, without a good (K8.4)."""
    posts = np.int64(0)
    for owner in range(c.NUM_OWNERS):
        if owner != seat:
            posts |= state.posts[owner]
    return posts & ~state.goods


@inlined
def paths_between(board, here, there):
    """Return the fewest paths between two crossroads (K7.1)."""
    return np.int64(board.distances[here, there // sets.CROSSROADS_BITS, there % sets.CROSSROADS_BITS])
