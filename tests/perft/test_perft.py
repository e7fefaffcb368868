"""Counts of decision sequences; a failure prints the count of every first move, to be played and divided further."""

from __future__ import annotations

from typing import Any

import pytest

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.testing import divide, divide_text, perft, random_game
from tests.kits.counting import count_by_hand
from tests.perft.files import HERE, Position, read
from tests.perft.regenerate import FILES

POSITIONS = [(name, position) for name in FILES for position in read(HERE / f"{name}.txt")]
OPENINGS = {"solo": "opposition", "solo_harder": "opposition", "soloplay_2": "remove", "soloplay_3": "remove"}
"""What is asked first, where that is not a building."""


@pytest.mark.parametrize(("name", "position"), POSITIONS, ids=lambda it: it if isinstance(it, str) else it.name)
def test_perft(name: str, position: Position) -> None:
    game, start = position.game(), FILES[name].start
    assert (game.num_players, game.variant) == (start.players, start.variant)
    assert game.options == start.start().options
    counts = perft(game, len(position.counts))
    for depth, (wanted, got) in enumerate(zip(position.counts, counts, strict=True), 1):
        assert got == wanted, (
            f"{got:,} sequences of {depth} decisions instead of {wanted:,}\n{divide_text(game, depth)}"
        )


@pytest.mark.parametrize("name", FILES)
def test_each_file_counts_positions_of_every_kind_of_decision(name: str) -> None:
    positions = [position for file, position in POSITIONS if file == name]
    kinds = {OPENINGS.get(name, "build"), "target", *FILES[name].late}
    assert {position.game().decision for position in positions} == kinds
    for position in positions:
        assert len(position.counts) >= 3
        assert position.counts[-1] > 1_000


def test_together_the_files_count_positions_of_all_kinds_of_decision() -> None:
    assert {position.game().decision for _, position in POSITIONS} == set(c.DECISION_NAMES) - {"nothing"}
    assert {path.stem for path in HERE.glob("*.txt")} == set(FILES)


@pytest.mark.parametrize(
    ("variant", "players", "decisions", "depth"),
    [
        ("standard", 3, 0, 5),
        ("standard", 4, 70, 5),
        ("standard", 5, 110, 5),
        ("solo", 1, 0, 3),
        ("solo", 1, 30, 4),
        ("soloplay_2", 2, 60, 4),
        ("soloplay_3", 3, 80, 4),
        ("neutral_2", 2, 40, 4),
    ],
)
def test_the_compiled_count_is_the_count_of_the_facade(variant: str, players: int, decisions: int, depth: int) -> None:
    game = random_game(players, 6, variant=variant, decisions=decisions)
    before = game.state.tobytes()
    assert perft(game, depth) == [count_by_hand(game, deep) for deep in range(1, depth + 1)]
    assert game.state.tobytes() == before


@pytest.mark.parametrize(
    ("depth", "game"),
    [
        (4, {"players": 4, "seed": 8, "decisions": 60}),
        (2, {"variant": "solo", "decisions": 4, "options": {"difficulty": "harder", "solo_ignore_industry": True}}),
        (2, {"variant": "solo", "decisions": 4, "options": {"opposition_ties": "first"}}),
        (2, {"variant": "soloplay_2", "decisions": 4, "options": {"variant_removed_spaces_stay": True}}),
        (2, {"variant": "soloplay_3", "decisions": 4}),
        (2, {"variant": "neutral_2", "decisions": 4}),
    ],
    ids=str,
)
def test_divide_splits_the_count_by_the_first_move(depth: int, game: dict[str, Any]) -> None:
    at = random_game(**{"seed": 1, **game})
    split, counts = divide(at, depth), perft(at, depth)
    assert list(split) == at.legal_moves()
    assert sum(split.values()) == counts[-1] > 0
    assert counts[0] == len(at.legal_moves())
    assert set(divide(at, 1).values()) == {1}
    for move, count in split.items():
        assert f"{move:<28}{count:>12,}" in divide_text(at, depth)


def test_there_is_nothing_to_count_after_the_end_or_at_depth_0() -> None:
    game = random_game(3, 2)
    assert perft(game, 3) == [0, 0, 0]
    assert perft(game, 0) == []
    last = Game.new(3, setup=game.setup())
    for _, action in game.history[:-1]:
        last.apply(action)
    assert perft(last, 2)[0] == len(last.legal_actions())
