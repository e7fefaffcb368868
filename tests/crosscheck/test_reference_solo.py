"""Every solitaire game is played twice: by the kernels and by a plain reading of S1-S9 and S13; all must agree."""

from __future__ import annotations

import functools
import random
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from endeavor_env.endeavor.board import Board
from endeavor_env.endeavor.game import Game
from tests.crosscheck import facts, facts_solo
from tests.crosscheck.reference_solo import SoloReference
from tests.crosscheck.strategies import board_of, boards, redraws, seeds

DIFFICULTIES = ("normal", "easier", "harder")
TIES = ("player", "first")
CASES = [{"difficulty": level, "opposition_ties": ties} for level, ties in product(DIFFICULTIES, TIES)]
RARE = [  # board, seed, difficulty, ties, eager, and what happens in that game and hardly in any other
    ("crowded", 3041, "harder", "first", 2, "two connections completed by one disc; a card that brings nothing (S4.3)"),
    ("crowded", 3080, "harder", "player", 1, "a city that brings two blue tokens (S5.1)"),
    ("crowded", 20054, "normal", "player", 0, "a blue token that follows from the first of two (SC8)"),
    ("crowded", 3011, "normal", "player", -2, "a status over 15 while cards are chosen (SC7)"),
    ("endeavor_2009", 3030, "normal", "player", -3, "a blue token between two regions; an attack on a chain (S5.5)"),
    ("generated_13", 3031, "normal", "player", -1, "an attack on the city of two Glory (S5.5)"),
    ("endeavor_2009", 3067, "harder", "player", -4, "no attack where the colour is absent (S5.5)"),
    ("endeavor_2009", 10599, "harder", "player", -1, "a theft with two markers at 15 (SC9)"),
    ("endeavor_2009", 10441, "harder", "player", -2, "a track the player would win, left alone (S4.4)"),
    ("endeavor_2009", 10930, "normal", "first", -3, "a discard of the player at the end of the round (S7.1)"),
]
options = st.fixed_dictionaries(
    {
        "difficulty": st.sampled_from(DIFFICULTIES),
        "opposition_ties": st.sampled_from(TIES),
        "solo_ignore_industry": st.booleans(),
    }
)


@functools.cache
def crowded_board() -> Board:
    """A small board full of connections, with many Industry tokens and an early end of slavery.

    Regions open soon, statuses overflow, one disc brings several tokens, and tokens lie between two regions.
    """
    data = Board.default().to_dict()
    for length, region in zip(range(2, 9), data["regions"], strict=True):
        region["track_length"] = 0 if region["open_at_start"] else length
    by_region = [[city for city in data["cities"] if city["region"] == region["id"]] for region in data["regions"]]
    data["cities"] = [city for cities in by_region for city in cities[: 8 if cities is by_region[0] else 2]]
    names = [city["id"] for city in data["cities"]]
    ends = [[first, second] for step in (1, 2) for first, second in zip(names, names[step:], strict=False)]
    data["connections"] = [{"cities": pair, "provenance": "generated"} for pair in ends]
    spaces = len(names) + len(ends) + sum(region["track_length"] for region in data["regions"])
    data["tokens"].update(attack=4, occupy_draw=4, sail_draw=4, pay=4, culture=8, finance=8, politics=8)
    data["tokens"].update(industry=spaces - 40)
    for card in data["decks"][0]["cards"]:
        card["abolition"] = card["value"] == 1
    data["id"] = "crowded"
    return Board.from_dict(data)


class Disagreement(AssertionError):
    """The two readings differ."""


def pick(moves: list[str], rng: random.Random, eager: int) -> str:
    """Return the first of ``abs(eager)`` + 1 random moves in action-id order, with ``eager`` < 0 the last.

    "pass" and "done" give way to all others, so that tracks fill up, regions open and cards are drawn.
    """
    ids = [rng.randrange(len(moves)) for _ in range(abs(eager) + 1)]
    going_on = [at for at in ids if moves[at] not in ("pass", "done")]
    return moves[(min if eager > 0 else max)(going_on or ids)]


def compare(game: Game, table: SoloReference, moves: set[str], case: str) -> None:
    """Raise Disagreement, naming the case, the move and both values, unless decision and position agree."""
    lines = []
    if game.seat != (0 if moves else -1):
        lines.append(f"seat to move: {game.seat} against {0 if moves else -1}")
    if set(game.legal_moves()) != moves:
        lines.append(f"legal moves: {sorted(game.legal_moves())} against {sorted(moves)}")
    lines += facts.differences(facts_solo.of_game(game), facts_solo.of_reference(table))
    if lines:
        made = [game.describe(action) for _, action in game.history]
        where = f"{case}, before move {len(made)}, after {made[-6:]}: {game!r}, engine against reference"
        raise Disagreement("\n  ".join([where, *lines]))


def play_twice(on: Board, seed: int, chosen: dict[str, Any], eager: int) -> Game:
    """Play a random game on both, comparing at every decision and at the end."""
    game = Game.new(variant="solo", seed=seed, board=on, options=chosen)
    table = SoloReference(on, game.setup(), chosen)
    case = f"board {on.id}, seed {seed}, options {chosen}, eager {eager}"
    rng = random.Random(seed)
    decisions = table.play()
    _, moves = next(decisions)
    while moves:
        compare(game, table, moves, case)
        move = pick(game.legal_moves(), rng, eager)
        game.play(move)
        try:
            _, moves = decisions.send(move)
        except StopIteration:
            moves = set()
    compare(game, table, moves, case)
    assert game.over, case
    assert game.scores() == table.scores(), case
    ladder = game.ladder()
    assert (ladder.name, ladder.rung, ladder.panache) == table.result(), case
    return game


def board_named(name: str) -> Board:
    """Return one of the boards the games are played on."""
    return crowded_board() if name == "crowded" else board_of(name)


@settings(max_examples=20)
@given(on=st.one_of(boards, st.just("crowded")), seed=seeds, chosen=options, eager=redraws)
def test_random_solo_games_agree_with_the_reference(on: str, seed: int, chosen: dict[str, Any], eager: int) -> None:
    play_twice(board_named(on), seed, chosen, eager)


@pytest.mark.parametrize("eager", [0, 2, -2])
@pytest.mark.parametrize("chosen", CASES, ids=lambda chosen: "-".join(chosen.values()))
def test_every_difficulty_and_ties_mode_agrees_with_the_reference(chosen: dict[str, Any], eager: int) -> None:
    play_twice(Board.default(), 11 + eager, chosen, eager)


@pytest.mark.parametrize(("on", "seed", "level", "ties", "eager", "what"), RARE, ids=[case[-1] for case in RARE])
def test_rare_events_agree_with_the_reference(on: str, seed: int, level: str, ties: str, eager: int, what: str) -> None:
    play_twice(board_named(on), seed, {"difficulty": level, "opposition_ties": ties}, eager)
