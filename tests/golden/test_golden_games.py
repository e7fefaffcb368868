"""The golden games replay line by line; a file that is missing, cut or edited is noticed."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from endeavor_env.endeavor.game import Game
from endeavor_env.endeavor.options import without_defaults
from endeavor_env.endeavor.rules import constants as c
from endeavor_env.endeavor.rules.actions import BLOCKS
from endeavor_env.testing import GoldenMismatchError, golden_text, random_game, replay_golden
from tests.golden import events, events_neutral, events_solo
from tests.golden.regenerate import FEWER, GAMES, HERE

SEATS = {"three_seats": 3, "four_seats": 4, "five_seats": 5}
VARIANTS = ("solo", "soloplay_2", "soloplay_3", "neutral_2", "exploits")
OPTIONS: dict[str, dict[str, Any]] = {
    "solo_ties_first": {"opposition_ties": "first"},
    "solo_industry_ignored": {"solo_ignore_industry": True},
    "solo_easier": {"difficulty": "easier"},
    "solo_easier_searched": {"difficulty": "easier", "solo_ignore_industry": True},
    "solo_harder": {"difficulty": "harder"},
    "soloplay_2_spaces_stay": {"variant_removed_spaces_stay": True},
    "soloplay_3_spaces_stay": {"variant_removed_spaces_stay": True},
    "exploits_three_drawn": FEWER,
}
"""The options of the games whose names start so; the longest name counts."""


@functools.cache
def replayed(name: str) -> Game:
    """A finished golden game; not to be changed."""
    return replay_golden(HERE / f"{name}.txt")


def start_of(name: str, starts: Iterable[str]) -> str:
    """The longest of ``starts`` that the name of a golden game begins with, "" if there is none."""
    return max((start for start in starts if name.startswith(start)), key=len, default="")


def names_of(start: str) -> list[str]:
    """The golden games of a number of seats or of a variant."""
    return [name for name in GAMES if start_of(name, (*SEATS, *VARIANTS)) == start]


@pytest.mark.parametrize("name", GAMES)
def test_golden_game_replays(name: str) -> None:
    game = replayed(name)
    assert game.over
    start = start_of(name, (*SEATS, *VARIANTS))
    assert game.variant == (start if start in VARIANTS else "standard")
    assert game.num_players == SEATS.get(start, game.num_players)
    assert without_defaults(game.options) == OPTIONS.get(start_of(name, OPTIONS), {})


def test_every_game_has_its_file_and_every_file_its_game() -> None:
    files = {path.stem for path in HERE.glob("*.txt")}
    assert files == set(GAMES), "write missing files with: python -m tests.golden.regenerate"
    for start in (*SEATS, *VARIANTS):
        assert len(names_of(start)) >= 2, f"golden games of {start} are missing"
    assert {start_of(name, OPTIONS) for name in GAMES} == {"", *OPTIONS}


def test_together_they_meet_every_kind_of_move_and_decision() -> None:
    verbs, decisions = set(), set()
    for name in GAMES:
        whole = replayed(name)
        game = whole.at_move(0)
        for _, action in whole.history:
            verbs.add(game.describe(action).partition(":")[0])
            decisions.add(game.decision)
            game.apply(action)
    assert verbs == {block.verb for block in BLOCKS}
    assert decisions == set(c.DECISION_NAMES) - {"nothing"}


def test_every_exploit_scores_in_one_of_them() -> None:
    games = [replayed(name) for name in names_of("exploits")]
    scored = {
        name
        for game in games
        for seat in range(game.num_players)
        for name, glory in game.breakdown(seat).items()
        if glory
    }
    assert scored >= set(c.EXPLOIT_NAMES)


def seen_in(names: Iterable[str], look: Callable[[Game], set[str]]) -> set[str]:
    """Everything rare that some golden games show."""
    return set[str]().union(*(look(replayed(name)) for name in names))


def test_together_they_show_all_that_is_rare_in_the_base_game() -> None:
    assert seen_in([name for start in SEATS for name in names_of(start)], events.seen_in) == events.RARE


def test_together_they_show_all_the_opposition_can_do_and_all_that_is_rare_in_the_solitaire_game() -> None:
    assert seen_in(names_of("solo"), events_solo.seen_in) == events_solo.RARE


@pytest.mark.parametrize("variant", events_neutral.RARE)
def test_together_they_show_all_that_is_rare_with_neutral_discs(variant: str) -> None:
    assert seen_in(names_of(variant), events_neutral.seen_in) == events_neutral.RARE[variant]


@pytest.mark.parametrize(
    "name",
    [
        "three_seats_uniform",
        "four_seats_crowded",
        "solo_harder_chains",
        "soloplay_3_beside",
        "neutral_2_high",
        "exploits_three_drawn",
    ],
)
def test_the_files_are_what_regenerate_writes(name: str) -> None:
    played_by, play = GAMES[name]
    assert (HERE / f"{name}.txt").read_text(encoding="utf-8") == golden_text(play(), played_by)


def spoiled(tmp_path: Path, name: str, old: str, new: str) -> Path:
    """Return a copy of a golden file with the first ``old`` replaced."""
    text = (HERE / f"{name}.txt").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "spoiled.txt"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


BASE, SOLO = "three_seats_uniform", "solo_harder_attacks"


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        (BASE, "h2 g3", "h3 g3", r"line 17: the file has\n .*h3 g3.*\nbut the rules give\n .*h2 g3"),
        (BASE, "of  3 |", "of  4 |", r"line 1\d: the file has"),
        (
            BASE,
            " pass ",
            " done ",
            r"line \d+: the file has[^:]*but the rules give[^:]*: action \d+ \(done\) is illegal",
        ),
        (BASE, "build:", "bilud:", "is no move"),
        (BASE, "scores ", "scores 1", r"line \d+: the file has\n  seat 0 scores 1"),
        (BASE, "winners", "losers", "but the rules give\n  winners"),
        (BASE, "endeavor-golden/1", "endeavor-golden/9", "its first line must be"),
        (BASE, "players 3", "player 3", "lacks players"),
        (BASE, "players 3", "players three", "cannot be set up"),
        (BASE, "players 3", "players 7", "cannot be set up: players=7"),
        (BASE, "first-player ", "first-player 7", "cannot be set up: setup.first_player"),
        (BASE, " london ", " ", "cannot be set up: setup.tokens"),
        (BASE, "board endeavor_2009", "board atlantis", "cannot be set up: the board"),
        (SOLO, "opposition: ", "opposition:  ", r"line \d+: the file has"),
        (SOLO, "opposition scores ", "opposition scores 1", r"line \d+: the file has\n  opposition scores 1"),
        (SOLO, "ladder ", "ladder no ", "but the rules give\n  ladder "),
        (SOLO, "scale ", "scales ", "lacks scale in its head"),
        (SOLO, "scale ", "scale white ", "cannot be set up: setup.scale"),
        (SOLO, "option difficulty harder", "option difficulty hard", "cannot be set up: option difficulty='hard'"),
        (SOLO, "option difficulty harder", "option difficulty", "cannot be set up"),
        (SOLO, "variant solo", "variant solitaire", "cannot be set up: variant 'solitaire' is unknown"),
        (SOLO, "players 1", "players 2", "cannot be set up: players=2 does not fit variant 'solo'"),
    ],
)
def test_a_spoiled_golden_file_is_named(tmp_path: Path, name: str, old: str, new: str, message: str) -> None:
    with pytest.raises(GoldenMismatchError, match=message):
        replay_golden(spoiled(tmp_path, name, old, new))


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
