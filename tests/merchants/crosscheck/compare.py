"""Play a random game in both implementations, decision by decision, and sample what the kernels draw.

At the end the reference writes the record, which the package plays again and writes once more.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from math import sqrt

from endeavor_env.merchants.records import replay
from tests.merchants.crosscheck.boards import board_named
from tests.merchants.crosscheck.choosers import CHOOSERS
from tests.merchants.crosscheck.kernels import parsed
from tests.merchants.crosscheck.plans import Plan
from tests.merchants.crosscheck.twins import Twins
from tests.merchants.reference.agenda import CHANCE

SAMPLED, DRAWS = 20, 12
"""One of so many nodes of chance is sampled, with so many draws."""
LEAST_EXPECTED = 5
"""Draws of an outcome that are expected at least where weights are held against them."""
Draws = defaultdict[tuple[int, ...], Counter[int]]
"""How often each outcome was drawn, by the weights of the outcomes."""


def new_draws() -> Draws:
    """Return no draws at all."""
    return defaultdict(Counter)


def compare_game(plan: Plan, met: Counter[str], draws: Draws) -> int:
    """Play a game and return its number of moves; raise AssertionError where the two differ."""
    rng = random.Random(plan.seed)
    game = Twins(board_named(plan.board), plan.players, plan.start, plan.trade, plan.max_rolls, met)
    while game.seat is not None:
        legal = game.legal()
        if game.seat == CHANCE:
            weights = game.plain.weights()
            if rng.randrange(SAMPLED) == 0:
                _sample(game, tuple(weights), rng, draws)
            (move,) = rng.choices(legal, weights)
        else:
            move = CHOOSERS[plan.chooser](rng, game.plain)
        try:
            game.play(move)
        except AssertionError as error:
            raise AssertionError(f"{plan}: {error}") from error
    compare_record(game)
    return len(game.plain.moves)


def compare_record(game: Twins) -> None:
    """Assert that the package accepts the record that the reference writes, and writes the same (K15.1)."""
    written = game.plain.record()
    again = replay(written, parsed(game.map)).record()
    assert again == written, f"the record of the reference is {written}, that of the package {again}"


def _sample(game: Twins, weights: tuple[int, ...], rng: random.Random, draws: Draws) -> None:
    """Count what the kernels draw at a node of chance; anything that is no outcome raises ValueError."""
    legal = game.legal()
    draws[weights].update(legal.index(game.fast.drawn(rng.getrandbits(32))) for _ in range(DRAWS))


def deviations(draws: Draws) -> list[tuple[float, tuple[int, ...]]]:
    """Return how many standard deviations draws are off for each list of weights that was met often, farthest first.

    The sum of squares is taken for a normal number as Wilson and Hilferty do.
    """
    found = []
    for weights, counts in draws.items():
        number, total, free = counts.total(), sum(weights), len(weights) - 1
        expected = [number * weight / total for weight in weights]
        if free and min(expected) >= LEAST_EXPECTED:
            square = sum((counts[index] - mean) ** 2 / mean for index, mean in enumerate(expected))
            spread = 2 / (9 * free)
            found.append((((square / free) ** (1 / 3) - 1 + spread) / sqrt(spread), weights))
    return sorted(found, reverse=True)
