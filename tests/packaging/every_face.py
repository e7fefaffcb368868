"""What an installed wheel is to do where nothing is compiled: play by every face. Run by the Python that has it."""

from __future__ import annotations

import importlib.util
import sys
import tempfile
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

from endeavor_env import Game, endeavor_v0, replay
from endeavor_env.engine.game import GameConfig
from endeavor_env.merchants.board import load_board
from endeavor_env.merchants.game_rules import rules_for
from endeavor_env.merchants.rules.board_record import board_record


def play_games() -> None:
    """Play games of every kind to their ends."""
    kinds: Any = ({"players": 5}, {"variant": "solo"}, {"variant": "neutral_2"}, {"exploits": "random"})
    for kind in kinds:
        game = Game.new(seed=3, **kind)
        while not game.over:
            game.apply(game.legal_actions()[-1])
        assert replay(game.record()).scores() == game.scores()


def play_another_game() -> None:
    """Play a game of Merchants of Europe to its end, and look at it on the way."""
    board = load_board("expert")
    game = GameConfig(rules_for(board), 3, "expert", board_record(board), [1, 0, 20]).new_game(3)
    while not game.over:
        assert game.observe(game.seat, "compact").any()
        game.apply(game.legal_actions()[len(game.history) % len(game.legal_actions())])
    assert game.record()["result"]["scores"] == game.scores()


def step_environments() -> None:
    """Make some steps in the environments of Gymnasium and PettingZoo, with every kind of opponent in a batch."""
    gymnasium: Any = import_module("gymnasium")
    env = gymnasium.make("Endeavor-v0", players=3)
    _, info = env.reset(seed=1)
    env.step(int(info["action_mask"].argmax()))
    for opponents in ("random", "greedy", "value"):
        batch = gymnasium.make_vec("Endeavor-v0", num_envs=2, opponents=opponents)
        batch.reset(seed=1)
        batch.step(batch.action_masks().argmax(1))
    table: Any = endeavor_v0.env(players=3)
    table.reset(seed=1)
    for _ in range(6):
        table.step(int(table.last()[0]["action_mask"].argmax()))


def use_command(*words: str) -> None:
    """Run the command of the wheel in this process."""
    sys.argv = ["endeavor", *words]
    try:
        import_module("endeavor_env.cli.__main__").main()
    except SystemExit as end:
        assert not end.code, words  # noqa: PT017  # it must not go on with another status


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        play_games()
        play_another_game()
        step_environments()
    use_command("arena", "search:sims=2", "policy", "automa", "--games", "3")
    use_command("doctor")
    assert list(Path(tempfile.gettempdir()).iterdir()) == [], "something was compiled, or a folder made for it"
    assert all(importlib.util.find_spec(name) is None for name in ("numba", "llvmlite"))
    print("no compiler was there")
