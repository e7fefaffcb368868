"""OpenSpiel: games in C++ with Python bindings."""

from __future__ import annotations

import functools
import importlib
import random

from endeavor_env.benchmarks.peers import PeerGame, Work

NAME = "OpenSpiel"
MODULES = ("pyspiel",)
PACKAGES = ("open-spiel",)
GAME_NAMES = ("tic_tac_toe", "backgammon", "chess")


def play(name: str, observed: bool) -> Work:
    """Return work that plays whole games; chance nodes, such as dice, are sampled and not counted as decisions."""
    game = importlib.import_module("pyspiel").load_game(name)
    rng = random.Random(0)
    observation = None
    if observed:
        make = importlib.import_module("open_spiel.python.observation").make_observation
        observation = make(game)

    def work() -> int:
        decisions, state = 0, game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, chances)[0])
                continue
            if observation is not None:
                observation.set_from(state, state.current_player())
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            decisions += 1
        return decisions

    return work


GAMES = (
    *(PeerGame(name, "rules", functools.partial(play, name, False)) for name in GAME_NAMES),
    *(PeerGame(name, "observed", functools.partial(play, name, True)) for name in GAME_NAMES[1:]),
)
