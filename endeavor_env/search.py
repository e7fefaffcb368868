"""Search: positions as arrays and bytes, their children, and rollouts inside compiled kernels.

    from endeavor_env.search import Positions, rollout

    position = Positions.of(game)                            # one row; many with copies=... or a list of games
    children = position.expand()                             # every legal move, made
    results = rollout(children.positions, "random", 0, repeats=100)
    values = results.returns("win")[:, :, game.seat].mean(axis=1)
    best = children.actions[values.argmax()]

``docs/search.md`` shows whole searches, and how to write your own kernels.
"""

from __future__ import annotations

from endeavor_env.engine.search.positions import Children, Positions
from endeavor_env.engine.search.rollouts import Policy, Rollouts, rollout
from endeavor_env.engine.search.trees import TreeResult, tree_search

__all__ = [
    "Children",
    "Policy",
    "Positions",
    "Rollouts",
    "TreeResult",
    "rollout",
    "tree_search",
]
