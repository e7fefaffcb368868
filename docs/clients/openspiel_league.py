"""OpenSpiel's alpha-rank of five agents of this package, which play three-player games through OpenSpiel.

The payoff of a row against a column is the share of wins of one agent at a table with two of the other.
"""
# pyright: reportMissingImports=false

from __future__ import annotations

import json
import sys

import numpy as np
import pyspiel
from open_spiel.python.egt import alpharank

from endeavor_env.open_spiel import bot

AGENTS = ("random", "greedy", "policy", "value", "search:sims=16")
GAMES = 6
"""Of each pair: every set-up once from each of the three seats."""


def share_of_wins(one: str, others: str, games: int) -> float:
    """Return the share of wins of ``one`` at tables with two of ``others``, every set-up once from each seat."""
    shares = []
    for number in range(games):
        seat = number % 3
        bots = [bot(one if at == seat else others, seed=number) for at in range(3)]
        state = pyspiel.load_game("endeavor", {"players": 3, "seed": number // 3}).new_initial_state()
        while not state.is_terminal():
            to_move: int = state.current_player()
            state.apply_action(bots[to_move].step(state))
        shares.append(state.returns()[seat])
    return float(np.mean(shares))


def main() -> int:
    """Print one line of JSON; return 0 if alpha-rank puts another agent above ``random``, else 1."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    payoffs = np.full((len(AGENTS), len(AGENTS)), 1 / 3)
    for row, one in enumerate(AGENTS):
        for column, other in enumerate(AGENTS):
            if row != column:
                payoffs[row, column] = share_of_wins(one, other, games)

    _, _, masses, _, _ = alpharank.compute([payoffs], alpha=100)
    ranks = {name: round(float(mass), 3) for name, mass in zip(AGENTS, masses, strict=True)}
    print(
        json.dumps({"client": "open_spiel", "games": games, "payoffs": payoffs.round(2).tolist(), "alpharank": ranks})
    )
    return int(ranks["random"] >= max(ranks.values()))


if __name__ == "__main__":
    sys.exit(main())
