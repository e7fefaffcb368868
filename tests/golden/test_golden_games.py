"""The golden games replay line by line; a file that is missing, cut or edited is noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from endeavor_env.core.actions import BLOCKS
from endeavor_env.core.constants import DECISION_NAMES
from endeavor_env.game import Game
from endeavor_env.testing import GoldenMismatchError, golden_text, random_game, replay_golden

from .events import RARE, seen_in
from .regenerate import GAMES, HERE

SEATS = {"three": 3, "four": 4, "five": 5}


@pytest.mark.parametrize("name", GAMES)
def test_golden_game_replays(name: str) -> None:
    game = replay_golden(HERE / f"{name}.txt")
    assert game.over
    assert game.num_players == SEATS[name.split("_")[0]]


def test_every_game_has_its_file_and_every_file_its_game() -> None:
    files = {path.stem for path in HERE.glob("*.txt")}
    assert files == set(GAMES), "write missing files with: python -m tests.golden.regenerate"
    for word in SEATS:
        assert sum(name.startswith(word) for name in files) >= 2, f"golden games for {word} seats are missing"


def test_together_they_meet_every_kind_of_move_and_decision_and_all_that_is_rare() -> None:
    verbs, decisions, rare = set(), set(), set()
    for name in GAMES:
        whole = replay_golden(HERE / f"{name}.txt")
        rare |= seen_in(whole)
        game = Game.new(whole.num_players, setup=whole.setup(), board=whole.board)
        for _, action in whole.history:
            verbs.add(game.describe(action).partition(":")[0])
            decisions.add(game.decision)
            game.apply(action)
    assert verbs == {block.verb for block in BLOCKS}
    assert decisions == set(DECISION_NAMES) - {"nothing"}
    assert rare == RARE


@pytest.mark.parametrize("name", ["three_seats_uniform", "four_seats_crowded"])
def test_the_files_are_what_regenerate_writes(name: str) -> None:
    played_by, play = GAMES[name]
    assert (HERE / f"{name}.txt").read_text(encoding="utf-8") == golden_text(play(), played_by)


def spoiled(tmp_path: Path, old: str, new: str) -> Path:
    """A copy of a golden file with the first ``old`` replaced."""
    text = (HERE / "three_seats_uniform.txt").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "spoiled.txt"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("h2 g3", "h3 g3", r"line 17: the file has\n .*h3 g3.*\nbut the rules give\n .*h2 g3"),
        ("of  3 |", "of  4 |", r"line 1\d: the file has"),
        (" pass ", " done ", r"line \d+: the file has[^:]*but the rules give[^:]*: action \d+ \(done\) is illegal"),
        ("build:", "bilud:", "is no move"),
        ("scores ", "scores 1", r"line \d+: the file has\n  seat 0 scores 1"),
        ("winners", "losers", "but the rules give\n  winners"),
        ("endeavor-golden/1", "endeavor-golden/9", "its first line must be"),
        ("players 3", "player 3", "lacks players"),
        ("players 3", "players three", "cannot be set up"),
        ("players 3", "players 7", "cannot be set up: players=7"),
        ("first-player ", "first-player 7", "cannot be set up: setup.first_player"),
        (" london ", " ", "cannot be set up: setup.tokens"),
        ("board endeavor_2009", "board atlantis", "cannot be set up: the board"),
    ],
)
def test_a_spoiled_golden_file_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(GoldenMismatchError, match=message):
        replay_golden(spoiled(tmp_path, old, new))


@pytest.mark.parametrize(
    ("keep", "message"), [(-1, "but the rules give"), (40, "not over"), (0, "its first line must be")]
)
def test_a_cut_golden_file_is_named(tmp_path: Path, keep: int, message: str) -> None:
    lines = (HERE / "three_seats_uniform.txt").read_text(encoding="utf-8").splitlines()
    path = tmp_path / "cut.txt"
    path.write_text("\n".join(lines[:keep]), encoding="utf-8")
    with pytest.raises(GoldenMismatchError, match=message):
        replay_golden(path)


def test_an_unfinished_game_is_no_golden_game() -> None:
    with pytest.raises(GoldenMismatchError, match="is not over"):
        golden_text(random_game(3, 1, decisions=30), "nobody")
