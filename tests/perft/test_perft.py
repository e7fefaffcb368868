"""Counts of decision sequences; a failure prints the count of every first move, to be played and divided further."""

from __future__ import annotations

import pytest

from endeavor_env.game import Game
from endeavor_env.testing import divide, divide_text, perft, random_game

from .files import HERE, Position, read

FILES = {"three_seats": 3, "four_seats": 4, "five_seats": 5}
KINDS = {"build", "salary", "turn", "target", "discard"}
RARE = {"three_seats": {"round_end_discard"}, "four_seats": {"round_end_discard"}, "five_seats": set[str]()}
POSITIONS = [(name, position) for name in FILES for position in read(HERE / f"{name}.txt")]


@pytest.mark.parametrize(("name", "position"), POSITIONS, ids=lambda it: it if isinstance(it, str) else it.name)
def test_perft(name: str, position: Position) -> None:
    assert position.players == FILES[name]
    game = position.game()
    counts = perft(game, len(position.counts))
    for depth, (wanted, got) in enumerate(zip(position.counts, counts, strict=True), 1):
        assert got == wanted, (
            f"{got:,} sequences of {depth} decisions instead of {wanted:,}\n{divide_text(game, depth)}"
        )


@pytest.mark.parametrize("name", FILES)
def test_each_file_counts_positions_of_every_kind_of_decision(name: str) -> None:
    positions = [position for file, position in POSITIONS if file == name]
    assert {position.game().decision for position in positions} == KINDS | RARE[name]
    for position in positions:
        assert len(position.counts) >= 3
        assert position.counts[-1] > 1_000


def count_by_hand(game: Game, depth: int) -> int:
    """Counts with nothing but the facade."""
    if depth == 0:
        return 1
    total = 0
    for action in game.legal_actions():
        after = game.clone()
        after.apply(action)
        total += count_by_hand(after, depth - 1)
    return total


@pytest.mark.parametrize(("players", "decisions"), [(3, 0), (4, 70), (5, 110)])
def test_the_compiled_count_is_the_count_of_the_facade(players: int, decisions: int) -> None:
    game = random_game(players, 6, decisions=decisions)
    before = game.state.tobytes()
    assert perft(game, 5) == [count_by_hand(game, depth) for depth in range(1, 6)]
    assert game.state.tobytes() == before


def test_divide_splits_the_count_by_the_first_move() -> None:
    game = random_game(4, 8, decisions=60)
    split = divide(game, 4)
    assert list(split) == game.legal_moves()
    assert sum(split.values()) == perft(game, 4)[-1]
    assert set(divide(game, 1).values()) == {1}
    for move, count in split.items():
        assert f"{move:<28}{count:>12,}" in divide_text(game, 4)


def test_there_is_nothing_to_count_after_the_end_or_at_depth_0() -> None:
    game = random_game(3, 2)
    assert perft(game, 3) == [0, 0, 0]
    assert perft(game, 0) == []
    last = Game.new(3, setup=game.setup())
    for _, action in game.history[:-1]:
        last.apply(action)
    assert perft(last, 2)[0] == len(last.legal_actions())
