"""Small value networks with random weights, and the same network in plain NumPy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from endeavor_env import Game
from endeavor_env.endeavor.flow.scoring import glory_on_table
from endeavor_env.endeavor.players.greedy import player as parts
from endeavor_env.endeavor.players.greedy.player import exploit_prospects, opposition_prospects, promised_glory
from endeavor_env.endeavor.players.greedy.weights import WEIGHTS
from endeavor_env.endeavor.players.network_file import VALUE_NETWORKS, num_inputs
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.search import Positions

VARIANTS = ("soloplay_2", "soloplay_3", "neutral_2")


def random_network(variant: str, first: int = 24, second: int = 8, seed: int = 0) -> NetworkArrays:
    """Return a network for ``variant`` whose values differ from position to position."""
    inputs, rng = num_inputs(variant), np.random.default_rng(seed)
    shapes = ((inputs, first), (first,), (first, second), (second,), (second, 1), (1,))
    return NetworkArrays(*((rng.normal(size=shape) / 3).astype(np.float32) for shape in shapes))


def estimates_by_hand(game: Game, seat: int) -> list[float]:
    """Return the estimates that a network for ``seat`` sees, from the scores and the parts of the greedy player."""
    board, state = game.board.array[0], game.state[0]
    solo = game.variant == "solo"
    weights = WEIGHTS.as_array()[parts.SOLO_SET if solo else parts.TABLE_SET :]
    scores, ahead = game.scores(), parts.rounds_ahead(board, state)
    glory = scores[seat:] + scores[:seat]
    income = parts.income_and_stock(board, state, seat, ahead, weights)
    if game.variant == "exploits":
        income += exploit_prospects(board, state, seat, ahead, weights[parts.EXPLOIT_SET :])
    own = [
        income,
        parts.card_room(board, state, seat, weights),
        weights[parts.W_PROGRESS] * promised_glory(board, state, seat),
        parts.blue_tokens(state, seat, weights),
        parts.card_chances(board, state, seat, weights),
        parts.region_chances(board, state, seat, weights),
        parts.link_chances(board, state, seat, weights),
    ]
    value = parts.seat_value(board, state, seat, glory_on_table(board, state), weights)
    best = max(glory[1:])
    opposition = opposition_prospects(board, state, WEIGHTS.as_array()[parts.OPPOSITION_SET :]) if solo else 0.0
    empty = [0] * (c.MAX_SEATS - len(glory))
    estimates = [*glory, *empty, *own, value, glory[0] - best, value - best, opposition]
    return [estimate / 16 for estimate in estimates]


def inputs_of(game: Game, seat: int) -> npt.NDArray[np.float32]:
    """Return what a network sees of a game as ``seat``: (inputs,)."""
    features = Positions.of(game).observe("features", seat)[0]
    return np.concatenate([features, np.array(estimates_by_hand(game, seat), np.float32)])


def value_by_numpy(network: NetworkArrays, inputs: npt.NDArray[np.float32]) -> float:
    """Return the value of what a network sees, (inputs,), computed in float64."""
    first = np.maximum(inputs.astype(float) @ network.first + network.first_bias, 0.0)
    second = np.maximum(first @ network.second + network.second_bias, 0.0)
    return float((second @ network.last + network.last_bias)[0])


def network_file(folder: Path, variant: str = "standard", name: str = "net", seed: int = 0) -> Path:
    """Write a random network for ``variant`` and return the path of its arrays."""
    variants = VARIANTS if variant in VARIANTS else (variant,)
    return VALUE_NETWORKS.write(
        folder / f"{name}.npz", random_network(variant, seed=seed), variants, {"seed": seed}, version="0"
    )
