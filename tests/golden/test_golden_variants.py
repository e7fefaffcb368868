"""Golden files of the variants: what a game writes replays, and what is spoiled is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from endeavor_env.testing import GoldenMismatchError, divide, golden_text, perft, random_game, replay_golden

CASES: list[tuple[str, dict[str, Any]]] = [
    ("solo", {"difficulty": "harder", "solo_ignore_industry": True}),
    ("solo", {"opposition_ties": "first"}),
    ("soloplay_2", {"variant_removed_spaces_stay": True}),
    ("soloplay_3", {}),
    ("neutral_2", {}),
]
ON_EVERY_CASE = pytest.mark.parametrize(("variant", "options"), CASES, ids=[f"{v}-{len(o)}" for v, o in CASES])


def written(tmp_path: Path, variant: str, options: dict[str, Any]) -> Path:
    """Return a golden file of a random game."""
    path = tmp_path / "game.txt"
    game = random_game(variant=variant, seed=3, options=options, check=True)
    path.write_text(golden_text(game, "random_game"), encoding="utf-8")
    return path


@ON_EVERY_CASE
def test_a_game_of_a_variant_replays_from_its_golden_file(
    tmp_path: Path, variant: str, options: dict[str, Any]
) -> None:
    game = random_game(variant=variant, seed=3, options=options)
    again = replay_golden(written(tmp_path, variant, options))
    assert again.variant == variant
    assert again.options == game.options
    assert again.setup() == game.setup()
    assert again.state.tobytes() == game.state.tobytes()
    assert again.history == game.history


def test_options_left_at_their_first_value_are_not_written(tmp_path: Path) -> None:
    lines = written(tmp_path, "solo", {"difficulty": "normal", "solo_ignore_industry": True}).read_text().splitlines()
    assert [line for line in lines if line.startswith(("variant ", "option "))] == [
        "variant solo",
        "option solo_ignore_industry true",
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("opposition: ", "opposition:  ", r"line \d+: the file has"),
        ("opposition scores ", "opposition scores 1", r"line \d+: the file has\n  opposition scores 1"),
        ("ladder ", "ladder no ", "but the rules give\n  ladder "),
        ("scale ", "scales ", "lacks scale in its head"),
        ("scale ", "scale white ", "cannot be set up: setup.scale"),
        ("option difficulty harder", "option difficulty hard", "cannot be set up: option difficulty='hard'"),
        ("option difficulty harder", "option difficulty", "cannot be set up"),
        ("variant solo", "variant solitaire", "cannot be set up: variant 'solitaire' is unknown"),
        ("players 1", "players 2", "cannot be set up: players=2 does not fit variant 'solo'"),
    ],
)
def test_a_spoiled_golden_file_of_a_solo_game_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = written(tmp_path, "solo", {"difficulty": "harder"})
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(GoldenMismatchError, match=message):
        replay_golden(path)


@ON_EVERY_CASE
def test_sequences_of_a_variant_are_counted(variant: str, options: dict[str, Any]) -> None:
    game = random_game(variant=variant, seed=1, options=options, decisions=4)
    counts = perft(game, 2)
    assert counts[0] == len(game.legal_moves())
    split = divide(game, 2)
    assert sum(split.values()) == counts[1] > 0
    assert list(split) == game.legal_moves()
