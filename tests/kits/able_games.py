"""Games in which Exploits are used: greedy players open regions, and take an ability at random now and then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from endeavor_env.agents.players.compiled import GreedyAgent
from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rules.actions import OFFSETS

FIRST_ABILITY = OFFSETS["SALTPETRE_ATTACK"]
OFTEN = 0.4


def able_game(players: int, seed: int, exploits: Sequence[str], **new: Any) -> Game:
    """A finished game; equal arguments give equal games."""
    game = Game.new(players, seed=seed, exploits=exploits, **new)
    for _ in able_moves(game, seed):
        pass
    return game


def able_moves(game: Game, seed: int) -> Iterator[None]:
    """Play a game to its end, and stop before each move."""
    agent, rng = GreedyAgent(), np.random.default_rng(seed)
    agent.reset(seed)
    while not game.over:
        yield
        abilities = [action for action in game.legal_actions() if action >= FIRST_ABILITY]
        game.apply(int(rng.choice(abilities)) if abilities and rng.random() < OFTEN else agent.act(game))
