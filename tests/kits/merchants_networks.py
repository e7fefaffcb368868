"""Small value networks of Merchants of Europe with random weights, and games of value players."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.engine.kernels.rules import MAX_SEATS
from endeavor_env.engine.kernels.self_play import RECORDS_VALUES
from endeavor_env.merchants.board import load_board
from endeavor_env.merchants.game import MerchantsConfig
from endeavor_env.merchants.players.player_list import VALUE_NETWORKS
from endeavor_env.merchants.players.value.inputs import INPUTS
from endeavor_env.merchants.players.value.player import value_memory
from endeavor_env.search import Positions, rollout
from endeavor_env.training.td.games import LEARNER_CODE, PlayedGames, SeatedPlayer
from endeavor_env.training.td.merchants import fixtures_of, play

OTHERS = LEARNER_CODE + 1


def random_network(first: int = 24, second: int = 8, seed: int = 0) -> NetworkArrays:
    """Return a network whose values differ from position to position."""
    rng = np.random.default_rng(seed)
    shapes = ((INPUTS, first), (first,), (first, second), (second,), (second, 1), (1,))
    return NetworkArrays(*((rng.normal(size=shape) / 6).astype(np.float32) for shape in shapes))


def network_file(folder: Path, seed: int = 0) -> Path:
    """Write a random network; return its path."""
    return VALUE_NETWORKS.write(folder / f"network_{seed}.npz", random_network(seed=seed), ["short"], {}, version="0")


def games_among_planners(network: NetworkArrays, games: int = 4, seed: int = 0, epsilon: float = 0.0) -> PlayedGames:
    """Play games on the short board with the value player in seat 1; its positions are recorded."""
    codes = np.full((games, MAX_SEATS), OTHERS)
    codes[:, 1] = LEARNER_CODE
    kinds, seeds = np.zeros(games, np.int64), np.arange(games) + seed
    fixtures = fixtures_of([MerchantsConfig(4, "short")], kinds, seeds, codes)
    seated = {
        LEARNER_CODE: SeatedPlayer("value", value_memory(network), RECORDS_VALUES, epsilon=epsilon),
        OTHERS: SeatedPlayer("planner"),
    }
    return play(load_board("short"), fixtures, seated)


def wins_alone(one: str, others: str, setups: int) -> float:
    """Return the wins of a player among three others on the short board, each set-up once from each seat."""
    config, wins = MerchantsConfig(4, "short"), 0.0
    for own in range(config.players):
        games = Positions.of([config.new_game(seed) for seed in range(setups)])
        seats = [one if seat == own else others for seat in range(config.players)]
        wins += rollout(games, seats, own).returns("win")[:, 0, own].sum()
    return wins
