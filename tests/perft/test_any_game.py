"""Counts of sequences in games with chance: each outcome of a draw is a move of its own, and nothing is drawn."""

from __future__ import annotations

import pytest

from endeavor_env.engine.game import GameConfig
from endeavor_env.engine.kernels.rules import CHANCE
from endeavor_env.merchants.game import MerchantsConfig
from endeavor_env.testing import divide, divide_text, perft
from tests.kits.counting import count_by_hand
from tests.kits.toy_envs import TOY

FACES = 6


@pytest.mark.parametrize(
    ("config", "moves", "depth"),
    [(TOY, 0, 5), (TOY, 3, 4), (MerchantsConfig(3), 0, 4), (MerchantsConfig(4, "expert"), 3, 2)],
    ids=["toy", "toy later", "short", "expert"],
)
def test_the_compiled_count_is_the_count_of_the_facade(config: GameConfig, moves: int, depth: int) -> None:
    game = config.new_game(5)
    for _ in range(moves):
        game.apply(game.legal_actions()[0])
    before, drawn = game.state.tobytes(), game.chance.copy()
    assert perft(game, depth) == [count_by_hand(game, deep) for deep in range(1, depth + 1)]
    assert (game.state.tobytes(), game.chance) == (before, drawn)


def test_a_roll_is_followed_by_each_of_its_faces() -> None:
    game = TOY.new_game(5)
    split = divide(game, 2)
    assert list(split) == game.legal_moves() == ["roll", "card"]
    assert split["roll"] == FACES
    assert sum(split.values()) == perft(game, 2)[-1]
    assert f"{'roll':<28}{FACES:>12,}" in divide_text(game, 2)
    game.play("roll", draws=False)
    assert game.seat == CHANCE
    assert set(divide(game, 1).values()) == {1}
    assert perft(game, 1) == [FACES]


def test_nothing_is_counted_after_the_end() -> None:
    game = MerchantsConfig(3, max_rolls=1).new_game(2)
    while not game.over:
        assert perft(game, 1) == [len(game.legal_actions())]
        game.apply(game.legal_actions()[-1])
    assert perft(game, 3) == [0, 0, 0]
