"""The tasks that references are trained for, and how often a player wins at their tables while it learns."""

from __future__ import annotations

import numpy as np

from endeavor_env.agents.statistics import win_shares
from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game import GameConfig
from endeavor_env.endeavor.players.policy.player import policy_memory
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.engine.kernels.network import NetworkArrays
from endeavor_env.engine.kernels.players import SEAT_RANDOM
from endeavor_env.errors import InvalidOptionError, shown
from endeavor_env.training.td.evaluation import FIRST_SEED
from endeavor_env.training.td.games import SeatedPlayer, fixtures_of, play
from endeavor_env.training.td.population import LEARNER_CODE

TASKS = {"table-3": 3, "table-4": 4, "table-5": 5}
"""The numbers of seats of the tasks of the benchmark that references are trained for."""
RIVALS = {"random": SEAT_RANDOM, "greedy": LEARNER_CODE + 1}
"""Codes of the players in the other seats of a curve's games."""


def players_of(task: str) -> int:
    """Return the number of seats of a task; raise InvalidOptionError for one that references are not trained for."""
    if task not in TASKS:
        raise InvalidOptionError(f"task {shown(task)} has no references: possible are {', '.join(TASKS)}")
    return TASKS[task]


def seated_policy(logits: NetworkArrays) -> SeatedPlayer:
    """Return a player that plays the most likely move of a policy network of the base game."""
    return SeatedPlayer("policy", policy_memory({c.VARIANT_STANDARD: logits}))


def wins(player: SeatedPlayer, players: int, games: int) -> dict[str, float]:
    """Return the share of games that a player wins among copies of each of RIVALS.

    Every set-up is played once from each seat, the same ones at every call; none is of the benchmark's test set-ups.
    """
    setups, board = -(-games // players), Board.default()
    seeds, own = np.repeat(np.arange(setups) + FIRST_SEED, players), np.tile(np.arange(players), setups)
    rows, kinds = np.arange(seeds.size), np.zeros(seeds.size, np.int64)
    shares = {}
    for rival, code in RIVALS.items():
        codes = np.full((seeds.size, c.MAX_SEATS), code)
        codes[rows, own] = LEARNER_CODE
        seated = {LEARNER_CODE: player, code: SeatedPlayer(rival)}
        played = play(board, fixtures_of((GameConfig(players=players),), kinds, seeds, codes), seated)
        shares[rival] = round(float(win_shares(played.scores[:, :players])[rows, own].mean()), 4)
    return shares
